"""Shards: they divide the segments, and say what they are."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

import pytest
from mteval_scale.plan import plan_of
from mteval_scale.shards import Shard, check_in_a_row, check_shard, read_plan

from mteval_core import InputError

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("mteval_error_rates")


@pytest.mark.parametrize("n", [0, 1, 7, 100, 10**9 + 7])
@pytest.mark.parametrize("n_shards", [1, 2, 3, 64])
def test_shards_divide_all_segments_evenly(n: int, n_shards: int) -> None:
    parts = [Shard(k, n_shards).of(n) for k in range(1, n_shards + 1)]
    assert (parts[0].start, parts[-1].stop) == (0, n)
    assert all(a.stop == b.start for a, b in pairwise(parts))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    if n <= 100:
        assert list(chain(*parts)) == list(range(n))


@pytest.mark.parametrize("text", ["1/1", "3/8", "999999/999999", "1-2/2", "7-64/64"])
def test_names_of_shards_are_read_as_they_are_written(text: str) -> None:
    assert str(Shard.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "3/",
        "/3",
        "0/3",
        "4/3",
        "-1/3",
        "1/3/5",
        "1.0/3",
        "١/٣",
        "1/9999999",
        "a/b",
        "2-1/3",
        "2-2/3",
        "1-/3",
        "-2/3",
        "1-4/3",
    ],
)
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"expected K/N for the shard .*, or K-L/N, got"):
        Shard.parse(text)


def test_only_the_first_missing_shards_are_named() -> None:
    seen = {Shard(1, 20): "a", Shard(20, 20): "b"}
    every = Shard.parse("1-20/20")
    with pytest.raises(InputError, match=r"2/20, .*, 11/20 and 8 more; expected all of 1-20/20"):
        check_in_a_row(seen, every)
    seen |= {Shard(k, 20): str(k) for k in range(2, 20)}
    check_in_a_row(seen, every)
    with pytest.raises(InputError, match="x is the shard 7/20, as 7 is: leave one"):
        check_shard(Shard(7, 20), "x", seen)
    with pytest.raises(InputError, match=r"x is the shard 7/21, but a is 1/20; expected parts of"):
        check_shard(Shard(7, 21), "x", seen)
    with pytest.raises(InputError, match=r"x is the shard 19-20/20, and . is 20/20: leave"):
        check_shard(Shard.parse("19-20/20"), "x", seen)


def test_plans_are_read_from_files(tmp_path: Path) -> None:
    plan = plan_of(["wer"], {"A": ["A (run 1)", "A (run 2)"], "B": ["B"]}, ["x"], resamples=9)
    path = tmp_path / "plan.json"
    path.write_text(plan.to_json())
    assert read_plan(str(path)) == plan
    assert read_plan(str(path)).id == plan.id
    for damaged in (plan.to_json()[:-1], "null", "{}", "\x00", "[1]"):
        path.write_text(damaged)
        with pytest.raises(InputError, match=r"plan\.json: not a plan of mteval"):
            read_plan(str(path))
