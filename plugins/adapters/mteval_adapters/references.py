"""References as other programs take them: those of each segment, rather than streams."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from mteval_core import InputError
from mteval_core.text.text import is_sequence, kind

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["streams"]


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
    if not is_sequence(references):
        message = f"the references: expected a list, one item per segment, got {kind(references)}"
        raise InputError(message)
    segments = [[each] if isinstance(each, str) else each for each in references]
    for i, segment in enumerate(segments):
        if not is_sequence(segment) or not all(isinstance(text, str) for text in segment):
            message = (
                f"the references: expected a string or a list of strings for segment {i}, got "
                f"{kind(segment)}"
            )
            raise InputError(message)
        if not segment:
            message = f"the references: segment {i} has none; expected at least one"
            raise InputError(message)
    return [list(stream) for stream in zip_longest(*segments)]
