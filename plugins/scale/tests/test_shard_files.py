"""Files of shards: they are merged in any order, and errors name the file."""

from __future__ import annotations

import gzip
import random
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mteval_scale.arrow import rows_of, to_bytes
from mteval_scale.plan import plan_of
from mteval_scale.received import from_bytes
from mteval_scale.shards import Shard, content, merge_files, merge_some, read_partial, read_plan

import mteval_core as mt
from mteval_core import ExactSum, InMemory, InputError, Part, Partial

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("pyarrow")
pytest.importorskip("mteval_error_rates")

PLAN = plan_of(["wer"], ["Ä"], ["x"], level="doc")
HYPOTHESES = ["ein Häuschen", "", "das Haus", "zwei", "ein Haus"]
REFERENCES = ["ein Haus", "nichts", "das Haus", "drei vier", "kein Haus"]
DOCUMENTS: tuple[str, ...] = ("é", "é", "b", "b", "é")


@cache
def part(shard: Shard) -> bytes:
    """Count a shard; with more shards than segments, some have none."""
    places, partial = shard.of(len(REFERENCES)), Partial()
    if places:
        cut = slice(places.start, places.stop)
        test_set = mt.TestSet((mt.Text.of(REFERENCES[cut]),), documents=DOCUMENTS[cut])
        texts = {"Ä": mt.Text.of(HYPOTHESES[cut])}
        own = Part(texts, test_set, np.array(places, np.int64))
        partial = PLAN.kept.count_source(InMemory({"Ä": ["Ä"]}, own), PLAN.scorers())
    return to_bytes(partial, PLAN.id, str(shard))


def write(folder: Path, n_shards: int) -> list[str]:
    paths = [folder / f"{k}.arrow" for k in range(1, n_shards + 1)]
    for k, path in enumerate(paths, 1):
        path.write_bytes(part(Shard(k, n_shards)))
    return [*map(str, paths)]


@pytest.mark.parametrize("n_shards", [1, 2, 5, 9])
def test_files_are_merged_in_any_order(tmp_path: Path, n_shards: int) -> None:
    _, whole = from_bytes(part(Shard(1, 1)), PLAN)
    paths = write(tmp_path, n_shards)
    random.Random(n_shards).shuffle(paths)
    found = merge_files(paths, PLAN)
    assert (found.n_segments, found.last, found.id_sum) == (5, 4, 10)
    assert found.digests == whole.digests
    assert found.digests["hyp", "Ä"] == mt.Text.of(HYPOTHESES).digest
    key = ("Ä", "wer")
    assert found.counted[key].total.units == whole.counted[key].total.units
    # Words of the references, and errors counted by hand: 1 + 1 + 0 + 2 + 1.
    assert {5.0, 9.0} <= {*found.counted[key].total.total().tolist()}
    sizes = {name: (each.first, each.n_segments) for name, each in found.documents.items()}
    assert sizes == {"é": (0, 3), "b": (2, 2)}


@pytest.mark.parametrize("place", ["total", "document"])
def test_a_number_below_0_is_refused_where_the_metric_counts(tmp_path: Path, place: str) -> None:
    _, whole = from_bytes(part(Shard(1, 1)), PLAN)
    key, (path,) = ("Ä", "wer"), write(tmp_path, 1)
    one, other = (whole.documents[name].totals[key].units for name in ("é", "b"))
    # Documents add up to the total.
    less = (-sum(one) - 1, *one[1:]) if place == "total" else (-1, *one[1:])
    more = other if place == "total" else (one[0] + other[0] + 1, *other[1:])
    total = ExactSum([a + b for a, b in zip(less, more, strict=True)], 5)
    whole.counted[key] = whole.counted[key]._replace(total=total)
    for name, units in (("é", less), ("b", more)):
        whole.documents[name].totals[key] = ExactSum(units, whole.documents[name].n_segments)
    (tmp_path / "1.arrow").write_bytes(to_bytes(whole, PLAN.id, "1/1"))
    with pytest.raises(InputError, match=rf"{path}: .*sums Ä wer: a number below 0"):
        merge_files([path], PLAN)


@pytest.mark.parametrize("n_shards", [2, 9, 16])
def test_parts_that_are_merged_as_a_tree_are_the_whole(tmp_path: Path, n_shards: int) -> None:
    paths, level = write(tmp_path, n_shards), 0
    while len(paths) > 1:
        level += 1
        pairs = [paths[k : k + 2] for k in range(0, len(paths), 2)]
        paths = [f"{tmp_path}/{level}-{k}.part" for k in range(len(pairs))]
        for path, pair in zip(paths, pairs, strict=True):
            shard, merged = merge_some(pair, PLAN)
            (tmp_path / path).write_bytes(to_bytes(merged, PLAN.id, str(shard)))
    shard, found = read_partial(paths[0], PLAN)
    assert str(shard) == f"1-{n_shards}/{n_shards}"
    assert to_bytes(found, PLAN.id, "") == to_bytes(
        merge_files(write(tmp_path, n_shards), PLAN), PLAN.id, ""
    )
    assert merge_files(paths, PLAN).digests == from_bytes(part(Shard(1, 1)), PLAN)[1].digests


def test_only_shards_in_a_row_are_a_part(tmp_path: Path) -> None:
    first, _, third = write(tmp_path, 3)
    with pytest.raises(InputError, match=r"^missing shards: 2/3; expected all of 1-3/3$"):
        merge_some([first, third], PLAN)


def test_no_file_is_an_error() -> None:
    with pytest.raises(InputError, match=r"^no partial results; expected one file for each shard$"):
        merge_files([], PLAN)


def test_a_part_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "ä b.arrow.gz"
    data = part(Shard(2, 3))
    path.write_bytes(gzip.compress(data))
    shard, found = read_partial(str(path), PLAN)
    assert (shard, content(str(path))) == (Shard(2, 3), data)
    assert to_bytes(found, PLAN.id, "2/3") == data
    assert [row.what for row in rows_of(found)][:3] == ["segments", "text", "text"]


def test_a_part_without_a_name_is_no_shard(tmp_path: Path) -> None:
    """As engines make them."""
    path = tmp_path / "part"
    for name, seen in (("", "''"), ("1/0", "'1/0'"), ("x" * 99, f"'{'x' * 40}'")):
        path.write_bytes(to_bytes(Partial(), PLAN.id, name))
        with pytest.raises(InputError, match=f"part: expected K/N for the shard .*, got {seen}$"):
            read_partial(str(path), PLAN)


def test_the_file_with_the_fault_is_named(tmp_path: Path) -> None:
    first, second, third = write(tmp_path, 3)
    other = plan_of(["wer"], ["Ä"], ["x"], level="doc", seed=1)
    for paths, plan, message in (
        ([first, first], PLAN, f"^{first} is the shard 1/3, as {first} is: leave one"),
        ([third, first], PLAN, "^missing shards: 2/3"),
        ([second], other, f"^{second}: a part of the plan '{PLAN.id}'; expected .* {other.id}$"),
        ([second, str(tmp_path)], PLAN, f"^{tmp_path}: "),
        ([second, f"{tmp_path}/no"], PLAN, f"^{tmp_path}/no: no such file"),
    ):
        with pytest.raises(InputError, match=message):
            merge_files(paths, plan)
    (tmp_path / "3.arrow").write_bytes(part(Shard(4, 5)))
    with pytest.raises(InputError, match=r"3\.arrow is the shard 4/5, but .*1\.arrow is 1/3"):
        merge_files([first, third], PLAN)


def test_plans_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "plan.json.gz"
    path.write_bytes(gzip.compress(PLAN.to_json().encode()))
    assert read_plan(str(path)) == PLAN
    path.write_bytes(gzip.compress(PLAN.to_json().encode())[:-9])
    with pytest.raises(InputError, match=r"plan\.json\.gz: "):
        read_plan(str(path))


@given(st.text("0123/ -+_١²\n", max_size=9))
@example("007/0010")
@example("12/1000000")
def test_every_text_is_a_shard_or_refused(text: str) -> None:
    try:
        shard = Shard.parse(text)
    except InputError as error:
        assert str(error).endswith(repr(text[:40]))  # noqa: PT017
    else:
        number, n_shards = map(int, text.split("/"))
        assert (shard.number, shard.n_shards) == (number, n_shards)
        assert 1 <= number <= n_shards < 10**6
