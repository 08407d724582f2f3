"""Plugins that are one file, for experiments."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLUGIN = """
import mteval_core
import numpy as np

class Ratio:
    def segment_statistics(self, hypothesis, references):
        return len(hypothesis), np.mean([len(reference) for reference in references])

    def score(self, totals):
        return (totals[..., 0] / np.maximum(totals[..., 1], 1))[..., None]

@mteval_core.hookimpl
def mteval_register_metrics():
    return [mteval_core.MetricSpec(
        "ratio", factory="length_ratio:Ratio", help="lengths", values={"ratio": 100})]
"""


def test_a_file_is_a_plugin(mteval: Callable[..., Any], mini: Path, tmp_path: Path) -> None:
    path = tmp_path / "length_ratio.py"
    path.write_text(PLUGIN, encoding="utf-8")
    texts = (mini / "ref0.txt", "-i", mini / "systems" / "deep.txt")
    scored = mteval("-p", path, "score", *texts, "-m", "ratio")
    assert scored.code == 0, scored.err
    signature = scored.out.splitlines()[-1]
    digest = hashlib.sha256(PLUGIN.encode()).hexdigest()[:12]
    assert f"|plugin:file-{digest}|" in signature
    replayed = mteval("-p", path, "replay", signature, *texts)
    assert (replayed.code, replayed.err) == (0, "")
    path.write_text(PLUGIN + "\n# changed\n", encoding="utf-8")
    assert "note: plugin was file-" in mteval("-p", path, "replay", signature, *texts).err
    assert mteval("replay", signature, *texts).code == 2


def test_a_file_that_has_changed_is_loaded_again_in_the_same_process(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, text = tmp_path / "length_ratio.py", tmp_path / "text"
    text.write_text("a b\n", encoding="utf-8")
    for percent in (100, 50):
        path.write_text(PLUGIN.replace("100", str(percent)), encoding="utf-8")
        score = ["score", str(text), "-i", str(text), "-m", "ratio", "-b"]
        assert mt.main(["-p", str(path), *score]) == 0
        assert capsys.readouterr().out == f"{percent}.00\n"


def test_a_file_given_twice_is_one_plugin(mteval: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "length_ratio.py"
    path.write_text(PLUGIN, encoding="utf-8")
    done = mteval("-p", path, "-p", path, "plugins")
    assert done.code == 0, done.err
    assert done.out.count("(length_ratio): ok") == 1


def test_a_file_that_is_not_there_is_answered_with_the_nearest(
    mteval: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "not.py").touch()
    done = mteval("-p", tmp_path / "no.py", "list")
    assert (done.code, done.err.strip().split(": ", 2)[2]) == (
        3,
        f"{tmp_path}/no.py: no such file. Did you mean 'not.py'?",
    )


def test_a_file_with_the_name_of_a_module(mteval: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "argparse.py"
    path.write_text(PLUGIN, encoding="utf-8")
    done = mteval("-p", path, "plugins")
    assert done.code == 4
    assert done.err == (
        f"mteval: error: plugin 'argparse' in {path} is broken: "
        f"a module 'argparse' is already loaded; rename the file\n"
    )


def test_what_is_neither_file_nor_no(mteval: Callable[..., Any]) -> None:
    done = mteval("-p", "bleu", "list")
    assert (done.code, done.err) == (2, "mteval: error: -p bleu: expected no:NAME or FILE.py\n")
