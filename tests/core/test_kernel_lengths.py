"""Kernels with tables of tokens by tokens refuse texts for which these would be too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mteval_core import References, Tokens, kernels

if TYPE_CHECKING:
    from collections.abc import Callable

BUDGET = np.ones(1)
VALUES = np.arange(70_000.0)


def text(length: int) -> References:
    """One text, the only one of its group, that repeats a token."""
    ids = np.zeros(length, np.int32)
    return References(ids, np.array([0]), np.array([length]), np.array([0, 1]))


@pytest.mark.parametrize(
    "kernel",
    [
        lambda h, r: kernels.run_matching(h, r, 2, BUDGET),
        lambda h, r: kernels.maximum_run_matching(h, r, 2, BUDGET, 10),
        lambda h, r: kernels.shift_edit_distance(h, r, 10, 50, 20),
        lambda h, r: kernels.beam_alignment(h, r, [None], [1], 40),
        lambda h, r: kernels.staged_alignment(h, r, [None]),
        kernels.lcs_marks,
        lambda h, r: kernels.weighted_lcs_marks(h, r, VALUES),
    ],
)
def test_too_long(kernel: Callable[[Tokens, References], object]) -> None:
    for name, lengths in (("hypotheses", (65_536, 1)), ("references", (1, 65_536))):
        with pytest.raises(ValueError, match=f"{name}: a text has 65536 tokens; expected at most"):
            kernel(*map(text, lengths))


@pytest.mark.parametrize(
    "kernel",
    [
        lambda h, r: kernels.clipped_matches(h, r, 1)[:, 0],
        lambda h, r: h.lengths[0] - kernels.edit_distance(h, r),
        kernels.lcs,
    ],
)
def test_long(kernel: Callable[[Tokens, References], object]) -> None:
    """Others take them."""
    assert kernel(text(100_000), text(70_000)) == [70_000]
