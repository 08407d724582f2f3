"""Reports of every experiment in every format, and plots of curves."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.reports.agreement import of_agreement
from mteval_metaeval.reports.correlation import of_segments, of_systems
from mteval_metaeval.reports.curve import of_curve
from mteval_metaeval.reports.lin_och import of_table
from mteval_metaeval.reports.numbers import number
from mteval_metaeval.reports.ranking import of_rankings

import mteval_core as mt
from mteval_core import write_report
from mteval_core.report import Chart, Layout, Report

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_metaeval import Study
    from mteval_metaeval.study import Draw

    Make = Callable[..., Study]


def test_numbers() -> None:
    assert number(0.125, 2) == "0.12"
    assert number(-0.001, 2) == "0.00"
    assert number(float("nan"), 2) == "–"


# Experiments


@pytest.fixture
def small(study: Make, judged: Callable[..., Any]) -> Study:
    rng = np.random.default_rng(1)
    quality = np.linspace(0, 2, 6)[:, None] + rng.normal(0, 0.5, (6, 12))
    human = quality + rng.normal(0, 0.3, (3, 6, 12))
    metrics = quality + rng.normal(0, 0.5, (2, 6, 12))
    return study(metrics, judged(human, raters="abc"))


RESAMPLING = metaeval.Resampling(n=40)


def every(small: Study) -> dict[str, Report]:
    """Reports of every experiment."""
    points, notes = metaeval.length_curve([(1, small)], [1, 3], 20)
    judges, more = metaeval.inter_judge(small, [1, 3], 20)
    curve = ([*points, *judges], notes + more)
    return {
        "system": of_systems(small, metaeval.system_level(small, RESAMPLING), RESAMPLING),
        "segment": of_segments(small, metaeval.segment_level(small, RESAMPLING), RESAMPLING),
        "table": of_table(small, metaeval.lin_och_table(small, RESAMPLING), RESAMPLING),
        "ranking": of_rankings(small, metaeval.rank_metrics(small), RESAMPLING),
        "curve": of_curve([small], curve, RESAMPLING, coefficient="spearman", documents=20),
        "agreement": of_agreement(metaeval.rater_agreement(small.judgments), small.judgments),
    }


REGISTRY = mt.load_registry([])
FORMATS = {
    entry.declaration.name: entry
    for entry in REGISTRY.of_kind(mt.FormatSpec)
    if {*entry.declaration.parts} & {"table", "record"}
}


def test_formats_with_tables_or_records() -> None:
    assert set(FORMATS) == {
        *("text", "markdown"),
        *("json", "jsonl", "csv", "tsv"),
    }


@pytest.mark.parametrize("format_", list(FORMATS))
def test_every_experiment_in_every_format(small: Study, format_: str) -> None:
    for experiment, report in every(small).items():
        written = write_report(report, format_, Layout(columns=80), REGISTRY)
        assert isinstance(written, str)
        assert "nan" not in written.lower().replace("unannotated", "")
        if format_ == "text":
            lines = [line for line in written.split("\n") if "|" not in line]
            assert max(map(len, lines)) <= 80
        if format_ == "json":
            data = json.loads(written)
            assert data["mteval"] == mt.__version__
            assert data["experiment"] == experiment
            assert data["records"]
        if format_ == "jsonl":
            assert [json.loads(line) for line in written.splitlines()] == report.records
        if format_ in ("csv", "tsv"):
            delimiter = {"csv": ",", "tsv": "\t"}[format_]
            rows = list(csv.DictReader(io.StringIO(written), delimiter=delimiter))
            assert len(rows) == len([*report.records])
            assert list(rows[0]) == list(report.rows().columns)


def test_records_are_unrounded(small: Study) -> None:
    correlations, _ = metaeval.system_level(small, RESAMPLING)
    records = every(small)["system"].records
    pearson: Any = next(r for r in records if r["quantity"] == "pearson")
    assert pearson["value"] == correlations[0].value
    assert pearson["ci"]["n"] == 40
    assert pearson["level"] == "system"
    assert {r["criterion"] for r in records} == {"score"}


def test_what_is_not_defined_is_a_dash_and_null(study: Make) -> None:
    human = np.arange(12.0).reshape(6, 2)
    constant = study([np.ones((6, 2))], human)
    report = of_systems(constant, metaeval.system_level(constant, RESAMPLING), RESAMPLING)
    assert re.search(
        "column:k=0 +–  +–", str(write_report(report, "text", Layout(columns=120), REGISTRY))
    )
    assert json.loads(write_report(report, "json"))["records"][0]["value"] is None
    assert "column:k=0 gives all systems" in str(
        write_report(report, "text", Layout(columns=120), REGISTRY)
    )


def test_only_intervals_that_there_are_get_a_word(small: Study) -> None:
    cases: tuple[tuple[Draw, tuple[str, ...]], ...] = (
        ("segments", ("of segments, seed", "only the grouping item has any")),
        ("systems", ("of systems, seed", "only the grouping system has any")),
        ("both", ("; no intervals.",)),
    )
    for draw, words in cases:
        resampling = metaeval.Resampling(n=20, draw=draw)
        results = metaeval.segment_level(small, resampling)
        report = str(
            write_report(
                of_segments(small, results, resampling), "text", Layout(columns=200), REGISTRY
            )
        )
        assert all(word in report for word in words)
        assert ("L, U" in report) == (draw != "both")


def test_many_raters_are_not_listed(judged: Callable[..., Any]) -> None:
    scores = np.random.default_rng(0).normal(size=(50, 2, 3))
    judgments = judged(scores, raters=[f"r{k}" for k in range(50)])
    report = of_agreement(metaeval.rater_agreement(judgments), judgments)
    written = str(write_report(report, "text", Layout(columns=80), REGISTRY))
    assert "50 raters and 1225 pairs of raters; -f json lists them all" in written
    record: Any = report.records[0]
    assert len(record["pairs"]) == 1225
    assert "share fewer than 10" in written


def test_many_signatures_are_not_listed() -> None:
    report = Report.of(
        experiment="curve",
        title="Curve",
        summary="",
        parts=[],
        records=[],
        inputs={},
        signatures=[f"S{k // 2}" for k in range(82)],
    )
    assert report.signatures == ()
    assert "41 signatures: -f json lists them all." in str(
        write_report(report, "text", Layout(), REGISTRY)
    )
    assert report.data["signatures"] == tuple(f"S{k}" for k in range(41))


def test_raters_who_share_nothing(judged: Callable[..., Any]) -> None:
    scores = np.full((2, 1, 4), np.nan)
    scores[0, 0, :2], scores[1, 0, 2:] = [1, 2], [3, 4]
    judgments = judged(scores, raters="ab")
    report = of_agreement(metaeval.rater_agreement(judgments), judgments)
    (note,) = report.notes
    assert note.startswith("score: no output")


# Charts


def test_every_experiment_but_the_table_has_a_chart(small: Study) -> None:
    for experiment, report in every(small).items():
        charts = [part for part in report.parts() if isinstance(part, Chart)]
        assert [chart.name for chart in charts] == {
            "system": ["systems", "pairs"],
            "segment": ["outputs"],
            "table": [],
            "ranking": ["p-values"],
            "curve": ["curve"],
            "agreement": ["judges"],
        }[experiment]
        assert all(chart.panels() for chart in charts)
