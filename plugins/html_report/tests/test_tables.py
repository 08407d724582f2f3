"""Tables and pairs: numbers to sort by, bars, marks, groups."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from mteval_html_report.pairs import bars, matrices, written_p
from mteval_html_report.tables import Bar, grid

import mteval_core as mt
from mteval_core.report import Cell, Column, Table


def table(*columns: Column) -> Table:
    names = tuple((f"row {k}",) for k in range(len(columns[0].cells)))
    return Table("Caption", ("system",), names, columns)


def test_cells_have_numbers_to_sort_by() -> None:
    texts = ["12.50", "-3", "+0.25", "<0.001", "1e-05", "·", "", "–", "n = 3"]
    shown = grid(table(Column(("x",), tuple(Cell((text,)) for text in texts))))
    numbers = [cells[0].number for _, cells in shown.rows]
    assert numbers == [12.5, -3, 0.25, 0.001, 1e-5, None, None, None, None]
    assert [cells[0].text for _, cells in shown.rows] == texts


def test_bars_have_one_scale_per_column() -> None:
    cells = (
        Cell(("20", "[10,", "30]"), "best", "ab"),
        Cell(("  5", "[-10,", " 20]", "0.0400"), "significant"),
        Cell(("0",)),
    )
    (_, (first,)), (_, (second,)), (_, (third,)) = grid(table(Column(("x",), cells))).rows
    # From -10 to 30 on 92 pixels after a margin of 4: 10 is half of the way, 20 three quarters.
    assert first.bar == Bar(low=50, value=73, high=96, zero=27)
    assert second.bar == Bar(low=4, value=38.5, high=73, zero=27)
    assert third.bar is None
    assert (second.text, second.rest) == ("5†", "[-10, 20] 0.0400")
    assert (first.text, first.signs, first.mark) == ("20", "ab", "best")


def test_ends_in_columns_of_their_own_are_intervals() -> None:
    columns = [
        Column((head,), tuple(Cell((text,)) for text in texts), "Pearson")
        for head, texts in (("r", ("0.5", "")), ("L", ("0.0", "")), ("U", ("1.0", "")))
    ]
    shown = grid(table(*columns))
    (_, (value, low, _)), (_, (empty, *_)) = shown.rows
    assert value.bar == Bar(low=4, value=50, high=96, zero=None)
    assert low.bar is None
    assert empty.bar is None
    assert shown.groups == [("Pearson", 3)]


def test_columns_of_systems_have_one_scale_and_those_of_metrics_their_own() -> None:
    cells = [(Cell((n, f"[{n},", f"{n}]")),) for n in ("1", "2")]
    for heads, places in ((("A", "B"), [4, 96]), (("BLEU ↑", "TER ↓"), [4, 4])):
        columns = [Column((head,), some) for head, some in zip(heads, cells, strict=True)]
        ((_, shown),) = grid(table(*columns)).rows
        assert [cell.bar and cell.bar.value for cell in shown] == places


def test_a_metric_in_a_row_has_one_scale() -> None:
    cells = [Column((name,), (Cell((n, f"[{n},", f"{n}]")),) * 2) for name, n in ("A1", "B2")]
    names = (("BLEU ↑",), ("TER ↓",))
    shown = grid(Table("", ("metric",), names, tuple(cells)))
    assert [[cell.bar and cell.bar.value for cell in row] for _, row in shown.rows] == [[4, 96]] * 2


def test_equal_ends_are_in_one_place() -> None:
    shown = grid(table(Column(("x",), (Cell(("1", "[1,", "1]")),))))
    assert shown.rows[0][1][0].bar == Bar(4, 4, 4, zero=None)
    assert shown.groups == []


def test_matrices_are_the_comparisons(registry: mt.Registry) -> None:
    systems = {"low": ["x"] * 9, "high": ["a"] * 9, "alike": ["a"] * 8 + ["x"]}
    scored = mt.evaluate(systems, [["a"] * 9], ["shared", "lacking"], registry=registry)
    assert matrices(scored, 2) == []
    assert matrices(scored.compare(n=1000, registry=registry), 2) == []
    up, down = matrices(scored.compare(all_pairs=True, registry=registry), 1)
    assert up.systems == ["high", "alike", "low"]
    assert up.scores == ["100.0", "88.9", "0.0"]
    assert up.ranks == ["1-2", "1-2", "3"]
    assert up.bars == [[True], [True], [False]]
    assert up.metric == "shared ↑"
    (_, second, third), (back, *_), _ = up.rows
    assert second is not None
    assert third is not None
    assert back is not None
    assert (second.text, second.kind) == ("+11.1", "")
    assert (third.text, third.kind) == ("+100.0†", "better")
    assert (back.text, back.p) == ("-11.1", second.p)
    assert third.p == "0.0117", "2 of 512 exchanges, times 3 pairs"
    assert down.systems == ["low", "alike", "high"]
    assert down.rows[0][2] is not None
    assert (down.rows[0][2].text, down.rows[0][2].kind) == ("-100.0†", "better")
    assert [row[k] for k, row in enumerate(up.rows)] == [None] * 3


def test_bars_of_groups_stand_above_each_other_where_they_do_not_overlap() -> None:
    groups = [["A", "B"], ["B", "C"], ["D", "E"], ["F"]]
    shown = bars("ABCDEF", groups)
    assert [[*map(int, row)] for row in shown] == [[1, 0], [1, 1], [0, 1], [1, 0], [1, 0], [0, 0]]


def test_too_many_bars_leave_the_matrix_on_the_screen() -> None:
    ranked = [f"s{n}" for n in range(80)]
    groups = [[ranked[n], ranked[n + 40]] for n in range(40)]
    assert bars(ranked, groups) == [[]] * 80
    assert bars(ranked, groups[:30])[0] == [True] + [False] * 29


@pytest.mark.parametrize(
    ("p", "exact", "written"),
    [(0.0075, False, "<0.0075"), (0.0075, True, "0.0075"), (0.02, False, "0.0200")],
)
def test_a_p_value_at_the_floor_is_a_bound(p: float, *, exact: bool, written: str) -> None:
    assert written_p(SimpleNamespace(p_value=p, smallest_p=0.0075, exact=exact)) == written


def test_intervals_and_verdicts_are_whole_and_marked() -> None:
    cells = (Cell(("[-17.18,", " -12.18]")), Cell(("fail",), "failed"), Cell(("pass",), "passed"))
    (_, (interval,)), (_, (bad,)), (_, (good,)) = grid(table(Column(("x",), cells))).rows
    assert (interval.text, interval.rest) == ("[-17.18, -12.18]", "")
    assert (bad.mark, good.mark) == ("failed", "passed")
