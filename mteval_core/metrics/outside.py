"""Scores that another program computed, as a metric: their mean over what was scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core._version import __version__
from mteval_core.metrics.formula import Mean
from mteval_core.metrics.scorer import Scorer, Setup
from mteval_core.plugin.declarations import MetricSpec
from mteval_core.plugin.registry import HOST, Entry, Plugin
from mteval_core.spec import Spec

if TYPE_CHECKING:
    from mteval_core.data.outside import OutsideScores
    from mteval_core.plugin.registry import Registry


HASH_DIGITS = 12
"""Number of hexadecimal digits of the hash in a signature."""


def scorer_of(scores: OutsideScores, registry: Registry) -> Scorer:
    """Make a metric of scores that another program computed."""
    declaration = MetricSpec(
        scores.name,
        factory=Mean,
        values={"score": 1},
        better=scores.better,
        bounds=(-np.inf, np.inf),
    )
    setup = Setup(
        entry=Entry(declaration, Plugin("host", HOST, __version__)),
        plugins=(),
        fields={"file": (scores.sha256[:HASH_DIGITS],), "better": (scores.better,)},
        options={},
        pipelines={},
        implementation=Mean(),
        registry=registry,
        outside=scores,
    )
    return Scorer(Spec(scores.name), "score", {"score": 1.0}, setup)
