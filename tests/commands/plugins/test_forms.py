"""Metrics of every form in a plugin of one file, through every command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLUGIN = """
from itertools import chain, pairwise
from zlib import crc32

import mteval_core as mt
from mteval_core.formulas import ratio
import numpy as np


class Median:
    def segment_statistics(self, hypothesis, references):
        known = {*chain(*references)}
        return [len({*hypothesis} & known) / max(1, len(hypothesis))]

    def score_rows(self, rows, weights):
        rows, weights = rows[order := rows[:, 0].argsort()], weights[..., order]
        upto = weights.cumsum(axis=-1)
        half = upto[..., -1:] / 2
        return (rows[(upto >= half).argmax(-1)] + rows[(upto > half).argmax(-1)]) / 2


class Distinct:
    def segment_statistics(self, hypothesis, references):
        return [1 + crc32(" ".join(bigram).encode()) for bigram in pairwise(hypothesis)]

    def score_rows(self, rows, weights):
        kinds = np.apply_along_axis(lambda w: len({*rows[w > 0].flat} - {0}), -1, weights)
        return ratio(kinds, weights @ (rows > 0).sum(axis=1))[..., None]


class Repeated:
    def segment_statistics(self, hypothesis, references):
        return [1 - len({*hypothesis}) / max(1, len(hypothesis))]


class Copied:
    def segment_statistics(self, hypothesis, references, source):
        return [len({*hypothesis} & {*source}), len({*hypothesis})]

    def score(self, totals):
        return ratio(totals[..., :1], totals[..., 1:])


@mt.hookimpl
def mteval_register_metrics():
    views = {"words": mt.View(), "source": mt.View(of="source")}
    free = {"references": "none", "bounds": (0, 100)}
    repeats = {"a_corpus_twice_scores_the_same": "what is repeated is not distinct"}
    return [
        mt.MetricSpec("median", factory=Median, help="median", values={"M": 100}),
        mt.MetricSpec("distinct", factory=Distinct, help="different bigrams", values={"D": 100},
                      exceptions=repeats, **free),
        mt.MetricSpec("repeated", factory=Repeated, help="repeated words", values={"R": 100},
                      better="lower", **free),
        mt.MetricSpec("copied", factory=Copied, help="words of the source", values={"C": 100},
                      better="lower", views=views, source="required", **free),
    ]
"""
METRICS = ["median", "distinct", "repeated", "copied"]


@pytest.fixture(scope="module")
def run(
    mteval: Callable[..., Any], mini: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Any]:
    folder = tmp_path_factory.mktemp("forms")
    (folder / "forms.py").write_text(PLUGIN, encoding="utf-8")
    named = [f"{name}={mini}/systems/{name}.txt" for name in ("deep", "rule", "short", "neural")]
    texts = [mini / "ref0.txt", "-i", *named, "--source", mini / "src.de.txt"]
    common = [*texts, "-m", *METRICS, "-f", "json"]

    def command(*words: Any, scored: bool = True, errors: str | None = "") -> str:
        done = mteval("-p", "forms.py", *words, *(common if scored else ()), cwd=folder)
        assert done.code == 0, done.err + done.out
        assert errors in (None, done.err)
        return str(done.out)

    return command


@pytest.mark.parametrize("name", ["median", "distinct"])
def test_they_keep_the_contract(run: Callable[..., Any], name: str) -> None:
    assert "checks pass" in run("check", name, scored=False, errors=None)


def test_a_report_with_intervals_and_tests_is_computed_again(run: Callable[..., Any]) -> None:
    tested = ("-ci", "-n", "40", "-par", "--trials", "60", "-o", "report.json")
    run("score", *tested)
    assert run("replay", "report.json", scored=False)
    again = run("score", *tested[:-2])
    records = json.loads(again)["records"]
    assert len(records) == 4 * len(METRICS)
    for record in records:
        # What is drawn twice is not distinct: all resamples score lower than the text.
        inside = record["ci"]["low"] <= record["score"] <= record["ci"]["high"]
        assert inside == (record["metric"] != "distinct")
        assert record["system"] == "deep" or 0 < record["p_value"] <= 1


def test_documents(run: Callable[..., Any], mini: Path) -> None:
    records = json.loads(run("score", "--level", "doc", "--docs", mini / "docs.txt"))["records"]
    assert len(records) == 4 * len(METRICS) * 12
    assert len({record["score"] for record in records if record["metric"] == "median"}) > 12


def test_correlations(run: Callable[..., Any], mini: Path) -> None:
    judged = ("--human", mini / "ratings.tsv", "--criteria", "adequacy")
    of_documents = ("--level", "doc", "--docs", mini / "docs.txt")
    for experiment in ((), of_documents, ("--compare", "--test", "bootstrap")):
        out = run("correlate", *judged, "-n", "30", *experiment)
        assert all(f'"{name}"' in out.lower() for name in METRICS)
