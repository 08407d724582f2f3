"""Calls in threads are those of a loop, and Poisson weights those of a stream without parts."""

from __future__ import annotations

import random
import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.evaluation.poisson import FEWEST_UNITS, check_units, poisson, poisson_weights
from mteval_core.metrics import rows
from mteval_core.metrics.threads import in_threads

seeds = st.integers(0, 2**128 - 1)


@settings(max_examples=8)
@given(calls=st.lists(st.tuples(st.integers(), st.integers())), threads=st.integers(1, 9))
def test_threads_do_what_a_loop_does(calls: list[tuple[int, int]], threads: int) -> None:
    assert in_threads(divmod_or_none, iter(calls), threads) == [divmod_or_none(*c) for c in calls]


def divmod_or_none(one: int, other: int) -> tuple[int, int] | None:
    return divmod(one, other) if other else None


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit, mt.InputError])
def test_any_error_ends_all_calls(threads: int, error: type[BaseException]) -> None:
    before, drawn = threading.active_count(), []

    def calls() -> Any:
        for k in range(1000):
            drawn.append(k)
            yield (k,)

    def fail(k: int) -> int:
        if k == 2:
            raise error
        return k

    with pytest.raises(error):
        in_threads(fail, calls(), threads)
    assert len(drawn) < 100
    assert threading.active_count() == before


def test_one_thread_calls_here_and_now() -> None:
    order: list[Any] = []

    def calls() -> Any:
        for k in range(3):
            order.append(("drawn", k))
            yield k, threading.get_ident()

    def call(k: int, drawer: int) -> None:
        assert threading.get_ident() == drawer
        order.append(("called", k))

    in_threads(call, calls(), 1)
    assert order == [(what, k) for k in range(3) for what in ("drawn", "called")]


@settings(max_examples=8)
@given(seed=seeds, cuts=st.lists(st.integers(0, 2100), max_size=4), count=st.integers(1, 5))
def test_totals_of_parts_add_up_to_those_of_the_whole(
    seed: int, cuts: list[int], count: int
) -> None:
    values = np.arange(2100) % 17 - 8.0
    (whole,) = poisson_weights(np.arange(2100), count, seed)
    edges = [0, *sorted(cuts), 2100]
    totals = np.zeros(count)
    for start, end in pairwise(edges):
        (part,) = poisson_weights(np.arange(start, end), count, seed)
        assert (part.dtype, part.shape) == (np.dtype(np.uint8), (count, end - start))
        totals += part @ values[start:end]
    assert totals.tolist() == (whole @ values).tolist()


@given(n=st.integers(30, 90), seed=seeds)
def test_no_drawn_resample_is_empty(n: int, seed: int) -> None:
    weights = np.concatenate(list(poisson(n, 40, seed)))
    assert weights.shape == (40, n)
    assert weights.sum(axis=1).min() > 0
    assert set(np.unique(weights)) <= set(range(9))


def test_repeated_ids_draw_the_same_weight_and_no_ids_none() -> None:
    (twice,) = poisson_weights(np.array([7, 2000, 7]), 50, 1)
    assert np.array_equal(twice[:, 0], twice[:, 2])
    assert not np.array_equal(twice[:, 0], twice[:, 1])
    (none,) = poisson_weights(np.array([], np.int64), 3, 1)
    assert none.shape == (3, 0)
    assert list(poisson_weights(np.array([1]), 0, 1)) == []


def test_the_standard_error_of_a_mean_is_that_of_the_textbook() -> None:
    x = np.random.default_rng(3).normal(5, 2, 400)
    weights = np.concatenate(list(poisson(400, 3000, 9)))
    means = weights @ x / weights.sum(axis=1)
    # The standard deviation of 3000 draws is known to 1.3% (one standard error).
    assert means.std() == pytest.approx(x.std() / 20, rel=0.06)
    assert means.mean() == pytest.approx(x.mean(), abs=0.01)


@pytest.mark.parametrize("n", [0, 1, FEWEST_UNITS - 1])
def test_too_few_units_are_named(n: int) -> None:
    with pytest.raises(
        mt.UsageError, match=f"^{n} segments or documents .*: use the resampler boo"
    ):
        check_units(n)
    check_units(FEWEST_UNITS)


WORDS = [f"w{i}" for i in range(50)]


# Texts drawn at random look damaged.
@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@pytest.mark.parametrize(
    ("n_segments", "at_once", "threads"), [(41_003, 20_000, [1, 2]), (1003, 10, [1, 2, 3, 8])]
)
def test_threads_do_not_change_a_bit(
    n_segments: int, at_once: int, threads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither rows nor sums depend on threads or on the size of ranges of segments."""
    pytest.importorskip("mteval_bleu_nist")
    rng = random.Random(1)

    def lines() -> list[str]:
        return [" ".join(rng.choices(WORDS, k=rng.randrange(9))) for _ in range(n_segments)]

    systems, references = {"": lines()}, [lines(), lines()]
    specs = ["bleu:tok=none,bp=average", "nist:tok=none"]
    monkeypatch.setattr(rows, "SEGMENTS_AT_ONCE", n_segments)
    whole = mt.evaluate(systems, references, specs)
    monkeypatch.setattr(rows, "SEGMENTS_AT_ONCE", at_once)
    for n_threads in threads:
        several = mt.evaluate(systems, references, specs, threads=n_threads)
        for key, counted in whole.scores.rows.items():
            assert np.array_equal(counted, several.scores.rows[key])
            assert np.array_equal(whole.scores.totals[key], several.scores.totals[key])
