"""Tables and pairs: numbers to sort by, bars, marks, clusters."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_html_report.pairs import clusters, matrices
from mteval_html_report.tables import Bar, grid

import mteval_core as mt


def table(*columns: mt.Column) -> mt.Table:
    names = tuple((f"row {k}",) for k in range(len(columns[0].cells)))
    return mt.Table("Caption", ("system",), names, columns)


def test_cells_have_numbers_to_sort_by() -> None:
    texts = ["12.50", "-3", "+0.25", "<0.001", "1e-05", "·", "", "–", "n = 3"]
    shown = grid(table(mt.Column(("x",), tuple(mt.Cell((text,)) for text in texts))))
    numbers = [cells[0].number for _, cells in shown.rows]
    assert numbers == [12.5, -3, 0.25, 0.001, 1e-5, None, None, None, None]
    assert [cells[0].text for _, cells in shown.rows] == texts


def test_bars_have_one_scale_per_column() -> None:
    cells = (
        mt.Cell(("20", "[10,", "30]"), "best"),
        mt.Cell(("  5", "[-10,", " 20]", "0.0400"), "significant"),
        mt.Cell(("0",)),
    )
    (_, (first,)), (_, (second,)), (_, (third,)) = grid(table(mt.Column(("x",), cells))).rows
    # From -10 to 30 on 92 pixels after a margin of 4: 10 is half of the way, 20 three quarters.
    assert first.bar == Bar(low=50, value=73, high=96, zero=27)
    assert second.bar == Bar(low=4, value=38.5, high=73, zero=27)
    assert third.bar is None
    assert (second.text, second.rest) == ("5†", "[-10, 20] 0.0400")
    assert (first.text, first.mark) == ("20", "best")


def test_ends_in_columns_of_their_own_are_intervals() -> None:
    columns = [
        mt.Column((head,), tuple(mt.Cell((text,)) for text in texts), "Pearson")
        for head, texts in (("r", ("0.5", "")), ("L", ("0.0", "")), ("U", ("1.0", "")))
    ]
    shown = grid(table(*columns))
    (_, (value, low, _)), (_, (empty, *_)) = shown.rows
    assert value.bar == Bar(low=4, value=50, high=96, zero=None)
    assert low.bar is None
    assert empty.bar is None
    assert shown.groups == [("Pearson", 3)]


def test_equal_ends_are_in_one_place() -> None:
    shown = grid(table(mt.Column(("x",), (mt.Cell(("1", "[1,", "1]")),))))
    assert shown.rows[0][1][0].bar == Bar(4, 4, 4, zero=None)
    assert shown.groups == []


@pytest.mark.parametrize(
    ("same", "expected"),
    [
        ([], [1, 2, 3, 4]),
        (["ab"], [1, 1, 2, 3]),
        (["ab", "bc"], [1, 1, 1, 2]),
        (["ad"], [1, 1, 1, 1]),
        (["bd"], [1, 2, 2, 2]),
    ],
)
def test_clusters(same: list[str], expected: list[int]) -> None:
    assert clusters("abcd", lambda one, other: one + other not in same) == expected


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n * n)))))
def test_systems_of_different_clusters_are_apart(drawn: tuple[int, set[int]]) -> None:
    n, equal = drawn
    names = "abcdef"[:n]

    def apart(one: str, other: str) -> bool:
        return names.index(one) * n + names.index(other) not in equal

    numbers = clusters(names, apart)
    assert numbers == sorted(numbers)
    assert set(numbers) == {*range(1, max(numbers) + 1)}
    for (i, a), (j, b) in product(enumerate(names), repeat=2):
        if i < j and numbers[i] != numbers[j]:
            assert apart(a, b)
    for k in range(1, n):
        split = all(apart(a, b) for a in names[:k] for b in names[k:])
        assert split == (numbers[k - 1] != numbers[k])


def test_matrices_are_the_comparisons(registry: mt.Registry) -> None:
    systems = {"low": ["x"] * 9, "high": ["a"] * 9, "alike": ["a"] * 8 + ["x"]}
    scored = mt.evaluate(systems, [["a"] * 9], ["shared", "lacking"], registry=registry)
    assert matrices(scored, 2) == []
    assert matrices(scored.compare(n=1000, registry=registry), 2) == []
    up, down = matrices(scored.compare(all_pairs=True, registry=registry), 1)
    assert up.systems == ["high", "alike", "low"]
    assert up.scores == ["100.0", "88.9", "0.0"]
    assert up.clusters == [1, 1, 2]
    (_, second, third), (back, *_), _ = up.rows
    assert second is not None
    assert third is not None
    assert back is not None
    assert (second.text, second.kind) == ("+11.1", "")
    assert (third.text, third.kind) == ("+100.0†", "better")
    assert (back.text, back.p) == ("-11.1", second.p)
    assert down.systems == ["low", "alike", "high"]
    assert down.rows[0][2] is not None
    assert (down.rows[0][2].text, down.rows[0][2].kind) == ("-100.0†", "better")
    assert [row[k] for k, row in enumerate(up.rows)] == [None] * 3
