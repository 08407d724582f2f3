"""References as other programs take them: those of each segment, rather than streams."""

from __future__ import annotations

from collections.abc import Iterable, KeysView, Mapping, Set
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from mteval_core import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["as_list", "streams"]


def streams(references: Sequence[str | Sequence[str]]) -> list[list[str | None]]:
    """Turn the references of each segment into reference streams.

    Parameters
    ----------
    references : sequence of str, or of sequence of str
        The reference of each segment, or its references: not necessarily equally many.

    Raises
    ------
    InputError
        If they are not lists of strings, or a segment has none.

    Examples
    --------
    >>> streams(["a", ["b", "c"]])
    [['a', 'b'], [None, 'c']]
    """
    segments = [
        [each] if isinstance(each, str) else each for each in as_list(references, "references")
    ]
    for i, segment in enumerate(segments):
        if not is_sequence(segment) or not all(isinstance(text, str) for text in segment):
            raise InputError(
                f"the references: expected a string or a list of strings for segment {i}, got "
                f"{type(segment).__name__}"
            )
        if not segment:
            raise InputError(f"the references: segment {i} has none; expected at least one")
    return [list(stream) for stream in zip_longest(*segments)]


def as_list(texts: Iterable[Any], what: str) -> list[Any]:
    """List texts; raise an `InputError` if they have no order, or are one string."""
    if not is_sequence(texts):
        seen = "a string" if isinstance(texts, str) else type(texts).__name__
        raise InputError(f"the {what}: expected a list, one item per segment, got {seen}")
    return [*texts]


def is_sequence(thing: object) -> bool:
    """Whether a thing can be iterated over in an order of its own, and is not one string."""
    unordered = isinstance(thing, (str, bytes, Set, Mapping)) and not isinstance(thing, KeysView)
    return isinstance(thing, Iterable) and not unordered
