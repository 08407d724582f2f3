"""Tables of parts have the scores of the parts alone."""

from __future__ import annotations

from itertools import chain

from mteval_profile.report import Profile, of_profile

import mteval_core as mt
from mteval_core import Subset

REFERENCE = ["a b", "c d e", " ".join("abcdefghijkl"), "x y"]
SYSTEMS = {"A": ["a c", "c d", " ".join("abcdefghijkx"), "x"], "B": ["b", "e d c", "a b", "y x"]}
DOCUMENTS = ["one", "two", "one", "one"]


def test_parts_have_the_scores_of_their_segments() -> None:
    scored = mt.evaluate(SYSTEMS, [REFERENCE], ["length-ratio"], documents=DOCUMENTS)
    test_set = scored.scores.corpus.test_set
    registry = mt.default_registry()
    subsets = chain.from_iterable(Subset.of(test_set, by, registry) for by in ("length", "doc"))
    parts = tuple((one, one.evaluation(scored, ["length-ratio"])) for one in subsets)
    length, document = of_profile(Profile(scored, (), parts), {}).tables()
    assert (length.titles, document.titles) == (("words", "segments"), ("document", "segments"))
    assert [name for table in (length, document) for name in table.names] == [
        *(("all", 4), ("0-9", 3), ("10-19", 1)),
        *(("all", 4), ("one", 3), ("two", 1)),
    ]
    segments = {"0-9": [0, 1, 3], "10-19": [2], "one": [0, 2, 3], "two": [1]}
    for table in (length, document):
        for (part, _), row in zip(table.names, table.rows, strict=True):
            chosen = segments.get(str(part), range(4))
            alone = mt.evaluate(
                {name: [texts[i] for i in chosen] for name, texts in SYSTEMS.items()},
                [[REFERENCE[i] for i in chosen]],
                "length-ratio",
            )
            expected = [f"{alone.score(name, 'length-ratio').score:.1f}" for name in SYSTEMS]
            assert [cell.parts[0] for cell in row] == expected
