"""Whole tables of scores, of systems whose scores are known beforehand.

The reference is "a b" in 40 segments, and the metric is the share of matched words: "a x" is half
right, so that 39 right segments and one half right have (39 + 1/2) / 40 = 98.75 %.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers.markdown import markdown
from mteval_core.report.writers.text import text

if TYPE_CHECKING:
    from collections.abc import Callable

SYSTEMS = {
    "base": ["a x"] * 40,
    "good": ["a b"] * 39 + ["a x"],
    "also good": ["a b"] * 38 + ["a x"] * 2,
    "bad": ["x x"] * 40,
}
DOCUMENTS = ["d"] * 38 + ["e"] * 2

TABLES: dict[str, tuple[dict[str, Any] | None, dict[str, Any], list[str]]] = {
    "scores alone": (
        None,
        {},
        [
            "system     Matches ↑",
            "---------  ----------",
            "base           50.00",
            "good           98.75*",
            "also good      97.50",
            "bad             0.00",
        ],
    ),
    "sorted, the best first": (
        None,
        {"sort": "matches"},
        [
            "system     Matches ↑",
            "---------  ----------",
            "good           98.75*",
            "also good      97.50",
            "base           50.00",
            "bad             0.00",
        ],
    ),
    "tested against the first": (
        {},
        {},
        [
            "system     Matches ↑",
            "---------  -----------",
            "base           50.00",
            "good           98.75*†",
            "also good      97.50 †",
            "bad             0.00 †",
        ],
    ),
    "all pairs tested": (
        {"all_pairs": True},
        {},
        [
            "system     Matches ↑",
            "---------  ----------",
            "base           50.00",
            "good           98.75*",
            "also good      97.50~",
            "bad             0.00",
        ],
    ),
    "letters": (
        {"all_pairs": True},
        {"marks": "letters", "sort": "matches"},
        [
            "system     Matches ↑",
            "---------  -----------",
            "good           98.75*a",
            "also good      97.50 a",
            "base           50.00 b",
            "bad             0.00 c",
        ],
    ),
    "letters without decimals": (
        {"all_pairs": True},
        {"marks": "letters", "decimals": 0},
        [
            "system     Matches ↑",
            "---------  -----------",
            "base              50 b",
            "good              99*a",
            "also good         98 a",
            "bad                0 c",
        ],
    ),
    "all values": (
        None,
        {"values": True},
        [
            "system       Matches ↑",
            "               P  length",
            "---------  -------------",
            "base       50.00      80",
            "good       98.75*     80",
            "also good  97.50      80",
            "bad         0.00      80",
        ],
    ),
    "metrics as rows": (
        {"all_pairs": True},
        {"transpose": True},
        [
            "metric      base    good   also good    bad",
            "---------  ------  ------  ----------  -----",
            "Matches ↑  50.00   98.75*      97.50~  0.00",
        ],
    ),
    "values as rows": (
        None,
        {"transpose": True, "values": True},
        [
            "metric     value    base    good   also good    bad",
            "---------  ------  ------  ------  ----------  -----",
            "Matches ↑  P       50.00   98.75*      97.50   0.00",
            "Matches ↑  length      80      80          80     80",
        ],
    ),
    "documents": (
        None,
        {"level": "doc"},
        [
            "doc  system     Matches ↑",
            "---  ---------  ----------",
            "d    base           50.00",
            "d    good          100.00*",
            "d    also good     100.00*",
            "d    bad             0.00",
            "e    base           50.00",
            "e    good           75.00*",
            "e    also good      50.00",
            "e    bad             0.00",
        ],
    ),
    "documents, sorted": (
        None,
        {"level": "doc", "sort": "matches"},
        [
            "doc  system     Matches ↑",
            "---  ---------  ----------",
            "d    good          100.00*",
            "d    also good     100.00*",
            "e    good           75.00*",
            "d    base           50.00",
            "e    base           50.00",
            "e    also good      50.00",
            "d    bad             0.00",
            "e    bad             0.00",
        ],
    ),
    "documents, summed up": (
        None,
        {"level": "doc", "rows": 5},
        [
            "Mean, worst and best of 2 docs, with their ids",
            "system     docs    Matches ↑",
            "---------  -----  -----------",
            "base       mean    50.00",
            "base       worst   50.00  (d)",
            "base       best    50.00  (d)",
            "good       mean    87.50*",
            "good       worst   75.00  (e)",
            "good       best   100.00  (d)",
            "also good  mean    75.00",
            "also good  worst   50.00  (e)",
            "also good  best   100.00  (d)",
            "bad        mean     0.00",
            "bad        worst    0.00  (d)",
            "bad        best     0.00  (d)",
        ],
    ),
}
"""Arguments of the test, the layout, and the lines of the table."""


def evaluated(registry: mt.Registry, test: dict[str, Any] | None) -> mt.Evaluation:
    evaluation = mt.evaluate(
        SYSTEMS, [["a b"] * 40], ["matches"], documents=DOCUMENTS, registry=registry
    )
    return evaluation if test is None else evaluation.compare("ar", 2000, **test)


@pytest.mark.parametrize("name", TABLES)
def test_a_whole_table(registry: mt.Registry, name: str) -> None:
    test, layout, expected = TABLES[name]
    page = Layout(**layout)
    report = text(of_evaluation(evaluated(registry, test), page), page)
    assert report.split("\n\n")[0].splitlines() == expected


IN_OTHER_FORMATS: list[tuple[str, Any, dict[str, Any] | None, dict[str, Any], list[str]]] = [
    (
        "documents",
        markdown,
        None,
        {"level": "doc", "decimals": 1},
        [
            r"| doc   | system    |   Matches ↑ |",
            r"|:------|:----------|------------:|",
            r"| d     | base      |        50.0 |",
            r"| d     | good      |   **100.0** |",
            r"| d     | also good |   **100.0** |",
            r"| d     | bad       |         0.0 |",
            r"| e     | base      |        50.0 |",
            r"| e     | good      |    **75.0** |",
            r"| e     | also good |        50.0 |",
            r"| e     | bad       |         0.0 |",
        ],
    ),
    (
        "all values, sorted",
        markdown,
        None,
        {"values": True, "sort": "matches"},
        [
            r"| system    |   Matches ↑ P |   Matches ↑ length |",
            r"|:----------|--------------:|-------------------:|",
            r"| good      |     **98.75** |                 80 |",
            r"| also good |         97.50 |                 80 |",
            r"| base      |         50.00 |                 80 |",
            r"| bad       |          0.00 |                 80 |",
        ],
    ),
    (
        "tied with the best",
        markdown,
        {"all_pairs": True},
        {},
        [
            r"| system    |   Matches ↑ |",
            r"|:----------|------------:|",
            r"| base      |       50.00 |",
            r"| good      |   **98.75** |",
            r"| also good |     *97.50* |",
            r"| bad       |        0.00 |",
        ],
    ),
]
"""What is shown, the writer, arguments of the test, the layout, and the lines of the table."""


@pytest.mark.parametrize(
    ("write", "test", "layout", "expected"),
    [case[1:] for case in IN_OTHER_FORMATS],
    ids=[f"{case[1].__name__}: {case[0]}" for case in IN_OTHER_FORMATS],
)
def test_a_whole_table_for_a_paper(
    registry: mt.Registry,
    write: Callable[..., str],
    test: dict[str, Any] | None,
    layout: dict[str, Any],
    expected: list[str],
) -> None:
    page = Layout(**layout)
    report = write(of_evaluation(evaluated(registry, test), page), page)
    found = report.splitlines()
    start = found.index(expected[0])
    assert found[start : start + len(expected)] == expected
