"""Scorers: options by spec, keyword and default; what metrics and formulas may not do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core import OptionError, PluginError, Spec, UsageError, View
from mteval_core.metrics.scorer import MOST_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable


def changed(matches: mt.MetricSpec, plugin: Callable[..., Any], **fields: Any) -> mt.Registry:
    return mt.load_registry([plugin(metrics=[replace(matches, **fields)])])


# Options


def test_options_come_from_spec_keyword_and_default(registry: mt.Registry) -> None:
    assert mt.metric("matches", registry=registry).setup.options == {"bonus": 0.0}
    assert mt.metric("matches:bonus=0.25", registry=registry).setup.options == {"bonus": 0.25}
    assert mt.metric("matches", registry=registry, bonus=0.25).setup.options == {"bonus": 0.25}
    assert mt.metric(Spec("matches"), registry=registry).setup.options == {"bonus": 0.0}


def test_several_metrics_are_configured_at_once(registry: mt.Registry) -> None:
    specs = ["matches", "matches:bonus=0.25", "matches"]
    found = mt.scorers_of(specs, registry=registry)
    assert [str(scorer.spec) for scorer in found] == specs[:2]


@pytest.mark.parametrize("name", ["compute", "score", "compute_score", "add_batch"])
def test_names_of_other_programs_are_answered_with_what_to_call(
    registry: mt.Registry, name: str
) -> None:
    scorer = mt.metric("matches", registry=registry)
    with pytest.raises(AttributeError, match=rf"no attribute '{name}': call corpus_score\("):
        getattr(scorer, name)
    with pytest.raises(AttributeError, match=r"no attribute 'other'$"):
        _ = scorer.other  # type: ignore[attr-defined]


def test_a_metric_shows_itself_in_one_line(registry: mt.Registry) -> None:
    assert repr(mt.metric("matches", registry=registry)) == (
        "Scorer(spec=Spec(name='matches', options={}, distribution=None), main='P')"
    )


def test_the_spec_outdoes_a_default(registry: mt.Registry) -> None:
    scorer = mt.metric("matches:tok=char", registry=registry, bonus=0.5, case="lc")
    assert scorer.setup.options == {"bonus": 0.5}
    assert str(scorer.spec) == "matches:tok=char,bonus=0.5,case=lc"
    scorer = mt.metric(
        "matches:tok=char", registry=registry, defaults={"tok": "none", "case": "ascii"}
    )
    assert (scorer.setup.fields["tok"], scorer.setup.fields["case"]) == (("char",), ("ascii",))
    assert str(scorer.spec) == "matches:tok=char"


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"bonus": 2}, "metric 'matches': option bonus=2: expected a number from 0 to 1"),
        ({"bonus": None}, "metric 'matches': option bonus=None: expected a number from 0 to 1"),
        ({"bonos": 1}, "metric 'matches': no option 'bonos'. Did you mean 'bonus'?"),
    ],
)
def test_wrong_keywords(registry: mt.Registry, keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        mt.metric("matches", registry=registry, **keywords)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("matches:bonus=2", "metric 'matches': option bonus=2: expected a number from 0 to 1"),
        ("matches:bonos=1", "metric 'matches': no option 'bonos'. Did you mean 'bonus'?"),
        (
            "matches:zzz=1",
            "metric 'matches': no option 'zzz'. Known: bonus, case, stem, tok.",
        ),
        ("matches:tok=13a+char", "metric 'matches': option tok=13a+char: expected a word"),
        ("matches:loo=perhaps", "metric 'matches': option loo=perhaps: expected yes or no"),
    ],
)
def test_wrong_options(registry: mt.Registry, spec: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        mt.metric(spec, registry=registry)
    assert str(caught.value) == message


def test_an_option_with_a_hyphen(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    @dataclass(frozen=True)
    class Hyphenated:
        max_order: int

        def segment_statistics(self, *_: Any) -> Any:
            return [self.max_order]

        def score(self, totals: Any) -> Any:
            return totals

    registry = changed(
        matches,
        plugin,
        factory=Hyphenated,
        values={"n": 1},
        options=(mt.Option("max-order", 4),),
    )
    assert mt.metric("matches:max-order=7", registry=registry).setup.options == {"max-order": 7}
    scorer = mt.metric("matches", registry=registry, max_order=9)
    assert scorer.sentence_score("a", ["a"]).score == 9
    assert scorer.setup.fields["max-order"] == ("9",)


def test_a_variant_brings_defaults_that_options_outdo(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = changed(
        matches,
        plugin,
        factory=lambda bonus, **_: matches.factory(bonus),  # type: ignore[operator]
        options=(
            mt.Option("variant", "paper", choices=("paper", "1.5.5")),
            mt.Option("bonus", 0.0),
            mt.Option("tok", "none"),
        ),
        variants={"1.5.5": {"bonus": 0.5, "tok": "char", "case": "ascii"}},
    )
    paper = mt.metric("matches", registry=registry).setup
    assert (paper.options["bonus"], paper.fields["tok"], paper.fields["case"]) == (
        0.0,
        ("none",),
        ("mixed",),
    )
    program = mt.metric("matches:variant=1.5.5", registry=registry)
    setup = program.setup
    assert (setup.options["bonus"], setup.fields["tok"], setup.fields["case"]) == (
        0.5,
        ("char",),
        ("ascii",),
    )
    mixed = mt.metric("matches:variant=1.5.5,bonus=0.1,tok=13a", registry=registry).setup
    assert (mixed.options["bonus"], mixed.fields["tok"]) == (0.1, ("13a",))
    again = mt.metric(str(program.signature()), registry=registry)
    assert again.setup.fields == program.setup.fields


# Views


def test_views_are_keywords_and_only_the_open_ones_change(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    @dataclass(frozen=True)
    class Both:
        def statistics(self, words: Any, chars: Any) -> Any:
            return np.stack([words.hypotheses.lengths, chars.hypotheses.lengths], axis=1)

        def score(self, totals: Any) -> Any:
            return totals

    registry = changed(
        matches,
        plugin,
        factory=Both,
        options=(),
        values={"words": 1, "chars": 1},
        views={"words": View(), "chars": View(tok="char", stem="none")},
    )
    score = mt.metric("matches:tok=none,stem=porter", registry=registry).sentence_score(
        "two, words", ["x"]
    )
    assert score.values == {"words": 2, "chars": 9}
    registry = changed(
        matches,
        plugin,
        factory=Both,
        options=(),
        values={"words": 1, "chars": 1},
        views={"words": View(tok="none"), "chars": View(tok="char")},
    )
    with pytest.raises(OptionError, match=r"no option 'tok'\. Known: case, stem\.$"):
        mt.metric("matches:tok=none", registry=registry)
    # A default for all metrics passes over those that do not have the option.
    scorer = mt.metric("matches", registry=registry, defaults={"tok": "none"})
    assert "tok" not in scorer.setup.fields


# Scores


def test_a_score_is_formatted_as_its_number(registry: mt.Registry) -> None:
    score = mt.metric("matches", registry=registry).corpus_score(["a b", "x x"], [["a b", "a b"]])
    assert f"{score:.1f}" == f"{score.score:.1f}" == "50.0"
    assert f"{score:7.2f}|" == "  50.00|"
    assert f"{score}" == str(score)


def test_a_score_has_its_parts_in_their_scales(registry: mt.Registry) -> None:
    score = mt.metric("matches", registry=registry).corpus_score(
        ["a b", "c"], [["a x", "c"], ["b", None]]
    )
    assert score.name == "Matches"
    assert score.score == pytest.approx(200 / 3)
    assert score.values == {"P": score.score, "length": 3}
    assert score.n_segments == 2
    assert float(score) == score.score
    assert str(score) == f"{score.signature} = 66.67 (P=66.67 length=3.00)"
    assert score.format(4).endswith(" = 66.6667 (P=66.6667 length=3.0000)")


def test_one_reference_of_a_sentence_may_be_a_string(registry: mt.Registry) -> None:
    scorer = mt.metric("matches", registry=registry)
    assert scorer.sentence_score("a b", "a c") == scorer.sentence_score("a b", ["a c"])  # type: ignore[arg-type]


def test_sentences_score_the_same_alone_and_after_others_and_in_threads(
    registry: mt.Registry,
) -> None:
    segments = [(f"Cats run {k % 7}", [f"a cat {k} RUNNING", f"cats {k % 7}"]) for k in range(60)]

    def stemming() -> mt.Scorer:
        return mt.metric("matches", registry=registry, case="lc", stem="porter")

    alone = [stemming().sentence_score(*segment).score for segment in segments]
    scorer = stemming()
    assert [scorer.sentence_score(*segment).score for segment in segments] == alone
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda segment: scorer.sentence_score(*segment).score, segments)
        assert list(found) == alone
    assert len({*alone}) > 1


def test_a_scorer_does_not_keep_the_types_of_all_sentences(registry: mt.Registry) -> None:
    scorer = mt.metric("matches", registry=registry)
    for start in range(0, 40_000, 500):
        scorer.sentence_score(" ".join(map(str, range(start, start + 500))), ["a"])
        kept = vars(scorer).get("_tokenization")
        assert kept is None or len(kept.vocabulary) < MOST_TYPES


def test_the_main_value_is_the_score(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    registry = changed(matches, plugin, main="length")
    assert mt.metric("matches", registry=registry).sentence_score("a b c", ["a"]).score == 3


def test_values_may_depend_on_options(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    registry = changed(
        matches, plugin, values=lambda options: {f"P{options['bonus']:g}": 1, "length": 1}
    )
    score = mt.metric("matches:bonus=1", registry=registry).sentence_score("a", ["a"])
    assert score.values == {"P1": 2.0, "length": 1}


# What a metric may not do


def metric_with(rows: Any, values: Any = None) -> Any:
    @dataclass(frozen=True)
    class Made:
        def statistics(self, words: Any) -> Any:
            return rows(words) if callable(rows) else rows

        def score(self, totals: Any) -> Any:
            return totals if values is None else values(totals)

    return Made


def boom(*_: Any) -> Any:
    raise RuntimeError("boom")


WHO = "metric 'matches' of mteval-toy 1.0: "


@pytest.mark.parametrize(
    ("rows", "values", "message"),
    [
        (
            lambda _: np.zeros((1, 2)),
            None,
            WHO + "the statistics have shape (1, 2); expected (2, k), one row per segment",
        ),
        (
            lambda _: np.zeros(2),
            None,
            WHO + "the statistics have shape (2,); expected (2, k), one row per segment",
        ),
        (
            lambda _: [[1.0, 2.0], [np.nan, 1.0]],
            None,
            WHO + "the statistics of segment 1 are not finite, or larger than 1e+100: [nan  1.]",
        ),
        (
            lambda _: [[1e308, 2.0], [1e308, 1.0]],  # whose sum overflows
            None,
            WHO + "the statistics of segment 0 are not finite, or larger than 1e+100: [",
        ),
        (
            lambda _: [[1.0], [2.0]],
            None,
            WHO + "the result of the formula has the shape (1,), expected (2,)",
        ),
        (
            lambda _: [[1.0, 0.0], [2.0, 0.0]],
            lambda totals: totals / np.inf + np.nan,
            WHO + "the result of the formula",
        ),
        (boom, None, "the statistics of metric 'matches' of mteval-toy 1.0: RuntimeError: boom"),
        (
            lambda _: np.zeros((2, 2)),
            boom,
            "the formula of metric 'matches' of mteval-toy 1.0: RuntimeError: boom",
        ),
        (
            lambda _: [["a", "b"]] * 2,
            None,
            "the statistics of metric 'matches' of mteval-toy 1.0: TypeError: the result is",
        ),
    ],
)
def test_a_metric_that_goes_wrong_is_named(
    plugin: Callable[..., Any], matches: mt.MetricSpec, rows: Any, values: Any, message: str
) -> None:
    registry = changed(matches, plugin, factory=metric_with(rows, values), options=())
    with pytest.raises(PluginError) as caught:
        mt.metric("matches", registry=registry).corpus_score(["a", "b"], [["a", "b"]])
    assert str(caught.value).startswith(message)


def test_the_cause_stays_visible_in_python(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = changed(matches, plugin, factory=metric_with(boom), options=())
    with pytest.raises(PluginError) as caught:
        mt.metric("matches", registry=registry).sentence_score("a", ["a"])
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_metric_is_prepared_on_all_references_once(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    seen = []

    @dataclass(frozen=True)
    class Prepared:
        n_words: int = 0

        def prepare(self, words: Any, vocabulary: Any) -> Prepared:
            seen.append(vocabulary.tokens(words.ids))
            return Prepared(len(words.ids))

        def statistics(self, words: Any) -> Any:
            return np.full((len(words), 1), float(self.n_words))

        def score(self, totals: Any) -> Any:
            return totals

    registry = changed(matches, plugin, factory=Prepared, options=(), values={"n": 1})
    evaluation = mt.evaluate(
        {"A": ["u", "v"], "B": ["w", "x"]}, [["a b", "c"], ["d", "e"]], "matches", registry=registry
    )
    assert seen == [["a", "b", "c", "d", "e"]]
    assert evaluation.score("B", "matches").score == 10
    # Scored alone, a sentence is prepared on its own references.
    assert mt.metric("matches", registry=registry).sentence_score("u", ["a b"]).score == 2


# Threads


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_change_no_bit(
    registry: mt.Registry, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    hypotheses = [f"a{i % 3} b{i % 5} c" for i in range(23)]
    references = [[f"a{i % 4} c b{i % 2}" for i in range(23)]]

    def rows() -> Any:
        evaluation = mt.evaluate(
            {"A": hypotheses}, references, "matches", registry=registry, threads=threads
        )
        return evaluation.scores.rows["A", "matches"]

    at_once = rows()
    monkeypatch.setattr("mteval_core.metrics.rows.SEGMENTS_AT_ONCE", 2)
    assert np.array_equal(rows(), at_once)


def test_a_fault_is_found_in_any_thread(
    plugin: Callable[..., Any], matches: mt.MetricSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mteval_core.metrics.rows.SEGMENTS_AT_ONCE", 1)

    def rows(words: Any) -> Any:
        lengths = words.hypotheses.lengths.astype(float)
        return np.stack([np.where(lengths == 3, np.nan, lengths)] * 2, axis=1)

    registry = changed(matches, plugin, factory=metric_with(rows), options=())
    with pytest.raises(PluginError, match="segment 5 are not finite"):
        mt.evaluate(
            {"A": ["a"] * 5 + ["a b c"] + ["a"] * 4},
            [["a"] * 10],
            "matches",
            registry=registry,
            threads=5,
        )


# Signatures of other programs


def test_another_programs_signature(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    def parse(name: str, fields: Any) -> str | None:
        return f"matches:bonus={fields['b'][0]}" if name == "THEIRS" else None

    registry = changed(matches, plugin, parse_foreign=parse)
    for ours in ("", "|plugin:mteval-toy@1.0"):
        read = mt.metric(f"THEIRS|b:0.5{ours}|version:9", registry=registry)
        assert read.setup.options == {"bonus": 0.5}
    with pytest.raises(UsageError) as caught:
        mt.metric("OTHER|b:0.5", registry=registry)
    assert str(caught.value) == (
        "the signature 'OTHER|b:0.5' has no field 'plugin', so another program wrote it, and no "
        "installed metric can read it"
    )


def test_a_reader_of_signatures_that_fails_is_named(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = changed(matches, plugin, parse_foreign=boom)
    with pytest.raises(PluginError) as caught:
        mt.metric("THEIRS|b:0.5", registry=registry)
    assert str(caught.value) == "metric 'matches' of mteval-toy 1.0: RuntimeError: boom"


# Any spec at all

KEYS = ("tok", "case", "stem", "loo", "order", "smooth", "variant", "e", "beta", "skip", "x")
VALUES = st.sampled_from(["", "0", "-1", "1e9", "nan", "no", "yes", "13a", "floor[", "a+b", "*"])


@settings(max_examples=300)
@given(
    st.sampled_from(
        [
            entry.declaration.name
            for entry in mt.default_registry().of_kind(mt.MetricSpec)
            if not entry.declaration.libraries
        ]
        or [""]
    ),
    st.dictionaries(st.sampled_from(KEYS), VALUES | st.text(max_size=5), max_size=3),
)
def test_any_options_of_any_metric_are_read_or_refused(name: str, options: dict[str, str]) -> None:
    """No plugin answers what a user writes with an exception of its own."""
    spec = Spec(name, {key: (value,) for key, value in options.items()})
    try:
        scorer = mt.metric(spec)
    except UsageError:
        return
    again = mt.metric(str(scorer.signature()))
    assert again.setup.fields == scorer.setup.fields


@given(st.text(max_size=12))
def test_any_text_is_a_metric_or_a_usage_error(registry: mt.Registry, text: str) -> None:
    for spec in (text, f"matches:{text}", f"matches:bonus={text}", f"M|{text}", f"M|plugin:{text}"):
        try:
            scorer = mt.metric(spec, registry=registry)
        except UsageError:
            continue
        again = mt.metric(str(scorer.signature()), registry=registry)
        assert again.setup.fields == scorer.setup.fields


@pytest.mark.parametrize("references", [None, 3, {"a"}, {"a": "b"}, b"a"])
def test_references_of_a_sentence_are_strings(registry: mt.Registry, references: Any) -> None:
    with pytest.raises(mt.UsageError, match="the references: expected a list of strings, got"):
        mt.metric("matches", registry=registry).sentence_score("a", references)
