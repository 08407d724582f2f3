"""Lines of a text, and strings as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_kernels.twins.arguments import as_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["encode_lines", "line_bounds"]


def line_bounds(buffer: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    r"""Find the lines of a text, which end with line feeds only.

    Parameters
    ----------
    buffer : bytes
        Lines, each followed by a line feed.

    Returns
    -------
    starts, ends : ndarray of int64, shape (n_lines,)
        Line ``i`` is ``buffer[starts[i]:ends[i]]``, without its line feed.

    Raises
    ------
    ValueError
        If the last line has no line feed.

    Examples
    --------
    >>> starts, ends = line_bounds(b"two words\n\none\n")
    >>> starts.tolist(), ends.tolist()
    ([0, 10, 11], [9, 10, 14])
    """
    characters = np.frombuffer(as_bytes("buffer", buffer), np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    if len(characters) and not (len(ends) and ends[-1] == len(characters) - 1):
        raise ValueError("buffer: expected a line feed at the end")
    starts = np.zeros(len(ends), np.int64)
    starts[1:] = ends[:-1] + 1
    return starts, ends


def encode_lines(
    segments: Sequence[str | None],
) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
    r"""Encode segments as lines of UTF-8.

    Parameters
    ----------
    segments : sequence of str or None
        The segments. One line end, ``\n`` or ``\r\n``, is dropped from each.

    Returns
    -------
    buffer : bytes
        The segments in UTF-8, each followed by a line feed. None is the byte ``0xFF``, which does
        not occur in UTF-8.
    starts, ends : ndarray of int64, shape (n_segments,)
        Segment ``i`` is ``buffer[starts[i]:ends[i]]``.

    Raises
    ------
    TypeError
        If a segment is neither a string nor None.
    UnicodeEncodeError
        If a segment has a lone surrogate.

    Examples
    --------
    >>> buffer, starts, ends = encode_lines(["two words", "one\r\n", None])
    >>> buffer, starts.tolist(), ends.tolist()
    (b'two words\none\n\xff\n', [0, 10, 14], [9, 13, 15])
    """
    lines = [_line(segment) for segment in segments]
    sizes = np.fromiter(map(len, lines), np.int64, len(lines))
    stops = sizes.cumsum()
    return b"".join(lines), stops - sizes, stops - 1


def _line(segment: str | None) -> bytes:
    if segment is None:
        return b"\xff\n"
    if not isinstance(segment, str):
        raise TypeError(f"a segment must be a str or None, got {type(segment).__name__}")
    if segment.endswith("\n"):
        segment = segment[:-1].removesuffix("\r")
    return segment.encode() + b"\n"
