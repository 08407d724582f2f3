"""Tables of differences between reports: what they count, number and leave open."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_decide.diff import Change
from mteval_decide.reports.changes import counts, of_changes, of_diff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Report

GAIN = Change("A", "bleu", "", 50.0, 51.25, ("new output",), same=False, verdict="better")
LOSS = Change(
    "Ä東", "ter", "segment 3", 1.0, 0.5, ("case", "new output"), same=False, verdict="worse"
)
EQUAL = Change("A", "ter", "", 7.0, 7.0, (), same=True)
NEW = Change("B", "bleu", "vs A", None, 2.0, ("B is new",), same=False, is_comparison=True)
GONE = Change("C", "bleu", "", 3.0, None, ("C is gone",), same=False)


def texts(report: Report) -> list[list[Any]]:
    """The rows of the only table, with the names."""
    (table,) = report.tables()
    rows = zip(table.names, table.rows, strict=True)
    return [[*names, *(cell.parts[0] for cell in row)] for names, row in rows]


def test_changes_have_numbered_reasons_and_signs() -> None:
    report = of_diff([GAIN, LOSS, EQUAL, NEW, GONE], {}, {"tolerance": 0.1})
    (table,) = report.tables()
    heads = [column.heads for column in table.columns]
    assert heads == [("before",), ("after",), ("change",), ("verdict",), ("why",)]
    assert texts(report) == [
        ["A", "bleu", "", "50.0000", "51.2500", "+1.2500", "better", "(1)"],
        ["Ä東", "ter", "segment 3", "1.0000", "0.5000", "-0.5000", "worse", "(2) (1)"],
        ["B", "bleu", "vs A", "–", "2.0000", "–", "–", "(3)"],
        ["C", "bleu", "", "3.0000", "–", "–", "–", "(4)"],
    ]
    legend = report.legend_lines({})
    assert legend == ["(1) new output", "(2) case", "(3) B is new", "(4) C is gone"]
    assert report.summary == "3 of 4 records and 1 of 1 comparisons differ: 1 better, 1 worse"
    assert report.settings == {"tolerance": 0.1}
    assert [record["change"] for record in report.records] == [1.25, -0.5, None, None]
    assert report.records[1]["reasons"] == ["case", "new output"]


def test_records_that_agree_are_shown_only_on_request() -> None:
    assert of_diff([EQUAL], {}, {}).tables() == []
    report = of_diff([EQUAL], {}, {}, all_records=True)
    assert texts(report) == [["A", "ter", "7.0000", "7.0000", "+0.0000", "–", ""]]
    assert report.summary == "0 of 1 records differ"
    assert of_diff([], {}, {}).summary == "0 of 0 records differ"


def test_a_replay_writes_verdicts_of_its_own() -> None:
    report = of_changes([GAIN], lambda change: f"is {change.after}")
    assert report.data["experiment"] == "replay"
    assert texts(report)[0][-2:] == ["is 51.25", "(1)"]
    assert report.heading == ()


def test_what_json_cannot_hold_is_none() -> None:
    (record,) = of_changes([GAIN, GONE][:1], str).records
    odd = Change("A", "m", "", 1.0, math.inf, (), same=False)
    (other,) = of_changes([odd], str).records
    assert record.keys() == other.keys()
    assert (other["after"], other["change"]) == (None, None)


@given(st.lists(st.sampled_from([GAIN, LOSS, EQUAL, NEW, GONE]), max_size=12))
def test_counts_add_up(changes: Sequence[Change]) -> None:
    seen = Counter((change.is_comparison, change.same) for change in changes)
    records = f"{seen[False, False]} of {seen[False, False] + seen[False, True]} records"
    pairs = f" and {seen[True, False]} of {seen[True, False]} comparisons"
    expected = records + pairs * bool(seen[True, False])
    assert counts(changes, lambda change: not change.same) == expected
    report = of_diff(changes, {}, {})
    assert sum(len(table.names) for table in report.tables()) == sum(not c.same for c in changes)


@pytest.mark.parametrize("changes", [[GAIN], [GAIN, GAIN], [LOSS, GAIN]])
def test_the_part_has_a_column_only_if_there_is_one(changes: list[Change]) -> None:
    (table,) = of_diff(changes, {}, {}).tables()
    has_part = LOSS in changes
    assert table.titles == ("system", "metric", "part")[: 2 + has_part]
