"""A gate and the segments that lost most, of a metric that has no score of some segments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

JUDGE = """
import mteval_core as mt

class Judge:
    def segment_statistics(self, hypothesis, references):
        return [float("nan") if hypothesis == "?" else float(hypothesis)]

@mt.hookimpl
def mteval_register_metrics():
    views = {"texts": mt.View(raw=True)}
    return mt.MetricSpec("judge", factory=Judge, values={"judge": 1}, views=views, may_miss=True)
"""

BASE = ["9", *["5"] * 18, "1"]
NEW = ["?", *["5"] * 18, "1"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"ref": ["a"] * 20, "sys": BASE, "new": NEW, "worse": ["?", *["4"] * 18, "1"]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join([*lines, ""]), "utf-8")
    (tmp_path / "unsure.py").write_text(JUDGE, "utf-8")
    words = ["score", "ref", "-i", "sys", "-m", "judge", "-q", "-o", "base.json"]
    assert mt.main(["-p", "unsure.py", *words]) == 0


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(("output", "after", "code"), [("new", 91 / 19, 0), ("worse", 73 / 19, 1)])
def test_outputs_are_compared_on_the_segments_that_both_have(
    tmp_path: Path, output: str, after: float, code: int
) -> None:
    words = ["gate", "base.json", "-i", f"sys={output}", "-q", "-o", "gate.json"]
    assert mt.main(["-p", "unsure.py", *words]) == code
    report = json.loads((tmp_path / "gate.json").read_text("utf-8"))
    (verdict,) = report["records"]
    # Without the segment that the judge did not answer: (18 * 5 + 1) / 19, not 5.
    assert (verdict["before"], verdict["after"]) == pytest.approx((91 / 19, after))
    assert 0 not in [segment["segment"] for segment in verdict["segments"]]
    assert len(verdict["segments"]) == (5 if code else 0)


@pytest.mark.usefixtures("run")
def test_a_report_says_on_which_segments_it_compares(capsys: pytest.CaptureFixture[str]) -> None:
    assert mt.main(["-p", "unsure.py", "gate", "base.json", "-i", "sys=new", "-q"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "judge ↑: the scores are those of the segments for which both outputs have one." in shown


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(("command", "key"), [("power", "difference"), ("influence", "value")])
def test_differences_are_those_on_the_segments_that_both_have(
    tmp_path: Path, command: str, key: str
) -> None:
    words = [command, "ref", "-i", "sys", "worse", "-m", "judge", "-q", "-o", "out.json"]
    assert mt.main(["-p", "unsure.py", *words]) == 0
    first, *_ = json.loads((tmp_path / "out.json").read_text("utf-8"))["records"]
    # Without the segment that the judge did not answer, 18 of 19 lose 1 point.
    assert first[key] == pytest.approx(-18 / 19)
