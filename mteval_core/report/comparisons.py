"""Tables of differences between systems, the significant ones marked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mteval_core.evaluation.p_values import SIGNIFICANT
from mteval_core.evaluation.records import are_all_pairs
from mteval_core.metrics.titles import title_of, untitled_options
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.report import Meaning
from mteval_core.report.symbols import ARROWS, INTERVAL_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report.grid import Mark
    from mteval_core.report.layout import Layout

__all__ = [
    "all_pairs",
    "difference",
    "equivalences",
    "margin_of",
    "meaning_of_significance",
    "meanings_of_comparisons",
    "metric_heads",
    "resampled_units",
    "to_baseline",
]

TESTS = {
    "ar": "paired approximate randomisation, {} trials",
    "bs": "paired bootstrap, {} resamples",
}
CORRECTION_NAMES = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "maxt": "family-wise by max-T",
    "none": "not corrected",
}

NOT_COMPARED = Cell(("·",))


def metric_heads(evaluation: Evaluation, spec: str) -> tuple[str, ...]:
    """Name of a metric with its direction, and the options of its spec that the name lacks."""
    scorer = evaluation.scorers[spec]
    name = f"{title_of(scorer)} {ARROWS[scorer.declaration.better]}"
    if scorer.setup.title is not None:
        return (name,)
    options = [f"{key}={'+'.join(items)}" for key, items in untitled_options(scorer).items()]
    if scorer.spec.distribution is not None:
        options.insert(0, scorer.spec.distribution)
    return (name, *options)


def difference(
    evaluation: Evaluation, row: str, column: str, spec: str
) -> tuple[float, float] | None:
    """Score of one system minus that of another, and p; None if they were not compared."""
    for key, sign in (((row, column, spec), 1), ((column, row, spec), -1)):
        if key in evaluation.comparisons:
            comparison = evaluation.comparisons[key]
            return sign * comparison.difference, comparison.p_value
    return None


def to_baseline(evaluation: Evaluation, layout: Layout, order: Sequence[str]) -> Table:
    """Differences to the first system with intervals and p-values: systems down, metrics across."""
    baseline = evaluation.systems[0]
    systems = [system for system in order if system != baseline]

    def cell(system: str, spec: str) -> Cell:
        comparison = evaluation.comparisons[system, baseline, spec]
        low, high = comparison.interval.low, comparison.interval.high
        ends = (f"[{low:+.{layout.decimals}f},", f"{high:+.{layout.decimals}f}]")
        number = f"{comparison.difference:+.{layout.decimals}f}"
        written = written_p(comparison, comparison.p_value)
        return Cell((number, *ends, written), _mark(comparison.p_value))

    columns = tuple(
        Column(
            (*metric_heads(evaluation, spec), "difference [interval] p"),
            tuple(cell(system, spec) for system in systems),
        )
        for spec in evaluation.scorers
    )
    names = tuple((system,) for system in systems)
    return Table(f"Difference to {baseline}", ("system",), names, columns, name="differences")


def written_p(comparison: Comparison, p: float) -> str:
    """Write a p-value; the smallest one that the trials can give is an upper bound, ``<0.001``."""
    smallest = comparison.smallest_p
    if comparison.exact or p > smallest * (1 + 1e-9) or smallest >= 1:
        return f"{p:.4f}"
    digits = math.ceil(-math.log10(smallest))
    bound = math.ceil(smallest * 10**digits) / 10**digits
    return f"<{bound:.{digits}f}".rstrip("0")


def all_pairs(evaluation: Evaluation, layout: Layout, spec: str, systems: Sequence[str]) -> Table:
    """Differences between all systems under one metric: systems down and across."""

    def cell(row: str, column: str) -> Cell:
        compared = difference(evaluation, row, column, spec)
        if compared is None:
            return NOT_COMPARED
        value, p = compared
        return Cell((f"{value:+.{layout.decimals}f}",), _mark(p))

    columns = tuple(
        Column((other,), tuple(cell(system, other) for system in systems)) for other in systems
    )
    label = " ".join(metric_heads(evaluation, spec))
    names = tuple((system,) for system in systems)
    return Table(f"{label}: row minus column", ("",), names, columns, name="pairs")


def margin_of(evaluation: Evaluation) -> float | None:
    """Return the margin of the comparisons, if they have one."""
    found = (one.equivalence for one in evaluation.comparisons.values())
    return next((equivalence.margin for equivalence in found if equivalence), None)


def equivalences(evaluation: Evaluation, margin: float) -> Table:
    """P-values of being equivalent and of not being worse: pairs down, metrics across."""
    pairs = list(dict.fromkeys(key[:2] for key in evaluation.comparisons))

    def cell(key: tuple[str, str, str], claim: str) -> Cell:
        comparison = evaluation.comparisons[key]
        p: float = getattr(comparison.equivalence, claim)
        return Cell((written_p(comparison, p),), _mark(p))

    columns = tuple(
        Column(
            (claim.removeprefix("p_").replace("_", " "),),
            tuple(cell((*pair, spec), claim) for pair in pairs),
            " ".join(metric_heads(evaluation, spec)),
        )
        for spec in evaluation.scorers
        for claim in ("p_equivalent", "p_not_worse")
    )
    caption = f"P-values with a margin of {margin:g}"
    return Table(caption, ("system", "baseline"), tuple(pairs), columns, name="margins")


def _mark(p: float) -> Mark:
    return "significant" if p < SIGNIFICANT else "insignificant"


# Legend


def resampled_units(evaluation: Evaluation) -> str:
    """What is resampled, with which seed."""
    units = "documents" if "by" in evaluation.drawn else "segments"
    return f"{units}, seed {''.join(evaluation.drawn.get('seed', ()))}"


def meaning_of_significance(evaluation: Evaluation) -> Meaning:
    """Threshold and test behind the mark of significant differences."""
    comparison = next(iter(evaluation.comparisons.values()))
    test = TESTS[comparison.test].format(comparison.n)
    if comparison.exact:
        test = f"exact paired randomisation, all {comparison.n} exchanges"
    correction = CORRECTION_NAMES[comparison.correction]
    how = f"{test} of {resampled_units(evaluation)}, {correction}"
    return Meaning(f"p < {SIGNIFICANT} ({how})", "significant")


def meanings_of_comparisons(evaluation: Evaluation) -> list[Meaning]:
    """Explain the mark and the intervals of the differences, if there are any."""
    if not evaluation.comparisons:
        return []
    meanings = [meaning_of_significance(evaluation)]
    if not are_all_pairs(evaluation.comparisons):
        interval = next(iter(evaluation.comparisons.values())).interval
        resampler = "".join(evaluation.drawn.get("draw", ("bootstrap",)))
        drawn = f"{interval.n} {resampler} resamples of {resampled_units(evaluation)}"
        kind = f"{interval.level:g}% {INTERVAL_NAMES[interval.kind]} interval"
        meanings.append(Meaning(f"[ ] of a difference: {kind} from {drawn}"))
    margin = margin_of(evaluation)
    if margin is not None:
        text = (
            f"equivalent: a true difference of less than {margin:g}; not worse: the system loses "
            f"less than {margin:g} to the baseline (one-sided tests on the same resamples)"
        )
        meanings.append(Meaning(text))
    return meanings
