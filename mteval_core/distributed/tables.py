"""Tables of texts, such as Parquet files, counted part by part on any engine."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from glob import glob
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.distributed.arrow import pyarrow
from mteval_core.distributed.columns import batch_of, column_names
from mteval_core.distributed.merging import to_evaluation
from mteval_core.distributed.partial import Partial
from mteval_core.distributed.plan import plan_of
from mteval_core.distributed.worker import Worker
from mteval_core.errors import InputError
from mteval_core.frozen import Frozen
from mteval_core.metrics import bars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mteval_core.distributed.plan import Plan
    from mteval_core.distributed.worker import Batch, Collection
    from mteval_core.evaluation.evaluate import Specs
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry

    Engine = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]

__all__ = ["Counting", "Work", "evaluate_parquet", "evaluate_tables", "plan_of_columns"]


class Work(Frozen):
    """What is done with every part of a table. It can be pickled, and so can its results.

    Parameters
    ----------
    plan : Plan
        The plan.
    fields : mapping of str to str
        Field of the table by column of the plan, see `mteval_core.distributed.columns`.
    """

    plan: Plan
    fields: Mapping[str, str]

    def of(self, batch: Batch) -> Any:
        """Do the work for some segments."""
        raise NotImplementedError

    def plus(self, result: Any, other: Any) -> Any:
        """Join the results for two parts."""
        raise NotImplementedError

    def __call__(self, part: RowGroup) -> Any:
        """Do the work for a row group; None if it has no rows."""
        return self.of_table(part.read([*self.fields.values()]))

    def of_table(self, table: Any) -> Any:
        """Do the work for a ``pyarrow.Table``; None if it has no rows."""
        chosen = table.select([*self.fields.values()]).rename_columns([*self.fields])
        batches = chosen.combine_chunks().to_batches()
        return self.of(batch_of(batches[0], self.plan)) if batches else None

    def pickled(self, tables: Iterable[Any]) -> Any:
        """Do the work for tables or record batches; return a table with one pickled result."""
        pa = pyarrow()
        whole = None
        for table in tables:
            rows = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
            result = self.of_table(rows)
            if result is not None:
                whole = result if whole is None else self.plus(whole, result)
        return pa.table({"result": pa.array([pickle.dumps(whole)], pa.binary())})


class Collecting(Work):
    """Collects what some metrics need to know of all references."""

    def of(self, batch: Batch) -> Collection:
        """Collect it from some segments."""
        return Worker(self.plan).collect(batch.test_set)

    def plus(self, result: Collection, other: Collection) -> Collection:
        """Join what was collected from two parts."""
        for spec, counts in other.items():
            result[spec].merge(counts)
        return result


class Counting(Work):
    """Counts segments.

    Parameters
    ----------
    collection : dict
        What metrics need to know of all references.
    """

    collection: Collection = field(default_factory=dict)

    def of(self, batch: Batch) -> Partial:
        """Count some segments."""
        return Worker(self.plan).collected([self.collection]).count(batch)

    def plus(self, result: Partial, other: Partial) -> Partial:
        """Merge two partial results."""
        result.merge(other)
        return result


def plan_of_columns(
    metrics: Specs | None,
    *,
    id: str,
    hyp: Sequence[str] | Mapping[str, str],
    ref: Sequence[str],
    src: str | None = None,
    doc: str | None = None,
    **settings: Any,
) -> tuple[Plan, dict[str, str]]:
    """Plan the evaluation of a table.

    Parameters
    ----------
    metrics
        As for `plan_of`.
    id, src, doc : str
        Fields of the ids of the segments, whole numbers from 0, of the source and of document ids.
    hyp : sequence of str, or mapping of str to str
        Fields of the systems, or their fields by name.
    ref : sequence of str
        Fields of the references.
    **settings
        More arguments of `plan_of`.

    Returns
    -------
    plan : Plan
    fields : dict of str to str
        Field of the table by column of the plan.
    """
    systems = hyp if isinstance(hyp, Mapping) else {name: name for name in hyp}
    plan = plan_of(metrics, list(systems), list(ref), source=src is not None, **settings)
    given = {"id": id, "src": src, "doc": doc}
    fields = {name: given[name] for name in ("id", "src", "doc") if given[name] is not None}
    fields |= {f"hyp:{name}": one for name, one in systems.items()}
    fields |= {f"ref:{name}": name for name in ref}
    missing = [name for name in column_names(plan) if name not in fields]
    if missing:
        message = f"no field for {', '.join(missing)}; the level {plan.level} needs it"
        raise InputError(message)
    return plan, {name: str(fields[name]) for name in column_names(plan)}


def evaluate_tables(
    plan: Plan,
    fields: Mapping[str, str],
    run: Callable[[Work], Iterable[Any]],
    *,
    n_parts: int | None = None,
    registry: Registry | None = None,
) -> Evaluation:
    """Score a table whose parts may be anywhere.

    Parameters
    ----------
    plan : Plan
        What to count.
    fields : mapping of str to str
        Field of the table by column of the plan.
    run : callable
        Does a `Work` for all parts, and returns the results in any order. It is called twice if a
        metric must see all references first.
    n_parts : int, optional
        Number of parts, if it is known.
    registry : Registry, optional
        Where to look the metrics up on this machine. The others have what is installed there.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputError
        If a part is refused, or ids are repeated.
    """
    worker, whole = Worker(plan, registry), Partial(plan.id)
    if worker.collects:
        collections = bars.progress(run(Collecting(plan, fields)), n_parts, "part")
        worker = worker.collected(each for each in collections if each is not None)
    results = run(Counting(plan, fields, worker.collection))
    for partial in bars.progress(results, n_parts, "part"):
        if partial is not None:
            whole.merge(partial)
    return to_evaluation(worker, whole)


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
                    message = f"{self.path}: {found} {name!r}; it has {', '.join(known)}"
                    raise InputError(message)
            return file.read_row_group(self.number, columns=[*fields])


def evaluate_parquet(
    plan: Plan,
    fields: Mapping[str, str],
    pattern: str,
    engine: Engine,
    *,
    registry: Registry | None = None,
) -> Evaluation:
    """Score the texts of Parquet files on an engine.

    Parameters
    ----------
    plan, fields, registry
        See `evaluate_tables`.
    pattern : str
        Paths of the files, which all machines can read, such as ``parts/*.parquet``.
    engine : callable
        The function of an `EngineSpec`.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        If pyarrow is not installed.
    InputError
        If files or fields are refused.
    """
    paths = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - relative or absolute
    if not paths:
        message = f"{pattern}: no such files; expected Parquet files with the texts as columns"
        raise InputError(message)
    parts = [part for path in paths for part in row_groups(path)]

    def run(work: Work) -> Iterable[Any]:
        return engine(work, parts)

    return evaluate_tables(plan, fields, run, n_parts=len(parts), registry=registry)


def row_groups(path: str) -> list[RowGroup]:
    """List the row groups of a Parquet file."""
    with reading(path) as file:
        return [RowGroup(path, number) for number in range(file.num_row_groups)]


@contextmanager
def reading(path: str) -> Iterator[Any]:
    """Open a Parquet file; raise an `InputError` if it is none, or damaged where it is read."""
    pa = pyarrow()
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingImports] - optional

    try:
        with pq.ParquetFile(path) as file:
            yield file
    except (OSError, pa.ArrowException) as error:
        message = f"{path}: not a Parquet file that can be read: {error}"
        raise InputError(message) from None
