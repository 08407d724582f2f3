"""Measure how thousands of parts of a test set are merged: at once, and as a tree.

    python benchmarks/many_parts.py [--parts N] [--segments N] [--systems N] [--resamples N]

The parts are cut from generated text and counted here, as ``mteval partial`` counts them. Then
``mteval merge`` reads all of them; and, as a tree, as many as the square root of their number, into
parts that are merged again. Both write the same table. The figures of plugins/scale/docs/scale.md
come from here.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

from bleu import make_text, run
from mteval_scale.arrow import CutPartial, to_bytes
from mteval_scale.plan import plan_of
from mteval_scale.shards import Segments, Shard

import mteval_core as mt

MERGE = [sys.executable, "-m", "mteval_core", "merge", "-q"]


def write_parts(folder: Path, arguments: argparse.Namespace) -> tuple[str, list[str]]:
    """Write a plan and its parts, and return their paths."""
    hypotheses, references = make_text(arguments.segments)
    systems = {
        f"system{k}": mt.Text.of(hypotheses[k:] + references[:k]) for k in range(arguments.systems)
    }
    source = mt.InMemory.of(systems, mt.TestSet((mt.Text.of(references),)))
    plan = plan_of(["bleu"], list(systems), ["ref"], resamples=arguments.resamples)
    plan_path, paths = folder / "plan.json", []
    plan_path.write_text(plan.to_json(), encoding="utf-8")
    scorers = plan.scorers()
    for number in range(1, arguments.parts + 1):
        shard = Shard(number, arguments.parts)
        segments = Segments(source, shard.of(len(references)))
        counted = plan.kept.count_source(segments, scorers)
        partial = CutPartial(**vars(counted), whole_digests=segments.whole_digests)
        paths.append(folder / f"{number:05}.arrow")
        paths[-1].write_bytes(to_bytes(partial, plan.id, str(shard)))
    return str(plan_path), list(map(str, paths))


def main() -> None:
    """Merge at once and as a tree, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--parts", type=int, default=4096)
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--systems", type=int, default=2)
    parser.add_argument("--resamples", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        plan, parts = write_parts(Path(name), arguments)
        size = Path(parts[0]).stat().st_size / 1e3
        print(f"{len(parts)} parts of {size:.0f} kB\n{'':24}{'CPU s':>8}{'MB':>8}")
        seconds, memory, at_once = run([*MERGE, plan, *parts, "-ci", "-pbs"])
        print(f"{'at once':24}{seconds:8.1f}{memory:8.0f}", flush=True)
        each, found, larger = math.isqrt(len(parts)), [], []
        for start in range(0, len(parts), each):
            larger.append(f"{name}/from{start:05}.arrow")
            found.append(run([*MERGE, plan, *parts[start : start + each], "--part", larger[-1]]))
        total, largest = sum(one[0] for one in found), max(one[1] for one in found)
        print(f"{'tree: each of ' + str(len(found)):24}{total / len(found):8.1f}{largest:8.0f}")
        seconds, memory, as_tree = run([*MERGE, plan, *larger, "-ci", "-pbs"])
        print(f"{'tree: the last':24}{seconds:8.1f}{memory:8.0f}")
        if as_tree != at_once:
            raise SystemExit(f"the tables differ:\n{at_once}\n{as_tree}")


if __name__ == "__main__":
    main()
