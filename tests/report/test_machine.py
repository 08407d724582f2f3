"""Records for machines: the same unrounded numbers in every format, read back by others."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers.csv import csv as write_csv
from mteval_core.report.writers.csv import tsv as write_tsv
from mteval_core.report.writers.json import json as write_json
from mteval_core.report.writers.json import jsonl as write_jsonl
from mteval_core.report.writers.scores import scores as write_scores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES = ['comma, "quote"', "semicolon; bar|", "Ünïcödé 系统 🙂"]


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    """Score systems with awkward names; the scores are no round numbers."""
    return mt.evaluate(
        {name: ["a b c", "d"] for name in NAMES},
        [["a x y", "d e"], ["b", None]],
        ["matches", "matches:bonus=0.1"],
        documents=["ä,b", "c"],
        registry=registry,
    )


def written(write: Callable[..., Any], evaluation: mt.Evaluation, level: Any = "corpus") -> str:
    return "".join(write(of_evaluation(evaluation, Layout(level)), Layout(level)))


LEVELS = pytest.mark.parametrize("level", ["corpus", "doc", "segment"])


@LEVELS
def test_json(evaluation: mt.Evaluation, level: Any) -> None:
    report = written(write_json, evaluation, level)
    assert json.loads(report) == evaluation.to_dict(level)
    assert report.endswith("}\n")
    assert "系统" in report


@LEVELS
def test_jsonl(evaluation: mt.Evaluation, level: Any) -> None:
    lines = written(write_jsonl, evaluation, level).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == evaluation.to_records(level)


@LEVELS
@pytest.mark.parametrize(("write", "delimiter"), [(write_csv, ","), (write_tsv, "\t")])
def test_csv_and_tsv(
    evaluation: mt.Evaluation, level: Any, write: Callable[..., str], delimiter: str
) -> None:
    report = written(write, evaluation, level)
    rows = list(csv.DictReader(io.StringIO(report), delimiter=delimiter))
    records = evaluation.to_records(level)
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        assert row["system"] == record["system"]
        assert float(row["score"]) == record["score"]
        assert {name: float(row[name]) for name in record["values"]} == record["values"]
        assert row.get("id") == (None if record["id"] is None else str(record["id"]))
        assert {"ci", "p_value", "baseline"}.isdisjoint(row)


class Counted(dict[str, Any]):
    """A record that knows how many others are in memory."""

    alive = most = 0

    def __init__(self, record: dict[str, Any]) -> None:
        super().__init__(record)
        Counted.alive += 1
        Counted.most = max(Counted.alive, Counted.most)

    def __del__(self) -> None:
        Counted.alive -= 1


@pytest.mark.parametrize("write", [write_jsonl, write_csv, write_tsv, write_scores])
def test_records_are_not_kept(evaluation: mt.Evaluation, write: Callable[..., Any]) -> None:
    def records() -> Iterator[Counted]:
        return (Counted(record) for _ in range(9) for record in evaluation.to_records("segment"))

    Counted.most = 0
    report = replace(of_evaluation(evaluation, Layout("segment")), make_records=records)
    assert "".join(write(report, Layout("segment"))).count("\n") >= 9 * 2 * 3 * 2
    assert 1 <= Counted.most <= 2


def test_records_with_different_keys_are_one_table(registry: mt.Registry) -> None:
    evaluation = mt.evaluate(
        {"A": ["a"] * 5, "B": ["b"] * 5, "C": [["a"] * 5, ["b"] * 5]},
        [["a", "b", "a", "b", "a"]],
        "matches",
        registry=registry,
    ).compare(n=200)
    rows = list(csv.DictReader(io.StringIO(written(write_csv, evaluation))))[:3]
    assert [bool(row["difference"]) for row in rows] == [False, True, True]
    assert float(rows[1]["difference"]) == pytest.approx(-20)
    assert [row["runs_scores"] for row in rows] == ["", "", "[60.0, 40.0]"]
    assert [bool(row["runs_sd"]) for row in rows] == [False, False, True]


def test_each_signature_is_written_once(registry: mt.Registry) -> None:
    rows = compared(registry, all_pairs=False)
    report = of_evaluation(rows, mt.Layout())
    found = [row["signature"] for row in report.rows()]
    assert [bool(signature) for signature in found] == [True, False, False] * 2 + [False] * 4
    assert set(found) - {None} == set(report.signatures)
    assert "signature" not in report.rows(mt.Layout(signatures="none")).columns


def test_wide_rows_have_the_metrics_next_to_each_other(registry: mt.Registry) -> None:
    evaluation = compared(registry, all_pairs=False).confidence(1000)
    (first, second, *_), records = wide(evaluation), evaluation.to_records()
    assert (first["system"], second["system"]) == ("A", "B")
    for k, metric in enumerate(evaluation.scorers):
        assert first[metric] == records[3 * k]["score"]
        assert first[f"{metric}_ci_low"] == records[3 * k]["ci"]["low"]
        assert second[f"{metric}_p_value"] == records[3 * k + 1]["p_value"]
    assert (first["n_segments"], first["ci_n"]) == (10, 1000)
    assert "metric" not in first
    assert [row["system"] for row in wide(evaluation)] == ["A", "B", "C", "B", "C"]


def test_wide_rows_of_segments(registry: mt.Registry) -> None:
    evaluation = compared(registry, all_pairs=False)
    rows = [*of_evaluation(evaluation, mt.Layout("segment")).rows(mt.Layout(wide=True))]
    assert [(row["system"], row["id"]) for row in rows] == [
        (s, i) for s in "ABC" for i in range(10)
    ]
    assert [row["matches"] for row in rows[:5]] == [100, 0, 100, 100, 100]


def test_wide_rows_need_one_score_for_each_system_and_metric() -> None:
    records = [{"metric": "m", "system": "A", "score": 1.0, "part": part} for part in "xy"]
    for few in (records, [{"lines": 3}]):
        report = mt.Report.of("x", "X", [], few, inputs={})
        with pytest.raises(mt.UsageError, match="--wide needs one score per system and metric"):
            report.rows(mt.Layout(wide=True))


def test_nested_values_have_columns_of_their_own() -> None:
    """The value of a metric that is called as another column has its place before its name."""
    record = {"score": 1.0, "values": {"BP": 0.5, "score": 1.0}, "a": {"b": {"c": 2}}, "no": None}
    (row,) = mt.Report.of("x", "X", [], [record], inputs={}).rows()
    assert row == {"score": 1.0, "a_b_c": 2, "BP": 0.5, "values_score": 1.0}


def wide(evaluation: mt.Evaluation) -> list[dict[str, Any]]:
    return [*of_evaluation(evaluation, mt.Layout()).rows(mt.Layout(wide=True))]


def compared(registry: mt.Registry, *, all_pairs: bool) -> mt.Evaluation:
    """Compare three systems under two metrics."""
    systems = {"A": ["a"] * 10, "B": ["a", "b"] * 5, "C": ["b"] * 10}
    specs = ["matches", "matches:bonus=0.1"]
    evaluation = mt.evaluate(systems, [["a", "b", "a", "a", "a"] * 2], specs, registry=registry)
    return evaluation.compare(n=500, all_pairs=all_pairs)


@pytest.mark.parametrize(("all_pairs", "n"), [(False, 4), (True, 6)])
def test_all_comparisons_follow_the_records_in_json_lines(
    registry: mt.Registry, *, all_pairs: bool, n: int
) -> None:
    evaluation = compared(registry, all_pairs=all_pairs)
    lines = list(map(json.loads, written(write_jsonl, evaluation).splitlines()))
    assert lines[:6] == evaluation.to_records()
    assert lines[6:] == evaluation.to_dict()["comparisons"]
    assert len(lines[6:]) == n
    assert len(written(write_jsonl, evaluation, "segment").splitlines()) == 2 * 3 * 10


@pytest.mark.parametrize(("all_pairs", "n"), [(False, 4), (True, 6)])
@pytest.mark.parametrize(("write", "delimiter"), [(write_csv, ","), (write_tsv, "\t")])
def test_all_comparisons_follow_the_records_in_csv_and_tsv(
    registry: mt.Registry, write: Callable[..., str], delimiter: str, *, all_pairs: bool, n: int
) -> None:
    evaluation = compared(registry, all_pairs=all_pairs)
    report = written(write, evaluation)
    rows = list(csv.DictReader(io.StringIO(report), delimiter=delimiter))
    assert [row["level"] for row in rows] == ["corpus"] * 6 + ["comparison"] * n
    for row, pair in zip(rows[6:], evaluation.to_dict()["comparisons"], strict=True):
        for key in ("difference", "p_raw", "p_value"):
            assert float(row[key]) == pair[key]
        for key in ("system", "baseline", "metric", "test", "trials", "exact", "correction"):
            assert row[key] == str(pair[key])
        for key in ("low", "high", "level", "kind"):
            assert row[f"ci_{key}"] == str(pair[key])
        assert row["score"] == row["signature"] == ""
