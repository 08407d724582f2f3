"""Parts that the reports of all experiments of ``mteval correlate`` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Report
from mteval_metaeval.reports.notes import sentence
from mteval_metaeval.reports.numbers import UNITS, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mteval_core import Judgments
    from mteval_core.report import CellMark, Chart, Meaning, Table
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.results import Mark as Competition
    from mteval_metaeval.study import Study

__all__ = [
    "COEFFICIENTS",
    "MARKS",
    "SETS",
    "human_inputs",
    "line_label",
    "metric_rows",
    "study_report",
]

COEFFICIENTS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
SETS = {"case": "Case", "nocase": "NoCase", "stem": "Stem"}
MARKS: Mapping[Competition, CellMark] = {"best": "best", "equal": "equal", "": "worse"}


def study_report(
    study: Study,
    resampling: Resampling,
    *,
    experiment: str,
    title: str,
    summary: str,
    parts: Sequence[Table | Chart],
    records: Iterable[Mapping[str, object]],
    legend: Sequence[str | Sequence[Meaning]],
    notes: Sequence[Note],
    settings: Mapping[str, object] | None = None,
    signatures: Iterable[str] | None = None,
) -> Report:
    """Report an experiment on a study.

    Parameters
    ----------
    study : Study
        Adds its size to the summary, its notes, its inputs, and its signatures unless others are
        passed.
    resampling : Resampling
        Goes into the settings.
    experiment, title, summary, parts, records, legend, notes, settings, signatures
        As `Report.of` takes them.
    """
    sizes = [
        count(len(study.systems), "system"),
        count(len(study.units), UNITS[study.unit]),
        count(len(study.inputs["references"]), "reference"),
    ]
    if signatures is None:
        signatures = (measure.signature for measure in study.measures)
    return Report.of(
        experiment=experiment,
        title=title,
        summary=f"{', '.join(sizes)}{summary}",
        parts=parts,
        records=records,
        inputs={**study.inputs, **human_inputs(study.judgments)},
        legend=legend,
        notes=[sentence(note) for note in (*study.notes, *notes)],
        settings={**resampling.settings(), "unit": study.unit, **(settings or {})},
        signatures=signatures,
    )


def human_inputs(judgments: Judgments) -> dict[str, object]:
    """Paths and hashes of the tables of human scores."""
    return {"human": [{"path": path, "sha256": digest} for path, digest in judgments.sources]}


def metric_rows(
    names: Sequence[tuple[str, str]],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Heads and names of the rows of metrics with their sets, if there are any."""
    if not any(name for _, name in names):
        return ("metric",), tuple((metric,) for metric, _ in names)
    return ("metric", "set"), tuple((metric, SETS.get(name, name)) for metric, name in names)


def line_label(metric: str, name: str) -> str:
    """Name of a line of the curve: the metric and the set, or the judges."""
    if not metric:
        return "judge against judge"
    return f"{metric} ({SETS.get(name, name)})" if name else metric
