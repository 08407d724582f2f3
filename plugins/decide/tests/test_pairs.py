"""Systems in pairs, against scipy's optimization, hand calculations, and the host's own tests."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_decide.pairs import bradley_terry, evaluation_of_pair, pair_rows, ranked, tournament

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.filterwarnings(r"ignore:.*\[unreachable-p\]")

SYSTEMS = {"A": ["3", "1", "2", "5"], "B": ["2", "1", "4", "0"], "C": ["0", "0", "0", "0"]}
TEST_SET = mt.TestSet.of([["r"] * 4], ["x", "x", "y", "y"])


class Lead:
    """How far a number is ahead of another."""

    def pair_statistics(self, a: Any, b: Any) -> list[list[float]]:
        pairs = zip(a["texts"].hypotheses, b["texts"].hypotheses, strict=True)
        return [[max(0.0, float(own) - float(other))] for own, other in pairs]


class Words:
    """Words that both outputs have, of all words: sums, from tokens."""

    def pair_statistics(self, a: Any, b: Any) -> np.ndarray:
        ids = [
            [{*view.ids[s:e]} for s, e in zip(view.starts, view.ends, strict=True)]
            for view in (a["words"].hypotheses, b["words"].hypotheses)
        ]
        return np.array([[len(x & y), len(x)] for x, y in zip(*ids, strict=True)], float)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)


class Usual:
    def segment_statistics(self, hypothesis: list[str], references: Any) -> list[float]:
        return [0.0]


class Broken:
    def pair_statistics(self, a: Any, b: Any) -> list[float]:
        return [0.0]


@pytest.fixture
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    raw = {"texts": mt.View(raw=True)}
    specs = [
        mt.MetricSpec("lead", factory=Lead, values={"lead": 1}, views=raw, compares=True),
        mt.MetricSpec("words", factory=Words, values={"words": 100}, compares=True),
        mt.MetricSpec("broken", factory=Broken, values={"broken": 1}, compares=True),
        mt.MetricSpec("usual", factory=Usual, values={"usual": 1}),
        mt.MetricSpec("alone", factory=Lead, values={"alone": 1}),
    ]
    return mt.load_registry([plugin(metrics=specs)])


def found(registry: mt.Registry, spec: str, names: str = "ABC", **more: Any) -> Any:
    texts = {name: mt.Text.of(SYSTEMS[name]) for name in names}
    return tournament(mt.metric(spec, registry=registry), texts, TEST_SET, resamples=99, **more)


# Bradley and Terry


@pytest.mark.parametrize("seed", range(4))
def test_strengths_maximize_the_likelihood(seed: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 7))
    wins = rng.integers(0, 40, (m, m)) / 2.0
    np.fill_diagonal(wins, 0)
    played = wins + (1 - np.eye(m)) / 2  # the tie that is added to each pair

    def cost(strengths: np.ndarray) -> float:
        lead = strengths[:, None] - strengths[None, :]
        return float(np.sum(played * np.logaddexp(0, -lead)))

    best = optimize.minimize(cost, np.zeros(m), tol=1e-14).x
    assert bradley_terry(wins) == pytest.approx(best - best.mean(), abs=1e-4)


def test_two_systems_have_the_log_odds_of_their_wins() -> None:
    # 29.5 : 9.5 wins with the tie that is added; the strengths are half of the log-odds.
    strengths = bradley_terry(np.array([[0, 29.0], [9.0, 0]]))
    assert strengths == pytest.approx(np.log(29.5 / 9.5) / 2 * np.array([1, -1]))


def test_a_system_that_wins_all_has_a_finite_strength() -> None:
    outcomes = np.ones((3, 20))
    names = [
        one.system for one in ranked(["A", "B", "C"], outcomes, resamples=50, level=95, seed=1)
    ]
    strengths = bradley_terry(np.triu(np.full((3, 3), 20.0), 1))
    assert names == ["A", "B", "C"]
    assert np.isfinite(strengths).all()


def test_many_fits_at_once_are_those_of_each() -> None:
    wins = np.random.default_rng(3).integers(0, 9, (5, 4, 4)).astype(float)
    assert bradley_terry(wins) == pytest.approx(np.array([bradley_terry(one) for one in wins]))


# Pairs


def test_each_pair_has_the_scores_of_either_system_against_the_other(registry: mt.Registry) -> None:
    # A leads B by 1, 0, 0 and 5; B leads A by 0, 0, 2 and 0.
    match = found(registry, "lead").matches[0]
    assert (match.system, match.other) == ("A", "B")
    assert (match.score, match.against) == (1.5, 0.5)
    assert (match.wins, match.ties, match.losses) == (2, 1, 1)


def test_tests_and_intervals_are_those_of_the_host(registry: mt.Registry) -> None:
    # A metric with these rows has the same p-value and interval.
    (match,) = found(registry, "lead", "AB", test="bs").matches
    scores = mt.OutsideScores(
        name="lead", values={"B": np.array([0.0, 0, 2, 0]), "A": np.array([1.0, 0, 0, 5])}
    )
    texts = {name: SYSTEMS[name] for name in "BA"}
    done = mt.evaluate(texts, TEST_SET, [scores]).compare("bs", 99, correct="none")
    (compared,) = done.comparisons.values()
    assert match.interval == compared.interval
    assert match.p_value == compared.p_value


def test_equal_words_of_two_systems_are_equal(registry: mt.Registry) -> None:
    metric = mt.metric("words", registry=registry)
    texts = {"A": mt.Text.of(["a b", "c"]), "B": mt.Text.of(["b c", "d"])}
    rows = pair_rows(metric, texts, mt.TestSet.of([["a", "c"]]))
    assert rows["A", "B"].tolist() == [[1, 2], [0, 1]]


def test_documents_are_drawn(registry: mt.Registry) -> None:
    match = found(registry, "lead", by="doc").matches[0]
    assert match.wins + match.ties + match.losses == 2


def test_the_signature_names_the_field_of_systems(registry: mt.Registry) -> None:
    signature = str(found(registry, "lead").signature)
    assert "lead|nrefs:1|systems:A+B+C|bs:99|ar:16|seed:12345|" in signature


def test_what_cannot_be_compared_is_refused(registry: mt.Registry) -> None:
    with pytest.raises(mt.UsageError, match="usual does not compare systems"):
        found(registry, "usual")
    with pytest.raises(mt.PluginError, match=r"returns the shape \(1, 1\); expected 4 rows"):
        found(registry, "broken")
    with pytest.raises(mt.PluginError, match="expected pair_statistics"):
        mt.metric("alone", registry=registry)
    lead = mt.metric("lead", registry=registry)
    with pytest.raises(mt.UsageError, match="1 system: expected two"):
        tournament(lead, {"A": mt.Text.of(["1"])}, mt.TestSet.of([["1"]]))


def test_other_commands_say_which_command_to_use(registry: mt.Registry) -> None:
    with pytest.raises(mt.UsageError, match="lead compares systems: type mteval pairwise"):
        mt.evaluate(SYSTEMS, TEST_SET, ["lead"], registry=registry)


def test_an_evaluation_of_a_pair_has_the_sums_of_its_rows(registry: mt.Registry) -> None:
    metric = mt.metric("lead", registry=registry)
    texts = {name: mt.Text.of(SYSTEMS[name]) for name in "AB"}
    rows = pair_rows(metric, texts, TEST_SET)
    evaluation = evaluation_of_pair(metric, texts, TEST_SET, rows)
    for a, b in (*combinations("AB", 2), ("B", "A")):
        assert evaluation.scores.totals[a, "lead"].tolist() == rows[a, b].sum(axis=0).tolist()
