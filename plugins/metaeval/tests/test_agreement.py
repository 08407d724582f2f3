"""Agreement of raters against published numbers and plain loops."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.raters import choose_criteria, merge_repeats, standardize_raters

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAN = float("nan")


def test_krippendorffs_own_example() -> None:
    # Krippendorff 2011, part C: four observers, twelve units; alpha of interval data is .849.
    scores = np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
            [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
        ]
    )
    assert metaeval.krippendorff_alpha(scores) == pytest.approx(0.849, abs=5e-4)


def test_alpha_by_its_definition() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(4, 9)) + rng.normal(size=9)
    scores[rng.random(scores.shape) < 0.3] = NAN
    units = [unit[~np.isnan(unit)] for unit in scores.T]
    units = [unit for unit in units if len(unit) > 1]
    values = np.concatenate(units)
    n = len(values)
    observed = sum(
        sum((a - b) ** 2 for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1)
        for unit in units
    )
    expected = sum((a - b) ** 2 for a, b in itertools.permutations(values, 2))
    alpha = 1 - (observed / n) / (expected / (n * (n - 1)))
    assert metaeval.krippendorff_alpha(scores) == pytest.approx(alpha)


def test_alpha_of_nothing() -> None:
    assert np.isnan(metaeval.krippendorff_alpha(np.array([[1.0, NAN], [NAN, 2.0]])))
    assert np.isnan(metaeval.krippendorff_alpha(np.full((2, 3), 0.1)))


@pytest.mark.parametrize("scale", [1e-150, 1e100])
def test_alpha_has_no_unit(scale: float) -> None:
    scores = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]])
    expected = metaeval.krippendorff_alpha(scores)
    assert metaeval.krippendorff_alpha(scores * scale) == pytest.approx(expected)


def test_agreement_by_plain_loops(judged: Callable[..., Any]) -> None:
    rng = np.random.default_rng(2)
    scores = (rng.normal(size=(3, 4, 5)) + rng.normal(size=(4, 5))).round(1)
    scores[rng.random(scores.shape) < 0.2] = NAN
    (agreement,) = metaeval.rater_agreement(judged(scores, raters="abc"))
    one, other = [], []
    for output in scores.reshape(3, -1).T:
        for a, b in itertools.permutations(output[~np.isnan(output)], 2):
            one.append(a)
            other.append(b)
    assert agreement.n_pooled == len(one)
    assert agreement.pearson == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert [(p.first, p.second) for p in agreement.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    both = ~np.isnan(scores[0] + scores[2])
    assert agreement.pairs[1].n == both.sum()
    assert agreement.pairs[1].pearson == pytest.approx(
        np.corrcoef(scores[0][both], scores[2][both])[0, 1]
    )
    assert agreement.mean_spearman == pytest.approx(np.mean([p.spearman for p in agreement.pairs]))
    assert [rater.n for rater in agreement.raters] == (~np.isnan(scores)).sum(axis=(1, 2)).tolist()


@pytest.mark.slow
def test_means_that_are_equal_share_a_rank() -> None:
    """The mean of 0.1, 0.2 and 0.3 is the mean of 0.3, 0.2 and 0.1 but for its last bit."""
    twice = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.3, 0.1, 0.2], [1.5, 1.5, 1.5]]
    once = [2.0, 1.0, 3.0, 4.0]
    rows = [
        ("S", i, rater, {"x": score})
        for i in range(4)
        for rater, scores in (("a", twice[i]), ("b", [once[i]]))
        for score in scores
    ]
    judgments = metaeval.Judgments.of(rows)
    (agreement,) = metaeval.rater_agreement(judgments)
    stats = pytest.importorskip("scipy.stats", reason="scipy is the oracle")
    of_z = merge_repeats(standardize_raters(judgments))
    for merged, spearman in (
        (merge_repeats(judgments), agreement.spearman),
        (of_z, agreement.spearman_z),
    ):
        a, b = merged.scores.reshape(4, 2).T
        assert len(set(a.tolist())) > 2
        one, other = np.append(a, b).round(10), np.append(b, a).round(10)
        assert spearman == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "pooled", "pooled_z"), [("news23-en-de", 0.551, 0.642), ("news24-en-ja", 0.337, 0.391)]
)
def test_published_agreement(shared: Path, name: str, pooled: float, pooled_z: float) -> None:
    judgments = metaeval.read_judgments([shared / name / "human_raters.tsv"])
    (agreement,) = metaeval.rater_agreement(choose_criteria(judgments, ["score"]))
    assert agreement.pearson == pytest.approx(pooled, abs=5e-4)
    assert agreement.pearson_z == pytest.approx(pooled_z, abs=5e-4)


def test_the_mean_over_pairs_of_raters_does_not_move_under_z(shared: Path) -> None:
    judgments = metaeval.read_judgments([shared / "news23-en-de" / "human_raters.tsv"])
    judgments = choose_criteria(judgments, ["score"])
    (agreement,) = metaeval.rater_agreement(judgments)
    (normalized,) = metaeval.rater_agreement(standardize_raters(judgments))
    assert agreement.mean_pearson == pytest.approx(0.650, abs=5e-4)
    assert normalized.mean_pearson == pytest.approx(agreement.mean_pearson, abs=1e-12)
    assert normalized.pearson == pytest.approx(agreement.pearson_z, abs=1e-12)
    assert normalized.mean_spearman == pytest.approx(agreement.mean_spearman, abs=1e-12)
    assert len(agreement.pairs) == 20
    assert agreement.n_shared == 832


def test_raters_against_themselves(shared: Path) -> None:
    path = shared / "news23-en-de" / "human_repeats.tsv"
    (agreement,) = metaeval.rater_agreement(metaeval.read_judgments([path]))
    columns = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    first, second = (np.array([float(c[k]) for c in columns]) for k in (3, 4))
    assert agreement.n_repeated == len(columns) == 312
    assert agreement.intra_pearson == pytest.approx(np.corrcoef(first, second)[0, 1])


def test_agreement_needs_raters(judged: Callable[..., Any]) -> None:
    with pytest.raises(mt.UsageError, match="a column 'rater' in every file"):
        metaeval.rater_agreement(judged([[1.0, 2.0]]))
    with pytest.raises(mt.UsageError, match="two raters, or a rater who judged an output twice"):
        metaeval.rater_agreement(judged([[[1.0, 2.0]]], raters="a"))


def test_shares_of_equal_scores_and_of_scores_at_most_one_apart() -> None:
    rows: list[Any] = [
        *(("s", k, "a", {"f": value}) for k, value in enumerate([1, 2, 3, 4])),
        *(("s", k, "b", {"f": value}) for k, value in enumerate([1, 3, 5])),
        ("s", 3, "a", {"f": 5.0}),  # again: its mean is 4.5, and nobody else judged it
    ]
    (found,) = metaeval.rater_agreement(mt.Judgments.of(rows))
    assert (found.equal, found.within_one) == pytest.approx((1 / 3, 2 / 3))
    assert (found.n_repeated, found.intra_equal, found.intra_within_one) == (1, 0, 1)
