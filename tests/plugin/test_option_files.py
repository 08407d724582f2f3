"""Options whose value is a file or a folder: what signatures say of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

MODEL = mt.Option("model", "", file=True, folder=True)


class Named(str):
    """A path with another name in signatures."""

    name: str


def written(path: Path | str) -> str:
    return "+".join(MODEL.format(MODEL.parse((str(path),))))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"weights")
    return folder


def test_the_hash_of_a_folder_is_that_of_its_files(folder: Path) -> None:
    """The number is computed here from what the docstring says."""
    lines = [("checkpoints/model.ckpt", b"weights"), ("config.json", b"{}")]
    text = "".join(f"{name}\n{hashlib.sha256(data).hexdigest()[:12]}\n" for name, data in lines)
    assert written(folder) == f"tiny@{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def test_every_file_counts_but_hidden_ones_and_notes(folder: Path) -> None:
    before = written(folder)
    (folder / "README.md").write_text("notes")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x").write_text("x")
    assert written(folder) == before
    (folder / "checkpoints" / "model.ckpt").write_bytes(b"other weights")
    changed = written(folder)
    (folder / "vocab.txt").write_text("a")
    assert len({before, changed, written(folder)}) == 3


def test_a_folder_must_have_the_hash_of_the_signature(folder: Path) -> None:
    name, _, digest = written(folder).partition("@")
    path = folder.parent / name
    assert MODEL.parse((f"{path}@{digest}",)) == str(path)
    (folder / "config.json").write_text("[]")
    with pytest.raises(mt.InputError, match=f"the signature was made with {digest}"):
        MODEL.parse((f"{path}@{digest}",))


def test_a_path_may_have_a_name_of_its_own(folder: Path) -> None:
    def find(_: str) -> Named:
        path = Named(folder)
        path.name = "roberta"
        return path

    option = mt.Option("model", "", type=find, file=True, folder=True)
    (item,) = option.format(option.parse(("anything",)))
    assert item.startswith("roberta@")
    assert option.parse((item,)) == str(folder)


def test_only_where_it_is_declared_a_folder_is_accepted(folder: Path) -> None:
    with pytest.raises(mt.InputError, match="Is a directory"):
        mt.Option("model", "", file=True).parse((str(folder),))


def test_no_path_is_not_the_current_folder() -> None:
    with pytest.raises(mt.InputError, match="no file: "):
        mt.Option("model", "x", file=True, folder=True).parse(("",))
