"""Systems whose scores are means of given numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Mean:
    """The mean of numbers, which are the hypotheses: rows of any kind can be made with it."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        return [float(hypothesis[0]), 1.0]

    def score(self, totals: Any) -> Any:
        total, n = totals[..., :1], totals[..., 1:]
        return np.divide(total, n, out=np.zeros_like(total), where=n > 0)


@pytest.fixture(scope="session")
def mean() -> mt.MetricSpec:
    """Declare the metric that is the mean of the numbers which are the hypotheses."""
    return mt.MetricSpec("mean", factory=Mean, help="mean", values={"mean": 1}, bounds=(-9e9, 9e9))


@pytest.fixture(scope="module")
def mean_registry(plugin: Callable[..., Any], mean: mt.MetricSpec) -> mt.Registry:
    """Make a registry with the metric ``mean``."""
    return mt.load_registry([plugin(metrics=[mean])])


@pytest.fixture
def evaluate(mean_registry: mt.Registry) -> Callable[..., mt.Evaluation]:
    """Evaluate systems that are given by their segments' numbers."""

    def run(systems: dict[str, Any], documents: list[str] | None = None) -> mt.Evaluation:
        def text(numbers: Sequence[Any]) -> list[str]:
            return [f"{number}" for number in numbers]

        outputs = {
            name: [text(run) for run in numbers] if np.ndim(numbers[0]) else text(numbers)
            for name, numbers in systems.items()
        }
        first = next(iter(systems.values()))
        n = len(first[0]) if np.ndim(first[0]) else len(first)
        return mt.evaluate(
            outputs, [["x"] * n], ["mean:tok=none"], documents=documents, registry=mean_registry
        )

    return run
