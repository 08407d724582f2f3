"""The catalogue of the host says what the plugins of this repository declare."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tomllib", reason="release/ needs Python 3.11")

import tomllib

import catalogue
import mteval_core as mt
from mteval_core.plugin.catalogue import CATALOGUE, known_plugins

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not (ROOT / "plugins").is_dir(), reason="the sdist of the host has no plugins")
def test_the_catalogue_is_what_the_plugins_declare() -> None:
    tables = {**known_plugins(), **catalogue.declared(ROOT, mt.default_registry())}
    text = CATALOGUE.read_text("utf-8")
    assert text == catalogue.written(tables), "write it again: python release/catalogue.py"


def test_the_table_of_any_plugin_is_kept() -> None:
    table = {"metrics": ["overlap"], "writes": ["*.x" * 30]}
    text = catalogue.written({**known_plugins(), "outside": table})
    assert tomllib.loads(text) == {**known_plugins(), "outside": table}
