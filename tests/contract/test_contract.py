"""The contract kit on everything that is installed."""

from __future__ import annotations

from typing import Any

import pytest
from mteval_testing import kit_of, parametrize_with_checks

from mteval_core import MetricSpec, PluginError, default_registry
from mteval_core.plugin.declarations import KINDS

METRICS = [entry.declaration.name for entry in default_registry().of_kind(MetricSpec)]

OTHERS = [
    pytest.param(kind, entry, id=f"{kind.singular}-{entry.declaration.shown}")
    for kind in KINDS.values()
    if kind.declaration is not MetricSpec
    for entry in default_registry().of_kind(kind.declaration)
]


@parametrize_with_checks(METRICS)
def test_metric(spec: str, check) -> None:  # type: ignore[no-untyped-def]
    try:
        check(spec)
    except PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))


@pytest.mark.parametrize(("kind", "entry"), OTHERS)
def test_declaration(kind: Any, entry: Any) -> None:
    kit = kit_of(kind.declaration)
    assert kit is not None
    assert all(check.__doc__ for check in kit.checks)
    try:
        findings = kit.run(entry, default_registry())
    except PluginError as error:  # what it reads is not installed
        pytest.skip(str(error))
    assert [f for f in findings if not f.ok or (f.warning and not f.reason)] == []
