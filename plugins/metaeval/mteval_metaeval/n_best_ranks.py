"""ORANGE: ranks that a metric gives references among the outputs of an n-best list.

References
----------
Lin and Och 2004, "ORANGE: a method for evaluating automatic evaluation metrics for machine
translation", section 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Estimate, InputError, TestSet, Text, UsageError, default_registry, evaluate
from mteval_metaeval.correlation import DECIMALS, mean_over_groups
from mteval_metaeval.measures import requests
from mteval_metaeval.resampling import Resampling, marks_of, quiet
from mteval_metaeval.segments import resampled_means

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from mteval_core import Evaluation, Interval, Registry, Scorer, Spec
    from mteval_metaeval.measures import Request
    from mteval_metaeval.resampling import Bar
    from mteval_metaeval.results import Mark

__all__ = ["Orange", "OrangeScore", "orange", "reference_ranks"]

ORACLE = "the reference"


@dataclass(frozen=True, kw_only=True)
class OrangeScore:
    """How high a metric ranks references among other translations.

    Parameters
    ----------
    metric : str
        The metric.
    set : str
        The text treatment, see `Correlation`.
    value : float
        Mean rank of the references, as a share of the length of the list; lower is better.
    mean_rank : float
        Mean rank of the references.
    interval : Interval or None
        Bootstrap interval of the value, over segments.
    mark : {"best", "equal", ""}
        Whether it is the best (lowest) value, or the interval of the difference to it includes 0.
    """

    metric: str
    set: str
    value: float
    mean_rank: float
    interval: Interval | None = None
    mark: Mark = ""


@dataclass(frozen=True, kw_only=True)
class Orange:
    """Results of `orange`, and what they were computed from.

    Parameters
    ----------
    scores : tuple of OrangeScore
        One for each metric.
    n_segments, n_references : int
        Size of the test set.
    lengths : tuple of (int, int)
        Lengths of the shortest and the longest list, without the reference.
    inputs : mapping
        Paths and fingerprints of the texts; see `Evaluation.inputs`.
    signatures : tuple of str
        Signatures of the metrics with all references.
    """

    scores: tuple[OrangeScore, ...]
    n_segments: int
    n_references: int
    lengths: tuple[int, int]
    inputs: Mapping[str, Any]
    signatures: tuple[str, ...]


def orange(
    candidates: Mapping[str, Sequence[str | None] | Text],
    references: Sequence[Sequence[str | None]] | TestSet,
    specs: Iterable[str | Spec | Scorer] | None = None,
    *,
    sets: Iterable[str] | None = None,
    resampling: Resampling | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    bar: Bar = quiet,
) -> Orange:
    """Rank references among other translations of the same segments.

    Parameters
    ----------
    candidates : mapping of str to sequence of (str or None)
        The n-best lists, place by place: one translation per segment; None where a list is shorter.
        The outputs of n systems are n-best lists, too.
    references : sequence of sequence of str, or TestSet
        Two reference streams or more, without missing references.
    specs : iterable of str, Spec or Scorer, optional
        The metrics. Default: those that declare themselves part of the default set.
    sets, registry, defaults, threads
        As for `study_metrics`.
    resampling : Resampling, optional
        How intervals are drawn. Default: 1000 resamples of the segments.
    bar : callable
        ``bar(steps, total)`` returns the steps and may show progress.

    Returns
    -------
    Orange

    Raises
    ------
    UsageError
        If there are fewer than two references or no candidates, or a metric is unknown.
    InputError
        If the texts do not belong together, or a segment has no candidate or lacks a reference.

    Notes
    -----
    ORANGE is the mean over segments of rank / (N + 1): the rank of the reference among N + 1
    translations, the reference and the N candidates. All N + 1 are scored against the other
    references: against itself, a reference would always be the best. Each reference is left out in
    turn, and the mean of its ranks counts. Equal scores share their mean rank.

    Examples
    --------
    >>> lists = {"1": ["a b c d"], "2": ["a x c d"], "3": ["y x c z"]}
    >>> result = orange(lists, [["a b c d"], ["a b x d"]], ["wer"], resampling=Resampling(n=0))
    >>> result.scores[0].mean_rank, result.scores[0].value
    (2.0, 0.5)
    """
    registry = default_registry() if registry is None else registry
    resampling = (resampling or Resampling()).of_means()
    test_set = TestSet.of(references)
    texts = {name: Text.of(segments, name) for name, segments in candidates.items()}
    missing = _missing(texts, test_set)
    filled = {name: _filled(text) for name, text in texts.items()}
    wanted = requests(
        registry.default_metrics() if specs is None else specs, sets, registry, defaults
    )
    ranks = np.empty((len(wanted), len(test_set.references), len(test_set)))
    evaluations = []
    for r in bar(range(len(test_set.references)), len(test_set.references)):
        evaluation = evaluate(
            {ORACLE: test_set.references[r], **filled},
            _without(test_set, r),
            [request.scorer for request in wanted],
            registry=registry,
            threads=threads,
        )
        for k, request in enumerate(wanted):
            ranks[k, r] = reference_ranks(_segment_scores(request, evaluation), missing)
        evaluations.append(evaluation)
    lengths = np.sum(~missing, axis=0)
    return Orange(
        scores=tuple(_scores(wanted, ranks, lengths, resampling)),
        n_segments=len(test_set),
        n_references=len(test_set.references),
        lengths=(int(lengths.min()), int(lengths.max())),
        inputs=_inputs(evaluations),
        signatures=tuple(str(request.scorer.signature(test_set)) for request in wanted),
    )


def reference_ranks(scores: NDArray[np.float64], missing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Rank the reference of each segment among the candidates.

    Parameters
    ----------
    scores : ndarray of float64, shape (1 + n_candidates, n_segments)
        Scores of the reference and of the candidates; higher is better.
    missing : ndarray of bool, shape (n_candidates, n_segments)
        Where a list is shorter.

    Returns
    -------
    ndarray of float64, shape (n_segments,)
        From 1; equal scores share their mean rank. NaN if the reference has no score.

    Examples
    --------
    >>> reference_ranks(np.array([[0.5], [0.9], [0.5], [0.1]]), np.zeros((3, 1), bool)).tolist()
    [2.5]
    """
    reference, others = scores[0], scores[1:]
    better = np.sum((others > reference) & ~missing, axis=0)
    equal = np.sum((others == reference) & ~missing, axis=0)
    ranks: NDArray[np.float64] = np.add(1 + better, equal / 2)
    ranks[np.isnan(reference)] = np.nan
    return ranks


def _missing(texts: Mapping[str, Text], test_set: TestSet) -> NDArray[np.bool_]:
    """Mark where lists are shorter, shape (n_candidates, n_segments)."""
    if len(test_set.references) < 2:
        raise UsageError(
            f"{len(test_set.references)} reference; expected two or more: each is ranked by its "
            f"score against the others"
        )
    if not texts:
        raise UsageError(
            "no candidates; expected the outputs of an n-best list, or of several systems"
        )
    for name, text in texts.items():
        test_set.check(_filled(text), name)
    for stream in test_set.references:
        if stream.missing.any():
            place = int(np.argmax(stream.missing))
            raise InputError(
                f"{stream.path or 'a reference'}: segment {place} lacks this reference"
            )
    missing = np.stack([text.missing for text in texts.values()])
    if missing.all(axis=0).any():
        raise InputError(
            f"segment {np.argmax(missing.all(axis=0))} has no candidate; expected one or more"
        )
    return missing


def _filled(text: Text) -> Text:
    """Make missing candidates empty: they are scored, but do not count."""
    if not text.missing.any():
        return text
    filled = Text.of([segment or "" for segment in text])
    return Text(filled.buffer, filled.starts, filled.ends, text.path)


def _without(test_set: TestSet, r: int) -> TestSet:
    """Leave out a reference."""
    kept = test_set.references[:r] + test_set.references[r + 1 :]
    return replace(test_set, references=kept)


def _segment_scores(request: Request, evaluation: Evaluation) -> NDArray[np.float64]:
    """Scores of all segments, shape (1 + n_candidates, n_segments); higher is better."""
    spec = str(request.scorer.spec)
    scorer = evaluation.scorers[spec]
    sign = 1.0 if scorer.declaration.better == "higher" else -1.0
    rows = (evaluation.scores.sums(name, spec, "segment") for name in evaluation.systems)
    scores: NDArray[np.float64] = np.stack([sign * scorer.scores(each) for each in rows])
    return np.round(scores, DECIMALS)


def _scores(
    wanted: Sequence[Request],
    ranks: NDArray[np.float64],
    lengths: NDArray[np.int64],
    resampling: Resampling,
) -> Iterator[OrangeScore]:
    """Average ranks, and mark the best metric of each set."""
    shares = (ranks / (lengths + 1)).mean(axis=1)
    values = mean_over_groups(shares)
    estimates = [Estimate(float(value), np.empty(0)) for value in values]
    if resampling.n:
        resampled = resampled_means(shares, resampling)
        estimates = [resampled.estimate(e.value, k) for k, e in enumerate(estimates)]
    marks: dict[int, Mark] = {}
    for name in dict.fromkeys(request.set for request in wanted):
        places = [k for k, request in enumerate(wanted) if request.set == name]
        lower_is_better = [
            Estimate(-e.value, -e.resamples, [-each for each in e.left_out])
            for e in (estimates[k] for k in places)
        ]
        marks.update(zip(places, marks_of(lower_is_better, resampling), strict=True))
    for k, (request, estimate) in enumerate(zip(wanted, estimates, strict=True)):
        yield OrangeScore(
            metric=request.name,
            set=request.set,
            value=estimate.value,
            mean_rank=float(mean_over_groups(ranks[k].mean(axis=0))),
            interval=estimate.interval(resampling.level, resampling.kind(), (0, 1)),
            mark=marks[k],
        )


def _inputs(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Join the inputs of all evaluations, each of which lacks a reference."""
    each = [evaluation.to_dict()["inputs"] for evaluation in evaluations]
    references = {tuple(r.items()): r for inputs in each for r in inputs["references"]}
    systems = {name: runs for name, runs in each[0]["systems"].items() if name != ORACLE}
    return {**each[0], "references": list(references.values()), "systems": systems}
