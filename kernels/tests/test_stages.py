"""The phases of a staged alignment, one by one, and the texts that kernels are tested with."""

from __future__ import annotations

from itertools import permutations, product
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import id_corpora, layout
from mteval_kernels.twins.components import find_components
from mteval_kernels.twins.fixed_links import CHUNKS_FIRST, CROSSINGS_FIRST, NONE, Costs, fix
from mteval_kernels.twins.masks import matches, positions
from mteval_kernels.twins.stage_bounds import bound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

tokens = st.lists(st.integers(-1, 4), max_size=6)
orders = st.sampled_from([CROSSINGS_FIRST, CHUNKS_FIRST])


@given(hypothesis=tokens, reference=tokens)
def test_masks_are_the_positions_of_equal_tokens(
    hypothesis: list[int], reference: list[int]
) -> None:
    assert [list(positions(mask)) for mask in matches(hypothesis, reference)] == [
        [j for j, other in enumerate(reference) if token == other >= 0] for token in hypothesis
    ]


@given(masks=st.lists(st.integers(0, 63), max_size=6))
def test_components_share_no_columns(masks: list[int]) -> None:
    components = find_components(masks)
    assert sorted(i for c in components for i in c.rows) == [i for i, m in enumerate(masks) if m]
    assert [c.rows[0] for c in components] == sorted(c.rows[0] for c in components)
    taken = 0
    for component in components:
        assert not component.columns & taken
        taken |= component.columns
        rows = [masks[i] for i in component.rows]
        assert component.complete == all(mask == component.columns for mask in rows)
        assert is_connected(rows)


def is_connected(masks: Sequence[int]) -> bool:
    reached = masks[0]
    for _ in masks:
        for mask in masks:
            reached |= mask if mask & reached else 0
    return all(mask & reached for mask in masks)


def test_components_joined_by_a_later_row() -> None:
    first, second = find_components([0b001, 0b010, 0b1000, 0b011])
    assert (first.rows, first.columns, first.complete) == ([0, 1, 3], 0b011, False)
    assert (second.rows, second.columns, second.complete) == ([2], 0b1000, True)
    assert (first.size, first.fewer_rows) == (2, False)


class TestFix:
    def test_as_many_rows_as_columns_in_order(self) -> None:
        links = fix([0b110, 0b110, 0b001], [NONE] * 3, 3, in_order=True)
        assert links.columns == [1, 2, 0]
        assert links.open == []

    def test_only_single_links_where_chunks_come_first(self) -> None:
        links = fix([0b110, 0b110, 0b001], [NONE] * 3, 3, in_order=False)
        assert links.columns == [NONE, NONE, 0]
        assert [component.rows for component in links.open] == [[0, 1]]
        assert [component is None for component in links.component_of] == [False, False, True]

    def test_links_of_earlier_stages_stay(self) -> None:
        links = fix([0, 0b10], [0, NONE], 2, in_order=True)
        assert links.columns == [0, 1]
        assert links.new == {1: 1}

    def test_which_components_are_ordered(self) -> None:
        masks = [0b0011, 0b0001, 0b1100]
        incomplete, complete = (fix(masks, [NONE] * 3, 3, in_order=True)).open
        for in_order in (True, False):
            links = fix(masks, [NONE] * 3, 3, in_order=in_order)
            assert links.is_ordered(complete) == in_order
            assert not links.is_ordered(incomplete)


def alignments(masks: Sequence[int], linked: Sequence[int]) -> Iterator[list[int]]:
    """All ways to link rows, each to a column of its own or none."""
    choices = [
        [old] if old != NONE else [*positions(mask), NONE]
        for mask, old in zip(masks, linked, strict=True)
    ]
    for way in product(*choices):
        taken = [j for j in way if j != NONE]
        if len(set(taken)) == len(taken):
            yield list(way)


def cost(way: Sequence[int], linked: Sequence[int], costs: Costs) -> int:
    """Missing links, crossings of new links, and chunks of all links."""
    new = [(i, j) for i, (j, old) in enumerate(zip(way, linked, strict=True)) if j != old]
    crossings = sum(a < c and b > d for (a, b), (c, d) in permutations(new, 2))
    before = [NONE, *way][: len(way)]
    chunks = sum(j not in (NONE, left + 1) for left, j in zip(before, way, strict=True))
    return -len(new) * costs.missing + crossings * costs.crossing + chunks * costs.chunk


@given(hypothesis=tokens, reference=tokens, costs=orders, old=st.booleans())
def test_bounds_hold_for_the_best_alignment(
    hypothesis: list[int],
    reference: list[int],
    costs: Costs,
    old: bool,  # noqa: FBT001 - drawn
) -> None:
    masks = matches(hypothesis, reference)
    linked = [NONE] * len(masks)
    if old and masks and masks[0]:  # of an earlier stage
        linked[0] = next(positions(masks[0]))
        masks = [0, *(mask & ~(1 << linked[0]) for mask in masks[1:])]
    best = min(alignments(masks, linked), key=lambda way: cost(way, linked, costs))
    links = fix(masks, linked, len(reference), in_order=costs.in_order)
    assert all(best[i] == j for i, j in links.new.items())
    bounds = bound(links, costs)
    n_new = sum(j != before for j, before in zip(best, linked, strict=True))
    least = sum(table[0][0] for table in bounds.least.values())
    assert bounds.rest_of_none[0] + least <= cost(best, linked, costs) + n_new * costs.missing
    for (i, j), alone in bounds.alone.items():
        crossed = sum((i < a) != (j < b) for a, b in links.new.items())
        bound_to_cross = alone // costs.crossing - crossed
        assert alone % costs.crossing == 0
        assert 0 <= bound_to_cross <= len(masks) - i - 1
        ways = [way for way in alignments(masks, linked) if way[i] == j and is_largest(way, masks)]
        if links.component_of[i] and links.is_ordered(links.component_of[i]) and ways:
            least_crossings = min(
                sum(k > i and NONE < other < j for k, other in enumerate(way) if k not in links.new)
                for way in ways
            )
            assert bound_to_cross <= least_crossings


def is_largest(way: Sequence[int], masks: Sequence[int]) -> bool:
    """Whether a way has as many links as any."""
    largest = max(
        len(masks) - other.count(NONE) for other in alignments(masks, [NONE] * len(masks))
    )
    return len(way) - list(way).count(NONE) == largest


def test_a_link_is_bound_to_cross_what_later_rows_need_on_its_left() -> None:
    """Tokens a b against b b a a: each row needs a link, and that of b is on the left of a's."""
    bounds = bound(fix([0b1100, 0b0011], [NONE] * 2, 4, in_order=True), CROSSINGS_FIRST)
    assert bounds.last == {0: 3, 1: 1}
    one = CROSSINGS_FIRST.crossing
    assert bounds.alone == {(0, 2): one, (0, 3): one, (1, 0): 0, (1, 1): 0}
    assert bounds.least[0][0][0] == one


def test_a_link_is_bound_to_cross_columns_that_later_rows_get() -> None:
    """Tokens a a b b against b a: each column needs a link, and that of b comes from later rows."""
    masks = [0b10, 0b10, 0b01, 0b01]
    bounds = bound(fix(masks, [NONE] * 4, 2, in_order=True), CROSSINGS_FIRST)
    one = CROSSINGS_FIRST.crossing
    assert bounds.alone == {(0, 1): one, (1, 1): one, (2, 0): 0, (3, 0): 0}
    assert bounds.pending == [0b10, 0b10, 0b01, 0b01]


def test_a_column_is_pending_while_earlier_and_later_rows_can_get_it() -> None:
    """Tokens b a b b against b a a b: two columns need a link to one of three rows."""
    masks = [0b1001, 0b0110, 0b1001, 0b1001]
    bounds = bound(fix(masks, [NONE] * 4, 4, in_order=True), CROSSINGS_FIRST)
    assert bounds.pending == [0b0001, 0b0001, 0b1001, 0b1000]
    assert bounds.last == {1: 2}


def test_a_row_that_needs_a_link_cannot_go_without() -> None:
    bounds = bound(fix([0b111, 0b111], [NONE] * 2, 3, in_order=True), CROSSINGS_FIRST)
    assert bounds.rest_of_none == [1, 1, 0]  # one chunk, if the second row continues the first
    assert bounds.least[0] == [[0, 0, inf, inf], [0, 0, 0, inf], [0, 0, 0, 0]]


@given(corpus=id_corpora([0, 1, 5, 64]), seed=st.integers(0, 9))
def test_a_layout_has_the_texts(
    corpus: tuple[list[list[int]], list[list[list[int]]]], seed: int
) -> None:
    hypotheses, references = layout(*corpus, seed=seed)
    texts = [text for segment in corpus[1] for text in segment]
    for side, expected in ((hypotheses, corpus[0]), (references, texts)):
        ends = zip(side.starts, side.ends, strict=True)
        assert [side.ids[start:end].tolist() for start, end in ends] == expected
        for array in (side.ids, side.starts, side.ends):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
    assert np.diff(references.index).tolist() == [len(segment) for segment in corpus[1]]
    assert not np.shares_memory(hypotheses.ids, references.ids)
