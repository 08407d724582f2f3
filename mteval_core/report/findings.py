"""What the reports of all experiments of ``mteval correlate`` have in common."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from mteval_core._version import __version__
from mteval_core.report.notes import UNITS, sentence
from mteval_core.report.report import Meaning, Report
from mteval_core.report.symbols import DASH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mteval_core.data.judgments import Judgments
    from mteval_core.evaluation.intervals import Interval
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.resampling import Resampling
    from mteval_core.metaeval.results import Mark as Competition
    from mteval_core.metaeval.study import Study
    from mteval_core.report.grid import Mark, Table

__all__ = [
    "COEFFICIENTS",
    "MARKS",
    "SETS",
    "count",
    "ends",
    "experiment_report",
    "human_inputs",
    "metric_rows",
    "number",
    "study_report",
]

COEFFICIENTS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
SETS = {"case": "Case", "nocase": "NoCase", "stem": "Stem"}
MARKS: Mapping[Competition, Mark] = {"best": "best", "equal": "equal", "": "worse"}

MANY_SIGNATURES = 40
"""If there are more, only the formats for machines list them."""


def study_report(
    study: Study,
    resampling: Resampling,
    *,
    experiment: str,
    title: str,
    summary: str,
    tables: Sequence[Table],
    records: Iterable[Mapping[str, object]],
    legend: Sequence[tuple[Meaning, ...]],
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
    experiment, title, summary, tables, records, legend, notes, settings, signatures
        As `experiment_report` takes them.
    """
    sizes = [
        count(len(study.systems), "system"),
        count(len(study.units), UNITS[study.unit]),
        count(len(study.inputs["references"]), "reference"),
    ]
    if signatures is None:
        signatures = (measure.signature for measure in study.measures)
    return experiment_report(
        experiment=experiment,
        title=title,
        summary=f"{', '.join(sizes)}{summary}",
        tables=tables,
        records=records,
        inputs={**study.inputs, **human_inputs(study.judgments)},
        legend=legend,
        notes=[sentence(note) for note in (*study.notes, *notes)],
        settings={**asdict(resampling), "unit": study.unit, **(settings or {})},
        signatures=signatures,
    )


def experiment_report(
    *,
    experiment: str,
    title: str,
    summary: str,
    tables: Sequence[Table],
    records: Iterable[Mapping[str, object]],
    inputs: Mapping[str, object],
    legend: Sequence[tuple[Meaning, ...]] = (),
    notes: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    signatures: Iterable[str] = (),
) -> Report:
    """Report an experiment.

    Parameters
    ----------
    experiment : str
        Its name in the formats for machines.
    title, summary, tables, legend, notes
        As in `Report`.
    records : iterable of mapping
        The numbers; those that are not finite become None.
    inputs : mapping
        Paths and hashes of the texts and judgments.
    settings : mapping, optional
        How the experiment was done.
    signatures : iterable of str
        Signatures of all scores; repeated ones are listed once.
    """
    plain_records = [{key: _plain(value) for key, value in r.items()} for r in records]
    distinct = tuple(dict.fromkeys(signatures))
    many = len(distinct) > MANY_SIGNATURES
    if many:
        legend = [*legend, (Meaning(f"{len(distinct)} signatures: -f json lists them all."),)]

    def data(report: Report) -> Mapping[str, object]:
        return {
            "mteval": __version__,
            "experiment": experiment,
            "inputs": inputs,
            "settings": report.settings,
            "records": report.records,
            "notes": report.notes,
            "signatures": distinct,
        }

    return Report(
        title,
        make_tables=lambda: tables,
        make_records=lambda: plain_records,
        make_data=data,
        summary=summary,
        legend=legend,
        notes=notes,
        signatures=() if many else distinct,
        settings=settings or {},
    )


def human_inputs(judgments: Judgments) -> dict[str, object]:
    """Paths and hashes of the tables of human scores."""
    return {"human": [{"path": path, "sha256": digest} for path, digest in judgments.sources]}


def _plain(value: object) -> object:
    """Replace what JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def metric_rows(
    names: Sequence[tuple[str, str]],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Heads and names of the rows of metrics with their sets, if there are any."""
    if not any(name for _, name in names):
        return ("metric",), tuple((metric,) for metric, _ in names)
    return ("metric", "set"), tuple((metric, SETS.get(name, name)) for metric, name in names)


def number(value: float, decimals: int) -> str:
    """Write a number; a dash if it is not defined."""
    if math.isnan(value):
        return DASH
    # Adding zero turns "-0.00" into "0.00".
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def ends(interval: Interval | None, decimals: int) -> tuple[str, str]:
    """Write the ends of an interval; dashes if there is none."""
    if interval is None:
        return DASH, DASH
    return number(interval.low, decimals), number(interval.high, decimals)


def count(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
