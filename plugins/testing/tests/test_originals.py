"""Runs of original programs: reading, copying and comparing them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing.originals import Golden, assert_printed, by_name, copy_runs, read_runs

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = [
    {"id": "one", "hyp": "a", "refs": ["a", "b"], "scores": {"p1 -x": {"P": 1}, "p2": 0}},
    {"id": "two", "hyp": "c d", "refs": ["c", "e"], "scores": {"p1 -x": {"P": 0.5}}},
]
TOGETHER = {"p1 all": {"corpus": {"P": 0.7}}, "p1 some": {"ids": ["two"], "corpus": {"P": 0.5}}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder ``golden`` with files of all kinds, next to ``data``."""
    runs = [
        {"oracle": "p1", "command": "-x", "corpus": {"P": 0.5}, "segments": {"P": [1, 0]}},
        {"oracle": "p1", "command": "-y", "corpus": {"P": 1}, "references_used": "ref1 only"},
        {"oracle": "p1", "command": "-z", "corpus": {"P": 1}, "lines": "first 1 lines only"},
        {"oracle": "p2", "command": "", "corpus": {"P": 0}},
    ]
    named = {"dataset": "set", "system": "s", "references": 2, "runs": runs}
    contents = {
        "golden/corpus.json": {"hyp": ["a", "b"], "refs": [["a", "c"], ["d", "b"]], "runs": runs},
        "golden/edge/items.json": {"items": ITEMS, "as_one_corpus": TOGETHER},
        "golden/papers.json": [{"id": "x", "source": "me", "hyp": "a", "refs": ["a"], "p1 -x": 1}],
        "golden/set.s.pretok.json": named,
        "golden/set.s.raw.json": named,
        "golden/set.s.sentences.json": named,
    }
    texts = {
        "golden/inputs/set/s.txt": "a\nb\n",
        "golden/inputs/set-sentences/s.tsv": "a\tb\nc\n",
        "data/set/systems/s.txt": "A\nB\n",
        "data/set/docs.txt": "d1\nd2\n",
    }
    for place in ("golden/inputs/set/ref{}.txt", "data/set/ref{}.txt"):
        texts |= {place.format(0): "a\nc\n", place.format(1): "d\nb\n"}
    texts |= {f"golden/inputs/set-sentences/ref{k}.tsv": "a\tb\nc\n" for k in range(2)}
    written: dict[str, Any] = {name: json.dumps(value) for name, value in contents.items()} | texts
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "golden"


CHOSEN = """programs = "p1"

[about]
tool = "p1 1.0"
"""


def is_p1(program: str) -> bool:
    return program.startswith("p1")


def test_runs_of_all_files(folder: Path) -> None:
    runs = {str(run): run for run in read_runs(folder, is_p1)}
    assert list(runs) == [
        *(f"corpus: p1 -{option}" for option in "xyz"),
        *("items one: p1 -x", "items two: p1 -x", "items as one: p1 all", "items as one: p1 some"),
        "papers x: p1 -x",
        *(f"set.s.{form}: p1 -{o}" for form in ("pretok", "raw", "sentences") for o in "xyz"),
    ]
    assert runs["corpus: p1 -x"].references == [["a", "c"], ["d", "b"]]
    assert runs["corpus: p1 -y"].references == [["d", "b"]]
    assert runs["corpus: p1 -z"].hypotheses == ["a"]
    assert runs["items two: p1 -x"].references == [["c"], ["e"]]
    assert runs["items as one: p1 all"].hypotheses == ["a", "c d"]
    assert runs["items as one: p1 some"].references == [("c",), ("e",)]
    assert runs["papers x: p1 -x"].printed == {"corpus": 1}
    assert runs["set.s.pretok: p1 -x"].hypotheses == ["a", "b"]
    assert runs["set.s.raw: p1 -x"].hypotheses == ["A", "B"]
    assert runs["set.s.raw: p1 -z"].documents == ["d1"]
    assert runs["set.s.sentences: p1 -x"].hypotheses == ["a\tb", "c"]


def test_an_absent_folder_has_no_runs(tmp_path: Path) -> None:
    assert read_runs(tmp_path / "absent", is_p1) == []


def test_copies_have_the_same_runs(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "runs.toml").write_text(CHOSEN)
    copy_runs(folder, copy)
    with_texts = ("corpus", "items", "papers")
    original = [run for run in read_runs(folder, is_p1) if run.where.startswith(with_texts)]
    assert read_runs(copy, is_p1) == original
    assert read_runs(copy, lambda program: program.startswith("p2")) == []
    assert all(json.loads(path.read_bytes())["tool"] == "p1 1.0" for path in copy.glob("*.json"))


def test_golden_runs_are_all_runs_or_the_copies(folder: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    copied.mkdir()
    (copied / "runs.toml").write_text(CHOSEN)
    copy_runs(folder, copied)
    golden, alone = Golden(copied, folder, is_p1), Golden(copied, tmp_path / "absent", is_p1)
    assert golden.runs == read_runs(folder, is_p1)
    assert golden.altered_copies() == []
    assert not golden.needs_all_runs.args[0]
    assert alone.runs == alone.altered_copies() == read_runs(copied, is_p1)
    assert alone.needs_all_runs.args[0]
    assert "absent, the numbers of the original" in alone.needs_all_runs.kwargs["reason"]


def test_values_are_compared_to_the_digits_printed(registry: mt.Registry) -> None:
    evaluation = mt.evaluate({"": ["a b c", "x"]}, [["a", "y"]], "matches", registry=registry)
    segments = by_name(evaluation, "matches", "segment")
    assert_printed(segments["P"], [0.333, 0], 3)
    assert_printed(segments["P"], 0.333333, 6)
    assert_printed(by_name(evaluation, "matches")["length"], 4, 12)
    with pytest.raises(AssertionError, match="precision"):
        assert_printed(segments["P"], [0.334], 3, "precision")
