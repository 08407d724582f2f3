"""Compare the time of PERM-BOTH with mt-metrics-eval: Pearson and Kendall over all outputs.

    python benchmarks/perm_both.py MTME [--systems N] [--items N] [--trials N] [--rounds N]

The argument is a folder with the sources of github.com/google-research/mt-metrics-eval; its
packages for data are not needed. Two metrics of random scores are compared, whose p-value is not
small, so that mt-metrics-eval does not stop early. Human scores have ties. CPU time on one thread,
the least of several rounds, for which the two alternate.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from time import process_time
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import scipy.stats
from metric_tasks import sources
from mteval_metaeval.exchanges import AFTER_EXCHANGES
from mteval_metaeval.segments import SEGMENT_LEVEL
from mteval_metaeval.significance import perm_both

COEFFICIENTS = {"pearson": scipy.stats.pearsonr, "kendall": scipy.stats.kendalltau}


def make_scores(n_systems: int, n_items: int) -> Any:
    """Draw scores of humans, rounded, and of two metrics that are nearly as good as each other."""
    rng = np.random.default_rng(1)
    quality = 0.5 * rng.normal(size=(n_systems, 1)) + rng.normal(size=(1, n_items))
    human, x, y = quality + rng.normal(size=(3, n_systems, n_items)) * [[[0.5]], [[1.0]], [[1.0]]]
    return np.round(human * 4) / 4, x, y


def ours(name: str, scores: Any, n: int) -> float:
    """Return our p-value."""
    human, x, y = scores
    of_all = human.reshape(1, -1)

    def after(x: Any, y: Any) -> Any:
        coefficients = AFTER_EXCHANGES[name](x.reshape(1, -1), y.reshape(1, -1), of_all)
        return lambda masks: np.subtract(*coefficients(masks.reshape(len(masks), 1, -1)))[:, 0]

    def statistic(scores: Any) -> Any:
        return SEGMENT_LEVEL[name](scores.reshape(*scores.shape[:-2], 1, -1), of_all)[..., 0]

    return perm_both(x, y, statistic, n=n, after=after).p_value


def theirs(stats: Any, name: str, scores: Any, n: int) -> float:
    """Return the p-value of mt-metrics-eval."""
    human, x, y = scores
    of_x, of_y = (
        stats.Correlation(len(human), human.ravel().tolist(), each.ravel().tolist())
        for each in (x, y)
    )
    never = stats.PermutationSigDiffParams(early_min=-1.0, early_max=2.0)
    p_value, *_ = stats.PermutationSigDiff(of_y, of_x, COEFFICIENTS[name], k=n, params=never)
    return float(p_value)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("mtme", help="sources of mt-metrics-eval")
    parser.add_argument("--systems", type=int, default=14)
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    stats = sources(arguments.mtme, "mt_metrics_eval", ("stats",), ()).stats
    scores = make_scores(arguments.systems, arguments.items)
    print("| | mteval, s | mt-metrics-eval, s | ratio | p | p |\n" + "| --- " * 6 + "|")
    for name in COEFFICIENTS:
        programs = {"ours": partial(ours, name), "theirs": partial(theirs, stats, name)}
        times: dict[str, list[float]] = {program: [] for program in programs}
        p_values = {}
        for _ in range(arguments.rounds):
            for program, run in programs.items():
                start = process_time()
                p_values[program] = run(scores, arguments.trials)
                times[program].append(process_time() - start)
        a, b = (min(each) for each in times.values())
        p = " | ".join(f"{each:.3f}" for each in p_values.values())
        print(f"| {name} | {a:.3f} | {b:.2f} | {b / a:.0f} | {p} |", flush=True)


if __name__ == "__main__":
    main()
