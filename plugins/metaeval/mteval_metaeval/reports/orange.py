"""Reports on ORANGE: metrics down, the ranks of references across."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_core.report import Cell, Column, Meaning, Table
from mteval_metaeval.reports.correlation import ends_of
from mteval_metaeval.reports.findings import MARKS, metric_rows
from mteval_metaeval.reports.numbers import INTERVAL_NAMES, count, ends, number

if TYPE_CHECKING:
    from mteval_metaeval.n_best_ranks import Orange, OrangeScore
    from mteval_metaeval.resampling import Resampling

__all__ = ["of_orange"]


def of_orange(result: Orange, resampling: Resampling, decimals: int = 2) -> Report:
    """Report ORANGE of all metrics."""
    shortest, longest = result.lengths
    lists = f"{longest}" if shortest == longest else f"{shortest} to {longest}"
    drawn = (
        f"{resampling.level:g}% {INTERVAL_NAMES[resampling.kind()]} intervals "
        f"from {resampling.n} "
        f"resamples of segments, seed {resampling.seed}"
    )
    best = [Meaning("best", "best")]
    if resampling.n:
        test = "not significantly different from the best (bootstrap of the difference)"
        best.append(Meaning(test, "equal"))
    return Report.of(
        experiment="orange",
        title="References among other translations",
        summary=f"{count(result.n_segments, 'segment')}, {lists} candidates for each, "
        f"{count(result.n_references, 'reference')}; {drawn if resampling.n else 'no intervals'}. "
        f"Lower is better in every column.",
        parts=[_table(result, decimals)],
        records=map(_record, result.scores),
        inputs=result.inputs,
        legend=[
            "ORANGE: mean rank of a reference among the candidates for its segment, in percent of "
            "the length of the list. All are scored against the other references; equal scores "
            "share their mean rank.",
            *([f"{ends_of(resampling)}."] if resampling.n else []),
            best,
        ],
        settings=resampling.settings(),
        signatures=result.signatures,
    )


def _record(score: OrangeScore) -> dict[str, object]:
    record = asdict(score)
    record["ci"] = record.pop("interval")
    return record


def _table(result: Orange, decimals: int) -> Table:
    scores = result.scores
    percent = tuple(
        Cell((number(100 * score.value, decimals),), MARKS[score.mark]) for score in scores
    )
    columns = [Column(("%",), percent, "ORANGE")]
    if any(score.interval for score in scores):
        intervals = (score.interval for score in scores)
        in_percent = [i and replace(i, low=100 * i.low, high=100 * i.high) for i in intervals]
        low, high = zip(*(ends(interval, decimals) for interval in in_percent), strict=True)
        columns += [Column.of("L", low, "ORANGE"), Column.of("U", high, "ORANGE")]
    columns.append(Column.of("mean", (number(s.mean_rank, decimals) for s in scores), "rank"))
    return Table("", *metric_rows([(s.metric, s.set) for s in scores]), tuple(columns))
