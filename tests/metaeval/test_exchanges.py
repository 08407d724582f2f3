"""Coefficients after exchanges, against the coefficients computed anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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


def test_large_groups_are_sorted_anew() -> None:
    assert can_exchange("spearman", (1, 100_000))
    assert can_exchange("kendall", (529, 13))
    assert not can_exchange("kendall", (1, 100_000))
    assert not can_exchange("pearson", (529, 13))
