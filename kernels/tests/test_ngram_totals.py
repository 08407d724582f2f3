"""Numbers of n-grams in texts of given lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


def test_ngram_totals(kernel: Any) -> None:
    lengths = np.array([5, 2, 0])
    assert kernel.ngram_totals(lengths, 3).tolist() == [[5, 4, 3], [2, 1, 0], [0, 0, 0]]
    assert kernel.ngram_totals(lengths[:0], 2).shape == (0, 2)
    with pytest.raises(ValueError, match=r"^order is 0; expected at least 1$"):
        kernel.ngram_totals(lengths, 0)


@given(lengths=st.lists(st.integers(0, 9), max_size=6), order=st.integers(1, 6))
def test_n_grams_are_counted_as_they_are_cut(kernel: Any, lengths: list[int], order: int) -> None:
    found = kernel.ngram_totals(np.array(lengths, np.int64), order)
    cut = [
        [len({(k, k + n) for k in range(length) if k + n <= length}) for n in range(1, order + 1)]
        for length in lengths
    ]
    assert found.reshape(-1, order).tolist() == cut
