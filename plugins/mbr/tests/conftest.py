"""A metric to choose with, in plugins that are not installed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Matches:
    """Clipped unigram matches over the words of the hypothesis."""

    bonus: float = 0.0

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max((Counter(hypothesis) & Counter(reference)).total() for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        return ratio(totals[..., :1], totals[..., 1:]) + self.bonus


@pytest.fixture(scope="session")
def matches() -> mt.MetricSpec:
    return mt.MetricSpec(
        "matches",
        factory=Matches,
        label="Matches",
        values={"P": 100},
        options=(mt.Option("bonus", 0.0, "added to the score", minimum=0, maximum=1),),
    )


@pytest.fixture(scope="session")
def plugin() -> Callable[..., Any]:
    """Make the entry point of a plugin with metrics and tokenizers."""

    def point(metrics: list[mt.MetricSpec], tokenizers: Sequence[mt.TokenizerSpec] = ()) -> Any:
        module: Any = ModuleType("mteval_toy")
        module.mteval_register_metrics = mt.hookimpl(lambda: metrics)
        module.mteval_register_tokenizers = mt.hookimpl(lambda: list(tokenizers))
        dist = SimpleNamespace(name="mteval-toy", version="1.0")
        return SimpleNamespace(name="toy", dist=dist, load=lambda: module)

    return point


@pytest.fixture(scope="session")
def registry(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Registry:
    return mt.load_registry([plugin([matches])])
