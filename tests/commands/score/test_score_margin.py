"""``mteval score --margin``: the table, the records, and their replay."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mteval_core.commands.main import main

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("mteval_error_rates")


@pytest.fixture
def score(mini: Path) -> list[str]:
    """Arguments that compare two systems."""
    systems = [str(mini / "systems" / f"{name}.txt") for name in ("deep", "neural")]
    options = ["-m", "wer", "-pbs", "-n", "99"]
    return ["score", str(mini / "ref0.txt"), "-i", *systems, *options]


def test_the_table(score: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*score, "--margin", "30"]) == 0
    out = capsys.readouterr().out
    assert "P-values with a margin of 30\n" in out
    assert [line.split() for line in out.splitlines() if line.startswith("neural  deep")] == [
        ["neural", "deep", "<0.01†", "<0.01†"]
    ]
    legend = " ".join(out.split())
    assert "equivalent: a true difference of less than 30; not worse: the system loses" in legend


def test_records_replay_and_forged_ones_do_not(
    score: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    assert main([*score, "--margin", "4", "-o", str(path)]) == 0
    assert main(["replay", str(path)]) == 0
    report: dict[str, Any] = json.loads(path.read_text())
    (pair,) = report["comparisons"]
    assert pair["margin"] == 4
    assert pair["p_not_worse"] <= pair["p_equivalent"]
    pair["p_not_worse"] /= 2
    path.write_text(json.dumps(report))
    capsys.readouterr()
    assert main(["replay", str(path)]) == 1
    assert "p-value of not being worse" in capsys.readouterr().out
