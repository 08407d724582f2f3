"""Findings of experiments, for people and machines: what all experiments have in common."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from mteval_core.report.notes import UNITS, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mteval_core.evaluation.resampling import Interval
    from mteval_core.metaeval.experiments import Resampling
    from mteval_core.metaeval.judgments import Judgments
    from mteval_core.metaeval.notes import Note
    from mteval_core.metaeval.study import Study
    from mteval_core.report.correlation_tables import Table

__all__ = ["UNITS", "Findings"]

DASH = "–"
MARKS = ("* best", "~ not significantly different from the best")
COEFFICIENTS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
SETS = {"case": "Case", "nocase": "NoCase", "stem": "Stem"}


@dataclass(frozen=True)
class Findings:
    """Results of one experiment.

    Parameters
    ----------
    experiment : str
        Its name.
    title : str
        What was done, for people.
    summary : str
        On what and how.
    tables : sequence of Table
        The numbers.
    legend : sequence of str
        What the symbols mean, a sentence each.
    notes : sequence of str
        What the reader must know, a sentence or two each.
    records : list of dict
        The numbers for machines, unrounded; NaN is None.
    settings : mapping
        How it was done.
    inputs : mapping
        Paths and fingerprints of the texts.
    signatures : tuple of str
        What it takes to compute the scores again.
    """

    experiment: str
    title: str
    summary: str
    tables: Sequence[Table]
    legend: Sequence[str]
    notes: Sequence[str]
    records: list[dict[str, Any]]
    settings: Mapping[str, Any]
    inputs: Mapping[str, Any]
    signatures: tuple[str, ...] = ()


def of_study(
    study: Study,
    resampling: Resampling,
    experiment: str,
    title: str,
    summary: str,
    tables: Sequence[Table],
    legend: Sequence[str],
    notes: Sequence[Note],
    records: Iterable[dict[str, Any]],
    **settings: Any,
) -> Findings:
    """Add the size, notes, inputs and signatures of a study to what was found."""
    size = [
        count(len(study.systems), "system"),
        count(len(study.units), UNITS[study.unit]),
        count(len(study.inputs["references"]), "reference"),
    ]
    return Findings(
        experiment,
        title,
        f"{', '.join(size)}{summary}",
        tables,
        legend,
        [sentence(note) for note in (*study.notes, *notes)],
        [plain(record) for record in records],
        {**asdict(resampling), "unit": study.unit, **settings},
        {**study.inputs, **human(study.judgments)},
        tuple(dict.fromkeys(measure.signature for measure in study.measures)),
    )


def human(judgments: Judgments) -> dict[str, Any]:
    """Paths and fingerprints of the tables of human scores."""
    return {"human": [{"path": path, "sha256": digest} for path, digest in judgments.sources]}


def plain(value: Any) -> Any:
    """Make a value one that JSON can hold."""
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def number(value: float, decimals: int) -> str:
    """Write a number; a dash if it is not defined."""
    if math.isnan(value):
        return DASH
    # Not "-0.00".
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def ends(interval: Interval | None, decimals: int) -> tuple[str, str]:
    """Write the ends of an interval; dashes if there is none."""
    if interval is None:
        return DASH, DASH
    return number(interval.low, decimals), number(interval.high, decimals)


def count(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
