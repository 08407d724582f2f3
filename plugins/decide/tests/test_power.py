"""Power and sizes, against closed forms, hand calculations, the bootstrap and a simulation."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_decide.power import Plan, Power, powers, standard_errors

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Evaluate = Callable[..., mt.Evaluation]

norm = pytest.importorskip("scipy.stats").norm

SPEC = "mean:tok=none"
PLUGINS = {
    "bleu": "bleu_nist",
    "chrf": "chrf",
    "ter": "error_rates",
    "rouge-l": "rouge",
    "gtm": "gtm",
    "meteor": "meteor_fmean",
    "nist": "bleu_nist",
}


def one(evaluation: mt.Evaluation, **plan: Any) -> Power:
    """Compute the power of the only pair."""
    (found,) = powers(evaluation, Plan(**plan))
    return found


def test_the_error_of_a_difference_of_means(evaluate: Evaluate) -> None:
    a, b = np.random.default_rng(1).normal(3, 2, (2, 40)).round(3)
    found = one(evaluate({"A": a, "B": b}))
    assert found.error == pytest.approx((b - a).std(ddof=1) / np.sqrt(40))
    assert found.difference == pytest.approx((b - a).mean())
    assert (found.n, found.design_effect) == (40, 1.0)


def test_sizes_by_hand(evaluate: Evaluate) -> None:
    # n = ((z + z') / d)^2 with d = 0.5 standard deviations: z = 1.9600 at p < 0.05 and 2.5758 at
    # p < 0.01, z' = 0.8416 for 80% and 1.2816 for 90%, so 31.4, 42.0 and 46.7.
    values = np.array([-1.0, 1.0] * 50) * np.sqrt(99 / 100)  # standard deviation 1 with n - 1
    evaluation = evaluate({"A": [0.0] * 100, "B": [float(f"{v:.12f}") for v in values]})
    assert one(evaluation, effect=0.5).needed == 32
    assert one(evaluation, effect=0.5, power=0.9).needed == 43
    assert one(evaluation, effect=0.5, alpha=0.01).needed == 47
    assert one(evaluation).detectable == pytest.approx(2.8016 * 0.1, abs=1e-5)


@pytest.mark.parametrize(("alpha", "effect"), [(0.05, 0.1), (0.05, 1.0), (0.001, 2.0)])
def test_power_is_the_chance_of_a_significant_difference(
    evaluate: Evaluate, alpha: float, effect: float
) -> None:
    a, b = np.random.default_rng(2).normal(0, 2, (2, 60)).round(3)
    found = one(evaluate({"A": a, "B": b}), effect=effect, alpha=alpha)
    threshold = norm.isf(alpha / 2) * found.error
    expected = norm.sf(threshold, effect, found.error) + norm.cdf(-threshold, effect, found.error)
    assert found.power == pytest.approx(expected)


def test_the_detectable_difference_has_the_wanted_power(evaluate: Evaluate) -> None:
    a, b = np.random.default_rng(3).normal(0, 2, (2, 60)).round(3)
    evaluation = evaluate({"A": a, "B": b})
    for power in (0.6, 0.8, 0.95):
        detectable = one(evaluation, power=power).detectable
        found = one(evaluation, power=power, effect=detectable)
        # The detectable difference ignores significant differences of the wrong sign.
        assert found.power == pytest.approx(power, abs=1e-4)
        assert found.needed in (60, 61)


def test_the_error_of_a_ratio_is_that_of_its_linear_approximation(
    registry: mt.Registry,
) -> None:
    # R = sum x / sum y varies as x - R y does.
    rng = np.random.default_rng(4)
    lengths = rng.integers(2, 30, 400)
    sides = [
        [" ".join("xy"[rng.random() < p] for _ in range(n)) for n in lengths] for p in (0.2, 0.4)
    ]
    evaluation = mt.evaluate(
        dict(zip("AB", sides, strict=True)), [["x " * 30] * 400], ["matches"], registry=registry
    )
    spec = next(iter(evaluation.scorers))
    residuals = []
    for name in "AB":
        rows = np.asarray(evaluation.scores.rows[name, spec])
        ratio = rows[:, 0].sum() / rows[:, 1].sum()
        residuals.append((rows[:, 0] - ratio * rows[:, 1]) / rows[:, 1].sum())
    expected = 100 * np.sqrt(np.sum((residuals[1] - residuals[0]) ** 2))
    assert one(evaluation).error == pytest.approx(expected, rel=0.01)


def test_documents_of_copies_have_the_design_effect_of_copies(evaluate: Evaluate) -> None:
    # 30 documents of 4 segments that are all alike: errors are those of 30 numbers, not of 120.
    values = np.random.default_rng(5).normal(0, 1, 30).round(3)
    documents = [str(k) for k in range(30) for _ in range(4)]
    evaluation = evaluate({"A": [0.0] * 120, "B": np.repeat(values, 4)}, documents)
    found = one(evaluation, by="doc", effect=0.3)
    assert found.error == pytest.approx(values.std(ddof=1) / np.sqrt(30))
    assert found.design_effect == pytest.approx(119 / 29)
    assert found.n == 30
    assert found.needed == np.ceil((found.detectable / 0.3) ** 2 * 30)
    assert found.needed_segments == 4 * found.needed


def test_errors_are_those_of_the_bootstrap(mini: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    pytest.importorskip("mteval_chrf")
    references = [mt.read_text(mini / f"ref{k}.txt") for k in range(4)]
    systems = {name: mt.read_text(mini / "systems" / f"{name}.txt") for name in ("deep", "neural")}
    documents = (mini / "docs.txt").read_text().split("\n")[:120]
    evaluation = mt.evaluate(systems, references, ["bleu", "chrf"], documents=documents)
    for spec in evaluation.scorers:
        # 68.27% of a normal distribution are within one standard deviation.
        compared = evaluation.compare("bs", 1000, level=68.27)
        interval = compared.comparisons["neural", "deep", spec].interval
        (error,) = standard_errors(evaluation, spec, [("neural", "deep")], "segment").values()
        assert (interval.high - interval.low) / 2 == pytest.approx(error, rel=0.1)


def test_tests_find_as_much_as_predicted(evaluate: Evaluate) -> None:
    # A small version of benchmarks/power.py, with the t-test's statistic for the test.
    rng = np.random.default_rng(6)
    evaluation = evaluate({"A": [0.0] * 100, "B": [0.0, 1.0] * 50})
    found, predicted = 0, 0.0
    for _ in range(200):
        values = rng.normal(0.25, 1, 100)
        rows = np.stack([values, np.ones(100)], axis=1)
        scores = replace(
            evaluation.scores,
            rows={("A", SPEC): rows * [0, 1], ("B", SPEC): rows},
            totals={("A", SPEC): np.array([0.0, 100]), ("B", SPEC): rows.sum(axis=0)},
        )
        power = one(replace(evaluation, scores=scores), effect=0.25)
        found += abs(power.difference) > 1.96 * power.error
        predicted += power.power / 200
    # The truth is 70.5%, and each share is within 4 standard errors.
    assert norm.sf(1.96 - 2.5) == pytest.approx(0.705, abs=0.001)
    assert found / 200 == pytest.approx(0.705, abs=4 * np.sqrt(0.7 * 0.3 / 200))
    assert predicted == pytest.approx(0.705, abs=0.02)


def test_all_pairs_and_several_runs(evaluate: Evaluate) -> None:
    a, b, c, d = np.random.default_rng(7).normal(0, 1, (4, 25)).round(3)
    evaluation = evaluate({"A": [a, b], "B": [c], "C": [d]})
    found = {(p.system, p.baseline): p for p in powers(evaluation, Plan(), all_pairs=True)}
    assert list(found) == [("B", "A"), ("C", "A"), ("C", "B")]
    expected = (c - (a + b) / 2).std(ddof=1) / 5
    assert found["B", "A"].error == pytest.approx(expected)
    assert [p.system for p in powers(evaluation, Plan())] == ["B", "C"]


def test_differences_that_do_not_vary_have_no_error(evaluate: Evaluate) -> None:
    values = [0.1, 0.7, 0.2, 0.9, 0.4]
    evaluation = evaluate({"A": values, "B": [value + 1 for value in values], "C": values})
    above, equal = powers(evaluation, Plan())
    assert isnan(above.error)
    assert isnan(above.needed)
    assert above.difference == pytest.approx(1)
    assert (equal.difference, equal.effect, equal.needed) == (0, 0, inf)


class Largest:
    """The largest length of a segment in words, which no sum of rows tells."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        return [len(hypothesis)]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        return np.max(rows[:, 0] * (weights > 0), axis=-1)[..., None]


def test_a_metric_of_all_rows_is_refused(plugin: Callable[..., Any]) -> None:
    largest = mt.MetricSpec("largest", factory=Largest, values={"n": 1}, bounds=(0, inf))
    registry = mt.load_registry([plugin([largest])])
    systems = {"A": ["a", "a b"], "B": ["a", "a b c"]}
    evaluation = mt.evaluate(systems, [["a", "b"]], ["largest"], registry=registry)
    with pytest.raises(mt.UsageError, match="largest is not computed from sums of rows"):
        powers(evaluation, Plan())


def test_one_of_a_kind_is_refused(evaluate: Evaluate) -> None:
    with pytest.raises(mt.UsageError, match="two systems or more"):
        powers(evaluate({"A": [1, 2]}), Plan())
    with pytest.raises(mt.InputError, match="only one segment"):
        powers(evaluate({"A": [1], "B": [2]}), Plan())


def test_power_without_an_error_is_unknown() -> None:
    assert isnan(Plan().power_at(nan))
    assert Plan(alpha=1e-9).threshold == pytest.approx(norm.isf(5e-10))


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "rouge-l", "gtm", "meteor", "nist"])
def test_scores_without_a_segment_are_those_of_the_texts_without_it(mini: Path, spec: str) -> None:
    pytest.importorskip(f"mteval_{PLUGINS[spec]}")
    references = [list(map(str, mt.read_text(mini / f"ref{k}.txt")))[:8] for k in range(2)]
    outputs = list(map(str, mt.read_text(mini / "systems" / "rule.txt")))[:8]
    # NIST's weights come from all references, so they stay as they are.
    bound = mt.evaluate({"A": outputs}, references, [spec])
    (name,) = bound.scorers
    left_out = bound.scores.without_each(name, "segment")["A"]
    for k, score in enumerate(left_out):
        kept = [i for i in range(8) if i != k]
        if spec == "nist":
            rows = np.asarray(bound.scores.rows["A", name])[kept].sum(axis=0)
            expected = float(bound.scorers[name].scores(rows))
        else:
            parts = [[side[i] for i in kept] for side in references]
            again = mt.evaluate({"A": [outputs[i] for i in kept]}, parts, [spec])
            expected = again.score("A", name).score
        assert score == pytest.approx(expected), k
