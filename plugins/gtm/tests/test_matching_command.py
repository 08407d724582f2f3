"""``mteval matching``: by hand, on texts whose greedy matching is not the largest one."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Compare the searches on three segments of two systems."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "ref": "x y\na b c d y c d e f g y e f g h\nz\n",
        "good": "x y\na b c d e f g h\nno match\n",
        "plain": "x y\na b c d\nz\n",
        "nothing": "q\nq\nq\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def command(*words: str) -> tuple[int, str, str]:
        code = main(["matching", *words])
        return code, *capsys.readouterr()

    return command


def test_the_share_of_largest_matchings_and_the_worst_one(run: Run) -> None:
    code, out, err = run("ref", "-i", "good", "plain", "-f", "json")
    assert code == 0, err
    good, plain, both = json.loads(out)["records"]
    # Runs of 5, 2 and 1 words, where 4 and 4 are possible; the third segment has no match.
    ratio = math.sqrt(25 + 4 + 1) / math.sqrt(16 + 16)
    assert (good["n"], good["n_optimal"], good["worst_segment"]) == (2, 1, 1)
    assert good["worst_ratio"] == pytest.approx(ratio)
    assert good["difference"] > 0
    assert (plain["n"], plain["n_optimal"], plain["worst_ratio"]) == (3, 3, 1)
    assert (both["n"], both["n_optimal"]) == (5, 4)
    assert both["worst_ratio"] == pytest.approx(ratio)


def test_the_table(run: Run) -> None:
    code, out, err = run("ref", "-i", "good", "-w", "4")
    assert code == 0, err
    (row,) = (line for line in out.splitlines() if line.startswith("good"))
    assert row.split()[1:5] == ["2", "50.00", "0.9682", "1"]


def test_with_words_that_count_alike_both_searches_agree(run: Run) -> None:
    code, out, err = run("ref", "-i", "good", "-e", "1", "-f", "json")
    assert code == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["n_optimal"], record["difference"]) == (2, 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [(["nothing"], "no word of the outputs matches"), (["good", "-e", "0.5"], "0.5")],
)
def test_refusals(run: Run, words: list[str], message: str) -> None:
    code, _, err = run("ref", "-i", *words)
    assert code in (2, 3)
    assert message in err
