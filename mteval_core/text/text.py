"""Texts and corpora before tokenization."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import InputError
from mteval_core.signature import reference_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["TestSet", "Text", "as_test_set", "as_text"]

MISSING = b"\xff"
"""What stands in the buffer of a `Text` for a segment that is missing: no UTF-8 holds it."""


def line_blocks(data: bytes, size: int = 1 << 22) -> Iterator[tuple[int, int]]:
    """Cut data behind line feeds into blocks of about a size in bytes: start and stop of each."""
    start = 0
    while start < len(data):
        stop = data.find(b"\n", start + size) + 1 or len(data)
        yield start, stop
        start = stop


@dataclass(frozen=True, eq=False)
class Text:
    r"""A stream of segments: the output of a system, or one of several references.

    Parameters
    ----------
    buffer : bytes
        UTF-8 of the segments, each ended by a line feed. A missing segment is the byte ``0xFF``.
    starts, ends : ndarray of int64, shape (n_segments,)
        Segment ``i`` is ``buffer[starts[i]:ends[i]]``.
    path : str or None
        The file that it was read from.

    Examples
    --------
    >>> text = Text.of(["two words", "one"])
    >>> len(text), text[1], text.buffer
    (2, 'one', b'two words\none\n')
    """

    buffer: bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    path: str | None = None

    @classmethod
    def from_lines(cls, data: bytes, path: str | None = None) -> Text:
        """Text of the lines of valid UTF-8, split at line feeds only."""
        if not data.endswith(b"\n"):
            data += b"\n"
        characters = np.frombuffer(data, np.uint8)
        ends = np.concatenate(
            [
                np.flatnonzero(characters[start:stop] == ord("\n")) + start
                for start, stop in line_blocks(data)
            ]
        )
        return cls(data, np.concatenate([[0], ends[:-1] + 1]), ends, path)

    @classmethod
    def of(cls, segments: Sequence[str | None], what: str = "segments") -> Text:
        """Text of strings; None is a missing segment. A line end behind a segment is dropped.

        Raises
        ------
        InputError
            If the segments are not a list of strings, or hold a lone surrogate.
        """
        if isinstance(segments, (str, bytes)) or not isinstance(segments, Iterable):
            found = "a string" if isinstance(segments, str) else type(segments).__name__
            message = f"{what}: expected a list of strings, one per segment, found {found}"
            raise InputError(message)
        segments = list(segments)
        try:
            lines = [
                MISSING
                if segment is None
                else segment.removesuffix("\r\n").removesuffix("\n").encode()
                for segment in segments
            ]
        except (AttributeError, TypeError):
            i, other = next((i, s) for i, s in enumerate(segments) if not isinstance(s, str | None))
            message = f"{what}: expected a string for segment {i}, found {type(other).__name__}"
            raise InputError(message) from None
        except UnicodeEncodeError as error:
            message = f"{what}: {error.object!r} holds a lone surrogate, which is no text"
            raise InputError(message) from None
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        ends = np.cumsum(lengths + 1) - 1
        return cls(b"".join([line + b"\n" for line in lines]), ends - lengths, ends)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, i: int) -> str | None:
        line = self.buffer[self.starts[i] : self.ends[i]]
        return None if line == MISSING else line.decode()

    def __iter__(self) -> Iterator[str | None]:
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which segments are missing, shape (n_segments,)."""
        if MISSING not in self.buffer:
            return np.zeros(len(self), bool)
        first = np.frombuffer(self.buffer, np.uint8)[self.starts]
        missing: NDArray[np.bool_] = first == MISSING[0]
        return missing

    @cached_property
    def one_line_each(self) -> bool:
        """Whether no segment holds a line feed."""
        return self.buffer.count(b"\n") == len(self)


@dataclass(frozen=True, eq=False)
class TestSet:
    """References, and documents if known, of one test set.

    Parameters
    ----------
    references : tuple of Text
        One text per reference stream, all of the same number of segments.
    documents : tuple of str or None
        Document id of each segment.
    documents_path : str or None
        The file that these were read from.

    Raises
    ------
    InputError
        If there is no reference or no segment, the streams are uneven, a segment has no
        reference, or the documents are not one per segment.
    """

    __test__ = False  # pytest would collect the class for its name

    references: tuple[Text, ...]
    documents: tuple[str, ...] | None = None
    documents_path: str | None = None

    def __post_init__(self) -> None:
        if not self.references:
            message = "no references: expected at least one stream of them"
            raise InputError(message)
        lengths = [len(stream) for stream in self.references]
        if len(set(lengths)) > 1:
            found = ", ".join(
                f"{stream.path or f'stream {k}'} has {len(stream)}"
                for k, stream in enumerate(self.references)
            )
            message = (
                f"the references are of uneven length: {found} segments; "
                f"expected the same number in each"
            )
            raise InputError(message)
        if not lengths[0]:
            message = "the test set is empty: expected at least one segment"
            raise InputError(message)
        absent = np.flatnonzero(np.all([stream.missing for stream in self.references], axis=0))
        if len(absent):
            message = f"segment {absent[0]} has no reference: expected at least one"
            raise InputError(message)
        if self.documents is not None and len(self.documents) != len(self):
            where = f"{self.documents_path}: " if self.documents_path else ""
            message = (
                f"{where}{len(self.documents)} document ids for {len(self)} segments; "
                f"expected one per segment"
            )
            raise InputError(message)

    def __len__(self) -> int:
        return len(self.references[0])

    def check(self, hypotheses: Text, name: str) -> None:
        """Raise an `InputError` if the hypotheses do not fit the references."""
        if len(hypotheses) != len(self):
            message = (
                f"{hypotheses.path or name}: {len(hypotheses)} segments, but "
                f"{self.references[0].path or 'the reference'} has {len(self)}; "
                f"expected one hypothesis per segment"
            )
            raise InputError(message)
        absent = np.flatnonzero(hypotheses.missing)
        if len(absent):
            message = f"{name}: segment {absent[0]} is missing; expected a string, empty if need be"
            raise InputError(message)

    @cached_property
    def n_references(self) -> int | None:
        """Number of references of every segment; None if it varies."""
        counts = np.sum([~stream.missing for stream in self.references], axis=0)
        return int(counts[0]) if (counts == counts[0]).all() else None

    @cached_property
    def hash(self) -> str:
        """Fingerprint of the references, see `mteval_core.signature.reference_hash`."""
        return reference_hash((len(stream), stream.buffer) for stream in self.references)


def as_text(segments: Sequence[str | None] | Text, what: str) -> Text:
    """Text of segments, which may be one already."""
    return segments if isinstance(segments, Text) else Text.of(segments, what)


def as_test_set(
    references: Sequence[Sequence[str | None]] | TestSet,
    documents: Sequence[str] | None = None,
    *,
    n_hypotheses: int | None = None,
) -> TestSet:
    """TestSet of reference streams, which may be one already.

    Raises
    ------
    InputError
        If the references are no streams of segments, or if they look transposed beside the
        number of hypotheses.
    """
    if documents is not None:
        documents = tuple(documents)
    if isinstance(references, TestSet):
        return references if documents is None else replace(references, documents=documents)
    if isinstance(references, str) or not isinstance(references, Iterable):
        found = "a string" if isinstance(references, str) else type(references).__name__
        message = f"the references: expected a list of reference streams, found {found}"
        raise InputError(message)
    streams = [as_text(stream, f"reference stream {k}") for k, stream in enumerate(references)]
    lengths = {len(stream) for stream in streams}
    if n_hypotheses == len(streams) and n_hypotheses not in lengths:
        message = (
            f"there are {n_hypotheses} hypotheses and {len(streams)} reference streams of "
            f"{' or '.join(map(str, sorted(lengths)))} segments: transposed? Expected one list per "
            f"reference stream, references[k][segment]"
        )
        raise InputError(message)
    return TestSet(tuple(streams), documents)
