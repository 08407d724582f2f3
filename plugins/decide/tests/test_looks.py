"""Reports of sequential tests: undefined numbers, units, and what the reader is told."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest
from mteval_decide.power import Plan
from mteval_decide.reports.sequential import of_looks
from mteval_decide.sequential import Look

import mteval_core as mt

FIELDS: dict[str, Any] = {
    "n": 200.0,
    "bound": 2.5,
    "p_value": 0.0123456,
    "detectable": 1.25,
    "spent": 0.0251,
    "found": 0.5,
    "expected": 150.4,
}


def look(number: int = 1, system: str = "B", **more: Any) -> Look:
    return Look(system, "A", "matches", number, **{**FIELDS, **more})


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    return mt.evaluate(
        {n: ["a b"] * 2 for n in "ABC"}, [["a b"] * 2], ["matches"], registry=registry
    )


def test_a_planned_look(evaluation: mt.Evaluation) -> None:
    report = of_looks(evaluation, Plan(2.5, alpha=0.01), "pocock", [look()], decimals=1)
    (table,) = report.tables()
    assert report.summary == "1 look, bounds of Pocock; p < 0.01 over all looks, two-sided"
    assert table.caption == "Matches ↑: B against A"
    seen = {column.heads[0]: column.cells[0].parts[0] for column in table.columns}
    assert seen == {
        "segments": "200",
        "bound": "2.500",
        "p below": "0.0123",
        "difference": "1.2",
        "false alarm": "2.5%",
        "found": "50.0%",
    }
    assert "found: probability of having stopped by this look with a true difference of 2.5" in (
        report.legend_lines({})
    )
    assert list(report.notes) == [
        "Matches ↑, B against A: 150 segments on average, 200 at most, if the difference is 2.5."
    ]
    assert len(report.signatures) == 1
    assert report.settings == {**Plan(2.5, alpha=0.01)._asdict(), "bounds": "pocock"}


def test_what_was_observed_and_what_is_not_there_yet(evaluation: mt.Evaluation) -> None:
    first = look(difference=-0.004, z=-1.0, verdict="go on", n=100.0)
    report = of_looks(evaluation, Plan(), "obrien-fleming", [first, look(2)])
    (table,) = report.tables()
    assert [[cell.parts[0] for cell in row[-3:]] for row in table.rows] == [
        ["0.00", "-1.00", "go on"],
        ["–", "–", "–"],
    ]
    assert report.summary.startswith("2 looks, bounds of O'Brien and Fleming;")
    assert [record["z"] for record in report.records] == [-1.0, None]
    assert report.notes[-1] == "--effect plans for a difference of your choice."
    assert len(report.notes) == 2


def test_pairs_have_tables_of_their_own(evaluation: mt.Evaluation) -> None:
    looks = [look(), look(2), look(system="C", n=inf, found=nan, expected=nan, detectable=nan)]
    report = of_looks(evaluation, Plan(0.1, by="doc"), "pocock", looks)
    assert [len(table.names) for table in report.tables()] == [2, 1]
    assert report.tables()[1].caption.endswith(": C against A")
    cells = [cell.parts[0] for cell in report.tables()[1].rows[0]]
    assert (cells[3], cells[5]) == ("–", "–")
    assert report.notes[1] == (
        "Matches ↑, C against A: no size finds this difference, or it does not vary."
    )
    assert report.tables()[0].columns[0].heads == ("documents",)
    assert report.records[2]["n"] is None


@pytest.mark.parametrize(
    ("n", "by", "warned"), [(99, "doc", 1), (100, "doc", 0), (2, "segment", 1)]
)
def test_few_units_are_named(evaluation: mt.Evaluation, n: int, by: Any, warned: int) -> None:
    report = of_looks(evaluation, Plan(1.0, by=by), "pocock", [look(n=float(n)), look(2)])
    units = {"doc": "documents", "segment": "segments"}[by]
    text = f"Looks at fewer than 100 {units} stop too often"
    assert sum(note.startswith(text) for note in report.notes) == warned
