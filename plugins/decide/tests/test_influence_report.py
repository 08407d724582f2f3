"""Reports of influence: what is shown, what is not defined, and what the reader is told."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
import pytest
from mteval_decide.influence import Choice, Influence, Ranks
from mteval_decide.reports.influence import of_influence

import mteval_core as mt
from mteval_core import Report

SETTINGS = {"top": 2, "resamples": 50, "seed": 7, "level": 90.0}
N = 12


@pytest.fixture(scope="module")
def evaluate(registry: mt.Registry) -> Any:
    """Evaluate two systems with some references; there are three documents."""

    def run(n_references: int, n: int = N) -> mt.Evaluation:
        documents = [f"d{k % 3}" for k in range(n)]
        systems = {name: ["a"] * n for name in "AB"}
        references = [["a"] * n] * n_references
        return mt.evaluate(systems, references, ["matches"], documents=documents, registry=registry)

    return run


def influence(baseline: str | None = "A", reversal: int | None = 3, **without: float) -> Influence:
    left = np.full(N, 2.0)
    for key, value in without.items():
        left[int(key[1:])] = value
    return Influence("B", baseline, "matches", 2.0, without=left, reversal=reversal)


def choice(n: int, **more: Any) -> Choice:
    fields: Any = ("B", "A", "matches", 2.0, (1.5, -0.001, nan)[:n], 0.25, nan, -1.0, 5.0)
    return Choice(*fields)._replace(**more)


def report(evaluation: mt.Evaluation, *found: Any, **more: Any) -> Report:
    influences, ranks, choices = (*found, [], [], [])[:3]
    by = more.pop("by", "segment")
    settings = {**SETTINGS, **more}
    return of_influence(evaluation, influences, ranks, choices, by=by, settings=settings)


def rows(report: Report, table: int) -> list[list[Any]]:
    one = report.tables()[table]
    pairs = zip(one.names, one.rows, strict=True)
    return [[*names, *(cell.parts[0] for cell in row)] for names, row in pairs]


def test_the_largest_effects_are_shown_in_either_direction(evaluate: Any) -> None:
    made = report(evaluate(1), [influence(k4=-1.0, k9=5.0005, k0=2.5)])
    assert rows(made, 0) == [["9", "-3.000", "+5.000"], ["4", "+3.000", "-1.000"]]
    assert made.tables()[0].caption == "Matches ↑: B − A = +2.000"
    assert rows(made, 1) == [["B", "A", "Matches ↑", "+2.00", "3 of 12"]]
    assert [record["id"] for record in made.records] == [9, 4]
    assert made.settings == {**SETTINGS, "by": "segment"}
    assert [len(report(evaluate(1), [influence()], top=top).records) for top in (1, 99)] == [1, 12]


def test_a_single_system_has_scores_and_no_signs(evaluate: Any) -> None:
    made = report(evaluate(1), [influence(None, None, k4=-1.0)])
    assert len(made.tables()) == 1
    assert made.tables()[0].caption == "Matches ↑: B = 2.000"
    assert rows(made, 0)[0] == ["4", "+3.000", "-1.000"]
    assert not any("carry" in line for line in made.legend_lines({}))
    assert made.records[0]["baseline"] is None


def test_what_is_not_defined_is_a_dash(evaluate: Any) -> None:
    one = influence(None, None, k0=nan)._replace(value=nan)
    made = report(evaluate(1), [one, influence(reversal=None, k3=nan)], top=12)
    assert rows(made, 0)[0] == ["0", "–", "–"]
    assert ["3", "–", "–"] in rows(made, 1)
    assert rows(made, 2) == [["B", "A", "Matches ↑", "+2.00", "–"]]
    assert made.records[0]["effect"] is None


def test_rare_ranks_are_not_those_that_never_occur(evaluate: Any) -> None:
    shares = np.array([[0.999, 0.001], [0.0, 1.0]])
    made = report(evaluate(1), [], [Ranks("matches", ("B", "A"), shares)])
    assert rows(made, 0) == [["B", "100%", "0%"], ["A", "·", "100%"]]
    drawn = "how often a system has each rank in 50 bootstrap resamples of segments, seed 7"
    assert f"ranks: {drawn}" in made.legend_lines({})
    assert [record["shares"] for record in made.records] == shares.tolist()


def test_references_have_errors_of_two_kinds(evaluate: Any) -> None:
    made = report(evaluate(3), [], [], [choice(3)])
    (table,) = made.tables()
    heads = [column.heads[0] for column in table.columns]
    assert heads == [
        "all",
        "without 0",
        "without 1",
        "without 2",
        "segments",
        "references",
        "L",
        "U",
    ]
    assert [column.group for column in table.columns[4:6]] == ["error from"] * 2
    assert rows(made, 0) == [
        ["B − A", "+2.00", "+1.50", "+0.00", "–", "0.25", "–", "-1.00", "+5.00"]
    ]
    assert made.legend_lines({})[-1].endswith("L, U: 90% interval over both")
    assert made.records[0]["without"] == [1.5, -0.001, None]


@pytest.mark.parametrize(
    ("n_references", "examined", "notes"),
    [
        (1, False, []),
        (2, False, ["The choice of references was not examined: it takes two references of every"]),
        (3, True, ["Only 3 references: the error from so few references is not reliable."]),
        (5, True, []),
    ],
)
def test_notes_on_references(
    evaluate: Any, n_references: int, examined: object, notes: list[str]
) -> None:
    choices = [choice(1, without=(1.0,) * n_references)] if examined else []
    made = report(evaluate(n_references), [influence()], [], choices)
    assert len(made.notes) == len(notes)
    assert all(map(str.startswith, made.notes, notes))
    assert f"12 segments, {n_references} reference{'s' * (n_references > 1)}" == made.summary


@pytest.mark.parametrize(
    ("n", "by", "seen"),
    [(9, "segment", "9 segments"), (10, "segment", ""), (12, "doc", "3 documents")],
)
def test_few_units_are_named(evaluate: Any, n: int, by: str, seen: str) -> None:
    made = report(evaluate(1, n), [influence()], by=by, top=1)
    units = seen.split()[-1:]
    expected = [
        f"Only {seen}: ranks and errors from so few {unit} are not reliable." for unit in units
    ]
    assert list(made.notes) == expected
    if by == "doc":
        assert rows(made, 0)[0][0] == "d0"
        assert made.records[0]["n_units"] == 3
        assert made.summary == "12 segments, 3 documents, 1 reference"
