"""Compare tasks, tests and intervals of metrics with the code of other projects.

    python benchmarks/metric_tasks.py MTME SACREROUGE > benchmarks/results/metric_tasks.md

The arguments are folders with the sources of github.com/google-research/mt-metrics-eval and
github.com/danieldeutsch/sacrerouge, which are not installed. Both need scipy.

Random scores are written as folders of mt-metrics-eval: three language pairs of each year of WMT,
with their standard references, human scores, segments that nobody judged, outliers and human
translations. Both programs read them. mt-metrics-eval computes the tasks that it defines for WMT
2023 to 2025, and those of its notebook for 2022; ``mteval tasks`` a file with the same tasks.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import mteval_metaeval as metaeval
import numpy as np
from mteval_metaeval.experiments import SYSTEM_LEVEL
from mteval_metaeval.normal_intervals import interval_of_coefficient
from mteval_metaeval.significance import williams
from mteval_metaeval.soft_accuracy import soft_pairwise_accuracy

from mteval_core.evaluation.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SIZES = {"wmt22": (24, 300), "wmt23": (24, 300), "wmt24": (100, 1000), "wmt25": (100, 1000)}
"""Segments and trials. Averages of Kendall's coefficient are slow in mt-metrics-eval."""

SOFT_ERROR = 0.0034
"""Largest standard deviation of a soft accuracy of mt-metrics-eval on these data, over 30 seeds."""

METRICS = {"good-{}": 0.4, "fair-{}": 0.8, "poor-src": 1.6}
"""Metrics, with the reference that they use, and the standard deviation of their noise."""

PAIRS = {
    "wmt22": ("en-de", "en-ru", "zh-en"),
    "wmt23": ("en-de", "he-en", "zh-en"),
    "wmt24": ("en-de", "en-es", "ja-zh"),
    "wmt25": ("cs-de_DE", "en-ko_KR", "ja-zh_CN"),
}
DOMAINS = ("news", "social")
GROUPS = {"none": "none", "sys": "system", "item": "item"}
COEFFICIENTS = {"KendallWithTiesOpt": "calibrated", "pce": "soft"}
ROUNDING = 1e-9


class Compared(NamedTuple):
    """What was compared, a value, its counterpart, and how far apart chance may bring them."""

    what: str
    ours: float
    theirs: float
    chance: float = 0.0

    @property
    def gap(self) -> float:
        """How far apart the values are."""
        return abs(self.ours - self.theirs)


# Folders of mt-metrics-eval


def write(path: Path, lines: Iterable[str]) -> None:
    """Write lines to a file, in a folder that is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_pair(folder: Path, pair: str, info: Any, seed: int) -> None:
    """Write random texts and scores of a language pair."""
    rng, (n, _) = np.random.default_rng(seed), SIZES[folder.name]
    systems = [*(f"s{k}" for k in range(6)), "refA", "refB", *sorted(info.outlier_systems)]
    domains = domains_of(n)
    write(folder / f"documents/{pair}.docs", [f"{d} {d}-{k // 3}" for k, d in enumerate(domains)])
    write(folder / f"sources/{pair}.txt", map(str, range(n)))
    for name in systems:
        lines = [f"{name} {k}" for k in range(n)]
        write(folder / f"system-outputs/{pair}/{name}.txt", lines)
        if name.startswith("ref"):
            write(folder / f"references/{pair}.{name}.txt", lines)
    quality = rng.normal(size=(len(systems), 1)) + rng.normal(size=(len(systems), n))
    human = np.round(quality)
    human[:, rng.random(n) < 0.2] = np.nan  # segments that nobody judged
    human[systems.index(info.std_ref)] = np.nan
    write_scores(folder / "human-scores", f"{pair}.{info.std_gold['seg']}", systems, human)
    for name, noise in METRICS.items():
        # The sums of multiples of 1/32 are exact, so that equal means are equal in both programs.
        scores = np.round(32 * (quality + noise * rng.normal(size=quality.shape))) / 32
        write_scores(folder / "metric-scores" / pair, name.format(info.std_ref), systems, scores)


def domains_of(n: int) -> Any:
    """Name the domain of each segment."""
    return np.where(np.arange(n) < n // 2, *DOMAINS)


def write_scores(folder: Path, name: str, systems: list[str], scores: Any) -> None:
    """Write scores of segments, and their means by domain and by system."""

    def mean(values: Any) -> float:
        return float(np.mean(values[~np.isnan(values)])) if not np.isnan(values).all() else math.nan

    def text(value: float) -> str:
        return "None" if math.isnan(value) else repr(float(value))

    rows, domains = list(zip(systems, scores, strict=True)), domains_of(scores.shape[1])
    write(folder / f"{name}.seg.score", (f"{s}\t{text(v)}" for s, row in rows for v in row))
    write(folder / f"{name}.sys.score", (f"{s}\t{text(mean(row))}" for s, row in rows))
    of_domains = [f"{d}\t{s}\t{text(mean(row[domains == d]))}" for d in DOMAINS for s, row in rows]
    write(folder / f"{name}.domain.score", of_domains)


# Tasks


def tasks_of(year: str, tasks: Any) -> list[Any]:
    """Make the tasks of a year, with all metrics."""
    pairs = PAIRS[year]
    if year != "wmt22":
        return list(getattr(tasks, year.upper())(list(pairs), primary=False, k=SIZES[year][1])[0])
    every = {"test_set": year, "primary": False, "k": SIZES[year][1]}
    found = [
        tasks.Task(lang=",".join(pairs), corr_fcn="accuracy", human=human, **every)
        for human in (True, False)
    ]
    for pair, human, name in itertools.product(pairs, (True, False), ("pearson", "kendall")):
        common = {"lang": pair, "human": human, "corr_fcn": name, **every}
        found += [tasks.Task(domain=domain, **common) for domain in (None, *DOMAINS)]
        found += [tasks.Task(level="seg", avg_by=average, **common) for average in GROUPS]
    return found


def arguments_of(task: Any, pair: str, folder: Path, info: Any) -> str:
    """Write a task as the arguments of ``mteval correlate``."""
    level = "sys" if task.level == "sys" and task.corr_fcn != "pce" and not task.domain else "seg"
    data = f"mtme:{folder / task.test_set / pair}"
    scores = [f"{m.partition('-')[0]}={data}::{m.format(info.std_ref)}.{level}" for m in METRICS]
    words = ["--data", data, "--human", f"{info.std_gold['seg']}.{level}", "-r", info.std_ref]
    words += ["-m", "none", "--scores", *scores]
    words += ["--refs-as-systems", *({"refA", "refB"} - {info.std_ref})] if task.human else []
    words += ["--leave-out", *info.outlier_systems] if info.outlier_systems else []
    words += ["--domain", task.domain] if task.domain else []
    if task.level == "seg":
        words += ["--level", "segment", "--group", GROUPS[task.avg_by]]
    return " ".join([*words, "--coefficient", COEFFICIENTS.get(task.corr_fcn, task.corr_fcn)])


def ranked(lines: list[str], year: str, folder: Path) -> dict[str, Any]:
    """Run ``mteval tasks``, and return its rankings by the names of the tasks."""
    path = folder / "tasks"
    test = "perm-systems" if year in ("wmt22", "wmt23") else "perm-both"
    write(path, [f"t{k}: {line}" for k, line in enumerate(lines)])
    command = [sys.executable, "-m", "mteval_core", "tasks", str(path), "--test", test]
    command += ["--trials", str(SIZES[year][1]), "-q", "-f", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    records = json.loads(done.stdout)["records"]
    return {record["criterion"]: record for record in records if "criterion" in record}


def of_tasks(year: str, folder: Path, mtme: Any) -> Iterator[Compared]:
    """Compare coefficients and p-values of all tasks of a year."""
    infos = mtme.meta_info.DATA[year]
    for seed, pair in enumerate(PAIRS[year]):
        write_pair(folder / year, pair, infos[pair], seed)
    sets = {
        (year, pair): mtme.data.EvalSet(
            year, pair, read_stored_metric_scores=True, path=str(folder)
        )
        for pair in PAIRS[year]
    }
    tasks = tasks_of(year, mtme.tasks)
    for task in tasks:
        task.block_size = task.k  # it stops early otherwise, after 100 trials
    results = mtme.tasks.TaskSetResults([task.Run(sets) for task in tasks])
    single = [task for task in tasks if task.corr_fcn != "accuracy"]
    lines = [arguments_of(task, task.lang, folder, infos[task.lang]) for task in single]
    found = ranked(lines, year, folder)
    for task, result in zip(tasks, results, strict=True):
        if task in single:
            record = found[f"t{single.index(task)}"]
        else:
            pairs = task.lang.split(",")
            of_pairs = [arguments_of(task, pair, folder, infos[pair]) for pair in pairs]
            record = ranked(of_pairs, year, folder)["all systems"]
        what = f"{year}: {task.corr_fcn}"
        yield from of_ranking(what, record, (result.corr_ranks, result.matrix), SIZES[year][1])
    if year in ("wmt24", "wmt25"):
        average = results.AverageCorrMatrix()
        yield from of_ranking(f"{year}: average", found["all tasks"], average, SIZES[year][1])


def of_ranking(what: str, record: Any, theirs: Any, n: int) -> Iterator[Compared]:
    """Compare the values of metrics in a task, and the p-values of pairs in the same order."""
    corrs, matrix = theirs
    names = [name.strip("*").removesuffix("[noref]") for name in corrs]
    values = dict(zip(record["metrics"], record["values"], strict=True))
    chance = 4 * math.sqrt(2) * SOFT_ERROR if "pce" in what or "average" in what else 0
    for name, (value, _) in zip(names, corrs.values(), strict=True):
        yield Compared(f"{what}: coefficient", values[name], value, chance)
    for pair in record["comparisons"]:
        i, j = names.index(pair["better"]), names.index(pair["worse"])
        if i < j:  # by chance, soft accuracies may be in another order
            p = float(matrix[i, j])
            middle = min(max((p + pair["p_value"]) / 2, 1 / n), 1 - 1 / n)
            error = math.sqrt(2 * middle * (1 - middle) / n)
            # The difference of two soft accuracies is itself sampled, and may be any other.
            unknown = "pce" in what
            yield Compared(
                f"{what}: p-value", pair["p_value"], p, math.inf if unknown else 4 * error
            )


# Formulas


def of_soft_accuracy(mtme: Any) -> Iterator[Compared]:
    """Compare soft accuracy from the same p-values."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        human, metric = rng.normal(size=(2, int(rng.integers(3, 16)), 30))
        p, q = (mtme.pce.compute_pairwise_p_values(scores) for scores in (human, metric))
        upper = np.triu_indices(len(human), 1)
        ours = float(soft_pairwise_accuracy(p[upper], q[upper]))
        yield Compared("soft accuracy", ours, float(mtme.pce.compute_one_minus_pce(p, q)))


def of_williams(rouge: Any) -> Iterator[Compared]:
    """Compare Williams' test on systems and on outputs, one- and two-sided."""
    from scipy.stats import pearsonr

    rng = np.random.default_rng(2)
    for _ in range(250):
        n, m = int(rng.integers(5, 20)), int(rng.integers(3, 9))
        x, y, z = rng.normal(size=(n, 1)) + rng.normal(size=(3, n, m))
        levels = {
            rouge.system_level_corr: [each.mean(axis=1) for each in (x, y, z)],
            rouge.global_corr: [each.ravel() for each in (x, y, z)],
        }
        for level, (a, b, h) in levels.items():
            # SacreROUGE tests absolute values.
            r, s, t = (abs(float(metaeval.pearson(*each))) for each in ((h, a), (h, b), (a, b)))
            theirs = functools.partial(
                rouge.williams_diff_test, functools.partial(level, pearsonr), x, y, z
            )
            one = williams(r, s, t, len(h))
            two = williams(r, s, t, len(h), alternative="two-sided")
            yield Compared("Williams' test", one.p_value, float(theirs(two_tailed=False)))
            yield Compared("Williams' test", two.p_value, float(theirs(two_tailed=True)))


def of_fisher(rouge: Any) -> Iterator[Compared]:
    """Compare intervals from Fisher's z."""
    from scipy import stats

    rng = np.random.default_rng(3)
    functions = (stats.pearsonr, stats.spearmanr, stats.kendalltau)
    for _ in range(100):
        n = int(rng.integers(5, 30))
        x, y = rng.normal(size=(n, 1)) + rng.normal(size=(2, n, 4))
        for name, function in zip(("pearson", "spearman", "kendall"), functions, strict=True):
            level = functools.partial(rouge.system_level_corr, function)
            ours = interval_of_coefficient(name, float(level(x, y)), n)
            if ours is not None:
                for a, b in zip(ours, rouge.fisher_ci(level, x, y), strict=True):
                    yield Compared("Fisher's z", a, float(b))


def of_bca() -> Iterator[Compared]:
    """Compare BCa intervals from the same resamples."""
    from scipy import stats

    rng = np.random.default_rng(4)
    functions = {name: SYSTEM_LEVEL[name] for name in ("pearson", "spearman", "differentials")}
    for (name, function), n, _ in itertools.product(functions.items(), (5, 8, 12, 30), range(20)):
        x, y = rng.normal(size=(2, n)) + np.linspace(0, 3, n)
        drawn, out = rng.integers(0, n, (500, n)), np.eye(n, dtype=bool)
        resamples = function(x[drawn], y[drawn])
        resamples = resamples[~np.isnan(resamples)]
        without = function(np.where(out, np.nan, x), np.where(out, np.nan, y))
        value = float(function(x, y))
        interval = Estimate(value, resamples, [without]).interval(95, "bca")
        theirs = stats.bootstrap(
            (x, y),
            lambda a, b, axis, function=function: function(a, b),  # noqa: ARG005
            paired=True,
            vectorized=True,
            method="BCa",
            n_resamples=0,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=resamples),
        ).confidence_interval
        # scipy has no interval if all resamples are on one side of the value.
        if interval is not None and not np.isnan(theirs).any():
            yield Compared(f"BCa: {name}", interval.low, float(theirs.low))
            yield Compared(f"BCa: {name}", interval.high, float(theirs.high))


# The table


def sources(folder: str, package: str, modules: tuple[str, ...], absent: tuple[str, ...]) -> Any:
    """Import modules of a package from its sources, without what nothing here needs."""
    root = ModuleType(package)
    root.__path__ = [str(Path(folder) / package)]
    sys.modules[package] = root
    for name in absent:
        sys.modules[name] = ModuleType(name)
    return SimpleNamespace(**{m: importlib.import_module(f"{package}.{m}") for m in modules})


def row(program: str, what: str, found: list[Compared]) -> str:
    """Write a row: how many values were compared, how far they differ, and how many too far."""
    far = [each for each in found if each.gap > max(each.chance, ROUNDING)]
    for each in far:
        print(each, file=sys.stderr)
    largest = max(each.gap for each in found)
    shown = f"{largest:.3f} (by chance)" if found[0].chance else f"{largest:.0e}"
    n_far = "–" if math.isinf(found[0].chance) else str(len(far))
    cells = program, what, str(len(found)), shown if largest else "0", n_far
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Compare everything and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("mtme", help="sources of mt-metrics-eval")
    parser.add_argument("sacrerouge", help="sources of SacreROUGE")
    arguments = parser.parse_args()
    modules = ("data", "meta_info", "pce", "tasks")
    mtme = sources(arguments.mtme, "mt_metrics_eval", modules, ("apache_beam", "dacite"))
    data = ModuleType("sacrerouge.data")
    data.Metrics = object  # type: ignore[attr-defined]
    sys.modules[data.__name__] = data
    rouge = sources(arguments.sacrerouge, "sacrerouge", ("stats",), ()).stats
    np.random.seed(1)  # noqa: NPY002
    print(f"| program | what | values | largest difference | too far |\n|{' --- |' * 5}")
    with tempfile.TemporaryDirectory() as folder:
        for year in PAIRS:
            by_kind: dict[str, list[Compared]] = {}
            for each in of_tasks(year, Path(folder), mtme):
                by_kind.setdefault(each.what, []).append(each)
            for what, found in by_kind.items():
                print(row("mt-metrics-eval", what, found), flush=True)
    for program, found in (
        ("mt-metrics-eval", list(of_soft_accuracy(mtme))),
        ("SacreROUGE", list(of_williams(rouge))),
        ("SacreROUGE", list(of_fisher(rouge))),
        ("scipy", list(of_bca())),
    ):
        for what in dict.fromkeys(each.what for each in found):
            print(row(program, what, [each for each in found if each.what == what]), flush=True)


if __name__ == "__main__":
    main()
