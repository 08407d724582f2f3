"""What the tests of the host and of the plugins share: random texts, and memory."""

from __future__ import annotations

import gc

import hypothesis

# A busy machine is not a fault of the code under test, so no example has a deadline. The brief
# profile draws the same texts each time, so that no run takes much longer than the last one.
hypothesis.settings.register_profile("brief", deadline=None, max_examples=15, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("brief")  # pytest --hypothesis-profile=thorough for the other


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and not among the tests: it takes longer than many of them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
