"""Decisions about new outputs, against t-tests, hand calculations and other ways to the same."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_decide.base import Base
from mteval_decide.gate import (
    Decision,
    Rules,
    Verdict,
    allowed_losses,
    decide,
    enough_resamples,
    read_condition,
)
from mteval_decide.losses import Loss, largest_losses

import mteval_core as mt
from mteval_core import Address, Files, Text, correct_p_values, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Gate = Callable[..., Decision]

ttest_1samp = pytest.importorskip("scipy.stats").ttest_1samp

N = 100
RNG = np.random.default_rng(20261122)
BASE = RNG.normal(10, 1, N).round(3)
NOISE = RNG.normal(0, 1, N)
NOISE -= NOISE.mean()

CHANGES = {
    "better": (BASE + 0.5 + NOISE / 2).round(3),
    "equal": (BASE + NOISE / 2).round(3),
    "slightly worse": (BASE - 0.3 + NOISE / 2).round(3),
    "worse": (BASE - 1.0 + NOISE / 2).round(3),
    "noisy": (BASE - 0.6 + NOISE * 10).round(3),
}
"""Standard errors of the differences are 0.05, and 1 for the noisy system."""


@pytest.fixture(scope="module")
def registry(plugin: Callable[..., Any], mean: mt.MetricSpec) -> mt.Registry:
    """Make a registry with ``mean`` and ``cost``, the same with the opposite direction."""
    cost = replace(mean, name="cost", label="Cost", better="lower")
    return mt.load_registry([plugin([mean, cost])])


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Address]:
    """Write numbers to a file, one per line."""

    def file(name: str, numbers: Sequence[Any]) -> Address:
        path = tmp_path / name
        path.write_text("".join(f"{number}\n" for number in numbers), encoding="utf-8")
        return Address(str(path))

    return file


@pytest.fixture
def base(registry: mt.Registry, write: Callable[..., Address]) -> Callable[..., Base]:
    """Save a report of systems that are given by their segments' numbers."""

    def saved(
        systems: Mapping[str, Any], metrics: Sequence[str] = ("mean:tok=none",), **more: Any
    ) -> Base:
        files = Files(registry)
        texts = {
            name: [
                files.text(write(f"{name}{k}", run)) for k, run in enumerate(np.atleast_2d(runs))
            ]
            for name, runs in systems.items()
        }
        n = len(next(iter(texts.values()))[0])
        test_set = files.test_set([write("ref", ["x"] * n)], **more)
        return Base(evaluate(texts, test_set, list(metrics), registry=registry).to_dict())

    return saved


@pytest.fixture
def gate(registry: mt.Registry, base: Callable[..., Base], write: Callable[..., Address]) -> Gate:
    """Compare the numbers of a new system with those of a base."""

    def run(old: Any, new: Any, metrics: Sequence[str] = (), **rules: Any) -> Decision:
        saved = base({"main": old}, metrics or ["mean:tok=none"])
        outputs = new if isinstance(new, dict) else {"main": new}
        paths = {
            name: [write(f"{name} {k} new", run) for k, run in enumerate(np.atleast_2d(runs))]
            for name, runs in outputs.items()
        }
        return decide(saved, paths, Rules(**rules), files=Files(registry))

    return run


BOTH = ("mean:tok=none", "cost:tok=none")


# Decisions


@pytest.mark.parametrize(
    ("rules", "failing"),
    [
        ({}, {"slightly worse", "worse"}),
        ({"fail_if": ["mean:tok=none < -0.5"]}, {"worse"}),
        ({"fail_if": ["mean:tok=none<-2"]}, set()),
        ({"margin": 0.2}, {"slightly worse", "worse", "noisy"}),
        ({"margin": 0.5}, {"worse", "noisy"}),
        ({"margin": 3.0}, set()),
        ({"margin": 0.5, "fail_if": ["mean < -0.1"]}, {"slightly worse", "worse", "noisy"}),
        ({"alpha": 0.3}, {"slightly worse", "worse", "noisy"}),
    ],
)
def test_who_fails(gate: Gate, rules: dict[str, Any], failing: set[str]) -> None:
    decisions = {name: gate(BASE, numbers, **rules) for name, numbers in CHANGES.items()}
    assert {name for name, decision in decisions.items() if not decision.passed} == failing


@pytest.mark.parametrize("shift", [0.1, 0.0, -0.05, -0.1, -0.15])
def test_p_values_are_those_of_t_tests(gate: Gate, shift: float) -> None:
    rng = np.random.default_rng(1)
    new = (BASE + rng.normal(shift, 1, N)).round(3)
    (one,) = gate(BASE, new, fail_if=["mean < 0"], margin=0.2, resamples=4000).verdicts
    worse = ttest_1samp(new - BASE, 0, alternative="less").pvalue
    not_worse = ttest_1samp(new - BASE, -0.2, alternative="greater").pvalue
    for p, expected in ((one.p_loss, worse), (one.p_not_worse, not_worse)):
        # Within 4 standard errors of 4000 resamples, and t is not quite normal.
        sampling = np.sqrt(expected * (1 - expected) / 4000)
        assert p == pytest.approx(expected, abs=4 * sampling + 0.003)


def test_p_values_can_be_read_from_the_interval(gate: Gate) -> None:
    rng = np.random.default_rng(2)
    seen = set()
    for shift in np.linspace(-0.4, 0.1, 6):
        new = (BASE + rng.normal(shift, 1, N)).round(3)
        (one,) = gate(BASE, new, alpha=0.1, fail_if=["mean < 0"], margin=0.2).verdicts
        assert (one.p_loss < 0.1) == (one.high < 0)
        assert (one.p_not_worse < 0.1) == (one.low > -0.2)
        seen.add((one.p_loss < 0.1, one.p_not_worse < 0.1))
    assert seen >= {(True, False), (False, True)}


def test_the_numbers_of_a_verdict(gate: Gate) -> None:
    decision = gate([1, 2, 3, 6], [1, 2, 2, 3], BOTH, fail_if=["mean < -0.5"])
    mean, cost = decision.verdicts
    assert (mean.system, mean.baseline, mean.metric) == ("main", "main (base)", BOTH[0])
    assert (mean.before, mean.after, mean.difference, mean.loss) == (3, 2, -1, 1)
    assert (mean.allowed, mean.is_large) == (0.5, True)
    assert (cost.difference, cost.loss, cost.verdict) == (-1, -1, "")
    assert math.isnan(cost.p_loss)
    assert math.isnan(mean.p_not_worse)
    assert math.isinf(cost.allowed)
    assert decision.rules.resamples == 1000


def test_where_lower_is_better_a_loss_is_more(gate: Gate) -> None:
    more, less = BASE + 1 + NOISE / 2, BASE - 1 + NOISE / 2
    for new, fails in ((more, {BOTH[1]}), (less, {BOTH[0]})):
        decision = gate(BASE, new.round(3), BOTH)
        assert {one.metric for one in decision.verdicts if one.verdict == "fail"} == fails
    assert gate(BASE, more.round(3), BOTH, fail_if=["cost > 1.5"]).passed
    assert not gate(BASE, more.round(3), BOTH, fail_if=["Cost > 0.5"]).passed
    decision = gate(BASE, more.round(3), BOTH, margin=1.5)
    assert decision.passed
    assert [one.p_not_worse < 0.05 for one in decision.verdicts] == [True, True]


def test_rounding_is_no_loss(gate: Gate) -> None:
    old = np.full(50, 0.3) + np.arange(50) % 2
    decision = gate(old, old - 0.1, fail_if=["mean < -0.1"])
    assert decision.verdicts[0].loss == pytest.approx(0.1)
    assert decision.verdicts[0].loss != 0.1
    assert decision.passed
    assert not gate(old, old - 0.1, fail_if=["mean < -0.0999"]).passed


def test_the_same_output_passes_every_rule(gate: Gate) -> None:
    for rules in ({}, {"fail_if": ["mean < 0"]}, {"margin": 1e-6}):
        decision = gate(BASE, BASE, **rules)
        assert decision.passed
        assert decision.verdicts[0].difference == 0


def test_losses_are_corrected_together_and_claims_of_not_being_worse_are_not(gate: Gate) -> None:
    rng = np.random.default_rng(5)
    new = {f"S{k}": (BASE + rng.normal(-0.1, 1, N)).round(3) for k in range(3)}
    conditions = ["mean < 0", "cost > 0"]
    rules = {"fail_if": conditions, "margin": 0.3, "resamples": 3000}
    together = gate(BASE, new, BOTH, **rules).verdicts
    alone = [
        gate(BASE, {name: numbers}, [metric], **{**rules, "fail_if": [condition]}).verdicts[0]
        for name, numbers in new.items()
        for metric, condition in zip(BOTH, conditions, strict=True)
    ]
    assert [one.p_loss for one in together] == correct_p_values(
        [one.p_loss for one in alone], "holm"
    )
    assert [one.p_loss for one in together] != [one.p_loss for one in alone]
    assert [one.p_not_worse for one in together] == [one.p_not_worse for one in alone]


def test_documents_are_drawn_as_a_whole(
    registry: mt.Registry, base: Callable[..., Base], write: Callable[..., Address]
) -> None:
    # Ten documents of ten segments, which change by -1 and 0.6, nearly alike.
    changes = np.repeat([-1, 0.6, -1, -1, 0.6, -1, 0.6, -1, 0.6, -1], 10)
    documents = write("docs", np.repeat(np.arange(10), 10))
    saved = base({"main": BASE}, documents=documents)
    outputs = {"main": [write("new", (BASE + changes).round(3))]}
    files, p = Files(registry), {}
    for by in ("segment", "doc"):
        rules = Rules(["mean < 0"], by=by)
        (verdict,) = decide(saved, outputs, rules, files=files).verdicts
        p[by] = verdict.p_loss
    assert p["segment"] < 0.001 < 0.05 < p["doc"]


# Which system is compared with which


def test_the_only_system_or_the_one_of_the_same_name_is_the_predecessor() -> None:
    def known(*names: str) -> Base:
        return Base({"inputs": {"systems": {name: [] for name in names}}})

    assert known("a").predecessor("b") == "a"
    assert known("a", "b").predecessor("b") == "b"
    with pytest.raises(mt.UnknownNameError) as caught:
        known("main", "small").predecessor("smal")
    assert str(caught.value).startswith("the base has no system 'smal'; name the output after")
    assert "Did you mean 'small'?" in str(caught.value)


def test_other_systems_of_the_base_are_not_read(
    registry: mt.Registry, base: Callable[..., Base], write: Callable[..., Address]
) -> None:
    saved = base({"main": BASE, "other": BASE + 1})
    Path(saved.report["inputs"]["systems"]["other"][0]["path"]).unlink()
    new = {"main": [write("new", CHANGES["worse"])]}
    decision = decide(saved, new, Rules(), files=Files(registry))
    assert decision.evaluation.systems == ["main (base)", "main"]
    assert not decision.passed


def test_several_runs_count_with_their_mean(gate: Gate) -> None:
    decision = gate([BASE, BASE + 1], {"main": [BASE, BASE - 0.5]})
    assert decision.verdicts[0].difference == pytest.approx(-0.75)
    assert not decision.passed


def test_segments_can_be_given_as_a_text(registry: mt.Registry, base: Callable[..., Base]) -> None:

    segments = Text.of([f"{number}" for number in CHANGES["worse"]], "new")
    decision = decide(base({"main": BASE}), {"x": [segments]}, Rules(), files=Files(registry))
    assert not decision.passed
    assert decision.baselines == {"x": "main (base)"}


# Texts of the base


def test_texts_that_have_changed_are_refused(
    registry: mt.Registry, base: Callable[..., Base], write: Callable[..., Address]
) -> None:
    saved, files = base({"main": BASE}), Files(registry)
    moved = saved._replace(systems={"main": [write("moved", BASE)]})
    new = {"main": [write("main0", CHANGES["worse"])]}  # in the place of the old one
    with pytest.raises(mt.InputError, match="the output of main is not that of the base: keep the"):
        decide(saved, new, Rules(), files=files)
    assert not decide(moved, new, Rules(), files=files).passed
    other = moved._replace(references=[write("other", ["y"] * N)])
    with pytest.raises(mt.InputError, match="the references differ, compared with the base: give"):
        decide(other, new, Rules(), files=files)


def test_texts_that_are_gone_are_named(
    registry: mt.Registry, base: Callable[..., Base], write: Callable[..., Address]
) -> None:
    saved, new = base({"main": BASE}), {"main": [write("new", BASE)]}
    path = Path(saved.report["inputs"]["systems"]["main"][0]["path"])
    path.unlink()
    with pytest.raises(mt.InputError, match=r"main0: no such file"):
        decide(saved, new, Rules(), files=Files(registry))
    unnamed = {"path": None, "sha256": "0" * 64}
    saved.report["inputs"]["systems"]["main"] = [unnamed]
    with pytest.raises(mt.InputError, match="input of the report was"):
        decide(saved, new, Rules(), files=Files(registry))


def test_an_output_of_another_length_is_refused(gate: Gate) -> None:
    with pytest.raises(mt.InputError, match=r"99 segments.*100|100.*99"):
        gate(BASE, BASE[:-1])


def test_a_name_of_the_base_is_taken(gate: Gate) -> None:
    with pytest.raises(mt.UsageError, match=r"'main \(base\)' is a system of the base"):
        gate(BASE, {"main (base)": BASE})


def test_scores_of_other_programs_are_left_out(
    registry: mt.Registry, base: Callable[..., Base], write: Callable[..., Address]
) -> None:
    saved = base({"main": BASE})
    (record,) = saved.report["records"]
    saved.report["records"].append({**record, "metric": "points"})
    saved.report["inputs"]["scores"] = [{"name": "points", "path": None, "better": "higher"}]
    new = {"main": [write("new", BASE)]}
    decision = decide(saved, new, Rules(), files=Files(registry))
    assert [one.metric for one in decision.verdicts] == ["mean:tok=none"]
    assert saved.outside == {"points"}
    del saved.report["records"][0]
    with pytest.raises(mt.InputError, match="the base has only scores of other programs"):
        decide(saved, new, Rules(), files=Files(registry))


# Conditions


@pytest.fixture(scope="module")
def scorers(registry: mt.Registry) -> dict[str, Any]:
    specs = [*BOTH, "mean:case=lc,tok=none"]
    return {
        str(mt.metric(s, registry=registry).spec): mt.metric(s, registry=registry) for s in specs
    }


@pytest.mark.parametrize(
    ("condition", "metric", "loss"),
    [
        ("mean:tok=none < -0.5", "mean:tok=none", 0.5),
        ("mean:tok=none<-.5", "mean:tok=none", 0.5),
        ("mean:tok=none < 0", "mean:tok=none", 0),
        ("mean:tok=none < -0", "mean:tok=none", 0),
        ("mean:case=lc,tok=none < -1e-3", "mean:case=lc,tok=none", 0.001),
        ("mean:tok=none,case=lc < -2", "mean:case=lc,tok=none", 2),
        ("Cost > 1.5", "cost:tok=none", 1.5),
        ("cost:tok=none > +1.5 ", "cost:tok=none", 1.5),
    ],
)
def test_conditions(scorers: Any, condition: str, metric: str, loss: float) -> None:
    found, allowed = read_condition(condition, scorers)
    assert (mt.Spec.parse(found), allowed) == (mt.Spec.parse(metric), loss)
    assert math.copysign(1, allowed) == 1


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("BLEU", "bleu"),
        ("sacrebleu", "bleu"),
        ("BLEU-2", "bleu:order=2"),
        ("chrf++", "chrf:nw=2"),
        ("chrF++", "chrf:nw=2"),
        ("chrF", "chrf:nw=2"),
    ],
)
def test_a_condition_names_a_metric_by_alias_or_as_tables_do(name: str, spec: str) -> None:
    for plugin in ("bleu_nist", "chrf"):
        pytest.importorskip(f"mteval_{plugin}", reason="has the aliases")
    scorers = {each: mt.metric(each) for each in ("bleu", "bleu:order=2", "chrf:nw=2")}
    assert read_condition(f"{name} < -1", scorers) == (spec, 1)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("mean:tok=none", "'mean:tok=none': expected METRIC < -POINTS, such as -0.5"),
        ("< -1", "expected METRIC < -POINTS"),
        ("mean:tok=none <", "expected METRIC < -POINTS"),
        ("mean:tok=none <= -1", "'=' is not a number|expected METRIC"),
        ("mean:tok=none < -1 2", "expected METRIC < -POINTS"),
        ("mean:tok=none < x", "'x' is not a number"),
        ("mean:tok=none < nan", "'nan' is not a number"),
        ("mean:tok=none < -1e999", "is too large"),
        ("mean:tok=none < 0.5", "is not a loss: mean:tok=none is better if it is higher; expect"),
        ("mean:tok=none > 0.5", "expected 'mean:tok=none < -POINTS'"),
        ("mean:tok=none > -0.5", "is not a loss"),
        (
            "cost:tok=none < -0.5",
            "cost:tok=none is better if it is lower; expected 'cost:tok=none ",
        ),
        ("cost:tok=none > -0.5", "is not a loss"),
        ("meen < -1", "the base has no metric 'meen' of mteval. "),
        ("mean < -1", "the base has 2 metrics 'mean': mean:tok=none, mean:case=lc,tok=none$"),
        ("mean:: < -1", "mean::"),
    ],
)
def test_conditions_that_make_no_sense(scorers: Any, condition: str, message: str) -> None:
    with pytest.raises(mt.UsageError, match=message):
        read_condition(condition, scorers)


@given(
    st.one_of(
        st.text(),
        st.builds("{}{}{}".format, st.text(), st.sampled_from("<>"), st.text()),
        st.builds("{}{}{}".format, st.sampled_from(BOTH), st.sampled_from("<>"), st.floats()),
    )
)
def test_any_condition_is_read_or_refused(scorers: Any, condition: str) -> None:
    with suppress(mt.UsageError):
        metric, loss = read_condition(condition, scorers)
        assert metric in scorers
        assert 0 <= loss < math.inf


def test_a_metric_has_one_condition(scorers: Any) -> None:
    rules = Rules(["mean:tok=none < -1", "cost > 2", "mean:tok=none < -2"])
    with pytest.raises(mt.UsageError, match="a second condition of mean:tok=none; expected one"):
        allowed_losses(rules, scorers)
    assert allowed_losses(Rules(rules.fail_if[:2]), scorers) == {BOTH[0]: 1, BOTH[1]: 2}


def test_without_conditions_all_metrics_are_judged(scorers: Any) -> None:
    assert set(allowed_losses(Rules(), scorers).values()) == {0.0}
    assert set(allowed_losses(Rules(margin=1.0), scorers).values()) == {math.inf}


@pytest.mark.parametrize(
    ("alpha", "resamples", "n_claims", "expected"),
    [
        (0.05, None, 1, 1000),
        (0.05, None, 6, 2400),
        (0.001, None, 1, 20_000),
        (1e-5, None, 2, 1_000_000),
        (0.05, 20, 1, 20),
        (0.05, 19, 1, "19 resamples: no p-value can be below 0.05 after correction for 1 compar"),
        (0.05, 100, 6, "expected 120 resamples or more"),
        (1e-7, None, 1, "1000000 resamples: no p-value can be below 1e-07"),
    ],
)
def test_resamples(alpha: float, resamples: int | None, n_claims: int, expected: int | str) -> None:
    rules = Rules(alpha=alpha, resamples=resamples)
    if isinstance(expected, int):
        assert enough_resamples(rules, n_claims) == expected
        assert 1 / (expected + 1) * n_claims < alpha
        return
    with pytest.raises(mt.UsageError, match=expected):
        enough_resamples(rules, n_claims)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"alpha": 0.5}, "alpha 0.5: expected a number between 0 and 0.5"),
        ({"alpha": 0.0}, "alpha 0.0: expected a number between 0 and 0.5"),
        ({"margin": 0.0}, "margin 0.0: expected"),
        ({"by": "doc"}, "documents are not known"),
    ],
)
def test_rules_that_make_no_sense(gate: Gate, rules: dict[str, Any], message: str) -> None:
    with pytest.raises(mt.MtevalError, match=message):
        gate(BASE, BASE, **rules)


# Segments


def lost(decision: Decision, one: Verdict, most: int) -> list[Loss]:
    pair = (one.system, one.baseline)
    return largest_losses(decision.evaluation, pair, one.metric, most)


def test_segments_that_lost_most_by_hand(gate: Gate) -> None:
    # Segments change by -4, 0, +2, -1 and -2, in the mean by -1. Without segment 0, the others
    # change by -1/4; without segment 4, by -3/4; without segment 3, still by -1.
    decision = gate([5, 5, 5, 5, 5], [1, 5, 7, 4, 3], BOTH, resamples=100)
    mean, cost = decision.verdicts
    first, second = lost(decision, mean, 5)
    assert (first.segment, first.before, first.after, first.without) == (0, 5, 1, -0.25)
    assert (first.old, first.new) == ("5", "1")
    assert (second.segment, second.before, second.after, second.without) == (4, 5, 3, -0.75)
    assert lost(decision, mean, 1) == [first]
    assert lost(decision, mean, 0) == []
    # Where lower is better, the segments that rise lose: without segment 2, the change is -7/4.
    found = lost(decision, cost, 5)
    assert [(one.segment, one.without) for one in found] == [(2, -1.75), (1, -1.25)]


def test_an_equal_output_has_no_lost_segments(gate: Gate) -> None:
    decision = gate(BASE, BASE)
    assert lost(decision, decision.verdicts[0], 10) == []
