"""Lines of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.kernels.twins.arguments import as_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["line_bounds"]


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
        message = "buffer: expected a line feed at the end"
        raise ValueError(message)
    starts = np.zeros(len(ends), np.int64)
    starts[1:] = ends[:-1] + 1
    return starts, ends
