"""A plugin with a metric whose scores are plain: matched words in percent of the hypothesis."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

import mteval_core as mt

mteval_api = 1


@dataclass(frozen=True)
class Matches:
    """Clipped unigram matches."""

    bonus: float = 0.0

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max((Counter(hypothesis) & Counter(reference)).total() for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        matches, length = totals[..., 0], totals[..., 1]
        ratio = np.divide(matches, length, out=np.zeros_like(matches), where=length > 0)
        return np.stack([ratio + self.bonus, length], axis=-1)


@mt.hookimpl
def mteval_register_metrics() -> list[mt.MetricSpec]:
    return [
        mt.MetricSpec(
            "matches",
            factory=Matches,
            help="clipped unigram matches",
            label="Matches",
            values={"P": 100, "length": 1},
            options=(mt.Option("bonus", 0.0, "added to the score", minimum=0, maximum=1),),
        )
    ]
