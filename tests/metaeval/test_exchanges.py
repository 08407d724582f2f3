"""Coefficients after exchanges, against the coefficients computed anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mteval_core.metaeval import exchanges
from mteval_core.metaeval.correlation import kendall
from mteval_core.metaeval.exchanges import can_exchange, exchange_of
from mteval_core.metaeval.segments import SEGMENT_LEVEL


@pytest.mark.parametrize("coefficient", ["spearman", "kendall", "pairwise accuracy"])
@pytest.mark.parametrize("steps", [0.5, 1e-9])
@pytest.mark.parametrize("shape", [(7, 5), (1, 40), (4, 1), (3, 2)])
def test_exchanged_scores_give_the_same_coefficients(
    coefficient: str, steps: float, shape: tuple[int, int]
) -> None:
    rng = np.random.default_rng(1)
    x, y, human = (np.round(rng.normal(size=shape) / steps) * steps for _ in range(3))
    human[rng.random(shape) < 0.1] = np.nan
    x, y = (np.where(np.isnan(human), np.nan, scores) for scores in (x, y))
    masks = rng.random((30, *shape)) < 0.5
    found = exchange_of(coefficient, x, y, human)(masks)
    function: Any = SEGMENT_LEVEL[coefficient]
    expected = function(np.where(masks, y, x), human), function(np.where(masks, x, y), human)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-12)


@pytest.mark.parametrize("coefficient", ["kendall", "pairwise accuracy"])
@pytest.mark.parametrize("steps", [(0.5, 0.5), (1e-9, 0.5), (0.5, 1e-9), (1e-9, 1e-9), (9, 9)])
@pytest.mark.parametrize("shape", [(1, 60), (3, 25), (2, 2), (1, 1)])
def test_many_pairs_are_counted_bit_by_bit(
    coefficient: str,
    steps: tuple[float, float],
    shape: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same coefficients to the last bit, with ties of the metrics, of humans, and of both."""
    rng = np.random.default_rng(2)
    x, y, human = (np.round(rng.normal(size=shape) / step) * step for step in (steps[0], *steps))
    y[:, ::3] = x[:, ::3]
    human[rng.random(shape) < 0.1] = np.nan
    masks = rng.random((30, *shape)) < 0.5
    masks[0], masks[1] = False, True
    pairs = exchange_of(coefficient, x, y, human)(masks)
    monkeypatch.setattr(exchanges, "LARGEST_GROUP", 0)
    found = exchange_of(coefficient, x, y, human)(masks)
    np.testing.assert_array_equal(found, pairs)
    assert not np.isnan(found).all() or shape[1] <= 2 or steps == (9, 9)
    np.testing.assert_array_equal(found[0][0], found[1][1])  # everything is exchanged


def test_thousands_of_outputs_have_the_coefficients_computed_anew() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 1, 3000))
    human = np.round(rng.normal(size=(1, 3000)) * 9)
    masks = rng.random((4, 1, 3000)) < 0.5
    first, second = exchange_of("kendall", x, y, human)(masks)
    np.testing.assert_array_equal(first, kendall(np.where(masks, y, x), human))
    np.testing.assert_array_equal(second, kendall(np.where(masks, x, y), human))


def test_what_can_be_exchanged() -> None:
    assert all(map(can_exchange, ("spearman", "kendall", "pairwise accuracy")))
    assert not can_exchange("pearson")
