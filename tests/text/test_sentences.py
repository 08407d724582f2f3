"""Sentences within a segment: a view with ``sent="tab"`` records where they begin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mteval_core import Text, View
from mteval_core.plugin.declarations import NormalizerSpec, TokenizerSpec
from mteval_core.text.pipeline import Pipeline, Tokenization, gather_references
from mteval_core.text.tokens import Tokens

WORDS = TokenizerSpec("words", function=str.split)
SCANNED = TokenizerSpec("none", function=str.split, batch="mteval_kernels:scan_whitespace")
UPPER = NormalizerSpec("upper", key="stem", stage="token", function=str.upper)

segments = st.lists(
    st.lists(st.sampled_from(["", "a", "b a", " c", "d e f "]), min_size=1, max_size=4).map(
        "\t".join
    ),
    min_size=1,
    max_size=5,
)


def sentences_of(tokens: Tokens, tokenization: Tokenization) -> list[list[list[str]]]:
    grouped = tokens.sentences()
    return [
        [
            tokenization.vocabulary.tokens(tokens.ids[grouped.starts[k] : grouped.ends[k]])
            for k in range(grouped.index[i], grouped.index[i + 1])
        ]
        for i in range(len(tokens))
    ]


def expected(segment: str) -> list[list[str]]:
    """Sentences with at least one token; a segment without tokens is one empty sentence."""
    return [words for sentence in segment.split("\t") if (words := sentence.split())] or [[]]


@given(segments)
@pytest.mark.parametrize("tokenizer", [WORDS, SCANNED], ids=lambda spec: str(spec.name))
def test_sentences_are_what_stands_between_tabs(tokenizer: TokenizerSpec, lines: list[str]) -> None:
    tokenization = Tokenization()
    pipeline = Pipeline((), tokenizer, (), "tab")
    tokens = tokenization.tokenize(Text.of(lines), [pipeline])[pipeline]
    assert sentences_of(tokens, tokenization) == [expected(line) for line in lines]
    for i in range(len(lines)):
        part = tokens.slice(i, i + 1)
        assert sentences_of(part, tokenization) == [expected(lines[i])]


@given(segments)
def test_a_break_changes_no_token(lines: list[str]) -> None:
    tokenization = Tokenization()
    plain, divided = Pipeline((), WORDS, ()), Pipeline((), WORDS, (), "tab")
    both = tokenization.tokenize(Text.of(lines), [plain, divided])
    np.testing.assert_array_equal(both[plain].ids, both[divided].ids)
    np.testing.assert_array_equal(both[plain].starts, both[divided].starts)
    np.testing.assert_array_equal(both[plain].ends, both[divided].ends)
    assert not len(both[plain].breaks)
    assert sentences_of(both[plain], tokenization) == [[line.split()] for line in lines]


def test_breaks_pass_through_token_normalizers_and_references() -> None:
    tokenization = Tokenization()
    pipeline = Pipeline((), WORDS, (UPPER,), "tab")
    texts = [Text.of(["a b\tc", "d"]), Text.of([None, "e\tf\tg h"])]
    streams = [tokenization.tokenize(text, [pipeline])[pipeline] for text in texts]
    references = gather_references(streams, texts)
    assert references.index.tolist() == [0, 1, 3]
    found = [["A", "B"], ["C"]], [["D"]], [["E"], ["F"], ["G", "H"]]
    assert sentences_of(as_texts(references), tokenization) == list(found)
    assert sentences_of(as_texts(references.slice(1, 2)), tokenization) == list(found[1:])


def as_texts(references: Tokens) -> Tokens:
    return Tokens(references.ids, references.starts, references.ends, breaks=references.breaks)


def test_a_view_brings_text_normalizers_of_its_own() -> None:
    from mteval_core import MetricSpec, load_registry, metric
    from mteval_core.plugin.registry import Entry, Plugin, Registry

    shout = NormalizerSpec("shout", key="voice", stage="text", function=str.upper)
    declared = MetricSpec(
        "loud",
        factory=lambda: None,
        help="",
        values={"x": 1},
        views={"words": View(case="lc", sent="tab", normalizers=(shout,))},
    )
    host = load_registry([])
    plugin = Plugin("loud", "mteval-loud", "1")
    entries = [entry for kind in (TokenizerSpec, NormalizerSpec) for entry in host.of_kind(kind)]
    registry = Registry([plugin], [*entries, Entry(declared, plugin)])
    pipeline = metric("loud", registry=registry).setup.pipelines["words"]
    assert [normalizer.name for normalizer in pipeline.text] == ["lc", "shout"]
    assert pipeline.sent == "tab"
