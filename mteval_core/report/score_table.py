"""The table of scores: systems down, metrics across, the best of each metric marked."""

from __future__ import annotations

from dataclasses import field
from itertools import chain
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core.frozen import Frozen
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.layout import DASH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.report.layout import CellMark, Layout

STATISTICS = ("mean", "worst", "best")
"""Rows for each system if there are too many documents or segments."""


class MetricScores(Frozen):
    """What systems score under one metric.

    Parameters
    ----------
    spec : str
        Spec of the metric.
    scorer : Scorer
        The metric, bound to the references.
    values : mapping of str to ndarray of float64, shape (n_parts, v)
        All values of each part of the test set, by system.
    equal : frozenset of str
        Systems that are not significantly worse than the best.
    signs : mapping of str to str
        What follows the scores of some systems.
    ranks : mapping of str to str
        The range of ranks of each system, if they are shown.
    """

    spec: str
    scorer: Scorer
    values: Mapping[str, NDArray[np.float64]]
    equal: frozenset[str] = frozenset()
    signs: Mapping[str, str] = field(default_factory=dict)
    ranks: Mapping[str, str] = field(default_factory=dict)

    @property
    def sign(self) -> int:
        """1 if higher scores are better, -1 if lower ones are."""
        return 1 if self.scorer.declaration.better == "higher" else -1

    @property
    def heads(self) -> tuple[str, ...]:
        """The metric as the head of a column."""
        return Column.heads_of(self.scorer)

    def of(self, system: str) -> NDArray[np.float64]:
        """Return the scores of a system, shape (n_parts,)."""
        return self.values[system][:, list(self.scorer.scales).index(self.scorer.main)]

    def best_first(self, systems: Iterable[str]) -> list[str]:
        """Order systems by their score of the first part, the best first."""
        return sorted(systems, key=lambda one: -self.sign * float(self.of(one)[0]))


def scores_of(evaluation: Evaluation, level: Level) -> Iterator[MetricScores]:
    """Yield the scores of all systems under each metric."""
    values = evaluation.scores.values
    for spec, scorer in evaluation.scorers.items():
        of_systems = {one: values(one, spec, level) for one in evaluation.systems}
        yield MetricScores(spec, scorer, of_systems)


def by_block(evaluation: Evaluation, level: Level) -> Iterator[MetricScores]:
    """Yield the same scores, system by system and block by block."""
    for spec, scorer in evaluation.scorers.items():
        for system in evaluation.systems:
            for values in evaluation.scores.blocks(system, spec, level):
                yield MetricScores(spec, scorer, {system: values})


class Row(NamedTuple):
    """A row of the table: a system, and which document or segment of it."""

    system: str
    part: int


def score_table(evaluation: Evaluation, layout: Layout, scores: Sequence[MetricScores]) -> Table:
    """Return the table of scores of systems, of their documents or of their segments.

    Parameters
    ----------
    evaluation : Evaluation
        Intervals and spreads of the scores.
    layout : Layout
        What a row is, and how numbers are written.
    scores : sequence of MetricScores
        The scores at the level of the layout.
    """
    ids, _ = evaluation.scores.groups(layout.level)
    systems = evaluation.systems
    is_long = layout.rows is not None and len(ids) * len(systems) > layout.rows
    if layout.level != "corpus" and is_long:
        return _summary(evaluation, layout, scores)
    rows = [Row(system, part) for part in range(len(ids)) for system in systems]
    rows = _sorted_rows(evaluation, layout.sort, scores, rows)
    columns = tuple(column for one in scores for column in _columns(evaluation, layout, one, rows))
    if layout.level == "corpus":
        systems_down = tuple((row.system,) for row in rows)
        table = Table("", ("system",), systems_down, columns, name="scores")
        return table.transposed() if layout.transpose else table
    names = tuple((str(ids[row.part]), row.system) for row in rows)
    return Table("", (layout.level, "system"), names, columns, name="scores")


def ranking(evaluation: Evaluation, sort: str | None, scores: Sequence[MetricScores]) -> list[str]:
    """Return the systems in the order of the table of their corpus scores."""
    rows = [Row(system, 0) for system in evaluation.systems]
    return [row.system for row in _sorted_rows(evaluation, sort, scores, rows)]


def _sorted_rows(
    evaluation: Evaluation, spec: str | None, scores: Sequence[MetricScores], rows: list[Row]
) -> list[Row]:
    """Sort rows by their scores under a metric, if any, the best first and references last."""
    if spec is None:
        return rows
    chosen = next(one for one in scores if one.spec == spec)

    def key(row: Row) -> tuple[bool, float]:
        score = float(chosen.of(row.system)[row.part])
        return row.system in evaluation.scores.humans, -chosen.sign * score

    return sorted(rows, key=key)


def from_file_only(
    evaluation: Evaluation, layout: Layout, scores: Sequence[MetricScores]
) -> Iterator[Table]:
    """Yield a table of systems that only scores of other programs name, if there are any."""
    given = [(one.heads, evaluation.scores.from_file_only(one.spec)) for one in scores]
    systems = sorted({*chain(*(found for _, found in given))})

    def column(heads: tuple[str, ...], scores: Mapping[str, float]) -> Column:
        shown = (shown_number(scores.get(system, nan), layout.decimals) for system in systems)
        return Column(heads, tuple(Cell((number,)) for number in shown))

    columns = tuple(column(*one) for one in given if one[1])
    if columns:
        yield Table("From file only", ("system",), tuple((s,) for s in systems), columns)


# Columns


def _columns(
    evaluation: Evaluation, layout: Layout, scores: MetricScores, rows: Sequence[Row]
) -> list[Column]:
    """Return the column of a metric, or one for each of its values."""
    scorer, heads = scores.scorer, scores.heads
    cells = tuple(_score_cells(evaluation, layout, scores, rows))
    if not layout.values:
        return [Column(heads, cells)]
    group = " ".join(heads)
    columns = [Column((scorer.main,), cells, group)]
    for place, name in enumerate(scorer.scales):
        if name != scorer.main:
            shown = [float(scores.values[system][part, place]) for system, part in rows]
            columns.append(Column((name,), tuple(_part_cells(shown, layout.decimals)), group))
    return columns


def _part_cells(values: Sequence[float], decimals: int) -> list[Cell]:
    """Write a value of all rows; counts, which can be larger than 1, have no decimals."""
    known = [value for value in values if not isnan(value)]
    are_counts = all(value == int(value) for value in known) and max(known, default=0) > 1
    return [Cell((shown_number(value, 0 if are_counts else decimals),)) for value in values]


def shown_number(value: float, decimals: int) -> str:
    """Write a score; a dash where there is none."""
    return DASH if isnan(value) else f"{value:.{decimals}f}"


def _score_cells(
    evaluation: Evaluation, layout: Layout, scores: MetricScores, rows: Sequence[Row]
) -> list[Cell]:
    """Write the scores of a metric, those of each part of the test set marked on their own."""
    systems, is_corpus = {*evaluation.scores.competing}, layout.level == "corpus"
    of_systems = {one: scores.of(one) for one in evaluation.systems}
    best = scores.sign * np.fmax.reduce([scores.sign * of_systems[one] for one in systems])
    cells = []
    for system, part in rows:
        number = shown_number(of_systems[system][part], layout.decimals)
        spread = _spread(evaluation, layout, system, scores.spec) if is_corpus else ()
        spread += (scores.ranks.get(system, ""),) if scores.ranks else ()
        # Scores that read alike are tied: the mark goes to all that round to the best.
        is_best = system in systems and number == f"{best[part]:.{layout.decimals}f}"
        mark: CellMark = "best" if is_best else "equal" if system in scores.equal else "worse"
        signs = scores.signs.get(system, "")
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


def _summary(evaluation: Evaluation, layout: Layout, scores: Sequence[MetricScores]) -> Table:
    """Return the mean, the worst and the best score of each system, with their places."""
    ids, _ = evaluation.scores.groups(layout.level)
    of_corpus = [*scores_of(evaluation, "corpus")] if layout.sort else []
    systems = ranking(evaluation, layout.sort, of_corpus)

    def cells(of_metric: MetricScores) -> Iterator[Cell]:
        sign, competing = of_metric.sign, evaluation.scores.competing
        scores = {one: of_metric.of(one) for one in systems}
        means = {one: f"{np.nanmean(scores[one]):.{layout.decimals}f}" for one in systems}
        best = max((means[one] for one in competing), key=lambda n: sign * float(n))
        for one, of_system in scores.items():
            is_best = len(competing) > 1 and means[one] == best
            yield Cell((means[one], ""), "best" if is_best else "worse")
            for place in (np.nanargmin(sign * of_system), np.nanargmax(sign * of_system)):
                number = f"{of_system[place]:.{layout.decimals}f}"
                yield Cell((number, f"({ids[place]})"), "worse")

    columns = tuple(Column(one.heads, tuple(cells(one))) for one in scores)
    names = tuple((system, name) for system in systems for name in STATISTICS)
    caption = f"Mean, worst and best of {len(ids)} {layout.level}s, with their ids"
    return Table(caption, ("system", f"{layout.level}s"), names, columns, name="scores")
