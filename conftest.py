"""What the tests of the host and of the plugins share: kernels, random texts, memory, and speed."""

from __future__ import annotations

import gc
import os
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

# A busy machine is not a fault of the code under test, so no example has a deadline. The brief
# profile draws the same texts each time, so that no run takes much longer than the last one.
hypothesis.settings.register_profile("brief", deadline=None, max_examples=10, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("brief")  # pytest --hypothesis-profile=thorough for the other

FAST_CASES = 2
"""How many cases of a test are ``fast``; the others test the same claim once more."""

SLOW_MODULES = ("fuzz", "properties", "sacrebleu")
"""Parts of the names of modules that draw many texts, or compare with other programs."""

PROCESSES = {"mteval", "terminal"}
"""Fixtures that start a process."""


def pytest_configure() -> None:
    """Refuse to test the kernels in plain Python because nobody has compiled the others."""
    try:
        import mteval_kernels
    except ImportError as error:
        raise pytest.UsageError(str(error)) from None
    if mteval_kernels.implementation == "python" and os.environ.get("MTEVAL_KERNELS") != "python":
        message = (
            f"{Path(mteval_kernels.__file__).parent} has no compiled kernels: install them in "
            "place (pip install -e kernels), or set MTEVAL_KERNELS=python to test without them"
        )
        raise pytest.UsageError(message)


def pytest_report_header() -> str:
    """Name the package and the kernels under test."""
    import mteval_core
    import mteval_kernels

    folder = Path(mteval_core.__file__).parents[1]
    return f"mteval_core: {folder}, kernels: {mteval_kernels.implementation}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark the first cases of each test as ``fast``, unless it is slow or starts a process."""
    cases = Counter[str]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        cases[test] += 1
        slow = (
            item.get_closest_marker("slow") is not None
            or any(part in item.path.stem for part in SLOW_MODULES)
            or not PROCESSES.isdisjoint(item.fixturenames)
        )
        if not slow and cases[test] <= FAST_CASES:
            item.add_marker("fast")


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and not among the tests: it takes longer than many of them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
