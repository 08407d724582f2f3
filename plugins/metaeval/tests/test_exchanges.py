"""Coefficients after exchanges: the fast form equals the plain form, of ranks to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_metaeval import exchanges
from mteval_metaeval.exchanges import AFTER_EXCHANGES
from mteval_metaeval.segments import SEGMENT_LEVEL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

COEFFICIENTS = sorted(AFTER_EXCHANGES)
N_TRIALS = 12


def drawn(seed: int, shape: tuple[int, int], steps: tuple[float, ...]) -> tuple[Array, ...]:
    """Draw scores of x, y and humans with ties as frequent as the steps are large, and masks."""
    rng = np.random.default_rng(seed)
    x, y, human = (np.round(rng.normal(size=shape) / step) * step for step in steps)
    y[:, ::3] = x[:, ::3]
    human[rng.random(shape) < 0.1] = np.nan
    x, y = (np.where(np.isnan(human), np.nan, scores) for scores in (x, y))
    masks: Any = rng.random((N_TRIALS, *shape)) < 0.5
    masks[0], masks[1] = False, True
    return x, y, human, masks


def assert_equal_to_the_plain_form(
    coefficient: str, x: Array, y: Array, human: Array, masks: Any
) -> None:
    found = AFTER_EXCHANGES[coefficient](x, y, human)(masks)
    plain = SEGMENT_LEVEL[coefficient]
    expected = [plain(np.where(masks ^ other, y, x), human) for other in (False, True)]
    # Pearson's r is a quotient of sums, which are added in another order.
    tolerance = 1e-9 if coefficient == "pearson" else 0
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


step = st.sampled_from([1e-9, 0.5, 9.0])


@pytest.mark.parametrize("few", [0, 100])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(
    seed=st.integers(0, 2**32),
    shape=st.tuples(st.integers(1, 5), st.integers(1, 40)),
    steps=st.tuples(step, step, step),
)
def test_the_fast_form_equals_the_plain_form(
    coefficient: str, few: int, seed: int, shape: tuple[int, int], steps: tuple[float, ...]
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(exchanges, "FEW", few)
        x, y, human, masks = drawn(seed, shape, steps)
        assert_equal_to_the_plain_form(coefficient, x, y, human, masks)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_thousands_of_outputs(coefficient: str) -> None:
    x, y, human, masks = drawn(3, (2, 3000), (1e-9, 0.5, 0.1))
    assert_equal_to_the_plain_form(coefficient, x, y, human, masks)


@pytest.mark.parametrize("few", [0, 100])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_an_output_without_a_score_of_one_metric_does_not_count(
    coefficient: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchanges, "FEW", few)
    x, y, human, masks = drawn(4, (2, 12), (0.5, 0.5, 0.5))
    without = y.copy()
    without[:, 1] = np.nan
    found = AFTER_EXCHANGES[coefficient](x, without, human)(masks)
    for scores in (x, y, human):
        scores[:, 1] = np.nan
    np.testing.assert_array_equal(found, AFTER_EXCHANGES[coefficient](x, y, human)(masks))
    assert not np.isnan(found).all()
