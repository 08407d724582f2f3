"""Which declaration a name means where several distributions claim it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.plugins import clashes

if TYPE_CHECKING:
    from collections.abc import Callable


def letters(text: str) -> list[str]:
    return list(text.replace(" ", ""))


def nothing(text: str) -> str:  # noqa: ARG001 - a normalizer that ruins every score
    return ""


LETTERS = mt.TokenizerSpec("13a", function=letters)
OWN = mt.TokenizerSpec("own", function=letters)
RUINED = mt.NormalizerSpec("lc", key="case", stage="text", function=nothing)


def loaded(*points: Any) -> mt.Registry:
    registry = mt.load_registry(points)
    assert [plugin.error for plugin in registry.plugins if plugin.error] == []
    return registry


def test_the_names_of_the_host_stand(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    matches = replace(matches, in_default_set=True)
    spec = "matches:tok=13a,case=lc"
    alone = loaded(plugin(metrics=[matches]))
    before = mt.metric(spec, registry=alone).corpus_score(["A b"], [["a b"]])
    with_others = loaded(
        plugin(metrics=[matches]),
        plugin(
            "other",
            tokenizers=[LETTERS],
            normalizers=[RUINED],
            formats=[mt.FormatSpec("text", function=str)],
            resamplers=[mt.ResamplerSpec("bootstrap", function=letters)],
        ),
    )
    for name in (spec, str(before.signature)):
        after = mt.metric(name, registry=with_others).corpus_score(["A b"], [["a b"]])
        assert after == before
    assert with_others.default_metrics() == ["matches"]
    for kind, name in ((mt.FormatSpec, "text"), (mt.ResamplerSpec, "bootstrap")):
        assert with_others.find(kind, name).plugin.distribution == "mteval-core"
    assert [list(clash.sentences()) for clash in clashes(with_others)] == [
        [f"{what} of mteval-other is hidden by that of mteval-core: choose mteval-other/{name}"]
        for what, name in (
            ("tokenizer '13a'", "13a"),
            ("normalizer 'case=lc'", "lc"),
            ("format 'text'", "text"),
            ("resampler 'bootstrap'", "bootstrap"),
        )
    ]


def test_a_hidden_name_is_found_with_its_distribution(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    registry = loaded(plugin(metrics=[matches]), plugin("other", tokenizers=[LETTERS]))
    scorer = mt.metric("matches:tok=mteval-other/13a", registry=registry)
    score = scorer.corpus_score(["ab"], [["ba"]])
    assert score.values["length"] == 2
    assert "|tok:mteval-other/13a|" in str(score.signature)
    again = mt.metric(str(score.signature), registry=registry)
    assert again.corpus_score(["ab"], [["ba"]]) == score


def test_a_metric_finds_the_names_of_its_own_distribution(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    views = {"words": mt.View(tok="own")}
    registry = loaded(
        plugin("one", metrics=[replace(matches, views=views)], tokenizers=[OWN]),
        plugin("two", tokenizers=[replace(OWN, function=str.split)]),
        plugin("three", metrics=[replace(matches, name="third", label=None)]),
    )
    scorer = mt.metric("matches", registry=registry)
    assert scorer.sentence_score("a b c", ["a b c"]).values["length"] == 3
    assert [plugin.distribution for plugin in scorer.setup.plugins] == ["mteval-one"]
    message = "^tokenizer 'own' .* choose mteval-one/own or mteval-two"
    with pytest.raises(mt.PluginError, match=message):
        mt.metric("third:tok=own", registry=registry)


def test_an_old_signature_finds_what_was_unambiguous_when_it_was_written(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    before = [plugin("one", metrics=[matches]), plugin("two", tokenizers=[OWN])]
    spec = "matches:tok=own"
    score = mt.metric(spec, registry=loaded(*before)).corpus_score(["ab"], [["a"]])
    later = loaded(
        *before,
        plugin(
            "zebra",
            metrics=[replace(matches, name="Matches", label="x"), replace(matches, label="y")],
            tokenizers=[replace(OWN, function=str.split)],
        ),
    )
    again = mt.metric(str(score.signature), registry=later)
    assert again.setup.entry.plugin.distribution == "mteval-one"
    assert again.corpus_score(["ab"], [["a"]]).values == score.values


def foreign(name: str, fields: Any) -> str | None:  # noqa: ARG001 - the interface of the hook
    return "matches" if name == "TOY" else None


SIGNATURE = "TOY|nrefs:1|version:9"


def test_a_parser_that_fails_does_not_stop_the_others(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    def fails(*_: Any) -> str | None:
        raise SystemExit(0)

    able = plugin("able", metrics=[replace(matches, parse_foreign=foreign)])
    unable = plugin("unable", metrics=[replace(matches, name="a", label="a", parse_foreign=fails)])
    scorer = mt.metric(SIGNATURE, registry=loaded(able, unable))
    assert scorer.setup.entry.plugin.distribution == "mteval-able"
    with pytest.raises(mt.PluginError, match=r"metric 'a' of mteval-unable 1\.0: SystemExit: 0"):
        mt.metric(SIGNATURE, registry=loaded(unable))


def test_several_parsers_of_one_signature_are_an_error(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    points = [plugin(name, metrics=[replace(matches, parse_foreign=foreign)]) for name in "ab"]
    with pytest.raises(mt.PluginError, match=r"mteval-a/matches and mteval-b/matches can read"):
        mt.metric(SIGNATURE, registry=loaded(*points))


@pytest.mark.parametrize("result", ["", 3, ["matches"], "a:b"])
def test_a_parser_must_return_a_spec(
    plugin: Callable[..., Any], matches: mt.MetricSpec, result: Any
) -> None:
    point = plugin(metrics=[replace(matches, parse_foreign=lambda *_: result)])
    with pytest.raises(mt.PluginError, match="expected a spec"):
        mt.metric(SIGNATURE, registry=loaded(point))


@pytest.mark.parametrize("pattern", ["*", "*.txt", "?*", "*.t?t", "[!.]*", "*.*", "", "x"])
def test_a_reader_may_not_claim_plain_text(plugin: Callable[..., Any], pattern: str) -> None:
    reader = mt.ReaderSpec("all", patterns=("*.tmx", pattern), function=letters)
    *_, bad = mt.load_registry([plugin("bad", readers=[reader])]).plugins
    assert bad.status == ("broken" if pattern else "ok")


def test_a_key_of_the_host_keeps_its_place_in_signatures(
    plugin: Callable[..., Any], matches: mt.MetricSpec
) -> None:
    odd = [
        mt.NormalizerSpec("x", key="stem", stage="text", function=str.upper),
        mt.NormalizerSpec("y", key="case", stage="token", function=str.upper),
    ]
    plain, both = (
        mt.metric("matches", registry=loaded(plugin(metrics=[matches]), *more))
        for more in ([], [plugin("odd", normalizers=odd)])
    )
    assert str(both.signature()) == str(plain.signature())
    scorer = mt.metric("matches:stem=x", registry=both.setup.registry)
    assert scorer.sentence_score("a", ["A"]).score == 100


@pytest.mark.parametrize("key", ["tok", "refs", "loo", "a b", "1st", "a|b", ""])
def test_a_key_that_a_normalizer_may_not_have(plugin: Callable[..., Any], key: str) -> None:
    declared = mt.NormalizerSpec("x", key=key, stage="text", function=str.upper)
    *_, bad = mt.load_registry([plugin("bad", normalizers=[declared])]).plugins
    assert bad.status == "broken"


@pytest.mark.parametrize(("key", "name"), [("case", "mixed"), ("stem", "none"), ("form", "none")])
def test_a_name_that_stands_for_no_normalizer(
    plugin: Callable[..., Any], key: str, name: str
) -> None:
    declared = mt.NormalizerSpec(name, key=key, stage="text", function=str.upper)
    *_, bad = mt.load_registry([plugin("bad", normalizers=[declared])]).plugins
    assert bad.error == f"{key}={name} stands for no normalizer: choose another name"
