"""Verdicts against Holm's procedure, exact bootstraps and corpora without a segment, by hand."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_decide import gate
from mteval_decide.gate import (
    Decision,
    Rules,
    Verdict,
    judge,
    run_tests,
)
from mteval_decide.losses import Loss, largest_losses

import mteval_core as mt
from mteval_core import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

SPEC = "matches:tok=none"
REFERENCE = ["a b c", "d", "e f", "a a b", "g h i j k"]
BASE = ["a b", "d", "e x f", "a b", "g h i j"]
NEW = ["a x", "d y z", "e f", "a a b", "x"]
PAIRS = {"new": "base"}

probabilities = st.floats(0.0005, 1)
spread = Interval(-1.0, 1.0, 0.0, level=90.0, n=100, kind="basic")


def verdict(**fields: Any) -> Verdict:
    made = Verdict("new", "base", SPEC, 50, 49, -2, 0, 1, 0, p_loss=1, p_not_worse=1, verdict="")
    return made._replace(**fields)


def lost(decision: Decision, one: Verdict, most: int) -> list[Loss]:
    pair = (one.system, one.baseline)
    return largest_losses(decision.evaluation, pair, one.metric, most)


def scored(outputs: dict[str, Any], registry: mt.Registry, **more: Any) -> mt.Evaluation:
    n = len(next(iter(outputs.values())))
    return mt.evaluate(outputs, [REFERENCE[:n]], [SPEC], registry=registry, **more)


# Verdicts


@given(
    st.floats(-5, 5),
    st.sampled_from([0.0, 0.5, 1.0, math.inf]),
    probabilities | st.just(math.nan),
    probabilities | st.just(math.nan),
    st.floats(0.001, 0.499),
)
def test_an_output_fails_for_a_loss_or_for_want_of_evidence(
    loss: float, allowed: float, p_loss: float, p_not_worse: float, p: float
) -> None:
    one = verdict(loss=loss, allowed=allowed, p_loss=p_loss, p_not_worse=p_not_worse).decided(p)
    lost = loss - allowed > 1e-9 and not math.isnan(p_loss) and p_loss < p
    unproven = not math.isnan(p_not_worse) and not p_not_worse < p
    assert (one.verdict == "fail") == (lost or unproven)
    more = one._replace(allowed=allowed + 1, p_not_worse=p_not_worse / 2).decided(p)
    assert (one.verdict, more.verdict) != ("pass", "fail")


def test_a_loss_as_large_as_allowed_passes() -> None:
    one = verdict(loss=1.0, allowed=1.0, p_loss=0.001, p_not_worse=math.nan)
    assert one.decided(0.05).verdict == "pass"
    assert one._replace(loss=math.nextafter(1.0, 2)).decided(0.05).verdict == "pass"
    assert one._replace(loss=1.000001).decided(0.05).verdict == "fail"
    assert one._replace(loss=2.0, p_loss=0.05).decided(0.05).verdict == "pass"


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm 1979: the largest of (m - k) p over all p-values up to this one, k smaller ones."""
    m = len(p_values)
    ordered = sorted(p_values)
    return [
        min(1.0, max((m - k) * p for k, p in enumerate(ordered) if p <= own)) for own in p_values
    ]


@settings(max_examples=30, deadline=None)
@given(st.lists(probabilities, min_size=3, max_size=3, unique=True), st.booleans())
def test_losses_are_corrected_over_systems(
    registry: mt.Registry, p_values: list[float], judged: object
) -> None:
    names = ["één", "system two", "三"]
    evaluation = scored({"base": ["a"], **{name: ["x"] for name in names}}, registry)
    tested = {
        (name, SPEC): gate.Tested(100.0, 0.0, -100.0, spread, p, p / 2)
        for name, p in zip(names, p_values, strict=True)
    }
    allowed = {SPEC: 10.0} if judged else {}
    rules = Rules(margin=5.0)
    baselines = dict.fromkeys(names, "base")
    verdicts = judge(evaluation, baselines, rules, allowed=allowed, tested=tested)
    assert [one.system for one in verdicts] == names
    assert {(one.before, one.after, one.loss) for one in verdicts} == {(100.0, 0.0, 100.0)}
    if not judged:
        assert {one.verdict for one in verdicts} == {""}
        assert all(math.isnan(p) for one in verdicts for p in (one.p_loss, one.p_not_worse))
        return
    assert [one.p_loss for one in verdicts] == pytest.approx(holm(p_values))
    assert [one.p_not_worse for one in verdicts] == [p / 2 for p in p_values]
    assert [one.verdict == "fail" for one in verdicts] == [
        corrected < 0.05 or p / 2 >= 0.05
        for corrected, p in zip(holm(p_values), p_values, strict=True)
    ]


def test_a_margin_alone_judges_no_loss(registry: mt.Registry) -> None:
    evaluation = scored({"base": ["a b"], "new": ["a x"]}, registry)
    tested = {("new", SPEC): gate.Tested(50.0, 0.0, -50.0, spread, 0.001, 0.01)}
    rules, allowed = Rules(margin=60.0), {SPEC: math.inf}
    (one,) = judge(evaluation, PAIRS, rules, allowed=allowed, tested=tested)
    assert math.isnan(one.p_loss)
    assert (one.p_not_worse, one.verdict, one.is_large) == (0.01, "pass", False)


# P-values


def corpus_score(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Share of the tokens that the references have, in percent."""
    matches = n = 0
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        left = reference.split()
        for token in hypothesis.split():
            if token in left:
                left.remove(token)
                matches += 1
        n += len(hypothesis.split())
    return 100 * matches / n


def drawn_score(output: Sequence[str], drawn: Sequence[int]) -> float:
    return corpus_score([output[k] for k in drawn], [REFERENCE[k] for k in drawn])


@pytest.mark.parametrize("swapped", [False, True])
def test_p_values_of_a_ratio_are_those_of_all_resamples(
    registry: mt.Registry, swapped: object
) -> None:
    old, new = (NEW, BASE) if swapped else (BASE, NEW)
    evaluation = scored({"base": old, "new": new}, registry)
    n, margin = 4000, 20.0
    found = run_tests(evaluation, PAIRS, Rules(resamples=n, margin=margin))["new", SPEC]
    gain = drawn_score(new, range(5)) - drawn_score(old, range(5))
    assert found.gain == pytest.approx(gain)
    everything = np.array(
        [drawn_score(new, d) - drawn_score(old, d) for d in product(range(5), repeat=5)]
    )
    by_chance = everything - everything.mean()
    for p, expected in (
        (found.p_loss, np.mean(by_chance <= gain)),
        (found.p_not_worse, np.mean(by_chance >= gain + margin)),
    ):
        assert p == pytest.approx(expected, abs=4 * math.sqrt(0.25 / n))
    assert (found.p_loss < 0.3) != bool(swapped)


def test_segments_that_are_all_alike_prove_nothing(registry: mt.Registry) -> None:
    outputs = {"base": ["a"] * 3, "new": ["x"] * 3}
    evaluation = mt.evaluate(outputs, [["a"] * 3], [SPEC], registry=registry)
    rules, allowed = Rules(resamples=50, margin=1000.0), {SPEC: 0.0}
    tested = run_tests(evaluation, PAIRS, rules)
    found = tested["new", SPEC]
    assert (found.gain, found.p_loss, found.p_not_worse) == (-100.0, 1.0, 1.0)
    (one,) = judge(evaluation, PAIRS, rules, allowed=allowed, tested=tested)
    assert (one.loss, one.is_large, one.verdict) == (100.0, True, "fail")
    (one,) = judge(evaluation, PAIRS, Rules(resamples=50), allowed=allowed, tested=tested)
    assert (one.is_large, one.verdict) == (True, "pass")


def test_one_segment_is_refused(registry: mt.Registry) -> None:
    evaluation = scored({"base": ["a b c"], "new": ["x"]}, registry)
    with pytest.raises(mt.InputError, match="only one segment"):
        run_tests(evaluation, PAIRS, Rules(resamples=50))


# Segments


def test_losses_under_a_ratio_are_those_of_corpora_without_the_segment(
    registry: mt.Registry,
) -> None:
    evaluation = scored({"base": BASE, "new": NEW}, registry)
    whole = corpus_score(NEW, REFERENCE) - corpus_score(BASE, REFERENCE)
    one = verdict(before=corpus_score(BASE, REFERENCE), after=corpus_score(NEW, REFERENCE))
    decision = Decision(evaluation, Rules(), PAIRS, [one])
    assert one.difference == pytest.approx(whole)
    without = {}
    for k in range(5):
        kept = [i for i in range(5) if i != k]
        without[k] = drawn_score(NEW, kept) - drawn_score(BASE, kept)
    expected = sorted((k for k in without if without[k] > whole), key=lambda k: -without[k])
    found = lost(decision, one, 5)
    assert [loss.segment for loss in found] == expected
    assert len(expected) in (2, 3)
    for loss in found:
        k = loss.segment
        assert loss.without == pytest.approx(without[k])
        assert (loss.old, loss.new) == (BASE[k], NEW[k])
        assert loss.before == pytest.approx(corpus_score([BASE[k]], [REFERENCE[k]]))
        assert loss.after == pytest.approx(corpus_score([NEW[k]], [REFERENCE[k]]))


def test_equal_losses_stand_in_the_order_of_the_text(registry: mt.Registry) -> None:
    # Segments 1 and 3 lose their only token; the others are the same.
    old, new = ["a", "d", "e", "a"], ["a", "x", "e", "x"]
    one = verdict(before=100.0, after=50.0)
    decision = Decision(scored({"base": old, "new": new}, registry), Rules(), PAIRS, [one])
    found = lost(decision, one, 4)
    assert [loss.segment for loss in found] == [1, 3]
    assert [loss.without for loss in found] == pytest.approx([-100 / 3] * 2)
    assert [loss.segment for loss in lost(decision, one, 1)] == [1]
