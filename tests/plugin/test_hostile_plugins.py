"""Whatever a plugin declares or returns: nothing but errors of mteval comes out of the host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from fuzzing import plugins

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = 150
"""Hostile plugins. They take about a second."""


@pytest.mark.slow
def test_a_hostile_plugin_harms_nobody() -> None:
    outcomes = set().union(*map(plugins.run, range(TIMES)))
    assert {"ok", "PluginError"} <= outcomes


def test_an_interruption_is_not_a_fault(plugin: Callable[..., Any], matches: mt.MetricSpec) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mt.load_registry([plugin("bad", metrics=interrupted)])
    registry = mt.load_registry([plugin(metrics=[replace(matches, factory=interrupted)])])
    with pytest.raises(KeyboardInterrupt):
        mt.metric("matches", registry=registry)
