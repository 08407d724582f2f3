"""Checks of the arguments that several kernels take."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from mteval_core.kernels.twins.texts import ReferenceTexts, Texts

MAX_LENGTH = 65_535
"""Longest text, in tokens, for kernels whose tables have a cell for every pair of tokens."""

_Scalar = TypeVar("_Scalar", bound=np.generic)


def vector(name: str, values: NDArray[np.generic], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    """Convert an argument to a vector; refuse conversions that would lose digits or shape."""
    array = np.asarray(values)
    if not np.can_cast(array.dtype, dtype, "safe"):
        message = f"{name}: expected an array of {np.dtype(dtype)}, got {array.dtype}"
        raise TypeError(message)
    if array.ndim != 1:
        message = f"{name}: expected one dimension, got {array.ndim}"
        raise ValueError(message)
    return array.astype(dtype, copy=False)


def bounds(
    name: str, starts: NDArray[np.int64], ends: NDArray[np.int64], size: int
) -> tuple[list[int], list[int]]:
    """Check that texts lie within an array of some size, then return their starts and ends."""
    starts, ends = vector("starts", starts, np.int64), vector("ends", ends, np.int64)
    if len(starts) != len(ends):
        message = f"{name}: {len(starts)} starts but {len(ends)} ends; expected equal numbers"
        raise ValueError(message)
    wrong = (starts < 0) | (ends < starts) | (ends > size)
    if wrong.any():
        i = int(wrong.argmax())
        message = f"{name}: text {i} is {starts[i]}:{ends[i]}; expected bounds within 0:{size}"
        raise ValueError(message)
    return starts.tolist(), ends.tolist()


def text_of(name: str, texts: Texts) -> Callable[[int], list[int]]:
    """Check texts, then return the function that maps a number to the tokens of that text."""
    ids = vector("ids", texts.ids, np.int32)
    starts, ends = bounds(name, texts.starts, texts.ends, len(ids))
    return lambda i: ids[starts[i] : ends[i]].tolist()


def segments(
    hypotheses: Texts, references: ReferenceTexts
) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Check both sides, then return an iterator over the hypothesis and references of a segment."""
    hypothesis, reference = text_of("hypotheses", hypotheses), text_of("references", references)
    index = vector("index", references.index, np.int64)
    n_hypotheses, n_references = len(hypotheses.starts), len(references.starts)
    if len(index) != n_hypotheses + 1:
        message = f"{n_hypotheses} hypotheses, but references for {len(index) - 1} segments"
        raise ValueError(message)
    wrong = (index[:-1] < 0) | (index[1:] > n_references) | (index[1:] <= index[:-1])
    if wrong.any():
        i = int(wrong.argmax())
        message = (
            f"index: the references of segment {i} are {index[i]}:{index[i + 1]}; "
            f"expected at least one text within 0:{n_references}"
        )
        raise ValueError(message)
    if index[0] != 0 or index[-1] != n_references:
        message = (
            f"index: the segments have the references {index[0]}:{index[-1]}; "
            f"expected all, 0:{n_references}"
        )
        raise ValueError(message)
    return (
        (hypothesis(i), [reference(r) for r in range(start, stop)])
        for i, (start, stop) in enumerate(pairwise(index.tolist()))
    )


def pairs(hypotheses: Texts, references: ReferenceTexts) -> Iterator[tuple[list[int], list[int]]]:
    """Check both sides, then return an iterator over every reference, after its hypothesis."""
    return (
        (hypothesis, reference)
        for hypothesis, texts in segments(hypotheses, references)
        for reference in texts
    )


def longest(texts: Texts) -> int:
    """Length of the longest text, in tokens."""
    return int(np.max(np.asarray(texts.ends) - np.asarray(texts.starts), initial=0))


def check_lengths(hypotheses: Texts, references: Texts) -> None:
    """Refuse texts of more than `MAX_LENGTH` tokens."""
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        length = longest(texts)
        if length > MAX_LENGTH:
            message = f"{name}: a text has {length} tokens; expected at most {MAX_LENGTH}"
            raise ValueError(message)
