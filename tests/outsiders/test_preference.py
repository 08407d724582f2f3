from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

MINI = Path(__file__).parents[2] / "examples" / "mini"
NAMES = ("short", "deep", "rule")
WORDS = ("-i", *(MINI / "systems" / f"{name}.txt" for name in NAMES), "-m", "preference")


def test_other_commands_name_the_command_for_it(outside: Callable[..., Any]) -> None:
    scored = outside("score", MINI / "ref0.txt", *WORDS)
    assert scored.code == 2
    assert "preference compares systems: type mteval pairwise" in scored.err


def test_systems_are_ranked_in_all_formats(outside: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("mteval_decide")
    report = tmp_path / "r.json"
    done = outside("pairwise", MINI / "ref0.txt", *WORDS, "-n", 99, "-o", report, "-o", "-")
    assert done.code == 0, done.err
    assert "preference ↑: ranking" in done.out
    records = json.loads(report.read_text())["records"]
    ranks = {one["system"]: one["rank"] for one in records if one["kind"] == "rank"}
    assert ranks == {"deep": 1, "rule": 2, "short": 3}
    pairs = [one for one in records if one["kind"] == "pair"]
    # A preference is one of two outputs, so the scores of a pair add up to 100.
    assert [one["score"] + one["against"] for one in pairs] == pytest.approx([100] * 3)
    assert all("|systems:short+deep+rule|" in one["signature"] for one in records)


def test_its_card_has_a_command_that_takes_it(outside: Callable[..., Any]) -> None:
    assert "mteval pairwise REF -i SYS SYS -m preference" in outside("list", "preference").out


def test_a_signature_of_pairs_says_what_to_type(outside: Callable[..., Any]) -> None:
    signature = "preference|nrefs:1|systems:short+deep|case:mixed|plugin:x@1|version:0.1.0"
    done = outside("replay", signature, MINI / "ref0.txt", *WORDS[:3])
    assert (done.code, "type mteval pairwise with the same systems" in done.err) == (2, True)
