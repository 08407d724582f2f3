"""Texts and test sets before tokenization, and how they are made from Python's strings."""

from __future__ import annotations

from collections.abc import Iterable, KeysView, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_not
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

import mteval_kernels
from mteval_core.errors import InputError
from mteval_core.frozen import Frozen
from mteval_core.names import check_name
from mteval_core.text.digest import Hashed, TextDigest, reference_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MISSING_SEGMENT = b"\xff"
"""Marks a missing segment in the buffer of a `Text`. The byte does not occur in UTF-8."""


def line_blocks(data: bytes, size: int = 1 << 22) -> Iterator[tuple[int, int]]:
    """Cut data after line feeds into blocks of about `size` bytes; yield start and stop of each."""
    start = 0
    while start < len(data):
        stop = data.find(b"\n", start + size) + 1 or len(data)
        yield start, stop
        start = stop


@dataclass(eq=False)
class Text:
    r"""A stream of segments: the output of a system, or one reference stream.

    Parameters
    ----------
    buffer : bytes
        The segments in UTF-8, each followed by a line feed. A missing segment is the byte ``0xFF``.
    starts, ends : ndarray of int64, one number for each segment
        Segment ``i`` is ``buffer[starts[i]:ends[i]]``.
    path : str or None
        The file that the text was read from.
    columns : mapping of str to Text
        What else the system has for each segment, by name, such as delays. They follow the segments
        of the text. Values that are not strings are written as JSON.

    Examples
    --------
    >>> text = Text.of(["two words", "one"], columns={"delays": [[1, 2], [2.5]]})
    >>> len(text), text[1], text.buffer
    (2, 'one', b'two words\none\n')
    >>> [*text[1:].columns["delays"]]
    ['[2.5]']
    """

    buffer: bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    path: str | None = None
    columns: Mapping[str, Text] = field(default_factory=dict)

    @classmethod
    def from_lines(cls, data: bytes, path: str | None = None) -> Text:
        """Make a text of the lines of valid UTF-8, split at line feeds only."""
        if not data.endswith(b"\n"):
            data += b"\n"
        return cls(data, *mteval_kernels.line_bounds(data), path)

    @classmethod
    def of(
        cls,
        segments: Sequence[str | None] | Text,
        what: str = "segments",
        *,
        columns: Mapping[str, Sequence[Any] | Text] | None = None,
    ) -> Text:
        """Make a text of strings; None is a missing segment. Drops one line end per segment.

        Parameters
        ----------
        segments : sequence of str or None, or Text
            One per segment, such as a column of a data frame; a `Text` is returned as it is.
        what : str
            Name of the text in error messages.
        columns : mapping of str to sequence, optional
            A value per segment, by name of the column: a string, number or list, as in JSON. None
            is a missing one.

        Raises
        ------
        InputError
            If the segments are not a list of strings, or contain a lone surrogate; or if a column
            has not one value of JSON for each. Sets and mappings are refused, because their order
            does not pair segments.
        """
        if columns:
            text = cls.of(segments, what)
            return replace(text, columns=as_columns(columns, len(text), what))
        if isinstance(segments, Text):
            return segments
        if not is_sequence(segments):
            raise InputError(f"{what}: expected one string per segment, got {kind(segments)}")
        segments = list(segments)
        try:
            return cls(*mteval_kernels.encode_lines(segments))
        except TypeError:
            filled = [None if is_missing(segment) else segment for segment in segments]
            if any(map(is_not, filled, segments)):
                return cls.of(filled, what)
            i, other = next((i, s) for i, s in enumerate(segments) if not isinstance(s, str | None))
            raise InputError(
                f"{what}: expected a string for segment {i}, got {kind(other)}"
            ) from None
        except UnicodeEncodeError as error:
            raise InputError(
                f"{what}: {error.object!r} contains a lone surrogate, which is not valid Unicode "
                f"text"
            ) from None

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, i: int) -> str | None: ...
    @overload
    def __getitem__(self, i: slice) -> Text: ...
    def __getitem__(self, i: int | slice) -> str | Text | None:
        if isinstance(i, slice):
            starts, ends = self.starts[i], self.ends[i]
            if not np.array_equal(starts[1:], ends[:-1] + 1):
                return self.take(range(len(self))[i])
            first, last = (int(starts[0]), int(ends[-1]) + 1) if len(starts) else (0, 0)
            columns = {name: column[i] for name, column in self.columns.items()}
            return Text(self.buffer[first:last], starts - first, ends - first, columns=columns)
        line = self.buffer[self.starts[i] : self.ends[i]]
        return None if line == MISSING_SEGMENT else line.decode()

    def __add__(self, other: Text | Sequence[str | None]) -> Text:
        more = Text.of(other)
        if self.columns.keys() != more.columns.keys():
            name = min(self.columns.keys() ^ more.columns.keys())
            raise InputError(f"only one of two texts has the column {name!r}; expected both")
        columns = {name: column + more.columns[name] for name, column in self.columns.items()}
        return replace(concatenate([self, more]), path=None, columns=columns)

    def __iter__(self) -> Iterator[str | None]:
        for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True):
            line = self.buffer[start:end]
            yield None if line == MISSING_SEGMENT else line.decode()

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Whether each segment is missing, shape (n_segments,)."""
        if MISSING_SEGMENT not in self.buffer:
            return np.zeros(len(self), bool)
        first = np.frombuffer(self.buffer, np.uint8)[self.starts]
        return np.equal(first, MISSING_SEGMENT[0])

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Whether each segment is empty or white space, shape (n_segments,)."""
        first = np.frombuffer(self.buffer, np.uint8)[self.starts]
        empty = first <= ord(" ")  # the first byte of an empty line is its line feed
        for i in np.flatnonzero(empty).tolist():
            empty[i] = not self.buffer[self.starts[i] : self.ends[i]].strip()
        return empty

    def take(self, rows: Sequence[int]) -> Text:
        """Return a text of some segments, in the order of `rows`."""
        segments = [self.buffer[self.starts[row] : self.ends[row]] for row in rows]
        ends = np.cumsum([len(segment) + 1 for segment in segments], dtype=np.int64) - 1
        starts = ends - (self.ends[rows] - self.starts[rows])
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        buffer = b"".join([segment + b"\n" for segment in segments])
        return Text(buffer, starts, ends, columns=columns)

    @cached_property
    def digest(self) -> TextDigest:
        """Digest of the text, in which the id of a segment is its number, counted from 0."""
        return self.part_digest(np.arange(len(self)))

    def part_digest(self, ids: NDArray[np.int64]) -> TextDigest:
        """Return the digest of a part of a text, whose segments have these ids in the whole."""
        low, high = mteval_kernels.text_digest(self.buffer, self.starts, self.ends, ids).tolist()
        return TextDigest(len(self), low, high)


def concatenate(texts: Sequence[Text]) -> Text:
    """Join the parts of a text."""
    if len(texts) == 1:
        return texts[0]
    shifts = np.cumsum([0, *(len(text.buffer) for text in texts)])
    pairs = [*zip(texts, shifts[:-1], strict=True)]
    return Text(
        b"".join([text.buffer for text in texts]),
        np.concatenate([text.starts + shift for text, shift in pairs]),
        np.concatenate([text.ends + shift for text, shift in pairs]),
        texts[0].path,
    )


def block_of(text: Text, start: int, stop: int) -> Text:
    """Return the segments from `start` to `stop`, with the path of the text."""
    return replace(text[start:stop], path=text.path)


def as_columns(columns: Mapping[str, Sequence[Any] | Text], n: int, what: str) -> dict[str, Text]:
    """Make texts of columns: a string as it is, another value as JSON writes it.

    Raises
    ------
    InputError
        If a column has not one value of JSON for each of n segments.
    """
    texts: dict[str, Text] = {}
    for name, values in columns.items():
        where = f"{what}: the column {name!r}"
        if not isinstance(values, Text) and is_sequence(values):
            values = [as_json(value, f"{where}, segment {i}") for i, value in enumerate(values)]
        texts[name] = Text.of(values, where)
        if len(texts[name]) != n:
            raise InputError(f"{where} has {len(texts[name])} values for {n} segments")
    return texts


def as_json(value: Any, where: str) -> str | None:
    """Write a value as JSON; a string stays as it is, and None stands for a missing value."""
    from json import dumps

    if isinstance(value, str | None):
        return value
    try:
        return dumps(value, ensure_ascii=False, allow_nan=False, default=lambda it: it.tolist())
    except (TypeError, ValueError, AttributeError, RecursionError):
        expected = "expected a string, a finite number, or a list or object of them"
        raise InputError(f"{where}: {value!r:.60} cannot be written as JSON; {expected}") from None


def without_empty(text: Text) -> Text:
    """Return a text whose empty segments are missing."""
    empty = text.empty
    segments = [None if gone else text[i] for i, gone in enumerate(empty.tolist())]
    return replace(Text.of(segments), path=text.path) if empty.any() else text


class TestSet(Hashed, Frozen, eq=False):
    """The references of a test set, and its documents, source and ids if they are known.

    Parameters
    ----------
    references : tuple of Text
        One text per reference stream, each with the same number of segments. Without any, only
        metrics that need no references can be computed.
    documents : tuple of str or None
        Document id of each segment.
    documents_path : str or None
        The file that the document ids were read from.
    source : Text or None
        The text that was translated.
    ids : tuple of str or None
        Id of each segment.
    size : int or None
        Number of segments; only needed without references and without source.
    domains : tuple of str or None
        Domain of each segment.
    columns : mapping of str to Text
        What else is known of each segment, by name, such as annotations; see `Text`.

    Raises
    ------
    InputError
        If there is no segment, the streams differ in length, a segment lacks every reference,
        there is not one source segment, document id, domain, id and value of a column per segment,
        an id is empty or given twice, or an id cannot be shown; or if a reference stream or the
        source has columns of its own.
    """

    __test__ = False  # keeps pytest from collecting the class because of its name

    references: tuple[Text, ...]
    documents: tuple[str, ...] | None = None
    documents_path: str | None = None
    source: Text | None = None
    ids: tuple[str, ...] | None = None
    size: int | None = None
    domains: tuple[str, ...] | None = None
    columns: Mapping[str, Text] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check_lengths()
        missing = [stream.missing for stream in self.references]
        absent = np.flatnonzero(np.all(missing, axis=0)) if missing else np.empty(0, np.int64)
        if len(absent):
            raise InputError(f"segment {absent[0]} has no reference: expected at least one")
        for what, items, path in (
            ("document ids", self.documents, self.documents_path),
            ("domains", self.domains, None),
            ("source segments", self.source, self.source.path if self.source else None),
            ("segment ids", self.ids, None),
        ):
            if items is not None and len(items) != len(self):
                where = f"{path}: " if path else ""
                raise InputError(
                    f"{where}{len(items)} {what} for {len(self)} segments; expected one each"
                )
        for what, names in (("document", self.documents), ("domain", self.domains)):
            for name in dict.fromkeys(names or ()):
                check_name(name, what, InputError)
        self._check_ids()
        columns = as_columns(self.columns, len(self), "the test set")
        object.__setattr__(self, "columns", columns)
        if any(text.columns for text in (*self.references, *filter(None, [self.source]))):
            raise InputError("a reference or the source has columns; expected them in the test set")

    def _check_ids(self) -> None:
        """Raise an `InputError` if there are ids that do not name every segment."""
        first: dict[str, int] = {}
        for i, name in enumerate(self.ids or ()):
            if not check_name(name, "segment id", InputError):
                raise InputError(f"segment {i} has an empty id; expected a name of its own")
            if first.setdefault(name, i) != i:
                raise InputError(f"segments {first[name]} and {i} share the id {name!r}")

    def _check_lengths(self) -> None:
        """Raise an `InputError` if the streams differ in length or are empty."""
        lengths = {len(stream) for stream in self.references}
        if not lengths and self.source is None and self.size is None:
            raise InputError("no references: expected at least one reference stream, or a source")
        if len(lengths) > 1:
            named = ((text.path or f"stream {k}", text) for k, text in enumerate(self.references))
            listed = ", ".join(f"{name} has {len(text)}" for name, text in named)
            raise InputError(
                f"the references are of uneven length: {listed} segments; "
                f"expected the same number in each"
            )
        if not len(self):
            raise InputError("the test set is empty: expected at least one segment")

    @classmethod
    def of(
        cls,
        references: Sequence[Sequence[str | None]] | TestSet,
        documents: Sequence[str] | None = None,
        *,
        source: Sequence[str] | Text | None = None,
        columns: Mapping[str, Sequence[Any] | Text] | None = None,
        n_hypotheses: int | None = None,
    ) -> TestSet:
        """Make a test set of reference streams; a `TestSet` keeps its references.

        Parameters
        ----------
        references : sequence of sequence of str or None, or TestSet
            One sequence per reference stream.
        documents : sequence of str, optional
            Document id of each segment.
        source : sequence of str, optional
            Source of each segment.
        columns : mapping of str to sequence, optional
            A value per segment, by name of the column, as for `Text.of`.
        n_hypotheses : int, optional
            Number of hypotheses, by which transposed references are recognized.

        Raises
        ------
        InputError
            If the references are not streams of segments, or look transposed.

        Examples
        --------
        >>> TestSet.of([["a b", "c"], ["a", None]]).n_references is None
        True
        """
        if documents is not None and not is_sequence(documents):
            raise InputError(f"the documents: expected one id per segment, got {kind(documents)}")
        ids = None if documents is None else tuple(documents)
        text = None if source is None else Text.of(source, "the source")
        if isinstance(references, TestSet):
            given = {"documents": ids, "source": text, "columns": columns}
            more: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
            return replace(references, **more) if more else references
        if not is_sequence(references):
            raise InputError(f"the references: expected a list of streams, got {kind(references)}")
        streams = [Text.of(stream, f"reference stream {k}") for k, stream in enumerate(references)]
        lengths = {len(stream) for stream in streams}
        if streams and n_hypotheses == len(streams) and n_hypotheses not in lengths:
            raise InputError(
                f"there are {n_hypotheses} hypotheses and {len(streams)} reference streams of "
                f"{' or '.join(map(str, sorted(lengths)))} segments: are they transposed? Expected "
                f"one list per reference stream, references[k][segment]"
            )
        own: Any = columns or {}
        return cls(tuple(streams), ids, source=text, size=n_hypotheses, columns=own)

    def __len__(self) -> int:
        texts = [*self.references, *([] if self.source is None else [self.source])]
        return len(texts[0]) if texts else self.size or 0

    def check(self, hypotheses: Text, name: str) -> None:
        """Raise an `InputError` if there is not one hypothesis per segment."""
        if len(hypotheses) != len(self):
            other = next(iter(self.references), self.source)
            where = (other and other.path) or ("the reference" if self.references else "the source")
            raise InputError(
                f"{hypotheses.path or name}: {len(hypotheses)} segments, but {where} has "
                f"{len(self)}; expected one hypothesis per segment"
            )
        absent = np.flatnonzero(hypotheses.missing)
        if len(absent):
            raise InputError(f"{name}: segment {absent[0]} is missing; expected a string, even ''")

    def take(self, rows: Sequence[int]) -> TestSet:
        """Return the test set of some segments, in the order of `rows`."""

        def chosen(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return names and tuple(names[i] for i in rows)

        return replace(
            self,
            references=tuple(stream.take(rows) for stream in self.references),
            source=self.source and self.source.take(rows),
            documents=chosen(self.documents),
            domains=chosen(self.domains),
            ids=chosen(self.ids),
            size=len(rows),
            columns={name: column.take(rows) for name, column in self.columns.items()},
        )

    def segment(self, i: int) -> TestSet:
        """Return the references, source and columns of a segment, a document of its own."""
        one = self.take([i])
        there = tuple(stream for stream in one.references if not stream.missing[0])
        return replace(one, references=there, documents=("1",), domains=None, ids=None)

    @cached_property
    def n_references(self) -> int | None:
        """Number of references per segment; None if it varies."""
        if not self.references:
            return 0
        counts = np.sum([~stream.missing for stream in self.references], axis=0)
        return int(counts[0]) if (counts == counts[0]).all() else None

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Places of the segments of each document; a single segment is a document.

        Raises
        ------
        InputError
            If the documents are not known.
        """
        if self.documents is None and len(self) > 1:
            raise InputError("the documents are not known: pass the document id of each segment")
        places: dict[str, list[int]] = {}
        for place, name in enumerate(self.documents or ("0",)):
            places.setdefault(name, []).append(place)
        return places

    @cached_property
    def documents_text(self) -> Text | None:
        """The document ids as a text; None if they are not known."""
        if self.documents is None:
            return None
        return replace(Text.of(self.documents), path=self.documents_path)

    def signed_columns(self, names: Iterable[str]) -> tuple[str, ...]:
        """Write columns with their hashes as signatures do; those of systems have none."""
        own = {name: reference_hash([column.digest]) for name, column in self.columns.items()}
        return tuple(f"{name}@{own[name]}" if name in own else name for name in names)


def texts_of(hypotheses: Any, references: Any, source: Any) -> tuple[Text, TestSet]:
    """Make texts of what is scored: of hypotheses, and of a test set with as many segments."""
    text = Text.of(hypotheses, "the hypotheses")
    return text, TestSet.of(references, source=source, n_hypotheses=len(text))


def is_missing(cell: object) -> bool:
    """Whether a cell of a data frame says that there is no value: NaN, and pandas' NA."""
    return not isinstance(cell, str) and str(cell) in ("nan", "<NA>")


class DataFrame(Protocol):
    """A table of pandas, polars or the like."""

    @property
    def columns(self) -> Iterable[Any]:
        """Names of the columns."""
        ...

    def __getitem__(self, name: Any, /) -> Any:
        """Return a column."""
        ...


def columns_of(table: Any) -> Any:
    """Return the columns of a data frame by name, and anything else as it is."""
    is_frame = hasattr(table, "columns") and hasattr(table, "__getitem__")
    return {name: table[name] for name in table.columns} if is_frame else table


def is_sequence(thing: object) -> bool:
    """Whether a thing can be iterated over in an order of its own, and is not one string."""
    if isinstance(thing, (list, tuple)):  # the abstract classes take several times as long
        return True
    unordered = isinstance(thing, (str, bytes, Set, Mapping)) and not isinstance(thing, KeysView)
    return isinstance(thing, Iterable) and not unordered


def kind(thing: object) -> str:
    """Type of something unexpected, for an error message."""
    return "a string" if isinstance(thing, str) else type(thing).__name__
