"""Bounds of sequential tests, against published tables, other integrals and simulations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_decide.power import Plan, powers
from mteval_decide.sequential import BOUNDS, Look, Schedule, monitor, stopping

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_decide.sequential import Bound

    Evaluate = Callable[..., mt.Evaluation]

multivariate_normal = pytest.importorskip("scipy.stats").multivariate_normal
norm = pytest.importorskip("scipy.stats").norm

SPEC = "mean:tok=none"

POCOCK = {
    0.01: [2.576, 2.772, 2.873, 2.939, 2.986, 3.023, 3.053, 3.078, 3.099, 3.117],
    0.05: [1.960, 2.178, 2.289, 2.361, 2.413, 2.453, 2.485, 2.512, 2.535, 2.555],
    0.10: [1.645, 1.875, 1.992, 2.067, 2.122, 2.164, 2.197, 2.225, 2.249, 2.270],
}
"""Bounds for 1 to 10 looks: Jennison and Turnbull 1999, table 2.1."""

OBRIEN_FLEMING = {
    0.01: [2.576, 2.580, 2.595, 2.609, 2.621, 2.631, 2.640, 2.648, 2.654, 2.660],
    0.05: [1.960, 1.977, 2.004, 2.024, 2.040, 2.053, 2.063, 2.072, 2.080, 2.087],
    0.10: [1.645, 1.678, 1.710, 1.733, 1.751, 1.765, 1.776, 1.786, 1.794, 1.801],
}
"""Last bounds for 1 to 10 looks: the same, table 2.3."""

INFLATION = {
    ("pocock", 0.8): [1.000, 1.110, 1.166, 1.202, 1.229, 1.249, 1.265, 1.279, 1.291, 1.301],
    ("pocock", 0.9): [1.000, 1.100, 1.151, 1.183, 1.207, 1.225, 1.239, 1.252, 1.262, 1.271],
    ("obrien-fleming", 0.8): [1.0, 1.008, 1.017, 1.024, 1.028, 1.032, 1.035, 1.037, 1.038, 1.040],
    ("obrien-fleming", 0.9): [1.0, 1.007, 1.016, 1.022, 1.026, 1.030, 1.032, 1.034, 1.036, 1.037],
}
"""Largest size over that of a single test, for alpha 0.05: the same, tables 2.2 and 2.4."""


def equal(n_looks: int, kind: Any, alpha: float = 0.05) -> Schedule:
    """Make a schedule of looks at equal distances."""
    return Schedule((np.arange(1, n_looks + 1) / n_looks).tolist(), kind, alpha)


# Bounds


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_bounds_are_those_of_the_tables(alpha: float) -> None:
    for n_looks in (2, 5, 10):
        pocock, fleming = equal(n_looks, "pocock", alpha), equal(n_looks, "obrien-fleming", alpha)
        assert pocock.bounds == pytest.approx(POCOCK[alpha][n_looks - 1], abs=5.1e-4)
        last = OBRIEN_FLEMING[alpha][n_looks - 1]
        expected = [last * math.sqrt(n_looks / k) for k in range(1, n_looks + 1)]
        assert fleming.bounds == pytest.approx(expected, abs=5.1e-4 * math.sqrt(n_looks))


@pytest.mark.parametrize(("kind", "power"), list(INFLATION))
def test_sizes_are_those_of_the_tables(kind: Bound, power: float) -> None:
    single = norm.ppf(0.975) + norm.ppf(power)
    for n_looks in (2, 5, 10):
        inflation = (equal(n_looks, kind).distance(power) / single) ** 2
        assert inflation == pytest.approx(INFLATION[kind, power][n_looks - 1], abs=6e-4)


def test_a_worked_example_of_sas() -> None:
    # SAS/STAT, SEQDESIGN, "Creating Two-Sided Pocock and O'Brien-Fleming Designs": four stages,
    # alpha 0.05, power 0.9. In percent of the single test: the largest size is 118.3143, and the
    # average one 115.6074 without and 69.74805 with the difference.
    schedule = equal(4, "pocock")
    distance = schedule.distance(0.9)
    largest = 100 * (distance / (norm.ppf(0.975) + norm.ppf(0.9))) ** 2
    assert largest == pytest.approx(118.3143, abs=2e-4)
    assert largest * schedule.expected_share(0.0) == pytest.approx(115.6074, abs=2e-4)
    assert largest * schedule.expected_share(distance) == pytest.approx(69.74805, abs=2e-4)


@pytest.mark.parametrize("kind", list(BOUNDS))
@pytest.mark.parametrize("shares", [[0.5, 1], [0.1, 1], [0.2, 0.3, 1], [0.6, 0.9, 1]])
def test_integrals_are_those_of_the_multivariate_normal(kind: Bound, shares: list[float]) -> None:
    schedule = Schedule(shares, kind)
    t = np.array(shares)
    covariance = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))
    for distance in (0.0, 2.0):
        staying = multivariate_normal(distance * np.sqrt(t), covariance, allow_singular=True)
        b = schedule.bounds
        inside = staying.cdf(b, lower_limit=-b)
        assert 1 - schedule.stopped(distance).sum(axis=0)[-1] == pytest.approx(inside, abs=2e-4)
    assert schedule.stopped(0.0).sum(axis=0)[-1] == pytest.approx(0.05, abs=1e-8)


def test_probabilities_by_look_are_those_of_a_simulation() -> None:
    rng, n, shares = np.random.default_rng(1), 100_000, [0.3, 0.5, 1.0]
    schedule = Schedule(shares, "pocock", 0.1)
    steps = np.diff(shares, prepend=0.0)
    for distance in (0.0, -1.0, 2.5):
        s = np.cumsum(rng.normal(distance * steps, np.sqrt(steps), (n, 3)), axis=1)
        z = s / np.sqrt(shares)
        outside = np.abs(z) >= schedule.bounds
        first = np.where(outside.any(axis=1), outside.argmax(axis=1), 3)
        at_first = np.append(z, np.zeros((n, 1)), axis=1)[np.arange(n), first]
        for side, sign in enumerate((1, -1)):
            expected = [np.mean((first <= k) & (sign * at_first > 0)) for k in range(3)]
            assert schedule.stopped(distance)[side] == pytest.approx(expected, abs=0.006)


def test_one_look_is_an_ordinary_test() -> None:
    for kind in BOUNDS:
        schedule = equal(1, kind, 0.02)
        assert schedule.bounds == pytest.approx(norm.ppf(0.99), abs=1e-8)
        assert schedule.p_values == pytest.approx([0.02])
        assert schedule.distance(0.8) == pytest.approx(norm.ppf(0.99) + norm.ppf(0.8), abs=1e-6)
        assert schedule.expected_share(1.0) == 1
    assert stopping(np.ones(1), np.full(1, 2.0), 1.0) == pytest.approx(norm.sf([[1.0], [3.0]]))


def test_many_looks_close_together_are_exact_enough() -> None:
    schedule = equal(50, "obrien-fleming")
    assert schedule.stopped(0.0).sum(axis=0)[-1] == pytest.approx(0.05, abs=1e-7)
    # Many looks approach a Brownian motion, which leaves (-b, b) before 1 with 4 (1 - Phi(b)),
    # nearly; a discrete one does so if b is 0.5826 steps larger (Siegmund 1985).
    b = schedule.bounds[-1] + 0.5826 / math.sqrt(50)
    assert 4 * norm.sf(b) == pytest.approx(0.05, abs=1e-3)
    uneven = Schedule([0.01, 0.02, 0.9, 0.91, 1], "pocock")
    assert uneven.stopped(0.0).sum(axis=0)[-1] == pytest.approx(0.05, abs=1e-7)


@pytest.mark.parametrize(
    "shares",
    [
        [],
        [0.5],
        [0.5, 0.5, 1],
        [1, 0.5],
        [0, 1],
        [-0.5, 1],
        [0.5, 2],
        [0.0005, 1],
        [k / 51 for k in range(1, 52)],
    ],
)
def test_looks_that_make_no_sense(shares: list[float]) -> None:
    with pytest.raises(mt.UsageError, match="expected up to 50 shares that grow to 1"):
        Schedule(shares, "pocock")


# Looks at data


def test_a_plan_from_a_pilot(evaluate: Evaluate) -> None:
    rng = np.random.default_rng(2)
    evaluation = evaluate({"A": rng.normal(0, 1, 80).round(3), "B": rng.normal(0, 1, 80).round(3)})
    plan = Plan(effect=0.3, power=0.9)
    (power,) = powers(evaluation, plan)
    looks = monitor(evaluation, plan, "pocock", 4)
    assert [one.look for one in looks] == [1, 2, 3, 4]
    # Tables 2.1 and 2.2: bounds of 2.361, and 1.183 times the size of a single test.
    assert [one.bound for one in looks] == pytest.approx([2.361] * 4, abs=1e-3)
    assert looks[-1].n == pytest.approx(1.183 * power.needed, rel=0.01)
    assert [one.n for one in looks] == pytest.approx(
        [looks[-1].n * k / 4 for k in (1, 2, 3, 4)], abs=1
    )
    assert looks[-1].found == pytest.approx(0.9)
    assert looks[-1].spent == pytest.approx(0.05)
    assert looks[0].expected / power.needed == pytest.approx(0.6975, rel=0.02)
    assert looks[0].detectable == pytest.approx(
        2.361 * power.error * (80 / looks[0].n) ** 0.5, rel=1e-3
    )
    assert {one.verdict for one in looks} == {""}


def test_looks_are_taken_in_the_order_of_the_data(evaluate: Evaluate) -> None:
    # The differences are 1 and 0 in turn, then 3: z is 3, 4.36 and more from then on.
    b = [1.0, 0.0] * 5 + [3.0, 2.0] * 5
    evaluation = evaluate({"A": [0.0] * 20, "B": b})
    looks = monitor(evaluation, Plan(effect=1), "obrien-fleming", [4, 10, 20, 40])
    d = np.array(b)
    for look, n in zip(looks[:3], (4, 10, 20), strict=True):
        error = d[:n].std(ddof=1) / math.sqrt(n)
        assert look.difference == pytest.approx(d[:n].mean())
        assert look.z == pytest.approx(d[:n].mean() / error)
    assert [one.verdict for one in looks] == ["go on", "go on", "significant", ""]
    assert [one.n for one in looks] == [4, 10, 20, 40]
    assert looks[0].bound > looks[0].z
    assert math.isnan(looks[3].z)
    assert looks[3].detectable < looks[2].detectable


def test_the_last_look_decides(evaluate: Evaluate) -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 1, 40).round(3)
    evaluation = evaluate({"A": [0] * 40, "B": noise - noise.mean().round(3)})
    looks = monitor(evaluation, Plan(effect=0.1), "pocock", [20, 40])
    assert [one.verdict for one in looks] == ["go on", "not significant"]
    evaluation = evaluate({"A": [0] * 40, "B": noise + 2, "C": noise - 2})
    looks = monitor(evaluation, Plan(), "pocock", [20, 40])
    assert [(one.system, one.verdict) for one in looks] == [
        ("B", "significant"),
        ("B", ""),
        ("C", "significant"),
        ("C", ""),
    ]


def test_documents_are_units(evaluate: Evaluate) -> None:
    rng = np.random.default_rng(4)
    documents = [f"d{k // 5}" for k in range(100)]
    numbers = {"A": rng.normal(0, 1, 100).round(3), "B": rng.normal(0.2, 1, 100).round(3)}
    looks = monitor(evaluate(numbers, documents), Plan(by="doc"), "pocock", [10, 20, 30])
    d = (numbers["B"] - numbers["A"]).reshape(20, 5).mean(axis=1)
    for look, n in zip(looks, (10, 20), strict=False):
        assert look.z == pytest.approx(d[:n].mean() / (d[:n].std(ddof=1) / math.sqrt(n)))
    assert math.isnan(looks[2].z)


def test_what_does_not_vary_or_does_not_exist_has_no_size(evaluate: Evaluate) -> None:
    constant = evaluate({"A": [1, 2, 3, 4], "B": [2, 3, 4, 5]})
    equal_means = evaluate({"A": [1, 2, 3, 4], "B": [2, 1, 4, 3]})
    for evaluation, looks in ((constant, 2), (constant, [2, 4]), (equal_means, 3)):
        found = monitor(evaluation, Plan(), "pocock", looks)
        assert all(math.isnan(one.expected) for one in found)
        assert {one.verdict for one in found} == {""}


def test_error_rate_with_looks() -> None:
    # A small version of benchmarks/sequential.py: five looks at normal differences of known spread.
    rng, n = np.random.default_rng(5), 8000
    z = np.cumsum(rng.normal(0, 1, (n, 5)), axis=1) / np.sqrt(np.arange(1, 6))
    for kind in BOUNDS:
        share = np.mean((np.abs(z) >= equal(5, kind).bounds).any(axis=1))
        assert share == pytest.approx(0.05, abs=4 * math.sqrt(0.0475 / n))
    assert np.mean((np.abs(z) >= 1.96).any(axis=1)) == pytest.approx(0.142, abs=0.016)


def test_a_look_is_plain_data() -> None:
    values: list[Any] = ["B", "A", SPEC, 1, 10.0, 2.0, 0.05, 0.3, 0.01, 0.2]
    look = Look(*values, expected=8.0)
    assert (look.n, look.bound, look.verdict) == (10.0, 2.0, "")
    assert math.isnan(look.z)
