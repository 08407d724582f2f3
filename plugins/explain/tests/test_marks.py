"""Marks of metrics in ``mteval explain``: pictures, tables, and JSON lines of a whole set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mteval_explain.html import fragment
from mteval_explain.scene import marked
from mteval_explain.svg import drawing
from mteval_explain.terminal import drawn
from mteval_explain.written import WrittenExplanation
from mteval_testing import run_command

from mteval_core import Explanation, Mark

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLUGIN = """
import mteval_core as mt


class Slips:
    def statistics(self, texts):
        return [[text.count("bad")] for text in texts.hypotheses]

    def marks(self, texts):
        return [
            [mt.Mark("hypothesis", i, i + 3, "minor", "style")
             for i in range(len(text)) if text.startswith("bad", i)]
            for text in texts.hypotheses
        ]


@mt.hookimpl
def mteval_register_metrics():
    return mt.MetricSpec("slips", factory=Slips, help="slips", views={"texts": mt.View(raw=True)},
                         references="none", values={"errors": 1}, better="lower")
"""

MARKS = (
    Mark("hypothesis", 4, 7, "minor", "style"),
    Mark("hypothesis", 6, 11, "critical", "accuracy", 0.5, "<no> good"),
    Mark("hypothesis", 11, 11, "major", "omission"),
    Mark("source", 0, 2, "neutral"),
)

ONE = WrittenExplanation.of(
    Explanation(("the bad cat",), (), (), (), (), source=("le chat",), marks=MARKS)
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[int, str, str]]:
    tmp_path = tmp_path_factory.mktemp("marks")
    (tmp_path / "slips_of_tests.py").write_text(PLUGIN)
    (tmp_path / "a").write_text("a bad word\nnone\n")
    (tmp_path / "b").write_text("none\nbad bad\n")

    def command(*words: str) -> tuple[int, str, str]:
        systems = [str(tmp_path / name) for name in "ab"]
        plugin = str(tmp_path / "slips_of_tests.py")
        return run_command("-p", plugin, "explain", "-m", "slips", "-i", *systems, *words)

    return command


def test_a_text_is_cut_at_the_ends_of_its_marks() -> None:
    style, accuracy, omission, neutral = MARKS
    hypothesis, source = marked(ONE)
    assert hypothesis.pieces == [
        ("the ", ()),
        ("ba", (style,)),
        ("d", (accuracy, style)),
        (" cat", (accuracy,)),
        ("‸", (omission,)),
    ]
    assert source.pieces == [("le", (neutral,)), (" chat", ())]


def test_marks_are_underlined_by_severity_and_listed() -> None:
    text = drawn(ONE, ("spans", "lines", "grid"), 80)
    assert text.splitlines() == [
        "hypothesis  the bad cat‸",
        "                ~~#####=",
        "source      le chat",
        "            ..",
        "~ hypothesis 4-7 “bad”: minor style",
        "# hypothesis 6-11 “d cat”: critical accuracy: <no> good (confidence 0.50)",
        "= hypothesis 11-11 “‸”: major omission",
        ". source 0-2 “le”: neutral",
    ]


def test_pages_say_what_a_mark_is_to_all_readers() -> None:
    page = fragment([ONE], ("spans", "lines"))
    assert '<mark class="v4" tabindex="0">d<span class="note">' in page
    assert "[critical accuracy: &lt;no&gt; good (confidence 0.50); minor style]" in page
    assert "<svg" not in page  # of lines, which nothing links
    picture = drawing(ONE, "spans")
    assert 'class="v4"' in picture
    assert "critical accuracy: &lt;no&gt; good" in picture


def test_links_are_drawn_beside_marks_and_words_without_texts_are_refused() -> None:
    words = Explanation(("the", "bad"), (("the",),), (), (), (), marks=MARKS[:1])
    with pytest.raises(ValueError, match="marks count characters of the texts as they were"):
        marked(WrittenExplanation.of(words))


def test_json_lines_have_the_marks_of_a_whole_set(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "marks.jsonl"
    assert run("--all", "-q", "-o", str(path))[0] == 0
    lines: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]
    found = {(x["system"], x["segment"]): [m["start"] for m in x["marks"]] for x in lines}
    assert found == {("a", 0): [2], ("a", 1): [], ("b", 0): [], ("b", 1): [0, 4]}
    assert [x["values"]["errors"] for x in lines] == [1, 0, 0, 2]
    assert lines[0]["texts"][0]["text"] == "a bad word"


def test_all_segments_are_not_some_of_them(run: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = run("--all", "--worst", "1")
    assert code == 2
    assert "--all takes every segment" in err


def test_tables_list_marks_and_the_legend_says_what_underlines_mean(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    _, markdown, _ = run("--segment", "1", "-f", "markdown")
    assert "| hypothesis | 4-7" in markdown
    _, text, _ = run("--segment", "1")
    assert "no marks" in text
    assert "marks: . neutral, ~ minor, = major, # critical; ‸ something is missing" in text
    assert "S substitution" not in text
