"""Fixtures: the command line as a process, and plugins that are not installed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Named(NamedTuple):
    """A distribution that is not installed."""

    name: str
    version: str


class EntryPoint(NamedTuple):
    """An entry point of such a distribution."""

    name: str
    dist: Named
    load: Callable[[], ModuleType]


def pretend(name: str = "toy", **declared: list[mt.Declaration]) -> EntryPoint:
    """Make a plugin: ``pretend(metrics=[...])`` names the declarations of each kind."""
    module = ModuleType(f"mteval_{name}")
    for kind, what in declared.items():
        hook = mt.hookimpl(lambda what=what: what)
        setattr(module, f"mteval_register_{kind}", hook)
    return EntryPoint(name, Named(f"mteval-{name}", "1.0"), lambda: module)


@pytest.fixture(scope="session")
def plugin() -> Callable[..., EntryPoint]:
    """Return `pretend`."""
    return pretend


@dataclass(frozen=True)
class Matches:
    """Clipped unigram matches in percent of hypothesis tokens."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max((Counter(hypothesis) & Counter(reference)).total() for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        matches, length = totals[..., 0], totals[..., 1]
        ratio = np.divide(matches, length, out=np.zeros_like(matches), where=length > 0)
        return np.stack([ratio, length], axis=-1)


@pytest.fixture(scope="session")
def registry() -> mt.Registry:
    """Load the host, and a plugin with the metric ``matches``."""
    matches = mt.MetricSpec("matches", factory=Matches, values={"P": 100, "length": 1})
    return mt.load_registry([pretend(metrics=[matches])])


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let a test interrupt processes, even where a shell in the background makes them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Finished(NamedTuple):
    """A process that has ended: its exit code, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def mteval() -> Callable[..., Finished]:
    """Run the command line as a process: ``mteval("check", ...)``."""

    def run(
        *words: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "mteval_core", *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd,
            env={**os.environ, **(env or {})},
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    return run
