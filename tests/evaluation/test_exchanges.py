"""Exchanges of many pairs: what linear functions decide is what the formula gives."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mteval_core.evaluation.exchanges import Exchanges

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def f_measure(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return 200 * totals[..., 0] / (totals[..., 1] + totals[..., 2])


def error_rate(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return 100 * totals[..., 0] / totals[..., 2]


def with_a_penalty(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    shorter = np.minimum(1, np.exp(1 - totals[..., 2] / totals[..., 1]))
    return f_measure(totals) * shorter


def in_steps(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.round(f_measure(totals))


FORMULAS = [f_measure, error_rate, with_a_penalty, in_steps]


def systems(n: int) -> NDArray[np.float64]:
    """Draw rows of five systems, of which the last ones are better: matches and both lengths."""
    rng = np.random.default_rng(n)
    reference = rng.integers(5, 30, n)
    lengths = reference + rng.integers(-3, 4, (5, n))
    shares = rng.beta(5, 5, n) + np.array([0, 0, 0.005, 0.02, 0.2])[:, None]
    matches = rng.binomial(np.minimum(lengths, reference), np.minimum(shares, 1))
    return np.stack(np.broadcast_arrays(matches, lengths, reference), axis=-1).astype(float)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("n", [30, 300])
def test_predicted_exchanges_count_like_computed_ones(
    formula: Callable[[Any], Any], n: int
) -> None:
    rows, pairs = systems(n), list(combinations(range(5), 2))
    masks = np.random.default_rng(1).integers(0, 2, (2000, n)).astype(float)
    moved = masks @ rows
    expected = []
    for one, other in pairs:
        left = (masks @ rows[other]) + ((1 - masks) @ rows[one])
        right = (masks @ rows[one]) + ((1 - masks) @ rows[other])
        observed = formula(rows[one].sum(axis=0)) - formula(rows[other].sum(axis=0))
        by_chance = abs(formula(left) - formula(right))
        expected.append(int((by_chance >= abs(observed) - 1e-9).sum()))
    tried = Exchanges(formula, list(rows.sum(axis=1)), pairs, exact=False)
    for start in range(0, 2000, 500):
        tried.try_all(list(moved[:, start : start + 500]))
    assert tried.n_as_extreme.tolist() == expected
    assert min(expected) < 10
    assert max(expected) > 1000


def test_ties_count_although_predictions_are_rounded() -> None:
    rng = np.random.default_rng(0)
    edits = rng.binomial(20, 0.3, (2, 200)).astype(float)
    rows = np.stack([edits, np.full_like(edits, 1000), np.full_like(edits, 1000)], axis=-1)
    masks = rng.integers(0, 2, (2000, 200)).astype(float)
    tried = Exchanges(error_rate, list(rows.sum(axis=1)), [(1, 0)], exact=False)
    for start in range(0, 2000, 100):
        tried.try_all(list(masks[start : start + 100] @ rows))
    gaps = np.abs((1 - 2 * masks) @ (edits[1] - edits[0]))  # whole numbers, of equal texts
    observed = abs(edits[1].sum() - edits[0].sum())
    assert tried.n_as_extreme.tolist() == [(gaps >= observed).sum()]
    assert (gaps == observed).any()


def test_few_differences_are_computed_where_many_are_tried() -> None:
    rows, sizes = systems(300), []

    def formula(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        sizes.append(totals.size)
        return f_measure(totals)

    tried = Exchanges(formula, list(rows.sum(axis=1)), [(1, 0), (2, 0)], exact=False)
    masks = np.random.default_rng(1).integers(0, 2, (4000, 300)).astype(float)
    tried.try_all(list(masks[:500] @ rows))
    sizes.clear()
    tried.try_all(list(masks[500:] @ rows))
    assert sum(sizes) < 0.01 * 3500 * 2 * 2 * 3
