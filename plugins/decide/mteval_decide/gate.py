"""Quality gate: non-inferiority of new outputs to those of a saved report.

An output fails if it loses more than allowed and the loss is significant; or, with a margin, if the
data do not show that it is not worse. Both are one-sided tests on the resamples of the paired
bootstrap.

Losses are corrected for the number of metrics and systems by Holm's procedure, because one of them
is enough to fail. Claims of not being worse are not corrected, because all of them have to hold
(Berger 1982, "Multiparameter hypothesis testing and acceptance sampling").
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core import (
    Estimate,
    MtevalError,
    Spec,
    UnknownNameError,
    UsageError,
    correct_p_values,
    metric,
    names_by_spec,
)
from mteval_decide.base import score_with
from mteval_decide.form import MOST_TRIALS
from mteval_decide.influence import resampled_scores
from mteval_decide.losses import ROUNDING, on_both
from mteval_decide.power import SIGNIFICANT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Evaluation, Files, Interval, Scorer
    from mteval_decide.base import Base, Outputs
    from mteval_decide.power import By

__all__ = ["Decision", "Rules", "Verdict", "decide"]

CONDITION = re.compile(r"(?P<metric>.+?)\s*(?P<sign>[<>])\s*\+?(?P<limit>[^\s<>+]+)\s*")
"""What fails, such as ``bleu < -0.5`` or ``ter > 1``."""

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

N_RESAMPLES = 1000
"""Number of resamples, if that is enough."""

ROOM = 20
"""With the default number of resamples, p-values can be this many times below their threshold."""


class Rules(NamedTuple):
    """When an output fails, and how this is tested.

    Parameters
    ----------
    fail_if : sequence of str
        Which losses fail: ``bleu < -0.5``, and ``ter > 0.5`` where lower is better. Other metrics
        are only reported. Default: any loss under any metric, unless there is a margin.
    alpha : float
        Losses with a p-value below this one are significant. One-sided, so below 0.5.
    margin : float or None
        The smallest difference that matters, in points of every metric. An output then fails if
        the data do not show, with this `alpha`, that it is worse by less.
    by : {"segment", "doc"}
        The unit that is drawn.
    resamples : int or None
        Number of resamples. Default: 1000, or more where p-values could not become small enough.
    seed : int
        Seed of the resamples.
    """

    fail_if: Sequence[str] = ()
    alpha: float = SIGNIFICANT
    margin: float | None = None
    by: By = "segment"
    resamples: int | None = None
    seed: int = 12345


class Verdict(NamedTuple):
    """What was decided about a system under a metric.

    Parameters
    ----------
    system, baseline, metric : str
        The system, its name in the base, and the spec.
    before, after : float
        The scores of base and system.
    low, high : float
        Basic bootstrap interval of the difference, from which the p-values can be read: with P as
        the threshold, its level is 100 (1 - 2 P) percent.
    loss : float
        How much worse the system is, in points; negative if it is better.
    allowed : float
        The largest loss that does not fail, if it is significant; infinite if none does.
    p_loss : float
        P-value of the claim that the system is worse, corrected; NaN if no loss fails.
    p_not_worse : float
        P-value of the claim that it is worse by less than the margin; NaN without a margin.
    verdict : {"pass", "fail", ""}
        Empty for a metric that is only reported.
    """

    system: str
    baseline: str
    metric: str
    before: float
    after: float
    low: float
    high: float
    loss: float
    allowed: float
    p_loss: float
    p_not_worse: float
    verdict: Literal["pass", "fail", ""]

    @property
    def difference(self) -> float:
        """Score of the system minus score of the base."""
        return self.after - self.before

    @property
    def is_large(self) -> bool:
        """Whether the loss is larger than allowed, and not only by rounding."""
        return self.loss > self.allowed + ROUNDING

    def decided(self, p: float) -> Verdict:
        """Decide by the threshold of significance."""
        fails = (self.is_large and self.p_loss < p) or self.p_not_worse >= p
        return self._replace(verdict="fail" if fails else "pass")


class Decision(NamedTuple):
    """What was decided, and from what.

    Parameters
    ----------
    evaluation : Evaluation
        The systems and those of the base.
    rules : Rules
        The rules, with the number of resamples.
    baselines : mapping of str to str
        The names of the predecessors in the evaluation.
    verdicts : list of Verdict
        All metrics of one system after those of another.
    """

    evaluation: Evaluation
    rules: Rules
    baselines: Mapping[str, str]
    verdicts: list[Verdict]

    @property
    def passed(self) -> bool:
        """Whether no system fails under any metric."""
        return all(verdict.verdict != "fail" for verdict in self.verdicts)


def decide(
    base: Base, outputs: Outputs, rules: Rules, *, files: Files, threads: int = 1
) -> Decision:
    """Compare new outputs with those of a saved report, and decide whether they may replace them.

    Parameters
    ----------
    base : Base
        The report.
    outputs : mapping of str to sequence of (str or Text)
        The new outputs by name, one per run: addresses of files, or texts. An output is compared
        with the system of its name, or with the only one.
    rules : Rules
        When an output fails.
    files : Files
        Reads the texts.
    threads : int
        Number of threads that count.

    Returns
    -------
    Decision

    Raises
    ------
    UsageError
        If the rules are not valid: an unknown metric, a gain in place of a loss, a margin that is
        not above 0, or too few resamples for any p-value to be small enough.
    InputError
        If the texts of the base cannot be read or have changed, or documents are not known.
    """
    if rules.margin is not None and not 0 < rules.margin < math.inf:
        raise UsageError(f"margin {rules.margin!r}: expected a number above 0")
    if not 0 < rules.alpha < 0.5:
        raise UsageError(f"alpha {rules.alpha!r}: expected a number between 0 and 0.5")
    evaluation, baselines = score_with(base, outputs, files, threads=threads)
    allowed = allowed_losses(rules, evaluation.scorers)
    rules = rules._replace(resamples=enough_resamples(rules, len(allowed) * len(outputs)))
    tested = run_tests(evaluation, baselines, rules)
    verdicts = judge(evaluation, baselines, rules, allowed=allowed, tested=tested)
    return Decision(evaluation, rules, baselines, verdicts)


def allowed_losses(rules: Rules, scorers: Mapping[str, Scorer]) -> dict[str, float]:
    """Return the loss that each metric allows; infinite if only the margin decides.

    Raises
    ------
    UsageError
        If a condition cannot be read, is not one of a loss, or repeats a metric.
    UnknownNameError
        If the base has no such metric.
    """
    if isinstance(rules.fail_if, str):
        raise UsageError(f"{rules.fail_if!r}: expected a list of conditions")
    if not rules.fail_if:
        return dict.fromkeys(scorers, 0.0 if rules.margin is None else math.inf)
    allowed: dict[str, float] = {}
    for condition in rules.fail_if:
        spec, loss = read_condition(condition, scorers)
        if spec in allowed:
            raise UsageError(f"{condition!r}: a second condition of {spec}; expected one")
        allowed[spec] = loss
    return allowed


def read_condition(condition: str, scorers: Mapping[str, Scorer]) -> tuple[str, float]:
    """Read a metric and the loss that it allows from a condition such as ``bleu < -0.5``."""
    match = CONDITION.fullmatch(condition)
    if match is None:
        message = f"{condition!r}: expected METRIC < -POINTS, such as -0.5, or METRIC > "
        raise UsageError(message + "POINTS where lower is better")
    spec = find_metric(match["metric"], scorers)
    if not NUMBER.fullmatch(match["limit"]):
        raise UsageError(f"{condition!r}: {match['limit']!r} is not a number")
    limit = float(match["limit"])
    if math.isinf(limit):
        raise UsageError(f"{condition!r}: {match['limit']!r} is too large")
    higher = scorers[spec].declaration.better == "higher"
    loss = -limit if higher else limit
    if (match["sign"] == "<") != higher or loss < 0:
        better, form = ("higher", "< -") if higher else ("lower", "> ")
        message = f"{condition!r} is not a loss: {spec} is better if it is {better}; expected "
        raise UsageError(message + f"'{spec} {form}POINTS'")
    return spec, abs(loss)


def find_metric(name: str, scorers: Mapping[str, Scorer]) -> str:
    """Find the spec of a metric by its spec, an alias, its name in tables, or part of its spec.

    Raises
    ------
    UnknownNameError
        If the base has no such metric, or several.
    """
    wanted = [Spec.parse(name)]
    registry = next(iter(scorers.values())).setup.registry
    with suppress(MtevalError):
        wanted.append(metric(name, registry=registry).spec)
    titles = {spec: names_by_spec([one], {})[spec] for spec, one in scorers.items()}
    by_spec = [spec for spec, one in scorers.items() if one.spec in wanted]
    by_title = [spec for spec, title in titles.items() if title == name]
    by_name = [k for k, one in scorers.items() if name in (one.label, one.spec.name)]
    found = by_spec or by_title or by_name
    if len(found) > 1:
        raise UnknownNameError(f"the base has {len(found)} metrics {name!r}: {', '.join(found)}")
    if not found:
        near = UnknownNameError.near(name, scorers)
        raise UnknownNameError(f"the base has no metric {name!r} of mteval.{near}")
    return found[0]


def enough_resamples(rules: Rules, n_claims: int) -> int:
    """Choose the number of resamples, or check that it can make p-values small enough.

    Raises
    ------
    UsageError
        If it cannot.
    """
    least = math.ceil(n_claims / rules.alpha)
    if rules.resamples is None and least <= MOST_TRIALS:
        return min(MOST_TRIALS, max(N_RESAMPLES, ROOM * least))
    if rules.resamples is None or rules.resamples < least:
        raise UsageError(
            f"{rules.resamples or MOST_TRIALS} resamples: no p-value can be below "
            f"{rules.alpha:g} after correction for {n_claims} comparisons; expected {least} "
            f"resamples or more"
        )
    return rules.resamples


class Tested(NamedTuple):
    """The scores of a system and its predecessor, and the p-values before correction."""

    before: float
    after: float
    gain: float
    interval: Interval
    p_loss: float
    p_not_worse: float


def run_tests(
    evaluation: Evaluation, baselines: Mapping[str, str], rules: Rules
) -> dict[tuple[str, str], Tested]:
    """Test all systems under all metrics, on the same resamples."""
    level = 100 * (1 - 2 * rules.alpha)
    n = rules.resamples or N_RESAMPLES
    resampled, tested = resampled_scores(evaluation, rules.by, n, rules.seed), {}
    for spec, scorer in evaluation.scorers.items():
        sign = 1 if scorer.declaration.better == "higher" else -1
        for system, baseline in baselines.items():
            own = on_both(evaluation, (system, baseline), spec)
            drawn = resampled
            if own is not evaluation:
                drawn = resampled_scores(own, rules.by, n, rules.seed)
            after, before = (
                Estimate(own.score(name, spec).score, drawn[spec][name])
                for name in (system, baseline)
            )
            change = after.minus(before)
            interval = change.interval(level, "basic")
            assert interval is not None  # scores are finite
            gain, resamples = sign * change.value, sign * change.resamples
            p_loss, p_not_worse = 1.0, 1.0
            if not all(are_alike(own, one, spec, rules.by) for one in (system, baseline)):
                p_loss = p_above(-gain, -resamples)
                p_not_worse = p_above(gain + (rules.margin or 0.0), resamples)
            tested[system, spec] = Tested(
                before.value,
                after.value,
                gain,
                interval=interval,
                p_loss=p_loss,
                p_not_worse=p_not_worse,
            )
    return tested


def are_alike(evaluation: Evaluation, system: str, spec: str, by: By) -> bool:
    """Test whether all units of a system are alike, so that every resample is the test set."""
    scores = evaluation.scores
    rows = [scores.sums(run, spec, by) for run in scores.runs[system]]
    return all(
        bool((one == one[0]).all()) if isinstance(one, np.ndarray) else one.are_alike()
        for one in rows
    )


def p_above(value: float, resamples: NDArray[np.float64]) -> float:
    r"""Test that the truth is above 0.

    Parameters
    ----------
    value : float
        The observation.
    resamples : ndarray of float64, shape (n,)
        It, or it and a constant, on bootstrap resamples.

    Notes
    -----
    If the truth is at most 0, the observation is above it by at least :math:`v`, and p is the share
    of resamples that exceed their mean by as much, the observed one included (Phipson and Smyth
    2010, "Permutation p-values should never be zero").
    """
    by_chance = resamples - resamples.mean()
    tie = 1e-10 * max(1.0, abs(value))
    return float((np.sum(by_chance >= value - tie) + 1) / (len(by_chance) + 1))


def judge(
    evaluation: Evaluation,
    baselines: Mapping[str, str],
    rules: Rules,
    *,
    allowed: Mapping[str, float],
    tested: Mapping[tuple[str, str], Tested],
) -> list[Verdict]:
    """Decide about all systems under all metrics."""
    judged = [key for key in tested if math.isfinite(allowed.get(key[1], math.inf))]
    corrected_p = correct_p_values([tested[key].p_loss for key in judged], "holm")
    p_losses = dict(zip(judged, corrected_p, strict=True))
    found = []
    for system, spec in product(baselines, evaluation.scorers):
        one, is_judged = tested[system, spec], spec in allowed
        undecided = Verdict(
            system,
            baselines[system],
            spec,
            before=one.before,
            after=one.after,
            low=one.interval.low,
            high=one.interval.high,
            loss=-one.gain,
            allowed=allowed.get(spec, math.inf),
            p_loss=p_losses.get((system, spec), math.nan),
            p_not_worse=one.p_not_worse if is_judged and rules.margin else math.nan,
            verdict="",
        )
        found.append(undecided.decided(rules.alpha) if is_judged else undecided)
    return found
