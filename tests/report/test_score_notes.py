"""Notes below scores: a metric that leaves the bounds of its declaration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.report.scores import of_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TEXTS = {"A": ["a b", "c"], "B": ["x", "c"]}


def notes(
    plugin: Callable[..., Any], declaration: mt.MetricSpec, spec: str, level: Any = "corpus"
) -> Sequence[str]:
    registry = mt.load_registry([plugin(metrics=[declaration])])
    evaluation = mt.evaluate(TEXTS, [["a b", "c"]], [spec], registry=registry)
    return of_evaluation(evaluation, mt.Layout(level=level)).notes


@pytest.mark.parametrize(
    ("bounds", "level", "expected"),
    [
        ((0, 100), "corpus", "gives A 150, but mteval-toy declares 0 to 100"),
        ((0, 100), "segment", "gives A 150, but mteval-toy declares 0 to 100"),
        ((110, float("inf")), "corpus", "gives B 100, but mteval-toy declares 110 or more"),
        ((60, 200), "segment", "gives B 50, but mteval-toy declares 60 to 200"),
        ((0, 150), "segment", ""),
    ],
)
def test_a_metric_that_leaves_its_bounds_is_named(
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
    bounds: tuple[float, float],
    level: str,
    expected: str,
) -> None:
    found = notes(plugin, replace(matches, bounds=bounds), "matches:bonus=0.5", level)
    if not expected:
        assert found == []
    else:
        (note,) = found
        assert note == (f"Matches {expected}: either the metric or its declaration is wrong.")


def test_rounding_is_no_reason(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    assert notes(plugin, replace(matches, bounds=(0, 150 - 1e-10)), "matches:bonus=0.5") == []
