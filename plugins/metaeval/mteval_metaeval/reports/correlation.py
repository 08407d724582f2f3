"""Reports on correlations of metrics with human judgments."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core.report import Cell, Chart, Column, Table
from mteval_metaeval.experiments import DIFFERENTIALS, WITHOUT_OUTLIERS
from mteval_metaeval.reports.findings import MARKS, metric_rows, study_report
from mteval_metaeval.reports.numbers import INTERVAL_NAMES, UNITS, ends, number
from mteval_metaeval.reports.scatter_charts import output_panels, pair_panels, system_panels
from mteval_metaeval.segments import CALIBRATED, DRAWN
from mteval_metaeval.soft_accuracy import CORPUS_SOFT, SOFT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mteval_core import Report
    from mteval_metaeval.notes import Note
    from mteval_metaeval.reference_counts import ReferenceCount
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.results import Correlation
    from mteval_metaeval.study import Study

__all__ = [
    "correlation_columns",
    "correlation_record",
    "ends_of",
    "intervals_drawn",
    "of_segments",
    "of_systems",
]

SHOWN = {
    "pearson": ("Pearson", "r"),
    "spearman": ("Spearman", "rho"),
    "kendall": ("Kendall", "tau"),
    WITHOUT_OUTLIERS: ("no outliers", "r"),
    DIFFERENTIALS: ("differences", "r"),
    "pairwise accuracy": ("accuracy", ""),
    SOFT: ("soft acc.", ""),
    CORPUS_SOFT: ("soft corpus", ""),
    CALIBRATED: ("calibrated", ""),
}
"""Group of columns and title of the value for each quantity, in the order of the table."""


def of_systems(
    study: Study,
    results: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
) -> Report:
    """Correlations over systems: metrics down, coefficients across, a table per criterion."""
    correlations, notes = results
    ends_of_all = ends_of(resampling, soft=study.has_item_judgments)
    legend = [f"{ends_of_all}."] if resampling.n else []
    legend += [
        "Differences: Pearson's coefficient of the score differences of all pairs of systems.",
        "Accuracy: share of pairs of systems in the right order.",
    ]
    if any(one.quantity == SOFT for one in correlations):
        scores = "segment scores as at WMT" if study.unit == "segment" else "document scores"
        legend.append(
            f"Soft acc.: agreement of the p-values of all pairs of systems, of means of {scores}; "
            f"soft corpus: of corpus scores."
        )
    return study_report(
        study,
        resampling,
        experiment="system",
        title="Metrics against human judgments of systems",
        summary=intervals_drawn(study, resampling, correlations),
        parts=[
            *(
                _coefficients(
                    f"System level: {criterion.name}",
                    [record for record in correlations if record.criterion == criterion.name],
                    decimals,
                )
                for criterion in study.criteria
            ),
            Chart("systems", lambda: system_panels(study)),
            Chart("pairs", lambda: pair_panels(study)),
        ],
        legend=legend,
        notes=notes,
        records=[correlation_record(record, "system") for record in correlations],
    )


def of_segments(
    study: Study,
    results: tuple[list[Correlation], list[Note]],
    resampling: Resampling,
    decimals: int = 2,
) -> Report:
    """Correlations over segments: metrics down, coefficients across, a table per grouping."""
    correlations, notes = results
    unit = UNITS[study.unit]
    captions = {
        "none": "all outputs together",
        "item": f"the systems' outputs for one {unit}, mean over {unit}s",
        "system": "the outputs of one system, mean over systems",
    }
    groupings = dict.fromkeys(record.grouping for record in correlations)
    legend = [
        "Accuracy: share of pairs in the right order; a tie of the human scores must be a tie of "
        "the metric.",
        "Calibrated: the same when differences of at most eps count as ties, with the best eps.",
    ]
    if any(record.interval for record in correlations):
        drawn = DRAWN[resampling.draw]
        legend = [f"{ends_of(resampling)}; only the grouping {drawn} has any.", *legend]
    return study_report(
        study,
        resampling,
        experiment=study.unit,
        title=f"Metrics against human judgments of {unit}s",
        summary=intervals_drawn(study, resampling, correlations),
        parts=[
            *(
                _coefficients(
                    f"{criterion.name}, grouping {grouping}: {captions[grouping]}",
                    [
                        record
                        for record in correlations
                        if (record.criterion, record.grouping) == (criterion.name, grouping)
                    ],
                    decimals,
                )
                for criterion in study.criteria
                for grouping in groupings
            ),
            Chart("outputs", lambda: output_panels(study)),
        ],
        legend=legend,
        notes=notes,
        records=[correlation_record(record, study.unit) for record in correlations],
    )


def ends_of(resampling: Resampling, *, soft: bool = False) -> str:
    """Explain the columns of the ends of intervals."""
    kind = INTERVAL_NAMES[resampling.kind()]
    text = f"L, U: ends of the {kind} interval"
    of_soft = INTERVAL_NAMES[resampling.kind(SOFT)]
    if soft and of_soft != kind:
        text += f" (soft acc.: {of_soft})"
    if resampling.draw != "segments" and resampling.interval is None:
        text += (
            "; with few systems those of Fisher's z, or for means Student's t, if they are wider; "
            "none if a coefficient is the same on all resamples"
        )
    return text


def intervals_drawn(
    study: Study, resampling: Resampling, correlations: Iterable[Correlation | ReferenceCount]
) -> str:
    """Say how intervals were drawn, if there are any, and that higher is better."""
    unit = UNITS[study.unit]
    what = {"segments": f"{unit}s", "systems": "systems", "both": f"{unit}s and systems"}
    drawn = (
        f"{resampling.level:g}% {INTERVAL_NAMES[resampling.kind()]} intervals "
        f"from {resampling.n} "
        f"resamples of "
        f"{what[resampling.draw]}, seed {resampling.seed}"
    )
    if not any(record.interval for record in correlations):
        drawn = "no intervals"
    return f"; {drawn}. Higher coefficients are better, also for error rates."


def _coefficients(caption: str, correlations: Sequence[Correlation], decimals: int) -> Table:
    """Metrics down, the quantities that were computed across."""
    by_metric: dict[tuple[str, str], dict[str, Correlation]] = {}
    for record in correlations:
        by_metric.setdefault((record.metric, record.set), {})[record.quantity] = record
    columns: list[Column] = []
    for quantity, heads in SHOWN.items():
        of_quantity = [of_metric.get(quantity) for of_metric in by_metric.values()]
        if any(of_quantity):
            columns += correlation_columns(heads, of_quantity, decimals)
    return Table(caption, *metric_rows(list(by_metric)), tuple(columns))


def correlation_columns(
    heads: tuple[str, str],
    correlations: Sequence[Correlation | None],
    decimals: int,
    *,
    marks: bool = False,
) -> list[Column]:
    """Columns of the values and, where there are any, of interval ends and thresholds.

    Parameters
    ----------
    heads : tuple of str
        The group of the columns and the title of the values.
    correlations : sequence of Correlation or None
        One per row; None leaves the cells of a row empty.
    decimals : int
        Digits after the decimal point.
    marks : bool
        Whether the rows compete.
    """
    group, title = heads
    columns = [
        Column((title,), tuple(_value(r, decimals, marks=marks) for r in correlations), group)
    ]
    present = [r for r in correlations if r is not None]
    if any(r.interval is not None for r in present):
        both = [("", "") if r is None else ends(r.interval, decimals) for r in correlations]
        low, high = zip(*both, strict=True)
        columns += [Column.of("L", low, group), Column.of("U", high, group)]
    if any(r.epsilon is not None for r in present):
        thresholds = [_threshold(r, decimals) for r in correlations]
        columns.append(Column.of("eps", thresholds, group))
    return columns


def _value(correlation: Correlation | None, decimals: int, *, marks: bool) -> Cell:
    text = "" if correlation is None else number(correlation.value, decimals)
    if not marks:
        return Cell((text,))
    return Cell((text,), MARKS["" if correlation is None else correlation.mark])


def _threshold(correlation: Correlation | None, decimals: int) -> str:
    if correlation is None or correlation.epsilon is None:
        return ""
    return number(correlation.epsilon, decimals)


def correlation_record(correlation: Correlation, level: str) -> dict[str, object]:
    """Fields of a correlation for the formats for machines."""
    record = asdict(correlation)
    record["ci"] = record.pop("interval")
    return {"level": level, **record}
