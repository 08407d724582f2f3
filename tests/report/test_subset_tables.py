"""Tables of scores by part are those of evaluations of the parts alone."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import mteval_core as mt
from mteval_core import Subset
from mteval_core.report import Table

if TYPE_CHECKING:
    from mteval_core.evaluation.subsets import Grouping

REFERENCE = ["a b", "c d e", " ".join("abcdefghijkl"), "x y"]
SYSTEMS = {"A": ["a c", "c d", " ".join("abcdefghijkx"), "x"], "B": ["b", "e d c", "a b", "y x"]}
DOCUMENTS = ["one", "two", "one", "one"]


def test_parts_have_the_scores_of_their_segments(registry: mt.Registry) -> None:
    scored = mt.evaluate(
        SYSTEMS, [REFERENCE], ["matches", "matches:bonus=1"], documents=DOCUMENTS, registry=registry
    )
    tables = tables_by(scored, "length", "doc")
    parts = {"0-9": [0, 1, 3], "10-19": [2], "one": [0, 2, 3], "two": [1]}
    length, document = tables
    assert (length.titles, document.titles) == (("words", "segments"), ("document", "segments"))
    assert [name for table in tables for name in table.names] == [
        *(("all", 4), ("0-9", 3), ("10-19", 1)),
        *(("all", 4), ("one", 3), ("two", 1)),
    ]
    for table in tables:
        for (part, _), row in zip(table.names, table.rows, strict=True):
            chosen = parts.get(str(part), range(4))
            alone = mt.evaluate(
                {name: [texts[i] for i in chosen] for name, texts in SYSTEMS.items()},
                [[REFERENCE[i] for i in chosen]],
                "matches",
                registry=registry,
            )
            expected = [f"{alone.score(name, 'matches').score:.1f}" for name in SYSTEMS]
            assert [cell.parts[0] for cell in row] == expected


def test_without_subsets_or_metrics_there_is_no_table(registry: mt.Registry) -> None:
    scored = mt.evaluate(SYSTEMS, [REFERENCE], "matches", registry=registry)
    assert [table.titles[0] for table in tables_by(scored, "length")] == ["words"]
    assert Table.by_subset(scored, ["matches"], []) == []
    assert Table.by_subset(scored, [], []) == []


def tables_by(scored: mt.Evaluation, *kinds: Grouping) -> list[Table]:
    test_set, registry = scored.scores.corpus.test_set, scored.scorers["matches"].setup.registry
    subsets = chain.from_iterable(Subset.of(test_set, by, registry) for by in kinds)
    parts = [(one, one.evaluation(scored, ["matches"])) for one in subsets]
    return Table.by_subset(scored, ["matches"], parts, 1)
