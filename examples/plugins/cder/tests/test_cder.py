"""CDER against hand calculation, another program and a slow search; and the contract kit."""

from __future__ import annotations

import heapq
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core

pytest.importorskip("mteval_cder", reason="the example plugin mteval-cder is not installed")

from mteval_cder.cder import Cder
from mteval_testing import parametrize_with_checks

if TYPE_CHECKING:
    from collections.abc import Callable


@parametrize_with_checks(["cder", "cder:jump=0.5"])
def test_contract(spec: str, check: Callable[[str], None]) -> None:
    check(spec)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits", "jumps"),
    [
        ("a b c d", "a b c d", 0, 0),
        ("a b x d", "a b c d", 1, 0),  # one substitution
        ("a b d", "a b c d", 1, 0),  # one deletion
        ("a b x y z c d", "a b c d", 1, 1),  # one jump over three words
        ("c d e a b", "a b c d e", 3, 1),  # a and b deleted, a jump from e to the end
        ("d e f x a b c", "a b c d e f", 3, 3),  # jumps to a, to d, and to the end
        ("", "a b", 2, 0),
        ("a b c", "", 1, 1),
    ],
)
def test_by_hand(hypothesis: str, reference: str, edits: float, jumps: int) -> None:
    score = mteval_core.metric("cder:tok=none").sentence_score(hypothesis, [reference])
    assert (score.values["edits"], score.values["jumps"]) == (edits, jumps)
    assert score.score == pytest.approx(100 * edits / max(len(reference.split()), 1))


MINI = Path(__file__).parents[3] / "mini"


@pytest.mark.parametrize(
    ("system", "edits"),
    [
        ("deep", 826),
        ("lower", 1594),
        ("neural", 1020),
        ("phrase", 1334),
        ("rule", 1685),
        ("short", 1783),
    ],
)
def test_distances_of_moses(system: str, edits: int) -> None:
    """Sums of CderScorer::computeCD (Moses, mert/CderScorer.cpp) over white-space tokens."""
    hypotheses = mteval_core.read_text(str(MINI / "systems" / f"{system}.txt"))
    reference = mteval_core.read_text(str(MINI / "ref0.txt"))
    score = mteval_core.metric("cder:tok=none").corpus_score(hypotheses, [reference])
    assert (score.values["edits"], score.values["ref_len"]) == (edits, 2277)


def cheapest(hypothesis: list[str], reference: list[str], jump: float) -> float:
    """Cost of the cheapest path in the graph of the paper, in order of cost."""
    queue = [(0.0, 0, 0)]
    done = set()
    while queue:
        cost, i, k = heapq.heappop(queue)
        if (i, k) == (len(hypothesis), len(reference)):
            return cost
        if (i, k) in done:
            continue
        done.add((i, k))
        if i < len(hypothesis):
            heapq.heappush(queue, (cost + 1, i + 1, k))
        if k < len(reference):
            heapq.heappush(queue, (cost + 1, i, k + 1))
        if i < len(hypothesis) and k < len(reference):
            heapq.heappush(queue, (cost + (hypothesis[i] != reference[k]), i + 1, k + 1))
        for place in range(len(hypothesis) + 1):
            heapq.heappush(queue, (cost + jump, place, k))
    raise AssertionError


TEXT = st.lists(st.sampled_from("abc"), max_size=6)


@given(TEXT, TEXT, st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_the_recurrence_finds_the_cheapest_path(
    hypothesis: list[str], reference: list[str], jump: float
) -> None:
    cost, _ = Cder(jump).distance(hypothesis, reference)
    assert cost == cheapest(hypothesis, reference, jump)
