"""``mteval brevity``: the numbers of Federico's slides, and what a table adds up to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mteval_bleu_nist.command import penalties

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command on the slides' example, and on an output of half the length."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "ref": "a b c d e f g h i j k l m n o p q r s",
        "hyp1": "a b c d f e g i h j l k m o n p r q s",
        "hyp2": "a b c d e f g x x x x x x x x x x x x",
        "half": "a b c d e f g h i j",
        "empty": "",
    }
    for name, text in texts.items():
        Path(name).write_text(f"{text}\n", encoding="utf-8")

    def command(*words: str) -> tuple[int, str, str]:
        code = main(["brevity", "ref", "-i", *words])
        return code, *capsys.readouterr()

    return command


@pytest.mark.parametrize(
    ("metric", "ratio", "penalty"),
    # The case study of the slides, NLPR; its NIST penalty belongs to the ratio as it is rounded.
    [("BLEU", 1967 / 3109, 0.56), ("NIST", 0.58, 0.29), ("NIST", 2 / 3, 0.5), ("BLEU", 1.01, 1)],
)
def test_the_penalties_of_the_case_study(metric: str, ratio: float, penalty: float) -> None:
    (found,) = penalties([ratio])[metric]
    assert found == pytest.approx(penalty, abs=0.005)


def test_the_example_of_the_slides(run: Run) -> None:
    code, out, err = run(
        "hyp1", "hyp2", "half", "-m", "bleu:tok=none", "nist:tok=none", "-f", "json"
    )
    assert code == 0, err
    found = {(r["metric"].partition(":")[0], r["system"]): r for r in json.loads(out)["records"]}
    scores = [found[m, s]["score"] for m in ("bleu", "nist") for s in ("hyp1", "hyp2")]
    assert scores == pytest.approx([18.71, 30.83, 4.2479, 1.5650], abs=0.01)
    half = found["bleu", "half"]
    assert (half["hyp_len"], half["ref_len"], half["precision"]) == (10, 19, pytest.approx(100))
    assert half["score"] == pytest.approx(half["penalty"] * half["precision"])
    assert half["ratio"] == pytest.approx(10 / 19)


def test_an_empty_output_has_no_precision(run: Run) -> None:
    code, out, err = run("empty", "-f", "json")
    assert code == 0, err
    assert {r["precision"] for r in json.loads(out)["records"]} == {None}


def test_a_metric_without_a_penalty_is_refused(run: Run) -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    code, _, err = run("half", "-m", "wer")
    assert code == 2
    assert "wer has no brevity penalty" in err


def test_the_curves_are_drawn(run: Run) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    pytest.importorskip("mteval_figures", reason="the plugin figures is not installed")
    code, _, err = run("half", "--plot", "penalties.svg")
    assert code == 0, err
    drawn = Path("penalties.svg").read_text(encoding="utf-8")
    assert all(word in drawn for word in ("BLEU", "NIST", "half", "brevity penalty"))


def test_many_systems_are_drawn_with_one_name(run: Run) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    pytest.importorskip("mteval_figures", reason="the plugin figures is not installed")
    code, _, err = run(*(f"s{k}=half" for k in range(13)), "--plot", "many.svg")
    assert code == 0, err
    drawn = Path("many.svg").read_text(encoding="utf-8")
    assert ">systems<" in drawn
    assert ">s12<" not in drawn
