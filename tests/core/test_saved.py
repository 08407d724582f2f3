"""Saved reports: what is accepted as one, and how the fields of records are written."""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.evaluation.comparison import Comparison
from mteval_core.evaluation.records import comparison_record, findings
from mteval_core.evaluation.resampling import Interval
from mteval_core.evaluation.saved import is_report, read_report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RECORD: dict[str, Any] = {
    "system": "A",
    "metric": "matches",
    "level": "corpus",
    "id": None,
    "score": 50.0,
    "signature": "Matches|nrefs:1",
}

REPORT: dict[str, Any] = {
    "inputs": {"references": [{"path": "ref.txt"}], "systems": {"A": [{"path": "a.txt"}]}},
    "records": [RECORD],
}

TESTED = {
    "p_value": 0.04,
    "difference": {
        "test": "ar",
        "trials": 1000,
        "correction": "holm",
        "all_pairs": False,
        "level": 95,
    },
}


def with_record(**fields: Any) -> dict[str, Any]:
    return {**REPORT, "records": [{**RECORD, **fields}]}


def without(report: dict[str, Any], *path: Any) -> dict[str, Any]:
    """Copy a report and delete what a path of keys leads to."""
    copy = deepcopy(report)
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return copy


# What is a report


@pytest.mark.parametrize(
    "report",
    [
        REPORT,
        with_record(id=3, level="segment"),
        with_record(id="news", level="doc"),
        with_record(score=50),
        with_record(ci=None, p_value=None),
        with_record(ci={"n": 1000, "level": 95.0, "low": 1.0}),
        with_record(**TESTED),
        {**REPORT, "version": "0.1.0"},
        {**REPORT, "records": [RECORD, RECORD]},
    ],
)
def test_a_report(report: object) -> None:
    assert is_report(report)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "report",
        {},
        without(REPORT, "inputs"),
        without(REPORT, "records"),
        without(REPORT, "inputs", "references"),
        without(REPORT, "inputs", "systems"),
        {**REPORT, "records": []},
        {**REPORT, "records": {}},
        {**REPORT, "records": [RECORD, 1]},
        {**REPORT, "inputs": {"references": [], "systems": {}}},
        {**REPORT, "inputs": {"references": [{}], "systems": {"A": {}}}},
        {**REPORT, "inputs": {"references": [{}], "systems": {"A": ["a.txt"]}}},
        {**REPORT, "inputs": {"references": [{}, "ref1.txt"], "systems": {}}},
    ],
)
def test_another_value_is_not_a_report(value: object) -> None:
    assert not is_report(value)


@pytest.mark.parametrize("key", RECORD)
def test_a_record_has_every_key(key: str) -> None:
    assert not is_report(without(REPORT, "records", 0, key))


@pytest.mark.parametrize(
    "fields",
    [
        {"score": "50"},
        {"score": None},
        {"system": 1},
        {"level": "paragraph"},
        {"id": [1]},
        {"ci": {}},
        {"ci": {"n": "1000", "level": 95}},
        {"ci": [1.0, 2.0]},
        {"p_value": "0.04"},
        {"p_value": 0.04},
        {**TESTED, "difference": None},
    ],
)
def test_a_field_of_another_type_is_refused(fields: dict[str, Any]) -> None:
    assert not is_report(with_record(**fields))


@pytest.mark.parametrize("key", TESTED["difference"])  # type: ignore[arg-type]
def test_a_p_value_comes_with_its_test(key: str) -> None:
    assert not is_report(without(with_record(**TESTED), "records", 0, "difference", key))


# Reading


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(REPORT))
    assert read_report(str(path)) == REPORT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"report\.json: not JSON \(.*\); expected what 'mteval score -f json' writes"),
        ("", r"report\.json: not JSON"),
        ("[]", r"report\.json: not a report of mteval; expected what 'mteval score -f json' writ"),
        ('"\\ud800"', r"report\.json: not a report of mteval"),
    ],
)
def test_other_files_are_refused_with_the_path(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(content)
    with pytest.raises(mt.InputError, match=message):
        read_report(str(path))


def test_a_file_that_does_not_exist_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(mt.InputError, match=r"none\.json: No such file or directory"):
        read_report(str(tmp_path / "none.json"))


def test_what_an_evaluation_writes_is_a_report(registry: mt.Registry) -> None:
    systems = {"A": ["a b"] * 12, "B": ["a c"] * 12}
    evaluation = mt.evaluate(systems, [["a b"] * 12], ["matches"], registry=registry)
    for scores in (evaluation, evaluation.confidence(20), evaluation.compare("ar", 99)):
        inputs = {"references": [{}], "systems": {"A": [{}]}}
        assert is_report({"inputs": inputs, "records": scores.to_records()})


# Fields of records

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
    }


def test_a_comparison_is_written_with_its_baseline_and_test() -> None:
    fields = findings(comparison=COMPARISON, baseline="base", all_pairs=True)
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
    record = comparison_record(COMPARISON, system="A", baseline="B", metric="matches")
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

    def sha256(lines: bytes) -> str:
        return hashlib.sha256(lines).hexdigest()

    assert inputs(evaluation) == {
        "references": [{"path": path, "sha256": sha256(b"a b\n")}],
        "systems": {"A": [{"path": None, "sha256": sha256(b"a c\n")}]},
        "docs": {"path": None, "sha256": sha256(b"news\n")},
    }
