"""The steps from a spec to a scorer, one at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core import MetricSpec, NormalizerSpec, Option, Signature, Spec, TokenizerSpec, View
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.request import MetricRequest
from mteval_core.metrics.resolve import from_signature, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Length:
    """Counts tokens; its options are there to be set."""

    variant: str = "short"
    max_order: int = 4
    smooth: str = "none"

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[int]:
        return [len(hypothesis), len(references)]

    def score(self, totals: Any) -> Any:
        return totals


LENGTH = MetricSpec(
    "length",
    label="LEN",
    factory=Length,
    help="number of tokens",
    values={"tokens": 1, "references": 1},
    options=(
        Option("variant", "short", choices=("short", "long")),
        Option("tok", "none"),
        Option("max-order", 4, minimum=1),
        Option("smooth", "none", choices=("none", "exp")),
    ),
    variants={"short": {}, "long": {"max-order": 9, "case": "lc"}},
)

COMMAS = TokenizerSpec("commas", function=lambda text: text.split(","), help="split at commas")
BARE = NormalizerSpec(
    "bare", key="marks", stage="text", function=lambda text: text.replace("!", ""), help="no !"
)
FIRST = NormalizerSpec(
    "first", key="crop", stage="token", function=lambda token: token[:1], help="first letter"
)


@pytest.fixture(scope="module")
def house(plugin: Callable[..., Any]) -> mt.Registry:
    """Load a plugin with the metric, a tokenizer, and a normalizer of each stage."""
    return mt.load_registry(
        [plugin(metrics=[LENGTH], tokenizers=[COMMAS], normalizers=[BARE, FIRST])]
    )


def request(
    registry: mt.Registry, spec: str = "length", defaults: Mapping[str, str] | None = None
) -> MetricRequest:
    entry = registry.find(MetricSpec, "length")
    return MetricRequest(Spec.parse(spec), entry, registry, defaults or {}, mt.metric)


# Specs and signatures


def test_a_spec_is_parsed_as_it_is(house: mt.Registry) -> None:
    assert parse("length:max-order=2", house) == Spec("length", {"max-order": ("2",)})


def test_a_signature_becomes_a_spec_without_what_was_scored(house: mt.Registry) -> None:
    signature = (
        "LEN|nrefs:2|bs:1000|seed:1|case:lc|tok:none|max-order:3|refs:0a|plugin:mteval-toy@1.0"
    )
    spec = parse(f"{signature}|version:0.1.0", house)
    assert spec.name == "LEN"
    assert spec.options == {"case": ("lc",), "tok": ("none",), "max-order": ("3",)}


def test_a_foreign_signature_is_read_by_the_metric_that_can(plugin: Callable[..., Any]) -> None:
    def read(name: str, fields: Mapping[str, tuple[str, ...]]) -> str | None:
        return f"length:max-order={fields['n'][0]}" if name == "THEIRS" else None

    registry = mt.load_registry([plugin(metrics=[replace(LENGTH, parse_foreign=read)])])
    spec = from_signature(Signature.parse("THEIRS|n:7|version:9"), registry)
    assert spec == Spec("length", {"max-order": ("7",)})
    with pytest.raises(mt.UsageError, match="no field 'plugin'"):
        from_signature(Signature.parse("OTHER|n:7|version:9"), registry)


def test_the_plugin_of_a_signature_chooses_among_metrics_of_one_name(
    plugin: Callable[..., Any],
) -> None:
    registry = mt.load_registry([plugin("one", metrics=[LENGTH]), plugin("two", metrics=[LENGTH])])
    spec = parse("LEN|tok:none|plugin:mteval-two@1.0|version:0.1.0", registry)
    assert spec.distribution == "mteval-two"


# Options


def test_own_options_are_those_that_the_class_receives(house: mt.Registry) -> None:
    assert list(request(house).own) == ["variant", "max-order", "smooth"]


def test_keys_of_the_pipeline_come_in_the_order_of_its_steps(house: mt.Registry) -> None:
    assert request(house).pipeline_keys == ("case", "marks", "tok", "stem", "crop")


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("length", {"variant": "short", "max-order": 4, "smooth": "none"}),
        ("length:variant=long", {"variant": "long", "max-order": 9, "smooth": "none"}),
        ("length:variant=long,max-order=2", {"variant": "long", "max-order": 2, "smooth": "none"}),
    ],
)
def test_the_spec_comes_before_the_variant_and_the_variant_before_the_declaration(
    house: mt.Registry, spec: str, options: dict[str, Any]
) -> None:
    assert request(house, spec).options == options


def test_keywords_become_options_of_the_spec(house: mt.Registry) -> None:
    spec = request(house).with_keywords({"max_order": 3, "tok": "commas", "loo": True}).spec
    assert spec.options == {"max-order": ("3",), "tok": ("commas",), "loo": ("yes",)}


def test_keywords_add_options_to_the_spec(house: mt.Registry) -> None:
    asked = request(house, "length").with_keywords({"max_order": 3})
    assert asked.spec.options == {"max-order": ("3",)}


def test_an_option_in_the_spec_and_as_a_keyword_is_refused(house: mt.Registry) -> None:
    with pytest.raises(mt.OptionError, match="the option max-order is given twice: in the spec"):
        request(house, "length:max-order=2").with_keywords({"max_order": 3})


@pytest.mark.parametrize("spec", [["bleu"], None, 3, {"bleu"}])
def test_what_is_not_a_spec_is_a_usage_error(house: mt.Registry, spec: Any) -> None:
    with pytest.raises(mt.UsageError, match="expected the spec of one metric, NAME or"):
        mt.metric(spec, registry=house)


def test_unknown_options_are_refused_with_the_nearest_name(house: mt.Registry) -> None:
    with pytest.raises(mt.OptionError, match=r"no option 'max-ordr'.*max-order"):
        request(house, "length:max-ordr=2").refuse_unknown_options()
    request(house, "length:max-order=2,marks=bare,loo=yes").refuse_unknown_options()


@pytest.mark.parametrize(
    ("spec", "defaults", "expected"),
    [
        ("length", {}, "no"),
        ("length", {"loo": "yes"}, "yes"),
        ("length:loo=no", {"loo": "yes"}, "no"),
        ("length:loo=yes", {}, "yes"),
    ],
)
def test_jackknifing_is_an_option_of_every_metric(
    house: mt.Registry, spec: str, defaults: dict[str, str], expected: str
) -> None:
    asked = request(house, spec, defaults)
    assert asked.is_jackknifed == (expected == "yes")
    assert isinstance(asked.implementation(), Jackknife) == (expected == "yes")
    assert asked.fields.get("loo", ("no",)) == (expected,)


# Pipelines


@pytest.mark.parametrize(
    ("spec", "defaults", "name"),
    [
        ("length", {}, "mixed"),
        ("length:variant=long", {}, "lc"),
        ("length:variant=long", {"case": "ascii"}, "ascii"),
        ("length:variant=long,case=mixed", {"case": "ascii"}, "mixed"),
    ],
)
def test_names_come_from_the_spec_the_defaults_the_variant_and_the_standard(
    house: mt.Registry, spec: str, defaults: dict[str, str], name: str
) -> None:
    assert request(house, spec, defaults).names["case"] == (name,)


def test_a_declared_tokenizer_replaces_the_standard_one(house: mt.Registry) -> None:
    assert request(house).names["tok"] == ("none",)
    assert request(house, defaults={"tok": "commas"}).names["tok"] == ("commas",)


def test_only_keys_that_some_view_leaves_open_have_a_name(plugin: Callable[..., Any]) -> None:
    fixed = replace(LENGTH, views={"words": View(tok="13a", case="lc"), "raw": View(tok="none")})
    registry = mt.load_registry([plugin(metrics=[fixed])])
    assert list(request(registry).names) == ["case", "stem"]


def test_views_may_depend_on_the_options(plugin: Callable[..., Any]) -> None:
    def views(options: Mapping[str, Any]) -> dict[str, View]:
        return {f"order{n + 1}": View() for n in range(options["max-order"])}

    registry = mt.load_registry([plugin(metrics=[replace(LENGTH, views=views)])])
    assert list(request(registry, "length:max-order=2").views) == ["order1", "order2"]


def test_the_pipeline_has_the_steps_that_are_named(house: mt.Registry) -> None:
    asked = request(house, "length:tok=commas,marks=bare,crop=first")
    (view,) = asked.views.values()
    pipeline = asked.pipeline(view)
    assert pipeline.tokenizer is COMMAS
    assert (pipeline.text, pipeline.token) == ((BARE,), (FIRST,))


def test_normalizers_of_a_view_come_after_the_chosen_ones(house: mt.Registry) -> None:
    asked = request(house, "length:case=lc")
    steps = asked.pipeline(View(normalizers=(BARE,))).text
    assert [step.name for step in steps] == ["lc", "bare"]


def test_the_plugins_that_take_part_are_named_once(plugin: Callable[..., Any]) -> None:
    two_views = replace(LENGTH, views={"words": View(), "more": View()})
    registry = mt.load_registry(
        [plugin("toy", metrics=[two_views]), plugin("splitter", tokenizers=[COMMAS])]
    )
    plugins = request(registry, "length:tok=commas").plugins
    assert [plugin.distribution for plugin in plugins] == ["mteval-toy", "mteval-splitter"]
    (only,) = request(registry).plugins
    assert only.distribution == "mteval-toy"


# Signature and implementation


def test_fields_state_every_option_in_order(house: mt.Registry) -> None:
    assert request(house, "length:variant=long,crop=first").fields == {
        "case": ("lc",),
        "variant": ("long",),
        "tok": ("none",),
        "max-order": ("9",),
        "smooth": ("none",),
        "stem": ("none",),
        "crop": ("first",),
    }


def test_the_class_receives_its_options_as_keywords(house: mt.Registry) -> None:
    implementation = request(house, "length:variant=long,smooth=exp,tok=commas").implementation()
    assert implementation == Length(variant="long", max_order=9, smooth="exp")


def test_the_scorer_counts_what_the_pipeline_made(house: mt.Registry) -> None:
    scorer = request(house, "length:tok=commas,marks=bare").scorer()
    score = scorer.corpus_score(["a!,b c", "d"], [["x", "y"]])
    assert score.values == {"tokens": 3, "references": 2}


def test_a_main_value_that_is_not_a_value_is_the_fault_of_the_plugin(
    plugin: Callable[..., Any],
) -> None:
    registry = mt.load_registry([plugin(metrics=[replace(LENGTH, main="words")])])
    with pytest.raises(
        mt.PluginError, match="main value is 'words', but its values are tokens, references"
    ):
        request(registry).scorer()


def test_errors_of_options_name_the_metric(house: mt.Registry) -> None:
    with pytest.raises(mt.OptionError, match="metric 'length': option max-order=0: expected"):
        mt.metric("length:max-order=0", registry=house)
