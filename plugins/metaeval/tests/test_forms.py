"""A metric that is computed from all rows has the results of the same metric as a sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.study import DRAWS

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

N = 14


class Precision:
    """Clipped matches over length, a function of sums."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max(len({*hypothesis} & {*reference}) for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)


class PrecisionOfRows:
    """The same, computed from all rows."""

    segment_statistics = Precision.segment_statistics

    def score_rows(self, rows: Any, weights: Any) -> Any:
        totals = weights @ rows
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)


@pytest.fixture(scope="module")
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    forms = {"precision": Precision, "precision-of-rows": PrecisionOfRows}
    metrics = [
        mt.MetricSpec(name, factory=factory, help=name, values={"P": 100})
        for name, factory in forms.items()
    ]
    return mt.load_registry([plugin(metrics=metrics)])


def make_text(seed: int, words: int = 12) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{k}" for k in rng.integers(0, words, rng.integers(0, 9))) for _ in range(N)]


@pytest.mark.parametrize("unit", ["segment", "doc"])
def test_studies_of_both_forms(registry: mt.Registry, unit: Any) -> None:
    rng = np.random.default_rng(1)
    systems = {"A": make_text(1), "B": make_text(2, 15), "C": make_text(3, 9)}
    judged = [(s, i, "r", {"score": float(rng.random())}) for s in systems for i in range(N - 3)]
    results = []
    for form in ("", "-of-rows"):
        study = metaeval.study_metrics(
            systems,
            [make_text(4), make_text(5)],
            mt.Judgments.of(judged),
            [f"precision{form}", f"precision{form}:case=lc,stem=porter"],
            documents=[f"d{(3 * i) % 5}" for i in range(N)],
            unit=unit,
            judged_only=unit == "segment",
            registry=registry,
        )
        draws = [metaeval.Resampling(n=60, draw=draw, interval="bca") for draw in DRAWS]
        found = [
            *(metaeval.system_level(study, draw) for draw in draws),
            metaeval.segment_level(study, draws[0]),
            metaeval.lin_och_table(study, draws[0]),
            metaeval.length_curve([(2, study)], [1, 3], 20),
            metaeval.rank_metrics(study, test="perm-both", resampling=draws[0]),
            metaeval.rank_metrics(study, test="bootstrap", resampling=draws[0]),
        ]
        results.append(repr(found).replace("-of-rows", ""))
    assert results[0] == results[1]
    assert "nan" not in results[0][:1000]
