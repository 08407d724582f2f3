"""What a result depends on, against really scoring without each unit, loops, and simulations."""

from __future__ import annotations

import itertools
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_decide.influence import (
    Choice,
    Influence,
    choices,
    influences,
    ranks,
    resampled_scores,
    targets,
)

import mteval_core as mt
from mteval_core import bootstrap

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Evaluate = Callable[..., mt.Evaluation]

SPEC = "mean:tok=none"
PLUGINS = {
    "bleu": "bleu_nist",
    "chrf": "chrf",
    "ter": "error_rates",
    "wer": "error_rates",
    "rouge-l": "rouge",
    "gtm": "gtm",
    "meteor": "meteor_fmean",
}
N = 7
"""Number of segments in the tests that score without each."""


def lines(path: Path, n: int = N) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()[:n]


def texts(mini: Path) -> tuple[dict[str, list[str]], list[list[str]]]:
    names = ("neural", "phrase", "word")
    found = [name for name in names if (mini / "systems" / f"{name}.txt").exists()]
    systems = {name: lines(mini / "systems" / f"{name}.txt") for name in found}
    return systems, [lines(mini / f"ref{k}.txt") for k in range(2)]


# Influence


@pytest.mark.parametrize("spec", PLUGINS)
def test_influence_is_that_of_scoring_without_a_segment(mini: Path, spec: str) -> None:
    pytest.importorskip(f"mteval_{PLUGINS[spec]}")
    systems, references = texts(mini)
    found = influences(mt.evaluate(systems, references, [spec]))
    assert len(found) == len(systems) - 1
    for k in range(N):

        def without(text: list[str], k: int = k) -> list[str]:
            return text[:k] + text[k + 1 :]

        rest = mt.evaluate(
            {name: without(text) for name, text in systems.items()},
            list(map(without, references)),
            [spec],
        )
        for one in found:
            assert one.baseline is not None
            scores = [rest.score(name, spec).score for name in (one.system, one.baseline)]
            # The rows of these metrics are whole numbers, or are rounded by their programs.
            expected: Any = scores[0] - scores[1]
            if spec in ("meteor", "gtm", "rouge-l"):
                expected = pytest.approx(expected, rel=1e-12, abs=1e-12)
            assert one.without[k] == expected
            assert one.effects[k] == one.value - one.without[k]


def test_influence_of_documents_is_that_of_scoring_without_them(mini: Path) -> None:
    pytest.importorskip("mteval_bleu_nist")
    systems, references = texts(mini)
    documents = ["a", "b", "a", "c", "c", "b", "d"]
    evaluation = mt.evaluate(systems, references, ["bleu"], documents=documents)
    one, *_ = influences(evaluation, "doc")
    assert one.baseline is not None
    for k, name in enumerate("abcd"):
        kept = [i for i, document in enumerate(documents) if document != name]
        rest = mt.evaluate(
            {name: [text[i] for i in kept] for name, text in systems.items()},
            [[text[i] for i in kept] for text in references],
            ["bleu"],
        )
        scores = [rest.score(each, "bleu").score for each in (one.system, one.baseline)]
        assert one.without[k] == scores[0] - scores[1]


def test_influence_on_the_score_of_a_single_system(evaluate: Evaluate) -> None:
    (one,) = influences(evaluate({"A": [1.0, 2.0, 6.0]}))
    assert one[:4] == ("A", None, SPEC, 3.0)
    assert one.without.tolist() == [4.0, 3.5, 1.5]
    assert one.effects.tolist() == [-1.0, -0.5, 1.5]
    assert one.largest(2) == [2, 0]
    assert one.largest(9) == [2, 0, 1]
    assert one.reversal is None


def test_runs_count_by_their_mean(evaluate: Evaluate) -> None:
    runs = [[1.0, 2.0, 6.0], [3.0, 4.0, 2.0]]
    (one,) = influences(evaluate({"A": [0.0, 1.0, 1.0], "B": runs}))
    means = np.mean(runs, axis=0) - [0, 1, 1]
    assert one.value == pytest.approx(means.mean())
    assert one.without == pytest.approx([np.delete(means, k).mean() for k in range(3)])


def test_pairs_of_systems(evaluate: Evaluate) -> None:
    numbers = np.random.default_rng(1).normal(size=(3, 5)).round(3)
    evaluation = evaluate(dict(zip("ABC", numbers, strict=True)))
    assert targets(evaluation) == [("B", "A"), ("C", "A")]
    found = influences(evaluation, all_pairs=True)
    assert [(one.system, one.baseline) for one in found] == [("B", "A"), ("C", "A"), ("C", "B")]
    for one in found:
        a, b = (numbers["ABC".index(str(name))] for name in (one.baseline, one.system))
        assert one.value == pytest.approx((b - a).mean())


class Median:
    """The median of the lengths of the segments."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        return [len(hypothesis)]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        def one(weight: Any) -> Any:
            return np.median(np.repeat(rows[:, 0], weight.astype(int)))

        return np.apply_along_axis(one, -1, weights)[..., None]


def test_a_metric_that_is_not_computed_from_sums(plugin: Callable[..., Any]) -> None:
    spec = mt.MetricSpec("median", factory=Median, help="m", values={"M": 1}, bounds=(0, 99))
    registry = mt.load_registry([plugin([spec])])
    lengths = {"A": [1, 5, 9, 8, 4], "B": [3, 9, 3, 7, 6]}
    systems = {name: ["x " * n for n in row] for name, row in lengths.items()}
    evaluation = mt.evaluate(systems, [["x"] * 5], ["median"], registry=registry)
    assert not isinstance(evaluation.scores.rows["A", "median"], np.ndarray)
    (one,) = influences(evaluation)
    a, b = lengths.values()
    assert one.value == np.median(b) - np.median(a)
    assert one.without.tolist() == [
        np.median(np.delete(b, k)) - np.median(np.delete(a, k)) for k in range(5)
    ]
    order = np.argsort(one.without, kind="stable")
    rest = [np.delete(np.array([a, b]), order[:m], axis=1) for m in range(1, 5)]
    gone = [m for m, (x, y) in enumerate(rest, 1) if np.median(y) <= np.median(x)]
    assert one.reversal in gone
    assert one.reversal is not None
    assert one.reversal - 1 not in gone


@pytest.mark.parametrize("seed", range(6))
def test_what_carries_a_difference(evaluate: Evaluate, seed: int) -> None:
    a, b = np.random.default_rng(seed).normal(0, 1, (2, 15)).round(3)
    (one,) = influences(evaluate({"A": a, "B": b}))
    sign = np.sign((b - a).mean())
    gains = sorted(sign * (b - a), reverse=True)
    expected = next(m for m in range(1, 15) if sum(gains[m:]) <= 1e-9)
    assert one.reversal == expected


def test_differences_that_no_part_carries(evaluate: Evaluate) -> None:
    everywhere, nowhere = influences(
        evaluate({"A": [0.0, 0.0, 0.0], "B": [1.0, 2.0, 3.0], "C": [1.0, -1.0, 0.0]})
    )
    assert (everywhere.value, everywhere.reversal) == (2.0, None)
    assert (nowhere.value, nowhere.reversal) == (0.0, None)
    tie, _ = influences(evaluate({"A": [0.0, 0.0], "B": [3.0, 0.0], "C": [0.0, 1.0]}))
    assert (tie.value, tie.reversal) == (1.5, 1)


def test_one_unit_has_no_influence(evaluate: Evaluate) -> None:
    with pytest.raises(mt.InputError, match="only one segment"):
        influences(evaluate({"A": [1.0], "B": [2.0]}))
    with pytest.raises(mt.InputError, match="documents are not known"):
        influences(evaluate({"A": [1.0, 2.0], "B": [2.0, 2.0]}), "doc")
    with pytest.raises(mt.UsageError, match="two systems or more"):
        influences(evaluate({"A": [1.0, 2.0]}), all_pairs=True)


# Ranks


def test_ranks_on_resamples(evaluate: Evaluate) -> None:
    rng = np.random.default_rng(2)
    numbers = rng.normal([[0.0], [0.3], [0.1], [0.3]], 1, (4, 12)).round(2)
    numbers[3] = numbers[1]  # these two are always tied
    evaluation = evaluate(dict(zip("ABCD", numbers, strict=True)))
    (found,) = ranks(evaluation, resampled_scores(evaluation, "segment", 150, 7))
    counts = {name: [0] * 4 for name in "ABCD"}
    for weights in bootstrap(12, 150, 7):
        for means in (weights @ numbers.T / 12).round(10):
            for name, mean in zip("ABCD", means, strict=True):
                counts[name][sum(other > mean for other in means)] += 1
    by_score = sorted("ABCD", key=lambda name: -numbers["ABCD".index(name)].mean())
    assert list(found.systems) == by_score
    for name, shares in zip(found.systems, found.shares, strict=True):
        assert shares == pytest.approx(np.array(counts[name]) / 150)
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(4))
    assert counts["B"] == counts["D"]
    assert counts["B"][3] == 0


def test_the_lowest_error_rate_is_first() -> None:
    pytest.importorskip("mteval_error_rates")
    systems = {"bad": ["a x", "c x"], "good": ["a b", "c d"]}
    evaluation = mt.evaluate(systems, [["a b", "c d"]], ["wer"])
    (found,) = ranks(evaluation, resampled_scores(evaluation, "segment", 20, 1))
    assert found.systems == ("good", "bad")
    assert found.shares.tolist() == [[1, 0], [0, 1]]


def test_ranks_of_documents_draw_documents(evaluate: Evaluate) -> None:
    numbers = {"A": [0.0, 0.0, 0.0, 0.0], "B": [3.0, 3.0, -2.0, -2.0]}
    evaluation = evaluate(numbers, ["d", "d", "e", "e"])
    (found,) = ranks(evaluation, resampled_scores(evaluation, "doc", 4000, 1))
    # Two documents of two are e twice in a quarter of the resamples; else B is better.
    assert found.systems == ("B", "A")
    assert found.shares[0] == pytest.approx([0.75, 0.25], abs=0.03)


# References


def of_choices(values: dict[str, list[float]], evaluate: Evaluate) -> list[mt.Evaluation]:
    """Evaluations whose first scores are those on all references, and then without each."""
    return [
        evaluate({name: [row[k] - 1, row[k] + 1] for name, row in values.items()})
        for k in range(len(next(iter(values.values()))))
    ]


def test_choices_of_references_by_hand(evaluate: Evaluate) -> None:
    values = {"A": [5.0, 4.0, 4.0, 4.0], "B": [7.0, 4.0, 6.0, 8.0]}
    first, *rest = of_choices(values, evaluate)
    resampled = {SPEC: {"A": np.array([1.0, 1.0, 1.0]), "B": np.array([1.0, 3.0, 5.0])}}
    (found,) = choices(first, rest, resampled, level=90)
    # 0, 2 and 4 points without a reference: a variance of 8/3 (by n) times n - 1 = 2; and a
    # standard deviation of 2 over the resamples. The 90% interval reaches 1.6449 errors.
    error = 1.644854 * np.sqrt(16 / 3 + 4)
    assert isinstance(found, Choice)
    assert found[:4] == ("B", "A", SPEC, 2.0)
    assert found.without == (0.0, 2.0, 4.0)
    assert found.of_references == pytest.approx(np.sqrt(16 / 3))
    assert found.of_units == pytest.approx(2.0)
    assert (found.low, found.high) == pytest.approx((2 - error, 2 + error))


def test_the_choice_of_references_of_a_single_system(evaluate: Evaluate) -> None:
    first, *rest = of_choices({"A": [5.0, 4.0, 4.5]}, evaluate)
    (found,) = choices(first, rest, {SPEC: {"A": np.array([5.0, 5.0])}})
    assert found[:4] == ("A", None, SPEC, 5.0)
    assert found.without == (4.0, 4.5)
    assert (found.of_units, found.of_references) == (0.0, pytest.approx(0.25))


def test_intervals_over_references_and_segments_hold_their_level() -> None:
    """Simulate a mean over segments and references, whose error is known to have two parts."""
    covered = {"both": 0, "segments": 0}
    n, n_references, repetitions = 40, 10, 100
    for seed in range(repetitions):
        rng = np.random.default_rng([5, seed])
        gains = rng.normal(size=(n, 1)) + rng.normal(0, 0.5, n_references)
        gains = gains + rng.normal(size=(n, n_references))
        value = gains.mean()
        without = np.array([np.delete(gains, k, axis=1).mean() for k in range(n_references)])
        weights = np.concatenate(list(bootstrap(n, 100, seed)))
        of_units = float((weights @ gains.mean(axis=1) / n).std(ddof=1))
        of_references = np.sqrt((n_references - 1) * without.var())
        covered["both"] += abs(value) <= 1.96 * np.hypot(of_units, of_references)
        covered["segments"] += abs(value) <= 1.96 * of_units
    assert covered["both"] >= 0.91 * repetitions
    assert covered["segments"] < 0.9 * repetitions


def test_effects_of_undefined_values_are_not_made_up() -> None:
    one = Influence("B", "A", "m", 1.0, without=np.array([nan, 0.5, 2.0]), reversal=None)
    assert np.isnan(one.effects[0])
    assert one.largest(2) == [2, 1]


def test_all_orders_of_systems_give_the_same_ranks(evaluate: Evaluate) -> None:
    numbers = dict(zip("ABC", np.random.default_rng(3).normal(size=(3, 6)).round(2), strict=True))
    seen = set()
    for order in itertools.permutations("ABC"):
        evaluation = evaluate({name: numbers[name] for name in order})
        (found,) = ranks(evaluation, resampled_scores(evaluation, "segment", 50, 1))
        seen.add((found.systems, tuple(map(tuple, found.shares.tolist()))))
    assert len(seen) == 1
