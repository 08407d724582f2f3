from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

MINI = Path(__file__).parents[2] / "examples" / "mini"


def test_the_score_of_an_output_depends_on_the_other_system(registry: mt.Registry) -> None:
    pairs = pytest.importorskip("mteval_decide.pairs")
    texts = {
        name: mt.Text.of([text]) for name, text in {"A": "a b", "B": "a c", "C": "d d"}.items()
    }
    test_set = mt.TestSet.of([], source=["x y"])
    rows = pairs.pair_rows(mt.metric("poly", registry=registry), texts, test_set)
    assert rows["A", "B"].tolist() == [[0.5, 1]]
    assert rows["A", "C"].tolist() == [[0, 1]]


def test_systems_are_compared_without_references(outside: Callable[..., Any]) -> None:
    pytest.importorskip("mteval_decide")
    systems = [MINI / "systems" / f"{name}.txt" for name in ("deep", "rule", "short")]
    words = ("pairwise", "-i", *systems, "-m", "poly", "-n", 99, "--source", MINI / "src.de.txt")
    done = outside(*words, "--docs", MINI / "docs.txt", "--by", "doc")
    assert done.code == 0, done.err
    assert "3 systems, 12 documents" in done.out
    assert "|systems:deep+rule+short|" in done.out
