"""Calibration of metrics whose systems, sign or scale change, and the tables of curves."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_metaeval import Curve, Quote, calibrate, read_curves
from mteval_metaeval.calibration import LIMITS, SCALES, Pairs, fitted, likelihoods, pairs_of
from mteval_metaeval.calibration import shapes as curve_shapes
from mteval_metaeval.reports.calibration import of_calibration

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., metaeval.Study]

few = settings(max_examples=6, deadline=None)
seeds = st.integers(0, 10**6)
AT = np.array([0.0, 0.1, 0.5, 1.0])


def scores(seed: int, n_systems: int = 4, n_sets: int = 6) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    metric = rng.normal(size=(n_sets, n_systems))
    return metric, metric + rng.normal(size=metric.shape)


def counted(metric: Any, human: Any) -> Pairs:
    pairs = pairs_of((metric, human))
    assert pairs is not None
    return pairs


def fit(metric: Any, human: Any, level: float = 95.0) -> np.ndarray:
    """Estimate, low and high at shares of the largest difference."""
    pairs = counted(metric, human)
    return np.array(fitted(pairs, AT * pairs.largest, metric.shape[1], level))


# The fit


@few
@given(seeds, st.permutations(range(4)))
def test_the_order_of_systems_does_not_matter(seed: int, order: list[int]) -> None:
    metric, human = scores(seed)
    assert fit(metric[:, order], human[:, order]) == pytest.approx(fit(metric, human))


@few
@given(seeds, st.sampled_from([0.25, 4.0, 1024.0]), st.sampled_from([-8.0, 16.0]))
def test_only_sizes_relative_to_each_other_matter(seed: int, factor: float, shift: float) -> None:
    metric, human = (each.round(3) for each in scores(seed))
    found = fit(metric * factor, human * 3 + shift)
    assert found == pytest.approx(fit(metric, human))
    assert counted(metric * factor, human).largest == factor * counted(metric, human).largest


@few
@given(seeds)
def test_a_metric_of_the_opposite_sign_has_the_mirrored_curve(seed: int) -> None:
    metric, human = scores(seed)
    estimate, low, high = fit(metric, human)
    assert fit(-metric, human) == pytest.approx(1 - np.array([estimate, high, low]))
    assert fit(-metric, -human) == pytest.approx(np.array([estimate, low, high]))
    assert np.all((low >= 0) & (low <= estimate) & (estimate <= high) & (high <= 1))


@few
@given(seeds, st.floats(1, 94))
def test_a_higher_level_has_wider_intervals(seed: int, level: float) -> None:
    metric, human = scores(seed)
    (estimate, low, high), (same, lower, higher) = fit(metric, human, level), fit(metric, human)
    assert estimate.tolist() == same.tolist()
    assert np.all(lower <= low)
    assert np.all(high <= higher)


@pytest.mark.parametrize("human", [math.nan, 0.0, 7.0])
def test_without_preferences_agreement_is_one_half(human: float) -> None:
    metric, _ = scores(1)
    pairs = counted(metric, np.full_like(metric, human))
    assert (pairs.agreed.sum(), pairs.disagreed.sum()) == (0, 0)
    estimate, low, high = fit(metric, np.full_like(metric, human))
    assert estimate == pytest.approx([0.5] * 4)
    # The prior alone: the standard deviation of c is that of the arcsine law, sqrt(1/8).
    assert (high - low)[-1] < 2 * 1.96 * math.sqrt(1 / 8)
    assert low[-1] < 0.1 < 0.9 < high[-1]


def test_metrics_that_give_all_systems_one_score_have_no_pairs() -> None:
    metric, human = np.full((3, 4), 2.5), np.arange(12.0).reshape(3, 4)
    assert pairs_of((metric, human)) is None
    metric[0, 0] += 1e-9
    assert counted(metric, human).largest == pytest.approx(1e-9, rel=1e-6)


def test_likelihoods_are_weights() -> None:
    pairs = counted(*scores(3))
    kept = np.array([np.ones(6), np.zeros(6), [1, 0, 0, 0, 0, 0]])
    weights = likelihoods(pairs, kept)
    assert weights.shape == (3, len(LIMITS) * len(SCALES))
    assert weights.sum(axis=1) == pytest.approx(1)
    assert weights[1] == pytest.approx(1 / weights.shape[1])
    # Twice the data square the likelihoods.
    squared = likelihoods(pairs, 2 * kept[:1])[0]
    assert squared == pytest.approx(weights[0] ** 2 / np.sum(weights[0] ** 2))


def test_curves_run_from_one_half_to_their_limit() -> None:
    found = curve_shapes(np.array([0.0, 1.0, 1e6])).reshape(len(LIMITS), len(SCALES), 3)
    assert np.all(found[..., 0] == 0.5)
    assert found[..., 2] == pytest.approx(np.repeat(LIMITS[:, None], len(SCALES), axis=1))
    k, s = 30, 20
    expected = 0.5 + (LIMITS[k] - 0.5) * math.tanh(1 / SCALES[s])
    assert found[k, s, 1] == pytest.approx(expected)
    assert pytest.approx(LIMITS[::-1]) == 1 - LIMITS
    assert len(np.unique(LIMITS)) == len(LIMITS)


# Curves


@st.composite
def rising(draw: st.DrawFn) -> Curve:
    """Draw a curve whose agreement rises."""
    n = draw(st.integers(2, 6))
    steps = draw(st.lists(st.integers(1, 9), min_size=2 * n, max_size=2 * n))
    sizes = np.cumsum([0, *steps[1:n]]).astype(np.float64)
    agreement = 0.5 + np.cumsum([0, *steps[n + 1 :]]) / 128
    ends: dict[str, Any] = {"low": agreement / 2, "high": (1 + agreement) / 2}
    named: dict[str, Any] = {"metric": "M", "set": "", "criterion": "c"}
    named |= {"signature": "M|a:1", "level": 95.0}
    return Curve(**named, differences=sizes, agreement=agreement, **ends)


@given(rising(), st.floats(0, 1))
def test_the_difference_needed_has_the_agreement(curve: Curve, share: float) -> None:
    wanted = 0.5 + share * (float(curve.agreement[-1]) - 0.5)
    needed = curve.needed(wanted)
    assert curve.at(needed)[0] == pytest.approx(wanted)
    assert curve.at(-needed) == curve.at(needed)
    assert math.isnan(curve.needed(float(curve.agreement[-1]) + 1e-6))
    assert curve.needed(0.0) == 0


@given(rising(), st.floats(-99, 99))
def test_beyond_the_curve_is_what_is_said_to_be_beyond(curve: Curve, difference: float) -> None:
    largest = float(curve.differences[-1])
    one = Quote("s", "b", "m", difference, curve)
    agreement, low, high = one.agreement
    assert low <= agreement <= high
    assert one.is_beyond == (difference > largest or difference < -largest)
    if one.is_beyond:
        assert agreement == curve.agreement[-1]


# Reports


@pytest.fixture(scope="module")
def parts() -> tuple[Any, Any]:
    rng = np.random.default_rng(4)
    human = np.linspace(0, 3, 5)[:, None] + rng.normal(size=(5, 12))
    return human, rng.normal(size=human.shape)


def test_tables_show_the_curves_of_their_criterion(
    study: Make, judged: Callable[..., Any], parts: tuple[Any, Any], tmp_path: Path
) -> None:
    human, noise = parts
    judgments = judged(np.stack([human, -human], axis=-1), criteria=("质量", "style"))
    made = study([human, noise], judgments)
    results = calibrate(made, 6, 20, level=90.0, seed=3)
    resampling = metaeval.Resampling(level=90.0, seed=3)
    report = of_calibration(made, results, resampling, size=6, sets=20, decimals=3)
    tables = report.tables()
    assert [table.caption.partition(":")[0] for table in tables] == ["质量"] * 2 + ["style"] * 2
    for k, criterion in enumerate(("质量", "style")):
        curves = [curve for curve in results[0] if curve.criterion == criterion]
        agreement, needed = tables[2 * k : 2 * k + 2]
        assert len(agreement.names) == 5 * len(needed.names) == 5 * len(curves) == 10
        rows = zip(*([cell.parts[0] for cell in c.cells] for c in agreement.columns), strict=True)
        for row, (size, *ends) in enumerate(rows):
            found = curves[row // 5].at(float(size))
            assert ends == [f"{100 * value:.0f}" for value in found]
        for column, wanted in zip(needed.columns, (60, 70, 80, 90), strict=True):
            assert column.heads == (f"{wanted}%",)
            for cell, curve in zip(column.cells, curves, strict=True):
                reached = curve.agreement.max() >= wanted / 100
                assert (cell.parts[0] != "–") == reached
    assert "20 pseudo test sets of 6 segments, seed 3; 90% intervals (L, U)" in report.summary
    records = list(report.make_records())
    assert len(records) == 4 * 41
    assert {record["n_systems"] for record in records} == {5}
    path = tmp_path / "名.json"
    path.write_text(json.dumps(report.make_data(report)), encoding="utf-8")
    for read, curve in zip(read_curves(str(path)), results[0], strict=True):
        assert read[:5] == curve[:5]
        assert np.array_equal(read[5:], curve[5:])


def test_a_study_of_constant_metrics_has_empty_tables_and_a_note(
    study: Make, parts: tuple[Any, Any]
) -> None:
    human, _ = parts
    made = study([np.ones_like(human)], human)
    results = calibrate(made, count=5)
    report = of_calibration(made, results, metaeval.Resampling(), size=6, sets=1)
    assert [table.names for table in report.tables()] == [(), ()]
    assert list(report.make_records()) == []
    assert "1 pseudo test set of 6 segments" in report.summary
    assert any("column:k=0" in note for note in report.notes)


@pytest.mark.parametrize("size", [0, -1, 13])
def test_sizes_that_no_test_set_has(study: Make, parts: tuple[Any, Any], size: int) -> None:
    message = f"pseudo test sets of {size} segments; expected 1 to 12, the whole test set"
    with pytest.raises(mt.UsageError, match=message):
        calibrate(study([parts[0]], parts[0]), size)
