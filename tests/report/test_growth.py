"""Tables and formats take time that grows with their rows, and not with the square of them."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import mteval_core as mt
from mteval_core.plugin.declarations import load
from mteval_core.report import Cell, Column, Layout, Report, Table
from mteval_core.report.score_table import score_table, scores_of

FORMATS = [
    entry.declaration.name
    for entry in mt.default_registry().of_kind(mt.FormatSpec)
    if {"table", "record"} & {*entry.declaration.parts}
]

MARKS = (None, "best", "equal", "worse", "significant")


def report_of(n: int) -> Report:
    """Make a report with a table and a record for each of n rows."""
    numbers = [f"{i / 7:.2f}" for i in range(n)]
    rows = [
        Cell((number, "±", "0.1"), MARKS[i % 5], "ab"[: i % 3])  # type: ignore[arg-type]
        for i, number in enumerate(numbers)
    ]
    table = Table(
        "Scores",
        ("system", "segment"),
        tuple(("sys", i) for i in range(n)),
        (
            Column(("BLEU",), tuple(rows), "paired"),
            Column(("TER",), tuple(rows), "paired"),
            Column(("WER",), tuple(Cell((number,)) for number in numbers)),
        ),
    )
    records = [{"system": "sys", "segment": i, "score": i / 7} for i in range(n)]
    return Report.of(
        experiment="growth",
        title="Growth",
        parts=[table],
        records=records,
        inputs={},
        signatures=["BLEU|nrefs:1"],
    )


def n_calls(function: Any, *arguments: Any) -> int:
    """Count the calls of functions, of Python and of C, that a call makes."""
    n = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal n
        n += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return n


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_grows_with_the_rows(name: str) -> None:
    write = load(mt.default_registry().find(mt.FormatSpec, name).declaration.function)
    layout = Layout(columns=80)
    write(report_of(2), layout)  # imports what it needs
    few, many = (n_calls(write, report_of(n), layout) for n in (50, 400))
    assert many < 10 * few


def test_a_table_of_scores_grows_with_the_systems() -> None:
    def calls(n: int) -> int:
        evaluation = mt.evaluate({f"s{i}": ["a b"] for i in range(n)}, [["a c"]], ["wer"])
        return n_calls(score_table, evaluation, Layout(), scores_of(evaluation, "corpus"))

    calls(2)
    assert calls(400) < 10 * calls(50)
