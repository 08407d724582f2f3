"""Saved reports: what is accepted as one."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from mteval_decide.form import check_report
from mteval_decide.saved import SavedReport

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

HASH = "0" * 32

RECORD: dict[str, Any] = {
    "system": "A",
    "metric": "matches",
    "level": "corpus",
    "id": None,
    "better": "higher",
    "score": 50.0,
    "values": {"P": 50.0},
    "n_segments": 12,
    "signature": "Matches|nrefs:1",
    "ci": None,
    "p_value": None,
    "baseline": None,
}

INTERVAL = {"low": 1.0, "high": 2.0, "level": 95.0, "kind": "percentile"}
RESAMPLED = {**INTERVAL, "mean": 1.5, "n": 1000}
TEST = {"test": "ar", "trials": 1000, "exact": False, "correction": "holm"}
DIFFERENCE = {"value": 1.5, **RESAMPLED, **TEST, "all_pairs": False}
TESTED = {"p_value": 0.04, "baseline": "B", "difference": DIFFERENCE}

PAIR = {
    "system": "A",
    "baseline": "B",
    "metric": "matches",
    "difference": 1.5,
    "p_raw": 0.04,
    "p_value": 0.04,
    **INTERVAL,
    **TEST,
}

REPORT: dict[str, Any] = {
    "mteval": "0.1.0",
    "inputs": {
        "references": [{"path": "ref.txt", "hash": HASH}],
        "systems": {name: [{"path": None, "hash": HASH}] for name in "AB"},
        "docs": None,
        "source": None,
        "scores": [],
        "plugins": [],
        "files": {},
    },
    "settings": {},
    "records": [RECORD],
    "comparisons": [],
}


CONFIG: dict[str, Any] = {
    "path": "mteval.toml",
    "sha256": "0" * 64,
    "preset": None,
    "values": {"seed": 7, "metrics": ["matches"], "parts": True, "tok": "13a"},
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
        with_record(ci=RESAMPLED),
        with_record(**TESTED),
        with_record(runs={"scores": [1.0, 2.0], "sd": 0.5}),
        with_record(jackknife={"low": 1.0, "high": 2.0, "sd": 0.5, "n": 3}),
        {**REPORT, "comparisons": [PAIR]},
        {**REPORT, "config": CONFIG},
    ],
)
def test_a_report(report: object) -> None:
    check_report(report)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "report",
        {},
        *(without(REPORT, key) for key in REPORT),
        *(without(REPORT, "inputs", key) for key in REPORT["inputs"]),
        *(without(REPORT, "records", 0, key) for key in RECORD),
        *(without({**REPORT, "comparisons": [PAIR]}, "comparisons", 0, key) for key in PAIR),
        *(without(with_record(**TESTED), "records", 0, "difference", key) for key in DIFFERENCE),
        *(without(with_record(ci=RESAMPLED), "records", 0, "ci", key) for key in RESAMPLED),
        {**REPORT, "version": "0.1.0"},
        {**REPORT, "records": []},
        {**REPORT, "records": {}},
        {**REPORT, "records": [RECORD, 1]},
        {**REPORT, "records": [RECORD, RECORD]},
        {**REPORT, "comparisons": [PAIR, PAIR]},
        {**REPORT, "comparisons": [{**PAIR, "system": "B", "baseline": "A"}]},
        {**REPORT, "comparisons": [{**PAIR, "baseline": "C"}]},
        *({**REPORT, "config": without(CONFIG, key)} for key in CONFIG),
        {**REPORT, "config": {**CONFIG, "values": {"seed": None}}},
    ],
)
def test_another_value_is_not_a_report(value: object) -> None:
    with pytest.raises(mt.InputError):
        check_report(value)


@pytest.mark.parametrize(
    "fields",
    [
        {"score": "50"},
        {"score": None},
        {"score": True},
        {"score": float("inf")},
        {"system": 1},
        {"system": "a\nb"},
        {"level": "paragraph"},
        {"id": [1]},
        {"ci": {}},
        {"ci": {**RESAMPLED, "n": "1000"}},
        {"ci": [1.0, 2.0]},
        {"p_value": "0.04"},
        {"p_value": 0.04},
        {**TESTED, "difference": None},
        {**TESTED, "p_value": None},
        {"difference": DIFFERENCE},
    ],
)
def test_a_field_of_another_type_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(mt.InputError, match=r"records\[0\]"):
        check_report(with_record(**fields))


# Reading


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(REPORT))
    assert SavedReport.read(str(path)) == REPORT


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"report\.json: not JSON \(.*\); expected what 'mteval score -f json' writes"),
        ("", r"report\.json: not JSON"),
        ("[]", r"report\.json: not a report of mteval: the report: expected an object, got a list"),
        ('"\\ud800"', r"report\.json: not a report of mteval"),
        ('{"experiment": "pairs"}', r"report\.json: a report of another command \(pairs\)"),
    ],
)
def test_other_files_are_refused_with_the_path(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(content)
    with pytest.raises(mt.InputError, match=message):
        SavedReport.read(str(path))


def test_a_report_that_does_not_exist_is_answered_with_the_nearest_file(tmp_path: Path) -> None:
    (tmp_path / "base.json").touch()
    with pytest.raises(mt.InputError, match=r"bse\.json: no such file. Did you mean 'base\.json'"):
        SavedReport.read(str(tmp_path / "bse.json"))


def test_what_an_evaluation_writes_is_a_report(registry: mt.Registry) -> None:
    systems = {"A": ["a b"] * 12, "B": ["a c"] * 12}
    evaluation = mt.evaluate(systems, [["a b"] * 12], ["matches"], registry=registry)
    for scores in (evaluation, evaluation.confidence(20), evaluation.compare("ar", 99)):
        check_report(json.loads(json.dumps(scores.to_dict())))
