"""Plugins as outsiders write them: from the pages alone, with public names only."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def file(request: pytest.FixtureRequest) -> Path:
    """Return the file of the plugin that the module of tests is named after."""
    return HERE / Path(request.module.__file__).name.removeprefix("test_")


@pytest.fixture(scope="module")
def registry(file: Path) -> mt.Registry:
    return mt.load_registry(files=[str(file)])


@pytest.fixture(scope="module")
def outside(mteval: Callable[..., Any], file: Path) -> Callable[..., Any]:
    """Run the command line with the plugin."""
    return partial(mteval, "-p", file)
