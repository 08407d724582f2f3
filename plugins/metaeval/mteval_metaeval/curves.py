"""Length curves: correlation over systems on documents of growing length.

References
----------
Melamed, Green and Turian 2003, "Precision and recall of machine translation", section 4 and
figure 3; Turian, Shen and Melamed 2003, "Evaluation of machine translation and its evaluation",
figures 4 and 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Estimate, UsageError, correct_p_values
from mteval_metaeval.correlation import (
    COEFFICIENTS,
    coefficient_named,
    mean_over_groups,
)
from mteval_metaeval.drawn_judgments import by_output, one_judge, two_judges
from mteval_metaeval.draws import pseudo_documents
from mteval_metaeval.notes import (
    DocumentsNotJudged,
    DocumentsTooLong,
    NoSharedRaters,
    SignificantDifferences,
    UndefinedDocuments,
)
from mteval_metaeval.raters import merge_repeats
from mteval_metaeval.resampling import quiet
from mteval_metaeval.significance import SIGNIFICANT, wilcoxon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core import Interval
    from mteval_metaeval.correlation import CoefficientName
    from mteval_metaeval.criteria import Unit
    from mteval_metaeval.notes import Note
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.results import Mark
    from mteval_metaeval.study import Scores, Study

__all__ = [
    "LENGTHS",
    "Point",
    "choices_of_references",
    "inter_judge",
    "length_curve",
    "significant_differences",
]

LENGTHS = (1, 2, 3, 5, 7, 10, 15, 25, 50)
"""Default lengths of documents, in segments."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Point:
    """Correlation over systems on documents of one length.

    Parameters
    ----------
    metric : str
        The metric; empty for one judge against another.
    set : str
        The text treatment, see `Correlation`.
    criterion : str
        The human score.
    n_references : int
        Number of references that the metric uses; 0 for judges.
    length : int
        Number of segments of a document.
    correlations : ndarray of float64, shape (n_documents,)
        One for each document; NaN where it is not defined.
    mark : {"best", "equal", ""}
        Whether the mean is the best of all metrics at this length, or not significantly different
        from the best by Wilcoxon's signed-rank test with Holm's correction.
    p_value : float or None
        p-value of that test; None for the best metric.
    """

    metric: str
    set: str = ""
    criterion: str
    n_references: int
    length: int
    correlations: NDArray[np.float64]
    mark: Mark = ""
    p_value: float | None = None

    @property
    def mean(self) -> float:
        """Mean over the documents for which the coefficient is defined."""
        return float(mean_over_groups(self.correlations))

    @property
    def n(self) -> int:
        """Number of documents for which the coefficient is defined."""
        return int(np.sum(~np.isnan(self.correlations)))

    @property
    def standard_error(self) -> float:
        """Standard error of the mean; NaN for fewer than two documents."""
        if self.n < 2:
            return math.nan
        return float(np.nanstd(self.correlations, ddof=1)) / math.sqrt(self.n)

    def interval(self, level: float = 95.0) -> Interval | None:
        """Percentile interval of the coefficients of the documents."""
        return Estimate(self.mean, self.correlations).interval(level)


def choices_of_references(n: int, sizes: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """List all combinations of n references, size by size.

    Examples
    --------
    >>> list(choices_of_references(3, [1, 2]))
    [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    """
    for size in sizes:
        yield from combinations(range(n), size)


def length_curve(
    studies: Iterable[tuple[int, Study]],
    lengths: Sequence[int] = LENGTHS,
    documents: int = 1000,
    *,
    coefficient: CoefficientName = "spearman",
    draw_judgments: bool = False,
    pool_references: bool = False,
    seed: int = 12345,
    bar: Bar = quiet,
) -> tuple[list[Point], list[Note]]:
    """Correlate the scores of systems on documents of growing length.

    Parameters
    ----------
    studies : iterable of (int, Study)
        A study for each choice of references, with the number of references.
    lengths : sequence of int
        Numbers of segments. Lengths greater than the test set are left out.
    documents : int
        Number of pseudo-documents of each length and number of references, spread evenly over the
        choices of references.
    coefficient : {"pearson", "spearman", "kendall"}
        The coefficient.
    draw_judgments : bool
        Whether one random judgment of each output counts in each document (Turian et al. 2003,
        section 3.2). Default: the mean of all.
    pool_references : bool
        Whether a coefficient is over systems and choices of references together: with 2 systems and
        4 references, over 8 points (Melamed et al. 2003, section 3). Default: over systems, and
        each document has one choice of references.
    seed : int
        Seed of ``numpy.random.default_rng``.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    list of Point
    list of Note

    Raises
    ------
    UsageError
        If only systems were judged, the test set is shorter than every document, judgments shall be
        drawn that are not of the units, or a metric sees the segments around.
    """
    function = coefficient_named(coefficient, COEFFICIENTS)
    by_size: dict[int, list[Study]] = {}
    for n_references, study in studies:
        by_size.setdefault(n_references, []).append(study)
    first = next(iter(by_size.values()))[0]
    if draw_judgments and first.unit != first.judgments.level:
        raise UsageError(
            f"judgments of {first.unit}s are drawn, but {first.judgments.level}s were judged"
        )
    first.need_units_without_context(instead="")
    chosen, notes = _possible(first, lengths)
    points: list[Point] = []
    steps = [(size, length) for size in by_size for length in chosen]
    for size, length in bar(steps, len(steps)):
        scores = _on_documents(
            by_size[size],
            length,
            documents,
            seed=seed,
            drawn=draw_judgments,
            pooled=pool_references,
        )
        correlations = [
            function(metrics[:, :, None], humans[:, None]) for metrics, humans in scores
        ]
        points += _points(first, size, length, np.concatenate(correlations))
    notes += [*_undefined_notes(points, first.unit), *significant_differences(points)]
    return points, notes


def _possible(study: Study, lengths: Sequence[int]) -> tuple[list[int], list[Note]]:
    """Choose the lengths that the test set has, and note the others."""
    study.need_items("the length curve")
    n, unit = len(study.units), study.unit
    chosen = [length for length in lengths if 0 < length <= n]
    if not chosen:
        raise UsageError(
            f"no documents of {', '.join(map(str, lengths))}: the test set has {n} {unit}s"
        )
    too_long = tuple(length for length in lengths if length not in chosen)
    return chosen, [DocumentsTooLong(n, unit, too_long)] if too_long else []


def _on_documents(
    studies: list[Study], length: int, documents: int, *, seed: int, drawn: bool, pooled: bool
) -> Iterator[Scores]:
    """Compute scores on documents of one length.

    Parameters
    ----------
    studies : list of Study
        One for each choice of references.
    length, documents, seed
        As for `length_curve`.
    drawn : bool
        Whether one random judgment of each output counts in each document.
    pooled : bool
        Whether each system counts once for each choice of references, on the same document.
    """
    study = studies[0]
    judged = list(by_output(study, study.judgments)) if drawn else []
    rng = np.random.default_rng([seed, length, len(study.criteria)])
    for chosen, weights in _draws(studies, length, documents, seed=seed, pooled=pooled):
        scores = [next(each.scores([weights])) for each in chosen]
        (_, humans), *_ = scores
        if drawn:
            means = [one_judge(values, n, weights, rng) for values, n in judged]
            humans = np.stack(means, axis=1)
        yield (
            np.concatenate([metrics for metrics, _ in scores], axis=-1),
            np.tile(humans, len(chosen)),
        )


def _draws(
    studies: list[Study], length: int, documents: int, *, seed: int, pooled: bool
) -> Iterator[tuple[list[Study], NDArray[np.float64]]]:
    """Draw documents for all studies together, or spread evenly over them."""
    n = len(studies[0].units)
    together = [studies] if pooled else [[study] for study in studies]
    share, more = divmod(documents, len(together))
    for k, chosen in enumerate(together):
        stream = _stream(seed, length, k)
        for weights in pseudo_documents(n, share + (k < more), stream, length):
            yield chosen, weights


def _points(
    study: Study, n_references: int, length: int, correlations: NDArray[np.float64]
) -> Iterator[Point]:
    """Make points of coefficients, shape (n_documents, n_measures, n_criteria)."""
    for c, criterion in enumerate(study.criteria):
        yield from _marked(
            [
                Point(
                    metric=measure.name,
                    set=measure.set,
                    criterion=criterion.name,
                    n_references=n_references,
                    length=length,
                    correlations=correlations[:, k, c],
                )
                for k, measure in enumerate(study.measures)
            ]
        )


def _stream(seed: int, length: int, k: int) -> int:
    """Derive the seed of the documents of one length and choice of references."""
    return int(np.random.SeedSequence([seed, length, k]).generate_state(1, np.uint64)[0])


def _marked(points: list[Point]) -> list[Point]:
    """Mark the best of the points of one length, and those not significantly different from it."""
    defined = [point for point in points if not math.isnan(point.mean)]
    if len(defined) < 2:
        return points
    best = max(defined, key=lambda point: point.mean)
    others = [point for point in defined if point is not best]
    raw = [wilcoxon(best.correlations, point.correlations).p_value for point in others]
    p_values = dict(zip(map(id, others), correct_p_values(raw, "holm"), strict=True))

    def mark(point: Point) -> Mark:
        if point is best:
            return "best"
        return "equal" if p_values.get(id(point), 0.0) >= SIGNIFICANT else ""

    return [replace(point, mark=mark(point), p_value=p_values.get(id(point))) for point in points]


def significant_differences(points: Iterable[Point]) -> Iterator[Note]:
    """Find, for each criterion, the difference from which on all differences are significant.

    Only metrics at the same length and number of references are compared. Nothing is noted if the
    largest difference is not significant.
    """
    alike: dict[tuple[str, int, int], list[Point]] = {}
    for point in points:
        if not math.isnan(point.mean):
            place = point.criterion, point.n_references, point.length
            alike.setdefault(place, []).append(point)
    differences: dict[str, list[tuple[float, float]]] = {}
    for (criterion, _, _), rivals in alike.items():
        for a, b in combinations(rivals, 2):
            p = wilcoxon(a.correlations, b.correlations).p_value
            differences.setdefault(criterion, []).append((abs(a.mean - b.mean), p))
    for criterion, pairs in differences.items():
        chance = max((difference for difference, p in pairs if p >= SIGNIFICANT), default=-1.0)
        larger = [difference for difference, _ in pairs if difference > chance]
        if larger:
            yield SignificantDifferences(criterion, min(larger), SIGNIFICANT)


def _undefined_notes(points: list[Point], unit: Unit) -> list[Note]:
    undefined = [point.length for point in points if point.n < len(point.correlations)]
    return [UndefinedDocuments(unit, max(undefined))] if undefined else []


def inter_judge(
    study: Study,
    lengths: Sequence[int] = LENGTHS,
    documents: int = 1000,
    *,
    coefficient: CoefficientName = "spearman",
    seed: int = 12345,
    bar: Bar = quiet,
) -> tuple[list[Point], list[Note]]:
    """Correlate one judge with another on documents of growing length.

    Parameters
    ----------
    study : Study
    lengths, documents, coefficient, seed, bar
        As for `length_curve`. The documents are those of its first choice of references.

    Returns
    -------
    list of Point
        Points with an empty metric.
    list of Note

    Notes
    -----
    For every output of every document, two judgments of the output are drawn, one for each judge.
    Outputs that were judged once are left out.
    """
    function = coefficient_named(coefficient, COEFFICIENTS)
    chosen, _ = _possible(study, lengths)
    if study.unit != study.judgments.level:
        return [], [DocumentsNotJudged()]
    judged = list(by_output(study, merge_repeats(study.judgments)))
    shared = [c for c, (_, n) in enumerate(judged) if np.any(n > 1)]
    steps = [(c, length) for c in shared for length in chosen]
    points = []
    for c, length in bar(steps, len(steps)):
        rng = np.random.default_rng([seed, length, c])
        chunks = pseudo_documents(len(study.units), documents, _stream(seed, length, 0), length)
        scores, n = judged[c]
        correlations = [function(*two_judges(scores, n, weights, rng)) for weights in chunks]
        points.append(_judge_point(study.criteria[c].name, length, np.concatenate(correlations)))
    unshared = [criterion for c, criterion in enumerate(study.criteria) if c not in shared]
    return points, [NoSharedRaters(criterion.name) for criterion in unshared]


def _judge_point(criterion: str, length: int, correlations: NDArray[np.float64]) -> Point:
    """Make a point of one judge against another."""
    return Point(
        metric="", criterion=criterion, n_references=0, length=length, correlations=correlations
    )
