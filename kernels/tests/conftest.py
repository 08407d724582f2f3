"""Both implementations of the kernels."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

import hypothesis
import pytest

from mteval_kernels.table import KERNELS, twin

if hypothesis.settings.default.deadline is not None:  # without the conftest.py of the repository
    hypothesis.settings.register_profile("alone", deadline=None, max_examples=10, derandomize=True)
    hypothesis.settings.load_profile("alone")

if TYPE_CHECKING:
    Implementation = ModuleType | SimpleNamespace


@pytest.fixture(scope="session")
def twins() -> SimpleNamespace:
    """Import the kernels in plain Python."""
    return SimpleNamespace(**{name: twin(name) for name in KERNELS})


@pytest.fixture(scope="session")
def native() -> ModuleType:
    """Import the extension."""
    try:
        return import_module("mteval_kernels._native")
    except ImportError:
        pytest.skip("the native kernels are not built")


@pytest.fixture(scope="session", params=["python", "native"])
def kernel(request: pytest.FixtureRequest) -> Implementation:
    """Run a test with both implementations."""
    implementation: Implementation = request.getfixturevalue(
        "twins" if request.param == "python" else "native"
    )
    return implementation
