"""Ranks by hand, the report in every form, and the contract kit."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt

pytest.importorskip(
    "mteval_leaderboard", reason="the example plugin mteval-leaderboard is not installed"
)

from mteval_leaderboard.command import leaderboard, ranks
from mteval_testing import check_command, run_command

if TYPE_CHECKING:
    from collections.abc import Sequence

MINI = Path(__file__).parents[3] / "mini"

TEXTS = (str(MINI / "ref0.txt"), "-i", str(MINI / "systems"), "-m", "bleu", "chrf", "ter")


def test_contract() -> None:
    pytest.importorskip("mteval_error_rates", reason="the sample is scored with WER and PER")
    findings = check_command("leaderboard")
    assert [finding for finding in findings if not finding.ok] == []
    assert not any("not run" in finding.message for finding in findings)


@pytest.mark.parametrize(
    ("scores", "better", "expected"),
    [
        ([3, 2, 1], "higher", [1, 2, 3]),
        ([3, 2, 1], "lower", [3, 2, 1]),
        ([2, 2, 1], "higher", [1.5, 1.5, 3]),
        ([1, 1, 1], "lower", [2, 2, 2]),
        ([7], "higher", [1]),
    ],
)
def test_ranks_by_hand(scores: Sequence[float], better: str, expected: Sequence[float]) -> None:
    by_system = dict(zip("ABC", scores, strict=False))
    assert [*ranks(by_system, better).values()] == expected


@given(st.dictionaries(st.characters(), st.floats(0, 100), min_size=1))
def test_ranks_add_up(scores: dict[str, float]) -> None:
    n = len(scores)
    higher, lower = ranks(scores, "higher"), ranks(scores, "lower")
    assert math.isclose(sum(higher.values()), n * (n + 1) / 2)
    assert all(higher[name] + lower[name] == n + 1 for name in scores)


def test_a_mean_of_ranks_by_hand() -> None:
    pytest.importorskip("mteval_error_rates")
    systems = {"A": ["a b c d"], "B": ["d c b a"], "C": ["a b"]}
    evaluation = mt.evaluate(systems, [["a b c d"]], ["wer", "per"])
    # WER: A 0, C 50, B 100. PER, in which the order does not count: A and B 0, C 50.
    assert [(one.system, one.mean_rank) for one in leaderboard(evaluation)] == [
        ("A", 1.25),
        ("B", 2.25),
        ("C", 2.5),
    ]
    assert [one.system for one in leaderboard(evaluation, [1, 0])] == ["A", "C", "B"]


@pytest.mark.skipif(not MINI.is_dir(), reason="examples/mini is absent")
class TestMini:
    @pytest.fixture(autouse=True)
    def metrics(self) -> None:
        for plugin in ("bleu_nist", "chrf", "error_rates"):
            pytest.importorskip(f"mteval_{plugin}")

    def test_text(self) -> None:
        code, out, err = run_command("--no-config", "leaderboard", *TEXTS, "--top", "3")
        assert (code, err) == (0, "")
        rows = [line.split()[:2] for line in out.splitlines()[6:9]]
        assert rows == [["deep", "1.00"], ["neural", "2.00"], ["phrase", "3.33"]]
        assert "6 systems, 120 segments." in out

    def test_json_and_html(self, tmp_path: Path) -> None:
        pytest.importorskip("mteval_html_report")
        files = [str(tmp_path / name) for name in ("board.json", "board.html")]
        done = run_command("--no-config", "leaderboard", *TEXTS, "-o", files[0], "-o", files[1])
        assert done == (0, "", "")
        report = json.loads(Path(files[0]).read_text(encoding="utf-8"))
        assert [record["system"] for record in report["records"][:2]] == ["deep", "neural"]
        assert report["records"][0]["ranks"] == {"bleu": 1, "chrf": 1, "ter": 1}
        assert len(report["signatures"]) == 3
        assert "<h1>Leaderboard" in Path(files[1]).read_text(encoding="utf-8")

    def test_shared_arguments_mean_what_they_mean_elsewhere(self) -> None:
        out = run_command("--no-config", "leaderboard", *TEXTS, "-lc", "-q").out
        assert "chrF|nrefs:1|case:lc|" in out
