"""Configuration files and saved reports: a file that nobody named decides no verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _folder(mteval: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with two reports, of other scores."""
    monkeypatch.chdir(tmp_path)
    Path("ref").write_text("a b c\nd\n")
    Path("sys").write_text("a b x\nd\n")
    for name, system in (("a", "sys"), ("b", "ref")):
        score = ("score", "ref", "-i", f"S={system}", "-m", "wer", "-o", f"{name}.json")
        assert mteval(*score).code == 0


def test_a_found_file_decides_no_verdict(mteval: Run) -> None:
    Path("mteval.toml").write_text("[diff]\ntolerance = 100\n")
    done = mteval("diff", "a.json", "b.json")
    assert done.code == 2
    assert "does not apply unless you name the file: mteval --config mteval.toml" in done.err
    assert "does not apply" not in mteval("--config", "mteval.toml", "diff", "a.json", "b.json").err


def test_the_tolerance_of_a_found_file_is_left_out(mteval: Run) -> None:
    Path("mteval.toml").write_text("tolerance = 100\n")
    assert mteval("diff", "a.json", "b.json").code == 1
    assert mteval("--config", "mteval.toml", "diff", "a.json", "b.json").code == 0


def test_a_report_with_defaults_of_a_file_replays(mteval: Run) -> None:
    Path("mteval.toml").write_text("case = 'lc'\n")
    assert mteval("score", "ref", "-i", "sys", "-m", "wer", "-o", "c.json").code == 0
    assert json.loads(Path("c.json").read_text("utf-8"))["config"]["values"] == {"case": "lc"}
    assert mteval("replay", "c.json").code == 0
