"""Read partial results from other machines, and check everything in them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import Counted, Document, ExactSum, InputError, TextDigest, WeightedSum, check_name
from mteval_scale.arrow import CutPartial, Row, digest_of, pyarrow, schema

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from numpy.typing import NDArray

    from mteval_core import Partial
    from mteval_scale.plan import Plan

    Key = tuple[str, ...]

__all__ = ["check_counts", "from_arrow", "from_bytes"]

MOST_BYTES = 150
"""Length of the longest sum: 2^53 rows of 2^53 have 1180 bits."""

DOCUMENTS = ("doc", "")
"""Key of the text of the document ids."""


def from_bytes(data: bytes, plan: Plan) -> tuple[str, CutPartial]:
    """Read the file of a partial result; see `from_arrow`.

    Raises
    ------
    InputError
        If it is damaged, or belongs to another plan.
    """
    pa = pyarrow()
    try:
        batch = only_batch(data)
    except InputError:
        raise
    except (pa.ArrowException, OSError, EOFError, ValueError, struct.error) as error:
        raise InputError(f"not a partial result, or a damaged one: {str(error)[:200]!r}") from None
    return from_arrow(batch, plan)


def only_batch(data: bytes) -> Any:
    """Read the record batch of a file."""
    ipc = pyarrow().ipc
    stream = pyarrow().BufferReader(data)
    messages = list(ipc.MessageReader.open_stream(stream))
    if stream.tell() < len(data):
        raise InputError(f"{len(data) - stream.tell()} bytes behind the end of a partial result")
    kinds = [message.type for message in messages]
    if kinds != ["schema", "record batch"]:  # pyarrow reads any message as a schema, and crashes
        raise InputError(
            f"{', '.join(kinds)[:100] or 'nothing'}; expected one schema and one record batch"
        )
    columns, body = messages
    check_columns(ipc.read_schema(columns))
    if is_compressed(body.metadata.to_pybytes()):
        raise InputError(
            "a compressed partial result, which may be of any size; expected no compression"
        )
    return ipc.read_record_batch(body, schema())


def check_columns(found: Any) -> None:
    """Raise an `InputError` if a schema is not that of partial results."""
    if not found.equals(schema()):
        raise InputError(
            f"the columns {', '.join(found.names)[:200]}; expected those of a partial result of "
            f"mteval: {', '.join(schema().names)}"
        )


def is_compressed(metadata: bytes) -> bool:
    """Whether the buffers of a record batch are compressed.

    The field 2 of a ``Message`` is the ``RecordBatch``, whose field 3 says how it is compressed.
    Raises a ``struct.error`` if a position is outside.
    """

    def number(type_: str, place: int) -> int:
        (value,) = struct.unpack(type_, metadata[place : place + struct.calcsize(type_)])
        return int(value)

    def field(table: int, k: int) -> int:
        """Return where a field is, relative to its table; 0 if it is missing."""
        fields = table - number("<i", table)
        place = 4 + 2 * k
        return number("<H", fields + place) if place < number("<H", fields) else 0

    message = number("<I", 0)
    place = message + field(message, 2)
    return field(place + number("<I", place), 3) != 0


def from_arrow(batch: Any, plan: Plan) -> tuple[str, CutPartial]:
    """Read a partial result, and check that it is one of a plan.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        What `to_arrow` returns.
    plan : Plan
        The plan.

    Returns
    -------
    shard : str
        Name of the part of the test set.
    partial : CutPartial

    Raises
    ------
    InputError
        If it is damaged, or belongs to another plan.
    """
    shard, found = checked_rows(batch, plan)
    rows = Rows(found)
    counts = rows.take("segments")
    counts.expect(4, 1)
    n, last, least, most = counts.numbers
    partial = CutPartial(n, last, counts.sums[0], least=least, most=most)
    if n and not (n > 0 and last >= 0 and 0 <= least <= most <= len(plan.references)):
        counts.refuse(f"the counts {n}, {last}, {least} and {most}")
    # Of n different ids up to the last one, the others are at least 0, 1, 2 ...
    smallest, largest = last + (n - 1) * (n - 2) // 2, n * last - n * (n - 1) // 2
    if n and not smallest <= partial.id_sum <= largest:
        counts.refuse(f"{n} different ids up to {last} cannot have this sum")
    if n:
        Reader(plan, rows, partial).read(counts)
    digest = rows.take("sha256")
    rows.refuse_rest()
    if digest.values != digest_of((row for row in found if row is not digest), plan.id, shard):
        digest.refuse("another one than that of the other rows, so that bytes have changed")
    return shard, partial


def checked_rows(batch: Any, plan: Plan) -> tuple[str, list[Row]]:
    """Return the name of the shard and all rows; raise an `InputError` if they are not valid.

    Offsets of a damaged batch may point anywhere, so it is validated before anything is read.
    """
    pa = pyarrow()
    check_columns(batch.schema)
    try:
        batch.validate(full=True)
        rows: list[dict[str, Any]] = batch.to_pylist()
    except (pa.ArrowException, ValueError) as error:
        raise InputError(f"not a partial result: {str(error)[:200]!r}") from None
    for name in ("plan", "shard"):
        if len({row[name] for row in rows}) != 1 or rows[0][name] is None:
            raise InputError(f"not a partial result: expected the same {name} in every row")
    if rows[0]["plan"] != plan.id:
        raise InputError(
            f"a part of the plan {rows[0]['plan']!r}; expected one of the plan {plan.id}"
        )
    return rows[0]["shard"], [checked_row(row) for row in rows]


def checked_row(row: dict[str, Any]) -> Row:
    """Return a row without nulls and without sums that are too long."""
    what, key, numbers, sums, values = (row[name] for name in Row._fields)
    if any(each is None for each in (what, key, numbers, sums, values)) or None in (
        *key,
        *numbers,
        *sums,
    ):
        raise InputError("not a partial result: a null; expected none")
    if any(len(each) > MOST_BYTES for each in sums):
        raise InputError(f"not a partial result: a sum of more than {MOST_BYTES} bytes")
    whole = [int.from_bytes(each, "little", signed=True) for each in sums]
    return Row(what, tuple(key), numbers, whole, values=values)


def check_counts(partial: Partial, counting: Container[str]) -> None:
    """Raise an `InputError` if metrics that count have a sum below 0.

    Parameters
    ----------
    partial : Partial
        The partial result.
    counting : container of str
        The specs of these metrics.
    """
    totals = [(key, counted.total) for key, counted in partial.counted.items()]
    totals += [item for document in partial.documents.values() for item in document.totals.items()]
    least: list[tuple[Key, float]] = [(key, min(one.units, default=0)) for key, one in totals]
    least += [(key, each.min(initial=0)) for key, rows in partial.rows.items() for each in rows]
    for (run, metric), number in least:
        if number < 0 and metric in counting:
            Row("sums", (run, metric)).refuse("a number below 0, and the metric counts")


class Rows:
    """The rows of a partial result, each of which is taken once."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[tuple[str, Key], Row] = {}
        for row in rows:
            # The key of this row is data.
            name = row.what, () if row.what == "documents" else row.key
            if self._rows.setdefault(name, row) is not row:
                row.refuse("twice; expected once")

    def get(self, what: str, key: Key = ()) -> Row | None:
        """Take a row, if it is there."""
        return self._rows.pop((what, key), None)

    def take(self, what: str, key: Key = ()) -> Row:
        """Take a row; raise an `InputError` if it is missing."""
        return self.get(what, key) or Row(what, key).refuse("missing")

    def refuse_rest(self) -> None:
        """Raise an `InputError` if a row was not taken."""
        for row in self._rows.values():
            row.refuse("not expected here")


class Reader(NamedTuple):
    """Reads the rows of a partial result with segments."""

    plan: Plan
    rows: Rows
    partial: CutPartial

    def read(self, counts: Row) -> None:
        """Read everything; `counts` is the first row."""
        self.read_texts()
        keeps_rows = self.plan.level == "segment"
        ids = counts.of_type("<i8").astype(np.int64)
        if len(ids) != (self.partial.n_segments if keeps_rows else 0):
            counts.refuse(f"{len(ids)} ids")
        self.partial.ids = [ids]
        for key in [(run, metric) for run in self.plan.runs for metric in self.plan.metrics]:
            total = self.rows.get("total", key) if keeps_rows else self.rows.take("total", key)
            if total:
                self.partial.counted[key] = self.counted(total, key)
            if keeps_rows:
                row = self.rows.take("rows", key)
                self.partial.rows[key] = [self.kept(row)]
                if total and ExactSum.of(self.partial.all_rows(key)).units != tuple(total.sums):
                    row.refuse("the rows of the segments do not add up to the total")
        if self.plan.level == "doc":
            self.read_documents()

    def kept(self, row: Row) -> NDArray[np.float64]:
        """Read the rows of all segments."""
        row.expect(2, 0)
        if row.numbers[0] != self.partial.n_segments:
            row.refuse(f"of {row.numbers} segments and columns")
        return row.array(*row.numbers)

    def read_texts(self) -> None:
        """Read the digests of all texts."""
        keys = [("hyp", run) for run in self.plan.runs]
        keys += [("ref", str(k)) for k in range(len(self.plan.references))]
        keys += [("src", "")] * self.plan.source + [DOCUMENTS]
        wholes: dict[tuple[str, str], TextDigest] = {}
        for key in keys:
            is_optional = key == DOCUMENTS and self.plan.level != "doc"
            row = self.rows.get("text", key) if is_optional else self.rows.take("text", key)
            if row is None:
                continue
            n, *of_whole = row.numbers or [-1]
            is_valid = n == self.partial.n_segments and all(size >= n for size in of_whole)
            if not is_valid or len(of_whole) > 1 or len(row.values) != 16 * len(row.numbers):
                row.refuse(f"of {list(row.numbers)[:9]} segments, with {len(row.values)} bytes")
            halves = struct.unpack(f"<{2 * len(row.numbers)}Q", row.values)
            self.partial.digests[key] = TextDigest(n, *halves[:2])
            for size in of_whole:
                wholes[key] = TextDigest(size, *halves[2:])
        self.partial.whole_digests = wholes

    def counted(self, total: Row, key: tuple[str, str]) -> Counted:
        """Read a total and its resamples."""
        width = len(total.sums)
        if total.numbers != [self.partial.n_segments]:
            total.refuse(f"of {total.numbers} segments; expected {self.partial.n_segments}")
        row = total.array(width) if total.values or not width else None
        resampled = None
        if self.plan.resamples:
            resampled = self.resampled(self.rows.take("resamples", key), width)
        return Counted(ExactSum(total.sums, self.partial.n_segments), row, resampled)

    def resampled(self, row: Row, width: int) -> WeightedSum:
        """Read sums of resamples."""
        n, cut = self.plan.resamples, list(row.numbers[2:])
        is_set = cut == sorted({*cut}) and {*cut} <= {*range(width)}
        if list(row.numbers[:2]) != [n, width] or not is_set:
            expected = f"expected {n} resamples and {width} columns"
            row.refuse(f"the numbers {list(row.numbers[:9])}; {expected}")
        both = row.array(n * (width + len(cut)))
        coarse, fine = both[: n * width], both[n * width :]
        return WeightedSum(
            coarse.reshape(n, width), fine.reshape(n, len(cut)), np.array(cut, np.int64)
        )

    def read_documents(self) -> None:
        """Read the totals of all documents."""
        row = self.rows.take("documents")
        names, n = row.key, len(row.key)
        row.expect(2 * n, 0)
        firsts, sizes = row.numbers[:n], row.numbers[n:]
        is_valid = n == len({*names}) and min(firsts, default=-1) >= 0 and min(sizes, default=0) > 0
        if not is_valid or sum(sizes) != self.partial.n_segments:
            row.refuse(f"{sum(sizes)} segments; expected {self.partial.n_segments}")
        totals = {key: self.totals_of_documents(key, sizes) for key in self.partial.counted}
        for key, sums in totals.items():
            added = zip(*(one.units for one in sums), strict=True)
            if tuple(map(sum, added)) != self.partial.counted[key].total.units:
                Row("document totals", key).refuse("they do not add up to the total")
        for i, name in enumerate(names):
            check_name(name, "document", InputError)
            own = {key: sums[i] for key, sums in totals.items()}
            self.partial.documents[name] = Document(firsts[i], sizes[i], own)

    def totals_of_documents(self, key: tuple[str, str], sizes: Sequence[int]) -> list[ExactSum]:
        """Read the totals of a run under a metric."""
        row = self.rows.take("document totals", key)
        width = len(self.partial.counted[key].total.units)
        row.expect(0, width * len(sizes))
        return [
            ExactSum(row.sums[i * width : (i + 1) * width], size) for i, size in enumerate(sizes)
        ]
