"""Reports on what metrics are worth: results of `mteval_core.metaeval` as tables and records."""

from __future__ import annotations

import hashlib
import json as json_module
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import mteval_core
from mteval_core.metaeval.experiments import DIFFERENTIALS, SOFT, WITHOUT_OUTLIERS
from mteval_core.metaeval.segments import CALIBRATED
from mteval_core.report import correlation_tables
from mteval_core.report.correlation_tables import Column, Document, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mteval_core.metaeval.agreement import Agreement
    from mteval_core.metaeval.curves import Point
    from mteval_core.metaeval.experiments import Correlation, Resampling
    from mteval_core.metaeval.judgments import Judgments
    from mteval_core.metaeval.ranking import Ranking
    from mteval_core.metaeval.study import Study
    from mteval_core.resampling import Interval
    from mteval_core.text.corpus import Corpus

__all__ = [
    "FORMATS",
    "Findings",
    "of_agreement",
    "of_curve",
    "of_rankings",
    "of_segments",
    "of_systems",
    "of_table",
]

DASH = "–"
MARKS = ("* best", "~ not significantly different from the best")
SHORT = {"pearson": "P", "spearman": "S", "kendall": "K"}
LONG = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
SETS = {"case": "Case", "nocase": "NoCase", "stem": "Stem"}
JUDGES = "(judge against judge)"

FEW = 12
"""More signatures than these are left to the formats for machines."""


@dataclass(frozen=True)
class Findings:
    """Results of one experiment, for people and machines.

    Parameters
    ----------
    experiment : str
        Its name.
    document : Document
        What people read.
    records : list of dict
        What machines read, unrounded; NaN is None.
    settings : mapping
        How it was done.
    inputs : mapping
        Paths and fingerprints of the texts.
    signatures : tuple of str
        What it takes to compute the scores again, where these are too many for people.
    """

    experiment: str
    document: Document
    records: list[dict[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    signatures: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything that the JSON format writes."""
        return {
            "mteval": mteval_core.__version__,
            "experiment": self.experiment,
            "inputs": dict(self.inputs),
            "settings": dict(self.settings),
            "records": self.records,
            "notes": list(self.document.notes),
            "signatures": list(self.signatures or self.document.signatures),
        }


def json(findings: Findings, _width: int = 0) -> str:
    """Write everything as one object."""
    return (
        json_module.dumps(findings.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    )


def _document(write: Callable[[Document, int], str]) -> Callable[[Findings, int], str]:
    return lambda findings, width: write(findings.document, width)


FORMATS: dict[str, Callable[[Findings, int], str]] = {
    "text": _document(correlation_tables.text),
    "markdown": _document(correlation_tables.markdown),
    "latex": _document(correlation_tables.latex),
    "html": _document(correlation_tables.html),
    "json": json,
}
"""How findings are written: function of the findings and the width of the page in characters."""


def number(value: float, decimals: int) -> str:
    """Write a number; a dash if it is not defined."""
    if math.isnan(value):
        return DASH
    # Not "-0.00".
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def _ends(interval: Interval | None, decimals: int) -> tuple[str, str]:
    if interval is None:
        return DASH, DASH
    return number(interval.low, decimals), number(interval.high, decimals)


def _plain(value: Any) -> Any:
    """Make a value one that JSON can hold."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _signatures(study: Study) -> tuple[str, ...]:
    return tuple(dict.fromkeys(measure.signature for measure in study.measures))


def _inputs(study: Study) -> dict[str, Any]:
    return {
        "references": [
            {"path": s.path, "sha256": hashlib.sha256(s.buffer).hexdigest()}
            for s in study.corpus.references
        ],
        "systems": list(study.systems),
        **_human(study.judgments),
    }


def _human(judgments: Judgments) -> dict[str, Any]:
    return {"human": [{"path": path, "sha256": digest} for path, digest in judgments.sources]}


def _size(study: Study) -> str:
    n_references = len(study.corpus.references)
    parts = [
        _count(len(study.systems), "system"),
        _count(len(study.units), "document" if study.unit == "doc" else "segment"),
        _count(n_references, "reference"),
    ]
    return ", ".join(parts)


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _drawn(study: Study, resampling: Resampling) -> str:
    if not resampling.n:
        return "no intervals"
    units = "documents" if study.unit == "doc" else "segments"
    what = {"segments": units, "systems": "systems", "both": f"{units} and systems"}
    return (
        f"{resampling.level:g}% intervals from {resampling.n} resamples of "
        f"{what[resampling.draw]}, seed {resampling.seed}"
    )


def _record(correlation: Correlation, level: str) -> dict[str, Any]:
    record = asdict(correlation)
    record["ci"] = record.pop("interval")
    plain: dict[str, Any] = _plain({"level": level, **record})
    return plain


def _findings(
    experiment: str,
    study: Study,
    resampling: Resampling,
    document: Document,
    records: list[dict[str, Any]],
    **settings: Any,
) -> Findings:
    return Findings(
        experiment,
        document,
        records,
        {**asdict(resampling), "unit": study.unit, **settings},
        _inputs(study),
    )


Key = tuple[str, str]


def _by_key(found: Iterable[Correlation], criterion: str) -> dict[Key, dict[str, Correlation]]:
    """Correlations of a criterion by metric and set, then by quantity (and grouping)."""
    result: dict[Key, dict[str, Correlation]] = {}
    for record in found:
        if record.criterion == criterion:
            name = f"{record.quantity} {record.grouping}".rstrip()
            result.setdefault((record.metric, record.set), {})[name] = record
    return result


def _columns(
    group: str,
    titles: tuple[str, str, str],
    records: Sequence[Correlation | None],
    decimals: int,
    *,
    marks: bool = False,
) -> list[Column]:
    """Give the value and, if any has one, the two ends of its interval."""
    values = tuple("" if r is None else number(r.value, decimals) for r in records)
    given = tuple("" if r is None else r.mark for r in records) if marks else ()
    columns = [Column(group, titles[0], values, given)]
    if any(r is not None and r.interval is not None for r in records):
        ends = [("", "") if r is None else _ends(r.interval, decimals) for r in records]
        columns += [
            Column(group, title, tuple(end[k] for end in ends))
            for k, title in enumerate(titles[1:])
        ]
    return columns


def _row_names(keys: Iterable[Key]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    keys = list(keys)
    if any(name for _, name in keys):
        return ("metric", "set"), tuple((metric, SETS.get(name, name)) for metric, name in keys)
    return ("metric",), tuple((metric,) for metric, _ in keys)


def of_systems(
    study: Study,
    found: tuple[list[Correlation], list[str]],
    resampling: Resampling,
    decimals: int = 2,
) -> Findings:
    """Correlations over systems: metrics down, coefficients across, a table per criterion."""
    correlations, notes = found
    shown = {
        **LONG,
        WITHOUT_OUTLIERS: "no outliers",
        DIFFERENTIALS: "differences",
        "pairwise accuracy": "accuracy",
        SOFT: "soft acc.",
    }
    tables = []
    for criterion in study.criteria:
        rows = _by_key(correlations, criterion.name)
        heads, names = _row_names(rows)
        columns: list[Column] = []
        for quantity, title in shown.items():
            records = [of_metric.get(quantity) for of_metric in rows.values()]
            if any(records):
                value = {"pearson": "r", "spearman": "rho", "kendall": "tau"}.get(quantity, "")
                columns += _columns(title, (value, "L", "U"), records, decimals)
        tables.append(Table(f"System level: {criterion.name}", heads, names, tuple(columns)))
    legend = ["L, U: ends of the interval."] if resampling.n else []
    legend += [
        "Differences: Pearson's coefficient of the score differences of all pairs of systems.",
        "Accuracy: share of pairs of systems in the right order; soft: by p-values of both.",
    ]
    document = Document(
        "Metrics against human judgments of systems",
        f"{_size(study)}; {_drawn(study, resampling)}. Higher is better in every column, "
        f"also for error rates.",
        tuple(tables),
        tuple(legend),
        (*study.notes, *notes),
        _signatures(study),
    )
    tidy = [_record(correlation, "system") for correlation in correlations]
    return _findings("system", study, resampling, document, tidy)


def of_segments(
    study: Study,
    found: tuple[list[Correlation], list[str]],
    resampling: Resampling,
    decimals: int = 2,
) -> Findings:
    """Correlations over segments: metrics down, coefficients across, a table per grouping."""
    correlations, notes = found
    captions = {
        "none": "all outputs together",
        "item": f"the systems' outputs for one {study.unit}, mean over {study.unit}s",
        "system": "the outputs of one system, mean over systems",
    }
    shown = {**LONG, "pairwise accuracy": "accuracy", CALIBRATED: "calibrated"}
    tables = []
    groupings = list(dict.fromkeys(record.grouping for record in correlations))
    for criterion in study.criteria:
        rows = _by_key(correlations, criterion.name)
        heads, names = _row_names(rows)
        for grouping in groupings:
            columns: list[Column] = []
            for quantity, title in shown.items():
                records = [of_metric.get(f"{quantity} {grouping}") for of_metric in rows.values()]
                value = {"pearson": "r", "spearman": "rho", "kendall": "tau"}.get(quantity, "")
                columns += _columns(title, (value, "L", "U"), records, decimals)
            thresholds = tuple(
                number(of_metric[f"{CALIBRATED} {grouping}"].epsilon or 0.0, decimals)
                for of_metric in rows.values()
            )
            columns.append(Column("calibrated", "eps", thresholds))
            caption = f"{criterion.name}, grouping {grouping}: {captions[grouping]}"
            tables.append(Table(caption, heads, names, tuple(columns)))
    legend = ["L, U: ends of the interval."] if resampling.n else []
    legend += [
        "Accuracy: share of pairs in the right order, human ties to be ties of the metric.",
        "Calibrated: the same when differences of at most eps count as ties, with the best eps.",
    ]
    document = Document(
        f"Metrics against human judgments of {study.unit}s",
        f"{_size(study)}; {_drawn(study, resampling)}. Higher is better in every column, "
        f"also for error rates.",
        tuple(tables),
        tuple(legend),
        (*study.notes, *notes),
        _signatures(study),
    )
    tidy = [_record(correlation, study.unit) for correlation in correlations]
    return _findings(study.unit, study, resampling, document, tidy)


def of_table(
    study: Study,
    found: tuple[list[Correlation], list[str]],
    resampling: Resampling,
    decimals: int = 2,
) -> Findings:
    """Give the table of Lin and Och: metrics down, sets across, a block per criterion."""
    correlations, notes = found
    sets = list(dict.fromkeys(measure.set for measure in study.measures))
    metrics = list(dict.fromkeys(measure.name for measure in study.measures))
    quantities = dict.fromkeys(record.quantity for record in correlations)
    coefficients = [quantity for quantity in quantities if quantity in SHORT]
    tables = []
    for criterion in study.criteria:
        rows = _by_key(correlations, criterion.name)
        columns: list[Column] = []
        for name in sets:
            for coefficient in coefficients:
                records = [rows.get((metric, name), {}).get(coefficient) for metric in metrics]
                titles = (SHORT[coefficient], "L", "U")
                group = SETS.get(name, name)
                columns += _columns(group, titles, records, decimals, marks=True)
        for name in sets:
            records = [rows.get((m, name), {}).get(WITHOUT_OUTLIERS) for m in metrics]
            if any(records):
                columns += _columns(
                    "P without outliers", (SETS.get(name, name), "", ""), records, decimals
                )
        names = tuple((metric,) for metric in metrics)
        tables.append(Table(criterion.name, ("metric",), names, tuple(columns)))
    shown = ", ".join(f"{SHORT[c]} {LONG[c]}" for c in coefficients)
    legend = [f"{shown}; L, U: ends of the interval." if resampling.n else f"{shown}."]
    legend.append(f"{MARKS[0]} of the column, {MARKS[1]} (bootstrap of the difference)")
    if any(not rows.get((m, s)) for m in metrics for s in sets):
        legend.append("Empty: this way of looking at the texts changes nothing for the metric.")
    document = Document(
        "Correlation of metrics with human judgments",
        f"{_size(study)}; {_drawn(study, resampling)}. Higher is better in every column, "
        f"also for error rates.",
        tuple(tables),
        tuple(legend),
        (*study.notes, *notes),
        _signatures(study),
    )
    tidy = [_record(correlation, "system") for correlation in correlations]
    return _findings("table", study, resampling, document, tidy, sets=sets)


def of_rankings(
    study: Study,
    found: tuple[list[Ranking], list[str]],
    resampling: Resampling,
    decimals: int = 2,
    alpha: float = 0.05,
) -> Findings:
    """Ranks of metrics and p-values of all pairs, a table of each per criterion."""
    rankings, notes = found
    tables = []
    for ranking in rankings:
        n = len(ranking.metrics)
        numbers = tuple(str(k) for k in range(1, n + 1))
        what = LONG.get(ranking.coefficient, ranking.coefficient)
        p = {(c.better, c.worse): c.p_value for c in ranking.comparisons}
        columns = [
            Column("", "rank", tuple(DASH if k is None else str(k) for k in ranking.ranks)),
            Column("", what, tuple(number(v, decimals) for v in ranking.values)),
        ]
        columns += [
            Column(
                "p against the metric of line",
                numbers[k],
                tuple(
                    _p(p[metric, other], alpha) if (metric, other) in p else ""
                    for metric in ranking.metrics
                ),
            )
            for k, other in enumerate(ranking.metrics)
            if k
        ]
        names = tuple(zip(numbers, ranking.metrics, strict=True))
        tables.append(Table(ranking.criterion, ("line", "metric"), names, tuple(columns)))
    one = rankings[0]
    test = {
        "williams": "Williams' test",
        "perm-both": "PERM-BOTH permutation test",
        "bootstrap": "paired bootstrap",
    }[one.test]
    sided = "one-sided" if one.alternative == "greater" else "two-sided"
    corrected = {"holm": "Holm's", "bh": "Benjamini and Hochberg's"}.get(one.correction)
    on = f"{study.unit}s, grouping {one.grouping}" if one.grouping else "systems"
    drawn = (
        ""
        if one.test == "williams"
        else f", {resampling.n} {'trials' if one.test == 'perm-both' else 'resamples'}, "
        f"seed {resampling.seed}"
    )
    document = Document(
        "Which metric is better?",
        f"{_size(study)}. {LONG.get(one.coefficient, one.coefficient)} on {on}; {test}, "
        f"{sided}{drawn}, {f'{corrected} correction' if corrected else 'no correction'} for "
        f"{_count(math.comb(len(one.metrics), 2), 'pair')}.",
        tuple(tables),
        (
            "A new rank begins with the first metric that a metric of the rank before is "
            "significantly better than.",
            f"p: that the metric is better than that of the line by chance; * at most {alpha:g}.",
        ),
        (*study.notes, *notes),
        _signatures(study),
    )
    records = [_plain(asdict(ranking)) for ranking in rankings]
    return _findings("ranking", study, resampling, document, records, alpha=alpha)


def _p(p: float, alpha: float) -> str:
    return (DASH if math.isnan(p) else f"{p:.3f}") + ("*" if p <= alpha else " ")


def of_curve(
    studies: Sequence[Study],
    corpus: Corpus,
    found: tuple[list[Point], list[str]],
    resampling: Resampling,
    coefficient: str,
    documents: int,
    decimals: int = 2,
) -> Findings:
    """Correlation on documents of growing length: lengths down, metrics across.

    Parameters
    ----------
    studies : sequence of Study
        One for each choice of references.
    corpus : Corpus
        All references.
    found, resampling, coefficient, documents, decimals
        The points with their notes, and how they were made.
    """
    study = replace(studies[0], corpus=corpus)
    signatures = tuple(dict.fromkeys(line for one in studies for line in _signatures(one)))
    points, notes = found
    tables = []
    lengths = list(dict.fromkeys(point.length for point in points))
    sizes = list(dict.fromkeys(point.n_references for point in points if point.metric))
    for criterion in study.criteria:
        for size in sizes:
            here = [
                point
                for point in points
                if point.criterion == criterion.name and point.n_references in (size, 0)
            ]
            columns: list[Column] = []
            for metric, name in dict.fromkeys((p.metric, p.set) for p in here):
                by_length = {p.length: p for p in here if (p.metric, p.set) == (metric, name)}
                title = f"{metric} ({SETS.get(name, name)})" if name else metric or JUDGES
                some = [by_length[length] for length in lengths]
                ends = [_ends(p.interval(resampling.level), decimals) for p in some]
                marks = tuple(p.mark for p in some)
                values = tuple(number(p.mean, decimals) for p in some)
                columns += [
                    Column(title, "mean", values, marks if metric else ()),
                    Column(title, "L", tuple(low for low, _ in ends)),
                    Column(title, "U", tuple(high for _, high in ends)),
                ]
            caption = f"{criterion.name}, {_choices(study, size)}"
            names = tuple((str(length),) for length in lengths)
            tables.append(Table(caption, ("segments",), names, tuple(columns)))
    document = Document(
        "Metrics on documents of growing length",
        f"{_size(study)}. {LONG[coefficient]} over systems on {documents} pseudo-documents of each "
        f"length, seed {resampling.seed}: the mean, and where {resampling.level:g}% of the "
        f"documents lie (L, U).",
        tuple(tables),
        (f"{MARKS[0]} mean at a length, {MARKS[1]} (Wilcoxon's signed ranks, Holm's correction)",),
        (*study.notes, *notes),
        signatures if len(signatures) <= FEW else (),
    )
    records = [
        _plain(
            {
                "metric": p.metric or None,
                "set": p.set,
                "criterion": p.criterion,
                "n_references": p.n_references or None,
                "length": p.length,
                "coefficient": coefficient,
                "mean": p.mean,
                "standard_error": p.standard_error,
                "ci": None
                if (interval := p.interval(resampling.level)) is None
                else asdict(interval),
                "n": p.n,
                "mark": p.mark,
                "p_value": p.p_value,
            }
        )
        for p in points
    ]
    findings = _findings(
        "curve", study, resampling, document, records, coefficient=coefficient, documents=documents
    )
    return replace(findings, signatures=signatures)


def _choices(study: Study, size: int) -> str:
    n = len(study.corpus.references)
    choices = math.comb(n, size)
    if choices == 1:
        return _count(size, "reference")
    return f"{_count(size, 'reference')} ({choices} choices of {n})"


def of_agreement(
    found: list[Agreement], judgments: Judgments, decimals: int = 2, most: int = 40
) -> Findings:
    """Agreement of raters: a summary, then raters and pairs of raters per criterion."""
    names = tuple((one.criterion,) for one in found)

    def column(group: str, title: str, cells: Iterable[str]) -> Column:
        return Column(group, title, tuple(cells))

    def numbers(group: str, title: str, key: str) -> Column:
        return column(group, title, (number(getattr(one, key), decimals) for one in found))

    pooled = "all pairs of judgments"
    columns = [
        column("outputs", "judged twice", (str(one.n_shared) for one in found)),
        column(pooled, "n", (str(one.n_pooled) for one in found)),
        numbers(pooled, "P", "pearson"),
        numbers(pooled, "S", "spearman"),
        numbers(pooled, "P of z", "pearson_z"),
        numbers(pooled, "S of z", "spearman_z"),
        column("pairs of raters", "n", (str(len(one.pairs)) for one in found)),
        numbers("pairs of raters", "P", "mean_pearson"),
        numbers("pairs of raters", "S", "mean_spearman"),
        numbers("Krippendorff", "alpha", "alpha"),
        numbers("Krippendorff", "of z", "alpha_z"),
    ]
    if any(one.n_repeated for one in found):
        columns += [
            column("same rater again", "n", (str(one.n_repeated) for one in found)),
            numbers("same rater again", "P", "intra_pearson"),
            numbers("same rater again", "S", "intra_spearman"),
        ]
    tables = [Table("Agreement", ("criterion",), names, tuple(columns))]
    notes = []
    for one in found:
        if not one.n_shared:
            notes.append(f"{one.criterion}: no output was judged by two raters.")
        if len(one.raters) <= most:
            cells = [
                ("n", [str(r.n) for r in one.raters]),
                ("mean", [number(r.mean, decimals) for r in one.raters]),
                ("sd", [number(r.deviation, decimals) for r in one.raters]),
            ]
            rows = tuple((rater.rater,) for rater in one.raters)
            tables.append(
                Table(
                    f"{one.criterion}: raters",
                    ("rater",),
                    rows,
                    tuple(column("", title, some) for title, some in cells),
                )
            )
        if one.pairs and len(one.pairs) <= most:
            cells = [
                ("shared", [str(p.n) for p in one.pairs]),
                ("P", [number(p.pearson, decimals) for p in one.pairs]),
                ("S", [number(p.spearman, decimals) for p in one.pairs]),
            ]
            pair_names = tuple((p.first, p.second) for p in one.pairs)
            tables.append(
                Table(
                    f"{one.criterion}: pairs of raters",
                    ("rater", "and"),
                    pair_names,
                    tuple(column("", title, some) for title, some in cells),
                )
            )
        if max(len(one.raters), len(one.pairs)) > most:
            notes.append(
                f"{one.criterion}: {len(one.raters)} raters and {len(one.pairs)} pairs of raters; "
                f"-f json lists them all."
            )
        few = sum(1 for pair in one.pairs if pair.n < 10)
        if few:
            notes.append(
                f"{one.criterion}: {few} of {len(one.pairs)} pairs of raters share fewer than 10 "
                f"outputs: the mean over pairs of raters is of little use."
            )
    document = Document(
        "Agreement of raters",
        "P Pearson, S Spearman. All pairs of judgments of an output are taken together, in both "
        "orders; of z: after each rater's scores were given the mean 0 and the standard deviation "
        "1. The coefficients of pairs of raters do not change by that.",
        tuple(tables),
        (),
        tuple(notes),
    )
    records = [_plain(asdict(one)) for one in found]
    return Findings("agreement", document, records, inputs=_human(judgments))
