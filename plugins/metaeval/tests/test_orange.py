"""ORANGE: by hand, in plain loops, and on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.n_best_ranks import reference_ranks

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from pathlib import Path

NONE = metaeval.Resampling(n=0)

REFERENCES = [
    ["the cat sat on the mat", "he is at home", "it rains"],
    ["a cat sat on the mat", "he stays home", "it is raining"],
    ["the cat was on the mat", "he is home", "rain falls"],
]
LISTS = {
    "1": ["the cat sat on a mat", "he home is", "it rains now"],
    "2": ["cat the mat on", "he is at home", None],
    "3": ["the cat sat on the mat", "at home", None],
}
SPEC = "column:k=0"


class Overlap:
    """Words of the hypothesis that are in a reference, per word of the longer of the two."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [max(shared(hypothesis, reference) for reference in references)]


def shared(hypothesis: list[str], reference: list[str]) -> float:
    n = sum(min(hypothesis.count(word), reference.count(word)) for word in {*hypothesis})
    return n / max(len(hypothesis), len(reference), 1)


@pytest.fixture(scope="module")
def registry(plugin: Any) -> mt.Registry:
    overlaps = [
        mt.MetricSpec(
            name,
            factory=Overlap,
            help="overlap",
            values={"overlap": 1},
            options=(mt.Option("tok", "none"),),
            better=better,
        )
        for name, better in (("overlap", "higher"), ("errors", "lower"))
    ]
    return mt.load_registry([plugin(metrics=overlaps)])


def ranks_in_plain_loops(*, sign: int = 1) -> list[list[float]]:
    """Rank of each reference, for each segment."""
    found = []
    for k in range(3):
        of_segment = []
        for r, reference in enumerate(REFERENCES):
            others = [other[k].split() for s, other in enumerate(REFERENCES) if s != r]
            candidates = [
                text[k].split()
                for text in LISTS.values()
                if text[k] is not None  # type: ignore[union-attr]
            ]
            own, *scores = (
                sign * max(shared(text, other) for other in others)
                for text in (reference[k].split(), *candidates)
            )
            better = sum(score > own for score in scores)
            equal = sum(score == own for score in scores)
            of_segment.append(1 + better + equal / 2)
        found.append(of_segment)
    return found


@pytest.mark.parametrize(("name", "sign"), [("overlap", 1), ("errors", -1)])
def test_ranks_in_plain_loops(registry: mt.Registry, name: str, sign: int) -> None:
    result = metaeval.orange(LISTS, REFERENCES, [name], resampling=NONE, registry=registry)
    ranks = ranks_in_plain_loops(sign=sign)
    lengths = [3, 3, 1]
    shares = [np.mean(of) / (n + 1) for of, n in zip(ranks, lengths, strict=True)]
    (score,) = result.scores
    assert score.value == pytest.approx(np.mean(shares))
    assert score.mean_rank == pytest.approx(np.mean([np.mean(of) for of in ranks]))
    assert (score.interval, score.mark) == (None, "")
    assert (result.n_segments, result.n_references, result.lengths) == (3, 3, (1, 3))


def test_ranks_by_hand() -> None:
    scores = np.array([[0.5, 1.0, np.nan], [0.9, 1.0, 0.1], [0.5, 0.2, 0.1], [0.5, 2.0, 0.1]])
    missing = np.zeros((3, 3), bool)
    missing[2, 1] = True
    assert reference_ranks(scores, missing).tolist()[:2] == [3.0, 1.5]
    assert np.isnan(reference_ranks(scores, missing)[2])


def test_a_perfect_metric_ranks_references_first_and_chance_in_the_middle(
    registry: mt.Registry,
) -> None:
    same = [["a b c"] * 40, ["a b c"] * 40]
    worse = {str(k): ["a x y"] * 40 for k in range(9)}
    (best,) = metaeval.orange(worse, same, ["overlap"], resampling=NONE, registry=registry).scores
    assert (best.value, best.mean_rank) == (0.1, 1.0)
    equal = {str(k): ["a b c"] * 40 for k in range(9)}
    (tied,) = metaeval.orange(equal, same, ["overlap"], resampling=NONE, registry=registry).scores
    assert (tied.value, tied.mean_rank) == (0.55, 5.5)  # the mean of 1 to 10


def test_intervals_and_marks(registry: mt.Registry) -> None:
    rng = np.random.default_rng(1)
    words = np.array([*"abcdef"])

    def texts(n: int) -> list[str]:
        return [" ".join(rng.choice(words, 5)) for _ in range(n)]

    references = [texts(60), texts(60)]
    lists = {str(k): texts(60) for k in range(5)}
    result = metaeval.orange(lists, references, ["overlap", "errors"], registry=registry)
    marks = {score.metric: score.mark for score in result.scores}
    by_value = sorted(result.scores, key=lambda score: score.value)
    assert by_value[0].mark == "best"
    assert {*marks.values()} <= {"best", "equal", ""}
    for score in result.scores:
        assert score.interval is not None
        assert 0 <= score.interval.low <= score.value <= score.interval.high <= 1
    # Random translations: references are in the middle, whatever the metric.
    assert result.scores[0].value == pytest.approx(3.5 / 6, abs=0.08)
    assert sum(score.value for score in result.scores) == pytest.approx(7 / 6)


def test_refusals(registry: mt.Registry) -> None:
    for lists, references, message in (
        (LISTS, REFERENCES[:1], "1 reference; expected two or more"),
        ({}, REFERENCES, "no candidates"),
        ({"1": ["a", None, "b"]}, REFERENCES, "segment 1 has no candidate"),
        ({"1": ["a", "b"]}, REFERENCES, "2 segments"),
        (LISTS, [*REFERENCES, ["a", None, "b"]], "segment 1 lacks this reference"),
    ):
        with pytest.raises(mt.MtevalError, match=message):
            metaeval.orange(lists, references, ["overlap"], registry=registry)  # type: ignore[arg-type]


# The command


def test_the_command(mini: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    references = [str(mini / f"ref{k}.txt") for k in (0, 1)]
    common = ["orange", *references, "-i", str(mini / "systems"), "-m", "bleu", "ter"]
    assert main([*common, "-n", "50"]) == 0
    out = capsys.readouterr().out
    assert "120 segments, 6 candidates for each, 2 references; 95% percentile intervals" in out
    assert main([*common, "-n", "0", "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [record["metric"] for record in report["records"]] == ["BLEU", "TER"]
    assert len(report["inputs"]["references"]) == 2
    assert len(report["inputs"]["systems"]) == 6
    assert all(1 <= record["mean_rank"] <= 7 for record in report["records"])
    assert all("nrefs:2" in signature for signature in report["signatures"])
    for words, message in (
        (["orange", "r", "-m", "bleu"], "expected references and candidates"),
        ([*common, "-n", "0", "--seed", "1"], "-n 0 means no intervals"),
        ([*common[:2], "-i", str(mini / "systems"), "-m", "bleu"], "1 reference; expected two"),
    ):
        assert main(words) == 2
        assert message in capsys.readouterr().err
