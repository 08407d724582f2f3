"""Every format takes time that grows with the rows of a table, and not with their square."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import mteval_core as mt
from mteval_core.plugin.declarations import load
from mteval_core.report import Cell, Column, Layout, Report, Table

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
