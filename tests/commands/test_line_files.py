"""Which files ``mteval score`` reads block by block."""

from __future__ import annotations

import gzip
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_core.commands.line_files import long_files

import mteval_core as mt
from mteval_core.commands import line_files
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    from pathlib import Path

    from mteval_core.text.blocks import LineFiles

NOTHING = {
    "data": None,
    "fields": None,
    "docs": None,
    "humans": False,
    "empty_refs": "empty",
    "source": None,
}


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
    monkeypatch.setattr(line_files, "LONG", 0)


def chosen(folder: Path, *systems: str, metrics: tuple[str, ...] = ("wer",), **more: Any) -> Any:
    given = {**NOTHING, "references": [str(folder / "ref.txt")], **more}
    outputs = [str(folder / name) for name in systems or ("a.txt",)]
    arguments: Any = SimpleNamespace(input=outputs, **given)
    scorers = [mt.metric(spec) for spec in metrics]
    return long_files(arguments, scorers, Files(mt.default_registry()))


def test_plain_text_is_read_in_blocks(folder: Path) -> None:
    files: LineFiles = chosen(folder, "a.txt", "c.txt.gz", source=str(folder / "src.txt"))
    names = [path.rpartition("/")[2] for path in files.paths]
    assert names == ["ref.txt", "src.txt", "a.txt", "c.txt.gz"]
    assert [(len(test_set), len(texts)) for test_set, texts in files] == [(3, 2)]


@pytest.mark.parametrize(
    "more",
    [
        {"data": "x.jsonl"},
        {"fields": "id=i"},
        {"docs": "docs.txt"},
        {"humans": True},
        {"empty_refs": "missing"},
        {"references": []},
        {"references": ["-"]},
        {"source": "table.tsv::text"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_what_needs_more_than_lines_is_read_as_a_whole(folder: Path, more: Any) -> None:
    assert chosen(folder, **more) is None


@pytest.mark.parametrize("name", ["d.tsv::text", "d.tsv", "nothing.txt"])
def test_other_files_are_read_as_a_whole(folder: Path, name: str) -> None:
    assert chosen(folder, name) is None


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
    assert (chosen(folder, metrics=("wer", spec)) is not None) == in_blocks


def test_short_files_are_read_as_a_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum((folder / name).stat().st_size for name in ("ref.txt", "a.txt"))
    monkeypatch.setattr(line_files, "LONG", size)
    assert chosen(folder) is not None
    monkeypatch.setattr(line_files, "LONG", size + 1)
    assert chosen(folder) is None
