"""Scorers of scores that another program computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core._version import __version__
from mteval_core.errors import UsageError
from mteval_core.metrics.outside_metric import OutsideMetric
from mteval_core.metrics.scorer import Scorer, Setup
from mteval_core.plugin.declarations import MetricSpec
from mteval_core.plugin.registry import HOST, Entry, Plugin
from mteval_core.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mteval_core.data.outside import OutsideScores
    from mteval_core.plugin.registry import Registry

HOST_PLUGIN = Plugin("host", HOST, __version__)

HASH_DIGITS = 12
"""Number of hexadecimal digits of the hash in a signature."""

LEVELS_BY_SIZE = ("segment", "doc", "system")
"""What may be scored, from small to large."""


def scorer_of(scores: OutsideScores, registry: Registry) -> Scorer:
    """Make a metric of scores that another program computed."""
    declaration = MetricSpec(
        scores.name,
        factory=OutsideMetric,
        values={"score": 1},
        better=scores.better,
        bounds=(-np.inf, np.inf),
    )
    setup = Setup(
        entry=Entry(declaration, HOST_PLUGIN),
        plugins=(),
        fields={"file": (scores.sha256[:HASH_DIGITS],), "better": (scores.better,)},
        options={},
        pipelines={},
        implementation=OutsideMetric(scores),
        registry=registry,
    )
    return Scorer(Spec(scores.name), "score", {"score": 1.0}, setup)


def outside_metric(scorer: Scorer) -> OutsideMetric | None:
    """Return the implementation of a metric whose scores come from outside; None for another."""
    metric = scorer.setup.implementation
    return metric if isinstance(metric, OutsideMetric) else None


def need_parts(scorer: Scorer, level: Literal["segment", "doc"]) -> None:
    """Raise a `UsageError` if only larger parts of the test set have a score."""
    metric = outside_metric(scorer)
    if metric is not None and LEVELS_BY_SIZE.index(metric.given.level) > LEVELS_BY_SIZE.index(
        level
    ):
        message = (
            f"{metric.where} has a score per {metric.given.level}, not per {level}: no scores, "
            f"intervals or tests of {level}s; leave out the metric, or these"
        )
        raise UsageError(message)


def distinct(scorers: Iterable[Scorer]) -> dict[str, Scorer]:
    """Return metrics by their specs, each of them once.

    Raises
    ------
    UsageError
        If scores from outside have the name of a metric, or two different metrics the same spec.
    """
    found: dict[str, Scorer] = {}
    given = list(scorers)
    own = [scorer for scorer in given if outside_metric(scorer) is None]
    metrics = {name: scorer.spec for scorer in own for name in (scorer.label, str(scorer.spec))}
    for scorer in given:
        outside = outside_metric(scorer)
        if outside is not None and scorer.label in metrics:
            message = (
                f"{outside.where}: {scorer.label} is the name of the metric "
                f"{metrics[scorer.label]} too: give the scores another name"
            )
            raise UsageError(message)
        spec = str(scorer.spec)
        if found.setdefault(spec, scorer).setup.fields != scorer.setup.fields:
            message = f"two different metrics have the spec {spec!r}"
            raise UsageError(message)
    return found
