"""Calls in threads: their order, their number, and what an error does."""

from __future__ import annotations

import threading
from functools import partial
from itertools import count, islice
from time import sleep
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.evaluation.resampling import bootstrap
from mteval_core.metrics.sums import KeptRows, weighted_totals
from mteval_core.metrics.threads import in_order, in_threads

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = {
    "whole": np.random.default_rng(1).poisson(3, (500, 4)).astype(np.float64),
    "fractions": np.random.default_rng(2).random((500, 3)),
}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_the_order_of_the_calls(threads: int) -> None:
    def later(k: int, delay: float) -> int:
        sleep(delay)
        return k

    calls = [(k, 0.002 * (7 - k)) for k in range(7)]
    assert in_threads(later, iter(calls), threads) == list(range(7))
    assert in_threads(later, [], threads) == []


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_more_threads_work_than_allowed_and_all_of_them_do(threads: int) -> None:
    lock, active, most = threading.Lock(), 0, 0

    def working(by: int) -> None:
        nonlocal active, most
        with lock:
            active += by
            most = max(most, active)

    def drawn() -> Iterator[tuple[int]]:
        for k in range(12):
            working(1)
            sleep(0.002)
            working(-1)
            yield (k,)

    def work(_: int) -> None:
        working(1)
        sleep(0.01)
        working(-1)

    in_threads(work, drawn(), threads)
    assert most == threads


def test_calls_are_drawn_one_at_a_time_and_only_when_they_are_needed() -> None:
    drawn, seen, drawing = [], [], threading.Lock()

    def calls() -> Iterator[tuple[int]]:
        for k in range(20):
            assert drawing.acquire(blocking=False)
            sleep(0.002)
            drawing.release()
            drawn.append(k)
            yield (k,)

    def fail(k: int) -> None:
        seen.append(k)
        if k == 3:
            raise ValueError(f"call {k}")

    with pytest.raises(ValueError, match="call 3"):
        in_threads(fail, calls(), 2)
    assert drawn == [*range(len(drawn))]
    assert len(drawn) <= 6
    assert sorted(seen)[:4] == [0, 1, 2, 3]


def test_the_first_error_in_the_order_of_the_calls_is_raised() -> None:
    second = threading.Event()

    def fail(k: int) -> None:
        message = f"call {k}"
        if k == 0:
            second.wait(5)
            raise ValueError(message)
        second.set()
        raise KeyError(message)

    with pytest.raises(ValueError, match="call 0"):
        in_threads(fail, [(0,), (1,)], 2)


def test_an_error_while_drawing_is_raised_after_the_results_before_it() -> None:
    def calls() -> Iterator[tuple[int]]:
        yield (0,)
        raise mt.UsageError("no more")

    results = in_order(lambda k: k, calls(), 2)
    assert next(results) == 0
    with pytest.raises(mt.UsageError, match="no more"):
        next(results)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_few_results_wait_to_be_taken(threads: int) -> None:
    n_drawn, most = 0, 0

    def calls() -> Iterator[tuple[int]]:
        nonlocal n_drawn
        for n_drawn in range(1, 31):
            yield (n_drawn,)

    for n_taken, result in enumerate(in_order(lambda k: k, calls(), threads)):
        sleep(0.002)
        most = max(most, n_drawn - n_taken)
        assert result == n_taken + 1
    assert most == (2 * threads if threads > 1 else 1)


@pytest.mark.parametrize("n_taken", [0, 1, 3])
def test_results_need_not_all_be_taken(n_taken: int) -> None:
    before = threading.active_count()
    results = in_order(lambda k: k, ((k,) for k in count()), 3)
    assert list(islice(results, n_taken)) == [*range(n_taken)]
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [2, 3])
def test_totals_are_the_same_bits(threads: int) -> None:
    draw = partial(bootstrap, 500, 230, 1)
    one, more = (list(weighted_totals(draw, ROWS, n)) for n in (1, threads))
    for some, same in zip(one, more, strict=True):
        assert all(np.array_equal(some[key], same[key]) for key in ROWS)
    kept = {"kept": KeptRows(ROWS["whole"])}
    assert [list(each) for each in weighted_totals(draw, kept, threads)] == [["kept"]]


def test_scores_intervals_and_tests_are_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    reference = [" ".join(rng.choice(["a", "b", "c", "d"], 6)) for _ in range(60)]
    systems = {name: [line[k:] for line in reference] for k, name in enumerate("ABC")}

    def records(threads: int) -> Any:
        evaluation = mt.evaluate(systems, [reference], ["bleu", "rouge-l"], threads=threads)
        for test in ("bs", "ar"):
            evaluation = evaluation.confidence(130, threads=threads)
            compared = evaluation.compare(test, 130, threads=threads)  # type: ignore[arg-type]
            yield compared.to_records(), compared.to_dict()["comparisons"]

    one = list(records(1))
    assert one[0] != one[1]
    monkeypatch.setattr("mteval_core.metrics.rows.SEGMENTS_AT_ONCE", 7)
    assert list(records(3)) == one
