"""Which files ``mteval score`` reads block by block."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands import sources
from mteval_core.commands.parser import CommandParser
from mteval_core.commands.sources import long_files
from mteval_core.commands.texts import Texts
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    from pathlib import Path

    from mteval_core.evaluation.sources import LineFiles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("ref.txt", "a.txt", "b.txt", "src.txt"):
        (tmp_path / name).write_text("one line\n" * 3)
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"one line\n" * 3))
    (tmp_path / "d.tsv").write_text("text\none line\n")
    return tmp_path


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is long."""
    monkeypatch.setattr(sources, "LONG_FILE", 0)


def chosen(folder: Path, *words: str, metrics: tuple[str, ...] = ("wer",)) -> LineFiles | None:
    registry = mt.default_registry()
    given = [word.format(folder=folder) for word in words]
    options = CommandParser(registry.find(mt.CommandSpec, "score")).options(given)
    return long_files(Texts(options, Files(registry)), [mt.metric(spec) for spec in metrics])


REF, SYSTEM = "{folder}/ref.txt", ("-i", "{folder}/a.txt")


def test_plain_text_is_read_in_blocks(folder: Path) -> None:
    runs = ("A={folder}/a.txt,{folder}/c.txt.gz", "{folder}/b.txt")
    found = chosen(folder, REF, "-i", *runs, "--source", "{folder}/src.txt")
    assert found is not None
    names = [path.rpartition("/")[2] for path in found.paths.values()]
    assert names == ["ref.txt", "src.txt", "a.txt", "c.txt.gz", "b.txt"]
    assert found.runs == {"A": ("A (run 1)", "A (run 2)"), "b": ("b",)}
    assert [[*part.systems] for part in found.parts()] == [["A (run 1)", "A (run 2)", "b"]]


@pytest.mark.parametrize(
    "words",
    [
        [*SYSTEM, "--data", "x.jsonl"],
        [REF, *SYSTEM, "--fields", "id=i"],
        [REF, *SYSTEM, "--docs", "docs.txt", "--level", "doc"],
        [REF, *SYSTEM, "--human-performance"],
        [REF, *SYSTEM, "--empty-refs", "missing"],
        SYSTEM,
        ["-", *SYSTEM],
        [REF, *SYSTEM, "--source", "table.tsv::text"],
    ],
    ids=" ".join,
)
def test_what_needs_more_than_lines_is_read_as_a_whole(folder: Path, words: Any) -> None:
    assert chosen(folder, *words) is None


@pytest.mark.parametrize("name", ["d.tsv::text", "d.tsv", "nothing.txt"])
def test_other_files_are_read_as_a_whole(folder: Path, name: str) -> None:
    assert chosen(folder, REF, "-i", f"{{folder}}/{name}") is None


@pytest.mark.parametrize(
    ("spec", "in_blocks"),
    [("bleu", True), ("nist", True), ("nist:loo=yes", False), ("word-recall", False)],
)
def test_metrics_that_need_all_segments_are_not_computed_in_blocks(
    folder: Path,
    spec: str,
    in_blocks: bool,  # noqa: FBT001
) -> None:
    if spec == "word-recall":
        pytest.importorskip("mteval_profile")
    assert (chosen(folder, REF, *SYSTEM, metrics=("wer", spec)) is not None) == in_blocks


def test_short_files_are_read_as_a_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum((folder / name).stat().st_size for name in ("ref.txt", "a.txt"))
    monkeypatch.setattr(sources, "LONG_FILE", size)
    assert chosen(folder, REF, *SYSTEM) is not None
    monkeypatch.setattr(sources, "LONG_FILE", size + 1)
    assert chosen(folder, REF, *SYSTEM) is None
