"""The segments of a shard: where they are cut, and which ids they have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mteval_scale import shards
from mteval_scale.shards import ALL, Segments

import mteval_core as mt
from mteval_core import InMemory, LineFiles, Part

N = 5


def in_memory(*_: Any) -> InMemory:
    source, hypotheses, references = ([f"{x}{i}" for i in range(N)] for x in "shr")
    test_set = mt.TestSet(
        (mt.Text.of(references),), documents=tuple("aabba"), source=mt.Text.of(source)
    )
    return InMemory({"A": ["A"]}, Part({"A": mt.Text.of(hypotheses)}, test_set))


def in_files(folder: Any) -> LineFiles:
    for name in "shr":
        lines = "".join(f"{name}{i}\n" for i in range(N))
        (folder / f"{name}.txt").write_text(lines)
    source, output, reference = (str(folder / f"{name}.txt") for name in "shr")
    return LineFiles([reference], {"A": [output]}, source, n_lines=2)


def rows(source: Segments) -> list[tuple[Any, ...]]:
    """Id, hypothesis, reference, source and document of every segment."""
    found: list[tuple[Any, ...]] = []
    for part in source.parts():
        assert part.ids is not None
        test_set, n = part.test_set, len(part.ids)
        texts = part.systems["A"], test_set.references[0], test_set.source or ()
        documents = test_set.documents or ("aabba"[i % 100] for i in part.ids.tolist())
        found += zip(part.ids.tolist(), *texts, documents, strict=True)
        assert len(test_set) == n
    return found


@pytest.mark.parametrize("make", [in_memory, in_files])
@pytest.mark.parametrize("size", [1, 2, 9])
@pytest.mark.parametrize("places", [ALL, range(N), range(1, 4), range(3, 3)])
def test_blocks_have_the_segments_at_their_places(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, make: Any, size: int, places: range
) -> None:
    monkeypatch.setattr(shards, "BLOCK", size)
    found = Segments(make(tmp_path), places, first=100)
    inside = range(places.start, min(places.stop, N))
    assert rows(found) == [(100 + i, f"h{i}", f"r{i}", f"s{i}", "aabba"[i]) for i in inside]
    sizes = [len(part.test_set) for part in found.parts()]
    assert max(sizes, default=0) <= size


def test_ids_need_not_count_up() -> None:
    ids = np.array([9, 4, 7, 0, 2])
    assert [row[:2] for row in rows(Segments(in_memory(), range(1, 3), ids=ids))] == [
        (4, "h1"),
        (7, "h2"),
    ]


@pytest.mark.parametrize("make", [in_memory, in_files])
def test_metrics_see_all_references_or_none(tmp_path: Any, make: Any) -> None:
    source = make(tmp_path)
    references = Segments(source, range(1, 3)).references()
    assert references is not None
    seen = references.map(lambda part: [*part.test_set.references[0]], 1)
    assert [segment for part in seen for segment in part] == [f"r{i}" for i in range(N)]
    assert Segments(source, range(1, 3), has_all=False).references() is None


@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_are_mapped_in_order(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(shards, "BLOCK", 2)
    found = Segments(in_memory()).map(lambda part: [*part.systems["A"]], threads)
    assert list(found) == [["h0", "h1"], ["h2", "h3"], ["h4"]]
