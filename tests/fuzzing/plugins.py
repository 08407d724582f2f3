"""Plugins that declare and return anything, and what users may ask of the host next to them."""

from __future__ import annotations

import json
import random
from copy import copy
from dataclasses import fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from conftest import MATCHES, pretend
from fuzzing import Target
from mteval_core.commands.list import as_lines, describe_declaration
from mteval_core.commands.plugins import clashes, describe_plugin
from mteval_core.data.addresses import Address
from mteval_core.data.reading import Files
from mteval_core.errors import InputError, MtevalError, PluginError, UsageError
from mteval_core.plugin.declarations import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

HYPOTHESES = ["a b c", "", "d"]
REFERENCES = [["a b d", "x", "d"], ["a", "y z", "e f"]]


class Odd(BaseException):
    """An error that is not an `Exception`."""


class Mute(Exception):
    """An error that has no text."""

    def __str__(self) -> str:
        raise Odd


class Unprintable:
    """An object that cannot be written."""

    def __repr__(self) -> str:
        raise SystemExit(0)


ERRORS = [
    SystemExit(0),
    GeneratorExit(),
    Odd("x"),
    Mute(),
    StopIteration(1),
    RecursionError(),
    MemoryError(),
    MtevalError("bare"),
    KeyError("k"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
]

ODD = [
    None,
    True,
    0,
    -1,
    10**400,
    2.5,
    float("nan"),
    float("inf"),
    1j,
    "",
    "x",
    "a\nb",
    "\ud800",
    "\x1b[31m",
    b"bytes",
    (),
    [],
    {},
    {"a"},
    ("a", "b"),
    ["1", "2"],
    {"x": "y"},
    {"x": 10**400},
    {1: 1},
    object(),
    Unprintable(),
    Fraction(1, 3),
    range(3),
    iter(()),
    np.zeros(3),
    np.zeros((3, 0)),
    np.zeros((3, 2, 2)),
    np.array([["1", "2"]] * 3),
    np.ones((3, 2)) * 1j,
    np.full((3, 2), np.nan),
    np.full((3, 2), 1e308),
    np.array([[None, 1]] * 3),
    np.ma.masked_array(np.ones((3, 2)), mask=True),
    np.array(["2020-01-01"] * 3, "M8[D]"),
    np.zeros((3, 2), np.int8),
    [[1.0, 2.0], [1.0], []],
    int,
    len,
    lambda *_, **__: None,
]


class Chooser:
    """Draws odd things from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def odd(self) -> Any:
        return self.random.choice(ODD)

    def often(self, sound: Any, share: float = 0.6) -> Any:
        """Return the sound thing, or with some probability an odd one."""
        return sound if self.random.random() < share else self.odd()

    def function(self, sound: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that now and then raises or returns something odd."""
        kind, error, odd = self.random.random(), self.random.choice(ERRORS), self.odd()
        calls = self.random.randrange(3)
        count = 0

        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if kind < 0.7 or count <= calls:
                return sound(*args, **kwargs)
            if kind < 0.85:
                raise copy(error)  # an error keeps the frames through which it has passed
            return odd

        return call


def tokens_and_offsets(buffer: bytes, starts: Any, ends: Any, vocabulary: Any) -> Any:
    words = [buffer[a:b].decode().split() for a, b in zip(starts, ends, strict=True)]
    ids = vocabulary.intern([word for text in words for word in text])
    return ids, np.cumsum([0, *map(len, words)], dtype=np.int64)


def weights(n: int, count: int, seed: int) -> Any:  # noqa: ARG001 - the interface of resamplers
    yield np.ones((count, n))


def metric_of(chooser: Chooser) -> mt.MetricSpec:
    """Declare a metric that may do anything."""
    by_segment = chooser.random.random() < 0.5
    rows = chooser.function(lambda words: np.ones((len(words), 2)))
    row = chooser.function(lambda hypothesis, references: [1.0, 2.0])  # noqa: ARG005
    formula = chooser.function(lambda totals: totals[..., :1])
    members: dict[str, Any] = {"score": lambda _, totals: formula(totals)}
    if by_segment:
        members["segment_statistics"] = lambda _, hypothesis, references: row(
            hypothesis, references
        )
    else:
        members["statistics"] = lambda _, words: rows(words)
    if chooser.random.random() < 0.2:
        prepare = chooser.function(lambda metric: metric)
        members["prepare"] = lambda metric, **_: prepare(metric)
    made = type("Made", (), members)
    spec = mt.MetricSpec("odd", factory=chooser.function(made), values={"x": 1.0}, help="odd")
    declared: mt.MetricSpec = changed(chooser, spec)
    return declared


def changed(chooser: Chooser, declaration: Any) -> Any:
    """Replace some field of a declaration by something odd, now and then."""
    if chooser.random.random() < 0.85:
        return declaration
    name = chooser.random.choice([field.name for field in fields(declaration)])
    value = chooser.odd()
    if name == "values" and chooser.random.random() < 0.5:
        value = chooser.function(lambda _: {"x": 1.0})
    if name == "views" and chooser.random.random() < 0.5:
        value = chooser.function(lambda _: {"words": mt.View()})
    if name == "options":
        value = (mt.Option(chooser.often("opt"), chooser.often(1), choices=chooser.often(())),)
    return replace(declaration, **{name: value})


def odd_dataset(_: str) -> mt.Dataset:
    """Return a small data set."""
    texts = mt.Text.of(["a b", "c"])
    return mt.Dataset(test_set=mt.TestSet((texts,)), systems={"A": texts, "B": [texts, texts]})


def plugin_of(chooser: Chooser) -> dict[str, Any]:
    """Return the hooks of a plugin that may do anything."""
    name = chooser.random.choice(["13a", "lc", "odd", "none"])
    batch = chooser.function(tokens_and_offsets) if chooser.random.random() < 0.5 else None
    stage: Any = chooser.random.choice(["text", "token"])
    keys = ["case", "stem", "form", "normalizers", "__doc__", "sent", "tok"]
    (key,) = chooser.random.choices(keys, [6, 6, 6, 1, 1, 1, 1])
    declared = {
        "metrics": lambda: [metric_of(chooser)],
        "tokenizers": lambda: [
            changed(
                chooser,
                mt.TokenizerSpec(name, function=chooser.function(str.split), batch=batch),
            )
        ],
        "normalizers": lambda: [
            changed(
                chooser,
                mt.NormalizerSpec(name, key=key, stage=stage, function=chooser.function(str.lower)),
            )
        ],
        "resamplers": lambda: [
            changed(chooser, mt.ResamplerSpec("odd", function=chooser.function(weights)))
        ],
        "readers": lambda: [
            changed(
                chooser,
                mt.ReaderSpec(
                    "odd",
                    patterns=("*.odd",),
                    function=chooser.function(lambda _, field: [field, None, [field]]),
                    fields=chooser.function(lambda _: ["a", "b"]),
                    sniff=chooser.function(lambda _: True),
                ),
            )
        ],
        "datasets": lambda: [
            changed(chooser, mt.DatasetSpec("odd", function=chooser.function(odd_dataset)))
        ],
        "formats": lambda: [changed(chooser, mt.FormatSpec("text", function=str))],
    }
    return {
        kind: chooser.function(hook) if chooser.random.random() < 0.1 else hook
        for kind, hook in declared.items()
    }


def requests(registry: mt.Registry) -> list[Callable[[], Any]]:
    """Return what users may ask of a registry."""

    def evaluated() -> Any:
        systems = {"A": HYPOTHESES, "B": HYPOTHESES[::-1]}
        evaluation = mt.evaluate(systems, REFERENCES, ["odd"], registry=registry)
        evaluation = evaluation.confidence(7, resampler="odd", registry=registry)
        return evaluation.to_records("segment")

    def scored(spec: str) -> Any:
        score = mt.metric(spec, registry=registry).corpus_score(HYPOTHESES, REFERENCES)
        assert np.isfinite(list(score.values.values())).all()
        return mt.metric(str(score.signature), registry=registry)

    specs = ["odd", "odd:tok=odd", "odd:loo=yes", "odd:case=odd", "odd:stem=lc", "odd:form=odd"]
    specs += ["matches:tok=mteval-bad/13a", "matches:tok=odd", "matches:case=mteval-bad/lc"]
    foreign = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0"
    files = Files(registry)

    def read() -> Any:
        data = mt.read_dataset("odd:x", registry=registry)
        return [list(data.text(field)) for field in data.fields]

    return [
        evaluated,
        read,
        lambda: files.columns(Address.parse("absent.odd")),
        lambda: files.columns(Address.parse("absent.odd::a")),
        lambda: files.text(Address.parse("odd:x::system.B.2")),
        lambda: files.scores(Address.parse("odd:x"), "odd"),
        lambda: files.judgments(Address.parse("odd:x")),
        lambda: mt.metric(foreign, registry=registry),
        *(lambda spec=spec: scored(spec) for spec in specs),
    ]


def outcome(request: Callable[[], Any]) -> str:
    """Name the error of a request, which must be one with an exit code for users."""
    try:
        request()
    except (UsageError, InputError, PluginError) as error:
        return type(error).__name__ if str(error) else ""
    return "ok"


def unharmed(registry: mt.Registry) -> None:
    """Check that the host and another plugin work, and that everything can be listed."""
    for spec in ("matches", "matches:case=lc", "matches:tok=13a,stem=porter"):
        score = mt.metric(spec, registry=registry).corpus_score(["a b", "c"], [["a", "c"]])
        assert score.values == {"P": pytest.approx(200 / 3), "length": 3}
        assert score.signature.fields["plugin"] == ("mteval-toy@1.0",)
        assert list(score.signature.fields)[1:4] == ["case", "tok", "bonus"]
    assert registry.reader("a.txt").plugin.distribution == "mteval-core"
    assert registry.find(mt.FormatSpec, "text").plugin.distribution == "mteval-core"
    for kind, each in KINDS.items():
        items = [describe_declaration(entry) for entry in registry.of_kind(each.declaration)]
        json.dumps(items)
        assert not items or as_lines(kind, items)
    json.dumps([describe_plugin(plugin, registry) for plugin in registry.plugins])
    assert all(list(clash.sentences()) for clash in clashes(registry))
    assert all(map(str, registry.plugins))


def run(seed: int) -> set[str]:
    """A hostile plugin harms neither the host nor another plugin; return the errors it makes."""
    chooser = Chooser(seed)
    declared = {
        kind: hook
        for kind, hook in plugin_of(chooser).items()
        if kind == "metrics" or chooser.random.random() < 0.4
    }
    registry = mt.load_registry([pretend("bad", **declared), pretend(metrics=[MATCHES])])
    unharmed(registry)
    outcomes = {outcome(request) for request in requests(registry)}
    assert "" not in outcomes, "an error without a message"
    return outcomes


PLUGINS = Target(lambda draw: draw.randrange(2**62), run)
