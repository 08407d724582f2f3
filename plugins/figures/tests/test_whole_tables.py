"""Whole tables for LaTeX, of systems whose scores are known beforehand.

The reference is "a b" in 40 segments, and the metric is the share of matched words: "a x" is half
right, so that 39 right segments and one half right have (39 + 1/2) / 40 = 98.75 %.
"""

from __future__ import annotations

from typing import Any

import pytest

import mteval_core as mt
from mteval_core.report import Layout

SYSTEMS = {
    "base": ["a x"] * 40,
    "good": ["a b"] * 39 + ["a x"],
    "also good": ["a b"] * 38 + ["a x"] * 2,
    "bad": ["x x"] * 40,
}
DOCUMENTS = ["d"] * 38 + ["e"] * 2

TABLES: list[tuple[str, dict[str, Any] | None, dict[str, Any], list[str]]] = [
    (
        "tested against the first",
        {},
        {},
        [
            r"\begin{tabular}{l",
            r"S[table-format=2.2,table-space-text-post={$^\dagger$}]}",
            r"\toprule",
            r"system & \multicolumn{1}{c}{Matches $\uparrow$} \\",
            r"\midrule",
            r"base & 50.00 \\",
            r"good & \bfseries 98.75{$^\dagger$} \\",
            r"also good & 97.50{$^\dagger$} \\",
            r"bad & 0.00{$^\dagger$} \\",
            r"\bottomrule",
        ],
    ),
    (
        "letters, metrics as rows",
        {"all_pairs": True},
        {"marks": "letters", "transpose": True},
        [
            r"\begin{tabular}{l",
            r"S[table-format=2.2,table-space-text-post={\textsuperscript{m}}]",
            r"S[table-format=2.2,table-space-text-post={\textsuperscript{m}}]",
            r"S[table-format=2.2,table-space-text-post={\textsuperscript{m}}]",
            r"S[table-format=1.2,table-space-text-post={\textsuperscript{m}}]}",
            r"\toprule",
            r"metric & \multicolumn{1}{c}{base} & \multicolumn{1}{c}{good}"
            r" & \multicolumn{1}{c}{also good} & \multicolumn{1}{c}{bad} \\",
            r"\midrule",
            r"Matches $\uparrow$ & 50.00{\textsuperscript{b}}"
            r" & \bfseries 98.75{\textsuperscript{a}} & 97.50{\textsuperscript{a}}"
            r" & 0.00{\textsuperscript{c}} \\",
            r"\bottomrule",
        ],
    ),
    (
        "all values, sorted",
        None,
        {"values": True, "sort": "matches"},
        [
            r"\begin{tabular}{l",
            r"S[table-format=2.2]",
            r"S[table-format=2.0]}",
            r"\toprule",
            r" & \multicolumn{2}{c}{Matches $\uparrow$} \\",
            r"\cmidrule(lr){2-3}",
            r"system & \multicolumn{1}{c}{P} & \multicolumn{1}{c}{length} \\",
            r"\midrule",
            r"good & \bfseries 98.75 & 80 \\",
            r"also good & 97.50 & 80 \\",
            r"base & 50.00 & 80 \\",
            r"bad & 0.00 & 80 \\",
            r"\bottomrule",
        ],
    ),
    (
        "documents",
        None,
        {"level": "doc", "decimals": 1},
        [
            r"\begin{tabular}{ll",
            r"S[table-format=3.1]}",
            r"\toprule",
            r"doc & system & \multicolumn{1}{c}{Matches $\uparrow$} \\",
            r"\midrule",
            r"d & base & 50.0 \\",
            r"d & good & \bfseries 100.0 \\",
            r"d & also good & \bfseries 100.0 \\",
            r"d & bad & 0.0 \\",
            r"e & base & 50.0 \\",
            r"e & good & \bfseries 75.0 \\",
            r"e & also good & 50.0 \\",
            r"e & bad & 0.0 \\",
            r"\bottomrule",
        ],
    ),
]
"""What is shown, arguments of the test, the layout, and the lines of the table."""


def evaluated(registry: mt.Registry, test: dict[str, Any] | None) -> mt.Evaluation:
    evaluation = mt.evaluate(
        SYSTEMS, [["a b"] * 40], ["matches"], documents=DOCUMENTS, registry=registry
    )
    return evaluation if test is None else evaluation.compare("ar", 2000, **test)


@pytest.mark.parametrize(
    ("test", "layout", "expected"), [case[1:] for case in TABLES], ids=[case[0] for case in TABLES]
)
def test_a_whole_table(
    registry: mt.Registry,
    test: dict[str, Any] | None,
    layout: dict[str, Any],
    expected: list[str],
) -> None:
    page = Layout(**layout)
    found = str(mt.write_report(evaluated(registry, test), "latex", page)).splitlines()
    start = found.index(expected[0])
    assert found[start : start + len(expected)] == expected
