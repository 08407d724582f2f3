"""Shards of a test set: their segments, and the files of their partial results."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import InputError, MtevalError, Partial, Source, TextDigest, open_binary
from mteval_scale.plan import Plan
from mteval_scale.received import check_counts, from_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from mteval_core import InMemory, LineFiles, Part, Scorer
    from mteval_scale.arrow import CutPartial

    Key = tuple[str, str]


__all__ = ["Segments", "Shard", "merge_files", "merge_some", "read_partial", "read_plan"]

BLOCK = 1 << 15
"""Number of segments that are counted at once."""

ALL = range(2**62)
"""Places of the segments of any source."""


class Shard(NamedTuple):
    """A part of a test set: one of several, or several in a row, counted from 1.

    Parameters
    ----------
    number : int
        Which one, or the first of those in a row.
    n_shards : int
        How many there are.
    length : int
        How many in a row.

    Examples
    --------
    >>> shard = Shard.parse("2/3")
    >>> str(shard), shard.of(100)
    ('2/3', range(33, 66))
    >>> Shard.parse("2-3/3").of(100)
    range(33, 100)
    """

    number: int
    n_shards: int
    length: int = 1

    @property
    def last(self) -> int:
        """The last of those in a row."""
        return self.number + self.length - 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``K/N`` or ``K-L/N``.

        Raises
        ------
        InputError
            If it is something else.
        """
        places, _, count = text.partition("/")
        first, dash, last = places.partition("-")
        words = (first, last or first, count)
        if bool(dash) == bool(last) and all(
            word.isascii() and word.isdigit() and len(word) < 7 for word in words
        ):
            number, end, n_shards = map(int, words)
            if 1 <= number <= end <= n_shards and (number < end) == bool(dash):
                return cls(number, n_shards, end - number + 1)
        raise InputError(
            f"expected K/N for the shard K of N, counted from 1, or K-L/N, got {text[:40]!r}"
        )

    def __str__(self) -> str:
        places = f"{self.number}-{self.last}" if self.length > 1 else f"{self.number}"
        return f"{places}/{self.n_shards}"

    def of(self, n: int) -> range:
        """Return the segments of the shard among n segments."""
        return range(n * (self.number - 1) // self.n_shards, n * self.last // self.n_shards)


class Segments(Source):
    """Some segments of a source, with their ids in the whole test set.

    Parameters
    ----------
    source : LineFiles or InMemory
        The source.
    places : range, optional
        Places of the segments in the source. Default: all.
    first : int
        Id of the first segment of the source; the others count up from it.
    ids : ndarray of int64, shape (n,), optional
        Ids of all segments of the source, if they do not count up.
    has_all : bool
        Whether the source has all segments of the test set.
    """

    def __init__(
        self,
        source: LineFiles | InMemory,
        places: range = ALL,
        *,
        first: int = 0,
        ids: NDArray[np.int64] | None = None,
        has_all: bool = True,
    ) -> None:
        super().__init__(source.runs)
        self.source: LineFiles | InMemory = source
        self.places: range = places
        self.first: int = first
        self.ids: NDArray[np.int64] | None = ids
        self.has_all: bool = has_all
        self.whole_digests: dict[Key, TextDigest] = {}

    def parts(self) -> Iterator[Part]:
        """Yield the segments, a block at a time; afterwards, `whole_digests` are known."""
        n_read = 0
        self.whole_digests = {}
        for part in self.source.parts():
            n = len(part.test_set)
            own = np.arange(n_read, n_read + n)
            for key, text in part.texts().items() if self.places is not ALL else ():
                digest = self.whole_digests.get(key, TextDigest())
                self.whole_digests[key] = digest + text.part_digest(own)
            numbered = part._replace(ids=self.first + own if self.ids is None else self.ids[own])
            stop = min(self.places.stop - n_read, n)
            for start in range(max(self.places.start - n_read, 0), stop, BLOCK):
                yield numbered.slice(start, min(start + BLOCK, stop))
            n_read += n

    def references(self) -> Source | None:
        """Return all segments, or nothing if there are more elsewhere."""
        if not self.has_all:
            return None
        return self.source.references() or Segments(self.source)


def read_plan(path: str) -> Plan:
    """Read a plan from a file.

    Raises
    ------
    InputError
        If there is none.
    """
    data = content(path)
    try:
        return Plan.from_json(data.decode())
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def content(path: str) -> bytes:
    """Read a file; raise an `InputError` if that is not possible."""
    with open_binary(path) as stream:
        return stream.read()


def read_partial(path: str, plan: Plan) -> tuple[Shard, CutPartial]:
    """Read the partial result of a shard.

    Raises
    ------
    InputError
        If it is damaged, or of another plan. The message names the file.
    """
    data = content(path)
    try:
        name, partial = from_bytes(data, plan)
        return Shard.parse(name), partial
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def merge_files(
    paths: Iterable[str], plan: Plan, scorers: Iterable[Scorer] | None = None
) -> Partial:
    """Merge the partial results of all shards.

    Parameters
    ----------
    paths : iterable of str
        The files.
    plan : Plan
        Their plan.
    scorers : iterable of Scorer, optional
        The metrics. Default: those of the plan.

    Raises
    ------
    InputError
        If a shard is missing or there twice, a file is damaged or of another plan, sums cannot be
        those of the metric, or the parts were cut from different texts.
    """
    seen, texts, whole = read_and_merge(paths, plan, scorers)
    (count,) = {shard.n_shards for shard in seen}
    check_in_a_row(seen, Shard(1, count, count))
    check_texts(whole, texts)
    return whole


def merge_some(
    paths: Iterable[str], plan: Plan, scorers: Iterable[Scorer] | None = None
) -> tuple[Shard, CutPartial]:
    """Merge the partial results of some shards in a row, so that others can follow later.

    Parameters
    ----------
    paths, plan, scorers
        As for `merge_files`.

    Returns
    -------
    (Shard, CutPartial)
        Which shards these are, and their result.

    Raises
    ------
    InputError
        As `merge_files`, where a shard is missing between the first and the last.
    """
    from mteval_scale.arrow import CutPartial

    seen, texts, whole = read_and_merge(paths, plan, scorers)
    first, last = min(shard.number for shard in seen), max(shard.last for shard in seen)
    (count,) = {shard.n_shards for shard in seen}
    merged = Shard(first, count, last - first + 1)
    check_in_a_row(seen, merged)
    for key, digests in texts.items():
        if len(digests) > 1:
            raise other_texts(key, digests.values())
    return merged, CutPartial(
        **{name: value for name, value in vars(whole).items() if name != "whole_digests"},
        whole_digests={key: digest for key, (digest,) in texts.items()},
    )


def read_and_merge(
    paths: Iterable[str], plan: Plan, scorers: Iterable[Scorer] | None
) -> tuple[dict[Shard, str], dict[Key, dict[TextDigest, str]], Partial]:
    """Merge files; return which shards they are, the texts they were cut from, and the result."""
    scorers = plan.scorers() if scorers is None else scorers
    counting = {str(scorer.spec) for scorer in scorers if scorer.declaration.counts}
    whole = Partial()
    seen: dict[Shard, str] = {}
    texts: dict[Key, dict[TextDigest, str]] = {}
    for path in paths:
        shard, partial = read_partial(path, plan)
        check_shard(shard, path, seen)
        seen[shard] = path
        for key, digest in partial.whole_digests.items():
            texts.setdefault(key, {}).setdefault(digest, path)
        try:
            check_counts(partial, counting)
            whole.merge(partial)
        except MtevalError as error:
            raise InputError(f"{path}: {error}") from None
    if not seen:
        raise InputError("no partial results; expected one file for each shard")
    return seen, texts, whole


def check_texts(whole: Partial, texts: Mapping[Key, Mapping[TextDigest, str]]) -> None:
    """Raise an `InputError` if the merged segments are not a text that parts were cut from.

    Parameters
    ----------
    whole : Partial
        The merged parts.
    texts : mapping of (str, str) to mapping of TextDigest to str
        Digests of whole texts by role and name, each with the file of a part.
    """
    for key, digests in texts.items():
        if whole.digests[key] not in digests:
            raise other_texts(key, digests.values())


def other_texts(key: Key, files: Iterable[str]) -> InputError:
    """Return the error of parts that were cut from different texts."""
    role, name = key
    kind = {"hyp": "output", "ref": "reference", "src": "source"}.get(role, "document ids")
    return InputError(
        f"the parts were counted from different texts: the {kind} {name} ({', '.join(files)}); "
        f"count all parts from the same files"
    )


def check_shard(shard: Shard, path: str, seen: Mapping[Shard, str]) -> None:
    """Raise an `InputError` if a shard comes twice, or belongs to another division."""
    for other, file in seen.items():
        if other.n_shards != shard.n_shards:
            raise InputError(
                f"{path} is the shard {shard}, but {file} is {other}; expected parts of one "
                f"division of the segments"
            )
        if shard.number <= other.last and other.number <= shard.last:
            which = f"as {file} is" if shard == other else f"and {file} is {other}"
            raise InputError(f"{path} is the shard {shard}, {which}: leave one of the two out")


def check_in_a_row(seen: Iterable[Shard], expected: Shard) -> None:
    """Raise an `InputError` if one of the expected shards is missing."""
    there = {k for shard in seen for k in range(shard.number, shard.last + 1)}
    missing = [k for k in range(expected.number, expected.last + 1) if k not in there]
    if missing:
        n = expected.n_shards
        named = ", ".join(f"{k}/{n}" for k in missing[:10])
        more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
        raise InputError(f"missing shards: {named}{more}; expected all of {expected}")
