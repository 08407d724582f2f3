"""Influence, ranks and choices of means: their closed forms, and what no order may change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_decide.influence import choices, influences, ranks, resampled_scores, value_of

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SPEC = "mean:tok=none"
numbers = st.integers(2, 12).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(-40, 40).map(lambda k: k / 8), min_size=n, max_size=n),
        min_size=3,
        max_size=3,
    )
)


def scored(
    registry: mt.Registry, systems: Mapping[str, Sequence[float]], **more: Any
) -> mt.Evaluation:
    n = len(next(iter(systems.values())))
    texts = {name: [str(float(each)) for each in row] for name, row in systems.items()}
    return mt.evaluate(texts, [["x"] * n], [SPEC], registry=registry, **more)


@settings(max_examples=6)
@given(numbers)
def test_the_effect_on_a_mean_has_a_closed_form(
    mean_registry: mt.Registry, rows: list[list[float]]
) -> None:
    evaluation = scored(mean_registry, dict(zip("ABC", rows, strict=True)))
    found = influences(evaluation, all_pairs=True)
    assert [(one.system, one.baseline) for one in found] == [("B", "A"), ("C", "A"), ("C", "B")]
    by_name = dict(zip("ABC", np.array(rows), strict=True))
    for one in found:
        d = by_name[one.system] - by_name[str(one.baseline)]
        # Without x, the mean is (n m - x) / (n - 1), which is (x - m) / (n - 1) less.
        assert one.value == pytest.approx(d.mean(), abs=1e-12)
        assert one.effects == pytest.approx((d - d.mean()) / (len(d) - 1), abs=1e-12)
        sizes = np.abs(one.effects)[one.largest(len(d))]
        assert (np.diff(sizes) <= 0).all()
        assert one.largest(0) == []
    ba, ca, cb = (one.effects for one in found)
    assert ca == pytest.approx(ba + cb, abs=1e-12)


@settings(max_examples=6)
@given(numbers)
def test_as_many_units_carry_a_difference_in_either_direction(
    mean_registry: mt.Registry, rows: list[list[float]]
) -> None:
    a, b, _ = rows
    (one,) = influences(scored(mean_registry, {"A": a, "B": b}))
    (turned,) = influences(scored(mean_registry, {"B": b, "A": a}))
    assert (turned.value, turned.reversal) == (-one.value, one.reversal)
    # The sum of what is left, the largest gains gone first, is what decides; eighths are exact.
    gains = sorted(np.sign(one.value) * np.subtract(b, a), reverse=True)
    left = [sum(gains[m:]) for m in range(len(gains))]
    gone = [m for m, rest in enumerate(left) if rest <= 0]
    assert one.reversal == (gone[0] if gone and gone[0] else None)


def test_documents_count_by_their_sums(mean_registry: mt.Registry) -> None:
    systems = {"A": [0.0] * 5, "B": [1.0, 5.0, 1.0, 2.0, 1.0]}
    documents = ["d", "é", "d", "é", "d"]
    (one,) = influences(scored(mean_registry, systems, documents=documents), "doc")
    assert (one.value, one.without.tolist()) == (2.0, [3.5, 1.0])
    assert (one.largest(1), one.reversal) == ([0], None)


@settings(max_examples=8)
@given(rows=numbers, seed=st.integers(0, 2**32))
def test_ranks_share_out_all_resamples(
    mean_registry: mt.Registry, rows: list[list[float]], seed: int
) -> None:
    evaluation = scored(mean_registry, dict(zip("ABC", rows, strict=True)))
    resampled = resampled_scores(evaluation, "segment", 40, seed)
    (found,) = ranks(evaluation, resampled)
    observed = [float(np.mean(rows["ABC".index(name)])) for name in found.systems]
    assert observed == sorted(observed, reverse=True)
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(3))
    # Somebody is first in every resample, and tied systems leave ranks below theirs empty.
    assert found.shares[:, 0].sum() >= 1 - 1e-12
    assert (np.cumsum(found.shares.sum(axis=0)) >= [1 - 1e-9, 2 - 1e-9, 3 - 1e-9]).all()
    values = np.round([resampled[SPEC][name] for name in found.systems], 10)
    first = (values == values.max(axis=0)).mean(axis=1)
    assert found.shares[:, 0] == pytest.approx(first)


@settings(max_examples=8)
@given(
    left_out=st.lists(st.lists(st.floats(-50, 50), min_size=2, max_size=2), min_size=2, max_size=5),
    level=st.floats(1, 99.9),
)
def test_the_error_of_references_is_the_jackknife_of_efron_and_stein(
    mean_registry: mt.Registry, left_out: list[list[float]], level: float
) -> None:
    evaluation = scored(mean_registry, {"A": [1.0, 2.0], "B": [3.0, 2.0]})
    without = [scored(mean_registry, {"A": [a, a], "B": [b, b]}) for a, b in left_out]
    draws = {SPEC: {"A": np.array([1.0, 2.0, 0.0]), "B": np.array([2.0, 2.0, 2.0])}}
    (one,) = choices(evaluation, without, draws, level=level)
    d, n = np.diff(left_out, axis=1)[:, 0], len(left_out)
    assert one.without == pytest.approx(d)
    squared = (n - 1) / n * sum((each - d.mean()) ** 2 for each in d)
    assert one.of_references == pytest.approx(squared**0.5, abs=1e-9)
    assert one.of_units == pytest.approx(1.0)
    assert one.low <= one.value == 1.0 <= one.high
    (wider,) = choices(evaluation, without, draws, level=min(99.95, level + 5))
    assert wider.high - wider.low > one.high - one.low


def test_references_that_change_nothing_have_no_error(mean_registry: mt.Registry) -> None:
    evaluation = scored(mean_registry, {name: [k, k + 1.0] for k, name in enumerate("ABC")})
    draws = {SPEC: {name: np.full(4, k + 0.5) for k, name in enumerate("ABC")}}
    found = choices(evaluation, [evaluation] * 3, draws, all_pairs=True)
    assert [(o.system, o.baseline, o.value) for o in found] == [
        ("B", "A", 1.0),
        ("C", "A", 2.0),
        ("C", "B", 1.0),
    ]
    assert all((one.of_units, one.of_references) == (0.0, 0.0) for one in found)
    assert all(one.low == one.value == one.high for one in found)


def test_the_value_of_a_pair_is_a_difference() -> None:
    scores = {"A": np.array([1.0, 2.0]), "é": np.array([4.0, 2.5])}
    assert value_of(scores, ("é", "A")).tolist() == [3.0, 0.5]
    assert value_of(scores, ("é", None)) is scores["é"]


def test_one_resample_has_no_error(mean_registry: mt.Registry) -> None:
    evaluation = scored(mean_registry, {"A": [1.0, 2.0], "B": [3.0, 2.0]})
    draws = resampled_scores(evaluation, "segment", 1, 3)
    with pytest.raises(mt.UsageError, match="a single resample"):
        choices(evaluation, [evaluation] * 2, draws)
