"""Choosing from n-best lists: minimum Bayes risk decoding, and the oracle.

References
----------
Kumar and Byrne 2004, "Minimum Bayes-risk decoding for statistical machine translation".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_core import (
    InputError,
    Scorer,
    SegmentError,
    State,
    TestSet,
    Text,
    UsageError,
    in_threads,
    metric,
    progress,
)
from mteval_mbr.matrices import expected_utility
from mteval_mbr.pairs import refuse_scores_from_outside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Registry, Spec

__all__ = ["RankedHypothesis", "mbr", "oracle"]

HYPOTHESES = 8192
"""Hypotheses that a thread compares with their references at once."""


class RankedHypothesis(NamedTuple):
    """A hypothesis of an n-best list, and why it has its rank.

    Parameters
    ----------
    hypothesis : str
        The text.
    utility : float
        Its expected utility, or its score against the references, in the scale of the metric.
    copies : int
        How often the list has it.
    """

    hypothesis: str
    utility: float
    copies: int


def mbr(
    n_best_lists: Sequence[Sequence[str]],
    spec: str | Spec | Scorer,
    n: int = 1,
    *,
    sources: Sequence[str] | None = None,
    aggregate: bool = False,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
) -> list[list[RankedHypothesis]]:
    """Choose the hypotheses that are most like the others of their lists.

    Parameters
    ----------
    n_best_lists : sequence of sequence of str
        Hypotheses of each segment, such as samples of a model. Lists may differ in length. Equal
        hypotheses are scored once and count as often as they are there.
    spec : str, Spec or Scorer
        The metric that says how alike two hypotheses are.
    n : int
        How many hypotheses to choose for each segment.
    sources : sequence of str, optional
        The source of each segment, for metrics that use it.
    aggregate : bool
        Whether utilities are computed from summed rows; see `expected_utility`.
    registry, defaults
        As for `metric`.
    threads : int
        Number of segments that are processed at the same time.

    Returns
    -------
    list of list of RankedHypothesis
        The n best hypotheses of each segment, the best one first; fewer where a list has fewer
        different ones. Of equally good hypotheses, the one that the list has first comes first.

    Raises
    ------
    UsageError
        If the metric is unknown, cannot compare hypotheses, or n is less than 1.
    InputError
        If a list is empty or not one of strings, there is not one source per segment, or
        the metric refuses a pair of hypotheses.

    Examples
    --------
    >>> import mteval_mbr
    >>> lists = [["a b c d", "a b c", "a b x d", "a b c d"], ["e", "f"]]
    >>> [best.hypothesis for best, in mteval_mbr.mbr(lists, "wer")]
    ['a b c d', 'e']
    """
    scorer = resolved(spec, n, registry, defaults)
    counts = [counted(own, i) for i, own in enumerate(n_best_lists)]
    if sources is not None and len(sources) != len(counts):
        raise InputError(
            f"{len(sources)} sources for {len(counts)} n-best lists; expected one each"
        )

    def ranked(i: int, n: int) -> list[RankedHypothesis]:
        source = None if sources is None else sources[i]
        every = list(counts[i].elements())
        try:
            found = expected_utility(
                scorer, list(counts[i]), every, source=source, aggregate=aggregate
            )
        except InputError as error:
            raise InputError(f"segment {i}: {error}") from error
        return best(counts[i], found, scorer)[:n]

    tasks = [(i, n) for i in range(len(counts))]
    steps = progress(tasks, len(tasks), "segment")
    return in_threads(ranked, steps, 1 if scorer.declaration.pooled else threads)


def oracle(
    n_best_lists: Sequence[Sequence[str]],
    references: Sequence[Sequence[str | None]] | TestSet,
    spec: str | Spec | Scorer,
    n: int = 1,
    *,
    sources: Sequence[str] | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
) -> list[list[RankedHypothesis]]:
    """Choose the hypotheses that have the best scores against the references.

    What they reach is the most that choosing from these lists can reach, segment by segment. The
    metric is prepared, if it has a ``prepare`` method, on the references of all segments.

    Parameters
    ----------
    n_best_lists, spec, n, sources, registry, defaults, threads
        As for `mbr`.
    references : sequence of sequence of str, or TestSet
        One sequence per reference stream; None where a segment lacks that reference.

    Returns
    -------
    list of list of RankedHypothesis
        As of `mbr`.

    Raises
    ------
    UsageError
        If the metric is unknown, or n is less than 1.
    InputError
        If a list is empty or not one of strings, there is not one list per segment, or the metric
        needs texts that are not there.

    Examples
    --------
    >>> import mteval_mbr
    >>> lists = [["a b c d", "a b c", "a b x d"], ["e", "f"]]
    >>> mteval_mbr.oracle(lists, [["a x c", "f"]], "wer")[1]
    [RankedHypothesis(hypothesis='f', utility=0.0, copies=1)]
    """
    scorer = resolved(spec, n, registry, defaults)
    counts = [counted(own, i) for i, own in enumerate(n_best_lists)]
    test_set = TestSet.of(references, source=sources, n_hypotheses=len(counts))
    refuse_scores_from_outside(scorer)
    first = Text.of([next(iter(own)) for own in counts])
    test_set.check(first, "place 0 of the n-best lists")
    state = State(scorer, test_set)
    segments = np.repeat(np.arange(len(counts)), list(map(len, counts)))
    texts = Text.of([text for own in counts for text in own], "the n-best lists")

    def scores(start: int, stop: int) -> NDArray[np.float64]:
        own = segments[start:stop].tolist()
        streams = tuple(stream.take(own) for stream in test_set.references)
        source = None if test_set.source is None else test_set.source.take(own)
        hypotheses = texts.take([*range(start, stop)])
        views = state.views(hypotheses, TestSet(streams, source=source, size=len(own)))
        try:
            return state.scorer.scores(state.rows(views))
        except SegmentError as error:
            raise InputError(
                f"segment {own[error.segment]}: {scorer.label} cannot score "
                f"{hypotheses[error.segment]!r}: {error.reason}; leave it out, or take another "
                f"metric"
            ) from error

    at_once = len(texts) if scorer.declaration.pooled else HYPOTHESES
    ranges = [(i, min(i + at_once, len(texts))) for i in range(0, len(texts), at_once)]
    found = np.concatenate(in_threads(scores, ranges, threads))
    ends = np.cumsum(list(map(len, counts)))
    return [
        best(own, mine, scorer)[:n]
        for own, mine in zip(counts, np.split(found, ends[:-1]), strict=True)
    ]


def resolved(
    spec: str | Spec | Scorer,
    n: int,
    registry: Registry | None,
    defaults: Mapping[str, str] | None,
) -> Scorer:
    """Look up the metric, and check how many hypotheses are to be chosen."""
    if n < 1:
        raise UsageError(f"n is {n}; expected 1 or more hypotheses of each list")
    if isinstance(spec, Scorer):
        return spec
    return metric(spec, registry=registry, defaults=defaults)


def counted(hypotheses: Sequence[str], segment: int) -> Counter[str]:
    """Count the different hypotheses of a list, in their order.

    Raises
    ------
    InputError
        If there are none, or one of them is not a string.
    """
    if isinstance(hypotheses, (str, bytes, set, frozenset, dict)) or not isinstance(
        hypotheses, Iterable
    ):
        wrong, listed = [hypotheses], []
    else:
        listed = list(hypotheses)
        wrong = [each for each in listed if not isinstance(each, str)]
    if wrong or not listed:
        seen = type(wrong[0]).__name__.replace("str", "a string") if wrong else "none"
        raise InputError(f"segment {segment}: expected a list of strings, one or more, got {seen}")
    return Counter(listed)


def best(
    counts: Counter[str], utilities: NDArray[np.float64], scorer: Scorer
) -> list[RankedHypothesis]:
    """Sort hypotheses by their utilities, the best one first."""
    sign = -1.0 if scorer.declaration.better == "higher" else 1.0
    order = np.argsort(sign * utilities, kind="stable").tolist()
    ranked = list(map(RankedHypothesis, counts, utilities.tolist(), counts.values()))
    return [ranked[k] for k in order]
