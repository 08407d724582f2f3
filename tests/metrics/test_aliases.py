"""Other names of metrics: those that plugins declare, and answers to names that nobody has."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing.declaration_checks import aliases_name_the_metric

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Registry

REFERENCES = ["the cat sat on the mat", "it was not so"]


class Overlap:
    """Counts tokens of the hypothesis, as many times as it is told."""

    def __init__(self, times: int = 1, letters: str = "mixed") -> None:
        self.times, self.letters = times, letters

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[int]:
        return [len(hypothesis) * self.times, len(references)]


OVERLAP = mt.MetricSpec(
    "overlap",
    factory=Overlap,
    help="tokens",
    label="OVL",
    values={"tokens": 1, "references": 1},
    options=(
        mt.Option("times", 1, "how often", minimum=1),
        mt.Option("letters", "mixed", "which", choices=("mixed", "lower")),
    ),
    aliases={
        "Overlap++": "overlap:times=2",
        "refs": "overlap:value=references",
        "o": ("overlap:times=3", "overlap:times=4"),
    },
)


def load(plugin: Callable[..., Any], **changes: Any) -> Registry:
    return mt.load_registry([plugin("outside", metrics=[replace(OVERLAP, **changes)])])


@pytest.fixture
def registry(plugin: Callable[..., Any]) -> Registry:
    return load(plugin)


def test_an_alias_is_the_spec_that_it_stands_for(registry: Registry) -> None:
    alias = mt.metric("Overlap++", registry=registry)
    meant = mt.metric("overlap:times=2", registry=registry)
    assert alias.spec == meant.spec
    assert str(alias.signature()) == str(meant.signature())
    assert alias.corpus_score(["a b"], [["a"]]).score == 4
    assert mt.metric("refs", registry=registry).corpus_score(["a b"], [["a"]]).score == 1


def test_an_alias_takes_the_options_that_it_leaves_open(registry: Registry) -> None:
    scorer = mt.metric("Overlap++:letters=lower", registry=registry)
    assert str(scorer.spec) == "overlap:times=2,letters=lower"
    assert mt.metric("Overlap++.references", registry=registry).main == "references"


def test_an_option_that_the_alias_sets_is_refused(registry: Registry) -> None:
    with pytest.raises(mt.OptionError, match=r"overlap:times=2: leave out times"):
        mt.metric("Overlap++:times=3", registry=registry)


def test_an_alias_with_several_meanings_names_them(registry: Registry) -> None:
    with pytest.raises(mt.UsageError, match=r"overlap:times=3 or overlap:times=4"):
        mt.metric("o", registry=registry)


@pytest.mark.parametrize("name", ["overlap++", "OVERLAP++", "mteval-outside/overlap++"])
def test_case_does_not_matter_in_aliases(plugin: Callable[..., Any], name: str) -> None:
    registry = load(plugin)
    scorer = mt.metric(name, registry=registry)
    assert scorer.declaration.name == "overlap"


def test_names_near_an_alias_are_suggested(registry: Registry) -> None:
    with pytest.raises(mt.UnknownNameError, match=r"Did you mean 'Overlap\+\+'"):
        mt.metric("overlab++", registry=registry)


@pytest.mark.parametrize("spec", ["bleu,chrf", "bleu,chrf:nw=2"])
def test_metrics_joined_by_commas_are_answered_with_what_to_write(spec: str) -> None:
    with pytest.raises(mt.UnknownNameError, match="bleu chrf"):
        mt.metric(spec)
    with pytest.raises(mt.UsageError, match="spaces separate"):
        mt.metric("bleu:order=2,chrf")


def test_an_alias_that_is_no_spec_breaks_the_plugin(plugin: Callable[..., Any]) -> None:
    with pytest.raises(mt.PluginError, match="aliases"):
        load(plugin, aliases={"a\nb": "overlap"}).find(mt.MetricSpec, "overlap")
    with pytest.raises(mt.PluginError, match="aliases"):
        load(plugin, aliases={"more": 2}).find(mt.MetricSpec, "overlap")
    with pytest.raises(mt.PluginError, match="aliases"):
        load(plugin, aliases={"more": ()}).find(mt.MetricSpec, "overlap")


@pytest.mark.parametrize(
    "aliases",
    [{"more": "other:times=2"}, {"more": "overlap:time=2"}, {"more": ("overlap", "other")}],
)
def test_the_kit_finds_aliases_of_other_metrics(
    plugin: Callable[..., Any], registry: Registry, aliases: dict[str, Any]
) -> None:
    aliases_name_the_metric(mt.metric("overlap", registry=registry))
    registry = load(plugin, aliases=aliases)
    with pytest.raises(AssertionError, match="more"):
        aliases_name_the_metric(mt.metric("overlap", registry=registry))


def test_list_shows_aliases(mteval: Callable[..., Any]) -> None:
    found = json.loads(mteval("list", "chrf++", "--json").out)["metrics"]
    assert [metric["name"] for metric in found] == ["chrf"]
    assert found[0]["aliases"]["chrf++"] == "chrf:nw=2"
    assert "chrf++  chrf:nw=2" in mteval("list", "chrf").out
