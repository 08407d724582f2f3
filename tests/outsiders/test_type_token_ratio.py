from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    Plugin = Callable[..., Any]

TEXTS = [f"word{k} and word{k % 7} of the {k % 3} things" for k in range(40)]
OTHERS = [f"{k} is one of the {k % 5} things" for k in range(40)]


class Mean:
    def segment_statistics(self, hypothesis: list[str], references: object) -> list[float]:  # noqa: ARG002
        return [float(hypothesis[0]) if hypothesis[0][0].isdigit() else 0.0]

    def score_rows(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return weights @ rows / np.maximum(weights.sum(axis=-1), 1)[..., None]


class Sum:
    def segment_statistics(self, hypothesis: list[str], references: object) -> list[float]:  # noqa: ARG002
        return [float(len(hypothesis))]


def of_sets(plugin: Plugin) -> mt.Registry:
    """Return a registry with scores of sets that are declared in other ways."""
    word = {"words": mt.View(tok="none")}
    specs = {"mean": (Mean, "without-replacement"), "fixed": (Mean, "none"), "sum": (Sum, "none")}
    declared = [
        mt.MetricSpec(name, factory=factory, values={"value": 1}, views=word, resample=how)
        for name, (factory, how) in specs.items()
    ]
    return mt.load_registry([plugin(metrics=declared)])


def evaluated(registry: mt.Registry, *specs: str) -> mt.Evaluation:
    return mt.evaluate({"A": TEXTS, "B": OTHERS}, [TEXTS], specs or ["ttr"], registry=registry)


def test_the_score_is_types_over_tokens(registry: mt.Registry) -> None:
    score = mt.metric("ttr", registry=registry).corpus_score(["a b", "b c c"])
    assert score.score == 60.0


def test_intervals_contain_the_score_that_a_bootstrap_excludes(registry: mt.Registry) -> None:
    done = evaluated(registry).confidence(200)
    for system in "AB":
        score = done.score(system, "ttr").score
        interval = done.intervals[system, "ttr"]
        assert interval.low < score < interval.high
        assert interval.mean == pytest.approx(score)


def test_the_spread_of_a_mean_is_its_standard_error(plugin: Plugin) -> None:
    # Of a mean, the variance of m of N units without replacement is s^2 / m (1 - m / N).
    values = np.random.default_rng(1).normal(5, 2, 50)
    texts = [str(value) for value in values]
    evaluation = mt.evaluate({"A": texts}, [texts], ["mean"], registry=of_sets(plugin))
    drawn = evaluation.scores.subsample_scores("mean", "segment", 20_000, 1)["A"]
    assert drawn.std() == pytest.approx(values.std(ddof=1) / np.sqrt(50), rel=0.02)


def test_a_subsample_has_each_unit_at_most_once_and_each_set_as_often() -> None:
    from mteval_core.evaluation.resampling import subsamples

    (weights,) = subsamples(5, 250, seed=1, size=4)
    assert set(np.unique(weights)) == {0, 1}
    assert (weights.sum(axis=1) == 4).all()
    assert len(np.unique(weights, axis=0)) == comb(5, 4)


def test_the_signature_says_that_subsamples_were_drawn(registry: mt.Registry) -> None:
    done = evaluated(registry, "ttr", "bleu").confidence(100)
    assert "|subsamples:100|seed:12345|" in str(done.signature("A", "ttr"))
    assert "|bs:100|seed:12345|" in str(done.signature("A", "bleu"))
    assert "from subsamples without replacement" in str(done)


@pytest.mark.parametrize(
    ("specs", "interval", "test"),
    [
        (["ttr"], "100 subsamples of segments", "paired test on 100 subsamples of segments"),
        (
            ["ttr", "bleu"],
            "100 bootstrap resamples (ttr: subsamples) of segments",
            "paired bootstrap, 100 resamples (ttr: subsamples) of segments",
        ),
    ],
)
def test_the_legend_says_which_scores_have_subsamples(
    registry: mt.Registry, specs: list[str], interval: str, test: str
) -> None:
    done = " ".join(str(evaluated(registry, *specs).confidence(100).compare("bs", 100)).split())
    assert f"[ ] 95% percentile interval from {interval}, seed 12345" in done
    assert f"p < 0.05 ({test}, seed 12345, Holm's correction)" in done


def test_other_metrics_have_the_same_intervals_beside_it(registry: mt.Registry) -> None:
    both, alone = (
        evaluated(registry, *specs).confidence(100) for specs in (("ttr", "bleu"), ("bleu",))
    )
    assert both.intervals["B", "bleu"] == alone.intervals["B", "bleu"]


def test_systems_that_exchange_nothing_do_not_differ(registry: mt.Registry) -> None:
    same = mt.evaluate({"A": TEXTS, "B": TEXTS}, (), ["ttr"], registry=registry)
    for test in ("ar", "bs"):
        assert same.compare(test, 100).comparisons["B", "A", "ttr"].p_value == 1.0


def test_what_subsamples_cannot_give_is_refused(registry: mt.Registry) -> None:
    with pytest.raises(mt.UsageError, match="for which there is no BCa"):
        evaluated(registry).confidence(100, interval="bca")


def test_a_score_that_cannot_be_resampled_has_no_interval_and_says_why(plugin: Plugin) -> None:
    evaluation = evaluated(of_sets(plugin), "fixed").confidence(100)
    assert evaluation.intervals == {}
    assert "fixed scores the whole set, and has no interval" in str(evaluation)
    assert "|bs:" not in str(evaluation.signature("A", "fixed"))
    with pytest.raises(mt.UsageError, match="cannot be resampled, as its plugin"):
        evaluation.compare()


def test_a_score_of_sums_is_not_one_of_a_set(plugin: Plugin) -> None:
    with pytest.raises(mt.PluginError, match="'none': expected score_rows"):
        mt.metric("sum", registry=of_sets(plugin))
