"""What the engine says where its library is not installed."""

from __future__ import annotations

import sys

import pytest
from mteval_scale.ray import run, score

from mteval_core import EngineSpec, PluginError, default_registry


def test_the_engine_is_registered() -> None:
    assert default_registry().find(EngineSpec, "ray").declaration.name == "ray"


def test_the_library_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ray", "pyspark", "pyspark.sql"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PluginError, match=r"needs Ray: pip install 'mteval-scale\[ray\]'"):
        list(run(str, [1]))


def test_fields_are_asked_for() -> None:
    with pytest.raises(TypeError, match="hyp"):
        score(None, ["wer"], ref=["a"])  # type: ignore[call-arg]
