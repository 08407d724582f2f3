"""Metrics to decide with, in plugins that are not installed, and texts to decide about."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_testing import Finished, run_command

import mteval_core as mt
from mteval_core.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Matches:
    """Clipped unigram matches over the words of the hypothesis."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max((Counter(hypothesis) & Counter(reference)).total() for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        matches, length = totals[..., 0], totals[..., 1]
        return np.stack([ratio(matches, length), length], axis=-1)


@dataclass(frozen=True)
class Mean:
    """The mean of numbers, which are the hypotheses: rows of any kind can be made with it."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        return [float(hypothesis[0]), 1.0]

    def score(self, totals: Any) -> Any:
        return ratio(totals[..., :1], totals[..., 1:])


@pytest.fixture(scope="session")
def plugin() -> Callable[..., Any]:
    """Make the entry point of a plugin with metrics."""

    def point(metrics: list[mt.MetricSpec]) -> Any:
        module: Any = ModuleType("mteval_toy")
        module.mteval_register_metrics = mt.hookimpl(lambda: metrics)
        dist = SimpleNamespace(name="mteval-toy", version="1.0")
        return SimpleNamespace(name="toy", dist=dist, load=lambda: module)

    return point


@pytest.fixture(scope="session")
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    """Load the host, and a plugin with the metric ``matches``."""
    values = {"P": 100, "length": 1}
    matches = mt.MetricSpec("matches", factory=Matches, label="Matches", values=values)
    return mt.load_registry([plugin([matches])])


@dataclass(frozen=True)
class Errors:
    """Edits, or words that a bag lacks, over the length of the reference: textbook error rates."""

    kind: str

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        if self.kind == "characters":
            hypothesis, references = [*" ".join(hypothesis)], [[*" ".join(r)] for r in references]
        return min([self.errors(hypothesis, r), len(r)] for r in references)

    def errors(self, one: list[str], other: list[str]) -> int:
        if self.kind == "bag":
            return max(len(one), len(other)) - (Counter(one) & Counter(other)).total()
        before = list(range(len(other) + 1))
        for i, token in enumerate(one, 1):
            row = [i]
            for j, wanted in enumerate(other, 1):
                changed = before[j - 1] + (token != wanted)
                row.append(min(before[j] + 1, row[-1] + 1, changed))
            before = row
        return before[-1]

    def score(self, totals: Any) -> Any:
        return ratio(totals[..., :1], totals[..., 1:])


def error_rate(name: str, kind: str) -> mt.MetricSpec:
    return mt.MetricSpec(
        name,
        factory=partial(Errors, kind),
        label=name.upper(),
        values={"rate": 100},
        better="lower",
        bounds=(0, np.inf),
    )


@pytest.fixture(scope="session")
def error_rates(plugin: Callable[..., Any]) -> mt.Registry:
    """Load what is installed, but for another plugin's error rates: the tests have their own."""
    names = {"wer": "words", "per": "bag", "cer": "characters"}
    own = plugin([error_rate(name, kind) for name, kind in names.items()])
    installed = metadata.entry_points(group="mteval")
    others = [point for point in installed if point.name != "error_rates"]
    return mt.load_registry([*others, own])


@pytest.fixture
def mteval(error_rates: mt.Registry) -> Callable[..., Finished]:
    """Run a command in this process: exit code, output, errors."""
    return partial(run_command, registry=error_rates)


@pytest.fixture(scope="session")
def process() -> Callable[..., Finished]:
    """Run a command in a process of its own, with all plugins that are installed."""

    def run(*words: str | Path, stdin: bytes = b"") -> Finished:
        command = [sys.executable, "-m", "mteval_core", *map(str, words)]
        done = subprocess.run(command, input=stdin, capture_output=True, check=False)
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def mean() -> mt.MetricSpec:
    """Declare the metric that is the mean of the numbers which are the hypotheses."""
    return mt.MetricSpec("mean", factory=Mean, values={"mean": 1}, bounds=(-9e9, 9e9))


@pytest.fixture(scope="module")
def mean_registry(plugin: Callable[..., Any], mean: mt.MetricSpec) -> mt.Registry:
    """Make a registry with the metric ``mean``."""
    return mt.load_registry([plugin([mean])])


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


@pytest.fixture(scope="session")
def mini() -> Path:
    """Find the example test set."""
    return Path(__file__).parents[3] / "examples" / "mini"


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    r"""Write files of text: ``files(ref="a\n", sys="...")`` gives their paths."""

    def write(**contents: str) -> list[str]:
        for name, content in contents.items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        return [str(tmp_path / name) for name in contents]

    return write
