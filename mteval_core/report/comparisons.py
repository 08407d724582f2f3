"""Differences between systems: tables, marks of significance, and the legend of both."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError
from mteval_core.evaluation import SIGNIFICANT
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.layout import ARROWS, DAGGER, INTERVAL_NAMES
from mteval_core.report.report import Meaning
from mteval_core.report.score_table import is_jackknifed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.intervals import Interval
    from mteval_core.report.layout import CellMark, Layout, Marking
    from mteval_core.report.report import Legend
    from mteval_core.report.score_table import MetricScores

CORRECTION_NAMES = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "maxt": "family-wise by max-T",
    "none": "not corrected",
}

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

MARKING_MEANINGS: Mapping[Marking, tuple[str, CellMark | None]] = {
    "best": ("not significantly worse than the best", "equal"),
    "baseline": ("significantly different from {baseline}", "significant"),
    "ranks": ("1-3: ranks that the tests of all pairs leave open", None),
    "letters": ("systems that share a letter do not differ significantly", None),
}
"""What the marks of scores mean, and which mark of a cell they are."""

NOT_COMPARED = Cell(("·",))


def difference(
    evaluation: Evaluation, row: str, column: str, spec: str
) -> tuple[float, float] | None:
    """Score of one system minus that of another, and p; None if they were not compared."""
    for key, sign in (((row, column, spec), 1), ((column, row, spec), -1)):
        if comparison := evaluation.comparisons.get(key):
            return sign * comparison.difference, comparison.p_value
    return None


def are_all_pairs(evaluation: Evaluation) -> bool:
    """Whether every pair of systems was compared, of three systems or more."""
    return any(comparison.all_pairs for comparison in evaluation.comparisons.values())


def tables_of_differences(
    evaluation: Evaluation, layout: Layout, scores: Sequence[MetricScores], systems: Sequence[str]
) -> Iterator[Table]:
    """Yield the tables of the differences that were tested, the systems in this order."""
    if are_all_pairs(evaluation):
        for one in scores:
            yield all_pairs(evaluation, layout, one, systems)
    else:
        yield to_baseline(evaluation, layout, scores, systems)
    margin = margin_of(evaluation)
    if margin is not None:
        yield equivalences(evaluation, scores, margin)


def to_baseline(
    evaluation: Evaluation, layout: Layout, scores: Sequence[MetricScores], order: Sequence[str]
) -> Table:
    """Differences to the first system with intervals and p-values: systems down, metrics across."""
    baseline = evaluation.systems[0]
    systems = [system for system in order if system != baseline]

    def cell(system: str, spec: str) -> Cell:
        comparison = evaluation.comparisons[system, baseline, spec]
        low, high = comparison.interval.low, comparison.interval.high
        ends = (f"[{low:+.{layout.decimals}f},", f"{high:+.{layout.decimals}f}]")
        number = f"{comparison.difference:+.{layout.decimals}f}"
        written = written_p(comparison, comparison.p_value)
        return Cell((number, *ends, written), mark_of(comparison.p_value))

    def column(one: MetricScores) -> Column:
        cells = tuple(cell(system, one.spec) for system in systems)
        return Column((*one.heads, "difference [interval] p"), cells)

    columns = tuple(map(column, scores))
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


def all_pairs(
    evaluation: Evaluation, layout: Layout, scores: MetricScores, systems: Sequence[str]
) -> Table:
    """Differences between all systems under one metric: systems down and across."""

    def cell(row: str, column: str) -> Cell:
        compared = difference(evaluation, row, column, scores.spec)
        if compared is None:
            return NOT_COMPARED
        value, p = compared
        return Cell((f"{value:+.{layout.decimals}f}",), mark_of(p))

    columns = tuple(
        Column((other,), tuple(cell(system, other) for system in systems)) for other in systems
    )
    label = " ".join(scores.heads)
    names = tuple((system,) for system in systems)
    return Table(f"{label}: row minus column", ("",), names, columns, name="pairs")


def margin_of(evaluation: Evaluation) -> float | None:
    """Return the margin of the comparisons, if they have one."""
    found = (one.equivalence for one in evaluation.comparisons.values())
    return next((equivalence.margin for equivalence in found if equivalence), None)


def equivalences(evaluation: Evaluation, scores: Sequence[MetricScores], margin: float) -> Table:
    """P-values of being equivalent and of not being worse: pairs down, metrics across."""
    pairs = list(dict.fromkeys(key[:2] for key in evaluation.comparisons))

    def cell(key: tuple[str, str, str], claim: str) -> Cell:
        comparison = evaluation.comparisons[key]
        p: float = getattr(comparison.equivalence, claim)
        return Cell((written_p(comparison, p),), mark_of(p))

    def column(one: MetricScores, claim: str) -> Column:
        head = claim.removeprefix("p_").replace("_", " ")
        cells = tuple(cell((*pair, one.spec), claim) for pair in pairs)
        return Column((head,), cells, " ".join(one.heads))

    claims = ("p_equivalent", "p_not_worse")
    columns = tuple(column(one, claim) for one in scores for claim in claims)
    caption = f"P-values with a margin of {margin:g}"
    return Table(caption, ("system", "baseline"), tuple(pairs), columns, name="margins")


def mark_of(p: float) -> CellMark:
    """Return the mark of a difference with a p-value."""
    return "significant" if p < SIGNIFICANT else "insignificant"


# Marks


def marking(evaluation: Evaluation, layout: Layout) -> Marking | None:
    """Choose what to mark: what the reader asked for, or what the comparisons allow.

    The best systems can be told from the others only if every pair was compared.
    """
    if layout.level != "corpus" or not evaluation.comparisons:
        return None
    n = len(evaluation.scores.competing)
    every_pair = len(evaluation.comparisons) == len(evaluation.scorers) * n * (n - 1) // 2
    return layout.marks or ("best" if every_pair else "baseline")


def with_marks(
    evaluation: Evaluation, scores: MetricScores, marking: Marking | None
) -> MetricScores:
    """Mark the systems that compete under one metric.

    Parameters
    ----------
    evaluation : Evaluation
        The comparisons.
    scores : MetricScores
        The scores of the corpus.
    marking : {"best", "baseline", "letters", "ranks"} or None
        What to mark.
    """
    systems = scores.best_first(evaluation.scores.competing)

    def differ(one: str, other: str) -> bool:
        compared = difference(evaluation, one, other, scores.spec)
        return compared is not None and compared[1] < SIGNIFICANT

    match marking:
        case "best":
            equal = frozenset(one for one in systems if not differ(one, systems[0]))
            return replace(scores, equal=equal)
        case "baseline":
            baseline = evaluation.systems[0]
            return replace(scores, signs={one: DAGGER for one in systems if differ(one, baseline)})
        case "letters" | "ranks":
            pairs = {pair for pair in combinations(systems, 2) if differ(*pair)}
            if marking == "ranks":
                return replace(scores, ranks=rank_ranges(systems, pairs))
            return replace(scores, signs=_letters(systems, letter_groups(systems, pairs)))
        case None:
            return scores


def letter_groups(
    systems: Sequence[str], different: AbstractSet[tuple[str, str]]
) -> list[list[str]]:
    """Group systems so that two of them share a group exactly if they do not differ.

    The groups are the largest sets of which no two systems differ, a "compact letter display"
    (Piepho 2004). They are found system by system.

    Parameters
    ----------
    systems : sequence of str
        The systems, the best first.
    different : set of (str, str)
        Pairs that differ, each in the order of `systems`.

    Returns
    -------
    list of list of str
        The groups in the order of their best systems, each in the order of `systems`.

    Examples
    --------
    >>> letter_groups("ABC", {("A", "C")})
    [['A', 'B'], ['B', 'C']]
    """
    groups: set[frozenset[str]] = set()
    for one in systems:
        alike = {other for other in systems if not {(one, other), (other, one)} & different}
        grown = {(group & alike) | {one} for group in groups} or {frozenset({one})}
        largest = {group for group in grown if not any(group < other for other in grown)}
        groups = {group for group in groups if not group <= alike} | largest
    places = sorted([systems.index(one) for one in systems if one in group] for group in groups)
    return [[systems[place] for place in group] for group in places]


def _letters(systems: Sequence[str], groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """Name each group by a letter, and list the letters of each system.

    Raises
    ------
    UsageError
        If there are more groups than letters.
    """
    if len(groups) > len(LETTERS):
        raise UsageError(
            f"{len(groups)} groups of systems, but {len(LETTERS)} letters: --marks ranks"
        )
    named = list(zip(LETTERS, groups, strict=False))
    return {one: "".join(name for name, group in named if one in group) for one in systems}


def rank_ranges(systems: Sequence[str], different: AbstractSet[tuple[str, str]]) -> dict[str, str]:
    """Write the ranks that each system may have, as WMT prints them: ``1-3``.

    The best is one more than the systems that are significantly better; the worst is the number of
    systems without those that are significantly worse.
    """
    n_better, n_worse = (Counter(pair[end] for pair in different) for end in (1, 0))
    ends = {one: (1 + n_better[one], len(systems) - n_worse[one]) for one in systems}
    return {one: "-".join(map(str, dict.fromkeys(pair))) for one, pair in ends.items()}


# Legend


def _resampled_units(evaluation: Evaluation) -> str:
    """What is resampled, with which seed."""
    units = "documents" if "by" in evaluation.drawn else "segments"
    return f"{units}, seed {''.join(evaluation.drawn.get('seed', ()))}"


def _drawn(evaluation: Evaluation, resamples: str) -> str:
    """What was drawn: resamples, and subsamples for the metrics that score whole sets."""
    how = {one.label: one.declaration.resample for one in evaluation.scorers.values()}
    of_sets = [label for label, each in how.items() if each == "without-replacement"]
    if of_sets and "with-replacement" not in how.values():
        return "subsamples"
    return f"{resamples} ({', '.join(of_sets)}: subsamples)" if of_sets else resamples


def _kind_of_interval(evaluation: Evaluation, interval: Interval) -> str:
    """Level and kind of an interval, and the resamples that it is from."""
    resampler = "".join(evaluation.drawn.get("draw", ("bootstrap",)))
    drawn = f"{interval.n} {_drawn(evaluation, f'{resampler} resamples')}"
    kind = f"{interval.level:g}% {INTERVAL_NAMES[interval.kind]} interval"
    return f"{kind} from {drawn} of {_resampled_units(evaluation)}"


def legend_of_scores(evaluation: Evaluation, layout: Layout, marking: Marking | None) -> Legend:
    """Explain the symbols and marks of the tables."""
    directions = sorted({scorer.declaration.better for scorer in evaluation.scorers.values()})
    first = [Meaning(f"{ARROWS[word]} {word} is better") for word in directions]
    if len(evaluation.scores.competing) > 1:
        first.append(Meaning("best", "best"))
    if marking:
        text, mark = MARKING_MEANINGS[marking]
        first.append(Meaning(text.format(baseline=evaluation.systems[0]), mark))
    legend: list[str | list[Meaning]] = [first]
    if layout.level == "corpus":
        legend += meanings_of_spread(evaluation)
        marks = [Meaning("significant", "significant")] if marking != "baseline" else []
        legend += meanings_of_comparisons(evaluation, marks)
        if evaluation.scores.humans:
            legend.append("(human) a reference, scored against the other references")
    return legend


def meaning_of_significance(evaluation: Evaluation) -> Meaning | None:
    """Threshold and test behind the mark of significant differences; None if none were tested."""
    comparison = next(iter(evaluation.comparisons.values()), None)
    if comparison is None:
        return None
    n, drawn = comparison.n, _drawn(evaluation, "resamples")
    if comparison.exact:
        test = f"exact paired randomisation, all {n} exchanges"
    elif comparison.test == "ar":
        test = f"paired approximate randomisation, {n} trials"
    else:
        test = f"paired {'test on' if drawn == 'subsamples' else 'bootstrap,'} {n} {drawn}"
    correction = CORRECTION_NAMES[comparison.correction]
    how = f"{test} of {_resampled_units(evaluation)}, {correction}"
    return Meaning(f"p < {SIGNIFICANT} ({how})")


def meanings_of_comparisons(
    evaluation: Evaluation, marks: Sequence[Meaning]
) -> list[list[Meaning]]:
    """Explain the marks and the intervals of the differences, if there are any."""
    significance = meaning_of_significance(evaluation)
    if significance is None:
        return []
    meanings = [[*marks, significance]]
    if not are_all_pairs(evaluation):
        interval = next(iter(evaluation.comparisons.values())).interval
        kind = _kind_of_interval(evaluation, interval)
        meanings.append([Meaning(f"[ ] of a difference: {kind}", table="differences")])
    margin = margin_of(evaluation)
    if margin is not None:
        text = (
            f"equivalent: a true difference of less than {margin:g}; not worse: the system loses "
            f"less than {margin:g} to the baseline (one-sided tests on the same resamples)"
        )
        meanings.append([Meaning(text, table="margins")])
    return meanings


def meanings_of_spread(evaluation: Evaluation) -> list[str]:
    """Explain what stands beside a score: runs, sets of references, intervals."""
    meanings = []
    if not evaluation.scores.single_runs:
        meanings.append("± standard deviation over the runs of a system")
    if any(is_jackknifed(evaluation, spec) for spec in evaluation.scorers):
        text = "{ } lowest and highest score with one reference left out; the score is the mean"
        meanings.append(text)
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        meanings.append(f"[ ] {_kind_of_interval(evaluation, interval)}")
    return meanings
