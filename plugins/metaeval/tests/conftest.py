"""Plugins that are not installed, metrics with scores that a test chooses, and data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

REPOSITORY = Path(__file__).parents[3]
SHARED = REPOSITORY.parent / "shared" / "data"


@pytest.fixture(scope="session")
def plugin() -> Callable[..., Any]:
    """Make the entry point of a plugin: ``plugin(metrics=[...])`` names what it declares."""

    def point(**declared: list[mt.Declaration]) -> Any:
        module = ModuleType("mteval_toy")
        for kind, what in declared.items():
            setattr(module, f"mteval_register_{kind}", mt.hookimpl(lambda what=what: what))
        dist = SimpleNamespace(name="mteval-toy", version="1.0")
        return SimpleNamespace(name="toy", dist=dist, load=lambda: module)

    return point


@dataclass(frozen=True)
class Column:
    """The mean of the numbers in one column of the hypotheses."""

    k: int = 0

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert references
        return [float(hypothesis[self.k]), 1.0]

    def score(self, totals: Any) -> Any:
        total, n = totals[..., :1], totals[..., 1:]
        return np.divide(total, n, out=np.zeros_like(total), where=n > 0)


@dataclass(frozen=True)
class Gaps:
    """The numbers in one column of the hypotheses; ``nan`` is a missing score."""

    k: int = 0

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [float(hypothesis[self.k])]


def declare(name: str, better: Any, **settings: Any) -> mt.MetricSpec:
    own: dict[str, Any] = {"factory": Column, **settings}
    return mt.MetricSpec(
        name,
        help="mean of a column",
        values={"mean": 1},
        options=(mt.Option("k", 0, "which column", minimum=0), mt.Option("tok", "none")),
        better=better,
        bounds=(-9e9, 9e9),
        **own,
    )


@pytest.fixture(scope="session")
def columns(plugin: Callable[..., Any]) -> mt.Registry:
    """Load metrics whose scores are the hypotheses themselves."""
    metrics = [
        declare("column", "higher"),
        declare("errors", "lower"),
        declare("gaps", "higher", factory=Gaps, may_miss=True),
    ]
    return mt.load_registry([plugin(metrics=metrics)])


def judge(
    scores: Any,
    *,
    systems: Sequence[str] | None = None,
    criteria: Sequence[str] = ("score",),
    raters: Iterable[str] | None = None,
) -> metaeval.Judgments:
    """Judgments of scores, shape (n_systems, n_items) or (..., n_criteria) or with raters first."""
    scores = np.asarray(scores, np.float64)
    if raters is None:
        scores = scores[None]
    if scores.ndim == 3:
        scores = scores[..., None]
    names = ("",) if raters is None else tuple(raters)
    n_raters, n_systems, n_items, n_criteria = scores.shape
    rater, system, item = np.indices((n_raters, n_systems, n_items)).reshape(3, -1)
    rows = scores.reshape(-1, n_criteria)
    present = ~np.isnan(rows).all(axis=1)
    return metaeval.Judgments(
        level="segment",
        systems=tuple(systems or (f"s{k}" for k in range(n_systems))),
        items=tuple(range(n_items)),
        raters=names,
        criteria=tuple(criteria),
        system=system[present],
        item=item[present],
        rater=rater[present],
        scores=rows[present],
    )


@pytest.fixture
def study(columns: mt.Registry) -> Callable[..., metaeval.Study]:
    """Study of metrics given by their scores: ``study([x, y], human)``, arrays of (S, n)."""

    def make(
        metrics: Any,
        human: Any,
        *,
        specs: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        unit: Any = None,
        minimum: int = 1,
    ) -> metaeval.Study:
        metrics = np.asarray(metrics, np.float64)
        n_metrics, n_systems, n_items = metrics.shape
        systems = {
            f"s{s}": [
                " ".join(repr(float(metrics[k, s, i])) for k in range(n_metrics))
                for i in range(n_items)
            ]
            for s in range(n_systems)
        }
        judgments = human if isinstance(human, metaeval.Judgments) else judge(human)
        return metaeval.study_metrics(
            systems,
            [["x"] * n_items],
            judgments,
            specs or [f"column:k={k}" for k in range(n_metrics)],
            registry=columns,
            documents=documents,
            unit=unit,
            minimum=minimum,
        )

    return make


@pytest.fixture(scope="session")
def judged() -> Callable[..., metaeval.Judgments]:
    """`judge`, for tests in other files."""
    return judge


@pytest.fixture(scope="session")
def shared() -> Path:
    """Find the real test sets, or skip."""
    if not SHARED.is_dir():
        pytest.skip(f"the test sets of {SHARED} are not there")
    return SHARED


@pytest.fixture(scope="session")
def mini() -> Path:
    """Find the example test set."""
    return REPOSITORY / "examples" / "mini"
