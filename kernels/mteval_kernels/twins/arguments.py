"""Checks of the arguments that several kernels take."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from numbers import Real
from operator import index as as_index
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from mteval_kernels.errors import TooLongError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_kernels.twins.texts import ReferenceTexts, Texts

MAX_LENGTH = 65_535


class Limits(NamedTuple):
    """Longest text, in tokens, and most pairs of a hypothesis token and a reference token."""

    length: int
    pairs: int


LINEAR = Limits(1 << 24, 1 << 48)
BITS = Limits(MAX_LENGTH, MAX_LENGTH**2)
"""For kernels that process 64 pairs in one step."""
TABLE = Limits(MAX_LENGTH, 1 << 28)
"""For kernels that need a bit or a step for each pair."""
SEARCH = Limits(MAX_LENGTH, 1 << 24)
"""For kernels that fill a table of all pairs again and again."""

_Scalar = TypeVar("_Scalar", bound=np.generic)
_Result = TypeVar("_Result")


def sequence(name: str, value: Sequence[_Result]) -> Sequence[_Result]:
    """Refuse what is not a list or a tuple."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{name}: expected a list or a tuple, got {type(value).__name__}")
    return value


def pair(
    name: str, value: tuple[NDArray[np.generic], NDArray[np.generic]]
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Refuse what is not a pair."""
    items = sequence(name, value)
    if len(items) != 2:
        raise TypeError(f"{name}: expected a pair of arrays, got {len(items)}")
    return items[0], items[1]


def as_bytes(name: str, value: bytes) -> bytes:
    """Refuse what is not bytes."""
    if not isinstance(value, bytes):
        raise TypeError(f"{name}: expected bytes, got {type(value).__name__}")
    return value


def array(name: str, values: NDArray[np.generic], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    """Convert an argument to an array; refuse conversions that would lose digits."""
    given = np.asarray(values)
    if not np.can_cast(given.dtype, dtype, "safe"):
        raise TypeError(f"{name}: expected an array of {np.dtype(dtype)}, got {given.dtype}")
    return given.astype(dtype, copy=False)


def vector(name: str, values: NDArray[np.generic], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    """Convert an argument to a vector; refuse conversions that would lose digits or shape."""
    numbers = array(name, values, dtype)
    if numbers.ndim != 1:
        raise ValueError(f"{name}: expected one dimension, got {numbers.ndim}")
    return numbers


def whole_number(name: str, value: int, least: int = -(1 << 63)) -> int:
    """Convert a whole number of 64 bits."""
    try:
        number = as_index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {type(value).__name__}") from None
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"{name} is {number}; expected a number of 64 bits")
    if number < least:
        raise ValueError(f"{name} is {number}; expected at least {least}")
    return number


MOST_COLUMNS = 1 << 16
"""Largest order of n-grams: each has columns of its own, which must fit in memory."""


def number_of_columns(name: str, value: int) -> int:
    """Convert a number of columns; refuse one that no array can have."""
    number = whole_number(name, value, 1)
    if number > MOST_COLUMNS:
        raise ValueError(f"{name} is {number}; expected at most {MOST_COLUMNS}")
    return number


def number(name: str, value: float) -> float:
    """Convert a real number."""
    if not isinstance(value, Real):
        raise TypeError(f"{name}: expected a number, got {type(value).__name__}")
    return float(value)


def choice(name: str, value: str, one: str, other: str) -> str:
    """Refuse a value that is neither one thing nor the other."""
    if not isinstance(value, str) or value not in (one, other):
        raise ValueError(f"{name} is {value!r}; expected {one!r} or {other!r}")
    return value


def bounds(
    name: str, starts: NDArray[np.int64], ends: NDArray[np.int64], size: int
) -> tuple[list[int], list[int]]:
    """Check that texts lie within an array of some size, then return their starts and ends."""
    starts, ends = vector("starts", starts, np.int64), vector("ends", ends, np.int64)
    if len(starts) != len(ends):
        raise ValueError(
            f"{name}: {len(starts)} starts but {len(ends)} ends; expected equal numbers"
        )
    wrong = (starts < 0) | (ends < starts) | (ends > size)
    if wrong.any():
        i = int(wrong.argmax())
        raise ValueError(
            f"{name}: text {i} is {starts[i]}:{ends[i]}; expected bounds within 0:{size}"
        )
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
        raise ValueError(f"{n_hypotheses} hypotheses, but references for {len(index) - 1} segments")
    wrong = (index[:-1] < 0) | (index[1:] > n_references) | (index[1:] <= index[:-1])
    if wrong.any():
        i = int(wrong.argmax())
        raise ValueError(
            f"index: the references of segment {i} are {index[i]}:{index[i + 1]}; "
            f"expected at least one text within 0:{n_references}"
        )
    if index[0] != 0 or index[-1] != n_references:
        raise ValueError(
            f"index: the segments have the references {index[0]}:{index[-1]}; "
            f"expected all, 0:{n_references}"
        )
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


@contextmanager
def in_segment(number: int) -> Iterator[None]:
    """Add the number of the segment to an error."""
    try:
        yield
    except TooLongError as error:
        raise TooLongError(number, error.reason) from None


def for_each_pair(
    texts: Iterable[tuple[list[int], list[list[int]]]],
    function: Callable[[list[int], list[int]], _Result],
) -> list[_Result]:
    """Apply a function to every reference and its hypothesis."""
    results = []
    for i, (hypothesis, references) in enumerate(texts):
        with in_segment(i):
            results += [function(hypothesis, reference) for reference in references]
    return results


def longest(texts: Texts) -> int:
    """Length of the longest text, in tokens."""
    return int(np.max(np.asarray(texts.ends) - np.asarray(texts.starts), initial=0))


def lengths(texts: Texts) -> list[int]:
    """Length of every text, in tokens."""
    ends, starts = vector("ends", texts.ends, np.int64), vector("starts", texts.starts, np.int64)
    counts: list[int] = (ends - starts).tolist()
    return counts


def check_lengths(hypotheses: Texts, references: ReferenceTexts, limits: Limits) -> None:
    """Refuse hypotheses and references that are too long."""
    reference_lengths = lengths(references)
    index = vector("index", references.index, np.int64).tolist()
    for i, (hypothesis, (start, stop)) in enumerate(
        zip(lengths(hypotheses), pairwise(index), strict=True)
    ):
        for reference in reference_lengths[start:stop]:
            check_length(i, hypothesis, reference, limits)


def check_length(segment: int, hypothesis: int, reference: int, limits: Limits) -> None:
    """Refuse a segment whose texts are too long."""
    length, pairs = limits
    if hypothesis <= length and reference <= length and hypothesis * reference <= pairs:
        return
    most = f"{length} of each" + f" and {pairs} pairs of both" * (pairs < length**2)
    raise TooLongError(segment, _reason(hypothesis, reference, most))


def check_count(texts: tuple[int, int], count: int, most: int, what: str) -> None:
    """Refuse more than `most` of something that takes time or memory.

    `texts` are the lengths of the hypothesis and of the reference; `in_segment` adds the segment.
    """
    if count > most:
        raise TooLongError(0, _reason(*texts, f"{most} {what}"))


def _reason(hypothesis: int, reference: int, most: str) -> str:
    return (
        f"{hypothesis} hypothesis tokens and {reference} reference tokens; expected at most {most}"
    )
