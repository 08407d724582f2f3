"""Partial results as Arrow record batches, and as files that other machines can read.

A record batch is one partial result. Its columns are always the same, and none has nulls:

=========== ============= ==========================================================
column      type          meaning
=========== ============= ==========================================================
``plan``    string        id of the plan, the same in every row
``shard``   string        name of the shard, the same in every row; may be empty
``what``    string        what the row holds, see below
``key``     list<string>  what it belongs to
``numbers`` list<int64>   counts
``sums``    list<binary>  whole numbers: two's complement, little-endian
``values``  large_binary  an array: float64 or int64, little-endian, in C order
=========== ============= ==========================================================

These are the rows:

==================== ============ ===================== ===================== =============
what                 key          numbers               sums                  values
==================== ============ ===================== ===================== =============
``segments``                      segments, last id,    sum of the ids        int64 ids, if
                                  fewest and most                             rows are kept
                                  references
``text``             role, name   segments, and those                         digest, and that
                                  of the whole text                           of the whole text
``total``            run, metric  segments              of each column, in    row that all
                                                        units of 2^-1074      have, if any
``resamples``        run, metric  resamples, columns,                         coarse sums,
                                  columns that are cut                        then fine ones
``documents``        names        first id of each,
                                  segments of each
``document totals``  run, metric                        as totals, document
                                                        by document
``rows``             run, metric  segments, columns                           rows
``sha256``                                                                    of all of this
==================== ============ ===================== ===================== =============

The digest of a text has two unsigned numbers of 64 bits. The whole text is known if the segments
were cut from it. A partial result without segments has only the first row and the last.

Files come from other machines and other people. They are read without pickle, and bytes that are
damaged, or made to do harm, are an `InputError`. Numbers of segments, ids, sizes and digests must
fit each other and the other parts; sums of documents and rows of segments must add up to the sums
of the part; and no sum of a metric that counts may be below 0. Whoever writes other sums that keep
to all this, with their SHA-256, is believed: only the texts tell whether sums are right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from mteval_core import InputError, Partial, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import TextDigest

    Key = tuple[str, ...]

__all__ = ["CutPartial", "Row", "digest_of", "pyarrow", "schema", "to_arrow", "to_bytes"]


def pyarrow() -> Any:
    """Import pyarrow.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    try:
        import pyarrow as module  # pyright: ignore[reportMissingImports] - optional
    except ImportError:
        raise UsageError("this needs pyarrow: pip install 'mteval-scale[arrow]'") from None
    return module


@cache
def schema() -> Any:
    """Return the columns of a partial result, a ``pyarrow.Schema``."""
    pa = pyarrow()
    columns = {
        "plan": pa.string(),
        "shard": pa.string(),
        "what": pa.string(),
        "key": pa.list_(pa.string()),
        "numbers": pa.list_(pa.int64()),
        "sums": pa.list_(pa.binary()),
        "values": pa.large_binary(),
    }
    return pa.schema(list(columns.items()))


class Row(NamedTuple):
    """A row of a partial result; see the docstring of the module."""

    what: str
    key: Key = ()
    numbers: Sequence[int] = ()
    sums: Sequence[int] = ()
    values: bytes = b""

    def expect(self, numbers: int | None = None, sums: int | None = None) -> None:
        """Raise an `InputError` if there are not as many numbers and sums."""
        seen = len(self.numbers), len(self.sums)
        expected = seen[0] if numbers is None else numbers, seen[1] if sums is None else sums
        if seen != expected:
            self.refuse(
                f"{seen[0]} numbers and {seen[1]} sums; expected {expected[0]} and {expected[1]}"
            )

    def array(self, *shape: int) -> NDArray[np.float64]:
        """Return the values; raise an `InputError` if they are not finite or of another shape."""
        values = self.of_type("<f8")
        size = 1
        for length in shape:
            size *= length
        if min(shape) < 0 or size != len(values) or not np.isfinite(values).all():
            self.refuse(f"{len(values)} values; expected {size} finite ones")
        return values.astype(np.float64).reshape(shape)

    def of_type(self, dtype: str) -> NDArray[Any]:
        """Return the values of a type of eight bytes."""
        if len(self.values) % 8:
            self.refuse(f"{len(self.values)} bytes; expected values of eight bytes")
        return np.frombuffer(self.values, dtype)

    def refuse(self, seen: str) -> NoReturn:
        """Raise an `InputError` that says which row is wrong."""
        name = " ".join([self.what, *self.key[:2]])[:200]
        raise InputError(f"not a partial result, or a damaged one: {name}: {seen}")


@dataclass(eq=False)
class CutPartial(Partial):
    """A partial result of segments that were cut from whole texts.

    Parameters
    ----------
    whole_digests : mapping of (str, str) to TextDigest
        Digests of these texts by role and name; empty if they are not known.
    """

    whole_digests: Mapping[tuple[str, str], TextDigest] = field(default_factory=dict)


def to_arrow(partial: Partial, plan: str, shard: str = "") -> Any:
    """Write a partial result as a ``pyarrow.RecordBatch``.

    Parameters
    ----------
    partial : Partial
        The partial result.
    plan : str
        Id of the plan.
    shard : str
        Name of the part of the test set.

    Returns
    -------
    pyarrow.RecordBatch
        A batch with the columns of `schema`.
    """
    found = [*rows_of(partial)]
    rows = [
        {
            "plan": plan,
            "shard": shard,
            **row._asdict(),
            "sums": [signed_bytes(number) for number in row.sums],
        }
        for row in [*found, Row("sha256", values=digest_of(found, plan, shard))]
    ]
    return pyarrow().RecordBatch.from_pylist(rows, schema=schema())


def digest_of(rows: Iterable[Row], plan: str, shard: str) -> bytes:
    """Return the SHA-256 of the rows of a part of a plan."""
    digest = sha256(repr((plan, shard)).encode())
    for what, key, numbers, sums, values in rows:
        digest.update(repr((what, key, [*numbers], [*sums], len(values))).encode())
        digest.update(values)
    return digest.digest()


def signed_bytes(number: int) -> bytes:
    """Write a whole number as two's complement, in as few bytes as it needs."""
    return number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)


def rows_of(partial: Partial) -> Iterator[Row]:
    """Yield the rows of a partial result."""
    counts = [partial.n_segments, partial.last, partial.least, partial.most]
    yield Row("segments", (), counts, [partial.id_sum], values=array_bytes("<i8", *partial.ids))
    wholes = partial.whole_digests if isinstance(partial, CutPartial) else {}
    for key, digest in partial.digests.items():
        both = [digest, wholes[key]] if key in wholes else [digest]
        sizes = [each.n_segments for each in both]
        yield Row("text", key, sizes, values=b"".join(map(bytes, both)))
    for key, (total, row, resampled) in partial.counted.items():
        alike = b"" if row is None else array_bytes("<f8", row)
        yield Row("total", key, [total.n], total.units, values=alike)
        if resampled is not None:
            coarse, fine, cut = resampled
            numbers = [*coarse.shape, *cut.tolist()]
            yield Row("resamples", key, numbers, values=array_bytes("<f8", coarse, fine))
    documents = partial.documents.values()
    if documents:
        numbers = [each.first for each in documents] + [each.n_segments for each in documents]
        yield Row("documents", tuple(partial.documents), numbers)
        for key in partial.counted:
            sums = [units for each in documents for units in each.totals[key].units]
            yield Row("document totals", key, sums=sums)
    for key in partial.rows:
        rows = partial.all_rows(key)
        yield Row("rows", key, rows.shape, values=array_bytes("<f8", rows))


def array_bytes(dtype: str, *arrays: NDArray[Any]) -> bytes:
    """Return the numbers of arrays, one array after the other."""
    return b"".join(each.astype(dtype).tobytes() for each in arrays)


def to_bytes(partial: Partial, plan: str, shard: str = "") -> bytes:
    """Write a partial result as a file: an Arrow stream of one record batch; see `to_arrow`."""
    sink = pyarrow().BufferOutputStream()
    with pyarrow().ipc.new_stream(sink, schema()) as writer:
        writer.write_batch(to_arrow(partial, plan, shard))
    data: bytes = sink.getvalue().to_pybytes()
    return data
