"""The engine ``local``: threads of this process."""

from __future__ import annotations

import threading

import pytest
from mteval_scale.local import run
from mteval_testing import check_engine


def test_it_passes_the_kit() -> None:
    assert [finding.ok for finding in check_engine("local")] == [True, True]


def test_results_come_in_the_order_of_the_parts() -> None:
    assert [*run(lambda part: part * "x", range(20))] == [n * "x" for n in range(20)]
    assert [*run(str, [])] == []


def test_an_error_ends_the_run() -> None:
    done = run(lambda part: 6 // part, [3, 0, 1])
    assert next(done) == 2
    with pytest.raises(ZeroDivisionError):
        next(done)


def test_it_has_as_many_threads_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    meeting = threading.Barrier(3, timeout=5)
    assert sorted(run(lambda _: meeting.wait(), range(3))) == [0, 1, 2]
    monkeypatch.delattr("os.sched_getaffinity")
    threads = set(run(lambda _: threading.get_ident(), range(9)))
    assert len(threads) == 1
    assert threading.get_ident() not in threads
