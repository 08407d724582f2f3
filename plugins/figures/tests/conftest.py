"""A registry with the host and the metric ``matches``, and the texts of an example."""

from __future__ import annotations

from pathlib import Path

import pytest

import mteval_core as mt


@pytest.fixture(scope="session")
def registry() -> mt.Registry:
    return mt.load_registry([], files=[str(Path(__file__).parent / "matches.py")])


@pytest.fixture(scope="session")
def mini() -> Path:
    return Path(__file__).parents[3] / "examples" / "mini"
