"""Records of scores and comparisons: how their fields are written."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.evaluation.comparison import Comparison
from mteval_core.evaluation.intervals import Interval
from mteval_core.evaluation.records import comparison_records, findings

if TYPE_CHECKING:
    from collections.abc import Callable

COMPARISON = Comparison(
    difference=-2.0,
    interval=Interval(low=-3.0, high=-1.0, mean=-2.1, level=95.0, n=1000),
    raw_p_value=0.01,
    p_value=0.02,
    smallest_p=0.001,
    test="ar",
    n=1000,
    exact=False,
    correction="holm",
    all_pairs=True,
)


def test_a_score_alone_has_empty_findings() -> None:
    assert findings() == {"ci": None, "p_value": None, "baseline": None}


def test_an_interval_is_written_with_its_level_and_size() -> None:
    interval = Interval(low=1.0, high=2.0, mean=1.5, level=90.0, n=100)
    assert findings(interval)["ci"] == {
        "low": 1.0,
        "high": 2.0,
        "mean": 1.5,
        "level": 90.0,
        "n": 100,
        "kind": "percentile",
    }


def test_a_comparison_is_written_with_its_baseline_and_test() -> None:
    fields = findings(comparison=COMPARISON, baseline="base")
    assert (fields["p_value"], fields["baseline"]) == (0.02, "base")
    difference = fields["difference"]
    assert (difference["value"], difference["low"], difference["high"]) == (-2.0, -3.0, -1.0)
    assert (difference["test"], difference["trials"], difference["exact"]) == ("ar", 1000, False)
    assert (difference["correction"], difference["all_pairs"]) == ("holm", True)


def test_runs_are_written_with_their_standard_deviation() -> None:
    fields = findings(runs=np.array([1.0, 3.0]))
    assert fields["runs"] == {"scores": [1.0, 3.0], "sd": pytest.approx(np.sqrt(2))}


def test_jackknifed_scores_are_written_with_their_range() -> None:
    spread = findings(jackknife=np.array([2.0, 4.0, 6.0]))["jackknife"]
    assert spread == {"low": 2.0, "high": 6.0, "sd": pytest.approx(2.0), "n": 3}


def test_the_record_of_a_comparison_has_both_p_values() -> None:
    (record,) = comparison_records({("A", "B", "matches"): COMPARISON})
    assert (record["system"], record["baseline"], record["metric"]) == ("A", "B", "matches")
    assert (record["p_raw"], record["p_value"]) == (0.01, 0.02)
    assert (record["low"], record["high"], record["level"]) == (-3.0, -1.0, 95.0)


def test_inputs_are_listed_with_their_hashes(
    registry: mt.Registry, files: Callable[..., list[str]]
) -> None:
    from mteval_core.evaluation.records import inputs

    (path,) = files(ref="a b\r\n")
    test_set = mt.TestSet((mt.read_text(path),), ("news",))
    evaluation = mt.evaluate({"A": ["a c"]}, test_set, ["matches"], registry=registry)

    def hashes(segment: str) -> dict[str, str]:
        digest = mt.Text.of([segment]).digest.hex
        return {"hash": digest, "sha256": sha256(f"{segment}\n".encode()).hexdigest()}

    assert inputs(evaluation.scores) == {
        "references": [{"path": path, **hashes("a b")}],
        "systems": {"A": [{"path": None, **hashes("a c")}]},
        "docs": {"path": None, **hashes("news")},
        "source": None,
        "scores": [],
        "plugins": [],
        "files": {},
    }
