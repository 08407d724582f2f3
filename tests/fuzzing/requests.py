"""Specs, signatures and fields as strings, and requests for the installed metrics."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_readers.fields import Field

import mteval_core as mt
from fuzzing import Target, mixed, refused, spoiled
from mteval_core.metrics.resolve import parse

if TYPE_CHECKING:
    import random

MARKS = [*",=|:+\\/.[]*-_ \t\n\0", "\\\\", "é", "٣", "\ud800", "\x1b[31m", "1e400", "nan", "9" * 30]
WORDS = ["bleu", "ter", "order", "2", "tok", "13a", "plugin", "version", "no", "a", "floor[0.1]"]

SOUND = [
    "bleu:order=2,smooth=floor[0.1]",
    "mteval-gtm/gtm:e=2",
    "refs.refA[*].text",
    "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0",
    "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.4.0",
    "TER|nrefs:2|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.4.0",
    "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.5.1",
    "TER+tok.tercom-nonorm-punct-noasian-uncased+numrefs.1+version.1.5.1",
    "BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:2.4.0 = 27.1 60.0/30.0/20.0/10.0 (BP = 1.0)",
]


# Strings of a grammar


def draw_string(draw: random.Random) -> str:
    """Draw something like a spec, a signature or a field."""
    pieces = [*MARKS, *WORDS]
    text = draw.choice(SOUND) if draw.random() < 0.5 else mixed(draw, pieces)
    return str(spoiled(draw, text, pieces))


def run_spec(text: str) -> None:
    """A spec is refused, or is the same after it is written and read again."""
    with refused():
        spec = mt.Spec.parse(text)
        assert mt.Spec.parse(str(spec)) == spec


def run_signature(text: str) -> None:
    """A signature is refused, or is the same after it is written and read again."""
    with refused():
        signature = mt.Signature.parse(text)
        assert mt.Signature.parse(str(signature)) == signature
        parse(text, mt.default_registry())


def draw_field(draw: random.Random) -> tuple[str, Any]:
    """Draw a field and a record."""
    return draw_string(draw), {"refs": value(draw), "a": value(draw), "text": "x"}


def value(draw: random.Random, depth: int = 3) -> Any:
    """Draw a value as JSON has them."""
    if depth and draw.random() < 0.6:
        inner = [value(draw, depth - 1) for _ in range(draw.randrange(4))]
        return inner if draw.random() < 0.5 else dict(zip(["refA", "a", "text"], inner))  # noqa: B905
    return draw.choice([None, True, 0, -1, 10**400, 1.5, math.nan, "", "x", "a\nb", "\ud800"])


def run_field(given: tuple[str, Any]) -> None:
    """A field is refused, or gives texts and missing texts."""
    written, record = given
    with refused():
        field = Field.parse(written)
        text = field.text(record)
        for part in text if isinstance(text, list) else [text]:
            assert part is None or isinstance(part, str)


# Requests for metrics


class Request(NamedTuple):
    """A metric, and the texts that it scores."""

    spec: str
    hypotheses: list[str]
    references: list[list[str | None]]


TOKENS = ["the", "The", "cat", "cats", "sat", "1,200", "3-2", "don't", "é", "東京", "🙂", ".", "\t"]


@cache
def metrics() -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """List the installed metrics, each with its options and sound values of them."""
    registry = mt.default_registry()
    names = {
        "tok": [entry.declaration.name for entry in registry.of_kind(mt.TokenizerSpec)],
        "case": ["mixed", "lc", "ascii"],
        "stem": ["none", "porter"],
        "loo": ["yes", "no"],
    }
    listed = []
    for entry in registry.of_kind(mt.MetricSpec):
        options = dict(names)
        for option in entry.declaration.options:
            bounds = [option.minimum, option.maximum]
            numbers = [f"{bound:g}" for bound in bounds if bound is not None and abs(bound) < 1e6]
            more = [*option.choices, *numbers, "yes", "no", "1", "2", "3", "0.5"]
            options[option.key] = [*options.get(option.key, []), *more]
        listed.append((entry.qualified, list(options.items())))
    return listed


def segment(draw: random.Random) -> str:
    """Draw a segment of few types."""
    return " ".join(draw.choices(TOKENS, k=draw.choice([0, 1, 2, 5, 9])))


def draw_request(draw: random.Random) -> Request:
    """Draw a metric with options, mostly sound ones, and texts."""
    name, options = draw.choice(metrics())
    chosen = draw.sample(options, min(len(options), draw.choice([0, 1, 1, 2, 3])))
    given = {
        key: (draw.choice(values if draw.random() < 0.9 else [*MARKS, "0", "-1", "1e200"]),)
        for key, values in chosen
    }
    parsed = mt.Spec.parse(name)
    n = draw.randint(1, 3)
    hypotheses = [segment(draw) for _ in range(n)]
    references: list[list[str | None]] = [
        [draw.choice([segment(draw), hypothesis]) for hypothesis in hypotheses]
        for _ in range(draw.randint(1, 3))
    ]
    if len(references) > 1 and draw.random() < 0.2:
        references[-1][0] = None
    return Request(str(mt.Spec(parsed.name, given, parsed.distribution)), hypotheses, references)


def run_request(request: Request) -> None:
    """A request is refused, or its scores are finite and its signature gives them again."""
    with refused():
        score = mt.metric(request.spec).corpus_score(request.hypotheses, request.references)
        assert all(map(math.isfinite, score.values.values()))
        again = mt.metric(str(score.signature))
        replayed = again.corpus_score(request.hypotheses, request.references)
        assert (replayed.values, replayed.signature) == (score.values, score.signature)


SPECS = Target(draw_string, run_spec)
SIGNATURE_STRINGS = Target(draw_string, run_signature)
FIELDS = Target(draw_field, run_field)
METRICS = Target(draw_request, run_request)
