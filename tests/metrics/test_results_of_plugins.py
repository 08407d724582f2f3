"""What the functions of a plugin return is checked where it enters the host."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core import NormalizerSpec, PluginError, TokenizerSpec
from mteval_core.metrics.rows import as_numbers
from mteval_core.text.pipeline import Pipeline, Tokenization, normalize
from mteval_core.text.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Metrics


def metric_with(
    plugin: Callable[..., Any], rows: Callable[..., Any], score: Callable[..., Any], **declared: Any
) -> mt.Scorer:
    made = type(
        "Made",
        (),
        {
            "statistics": lambda _, words: rows(words),
            "score": lambda _, totals: score(totals),
        },
    )
    spec = mt.MetricSpec("made", factory=made, **{"values": {"x": 1}, **declared})
    return mt.metric("made", registry=mt.load_registry([plugin(metrics=[spec])]))


def ones(words: Any) -> Any:
    return np.ones((len(words), 1))


def itself(totals: Any) -> Any:
    return totals


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ([["1"], ["2"]], "of type <U1"),
        ([[b"1"], [b"2"]], "of type |S1"),
        ([[1j], [2]], "of type complex128"),
        ([[None], [1]], "of type object"),
        ([[10**400], ["x"]], "of type object"),
        (np.array([["2020"], ["2021"]], "M8[Y]"), r"of type datetime64[Y]"),
        (np.ma.masked_array([[1], [2]], mask=True), "masked"),
    ],
)
def test_rows_and_values_are_real_numbers(
    plugin: Callable[..., Any], result: Any, fault: str
) -> None:
    with pytest.raises(PluginError) as caught:
        metric_with(plugin, lambda _: result, itself).corpus_score(["a", "b"], [["a", "b"]])
    who = "metric 'made' of mteval-toy 1.0: TypeError: the result is "
    assert str(caught.value) == f"the statistics of {who}{fault}; expected real numbers"
    with pytest.raises(PluginError) as caught:
        metric_with(plugin, ones, lambda _: result).corpus_score(["a", "b"], [["a", "b"]])
    assert str(caught.value) == f"the formula of {who}{fault}; expected real numbers"


@pytest.mark.parametrize("result", [[[1]], [[True]], [[Fraction(1, 2)]], np.ones((1, 1), "f2")])
def test_all_real_numbers_are_accepted(result: Any) -> None:
    assert as_numbers(result).dtype == np.float64


def test_rows_keep_their_shape(plugin: Callable[..., Any]) -> None:
    widths = iter([1, 2])
    scorer = metric_with(
        plugin, lambda words: np.ones((len(words), next(widths))), lambda totals: totals[..., :1]
    )
    with pytest.raises(PluginError, match=r"the statistics have 2 columns, and had 1 before"):
        mt.evaluate({"A": ["a"], "B": ["b"]}, [["a"]], [scorer])


def test_jackknifed_rows_keep_their_shape(plugin: Callable[..., Any]) -> None:
    widths = iter([1, 3])
    scorer = metric_with(plugin, lambda words: np.ones((len(words), next(widths))), itself)
    jackknifed = mt.metric("made:loo=yes", registry=scorer.setup.registry)
    with pytest.raises(PluginError, match=r"shapes \(1, 1\) and \(1, 3\); expected \(n_segments"):
        jackknifed.corpus_score(["a"], [["a"], ["b"]])


@pytest.mark.parametrize(
    "values", [{"x": "1"}, {"x": None}, {"x": float("nan")}, {"x": 10**400}, {"x": True}, {}, []]
)
def test_scales_are_finite_numbers(plugin: Callable[..., Any], values: Any) -> None:
    spec = mt.MetricSpec("made", factory=object, values=values)
    *_, toy = mt.load_registry([plugin(metrics=[spec])]).plugins
    assert toy.error.startswith("'made': its values is ")
    with pytest.raises(PluginError, match=r"its values is .*; expected names with a finite number"):
        metric_with(plugin, ones, itself, values=lambda _: values)


def test_scaled_values_are_finite(plugin: Callable[..., Any]) -> None:
    scorer = metric_with(plugin, ones, lambda totals: totals * 1e300, values={"x": 1e300})
    with pytest.raises(PluginError, match="the result of the formula is not finite"):
        scorer.corpus_score(["a"], [["a"]])


# Texts


@pytest.mark.parametrize(
    ("tokens", "fault"),
    [
        ("a b", "expected a list of tokens for each segment, got a string"),
        ({"a", "b"}, "expected a list of tokens for each segment, got set"),
        (None, "expected a list of tokens for each segment, got NoneType"),
        ([None], ""),
        (["\ud800"], ""),
    ],
)
def test_a_tokenizer_returns_lists(tokens: Any, fault: str) -> None:
    pipeline = Pipeline((), TokenizerSpec("bad", function=lambda _: tokens), ())
    with pytest.raises(PluginError) as caught:
        Tokenization().tokenize(Text.of(["a"]), [pipeline])
    assert str(caught.value).startswith("tokenizer 'bad': ")
    assert fault in str(caught.value)


IDS, OFFSETS = np.zeros(1, np.int32), np.array([0, 1])


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ((IDS, [0, 1]), "expected offsets, a flat array of int64, got list"),
        ((IDS.astype(float), OFFSETS), "expected ids, a flat array of int32, got ndarray"),
        ((IDS, np.array([0, 1, 1])), "expected 2 offsets that ascend from 0 to 1"),
        ((IDS, np.array([1, 1])), "expected 2 offsets that ascend from 0 to 1"),
        ((IDS, np.array([0, 9])), "expected 2 offsets that ascend from 0 to 1"),
        ((IDS + 7, OFFSETS), "expected ids of the vocabulary, from 0 to 0"),
        ((IDS - 1, OFFSETS), "expected ids of the vocabulary, from 0 to 0"),
        (None, "TypeError: cannot unpack"),
    ],
)
def test_a_batch_of_tokens_is_valid(result: Any, fault: str) -> None:
    def batch(buffer: bytes, starts: Any, ends: Any, vocabulary: Any) -> Any:  # noqa: ARG001
        vocabulary.intern(["a"])
        return result

    pipeline = Pipeline((), TokenizerSpec("bad", function=str.split, batch=batch), ())
    with pytest.raises(PluginError, match=r"^tokenizer 'bad': ") as caught:
        Tokenization().tokenize(Text.of(["a"]), [pipeline])
    assert fault in str(caught.value)


@pytest.mark.parametrize("result", [None, 3, b"a", "\ud800"])
def test_a_normalizer_returns_strings(result: Any) -> None:
    bad = NormalizerSpec("bad", key="case", stage="text", function=lambda _: result)
    with pytest.raises(PluginError, match=r"^normalizer case=bad: "):
        normalize(Text.of(["a"]), [bad])


@pytest.mark.parametrize("result", ["ab", {"a", "b"}, None, ("a", "b"), ["a", None]])
def test_a_batch_of_strings_is_a_list(result: Any) -> None:
    bad = NormalizerSpec("bad", key="case", stage="text", batch=lambda _: result)
    with pytest.raises(PluginError, match=r"^normalizer case=bad: TypeError: expected a "):
        normalize(Text.of(["a", "b"]), [bad])


def test_token_normalizers_return_unicode() -> None:
    bad = NormalizerSpec("bad", key="stem", stage="token", function=lambda _: "\ud800")
    pipeline = Pipeline((), TokenizerSpec("words", function=str.split), (bad,))
    with pytest.raises(PluginError, match=r"^normalizer stem=bad: "):
        Tokenization().tokenize(Text.of(["a"]), [pipeline])


# Resamplers


@pytest.mark.parametrize(
    "chunks",
    [
        [np.ones((5, 2))],
        [np.ones((5, 2)), np.ones((6, 2))],
        [np.ones((10, 3))],
        [np.ones(10)],
        [np.ones((10, 2), np.int64)],
        [np.full((10, 2), np.nan)],
        [np.full((10, 2), -1.0)],
        [np.ones((0, 2)), np.ones((10, 2))],
        [[[1.0, 1.0]] * 10],
        None,
        3,
    ],
)
def test_resamples_are_valid_weights(
    plugin: Callable[..., Any], matches: mt.MetricSpec, chunks: Sequence[Any] | None
) -> None:
    resampler = mt.ResamplerSpec("bad", function=lambda *_: chunks)
    registry = mt.load_registry([plugin(metrics=[matches], resamplers=[resampler])])
    evaluation = mt.evaluate({"A": ["a", "b"]}, [["a", "c"]], registry=registry, specs=["matches"])
    with pytest.raises(PluginError, match=r"^resampler 'bad' of mteval-toy 1\.0: "):
        evaluation.confidence(10, resampler="bad", registry=registry)


def test_a_resampler_that_exits_midway(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    def draw(n: int, count: int, seed: int) -> Any:  # noqa: ARG001
        yield np.ones((1, n))
        raise SystemExit(0)

    resampler = mt.ResamplerSpec("bad", function=draw)
    registry = mt.load_registry([plugin(metrics=[matches], resamplers=[resampler])])
    evaluation = mt.evaluate({"A": ["a", "b"]}, [["a", "c"]], registry=registry, specs=["matches"])
    with pytest.raises(PluginError, match="SystemExit: 0"):
        evaluation.confidence(10, resampler="bad", registry=registry)


# Declarations

ANYTHING: Any = "bc"


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"help": None}, "its help is None"),
        ({"help": "a\nb"}, "its help is 'a\\nb'; expected one line of text"),
        ({"exceptions": ["x"]}, "its exceptions is ['x']; expected checks with a reason for each"),
        (
            {"factory": "no colon"},
            "its factory is 'no colon'; expected a hashable callable or 'module:attr",
        ),
        ({"options": ["x"]}, "its options is ['x']; expected a tuple of Option objects"),
        ({"views": {"words": "13a"}}, "its views is {'words': '13a'}; expected names with a View"),
        ({"views": {}}, "its views is {}; expected names with a View for each, or a callable"),
        ({"better": "lowest"}, "its better is 'lowest'; expected 'higher' or 'lower'"),
        ({"label": "a/b"}, "its label is 'a/b'; expected a string without '/'"),
        ({"in_default_set": 1}, "its in_default_set is 1; expected True or False"),
        ({"bounds": (1, 0)}, "its bounds is (1, 0); expected two numbers, the lower one first"),
        ({"variants": []}, "its variants is []; expected values of the option 'variant'"),
        ({"main": 3}, "its main is 3; expected a string or None"),
        (
            {"options": (mt.Option("a b", 1),)},
            "its option 'a b': its key is 'a b'; expected",
        ),
        ({"options": (mt.Option("a", 1, choices=ANYTHING),)}, "its choices is 'bc'; expected a"),
        ({"options": (mt.Option("a", 1, minimum=ANYTHING),)}, "its minimum is 'bc'; expected a"),
        ({"options": (mt.Option("a", None),)}, "its default is None; expected a word, number or"),
        (
            {"options": (mt.Option("a-b", 1), mt.Option("a_b", 1))},
            "signature key 'a-b' twice",
        ),
    ],
)
def test_an_odd_declaration_breaks_its_plugin(
    plugin: Callable[..., Any], matches: mt.MetricSpec, changed: dict[str, Any], fault: str
) -> None:
    *_, toy = mt.load_registry([plugin(metrics=[replace(matches, **changed)])]).plugins
    assert fault in toy.error
    assert toy.error.startswith("'matches'")


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"name": "-x"}, "'-x': its name is '-x'; expected letters, digits and hyphens, no hyph"),
        (
            {"name": "rank it"},
            "'rank it': its name is 'rank it'; expected letters, digits and hyph",
        ),
        (
            {"arguments": None},
            "'rank': its arguments is None; expected a hashable callable or 'module:attr",
        ),
        (
            {"run": "rank.run"},
            "'rank': its run is 'rank.run'; expected a hashable callable or 'module:attr",
        ),
        ({"group": "a\nb"}, "'rank': its group is 'a\\nb'; expected one line of text"),
    ],
)
def test_an_odd_command_breaks_its_plugin(
    plugin: Callable[..., Any], changed: dict[str, Any], fault: str
) -> None:
    command = mt.CommandSpec("rank", arguments="mteval_rank:add", run="mteval_rank:run")
    *_, toy = mt.load_registry([plugin(commands=[replace(command, **changed)])]).plugins
    assert toy.error.startswith(fault)
