"""Tables of texts, such as Parquet files, as a source whose parts may be on other machines."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core import InMemory, InputError, Kept, Source, evaluate, progress
from mteval_scale.arrow import pyarrow
from mteval_scale.columns import column_names, part_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from mteval_core import (
        CheckedTexts,
        Evaluation,
        OutsideScores,
        Registry,
        Scorer,
        Spec,
        TextDigest,
    )

    Engine = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]
    Level = Literal["corpus", "doc", "segment"]
    Run = Callable[["Work"], Iterable[Any]]

__all__ = ["RowGroup", "Tables", "Work", "evaluate_tables", "needed_fields", "parquet_files"]

CHECKED = 2**14
"""Number of segments of the first part that checks look at."""


@dataclass(frozen=True)
class Work:
    """A function of parts, applied to tables. It can be pickled, and so can its results.

    Parameters
    ----------
    function : callable
        The function.
    fields : mapping of str to str
        Field of the table by column, see `mteval_scale.columns`.
    """

    function: Callable[..., Any]
    fields: Mapping[str, str]

    def __call__(self, part: RowGroup) -> Any:
        """Do the work for a row group; None if it has no rows."""
        return self.of_table(part.read([*self.fields.values()]))

    def of_table(self, table: Any) -> Any:
        """Do the work for a ``pyarrow.Table``; None if it has no rows."""
        chosen = table.select([*self.fields.values()]).rename_columns([*self.fields])
        batches = chosen.combine_chunks().to_batches()
        return self.function(part_of(batches[0], [*self.fields])) if batches else None

    def pickled(self, tables: Iterable[Any]) -> Any:
        """Do the work for tables or record batches; return a table with one pickled result."""
        pa = pyarrow()
        whole = None
        for table in tables:
            rows = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
            result = self.of_table(rows)
            if whole is None:
                whole = result
            elif result is not None:
                whole.merge(result)
        return pa.table({"result": pa.array([pickle.dumps(whole)], pa.binary())})


class Tables(Source):
    """Tables whose parts may be anywhere.

    Parameters
    ----------
    fields : mapping of str to str
        Field of the tables by column, see `mteval_scale.columns`.
    run : callable
        Does a `Work` for all parts, and returns the results in any order.
    n_parts, n_segments : int, optional
        Numbers of parts and of segments, if they are known.
    first : RowGroup, optional
        A part that this machine can read, in which checks look for damage.
    """

    def __init__(
        self,
        fields: Mapping[str, str],
        run: Run,
        *,
        n_parts: int | None = None,
        n_segments: int | None = None,
        first: RowGroup | None = None,
    ) -> None:
        systems = [name[4:] for name in fields if name.startswith("hyp:")]
        super().__init__({name: [name] for name in systems})
        self.fields: dict[str, str] = dict(fields)
        self.run: Run = run
        self.n_parts = n_parts
        self.n_segments = n_segments
        self.first = first

    def map(self, function: Callable[..., Any], threads: int) -> Iterator[Any]:  # noqa: ARG002
        """Do the work where the parts are; whatever runs it has threads or machines of its own."""
        results = self.run(Work(function, self.fields))
        for result in progress(results, self.n_parts, "part"):
            if result is not None:
                yield result

    def summaries(self, digests: Mapping[tuple[str, str], TextDigest]) -> CheckedTexts | None:
        """Summarize the first segments, which stand for all."""
        part = self.first and Work(lambda part: part.slice(0, CHECKED), self.fields)(self.first)
        return InMemory(self.runs, part).summaries(digests) if part else None

    def references(self) -> Tables:
        """Read the fields of the references and the source only."""
        texts = {name: f for name, f in self.fields.items() if not name.startswith("hyp:")}
        return Tables(texts, self.run, n_parts=self.n_parts)


def needed_fields(
    *,
    id: str,
    hyp: Sequence[str] | Mapping[str, str],
    ref: Sequence[str],
    src: str | None = None,
    doc: str | None = None,
    level: Level = "corpus",
) -> dict[str, str]:
    """Return the field of a table for each column that an evaluation needs.

    Parameters
    ----------
    id, src, doc : str
        Fields of the ids of the segments, whole numbers from 0, of the source and of document ids.
    hyp : sequence of str, or mapping of str to str
        Fields of the systems, or their fields by name.
    ref : sequence of str
        Fields of the references.
    level : {"corpus", "doc", "segment"}
        What is kept of the rows.

    Raises
    ------
    InputError
        If documents are kept, and no field has them.
    """
    systems = hyp if isinstance(hyp, Mapping) else {name: name for name in hyp}
    if level == "doc" and doc is None:
        raise InputError("no field for doc; the level doc needs it")
    named = {"id": id, "src": src, "doc": doc}
    named |= {f"hyp:{name}": one for name, one in systems.items()}
    named |= {f"ref:{name}": name for name in ref}
    names = column_names(systems, ref, source=src is not None, documents=level == "doc")
    return {name: str(named[name]) for name in names}


def evaluate_tables(
    specs: Iterable[str | Spec | Scorer | OutsideScores] | None,
    run: Run,
    *,
    level: Level = "corpus",
    resamples: int = 0,
    seed: int = 12345,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    **roles: Any,
) -> Evaluation:
    """Score tables whose parts may be anywhere.

    Parameters
    ----------
    specs : iterable of str, Spec or Scorer, optional
        The metrics. Default: those that declare themselves part of the default set.
    run : callable
        Does a `Work` for all parts, and returns the results in any order. It is called twice if a
        metric must see all references first.
    level, resamples, seed
        What is kept of the rows, see `mteval_core.Kept`.
    registry : Registry, optional
        Where to look the metrics up on this machine. The others have what is installed there.
    defaults : mapping of str to str, optional
        As for `mteval_core.evaluate`.
    **roles
        The fields of the tables, see `needed_fields`.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        If a metric cannot be computed in parts, or a setting is not valid.
    InputError
        If a part is refused, or ids are repeated.
    """
    tables = Tables(needed_fields(**roles, level=level), run)
    kept = Kept(level, resamples, seed)
    return evaluate(tables, specs, registry=registry, defaults=defaults, kept=kept)


class RowGroup(NamedTuple):
    """A row group of a Parquet file."""

    path: str
    number: int

    def read(self, fields: Sequence[str]) -> Any:
        """Read some fields as a ``pyarrow.Table``.

        Raises
        ------
        InputError
            If the file lacks a field or has it twice, or is damaged.
        """
        with reading(self.path) as file:
            known = file.schema_arrow.names
            for name in fields:
                if known.count(name) != 1:
                    found = "two fields" if name in known else "no field"
                    raise InputError(f"{self.path}: {found} {name!r}; it has {', '.join(known)}")
            return file.read_row_group(self.number, columns=[*fields])


def parquet_files(pattern: str, engine: Engine, **roles: Any) -> Tables:
    """Make a source of Parquet files, whose row groups an engine counts.

    Parameters
    ----------
    pattern : str
        Paths of the files, which all machines can read, such as ``parts/*.parquet``.
    engine : callable
        The function of an engine.
    **roles
        The fields of the files, and the level, see `needed_fields`.

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    InputError
        If files are refused.
    """
    fields = needed_fields(**roles)
    paths = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - relative or absolute
    if not paths:
        raise InputError(
            f"{pattern}: no such files; expected Parquet files with the texts as columns"
        )
    groups: list[RowGroup] = []
    n_segments = 0
    for path in paths:
        with reading(path) as file:
            groups += [RowGroup(path, number) for number in range(file.num_row_groups)]
            n_segments += file.metadata.num_rows
    counts = {"n_parts": len(groups), "n_segments": n_segments}
    first = groups[0] if groups else None
    return Tables(fields, lambda work: engine(work, groups), **counts, first=first)


@contextmanager
def reading(path: str) -> Iterator[Any]:
    """Open a Parquet file; raise an `InputError` if it is none, or damaged where it is read."""
    pa = pyarrow()
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingImports] - optional

    try:
        with pq.ParquetFile(path) as file:
            yield file
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: not a Parquet file that can be read: {error}") from None
