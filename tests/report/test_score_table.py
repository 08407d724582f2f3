"""The table of scores: what is marked, sorted, taken apart, transposed and summed up."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.comparisons import letter_groups, rank_ranges
from mteval_core.report.scores import of_evaluation
from mteval_core.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCES = [["a b"] * 40]
SYSTEMS = {
    "base": ["a x"] * 40,
    "good": ["a b"] * 39 + ["a x"],
    "also good": ["a b"] * 38 + ["a x"] * 2,
    "bad": ["x x"] * 40,
}


@pytest.fixture
def shown(registry: mt.Registry) -> Callable[..., str]:
    """Score systems with ``matches``, compare them, and write the report."""

    def show(
        form: str = "text",
        systems: Any = SYSTEMS,
        test: dict[str, Any] | None = None,
        references: Any = REFERENCES,
        **layout: Any,
    ) -> str:
        specs = ["matches", "matches:case=lc"]
        evaluation = mt.evaluate(systems, references, specs, registry=registry)
        if test is not None:
            evaluation = evaluation.compare(**{"test": "ar", "n": 2000, **test})
        evaluation = replace(
            evaluation, scores=evaluation.scores.titled({"matches:case=lc": "Again"})
        )
        report, page = of_evaluation(evaluation, Layout(**layout)), Layout(**layout)
        return str(mt.write_report(report, form, page, registry))

    return show


def rows(report: str, column: int = 1) -> dict[str, str]:
    """Return the cells of a column of the first table, with the names of the systems."""
    lines = report.split("\n\n")[0].splitlines()
    (rule,) = (n for n, line in enumerate(lines) if set(line) == {"-", " "})
    cells = [[cell for cell in line.split("  ") if cell] for line in lines[rule + 1 :]]
    return {name: found[column - 1].strip() for name, *found in cells}


# Marks


def test_all_pairs_tell_the_best_from_the_others(shown: Callable[..., str]) -> None:
    report = shown(test={"all_pairs": True})
    expected = {"base": "50.00", "good": "98.75*", "also good": "97.50~", "bad": "0.00"}
    assert rows(report) == rows(report, 2) == expected
    assert "↑ higher is better, * best, ~ not significantly worse than the best\n" in report


def test_a_test_against_the_baseline_marks_what_differs_from_it(shown: Callable[..., str]) -> None:
    systems = {name: SYSTEMS[name] for name in ("good", "also good", "base")}
    report = shown(systems=systems, test={})
    assert rows(report) == {"good": "98.75*", "also good": "97.50", "base": "50.00 †"}
    assert "\np < 0.05" in report
    assert "† significantly different from good" in report.replace("\n", " ")
    assert "~" not in report


def test_two_systems_are_all_pairs(shown: Callable[..., str]) -> None:
    systems = {name: SYSTEMS[name] for name in ("good", "also good")}
    assert rows(shown(systems=systems, test={})) == {"good": "98.75*", "also good": "97.50~"}


@pytest.mark.parametrize("correct", ["maxt", "holm"])
def test_max_t_of_few_segments_is_doubted(shown: Callable[..., str], correct: str) -> None:
    report = shown(test={"test": "bs", "all_pairs": True, "correct": correct})
    assert ("! From fewer than 500 segments, max-T finds" in report) == (correct == "maxt")


@pytest.mark.parametrize(
    ("form", "cells"),
    [
        ("text", ["base 50.00 b", "good 98.75*a", "bad 0.00 c"]),
        ("markdown", ["| base | 50.00<sup>b</sup> |", "| good | **98.75**<sup>a</sup> |"]),
    ],
)
def test_systems_that_share_a_letter_do_not_differ(
    shown: Callable[..., str], form: str, cells: list[str]
) -> None:
    report = " ".join(shown(form, test={"all_pairs": True}, marks="letters").split())
    for cell in cells:
        assert cell in report
    assert "systems that share a letter do not differ significantly" in report


@given(st.data())
def test_groups_say_exactly_which_pairs_differ(data: st.DataObject) -> None:
    ranked = "ABCDEFG"[: data.draw(st.integers(1, 7))]
    pairs = list(combinations(ranked, 2))
    different = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    groups = letter_groups(ranked, different)
    for pair in pairs:
        assert any({*pair} <= {*group} for group in groups) == (pair not in different)
    assert {one for group in groups for one in group} == {*ranked}
    assert not any({*one} <= {*other} for one in groups for other in groups if one is not other)


@pytest.mark.parametrize(
    ("form", "cells"),
    [
        ("text", ["base 50.00 3", "good 98.75* 1-2", "also good 97.50 1-2", "bad 0.00 4"]),
        ("markdown", ["| base | 50.00 3 |", "| good | **98.75** 1-2 |"]),
    ],
)
def test_ranks_that_the_tests_leave_open(
    shown: Callable[..., str], form: str, cells: list[str]
) -> None:
    report = " ".join(shown(form, test={"all_pairs": True}, marks="ranks").split())
    for cell in cells:
        assert cell in report
    assert "1-3: ranks that the tests of all pairs leave open" in report


def test_ranks_are_those_of_wmt() -> None:
    """Worked by hand: 1 + significantly better systems, and all minus significantly worse ones.

    So the findings of WMT define the range of ranks of a system: Kocmi et al. (2022), Findings of
    the 2022 Conference on Machine Translation, Section 8.
    """
    different = {("A", "C"), ("A", "D"), ("B", "D")}
    assert rank_ranges("ABCD", different) == {"A": "1-2", "B": "1-3", "C": "2-4", "D": "3-4"}
    assert rank_ranges("AB", set()) == {"A": "1-2", "B": "1-2"}
    assert rank_ranges("AB", {("A", "B")}) == {"A": "1", "B": "2"}


def test_there_must_be_enough_letters(
    shown: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mteval_core.report.comparisons.LETTERS", "ab")
    with pytest.raises(mt.UsageError, match="3 groups of systems, but 2 letters: --marks ranks"):
        shown(test={"all_pairs": True}, marks="letters")


def test_many_systems_are_grouped_at_once() -> None:
    """Neighbours within 9 places do not differ: 91 groups of 10 among 100 systems."""
    ranked = [chr(n) for n in range(300, 400)]
    pairs = {pair for pair in combinations(ranked, 2) if ord(pair[1]) - ord(pair[0]) > 9}
    assert letter_groups(ranked, pairs) == [ranked[n : n + 10] for n in range(91)]


# What the reader asks for


def test_rows_are_sorted_with_all_that_follows(shown: Callable[..., str]) -> None:
    report = shown(test={}, sort="matches")
    assert list(rows(report)) == ["good", "also good", "base", "bad"]
    differences = report.split("\n\n")[1].splitlines()
    assert [line.split("  ")[0] for line in differences[4:]] == ["good", "also good", "bad"]


def test_segments_are_sorted_by_their_scores(shown: Callable[..., str]) -> None:
    systems = {"A": ["a x", "a b"], "B": ["x x", "a x"]}
    report = shown(systems=systems, references=[["a b"] * 2], level="segment", sort="matches")
    cells = [line.split()[:3] for line in report.split("\n\n")[0].splitlines()[2:]]
    assert cells == [
        ["1", "A", "100.00*"],
        ["0", "A", "50.00*"],
        ["1", "B", "50.00"],
        ["0", "B", "0.00"],
    ]


def test_parts_are_all_values(shown: Callable[..., str]) -> None:
    lines = shown(values=True).split("\n\n")[0].splitlines()
    assert lines[0].split() == ["system", "Matches", "↑", "Again", "↑"]
    assert lines[1].split() == ["P", "length", "P", "length"]
    assert lines[4].split() == ["good", "98.75*", "80", "98.75*", "80"]


def test_metrics_can_be_rows(shown: Callable[..., str]) -> None:
    lines = shown(transpose=True).split("\n\n")[0].splitlines()
    assert lines[0].split("  ")[0] == "metric"
    assert lines[0].split() == ["metric", "base", "good", "also", "good", "bad"]
    assert lines[2].split() == ["Matches", "↑", "50.00", "98.75*", "97.50", "0.00"]
    assert lines[3].split()[0] == "Again"
    parts = shown(transpose=True, values=True).split("\n\n")[0].splitlines()
    assert parts[0].split()[:2] == ["metric", "value"]
    assert parts[3].split() == ["Matches", "↑", "length", "80", "80", "80", "80"]


def test_more_segments_than_rows_become_three(shown: Callable[..., str]) -> None:
    systems = {"A": ["a x", "a b", "x x"], "B": ["x x", "a x", "x x"]}
    size = {"systems": systems, "references": [["a b"] * 3], "level": "segment"}
    assert shown(**size, rows=6) == shown(**size)
    report = shown(**size, rows=5)
    caption, *lines = report.split("\n\n")[0].splitlines()
    cells = [line.split()[:4] for line in lines[2:]]
    assert cells == [
        ["A", "mean", "50.00*", "50.00*"],
        ["A", "worst", "0.00", "(2)"],
        ["A", "best", "100.00", "(1)"],
        ["B", "mean", "16.67", "16.67"],
        ["B", "worst", "0.00", "(0)"],
        ["B", "best", "50.00", "(1)"],
    ]
    assert caption == "Mean, worst and best of 3 segments, with their ids"


def test_colours_are_few_and_move_nothing(shown: Callable[..., str]) -> None:
    for options in ({}, {"values": True}, {"test": {"all_pairs": True}, "marks": "letters"}):
        plain = shown(columns=60, **options)
        coloured = shown(columns=60, colour=True, **options)
        assert coloured.count("\x1b[1m") == plain.count("*") - 1  # the legend has one, too
        assert re.sub("\x1b\\[[012]m", "", coloured) == plain


# Signatures


def test_signatures_are_whole_lines_however_narrow_the_page(shown: Callable[..., str]) -> None:
    narrow, wide = (shown(columns=width).split("\n\n")[-1].splitlines() for width in (40, 300))
    assert narrow == wide
    assert all(Signature.parse(line).get("version") == mt.__version__ for line in narrow)
    assert "Matches" not in shown(signatures="none").partition("higher is better")[2]


def test_systems_that_only_a_file_scores_have_a_table_of_their_own(registry: mt.Registry) -> None:
    given = mt.OutsideScores(
        name="X", values={"base": [1.0, 2.0], "z": [3.0, 6.0], "lone": [0.5, 0.25]}, better="lower"
    )
    of_systems = mt.OutsideScores(name="Y", values={"base": 7.0, "z": 8.0}, level="system")
    specs: list[Any] = ["matches", given, of_systems]
    evaluation = mt.evaluate({"base": ["a", "b"]}, [["a", "c"]], specs, registry=registry)
    text = str(mt.write_report(evaluation, registry=registry))
    table = text.partition("From file only\n")[2].split("\n\n")[0].splitlines()
    assert [line.split() for line in table if "-" not in line] == [
        ["system", "X", "\u2193", "Y", "\u2191"],
        ["lone", "0.38", "\u2013"],
        ["z", "4.50", "8.00"],
    ]
    alone = mt.OutsideScores(name="X", values={"base": [1.0, 2.0]})
    evaluation = mt.evaluate(
        {"base": ["a", "b"]}, [["a", "c"]], ["matches", alone], registry=registry
    )
    assert len(list(of_evaluation(evaluation, Layout()).make_parts(Layout()))) == 2
