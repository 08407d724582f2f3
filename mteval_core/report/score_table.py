"""The table of scores: systems down, metrics across, the best of each metric marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core.metrics.jackknife import Jackknife
from mteval_core.report.comparisons import metric_heads
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.marks import marking, marks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report.grid import Mark
    from mteval_core.report.layout import Layout

__all__ = ["by_corpus_score", "competing", "is_jackknifed", "score_table", "sign_of"]

STATISTICS = ("mean", "worst", "best")
"""Rows for each system if there are too many documents or segments."""


class Row(NamedTuple):
    """A row of the table: a system, and which document or segment of it."""

    system: str
    part: int


def score_table(evaluation: Evaluation, layout: Layout) -> Table:
    """Return the table of scores of systems, of their documents or of their segments."""
    if _is_summary(evaluation, layout):
        return _summary(evaluation, layout)
    ids, _ = evaluation.scores.groups(layout.level)
    systems = evaluation.systems
    rows = [Row(system, part) for part in range(len(ids)) for system in systems]
    if layout.sort is not None:
        rows = _sort_rows(evaluation, layout, rows)
    columns = tuple(
        column for spec in evaluation.scorers for column in _columns(evaluation, layout, spec, rows)
    )
    if layout.level == "corpus":
        systems_down = tuple((row.system,) for row in rows)
        table = Table("", ("system",), systems_down, columns, name="scores")
        return table.transposed() if layout.transpose else table
    names = tuple((str(ids[row.part]), row.system) for row in rows)
    return Table("", (layout.level, "system"), names, columns, name="scores")


def competing(evaluation: Evaluation) -> list[str]:
    """Return the systems that compete for the best score; references do not."""
    return [system for system in evaluation.systems if system not in evaluation.scores.humans]


def by_corpus_score(evaluation: Evaluation, layout: Layout) -> list[str]:
    """Return the systems in the order of the table of their corpus scores."""
    rows = [Row(system, 0) for system in evaluation.systems]
    if layout.sort is not None:
        rows = _sort_rows(evaluation, layout._replace(level="corpus"), rows)
    return [row.system for row in rows]


def _sort_rows(evaluation: Evaluation, layout: Layout, rows: Sequence[Row]) -> list[Row]:
    """Sort rows by their scores under a metric, the best first and references last."""
    assert layout.sort is not None
    scores = {one: _main(evaluation, layout, one, layout.sort) for one in evaluation.systems}
    sign = sign_of(evaluation, layout.sort)

    def key(row: Row) -> tuple[bool, float]:
        return row.system in evaluation.scores.humans, -sign * float(scores[row.system][row.part])

    return sorted(rows, key=key)


def sign_of(evaluation: Evaluation, spec: str) -> int:
    """Return 1 if higher scores are better under a metric, -1 if lower ones are."""
    return 1 if evaluation.scorers[spec].declaration.better == "higher" else -1


def _main(evaluation: Evaluation, layout: Layout, system: str, spec: str) -> NDArray[np.float64]:
    """Scores of a system under a metric, one for each part of the test set."""
    scorer = evaluation.scorers[spec]
    main = list(scorer.scales).index(scorer.main)
    return evaluation.values(system, spec, layout.level)[:, main]


# Columns


def _columns(
    evaluation: Evaluation, layout: Layout, spec: str, rows: Sequence[Row]
) -> list[Column]:
    """Return the column of a metric, or one for each of its values."""
    heads = metric_heads(evaluation, spec)
    cells = tuple(_score_cells(evaluation, layout, spec, rows))
    scorer = evaluation.scorers[spec]
    if not layout.parts:
        return [Column(heads, cells)]
    group = " ".join(heads)
    columns = [Column((scorer.main,), cells, group)]
    values = {one: evaluation.values(one, spec, layout.level) for one in evaluation.systems}
    for place, name in enumerate(scorer.scales):
        if name != scorer.main:
            shown = [float(values[system][part, place]) for system, part in rows]
            columns.append(Column((name,), tuple(_part_cells(shown, layout.decimals)), group))
    return columns


def _part_cells(values: Sequence[float], decimals: int) -> list[Cell]:
    """Write a value of all rows; counts, which can be larger than 1, have no decimals."""
    are_counts = all(value == int(value) for value in values) and max(values, default=0) > 1
    return [Cell((f"{value:.{0 if are_counts else decimals}f}",)) for value in values]


def _score_cells(
    evaluation: Evaluation, layout: Layout, spec: str, rows: Sequence[Row]
) -> list[Cell]:
    """Write the scores of a metric, those of each part of the test set marked on their own."""
    systems = competing(evaluation)
    scores = {one: _main(evaluation, layout, one, spec) for one in evaluation.systems}
    sign = sign_of(evaluation, spec)
    by_score = sorted(systems, key=lambda one: -sign * float(scores[one][0]))
    marks = marks_of(evaluation, spec, by_score, marking(evaluation, layout))
    best = sign * np.max([sign * scores[one] for one in systems], axis=0)
    cells = []
    for system, part in rows:
        number = f"{scores[system][part]:.{layout.decimals}f}"
        spread = _spread(evaluation, layout, system, spec) if layout.level == "corpus" else ()
        # Scores that read alike are tied: the mark goes to all that round to the best.
        is_best = system in systems and number == f"{best[part]:.{layout.decimals}f}"
        mark: Mark = "best" if is_best else "equal" if system in marks.equal else "worse"
        signs = marks.signs.get(system, "")
        cells.append(Cell((number, *spread), mark if len(systems) > 1 else None, signs))
    return cells


def _spread(evaluation: Evaluation, layout: Layout, system: str, spec: str) -> tuple[str, ...]:
    """Spread over runs and over sets of references, and the interval, where they are known."""
    shown: tuple[str, ...] = ()
    if not evaluation.scores.single_runs:
        several = len(evaluation.scores.runs[system]) > 1
        sd = evaluation.scores.run_scores(system, spec).std(ddof=1) if several else 0
        shown += (f"±{sd:.{layout.decimals}f}" if several else "",)
    if is_jackknifed(evaluation, spec):
        scores = evaluation.scores.jackknife_scores(system, spec)
        shown += ("", "") if scores is None else _ends("{}", scores.min(), scores.max(), layout)
    interval = evaluation.intervals.get((system, spec))
    if interval is not None:
        shown += _ends("[]", interval.low, interval.high, layout)
    return shown


def _ends(brackets: str, low: float, high: float, layout: Layout) -> tuple[str, str]:
    return f"{brackets[0]}{low:.{layout.decimals}f},", f"{high:.{layout.decimals}f}{brackets[1]}"


def is_jackknifed(evaluation: Evaluation, spec: str) -> bool:
    """Whether the scores of a metric are means over sets of references."""
    return isinstance(evaluation.scorers[spec].setup.implementation, Jackknife)


# Many parts


def _is_summary(evaluation: Evaluation, layout: Layout) -> bool:
    """Whether there are more documents or segments than the page has rows."""
    if layout.level == "corpus" or layout.rows is None:
        return False
    ids, _ = evaluation.scores.groups(layout.level)
    return len(ids) * len(evaluation.systems) > layout.rows


def _summary(evaluation: Evaluation, layout: Layout) -> Table:
    """Return the mean, the worst and the best score of each system, with their places."""
    ids, _ = evaluation.scores.groups(layout.level)
    systems = by_corpus_score(evaluation, layout)

    def cells(spec: str) -> Iterator[Cell]:
        sign = sign_of(evaluation, spec)
        scores = {one: _main(evaluation, layout, one, spec) for one in systems}
        means = {one: f"{scores[one].mean():.{layout.decimals}f}" for one in systems}
        best = max((means[one] for one in competing(evaluation)), key=lambda n: sign * float(n))
        for one, of_system in scores.items():
            is_best = len(competing(evaluation)) > 1 and means[one] == best
            yield Cell((means[one], ""), "best" if is_best else "worse")
            for place in (np.argmin(sign * of_system), np.argmax(sign * of_system)):
                number = f"{of_system[place]:.{layout.decimals}f}"
                yield Cell((number, f"({ids[place]})"), "worse")

    columns = tuple(
        Column(metric_heads(evaluation, s), tuple(cells(s))) for s in evaluation.scorers
    )
    names = tuple((system, name) for system in systems for name in STATISTICS)
    caption = f"Mean, worst and best of {len(ids)} {layout.level}s, with their ids"
    return Table(caption, ("system", f"{layout.level}s"), names, columns, name="scores")
