"""Gains by choosing from n-best lists, under metrics that the choice did not optimise.

    python benchmarks/mbr.py FOLDER... [--metrics SPEC ...] [--tok T]

A folder has `ref0.txt` (and perhaps more references) and `systems/*.txt`. The n-best list of a
segment holds the outputs of all systems. For each metric, hypotheses are chosen by the mean and by
the aggregate utility, and by the references (the oracle). The table has the differences of their
corpus scores to the mean of all systems, under every metric. The last row is that of the best
system under each metric; a star marks a significant difference to that system (paired
randomisation, p < 0.05 after Holm's correction for all choices).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_mbr
import numpy as np

import mteval_core as mt

if TYPE_CHECKING:
    from numpy.typing import NDArray

METRICS = ("bleu", "chrf", "ter", "rouge-l", "meteor")


def experiment(folder: Path, specs: list[str], defaults: dict[str, str]) -> None:
    """Choose by every metric in every way, score what was chosen, and print a table."""
    systems = {path.stem: mt.read_text(path) for path in sorted(folder.glob("systems/*.txt"))}
    references = mt.TestSet(tuple(map(mt.read_text, sorted(folder.glob("ref*.txt")))))
    lists = [[text or "" for text in own] for own in zip(*systems.values(), strict=True)]
    chosen: dict[str, list[str]] = {}
    for spec in specs:
        ways = {
            "mean": mteval_mbr.mbr(lists, spec, defaults=defaults),
            "aggregate": mteval_mbr.mbr(lists, spec, aggregate=True, defaults=defaults),
            "oracle": mteval_mbr.oracle(lists, references, spec, defaults=defaults),
        }
        for way, found in ways.items():
            chosen[f"{spec}, {way}"] = [best.hypothesis for (best,) in found]
    everything = {**systems, **chosen}
    evaluation = mt.evaluate(everything, references, specs, defaults=defaults)
    scores = {
        name: np.array([evaluation.score(name, spec).score for spec in specs])
        for name in everything
    }
    own = np.array([scores[name] for name in systems])
    average = own.mean(axis=0)
    lower = [evaluation.scorers[spec].declaration.better == "lower" for spec in specs]
    winners = [list(systems)[k] for k in own_best(own, lower)]
    differs = [
        significant({name: systems[name], **chosen}, references, spec, defaults)
        for name, spec in zip(winners, specs, strict=True)
    ]
    print(f"\n{folder.name}: {len(lists)} segments, lists of {len(systems)}\n")
    print(f"| chosen by | {' | '.join(specs)} |\n| --- |{' --- |' * len(specs)}")
    print(f"| mean of the systems | {' | '.join(f'{value:.2f}' for value in average)} |")
    for name in chosen:
        gains = scores[name] - average
        cells = [f"{g:+.2f}{'*' * (name in d)}" for g, d in zip(gains, differs, strict=True)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    gains = own[own_best(own, lower), range(len(specs))] - average
    print(f"| best system | {' | '.join(f'{gain:+.2f}' for gain in gains)} |")


def own_best(scores: NDArray[np.float64], lower: list[bool]) -> NDArray[np.int64]:
    """Number of the best system under each metric."""
    return np.where(lower, scores.argmin(axis=0), scores.argmax(axis=0))


def significant(
    texts: dict[str, Any], references: mt.TestSet, spec: str, defaults: dict[str, str]
) -> set[str]:
    """Names of the texts that differ from the first one."""
    evaluation = mt.evaluate(texts, references, [spec], defaults=defaults).compare()
    records = evaluation.to_dict()["comparisons"]
    return {record["system"] for record in records if record["p_value"] < 0.05}


def main() -> None:
    """Run the experiment on every folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--metrics", nargs="+", default=METRICS, metavar="SPEC")
    parser.add_argument("--tok", metavar="T", help="tokenizer of all metrics")
    arguments = parser.parse_args()
    defaults = {"tok": arguments.tok} if arguments.tok else {}
    for folder in arguments.folders:
        experiment(folder, list(arguments.metrics), defaults)


if __name__ == "__main__":
    main()
