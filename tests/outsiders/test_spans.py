"""A metric that keeps the answers of its model: scores and marks come from one call."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SYSTEMS = {"A": ["one", "three", "one"], "B": ["one", "four", "seven"]}
SOURCE = ["eins", "drei", "eins"]


@pytest.mark.parametrize("form", ["html", "jsonl"])
def test_the_model_is_asked_once_for_each_segment(file: Path, tmp_path: Path, form: str) -> None:
    testing = pytest.importorskip("mteval_testing")
    pytest.importorskip("mteval_explain" if form == "jsonl" else "mteval_html_report")
    for name, lines in {"source": SOURCE, **SYSTEMS}.items():
        (tmp_path / name).write_text("\n".join([*lines, ""]))
    words = ["--source", tmp_path / "source", "-i", *(tmp_path / name for name in SYSTEMS), "-q"]
    command = ["explain", "--all"] if form == "jsonl" else ["score"]
    out = tmp_path / f"out.{form}"
    done = testing.run_command(
        "-p", str(file), *command, *map(str, words), "-m", "spans", "-o", str(out)
    )
    assert done.code == 0, done.err
    assert "addition" in out.read_text("utf-8")
    asked = [*sys.modules["spans"].ASKED]
    sys.modules["spans"].ASKED.clear()
    assert len(asked) == len({*asked}) == 4


def test_the_kit_allows_it_to_keep_answers(file: Path) -> None:
    testing = pytest.importorskip("mteval_testing")
    checked = testing.run_command("-p", str(file), "check", "spans")
    assert checked.code == 0, checked.out
