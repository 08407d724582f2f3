"""Metrics that use a source, or no references, on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLUGIN = """
import mteval_core as mt

class LengthRatio:
    def segment_statistics(self, hypothesis, references, source):
        return [len(hypothesis) / max(1, len(source))]

class Distinct:
    def segment_statistics(self, hypothesis, references):
        return [len({*hypothesis}) / max(1, len(hypothesis))]

@mt.hookimpl
def mteval_register_metrics():
    views = {"words": mt.View(), "source": mt.View(of="source")}
    common = {"references": "none", "values": {"value": 100}}
    return [
        mt.MetricSpec("length", factory=LengthRatio, views=views, source="required", **common),
        mt.MetricSpec("distinct", factory=Distinct, **common),
    ]
"""

FILES = {
    "plugin.py": PLUGIN,
    "ref": "a b\nc d\n",
    "src": "x y z\nx\n",
    "one": "a a\nb\n",
    "two": "a b c\nd\n",
}


@pytest.fixture
def run(
    mteval: Callable[..., Any], files: Callable[..., list[str]], tmp_path: Path
) -> Callable[..., Any]:
    files(**FILES)
    return lambda *words, **more: mteval("-p", "plugin.py", *words, cwd=tmp_path, **more)


def scores(done: Any) -> dict[tuple[str, str], float]:
    assert done.code == 0, done.err
    records = json.loads(done.out)["records"]
    return {(record["system"], record["metric"]): record["score"] for record in records}


def test_scores_without_references(run: Callable[..., Any]) -> None:
    metrics = ["-m", "length", "distinct", "-f", "json"]
    done = run("score", "-i", "one", "two", "--source", "src", *metrics)
    assert scores(done) == {
        ("one", "length"): pytest.approx(100 * (2 / 3 + 1) / 2),
        ("two", "length"): pytest.approx(100),
        ("one", "distinct"): 75,
        ("two", "distinct"): 100,
    }
    # The metric that needs no source does not sign it, and other texts change nothing.
    with_references = run("score", "ref", "-i", "one", "two", "--source", "src", *metrics)
    assert scores(with_references) == scores(done)
    signatures = {r["metric"]: r["signature"] for r in json.loads(done.out)["records"]}
    assert "|src:" in signatures["length"]
    assert "|src:" not in signatures["distinct"]
    assert "|nrefs:0|" in signatures["distinct"]


def test_a_system_on_standard_input_needs_no_references(run: Callable[..., Any]) -> None:
    piped = run("score", "-m", "distinct", "-b", stdin=b"a a\nb\n")
    assert (piped.code, piped.out, piped.err) == (0, "75.00\n", "")
    signature = run("score", "-m", "distinct", "-f", "json", "-i", "one")
    (record,) = json.loads(signature.out)["records"]
    replayed = run("replay", f"{record['signature']} = 75.00", stdin=b"a a\nb\n")
    assert (replayed.code, replayed.err) == (0, "")


def test_texts_that_a_metric_needs(run: Callable[..., Any]) -> None:
    alone = run("score", "-i", "one", "-m", "distinct", "-b")
    assert (alone.code, alone.out) == (0, "75.00\n")
    without = run("score", "-i", "one", "-m", "length")
    assert without.code == 2
    assert "no source for the metric length: add --source FILE" in without.err
    mixed = run("score", "-i", "one", "two", "-m", "distinct", "wer")
    assert mixed.code == (2 if "no references" in mixed.err else 4)  # 4: wer is not installed


def test_a_source_that_neither_a_metric_nor_a_check_uses_is_refused(
    files: Callable[..., list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files(**FILES)
    monkeypatch.chdir(tmp_path)
    registry = mt.load_registry([], files=["plugin.py"])
    words = ["score", "ref", "-i", "one", "-m", "distinct", "--source", "src"]
    assert mt.main(words, registry) == 2
    assert "--source src: no metric uses the source (distinct" in capsys.readouterr().err


CHECK = """
import mteval_core as mt

def copied(texts):
    return ["it has a source"] * (texts.source is not None)

@mt.hookimpl
def mteval_register_checks():
    return [mt.CheckSpec("copied", function=copied, help="Copies.", source=True)]
"""


@pytest.mark.parametrize(
    "command",
    [
        ("score", "ref", "-i", "one", "-m", "distinct"),
        ("correlate", "ref", "-i", "one", "two", "-m", "distinct", "--human", "human", "-n", "0"),
        ("gate", "base.json", "-i", "one"),
        ("mbr", "one", "two", "-m", "chrf"),
        ("profile", "ref", "-i", "one", "-m", "distinct", "-n", "10"),
        ("replay", "distinct|nrefs:0|case:mixed|tok:13a|stem:none|plugin:x@1", "-i", "one"),
    ],
)
def test_a_source_that_only_a_check_uses_is_taken(
    run: Callable[..., Any], tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "check.py").write_text(CHECK)
    (tmp_path / "human").write_text("system\tsegment\tscore\none\t0\t1\ntwo\t0\t2\n")
    if "base.json" in command:
        assert run("score", "-i", "one", "-m", "distinct", "-o", "base.json").code == 0
    done = run("-p", "check.py", *command, "--source", "src")
    if "unknown command" in done.err or "is not installed" in done.err:
        pytest.skip("the plugin of the command is not installed")
    assert done.code in (0, 1), done.err
    assert "mteval: warning: it has a source [copied]\n" in done.err


def test_reports_and_signatures_replay(run: Callable[..., Any], tmp_path: Path) -> None:
    texts = ["-i", "one", "two", "--source", "src"]
    assert run("score", *texts, "-m", "length", "distinct", "-ci", "-o", "r.json").code == 0
    replayed = run("replay", "r.json")
    assert (replayed.code, replayed.err) == (0, "")
    assert "4 of 4 records pass" in replayed.out

    record = json.loads((tmp_path / "r.json").read_text())["records"][0]
    signature = f"{record['signature']} = {record['score']:.2f}"
    assert run("replay", signature, "-i", "one", "--source", "src").code == 0
    other = run("replay", signature, "-i", "one", "--source", "ref")
    assert other.code == 1
    assert "the hash of the source was" in other.err


def test_another_source_fails_the_replay_of_a_report(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    run("score", "-i", "one", "--source", "src", "-m", "length", "-o", "r.json")
    (tmp_path / "src").write_text("x y z\nx x\n")
    replayed = run("replay", "r.json")
    assert replayed.code == 1
    assert "FAIL" in replayed.out
