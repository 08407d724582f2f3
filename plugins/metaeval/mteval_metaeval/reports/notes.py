"""The wording of notes on metaevaluation results: one sentence or two for each kind of note."""

from __future__ import annotations

import math
from functools import singledispatch

from mteval_metaeval import notes
from mteval_metaeval.reports.numbers import UNITS

__all__ = ["sentence"]

SHOWN = 5
"""Number of coefficients that a note lists."""


@singledispatch
def sentence(note: notes.Note) -> str:
    """Put a note into words.

    Parameters
    ----------
    note : Note

    Returns
    -------
    str
        One or two sentences.
    """
    raise NotImplementedError(note.code)


@sentence.register
def _unjudged_systems(note: notes.UnjudgedSystems) -> str:
    return f"Not judged, therefore left out: {', '.join(note.systems)}."


@sentence.register
def _unscored_systems(note: notes.UnscoredSystems) -> str:
    return f"Judged but not scored, therefore left out: {', '.join(note.systems)}."


@sentence.register
def _left_out_systems(note: notes.LeftOutSystems) -> str:
    why = "Outliers by the human scores, left out" if note.are_outliers else "Left out on request"
    return f"{why}: {', '.join(note.systems)}."


@sentence.register
def _one_domain(note: notes.OneDomain) -> str:
    return f"Only the segments of the domain {note.domain} count."


@sentence.register
def _unused_criteria(note: notes.UnusedCriteria) -> str:
    return f"Human scores that were not chosen: {', '.join(note.criteria)}."


@sentence.register
def _wrong_direction(note: notes.WrongDirection) -> str:
    other = "lower" if note.better == "higher" else "higher"
    return (
        f"{note.metric} correlates negatively with the human scores, with {note.better} values as "
        f"better: if {other} values are better, type {note.metric}[{other}]=FILE."
    )


@sentence.register
def _few_systems(note: notes.FewSystems) -> str:
    systems = "1 system" if note.n_systems == 1 else f"{note.n_systems} systems"
    return f"Only {systems}: coefficients over so few systems are not reliable."


@sentence.register
def _missing_judgments(note: notes.MissingJudgments) -> str:
    return (
        f"{note.criterion}: {note.n_missing} of {note.n_outputs} outputs were not judged; they "
        f"count as missing, not as zero."
    )


@sentence.register
def _constant_scores(note: notes.ConstantScores) -> str:
    return f"{note.name} gives all systems the same score, so its coefficients are undefined."


@sentence.register
def _outlier_systems(note: notes.OutlierSystems) -> str:
    are, them = ("is an outlier", "it") if len(note.systems) == 1 else ("are outliers", "them")
    return (
        f"{note.criterion}: {', '.join(note.systems)} {are} by the human scores. Without {them}, "
        f"Pearson's coefficient changes by {note.change:g} or more in {note.n_changed} of "
        f"{note.n_measures} cases."
    )


@sentence.register
def _outside_interval(note: notes.OutsideInterval) -> str:
    names = [", ".join(filter(None, parts)) for parts in note.correlations]
    shown = "; ".join(names[:SHOWN]) + ("; ..." if len(names) > SHOWN else "")
    count = "one coefficient" if len(names) == 1 else f"{len(names)} coefficients"
    return (
        f"{note.criterion}: resamples give other values than {count} ({shown}), so that intervals "
        f"were widened to contain them. Resampling adds noise, which lowers a coefficient: that of "
        f"a longer text is probably higher."
    )


@sentence.register
def _narrow_intervals(note: notes.NarrowIntervals) -> str:
    over = "systems" if note.draw == "systems" else "systems and segments"
    return (
        f"{note.kind} intervals over {over} are too narrow: they contain the coefficient of all "
        f"systems of this kind less often than in {note.level:g}% of the cases, sometimes in half "
        f"of them. Those without --interval hold."
    )


@sentence.register
def _negative_correlations(note: notes.NegativeCorrelations) -> str:
    return (
        f"{note.criterion}: {note.n_negative} of {note.n_measures} metrics correlate negatively. "
        f"A higher rating must mean a better output: if these ratings are penalties or ranks, "
        f"negate them."
    )


@sentence.register
def _sampled_calibration(note: notes.SampledCalibration) -> str:
    return (
        f"Ties were calibrated on {note.n_pairs:,} randomly drawn pairs (grouping "
        f"{' and '.join(note.groupings)})."
    )


@sentence.register
def _segment_means(_note: notes.SegmentMeans) -> str:
    return (
        "PERM-BOTH exchanges segment scores, so it tests their means; for some metrics these "
        "differ from the corpus scores. It is no test of equal coefficients over systems: if "
        "metrics favour some systems, it finds differences between equally good ones."
    )


@sentence.register
def _units_not_complete(note: notes.UnitsNotComplete) -> str:
    unit = UNITS[note.unit]
    return (
        f"{note.criterion}: soft pairwise accuracy uses the {note.n_complete} of {note.n_units} "
        f"{unit}s whose outputs were all judged."
    )


@sentence.register
def _units_not_scored(note: notes.UnitsNotScored) -> str:
    unit = UNITS[note.unit]
    return (
        f"{note.metric}: soft pairwise accuracy of means uses the {note.n_scored} of "
        f"{note.n_units} {unit}s that have a score of every system."
    )


@sentence.register
def _not_exchanged(note: notes.NotExchanged) -> str:
    return (
        f"No soft pairwise accuracy of {', '.join(note.metrics)}: it exchanges segments, and these "
        f"depend on the segments around. Exchange documents: --by doc."
    )


@sentence.register
def _documents_too_long(note: notes.DocumentsTooLong) -> str:
    lengths = ", ".join(map(str, note.lengths))
    size = f"{note.n_units} {UNITS[note.unit]}s"
    return f"Lengths left out, because the test set has only {size}: {lengths}."


@sentence.register
def _undefined_documents(note: notes.UndefinedDocuments) -> str:
    unit = UNITS[note.unit]
    length = f"1 {unit}" if note.longest == 1 else f"up to {note.longest} {unit}s"
    return (
        f"Some documents of {length} have no coefficient and are left out of the means: all their "
        f"systems have the same score, or fewer than two systems were judged."
    )


@sentence.register
def _significant_differences(note: notes.SignificantDifferences) -> str:
    difference = math.ceil(note.difference * 1000) / 1000
    return (
        f"{note.criterion}: all differences of {difference:.3f} or more between the means of two "
        f"metrics are significant (Wilcoxon's signed-rank test, p < {note.alpha:g}, not corrected)."
    )


@sentence.register
def _documents_not_judged(_note: notes.DocumentsNotJudged) -> str:
    return "There is no inter-judge curve, because segments were judged, not documents."


@sentence.register
def _no_shared_raters(note: notes.NoSharedRaters) -> str:
    return (
        f"{note.criterion}: there is no inter-judge curve, because no output was judged by two "
        f"known raters."
    )


@sentence.register
def _no_shared_outputs(note: notes.NoSharedOutputs) -> str:
    return f"{note.criterion}: no output was judged by two raters."


@sentence.register
def _few_shared_outputs(note: notes.FewSharedOutputs) -> str:
    return (
        f"{note.criterion}: {note.n_few} of {note.n_pairs} pairs of raters share fewer than "
        f"{note.least} outputs, so the mean over pairs of raters is not reliable."
    )
