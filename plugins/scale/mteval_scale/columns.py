"""Arrow record batches of segments.

The columns are named after what they hold:

============== =============== ============================================================
column         type            meaning
============== =============== ============================================================
``id``         int64           a whole number from 0 that no other segment has
``hyp:RUN``    string          hypotheses of a run; none may be missing
``ref:NAME``   string          a reference stream; a null is a missing reference
``src``        string          the source, if there is one
``doc``        string          document ids; needed only if documents are kept
============== =============== ============================================================
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import InputError, Part, TestSet, Text
from mteval_scale.arrow import pyarrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["column_names", "part_of"]

MISSING_SEGMENT = b"\xff"
"""A missing segment in the buffer of a `mteval_core.Text`."""


def column_names(
    runs: Iterable[str], references: Iterable[str], *, source: bool = False, documents: bool = False
) -> list[str]:
    """Name the columns of some texts.

    Examples
    --------
    >>> column_names(["A"], ["human"], documents=True)
    ['id', 'hyp:A', 'ref:human', 'doc']
    """
    texts = [f"hyp:{run}" for run in runs] + [f"ref:{name}" for name in references]
    return ["id", *texts, *["src"] * source, *["doc"] * documents]


def part_of(batch: Any, names: Sequence[str]) -> Part:
    """Make a part of the columns of a record batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
        At least one segment.
    names : sequence of str
        The columns that are needed.

    Raises
    ------
    InputError
        If a column is missing, unknown or of another type, or a hypothesis is missing.
    """
    check_columns(batch, names)
    ids, documents = batch.column("id"), "doc" in batch.schema.names
    if ids.type != pyarrow().int64() or ids.null_count:
        raise InputError(
            f"column 'id': {ids.type} with {ids.null_count} nulls; expected int64 without any"
        )
    references = tuple(
        text_of(batch, name, missing=True) for name in names if name.startswith("ref:")
    )
    missing = [text.missing for text in references] or [np.zeros(len(ids), np.bool_)]
    absent = np.flatnonzero(np.all(missing, axis=0)).tolist()
    if absent:
        raise InputError(f"segment {ids[absent[0]]} has no reference: expected at least one")
    return Part(
        {name[4:]: text_of(batch, name) for name in names if name.startswith("hyp:")},
        TestSet(
            references,
            tuple(map(str, text_of(batch, "doc"))) if documents else None,
            source=text_of(batch, "src") if "src" in names else None,
            size=len(ids),
        ),
        np.array(ids, np.int64),
    )


def check_columns(batch: Any, needed: Sequence[str]) -> None:
    """Raise an `InputError` if columns are missing, unknown or doubled."""
    names = batch.schema.names
    wrong = {
        "missing": [name for name in needed if name not in names],
        "unknown": [name for name in names if name not in (*needed, "doc")],
        "doubled": [name for name in dict.fromkeys(names) if names.count(name) > 1],
    }
    for what, found in wrong.items():
        if found:
            raise InputError(
                f"columns of segments: {', '.join(found)} {what}; expected {', '.join(needed)}"
            )


def text_of(batch: Any, name: str, *, missing: bool = False) -> Text:
    """Make a text of a column; its buffer is that of Arrow with line feeds."""
    pa, column = pyarrow(), batch.column(name)
    pc = import_module("pyarrow.compute")
    if column.type not in (pa.string(), pa.large_string()):
        raise InputError(f"column {name!r}: {column.type}; expected string")
    if column.null_count and not missing:
        row = int(np.flatnonzero(pc.is_null(column))[0])
        raise InputError(
            f"column {name!r}: the text of segment {batch.column('id')[row]} is missing"
        )
    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        raise InputError(f"column {name!r}: {str(error)[:200]!r}") from None
    if pc.any(pc.ends_with(column, "\n")).as_py():
        return Text.of(column.to_pylist(), name)  # which drops a line end of each segment
    kind = pa.large_binary()
    lines = pc.fill_null(column.cast(kind), MISSING_SEGMENT)
    nothing, feed = pa.scalar(b"", kind), pa.scalar(b"\n", kind)
    joined = pc.binary_join_element_wise(lines, nothing, feed)
    _, offsets, data = joined.buffers()
    bounds = np.frombuffer(offsets, np.int64)[joined.offset : joined.offset + len(column) + 1]
    return Text(data.to_pybytes() if data else b"", bounds[:-1], bounds[1:] - 1)
