"""Tables of scores by part of the test set, systems across, parts down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.evaluation.p_values import SIGNIFICANT
from mteval_core.evaluation.subsets import Subset
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.score_table import metric_heads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.subsets import Grouping
    from mteval_core.report.grid import Mark

__all__ = ["by_parts"]

TITLES: Mapping[Grouping, tuple[str, str]] = {
    "length": ("by length of the reference in words", "words"),
    "doc": ("by document", "document"),
    "domain": ("by domain", "domain"),
}


def by_parts(
    evaluation: Evaluation,
    specs: Sequence[str],
    decimals: int = 2,
    parts: Iterable[tuple[Subset, Evaluation]] | None = None,
) -> list[Table]:
    """Make tables of the scores by length of the references, by document and by domain.

    Parameters
    ----------
    evaluation : Evaluation
        With its rows.
    specs : sequence of str
        The metrics, which must have scores of segments.
    decimals : int
        Digits after the decimal point.
    parts : iterable of (Subset, Evaluation), optional
        The parts, each with its evaluation, which may have intervals and tests. Default: lengths,
        documents and domains, as far as there are any. A length is a number of words as the
        tokenizer ``13a`` cuts them.

    Returns
    -------
    list of Table
        One per metric and kind of part: systems across, the parts down, the whole test set first.
    """
    given = list(every_part(evaluation, specs) if parts is None else parts)
    used = {part.by for part, _ in given}
    tables = []
    for spec in specs:
        for by in filter(used.__contains__, TITLES):
            chosen = [(part, of_part) for part, of_part in given if part.by == by]
            title, head = TITLES[by]
            names = [("all", len(evaluation.scores.test_set))]
            names += [(part.name, len(part.segments)) for part, _ in chosen]
            rows = [evaluation, *(of_part for _, of_part in chosen)]
            columns = tuple(
                Column((system,), tuple(_cell(each, system, spec, decimals) for each in rows))
                for system in evaluation.systems
            )
            label = " ".join(metric_heads(evaluation.scorers[spec]))
            tables.append(Table(f"{label} {title}", (head, "segments"), tuple(names), columns))
    return tables


def every_part(evaluation: Evaluation, specs: Sequence[str]) -> Iterator[tuple[Subset, Evaluation]]:
    """Yield the parts by length, document and domain, if there is a metric."""
    test_set = evaluation.scores.corpus.test_set
    known: dict[Grouping, object] = {
        "length": test_set.references,
        "doc": test_set.documents,
        "domain": test_set.domains,
    }
    for by in known if specs else ():
        if known[by]:
            registry = evaluation.scorers[specs[0]].setup.registry
            for part in Subset.of(test_set, by, registry):
                yield part, part.evaluation(evaluation, specs)


def _cell(evaluation: Evaluation, system: str, spec: str, decimals: int) -> Cell:
    """Write a score with its interval, marked if it differs from that of the first system."""
    interval = evaluation.intervals.get((system, spec))
    ends = (interval.low, interval.high) if interval else ()
    score, *written = (
        f"{round(value, decimals) + 0.0:.{decimals}f}"  # adding zero turns "-0.00" into "0.00"
        for value in (evaluation.score(system, spec).score, *ends)
    )
    if not written:
        return Cell((score, "", ""))
    return Cell((score, f"[{written[0]},", f"{written[1]}]"), _mark(evaluation, system, spec))


def _mark(evaluation: Evaluation, system: str, spec: str) -> Mark | None:
    comparison = evaluation.comparisons.get((system, evaluation.systems[0], spec))
    if comparison is None:
        return None
    return "significant" if comparison.p_value < SIGNIFICANT else "insignificant"
