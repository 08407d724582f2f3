"""Pipelines: each step runs once per text, token normalizers once per type."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core import NormalizerSpec, PluginError, Text, TokenizerSpec, View
from mteval_core.metrics.scorer import Job, score_systems
from mteval_core.plugin import builtin_hooks
from mteval_core.text.pipeline import Pipeline, Tokenization, gather_references, normalize

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import References, Tokens


@dataclass(frozen=True)
class Counting:
    """A function that records its arguments."""

    function: Any
    calls: Counter[str] = field(default_factory=Counter, hash=False, compare=False)

    def __call__(self, text: str) -> Any:
        self.calls[text] += 1
        return self.function(text)


WORDS = TokenizerSpec("words", function=str.split)


def tokens_of(tokens: Tokens, tokenization: Tokenization) -> list[list[str]]:
    spans = zip(tokens.starts, tokens.ends, strict=True)
    return [tokenization.vocabulary.tokens(tokens.ids[a:b]) for a, b in spans]


# Each step once


@pytest.fixture
def counted(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> tuple[mt.Registry, dict[str, Counting]]:
    """A registry of recording functions with the metrics ``one``, ``two`` and ``both``."""
    functions = {
        "tok": Counting(str.split),
        "case": Counting(str.upper),
        "stem": Counting(lambda token: token[:2]),
    }

    @dataclass(frozen=True)
    class Both:
        def statistics(self, plain: Any, stems: Any) -> Any:
            return np.stack([plain.hypotheses.lengths, stems.hypotheses.lengths], axis=1)

        def score(self, totals: Any) -> Any:
            return totals[..., :1]

    def named(name: str) -> mt.MetricSpec:
        return mt.MetricSpec(
            name,
            factory=lambda: matches.factory(),  # type: ignore[operator]
            help="",
            values={"P": 100, "length": 1},
        )

    both = mt.MetricSpec(
        "both",
        factory=Both,
        help="",
        values={"n": 1},
        views={"plain": View(stem="none"), "stems": View(stem="front")},
    )
    toy = plugin(
        metrics=[named("one"), named("two"), both],
        tokenizers=[TokenizerSpec("counted", function=functions["tok"])],
        normalizers=[
            NormalizerSpec("upper", key="case", stage="text", function=functions["case"]),
            NormalizerSpec("front", key="stem", stage="token", function=functions["stem"]),
        ],
    )
    return mt.load_registry([toy]), functions


def test_each_step_runs_once_per_text_whatever_the_number_of_metrics(
    counted: tuple[mt.Registry, dict[str, Counting]],
) -> None:
    registry, functions = counted
    mt.evaluate(
        {"A": ["apple pie", "pear"], "B": ["apple tart", "plum"]},
        [["an apple pie", "a pear"], ["one apple tart", "one pear"]],
        ["one:stem=front", "two:stem=front", "both", "one", "two:case=upper,stem=none"],
        registry=registry,
        defaults={"case": "upper", "tok": "counted"},
    )
    segments = [
        "apple pie",
        "pear",
        "apple tart",
        "plum",
        "an apple pie",
        "a pear",
        "one apple tart",
        "one pear",
    ]
    assert functions["case"].calls == Counter(segments)
    assert functions["tok"].calls == Counter(map(str.upper, segments))


def test_token_normalizers_see_every_type_of_the_texts_once(
    counted: tuple[mt.Registry, dict[str, Counting]],
) -> None:
    registry, functions = counted
    mt.evaluate(
        {"A": ["apple apple apple"] * 50, "B": ["apple plum"] * 50},
        [["apple pear apple"] * 50],
        ["one:stem=front", "two:stem=front", "both"],
        registry=registry,
        defaults={"tok": "counted"},
    )
    assert functions["stem"].calls == Counter(["apple", "pear", "plum"])


def test_different_pipelines_are_kept_apart(
    counted: tuple[mt.Registry, dict[str, Counting]],
) -> None:
    registry, functions = counted
    mt.evaluate({"A": ["x y"]}, [["x z"]], ["one:tok=counted", "two:tok=none"], registry=registry)
    assert functions["tok"].calls == Counter(["x y", "x z"])


# One vocabulary, several references


def test_all_texts_share_one_vocabulary() -> None:
    tokenization = Tokenization()
    pipeline = Pipeline((), WORDS, ())
    one = tokenization.tokenize(Text.of(["a b", "c a"]), [pipeline])[pipeline]
    two = tokenization.tokenize(Text.of(["c", "d b"]), [pipeline])[pipeline]
    assert one.ids.tolist() == [0, 1, 2, 0]
    assert two.ids.tolist() == [2, 3, 1]
    assert one.ids.dtype == np.int32
    assert one.starts.dtype == one.ends.dtype == np.int64


streams = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.none() | st.sampled_from(["", "a", "b a", "c c"]), min_size=n, max_size=n),
        min_size=1,
        max_size=3,
    ).filter(lambda streams: all(any(s is not None for s in seg) for seg in zip(*streams)))  # noqa: B905
)


@given(streams)
def test_references_stand_side_by_side_without_the_missing(
    lines: list[list[str | None]],
) -> None:
    tokenization = Tokenization()
    pipeline = Pipeline((), WORDS, ())
    texts = [Text.of(stream) for stream in lines]
    references = gather_references(
        [tokenization.tokenize(text, [pipeline])[pipeline] for text in texts], texts
    )
    expected = [
        [line.split() for line in segment if line is not None]
        for segment in zip(*lines, strict=True)
    ]
    assert grouped(references, tokenization) == expected
    assert references.counts.tolist() == list(map(len, expected))
    for i in range(len(references)):
        part = references.slice(i, i + 1)
        assert part.index[0] == 0
        assert grouped(part, tokenization) == expected[i : i + 1]


def grouped(references: References, tokenization: Tokenization) -> list[list[list[str]]]:
    texts = tokens_of(references, tokenization)
    index = references.index.tolist()
    return [texts[a:b] for a, b in pairwise(index)]


def test_a_metric_gets_the_tokens_of_its_segment(registry: mt.Registry) -> None:
    seen = []

    @dataclass(frozen=True)
    class Seeing:
        def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> Any:
            seen.append((hypothesis, references))
            return [1.0]

        def score(self, totals: Any) -> Any:
            return totals

    scorer = mt.metric("matches:tok=none,case=lc", registry=registry)
    declaration = mt.MetricSpec("seeing", factory=Seeing, help="", values={"n": 1})
    entry = replace(scorer.setup.entry, declaration=declaration)
    setup = replace(scorer.setup, entry=entry, implementation=Seeing())
    scorer = replace(scorer, main="n", scales={"n": 1.0}, setup=setup)
    scorer.corpus_score(["The cat", ""], [["A cat", "x"], [None, "Y z"]])
    assert seen == [(["the", "cat"], [["a", "cat"]]), ([], [["x"], ["y", "z"]])]


# Empty and missing texts


def test_a_tokenizer_is_asked_about_empty_texts_but_not_about_missing_ones() -> None:
    marking = TokenizerSpec("marking", function=lambda text: ["<s>", *text.split()])
    pipeline = Pipeline((), marking, ())
    tokenization = Tokenization()
    tokens = tokenization.tokenize(Text.of(["", None, "a"]), [pipeline])[pipeline]
    assert tokens_of(tokens, tokenization) == [["<s>"], [], ["<s>", "a"]]


@pytest.mark.parametrize("name", ["none", "13a", "mteval-v13a"])
def test_batches_leave_missing_texts_out(name: str) -> None:
    declaration = next(
        t for t in builtin_hooks.mteval_register_tokenizers() if t.name == name and t.batch
    )
    pipeline = Pipeline((), declaration, ())
    tokenization = Tokenization()
    tokens = tokenization.tokenize(Text.of(["a b", None, "", "c"]), [pipeline])[pipeline]
    assert tokens_of(tokens, tokenization) == [["a", "b"], [], [], ["c"]]


# Text normalizers over many lines at once

HOSTS = [n for n in builtin_hooks.mteval_register_normalizers() if n.stage == "text"]
characters = st.characters(exclude_categories=["Cs"]) | st.sampled_from("ΑΣς İẞȺIi\n\r\x85\u2028.'")
texts = st.lists(st.none() | st.text(characters, max_size=8), min_size=1, max_size=6)


@pytest.mark.parametrize("declaration", HOSTS, ids=lambda n: str(n.name))
@given(lines=texts, more=st.sampled_from(["", "a" * 5000]))
def test_joined_lines_are_normalized_as_each_line_is(
    declaration: NormalizerSpec, lines: list[str | None], more: str
) -> None:
    text = Text.of([*lines, more])
    together = normalize(text, [declaration])
    one_by_one = normalize(text, [replace(declaration, lines=None)])
    assert list(together) == list(one_by_one)
    assert together.missing.tolist() == text.missing.tolist()


# Normalizers of plugins


def test_a_normalizer_with_a_key_of_its_own_is_an_option_of_every_metric(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = mt.load_registry(
        [
            plugin(metrics=[matches]),
            plugin(
                "forms",
                normalizers=[
                    NormalizerSpec(
                        "dashes", key="marks", stage="text", function=lambda s: s.replace("-", " ")
                    ),
                    NormalizerSpec("short", key="trim", stage="token", function=lambda s: s[:1]),
                ],
            ),
        ]
    )
    plain = mt.metric("matches", registry=registry)
    assert "marks" not in plain.setup.fields
    assert plain.sentence_score("so-so done", ["so dull"]).score == 0.0
    marks = mt.metric("matches:marks=dashes", registry=registry)
    assert marks.setup.fields["marks"] == ("dashes",)
    assert marks.sentence_score("so-so done", ["so dull"]).score == pytest.approx(100 / 3)
    both = mt.metric("matches", registry=registry, marks="dashes", trim="short")
    assert both.sentence_score("so-so done", ["so dull"]).score == pytest.approx(200 / 3)
    assert both.signature().fields["plugin"] == ("mteval-forms@1.0", "mteval-toy@1.0")
    with pytest.raises(
        mt.UnknownNameError, match=r"unknown normalizer marks 'dash'\. Did you mean"
    ):
        mt.metric("matches:marks=dash", registry=registry)


def test_a_normalizers_key_does_not_take_the_option_of_a_metric(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    rude = NormalizerSpec("big", key="bonus", stage="text", function=str.upper)
    registry = mt.load_registry([plugin(metrics=[matches]), plugin("rude", normalizers=[rude])])
    scorer = mt.metric("matches:bonus=0.5", registry=registry)
    assert scorer.sentence_score("a b", ["b c"]).score == 100.0
    assert scorer.setup.fields["bonus"] == ("0.5",)


def test_a_key_may_have_normalizers_of_both_stages(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    title = NormalizerSpec("title", key="case", stage="token", function=str.title)
    registry = mt.load_registry([plugin(metrics=[matches]), plugin("title", normalizers=[title])])
    scorer = mt.metric("matches:case=title", registry=registry)
    (pipeline,) = scorer.setup.pipelines.values()
    assert (pipeline.text, pipeline.token) == ((), (title,))
    assert list(scorer.signature().fields).count("case") == 1
    (pipeline,) = mt.metric("matches:case=lc", registry=registry).setup.pipelines.values()
    assert [n.name for n in pipeline.text] == ["lc"]
    assert pipeline.token == ()


def failing(_: str) -> Any:
    raise RuntimeError("boom")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"function": failing}, "normalizer case=bad: RuntimeError: boom"),
        ({"function": "no_such_module:f"}, "normalizer case=bad: ModuleNotFoundError: No module"),
        ({"function": "json:f"}, "normalizer case=bad: AttributeError: module 'json' has no"),
        (
            {"batch": lambda strings: strings[1:]},
            "normalizer case=bad returned 1 strings for 2; expected as many",
        ),
        (
            {"batch": lambda strings: [*strings, "more"]},
            "normalizer case=bad returned 3 strings for 2; expected as many",
        ),
        (
            {"function": str, "lines": lambda data: data + data},
            "normalizer case=bad returned 4 lines for 2; expected as many",
        ),
        (
            {"function": str, "lines": lambda data: data.decode()},
            "normalizer case=bad: TypeError: expected bytes, got ",
        ),
        ({}, "normalizer case=bad has neither a function nor a batch function"),
    ],
)
def test_what_a_bad_normalizer_does_is_its_fault(declared: dict[str, Any], message: str) -> None:
    bad = NormalizerSpec("bad", key="case", stage="text", **declared)
    with pytest.raises(PluginError) as caught:
        normalize(Text.of(["a", "b"]), [bad])
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"function": failing}, "tokenizer 'bad': RuntimeError: boom"),
        ({"function": lambda _: [1]}, "tokenizer 'bad': TypeError"),
        ({"function": "no_such_module:f"}, "tokenizer 'bad': ModuleNotFoundError: No module"),
        ({"function": str.split, "batch": failing}, "tokenizer 'bad': TypeError: "),
    ],
)
def test_what_a_bad_tokenizer_does_is_its_fault(declared: dict[str, Any], message: str) -> None:
    pipeline = Pipeline((), TokenizerSpec("bad", **declared), ())
    with pytest.raises(PluginError) as caught:
        Tokenization().tokenize(Text.of(["a", "b"]), [pipeline])
    assert str(caught.value).startswith(message)


def test_systems_are_scored_one_after_the_other(registry: mt.Registry) -> None:
    scorers = [
        mt.metric("matches", registry=registry),
        mt.metric("matches:case=lc", registry=registry),
    ]
    systems = {"A": Text.of(["a B"]), "B": Text.of(["b"])}
    steps = [
        (name, scorer.setup.fields["case"], rows.tolist())
        for name, scorer, rows in score_systems(
            [Job(scorers, systems, mt.TestSet((Text.of(["a b"]),)))]
        )
    ]
    assert steps == [
        ("A", ("mixed",), [[1.0, 2.0]]),
        ("A", ("lc",), [[2.0, 2.0]]),
        ("B", ("mixed",), [[1.0, 1.0]]),
        ("B", ("lc",), [[1.0, 1.0]]),
    ]
