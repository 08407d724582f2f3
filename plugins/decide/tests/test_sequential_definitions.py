"""Sequential tests against one-dimensional integrals, and what any plan has to satisfy."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_decide.power import Plan
from mteval_decide.sequential import BOUNDS, Look, Schedule, monitor, stopping, taken

import mteval_core as mt

quad = pytest.importorskip("scipy.integrate").quad
norm = pytest.importorskip("scipy.stats").norm

shares = st.lists(st.integers(5, 95), max_size=3, unique=True).map(
    lambda some: [*(k / 100 for k in sorted(some)), 1.0]
)
kinds = st.sampled_from(list(BOUNDS))


@settings(max_examples=6)
@given(
    t=st.floats(0.01, 0.99),
    c=st.tuples(st.floats(0.5, 5), st.floats(0.5, 5)),
    distance=st.floats(-4, 4),
)
def test_two_looks_are_an_integral_over_the_first(
    t: float, c: tuple[float, float], distance: float
) -> None:
    # s_1 is normal with mean and variance (theta t, t), and the step after it with (1 - t).
    b = c[0] * math.sqrt(t)
    first = NormalDist(distance * t, math.sqrt(t))
    step = NormalDist(distance * (1 - t), math.sqrt(1 - t))
    beyond = (lambda u: 1 - step.cdf(c[1] - u), lambda u: step.cdf(-c[1] - u))
    later = [quad(lambda u, p=p: first.pdf(u) * p(u), -b, b, limit=100)[0] for p in beyond]
    found = stopping(np.array([t, 1.0]), np.array(c), distance)
    expected = [1 - first.cdf(b), first.cdf(-b)]
    assert found[:, 0] == pytest.approx(expected, abs=1e-9)
    assert found[:, 1] - found[:, 0] == pytest.approx(later, abs=1e-7)


@settings(max_examples=5)
@given(shares=shares, kind=kinds, alpha=st.floats(0.001, 0.3), distance=st.floats(0, 5))
def test_a_schedule_keeps_its_promises(
    shares: list[float], kind: Any, alpha: float, distance: float
) -> None:
    schedule = Schedule(shares, kind, alpha)
    up, down = schedule.stopped(distance)
    assert schedule.stopped(0.0).sum(axis=0)[-1] == pytest.approx(alpha, abs=1e-9)
    assert (np.diff(up) >= 0).all()
    np.testing.assert_allclose(schedule.stopped(-distance), [down, up], atol=1e-12)
    assert norm.isf(np.array(schedule.p_values) / 2) == pytest.approx(schedule.bounds)
    # The average share: each look times the probability of stopping there; the last one else.
    both = up + down
    exactly = np.diff([0.0, *both[:-1], 1.0])
    assert schedule.expected_share(distance) == pytest.approx(float(exactly @ shares), abs=1e-12)
    # A larger true difference stops earlier; one more look makes every bound higher.
    assert schedule.expected_share(distance + 1) <= schedule.expected_share(distance) + 1e-12
    assert schedule.bounds[-1] >= norm.isf(alpha / 2) - 1e-6


@settings(max_examples=5)
@given(shares=shares, kind=kinds, power=st.floats(0.55, 0.99))
def test_the_distance_is_found_with_the_power(shares: list[float], kind: Any, power: float) -> None:
    schedule = Schedule(shares, kind)
    distance = schedule.distance(power)
    assert schedule.stopped(distance)[0, -1] == pytest.approx(power, abs=1e-9)
    assert distance >= norm.isf(0.025) + norm.ppf(power) - 1e-6


def test_bounds_have_the_shapes_of_their_kinds() -> None:
    shares = [0.25, 0.5, 1.0]
    pocock, fleming = (Schedule(shares, kind).bounds for kind in BOUNDS)
    assert np.ptp(pocock) == 0
    assert fleming * np.sqrt(shares) == pytest.approx([fleming[-1]] * 3)
    assert fleming[0] > pocock[0] > pocock[-1] - 1e-12 > fleming[-1]


@pytest.mark.parametrize("shares", [[math.nan, 1], [0.5, math.nan], [math.nan], [math.inf, 1]])
def test_shares_that_are_no_numbers_are_refused(shares: list[float]) -> None:
    with pytest.raises(mt.UsageError, match="expected up to 50 shares that grow to 1"):
        Schedule(shares, "pocock")


@pytest.mark.parametrize("looks", [[], [0], [4, 4], [4, 3], [-1, 4], 0, 51, -3])
def test_looks_that_cannot_be_taken_are_refused(
    looks: Any, evaluate: Any, recwarn: pytest.WarningsRecorder
) -> None:
    evaluation = evaluate({"A": [1.0, 2.0, 4.0, 3.0], "B": [2.0, 4.0, 3.0, 3.0]})
    with pytest.raises(mt.UsageError, match=r"looks at .*: expected up to 50 shares"):
        monitor(evaluation, Plan(), "pocock", looks)
    assert not recwarn.list


def test_one_system_or_one_unit_has_no_test(evaluate: Any) -> None:
    with pytest.raises(mt.UsageError, match="two systems or more"):
        monitor(evaluate({"A": [1.0, 2.0]}), Plan(), "pocock", 2)
    with pytest.raises(mt.InputError, match="only one segment"):
        monitor(evaluate({"A": [1.0], "B": [2.0]}), Plan(), "pocock", 2)


def test_all_pairs_are_monitored_and_exchanged_systems_change_the_sign(evaluate: Any) -> None:
    numbers = dict(zip("ABC", np.random.default_rng(1).normal(size=(3, 12)).round(3), strict=True))
    looks = monitor(evaluate(numbers), Plan(0.5), "obrien-fleming", [6, 12], all_pairs=True)
    pairs = [(one.system, one.baseline) for one in looks[::2]]
    assert pairs == [("B", "A"), ("C", "A"), ("C", "B")]
    turned = evaluate({name: numbers[name] for name in "BAC"})
    swapped = monitor(turned, Plan(0.5), "obrien-fleming", [6, 12])
    for one, other in zip(looks[:2], swapped[:2], strict=True):
        assert (one.difference, one.z) == pytest.approx((-other.difference, -other.z))
        assert (one.n, one.bound, one.verdict) == (other.n, other.bound, other.verdict)


def test_a_difference_on_the_bound_stops(evaluate: Any) -> None:
    # Differences of 0 and 2: their mean is 1, and so is its standard error.
    evaluation = evaluate({"A": [0.0, 0.0], "B": [0.0, 2.0]})
    values: Any = ["B", "A", "mean:tok=none", 1, 2.0, 1.0, 0.3, 1.0, 0.3, 0.3, 2.0]
    for bound, verdict in ((1 - 1e-9, "significant"), (1 + 1e-9, "not significant")):
        look = Look(*values)._replace(bound=bound)
        (found,) = taken([look], evaluation, "segment")
        assert (found.difference, found.z) == pytest.approx((1.0, 1.0))
        assert found.verdict == verdict
        go_on = taken([look, look._replace(look=2, n=9.0)], evaluation, "segment")[0].verdict
        assert go_on == verdict.replace("not significant", "go on")
