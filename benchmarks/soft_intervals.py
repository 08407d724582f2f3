"""Simulate how often intervals of soft pairwise accuracy contain the truth.

    python benchmarks/soft_intervals.py [--studies N] > benchmarks/results/soft_intervals.md

Systems have qualities from a normal distribution, and the metric errors of its own (0.4 of their
standard deviation). The scores of segments have normal noise, or for humans skewed noise, as the
penalties of MQM (exponential); its standard deviation is three times that of the qualities, and one
and a half times for the metric. A 95% interval of 200 resamples of the segments has two possible
truths: the expected soft accuracy on other texts of this length, from 50 such texts, and that on
unlimited text, where all p-values are 0 or 1.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np
from metric_tests import empty_study, study_of
from mteval_metaeval import Resampling
from mteval_metaeval.lead_p_values import normal_p_values
from mteval_metaeval.soft_accuracy import SOFT, soft_estimates, soft_pairwise_accuracy

from mteval_core.evaluation.intervals import INTERVAL_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

DESIGNS = [(k, n, kind) for k in (8, 15) for n in (100, 500) for kind in ("normal", "skewed")]
ERROR, NOISE, N_TEXTS, N_RESAMPLES = 0.4, 3.0, 50, 200
TRUTHS = ("this length", "unlimited")


def scores_of(means: Any, n: int, kind: str, rng: np.random.Generator) -> tuple[Any, Any]:
    """Draw scores of metric and humans on a text, each of shape (n_systems, n_segments)."""
    size = (means.shape[1], n)
    errors = 1 - rng.exponential(size=size) if kind == "skewed" else rng.standard_normal(size)
    metric = means[0][:, None] + NOISE / 2 * rng.standard_normal(size)
    return metric, means[1][:, None] + NOISE * errors


def accuracy(metric: Any, human: Any) -> float:
    """Soft accuracy, with p-values of the normal distribution."""
    return float(soft_pairwise_accuracy(normal_p_values(human), normal_p_values(metric)))


def contained(k: int, n: int, kind: str, count: int) -> Iterator[tuple[str, str, bool]]:
    """Draw studies; say for each kind of interval and each truth whether it is inside."""
    rng = np.random.default_rng([k, n, len(kind)])
    template = empty_study(k, n, ["A"])
    for seed in range(count):
        quality = rng.standard_normal(k)
        means = np.stack([quality + ERROR * rng.standard_normal(k), quality])
        metric, human = scores_of(means, n, kind, rng)
        others = [accuracy(*scores_of(means, n, kind, rng)) for _ in range(N_TEXTS)]
        i, j = np.triu_indices(k, 1)
        right = np.sign(means[:, i] - means[:, j]).prod(axis=0) > 0
        truths = dict(zip(TRUTHS, (np.mean(others), right.mean()), strict=True))
        study = study_of(template, (metric,), human)
        (estimate,) = soft_estimates(study, 0, Resampling(n=N_RESAMPLES, seed=seed, interval="bca"))
        for interval_kind in INTERVAL_KINDS:
            interval = Resampling(interval=interval_kind).interval_of(estimate, SOFT)
            assert interval is not None
            for name, truth in truths.items():
                yield interval_kind, name, not interval.excludes(float(truth))


def main() -> None:
    """Simulate all designs and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=1000)
    count = parser.parse_args().studies
    asked = [(truth, kind) for truth in TRUTHS for kind in INTERVAL_KINDS]
    heads = ["systems", "segments", "human scores", *(f"{truth}: {kind}" for truth, kind in asked)]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for k, n, kind in DESIGNS:
        held: dict[tuple[str, str], list[bool]] = {key: [] for key in asked}
        for interval_kind, truth, inside in contained(k, n, kind, count):
            held[truth, interval_kind].append(inside)
        shown = " | ".join(f"{np.mean(held[key]):.2f}" for key in asked)
        print(f"| {k} | {n} | {kind} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
