"""The weighted mean over orders: by hand, and the same bits for numbers and arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from mteval_chrf.chrf import mean

from mteval_core.formulas import split

fractions = st.floats(0, 1).filter(lambda value: value == 0 or value > 1e-100)


def test_the_mean_by_hand() -> None:
    """(1 + 3 * 1/2) / 4 = 5/8; two values of which one does not count; none that counts."""
    assert mean([1.0, 0.5], [1, 3]) == 0.625
    assert mean([0.25, 1.0], [True, False]) == 0.25
    assert mean([0.5, 1.0], [False, False]) == mean([], []) == 0
    assert mean([1e-300, 0.5], [0, 1]) == 0.5


@given(st.lists(st.lists(fractions, min_size=3, max_size=3), min_size=1, max_size=4), st.data())
def test_means_of_arrays_are_those_of_their_elements(
    rows: list[list[float]], data: st.DataObject
) -> None:
    counted = data.draw(st.lists(st.lists(st.booleans(), min_size=3, max_size=3)))
    counted = [*counted, *[[True, True, True]] * len(rows)][: len(rows)]
    found = mean(split(np.array(rows)), list(np.array(counted).T))
    assert found.tolist() == [float(mean(*one)) for one in zip(rows, counted, strict=True)]
