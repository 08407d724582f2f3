"""Experiments on metrics with chosen scores: plain loops, simulations, edge cases."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval import notes, segments
from mteval_metaeval.experiments import DIFFERENTIALS, WITHOUT_OUTLIERS
from mteval_metaeval.human_performance import human_performance
from mteval_metaeval.raters import choose_criteria
from mteval_metaeval.segments import CALIBRATED
from mteval_metaeval.soft_accuracy import SOFT

import mteval_core as mt
from mteval_core import Estimate, bootstrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_metaeval import Correlation, Study

    Make = Callable[..., Study]

NAN = float("nan")

NO_INTERVALS = metaeval.Resampling(n=0)


def made(
    seed: int, *, n_systems: int = 6, n_items: int = 30, n_metrics: int = 2, noise: float = 1.0
) -> tuple[Any, Any]:
    """Scores of metrics and humans who see the same quality."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1)) + rng.normal(size=(n_systems, n_items))
    metrics = quality + rng.normal(0, noise, (n_metrics, n_systems, n_items))
    return metrics, quality + rng.normal(0, 0.5, quality.shape)


def by_quantity(
    correlations: list[Correlation], metric: str = "column:k=0"
) -> dict[str, Correlation]:
    return {r.quantity: r for r in correlations if r.metric == metric}


# Studies


def test_rows_and_scores(study: Make) -> None:
    metrics, human = made(1)
    made_study = study(metrics, human)
    assert made_study.systems == tuple(f"s{k}" for k in range(6))
    np.testing.assert_allclose(made_study.item_scores, metrics, atol=1e-9)
    np.testing.assert_allclose(made_study.human_items[0], human, atol=1e-9)
    np.testing.assert_allclose(made_study.totals[0], metrics.mean(axis=-1), atol=1e-9)
    np.testing.assert_allclose(made_study.totals[1][0], human.mean(axis=-1), atol=1e-9)


def test_missing_judgments_are_missing_not_zero(study: Make) -> None:
    metrics, human = made(2)
    human[0, :10] = NAN
    human[3] = NAN
    made_study = study(metrics, human)
    # A system that nobody judged is left out.
    assert made_study.systems == ("s0", "s1", "s2", "s4", "s5")
    assert made_study.notes == (
        notes.UnjudgedSystems(("s3",)),
        notes.MissingJudgments("score", 10, 150),
    )
    expected = [np.nanmean(row) for k, row in enumerate(human) if k != 3]
    np.testing.assert_allclose(made_study.totals[1][0], expected, atol=1e-9)
    correlations, _ = metaeval.system_level(made_study, NO_INTERVALS)
    kept = [k for k in range(6) if k != 3]
    value = np.corrcoef(metrics[0].mean(axis=-1)[kept], expected)[0, 1]
    assert by_quantity(correlations)["pearson"].value == pytest.approx(value)


def test_lower_is_better_is_turned(study: Make) -> None:
    metrics, human = made(3)
    metrics = np.stack([metrics[0], -metrics[0]])
    correlations, _ = metaeval.system_level(
        study(metrics, human, specs=["column:k=0", "errors:k=1"]), NO_INTERVALS
    )
    straight, turned = by_quantity(correlations), by_quantity(correlations, "errors:k=1")
    assert straight["pearson"].value > 0
    for quantity, record in straight.items():
        assert turned[quantity].value == pytest.approx(record.value), quantity


def test_sums_in_another_order_are_still_ties(study: Make) -> None:
    # Three tenths and a tenth three times are equal scores, though not equal floats.
    human = np.array([[0.3, 0.0, 0.0], [0.1, 0.1, 0.1], [0.0, 0.2, 0.4]])
    made_study = study([human], human)
    assert made_study.totals[1][0, 0] == made_study.totals[1][0, 1]
    assert made_study.totals[0][0, 0] == made_study.totals[0][0, 1]


def test_documents_as_units(study: Make) -> None:
    metrics, human = made(4)
    ids = [f"d{i % 7}" for i in range(30)]
    documents = study(metrics, human, documents=ids, unit="doc")
    assert documents.units == tuple(f"d{k}" for k in range(7))
    members = [[i for i in range(30) if i % 7 == k] for k in range(7)]
    expected = np.stack([human[:, some].mean(axis=1) for some in members], axis=1)
    np.testing.assert_allclose(documents.human_items[0], expected, atol=1e-9)
    np.testing.assert_allclose(documents.totals[1][0], human.mean(axis=1), atol=1e-9)
    with pytest.raises(mt.UsageError, match="documents are not known"):
        study(metrics, human, unit="doc")


def test_judgments_of_documents(study: Make, tmp_path: Any) -> None:
    metrics, _ = made(5, n_systems=5, n_items=4)
    rows = [f"s{s}\t{d}\t{s + len(d)}\n" for s in range(5) for d in ("b", "aa")]
    (tmp_path / "docs").write_text("system\tdoc\tscore\n" + "".join(rows))
    judgments = metaeval.read_judgments([tmp_path / "docs"])
    made_study = study(metrics, judgments, documents=["aa", "aa", "b", "b"])
    assert (made_study.unit, made_study.units) == ("doc", ("aa", "b"))
    np.testing.assert_allclose(made_study.human_items[0, 2], [4, 3])
    with pytest.raises(mt.InputError, match="document 'b' was judged but is not in the test set"):
        study(metrics, judgments, documents=["aa"] * 4)


def test_judgments_of_another_test_set_are_refused(study: Make, judged: Any) -> None:
    metrics, human = made(6)
    with pytest.raises(mt.InputError, match=r"segment 29 was judged, but the test set ends with s"):
        study(metrics[..., :29], judged(human))
    with pytest.raises(mt.InputError, match="scored are s0, s1"):
        study(metrics, judged(human, systems=[f"other{k}" for k in range(6)]))


def test_few_systems_get_a_note(study: Make) -> None:
    metrics, human = made(7, n_systems=4)
    assert study(metrics, human).notes == (notes.FewSystems(4),)
    metrics, human = made(7, n_systems=5)
    assert study(metrics, human).notes == ()


@pytest.mark.parametrize("n_systems", [1, 2])
def test_next_to_no_systems(study: Make, n_systems: int) -> None:
    made_study = study(*made(7, n_systems=n_systems))
    resampling = metaeval.Resampling(n=20)
    for experiment in (metaeval.system_level, metaeval.lin_och_table, metaeval.segment_level):
        correlations, _ = experiment(made_study, resampling)
        assert correlations
    (ranking,), _ = metaeval.rank_metrics(made_study)
    assert math.isnan(ranking.comparisons[0].p_value)
    points, _ = metaeval.length_curve([(1, made_study)], [1, 5], 10)
    assert len(points) == 4


# Systems


def test_system_level_by_plain_loops(study: Make) -> None:
    metrics, human = made(8)
    correlations, some = metaeval.system_level(study(metrics, human), NO_INTERVALS)
    x, y = metrics[0].mean(axis=-1), human.mean(axis=-1)
    pairs = list(itertools.combinations(range(6), 2))
    d = [(x[i] - x[j], y[i] - y[j]) for i, j in pairs]
    d = [(a, b) if b > 0 else (-a, -b) for a, b in d]
    records = by_quantity(correlations)
    assert records["pearson"].value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert records[DIFFERENTIALS].value == pytest.approx(np.corrcoef(np.array(d).T)[0, 1])
    assert records["pairwise accuracy"].value == np.mean([a > 0 for a, _ in d])
    assert records["pearson"].interval is None
    assert some == []


def test_soft_pairwise_accuracy_of_a_metric_that_agrees(study: Make) -> None:
    metrics, human = made(9, n_items=8)
    correlations, _ = metaeval.system_level(
        study([human, metrics[0]], human), metaeval.Resampling(n=256)
    )
    assert by_quantity(correlations)[SOFT].value == 1
    assert 0 < by_quantity(correlations, "column:k=1")[SOFT].value < 1


def test_judgments_of_systems_alone(study: Make, tmp_path: Any) -> None:
    metrics, human = made(10)
    lines = [f"s{k}\t{score}\n" for k, score in enumerate(human.mean(axis=-1))]
    (tmp_path / "sys").write_text("system\tscore\n" + "".join(lines))
    made_study = study(metrics, metaeval.read_judgments([tmp_path / "sys"]))
    records = by_quantity(metaeval.system_level(made_study, metaeval.Resampling(n=100))[0])
    x = metrics[0].mean(axis=-1)
    assert records["pearson"].value == pytest.approx(np.corrcoef(x, human.mean(axis=-1))[0, 1])
    assert records["pearson"].interval is not None
    assert SOFT not in records
    with pytest.raises(mt.UsageError, match="needs judgments of segments or documents"):
        metaeval.segment_level(made_study)
    with pytest.raises(mt.UsageError, match="needs judgments of segments or documents"):
        metaeval.length_curve([(1, made_study)])


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_intervals_are_of_resampled_segments(study: Make, kind: Any) -> None:
    metrics, human = made(11)
    human[2, 4:9] = NAN
    resampling = metaeval.Resampling(n=120, seed=7, interval=kind)
    correlations, _ = metaeval.system_level(study(metrics, human), resampling)
    weights = np.concatenate(list(bootstrap(30, 120, 7)))
    judged = ~np.isnan(human)

    def coefficient(w: Any) -> float:
        y = (np.nan_to_num(human) * w).sum(axis=1) / (judged * w).sum(axis=1)
        return float(np.corrcoef((metrics[0] * w).sum(axis=1) / w.sum(), y)[0, 1])

    values = np.array([coefficient(w) for w in weights])
    interval = by_quantity(correlations)["pearson"].interval
    assert interval is not None
    assert interval.mean == pytest.approx(np.mean(values))
    assert interval.kind == kind
    value = coefficient(np.ones(30))
    low, high = np.sort(values)[[3, -4]]
    if kind == "percentile":
        assert (interval.low, interval.high) == pytest.approx((low, high))
    elif kind == "basic":
        assert (interval.low, interval.high) == pytest.approx((2 * value - high, 1.0))
        assert 2 * value - low > 1  # no coefficient is
    else:
        left_out = np.array([coefficient(np.arange(30) != k) for k in range(30)])
        expected = Estimate(value, values, [left_out]).interval(95, "bca")
        assert expected is not None
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_bca_intervals_of_groups_leave_out_each_group(study: Make) -> None:
    metrics, human = made(11)
    human[1:, 4] = NAN  # a segment without a coefficient
    resampling = metaeval.Resampling(n=80, interval="bca")
    records, _ = metaeval.segment_level(study(metrics, human), resampling, ["item"])
    of_items = np.array(
        [
            np.corrcoef(metrics[0, :, i], human[:, i])[0, 1] if i != 4 else NAN
            for i in range(metrics.shape[-1])
        ]
    )
    draws = np.concatenate(list(bootstrap(30, 80, 12345)))
    values = (draws @ np.nan_to_num(of_items)) / (draws @ ~np.isnan(of_items))
    left_out = np.array([np.nanmean(np.delete(of_items, i)) for i in range(30)])
    expected = Estimate(float(np.nanmean(of_items)), values, [left_out]).interval(95, "bca")
    interval = by_quantity(records)["pearson"].interval
    assert interval is not None
    assert expected is not None
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_scores_without_each_unit_and_without_each_system(study: Make) -> None:
    metrics, human = made(12, n_items=9)
    of_units, of_systems = study(metrics, human).left_out("both")
    for scores, given in zip(of_units, (metrics, human[None]), strict=True):
        for k in range(9):
            expected = np.delete(given, k, axis=-1).mean(axis=-1)
            np.testing.assert_allclose(scores[k], expected, atol=1e-9)
    for scores, given in zip(of_systems, (metrics, human[None]), strict=True):
        for s in range(6):
            expected = given.mean(axis=-1)
            expected[:, s] = NAN
            np.testing.assert_allclose(scores[s], expected, atol=1e-9)


@pytest.mark.parametrize("draw", ["systems", "both"])
def test_intervals_of_resampled_systems(study: Make, draw: Any) -> None:
    # A metric that favours some systems: more text does not change that, other systems do.
    _, human = made(12, n_systems=8, n_items=200)
    bias = np.array([0.9, -0.8, 0.1, 0.7, -0.9, 0.3, -0.5, 0.6])[:, None]
    made_study = study([human + bias], human)
    widths = []
    for how in ("segments", draw):
        resampling = metaeval.Resampling(n=300, draw=how)
        interval = by_quantity(metaeval.system_level(made_study, resampling)[0])["pearson"].interval
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert widths[1] > 1.5 * widths[0]


def test_resampled_systems_are_systems(study: Make) -> None:
    metrics, human = made(12)
    made_study = study(metrics, human)
    of_metrics, of_humans = made_study.totals
    pairs = set(zip(of_metrics[0].tolist(), of_humans[0].tolist(), strict=True))
    for draw in ("systems", "both"):
        for chunk in made_study.resamples(60, 1, draw):
            scores, humans = chunk()
            assert scores.shape == (len(scores), 2, 6)
            drawn = set(zip(scores[:, 0].ravel(), humans[:, 0].ravel(), strict=True))
            assert (drawn <= pairs) == (draw == "systems")


@pytest.mark.parametrize("draw", ["segments", "systems", "both"])
def test_threads_do_not_change_results(study: Make, draw: Any) -> None:
    metrics, human = made(14, n_metrics=3)
    made_study = study(metrics, human)

    def results(threads: int) -> list[object]:
        resampling = metaeval.Resampling(n=130, draw=draw, threads=threads)
        task = metaeval.Task(name="t", study=made_study, coefficient="pearson")
        return [
            metaeval.system_level(made_study, resampling),
            metaeval.segment_level(made_study, resampling=resampling),
            metaeval.rank_metrics(made_study, "kendall", test="bootstrap", resampling=resampling)
            if draw == "segments"
            else None,
            metaeval.rank_metrics(made_study, "kendall", test="perm-both", resampling=resampling),
            metaeval.rank_over_tasks([task], resampling=resampling),
        ]

    assert repr(results(3)) == repr(results(1))


def test_intervals_of_resampled_systems_cover() -> None:
    """95% intervals include a known correlation of 0.8 about 95 times in 100."""
    rng = np.random.default_rng(13)
    covered = 0
    for trial in range(200):
        x, y = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 60).T
        drawn = np.random.default_rng(trial).integers(0, 60, (400, 60))
        values = np.sort(metaeval.pearson(x[drawn], y[drawn]))
        covered += values[10] <= 0.8 <= values[389]
    # Percentile intervals of r at n = 60 cover a little less; 4 standard errors are 6.2%.
    assert 0.88 <= covered / 200 <= 1.0


@pytest.mark.slow
def test_intervals_of_resampled_segments_cover(study: Make) -> None:
    """95% intervals include the coefficient on unlimited text about 95 times in 100."""
    rng = np.random.default_rng(14)
    quality = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 2.5])[:, None]
    bias = np.array([0.3, -0.6, 0.5, -0.2, -0.8, 0.4])[:, None]
    truth = np.corrcoef((quality + bias).ravel(), quality.ravel())[0, 1]
    covered = 0
    for trial in range(150):
        human = quality + rng.normal(0, 0.7, (6, 100))
        metric = quality + bias + rng.normal(0, 0.7, (6, 100))
        resampling = metaeval.Resampling(n=200, seed=trial)
        correlations, _ = metaeval.lin_och_table(study([metric], human), resampling, ["pearson"])
        interval = correlations[0].interval
        assert interval is not None
        covered += interval.low <= truth <= interval.high
    assert abs(covered / 150 - 0.95) < 3.5 * math.sqrt(0.05 * 0.95 / 150)


@pytest.mark.slow
def test_the_bootstrap_of_the_difference_keeps_its_size(study: Make) -> None:
    """Of two equally good metrics, one is significantly better about 5 times in 100."""
    rng = np.random.default_rng(15)
    quality = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 2.5])[:, None]
    bias = np.array([0.3, -0.6, 0.5, -0.2, -0.8, 0.4])[:, None]
    p = []
    for trial in range(150):
        human = quality + rng.normal(0, 0.7, (6, 60))
        metrics = quality + bias + rng.normal(0, 0.7, (2, 6, 60))
        (ranking,), _ = metaeval.rank_metrics(
            study(metrics, human),
            test="bootstrap",
            resampling=metaeval.Resampling(n=200, seed=trial),
            alternative="two-sided",
        )
        p.append(ranking.comparisons[0].p_value)
    assert np.mean(np.array(p) <= 0.05) < 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / 150)
    assert np.mean(np.array(p) <= 0.5) > 0.5 - 3.5 * 0.5 / math.sqrt(150)


def test_a_constant_metric_gets_a_note(study: Make) -> None:
    metrics, human = made(15)
    metrics[1] = 0.1
    correlations, some = metaeval.system_level(study(metrics, human), metaeval.Resampling(n=50))
    assert math.isnan(by_quantity(correlations, "column:k=1")["pearson"].value)
    assert by_quantity(correlations, "column:k=1")["pearson"].interval is None
    assert some == [notes.ConstantScores("column:k=1")]


def test_an_outlier_that_carries_pearson_is_named(study: Make) -> None:
    rng = np.random.default_rng(16)
    human = np.array([1.0, 2.0, 3.0, 4.0, 5.0, -40.0])[:, None] + rng.normal(0, 0.01, (6, 40))
    metric = np.array([3.0, 1.0, 4.0, 2.0, 2.5, -30.0])[:, None] + rng.normal(0, 0.01, (6, 40))
    correlations, some = metaeval.system_level(study([metric], human), NO_INTERVALS)
    records = by_quantity(correlations)
    x, y = metric.mean(axis=-1), human.mean(axis=-1)
    assert records["pearson"].value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert records["pearson"].value > 0.95
    without = np.corrcoef(x[:5], y[:5])[0, 1]
    assert records[WITHOUT_OUTLIERS].value == pytest.approx(without)
    assert records[WITHOUT_OUTLIERS].n == 5
    outliers = notes.OutlierSystems(
        criterion="score", systems=("s5",), change=0.1, n_changed=1, n_measures=1
    )
    assert some == [outliers]
    table, some = metaeval.lin_och_table(study([metric], human), NO_INTERVALS)
    assert by_quantity(table)[WITHOUT_OUTLIERS].value == pytest.approx(without)
    assert len(some) == 1
    correlations, some = metaeval.system_level(study([human], human), NO_INTERVALS)
    assert some == [replace(outliers, n_changed=0)]


def test_a_coefficient_outside_its_basic_interval_gets_a_note(study: Make) -> None:
    rng = np.random.default_rng(18)
    # The noise cancels out over all items, and over no resample.
    noise = rng.normal(0, 1, (2, 6, 20))
    metric, human = np.linspace(0, 1, 6)[:, None] + np.concatenate([noise, -noise], axis=-1)
    resampling = metaeval.Resampling(n=200, interval="basic")
    correlations, some = metaeval.system_level(study([metric], human), resampling)
    record = by_quantity(correlations)["pearson"]
    assert record.value == pytest.approx(1)
    assert record.interval is not None
    # All resamples are below the value, so the basic interval is above it and above 1.
    assert record.interval.mean < 0.9
    assert (record.interval.low, record.interval.high) == (record.value, 1.0)
    assert record.widened
    (note,) = (note for note in some if isinstance(note, notes.OutsideInterval))
    assert note.criterion == "score"
    assert ("column:k=0", "", "pearson") in note.correlations
    _, of_table = metaeval.lin_och_table(study([metric], human), resampling, ["pearson"])
    assert of_table == [notes.OutsideInterval("score", (("column:k=0", "", "pearson"),))]
    by_default, some = metaeval.system_level(study([metric], human), metaeval.Resampling(n=200))
    widest = by_quantity(by_default)["pearson"].interval
    assert widest is not None
    assert widest.low < widest.mean < widest.high == 1
    (note,) = (note for note in some if isinstance(note, notes.OutsideInterval))
    assert [quantity for *_, quantity in note.correlations] == ["soft pairwise accuracy"]


def test_intervals_of_coefficients_over_systems_are_symmetric_and_of_means_basic() -> None:
    by_default = metaeval.Resampling()
    assert by_default.kind() == by_default.kind("spearman") == "symmetric"
    assert by_default.kind("soft pairwise accuracy") == "percentile"
    assert by_default.kind("") == by_default.of_means().kind() == "basic"
    of_systems = metaeval.Resampling(draw="systems")
    assert of_systems.kind() == of_systems.of_means().kind() == "bca"
    chosen = metaeval.Resampling(interval="percentile")
    assert chosen.kind("") == chosen.of_means().kind() == "percentile"


@pytest.mark.parametrize("run", [metaeval.system_level, metaeval.lin_och_table])
def test_kinds_of_intervals_that_are_too_narrow_over_systems_get_a_note(
    study: Make, run: Any
) -> None:
    metrics, human = made(20, noise=0.5)
    for draw, kind, is_narrow in (
        ("systems", "basic", True),
        ("systems", "bca", False),
        ("both", "bca", True),
        ("both", None, False),
        ("segments", "basic", False),
    ):
        drawing = metaeval.Resampling(n=20, draw=draw, interval=kind)  # type: ignore[arg-type]
        narrow = [n for n in run(study(metrics, human), drawing)[1] if n.code == "narrow-intervals"]
        assert bool(narrow) == is_narrow
        _, some = run(study(metrics, human), replace(drawing, n=0))
        assert not [note for note in some if note.code == "narrow-intervals"]


def test_ratings_that_count_penalties_get_a_note(study: Make) -> None:
    metrics, human = made(19, noise=0.1, n_metrics=3)
    note = notes.NegativeCorrelations("score", 3, 3)
    for run in (metaeval.system_level, metaeval.lin_och_table, metaeval.segment_level):
        assert note in run(study(metrics, -human), NO_INTERVALS)[1]
        assert note not in run(study(metrics, human), NO_INTERVALS)[1]
    metrics[0] *= -1
    some = metaeval.system_level(study(metrics, human), NO_INTERVALS)[1]
    assert not [note for note in some if isinstance(note, notes.NegativeCorrelations)]
    some = metaeval.system_level(study(metrics, -human), NO_INTERVALS)[1]
    assert notes.NegativeCorrelations("score", 2, 3) in some


# The table of Lin and Och


def test_marks_of_the_table(study: Make) -> None:
    rng = np.random.default_rng(17)
    human = np.linspace(0, 2, 8)[:, None] + rng.normal(0, 0.5, (8, 100))
    good = human + rng.normal(0, 0.5, human.shape)
    as_good = human + rng.normal(0, 0.5, human.shape)
    bad = rng.normal(size=human.shape)
    correlations, _ = metaeval.lin_och_table(study([good, as_good, bad], human))
    marks = {r.metric: r.mark for r in correlations if r.quantity == "pearson"}
    assert marks["column:k=2"] == ""
    assert sorted([marks["column:k=0"], marks["column:k=1"]]) == ["best", "equal"]


def test_one_metric_is_no_best(study: Make) -> None:
    metrics, human = made(18, n_metrics=1)
    correlations, _ = metaeval.lin_och_table(study(metrics, human), metaeval.Resampling(n=50))
    assert {r.mark for r in correlations} == {""}


# Segments


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_segment_level_by_plain_loops(study: Make, grouping: Any) -> None:
    metrics, human = made(19)
    human = human.round(0)
    human[np.random.default_rng(0).random(human.shape) < 0.2] = NAN
    correlations, _ = metaeval.segment_level(study(metrics, human), NO_INTERVALS, [grouping])
    records = by_quantity(correlations)
    x, y = metrics[0], human
    rows = {"none": [(x.ravel(), y.ravel())], "item": zip(x.T, y.T, strict=True)}.get(
        grouping, zip(x, y, strict=True)
    )
    expected = []
    for a, b in rows:
        there = ~np.isnan(b)
        if there.sum() > 1 and len(set(b[there])) > 1:
            expected.append(np.corrcoef(a[there], b[there])[0, 1])
    assert records["pearson"].value == pytest.approx(np.mean(expected))
    assert records["pearson"].n == (~np.isnan(human)).sum()
    assert records[CALIBRATED].value >= records["pairwise accuracy"].value - 1e-12
    epsilon, accuracy = metaeval.tie_calibration(x, y, grouping)
    assert records[CALIBRATED].epsilon == pytest.approx(epsilon)
    assert records[CALIBRATED].value == pytest.approx(accuracy)


def test_intervals_of_items(study: Make) -> None:
    metrics, human = made(20)
    correlations, _ = metaeval.segment_level(
        study(metrics, human), metaeval.Resampling(n=80, seed=3, interval="percentile")
    )
    per_item = [np.corrcoef(a, b)[0, 1] for a, b in zip(metrics[0].T, human.T, strict=True)]
    weights = np.concatenate(list(bootstrap(30, 80, 3)))
    means = np.sort(weights @ per_item / 30)
    record = next(r for r in correlations if (r.quantity, r.grouping) == ("pearson", "item"))
    assert record.interval is not None
    assert [record.interval.low, record.interval.high] == pytest.approx([means[2], means[-3]])
    assert all(r.interval is None for r in correlations if r.grouping != "item")


def test_intervals_of_systems_as_groups(study: Make) -> None:
    metrics, human = made(20)
    resampling = metaeval.Resampling(n=80, seed=3, draw="systems", interval="percentile")
    correlations, _ = metaeval.segment_level(study(metrics, human), resampling)
    per_system = [np.corrcoef(a, b)[0, 1] for a, b in zip(metrics[0], human, strict=True)]
    means = np.sort(np.concatenate(list(bootstrap(6, 80, 3))) @ per_system / 6)
    record = next(r for r in correlations if (r.quantity, r.grouping) == ("pearson", "system"))
    assert record.interval is not None
    assert [record.interval.low, record.interval.high] == pytest.approx([means[2], means[-3]])
    assert all(r.interval is None for r in correlations if r.grouping != "system")
    both, _ = metaeval.segment_level(study(metrics, human), replace(resampling, draw="both"))
    assert all(r.interval is None for r in both)


def test_calibration_on_drawn_pairs_gets_a_note(
    study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics, human = made(20, n_metrics=1)
    human[0, 0] = NAN  # 6 * 30 - 1 judgments: 15,931 pairs of outputs
    monkeypatch.setattr(segments, "PAIR_LIMIT", 15_931)
    assert metaeval.segment_level(study(metrics, human), NO_INTERVALS)[1] == []
    monkeypatch.setattr(segments, "PAIR_LIMIT", 15_930)
    assert metaeval.segment_level(study(metrics, human), NO_INTERVALS)[1] == [
        notes.SampledCalibration(("none",), 15_930)
    ]


# Ranks


def test_ranks_of_systems_by_williams(study: Make) -> None:
    metrics, human = made(21, n_systems=9, n_metrics=3)
    made_study = study(metrics, human)
    (ranking,), _ = metaeval.rank_metrics(made_study, correct="none")
    assert ranking.test == "williams"
    x, y = metrics.mean(axis=-1), human.mean(axis=-1)
    values = np.array([np.corrcoef(a, y)[0, 1] for a in x])
    order = np.argsort(-values)
    assert ranking.metrics == tuple(f"column:k={k}" for k in order)
    assert ranking.values == pytest.approx(values[order])
    i, j = order[:2]
    expected = metaeval.williams(values[i], values[j], np.corrcoef(x[i], x[j])[0, 1], 9)
    assert ranking.comparisons[0].p_value == pytest.approx(expected.p_value)
    (corrected,), _ = metaeval.rank_metrics(made_study, correct="holm")
    smallest = min(done.p_value for done in ranking.comparisons)
    assert min(d.p_value for d in corrected.comparisons) == pytest.approx(min(1, 3 * smallest))


@pytest.mark.parametrize("test", ["williams", "perm-both", "bootstrap"])
def test_a_better_metric_is_ranked_before(study: Make, test: Any) -> None:
    rng = np.random.default_rng(22)
    human = np.linspace(0, 2, 12)[:, None] + rng.normal(0, 0.3, (12, 60))
    good = human + rng.normal(0, 0.3, human.shape)
    bad = rng.permutation(human, axis=0) + rng.normal(0, 0.3, human.shape)
    (ranking,), _ = metaeval.rank_metrics(study([bad, good], human), test=test)
    assert ranking.metrics == ("column:k=1", "column:k=0")
    assert ranking.ranks == (1, 2)
    assert ranking.comparisons[0].p_value < 0.05
    assert (ranking.comparisons[0].interval is not None) == (test == "bootstrap")


@pytest.mark.parametrize(
    ("test", "grouping"),
    [("williams", "none"), ("perm-both", "none"), ("perm-both", "item"), ("perm-both", "system")],
)
def test_ranks_of_segments(study: Make, test: Any, grouping: Any) -> None:
    metrics, human = made(23, n_items=15)
    human[0, :4] = NAN
    metrics[1] = np.random.default_rng(1).normal(size=human.shape)
    (ranking,), _ = metaeval.rank_metrics(
        study(metrics, human), grouping=grouping, test=test, resampling=metaeval.Resampling(n=99)
    )
    assert ranking.metrics[0] == "column:k=0"
    assert ranking.comparisons[0].p_value < 0.05
    correlations, _ = metaeval.segment_level(study(metrics, human), NO_INTERVALS, [grouping])
    assert ranking.values[0] == pytest.approx(by_quantity(correlations)["pearson"].value)


def test_outputs_that_nobody_judged_do_not_matter(study: Make) -> None:
    metrics, human = made(23, n_items=15)
    human[1:3, :6] = NAN
    resampling = metaeval.Resampling(n=50)
    correlations = []
    for scale in (1, 1000):
        metrics[:, 1:3, :6] *= scale
        correlations.append(
            metaeval.rank_metrics(
                study(metrics, human), grouping="item", test="perm-both", resampling=resampling
            )[0]
        )
    assert correlations[0] == correlations[1]


def test_ranks_of_segments_by_bootstrap(study: Make) -> None:
    metrics, human = made(24)
    made_study = study(metrics, human)
    (ranking,), _ = metaeval.rank_metrics(
        made_study, "kendall", "item", "bootstrap", alternative="two-sided"
    )
    (again,), _ = metaeval.rank_metrics(
        made_study, "kendall", "item", "bootstrap", alternative="two-sided"
    )
    assert ranking == again
    assert 0 < ranking.comparisons[0].p_value <= 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficient": "kendall", "test": "williams"}, "Williams' test is for Pearson's"),
        ({"grouping": "item", "test": "williams"}, "Williams' test is for Pearson's"),
        ({"grouping": "system", "test": "bootstrap"}, "the bootstrap resamples whole groups"),
        ({"coefficient": "cosine"}, "unknown coefficient 'cosine'. Known: kendall, pairw"),
        ({"test": "anova"}, "unknown test 'anova': expected one of williams"),
        ({"correct": "bonferroni"}, "unknown correction 'bonferroni': expected holm, bh or"),
        ({"test": "perm-both", "resampling": NO_INTERVALS}, "perm-both needs resamples"),
    ],
)
def test_tests_that_do_not_apply(study: Make, options: Any, message: str) -> None:
    with pytest.raises(mt.UsageError, match=message):
        metaeval.rank_metrics(study(*made(25)), **options)


def test_ranking_needs_two_metrics(study: Make) -> None:
    with pytest.raises(mt.UsageError, match="two metrics or more"):
        metaeval.rank_metrics(study(*made(26, n_metrics=1)))


def test_a_metric_without_coefficient_is_last(study: Make) -> None:
    metrics, human = made(27, n_metrics=3)
    metrics[0] = 1.0
    (ranking,), _ = metaeval.rank_metrics(study(metrics, human))
    assert ranking.metrics[-1] == "column:k=0"
    assert math.isnan(ranking.values[-1])
    assert ranking.ranks == (1, 2, None)
    assert math.isnan(ranking.comparisons[-1].p_value)


def test_names_that_are_not_known(study: Make) -> None:
    made_study = study(*made(28))
    misspelt, unknown = cast("Any", "pearsn"), cast("Any", "cosine")
    with pytest.raises(mt.UnknownNameError, match=r"unknown coefficient 'pearsn'\. Did you mean"):
        metaeval.lin_och_table(made_study, NO_INTERVALS, [misspelt])
    with pytest.raises(mt.UnknownNameError, match=r"unknown coefficient 'cosine'\. Known: kendall"):
        metaeval.length_curve([(1, made_study)], [1], 10, coefficient=unknown)
    with pytest.raises(mt.UsageError, match="grouping 'items': expected none, item, system"):
        metaeval.segment_level(made_study, NO_INTERVALS, ["items"])  # type: ignore[list-item]
    with pytest.raises(mt.UsageError, match="draw 'items': expected segments, systems, both"):
        metaeval.Resampling(draw="items")  # type: ignore[arg-type]


def test_a_system_with_too_few_judgments_is_left_out(study: Make, judged: Any) -> None:
    metrics, human = made(29)
    scores = np.stack([human, human])
    scores[1, 2] = NAN
    made_study = study(metrics, judged(scores, raters="ab"), minimum=2)
    assert made_study.systems == ("s0", "s1", "s3", "s4", "s5")
    assert notes.UnjudgedSystems(("s2",)) in made_study.notes


@pytest.mark.parametrize(
    "wrong", [{"n": -1}, {"level": 0.0}, {"level": 100.0}, {"seed": -1}], ids=str
)
def test_resamples_that_cannot_be(wrong: Any) -> None:
    with pytest.raises(mt.UsageError, match="expected 0 or more, a level between 0 and 100"):
        metaeval.Resampling(**wrong)


def test_unknown_sets_and_metrics(columns: mt.Registry, judged: Any) -> None:
    def run(**options: Any) -> None:
        metaeval.study_metrics({"s0": ["1"]}, [["x"]], judged([[1.0]]), registry=columns, **options)

    with pytest.raises(mt.UnknownNameError, match=r"unknown set 'stems'\. Did you mean 'stem'\?"):
        run(specs=["column"], sets=["stems"])
    with pytest.raises(mt.UnknownNameError, match="unknown metric 'colum'"):
        run(specs=["colum"])
    with pytest.raises(mt.UsageError, match="no metric to score with"):
        run()


def test_a_set_that_changes_nothing_is_left_out(columns: mt.Registry) -> None:
    made_study = metaeval.study_metrics(
        {f"s{k}": [f"{k}"] for k in range(3)},
        [["x"]],
        metaeval.Judgments(
            level="segment",
            systems=("s0", "s1", "s2"),
            items=(0,),
            raters=("",),
            criteria=("score",),
            system=np.arange(3),
            item=np.zeros(3, int),
            rater=np.zeros(3, int),
            scores=np.array([[1.0], [3.0], [2.0]]),
        ),
        ["column", "errors:case=lc,stem=none"],
        sets=["case", "nocase", "stem"],
        registry=columns,
    )
    assert [(m.name, m.set) for m in made_study.measures] == [
        ("column", "case"),
        ("errors:case=lc,stem=none", "case"),
        ("column", "nocase"),
        ("column", "stem"),
    ]


def test_human_performance_is_the_mean_of_references_against_the_others(mini: Any) -> None:
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    references = [mt.read_text(mini / f"ref{k}.txt") for k in range(4)]
    systems = {name: mt.read_text(mini / f"systems/{name}.txt") for name in ("deep", "rule")}
    judgments = choose_criteria(metaeval.read_judgments([mini / "ratings.tsv"]), ["adequacy"])
    test_set = mt.TestSet(tuple(references))
    specs = ["bleu:loo=yes"]
    made_study = metaeval.study_metrics(systems, test_set, judgments, specs, sets=["case"])
    of_systems, of_humans = human_performance(made_study, systems, test_set)
    alone = [
        mt.evaluate({"h": references[k]}, references[:k] + references[k + 1 :], ["bleu"])
        for k in range(4)
    ]
    people = [evaluation.score("h", "bleu").score for evaluation in alone]
    assert (of_systems.of, of_humans.of) == ("systems", "humans")
    assert of_humans.mean == pytest.approx(np.mean(people))
    assert (of_humans.lowest, of_humans.highest) == pytest.approx((min(people), max(people)))
    evaluation = mt.evaluate(systems, references, specs)
    scores = [evaluation.score(name, specs[0]).score for name in systems]
    assert of_systems.mean == pytest.approx(np.mean(scores))
    assert (of_systems.lowest, of_systems.highest) == (min(scores), max(scores))
    with pytest.raises(mt.UsageError, match="two references or more"):
        human_performance(made_study, systems, mt.TestSet(tuple(references[:1])))
