"""Systems in pairs: scores of each against each other, tests, and a ranking of all.

A metric that declares ``compares`` returns a row for each segment of an ordered pair of systems.
The scores of a pair are those of two systems in an evaluation of their own, so intervals and tests
are those of every metric. Who wins a segment, by these scores, decides the ranking.

References
----------
Bradley and Terry 1952, "Rank analysis of incomplete block designs: I. The method of paired
comparisons".
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import (
    Counted,
    Document,
    Estimate,
    ExactSum,
    InputError,
    Kept,
    Partial,
    PluginError,
    Signature,
    State,
    TestSet,
    UsageError,
    bootstrap,
    correct_p_values,
    to_evaluation,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from mteval_core import Evaluation, Interval, Scorer, Text
    from mteval_decide.power import By

    Array = NDArray[np.float64]

__all__ = ["Match", "Ranked", "Tournament", "bradley_terry", "tournament"]

ROUNDING = 1e-9
"""Scores of a segment that differ by less are a tie."""

STEPS = 100
"""Steps of Newton's method: it needs about six."""


class Match(NamedTuple):
    """Two systems against each other.

    Parameters
    ----------
    system, other : str
        The systems.
    score, against : float
        The score of the system against the other, and of the other against the system.
    interval : Interval
        Bootstrap interval of the difference of these scores.
    wins, ties, losses : int
        In how many segments, or documents, the system scores better, equally, and worse.
    p_value : float
        Of the difference, by a paired test, corrected for the number of pairs by Holm's procedure.
    """

    system: str
    other: str
    score: float
    against: float
    interval: Interval
    wins: int
    ties: int
    losses: int
    p_value: float


class Ranked(NamedTuple):
    """A system in the ranking.

    Parameters
    ----------
    system : str
        The system.
    strength : float
        Its log-odds against an average system.
    low, high : float
        Bootstrap interval of the strength.
    wins : float
        Mean share of the segments that it wins against each other system; ties count half.
    """

    system: str
    strength: float
    low: float
    high: float
    wins: float


class Tournament(NamedTuple):
    """All systems against each other under one metric.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    signature : Signature
        What it takes to compute the scores again, with the field of systems.
    matches : list of Match
        All pairs.
    ranking : list of Ranked
        The systems, the best first.
    n_units : int
        Number of segments, or documents, that were drawn.
    """

    scorer: Scorer
    signature: Signature
    matches: list[Match]
    ranking: list[Ranked]
    n_units: int


def tournament(
    scorer: Scorer,
    systems: Mapping[str, Text],
    test_set: TestSet,
    *,
    test: Any = "ar",
    trials: int = 10_000,
    resamples: int = 1000,
    level: float = 95.0,
    by: By = "segment",
    seed: int = 12345,
) -> Tournament:
    """Compare all pairs of systems, and rank the systems.

    Parameters
    ----------
    scorer : Scorer
        A metric that compares systems.
    systems : mapping of str to Text
        The outputs, one of each system.
    test_set : TestSet
        References, source and documents, as far as the metric and `by` need them.
    test : {"ar", "bs"}
        The paired test: of the scores of either system against the other.
    trials, resamples : int
        Number of trials of a permutation, and of bootstrap resamples.
    level : float
        Confidence level of the intervals, in percent.
    by : {"segment", "doc"}
        The unit that is drawn.
    seed : int
        Seed of all draws.

    Raises
    ------
    UsageError
        If there are fewer than two systems, or the metric does not compare systems.
    """
    if len(systems) < 2:
        raise UsageError(f"{len(systems)} system: expected two or more to compare")
    if not scorer.declaration.compares:
        raise UsageError(f"{scorer.spec} does not compare systems: type mteval score")
    rows = pair_rows(scorer, systems, test_set)
    draw: dict[str, Any] = {"by": by, "seed": seed, "level": level}
    spec, found, outcomes = str(scorer.spec), [], []
    for system, other in combinations(systems, 2):
        texts = {name: systems[name] for name in (other, system)}  # the second minus the first
        evaluation = evaluation_of_pair(scorer, texts, test_set, rows).confidence(resamples, **draw)
        n = trials if test == "ar" else resamples
        evaluation = evaluation.compare(test, n, correct="none", **draw)
        compared = evaluation.comparisons[system, other, spec]
        outcome = outcomes_of(evaluation, system, other, by)
        score, against = (evaluation.score(name, spec).score for name in (system, other))
        wins, ties, losses = (int(np.sum(outcome == points)) for points in (1, 0.5, 0))
        interval, p = compared.interval, compared.raw_p_value
        found.append(
            Match(
                system,
                other,
                score=score,
                against=against,
                interval=interval,
                wins=wins,
                ties=ties,
                losses=losses,
                p_value=p,
            )
        )
        outcomes.append(outcome)
    corrected = correct_p_values([one.p_value for one in found], "holm")
    points = np.array(outcomes)
    return Tournament(
        scorer,
        with_systems(evaluation.signature(system, spec), systems),
        matches=[one._replace(p_value=p) for one, p in zip(found, corrected, strict=True)],
        ranking=ranked([*systems], points, resamples=resamples, level=level, seed=seed),
        n_units=points.shape[1],
    )


# Rows


def pair_rows(
    scorer: Scorer, systems: Mapping[str, Text], test_set: TestSet
) -> dict[tuple[str, str], Array]:
    """Compute the rows of every ordered pair of systems, shape (n_segments, k).

    All outputs are one text, one after the other, so that equal words have equal ids.
    """
    n, texts = len(systems), [*systems.values()]
    for name, text in systems.items():
        test_set.check(text, name)
    source = test_set.source
    documents = test_set.documents or ("0",) * len(test_set)
    if scorer.setup.needs_documents and test_set.documents is None:
        raise InputError(f"no documents for the metric {scorer.spec}: add --docs FILE")
    streams: list[Any] = [repeated(stream, n) for stream in test_set.references]
    every = TestSet.of(
        streams,
        [f"{k} {name}" for k in range(n) for name in documents],
        source=None if source is None else repeated(source, n),
        n_hypotheses=n * len(test_set),
    )
    state = State(scorer, every)
    views = state.views(sum(texts[1:], texts[0]), every)
    size = len(next(iter(views.values()))) // n
    of_systems = {
        name: {key: view.slice(k * size, (k + 1) * size) for key, view in views.items()}
        for k, name in enumerate(systems)
    }
    first = [own[0] for own in test_set.places.values()] if size < len(test_set) else slice(None)
    rows = {}
    for a, b in permutations(systems, 2):
        own = rows_of_pair(state.scorer, of_systems[a], of_systems[b])
        rows[a, b] = np.zeros((len(test_set), own.shape[1]))
        rows[a, b][first] = own
    return rows


def repeated(text: Text, n: int) -> Text:
    """Return a text n times."""
    return sum([text] * (n - 1), text)


def rows_of_pair(scorer: Scorer, a: Mapping[str, Any], b: Mapping[str, Any]) -> Array:
    """Call the metric with the views of two systems.

    Raises
    ------
    PluginError
        If it fails, or returns no row of finite numbers for each segment.
    """
    metric: Any = scorer.setup.implementation
    inner = metric if hasattr(metric, "pair_statistics") else metric.metric
    n, name = len(next(iter(a.values()))), f"{scorer.setup.name}: pair_statistics()"
    try:
        rows = np.asarray(inner.pair_statistics(a, b), np.float64)
    except Exception as error:
        message = f"{name} fails: {type(error).__name__}: {error}"
        raise PluginError(message) from error
    rows = rows[:, None] if rows.ndim == 1 else rows
    missing = np.isnan(rows).all(axis=1) & scorer.declaration.may_miss
    if rows.ndim != 2 or len(rows) != n or not np.isfinite(rows[~missing]).all():
        message = f"{name} returns the shape {rows.shape}; expected {n} rows of finite numbers"
        raise PluginError(message)
    extended: Array = metric.extend(rows) if hasattr(metric, "extend") else rows
    return extended


def evaluation_of_pair(
    scorer: Scorer,
    texts: Mapping[str, Text],
    test_set: TestSet,
    rows: Mapping[tuple[str, str], Array],
) -> Evaluation:
    """Make an evaluation of two systems, each with its rows against the other."""
    n, spec, pairs = len(test_set), str(scorer.spec), [*permutations(texts, 2)]
    digests = {("hyp", name): text.digest for name, text in texts.items()}
    digests |= {("ref", f"{k}"): text.digest for k, text in enumerate(test_set.references)}
    for role, text in (("src", test_set.source), ("doc", test_set.documents_text)):
        digests |= {} if text is None else {(role, ""): text.digest}
    counts = np.sum([~text.missing for text in test_set.references], axis=0)
    whole = Partial(n, last=n - 1, id_sum=n * (n - 1) // 2, digests=digests)
    whole.least, whole.most = int(np.min(counts)), int(np.max(counts))
    whole.counted = {(a, spec): Counted(ExactSum.of(rows[a, b])) for a, b in pairs}
    whole.rows = {(a, spec): [rows[a, b]] for a, b in pairs}
    whole.ids = [np.arange(n)]
    if test_set.documents is not None:
        whole.documents = {
            name: Document(
                own[0], len(own), {(a, spec): ExactSum.of(rows[a, b][own]) for a, b in pairs}
            )
            for name, own in test_set.places.items()
        }
    return to_evaluation(whole, {name: (name,) for name in texts}, [scorer], Kept("segment"))


def with_systems(signature: Signature, systems: Mapping[str, Text]) -> Signature:
    """Name the field of systems in a signature."""
    fields = {"nrefs": signature.fields["nrefs"], "systems": tuple(systems)}
    return Signature(signature.name, {**fields, **signature.fields})


# Ranking


def outcomes_of(evaluation: Evaluation, system: str, other: str, by: By) -> Array:
    """Tell who wins each unit: 1 for the system, 0 for the other, 0.5 for a tie; NaN unknown."""
    (spec, scorer), scores = next(iter(evaluation.scorers.items())), evaluation.scores
    sign = 1 if scorer.declaration.better == "higher" else -1
    own, others = (scorer.scores(scores.sums(name, spec, by)) for name in (system, other))
    lead = sign * (own - others)
    lead[np.abs(lead) < ROUNDING] = 0
    outcomes: Array = (1 + np.sign(lead)) / 2
    return outcomes


def ranked(
    systems: list[str], outcomes: Array, *, resamples: int, level: float, seed: int
) -> list[Ranked]:
    """Rank the systems, with intervals from resampled units.

    Parameters
    ----------
    systems : list of str
        The systems.
    outcomes : ndarray of float64, shape (n_pairs, n_units)
        Who wins each unit, for the pairs in the order of `itertools.combinations`.
    resamples : int
        Number of bootstrap resamples; all pairs share their units.
    level : float
        Confidence level, in percent.
    seed : int
        Seed of the resamples.
    """
    n_units = outcomes.shape[1]
    whole = wins_of(np.ones((1, n_units)), outcomes, len(systems))
    strengths = bradley_terry(whole)[0]
    chunks = bootstrap(n_units, resamples, seed)
    drawn = np.concatenate(
        [bradley_terry(wins_of(one.astype(float), outcomes, len(systems))) for one in chunks]
    )
    shares = whole[0] / np.maximum(whole[0] + whole[0].T, 1)
    means = shares.sum(axis=1) / (len(systems) - 1)
    found = []
    for k in np.argsort(-strengths, kind="stable").tolist():
        interval = Estimate(float(strengths[k]), drawn[:, k]).interval(level)
        assert interval is not None  # strengths are finite
        ends = interval.low, interval.high
        found.append(Ranked(systems[k], float(strengths[k]), *ends, wins=float(means[k])))
    return found


def wins_of(weights: Array, outcomes: Array, n_systems: int) -> Array:
    """Count how often each system (row) wins against each other, shape (n, systems, systems)."""
    known = ~np.isnan(outcomes)
    won = weights @ np.where(known, outcomes, 0).T
    lost = weights @ known.T.astype(float) - won
    wins = np.zeros((len(weights), n_systems, n_systems))
    for k, (i, j) in enumerate(combinations(range(n_systems), 2)):
        wins[:, i, j], wins[:, j, i] = won[:, k], lost[:, k]
    return wins


def bradley_terry(wins: Array) -> Array:
    r"""Fit the strengths of systems to their wins by maximum likelihood.

    Parameters
    ----------
    wins : ndarray of float64, shape (..., m, m)
        How often each system (row) wins against each other (column); a tie is half a win of both.

    Returns
    -------
    ndarray of float64, shape (..., m)
        Log-odds, whose sum is 0.

    Notes
    -----
    System i wins against j with the probability :math:`1 / (1 + e^{s_j - s_i})`. One more tie is
    added to each pair, so a system that wins all segments has a finite strength, too. Newton's
    method finds the only maximum.
    """
    wins = wins + (1 - np.eye(wins.shape[-1])) / 2
    played = wins + np.swapaxes(wins, -1, -2)
    strengths = np.zeros(wins.shape[:-1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(strengths[..., None, :] - strengths[..., :, None]))
        gradient = (wins - played * chance).sum(axis=-1)
        curvature = played * chance * (1 - chance)
        np.einsum("...ii->...i", curvature)[...] = 0
        hessian = -curvature
        np.einsum("...ii->...i", hessian)[...] = curvature.sum(axis=-1)
        # The strengths are known up to a constant; 1 in each cell makes it 0.
        step = np.linalg.solve(hessian + 1, gradient[..., None])[..., 0]
        strengths = strengths + np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < 1e-12:
            break
    centred: Array = strengths - strengths.mean(axis=-1, keepdims=True)
    return centred
