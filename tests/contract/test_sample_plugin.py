"""A third party's plugin is found, listed, scored with, signed and replayed like our own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import mteval_core as mt

SAMPLE = Path(__file__).parents[1] / "sample_plugin"
MINI = Path(__file__).parents[2] / "examples" / "mini"

pytest.importorskip("mteval_sample", reason="the sample plugin is not installed")


def mteval(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mteval_core", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_has_less_than_40_lines() -> None:
    lines = [
        line
        for file in sorted((SAMPLE / "mteval_sample").glob("*.py"))
        for line in file.read_text().splitlines()
        if line.strip()
    ]
    assert len(lines) < 40


def test_hand_worked() -> None:
    # "the" may match twice, as often as in the first reference; "cat" matches the second alone.
    score = mt.metric("p1").sentence_score("the the the cat", ["the dog the", "the cat"])
    assert score.score == 50.0


def test_its_tokenizer_serves_other_metrics() -> None:
    score = mt.metric("p1:tok=hyphens").sentence_score("well-known", ["well known"])
    assert score.score == pytest.approx(100 * 2 / 3)
    assert "|tok:hyphens|" in str(score.signature)
    assert "plugin:mteval-sample@0.1.0" in str(score.signature)


def test_it_is_listed() -> None:
    plugins = json.loads(mteval("plugins", "--json").stdout)
    ours = next(plugin for plugin in plugins if plugin["distribution"] == "mteval-sample")
    assert ours["status"] == "ok"
    assert ours["registers"] == {"metrics": ["p1"], "tokenizers": ["hyphens"]}
    metrics = json.loads(mteval("list", "metrics", "--json").stdout)["metrics"]
    assert "p1" in [metric["name"] for metric in metrics]


def test_the_command_line_scores_with_it_and_with_its_signature() -> None:
    references = [str(MINI / f"ref{k}.txt") for k in range(4)]
    system = str(MINI / "systems" / "deep.txt")
    scored = mteval("score", *references, "-i", system, "-m", "p1:stem=porter", "-f", "json")
    (record,) = json.loads(scored.stdout)["records"]
    again = mteval("score", *references, "-i", system, "-m", record["signature"], "-f", "json")
    (repeated,) = json.loads(again.stdout)["records"]
    assert {**repeated, "metric": "p1:stem=porter"} == record
