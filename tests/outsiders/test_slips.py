"""An outsider's metric that marks spans of two severities, in all commands that show metrics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

PLUGIN = Path(__file__).parent / "slips" / "mteval_slips.py"

SOURCE = ["am 12. März kamen 300 Leute", "es ist 7", "300 Leute", "alles gut"] * 5
GOOD = ["on 12 March 300 people came", "it is 7", "300 people", "all well"] * 5
BAD = ["on 12 March the the people came", "it is is 5", "300 people", "all well"] * 5
PENALTIES = [6.0, 6.0, 0.0, 0.0] * 5  # 300 is missing, "the the"; 7 is missing, "is is"


@pytest.fixture
def run(mteval: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command with the plugin, in a folder with the texts."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {"src": SOURCE, "good": GOOD, "bad": BAD}.items():
        Path(name).write_text("\n".join([*lines, ""]), "utf-8")

    def command(*words: str) -> str:
        done = mteval("-p", str(PLUGIN), *words)
        assert done.code == 0, done.err
        return str(done.out)

    return command


TEXTS = ("--source", "src", "-i", "good", "bad", "-m", "slips")


def test_marks_are_lines_and_pages(run: Any) -> None:
    run("explain", *TEXTS, "--all", "-q", "-o", "marks.jsonl")
    lines = [json.loads(line) for line in Path("marks.jsonl").read_text("utf-8").splitlines()]
    weights = {"major": 5, "minor": 1}
    found = [sum(weights[m["severity"]] for m in x["marks"]) for x in lines if x["system"] == "bad"]
    assert found == PENALTIES
    first = next(x for x in lines if x["system"] == "bad")
    number, repetition = first["marks"]
    assert first["texts"][1]["text"][number["start"] : number["end"]] == "300"
    assert first["texts"][0]["text"][repetition["start"] : repetition["end"]] == "the the"
    run("score", *TEXTS, "-q", "-o", "page.html")
    page = Path("page.html").read_text("utf-8")
    assert '[1,18,21,3,"major accuracy/number: 300 is not in the hypothesis"]' in page
