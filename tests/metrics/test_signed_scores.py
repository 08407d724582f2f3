"""What the signature of a score says about references, source and draws."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.metrics.scorer import sign
from mteval_core.text.digest import SeenTestSet, SeenText

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USES: dict[str, dict[str, Any]] = {
    "used": {"references": "required", "source": "required"},
    "source": {"references": "none", "source": "required"},
    "references": {"references": "required", "source": "none"},
    "neither": {"references": "none", "source": "none"},
}


class Anything:
    """The number of tokens, whatever else is given."""

    def segment_statistics(self, hypothesis: list[str], *_others: Any) -> list[float]:
        return [float(len(hypothesis))]


@pytest.fixture(scope="module")
def made(plugin: Callable[..., Any]) -> mt.Registry:
    """Load a metric for every use of references and source."""
    metrics = [
        mt.MetricSpec(name, factory=Anything, help="tokens", values={"n": 1}, **uses)
        for name, uses in USES.items()
    ]
    return mt.load_registry([plugin(metrics=metrics)])


def made_of(*streams: Sequence[str | None], source: list[str] | None = None) -> mt.TestSet:
    texts = tuple(map(mt.Text.of, streams))
    size = None if streams or source else 2
    return mt.TestSet(texts, source=mt.Text.of(source) if source else None, size=size)


SETS = [
    made_of(["é", "b"]),
    made_of(["é", "b"], ["c", ""], source=["x", "y"]),
    made_of(["é", None], [None, "d"]),
    made_of(["é", "b"], ["c", None]),
    made_of(source=["x", "y"]),
]


@pytest.mark.parametrize(("name", "texts"), list(product(USES, SETS)))
def test_texts_are_signed_if_they_are_used(made: mt.Registry, name: str, texts: mt.TestSet) -> None:
    signature = mt.metric(name, registry=made).signature(texts)
    uses_references = USES[name]["references"] == "required" and bool(texts.references)
    counts = {
        sum(not m for m in at) for at in zip(*(r.missing for r in texts.references), strict=True)
    }
    n = "var" if len(counts) > 1 else str(max(counts, default=0))
    assert signature.get("nrefs") == (n if uses_references else "0")
    assert signature.get("refs") == (texts.hash if uses_references else None)
    uses_source = USES[name]["source"] == "required" and texts.source is not None
    assert signature.get("src") == (texts.source_hash if uses_source else None)


def test_an_unused_reference_is_no_reason_for_another_signature(made: mt.Registry) -> None:
    scorer = mt.metric("source", registry=made)
    one, other = (made_of(stream, source=["x", "y"]) for stream in (["a", "b"], ["c", "d"]))
    assert scorer.signature(one) == scorer.signature(other)
    changed = made_of(["a", "b"], source=["x", "z"])
    assert scorer.signature(one) != scorer.signature(changed)


@pytest.mark.parametrize("name", USES)
def test_digests_are_signed_as_the_texts_that_they_are_of(made: mt.Registry, name: str) -> None:
    scorer = mt.metric(name, registry=made)
    for texts in SETS:
        source = SeenText(texts.source.digest) if texts.source else None
        streams = tuple(SeenText(stream.digest) for stream in texts.references)
        seen = SeenTestSet(streams, source, None, len(texts), texts.n_references)
        assert sign(scorer, seen) == scorer.signature(texts)


def test_fields_of_draws_stand_behind_the_references(made: mt.Registry) -> None:
    drawn = {"bs": ("1000",), "seed": ("1",)}
    scorer = mt.metric("used", registry=made)
    keys = list(sign(scorer, SETS[1], drawn).fields)
    assert keys[:3] == ["nrefs", "bs", "seed"]
    assert keys[-4:] == ["refs", "src", "plugin", "version"]
    alone = sign(scorer, None, drawn)
    assert list(alone.fields)[:2] == ["bs", "seed"]
    assert {"nrefs", "refs", "src"}.isdisjoint(alone.fields)
    assert mt.Signature.parse(str(alone)) == alone


def test_lists_are_signed_as_the_test_set_that_they_make(made: mt.Registry) -> None:
    scorer = mt.metric("references", registry=made)
    streams: list[list[str | None]] = [["é", "b"], ["c", None]]
    assert scorer.signature(streams) == scorer.signature(made_of(*streams))
    wrong: Any
    for wrong, message in (
        ([["a", None]], "segment 1 has no reference"),
        ([["a", "b"], ["c"]], "segments"),
        ("ab", "references"),
        ([[]], "segment"),
    ):
        with pytest.raises(mt.MtevalError, match=message):
            scorer.signature(wrong)
