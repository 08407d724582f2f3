"""Quotes from studies: which cell has which agreement, and which symbols are explained."""

from __future__ import annotations

from typing import Any

import pytest

import mteval_core as mt
from mteval_core.evaluation.calibration import Agreement
from mteval_core.report.quotes import meanings_of_agreement, of_agreements

SPECS = ["matches", "matches:bonus=0.5"]


def agreement(system: str, spec: str, share: float, **more: Any) -> Agreement:
    ends = (share - 0.105, share + 0.105, 95.0, 20.0)
    return Agreement(system, "A", spec, "adequacy", 1.5, share, *ends)._replace(**more)


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    systems = {name: ["a b"] for name in "ABC"}
    return mt.evaluate(systems, [["a b"]], SPECS, registry=registry)


def test_cells_belong_to_their_pairs_and_metrics_in_any_order(evaluation: mt.Evaluation) -> None:
    shares = {
        ("B", SPECS[0]): 0.5,
        ("C", SPECS[0]): 0.6,
        ("B", SPECS[1]): 0.7,
        ("C", SPECS[1]): 0.8,
    }
    found = [agreement(*key, share) for key, share in shares.items()]
    for given in (found, found[::2] + found[1::2]):
        (table,) = of_agreements(evaluation, given)
        assert table.caption == "Agreement of people with differences (adequacy)"
        assert (table.titles, table.names) == (("system", "baseline"), (("B", "A"), ("C", "A")))
        heads = [column.heads for column in table.columns]
        assert heads == [
            ("Matches ↑", "difference agreement [interval]"),
            ("Matches ↑", "bonus=0.5", "difference agreement [interval]"),
        ]
        for column, spec in zip(table.columns, SPECS, strict=True):
            for (system, _), cell in zip(table.names, column.cells, strict=True):
                assert cell.parts[1] == f"{100 * shares[str(system), spec]:.0f}%"


def test_every_criterion_has_a_table_of_its_own(evaluation: mt.Evaluation) -> None:
    both = [
        agreement("B", spec, share, criterion=criterion)
        for criterion, share in (("flüssig", 0.5), ("adequacy", 0.9))
        for spec in SPECS
    ]
    captions = {table.caption: table for table in of_agreements(evaluation, both)}
    assert [caption.split("(")[1] for caption in captions] == ["flüssig)", "adequacy)"]
    seen = [[column.cells[0].parts[1] for column in t.columns] for t in captions.values()]
    assert seen == [["50%"] * 2, ["90%"] * 2]
    assert list(of_agreements(evaluation, [])) == []


@pytest.mark.parametrize(
    ("difference", "decimals", "written"),
    [
        (1.5, 2, "+1.50"),
        (-1.25, 1, "-1.2"),
        (20.0, 0, "+20"),
        (20.001, 2, "+20.00>"),
        (-20.001, 2, "-20.00>"),
        (0.0, 2, "+0.00"),
    ],
)
def test_differences_beyond_the_study_are_marked_and_explained(
    evaluation: mt.Evaluation, difference: float, decimals: int, written: str
) -> None:
    found = [agreement("B", spec, 0.5, difference=difference, level=90.0) for spec in SPECS]
    (table,) = of_agreements(evaluation, found, decimals)
    assert table.columns[0].cells[0].parts == (written, "50%", "[40,", "60]")
    first, *beyond = meanings_of_agreement(found)
    assert first.endswith("with a 90% interval")
    assert len(beyond) == written.endswith(">")
    assert all(text.startswith("> larger than all differences of the study") for text in beyond)


def test_one_difference_beyond_the_study_is_enough_for_its_explanation() -> None:
    inside, outside = agreement("B", "m", 0.5), agreement("C", "m", 0.5, difference=-21.0)
    assert [len(meanings_of_agreement(some)) for some in ([], [inside], [inside, outside])] == [
        0,
        1,
        2,
    ]
