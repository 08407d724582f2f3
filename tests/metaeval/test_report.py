"""How findings are written: groups of columns, marks, width, escapes, records."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core import metaeval
from mteval_core.metaeval.curves import Point
from mteval_core.report import correlation
from mteval_core.report.agreement import of_agreement
from mteval_core.report.correlation_tables import (
    FORMATS,
    Column,
    Table,
    html,
    latex,
    markdown,
    text,
)
from mteval_core.report.curve import of_curve, plot_curve
from mteval_core.report.findings import Findings, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.metaeval import Study

    Make = Callable[..., Study]

TABLE = Table(
    "Adequacy",
    ("metric",),
    (("BLEU",), ("a_b:c=1",)),
    (
        Column("Case", "P", ("0.81", "-0.05"), ("best", "")),
        Column("Case", "L", ("0.77", "-0.10")),
        Column("NoCase", "P", ("0.84", "0.83"), ("best", "equal")),
        Column("NoCase", "L", ("0.80", "0.79")),
    ),
)

FINDINGS = Findings(
    "table",
    "What & why",
    "2 systems",
    [TABLE],
    ["* best of the column, ~ not significantly different from the best"],
    ["a <note>"],
    [],
    {},
    {},
    ("BLEU|nrefs:1",),
)


def test_columns_line_up() -> None:
    lines = text(FINDINGS, 80).split("\n")
    at = lines.index("Adequacy")
    top, titles, rule, *rows = lines[at + 1 : at + 6]
    spans = [(m.start(), m.end()) for m in re.finditer("-+", rule)]
    assert len(spans) == 3
    for start, stop in spans[1:]:
        assert titles[start:stop].split() == ["P", "L"]
        assert len(rows[0][start:stop].split()) == 2
    assert "Case" in top[spans[1][0] : spans[1][1]]
    assert rows[0].split() == ["BLEU", "0.81*", "0.77", "0.84*", "0.80"]
    assert rows[1].split() == ["a_b:c=1", "-0.05", "-0.10", "0.83~", "0.79"]


@pytest.mark.parametrize("width", [20, 30, 40, 80])
def test_wide_tables_are_cut_between_groups(width: int) -> None:
    report = text(FINDINGS, width)
    blocks = report.count("Adequacy")
    assert blocks == {20: 3, 30: 2, 40: 1, 80: 1}[width]
    for line in report.split("\n"):
        assert len(line) <= width or "|" in line
    assert report.count("0.84*") == 1


def test_markdown() -> None:
    report = markdown(FINDINGS)
    assert report.startswith("## What & why\n\n2 systems\n\n**Adequacy**\n\n| metric | Case P |")
    assert "| BLEU | **0.81** | 0.77 | **0.84** | 0.80 |\n" in report
    assert "| a_b:c=1 | -0.05 | -0.10 | *0.83* | 0.79 |\n" in report
    assert "bold: best of the column, italics: not significantly" in report


def test_latex() -> None:
    report = latex(FINDINGS)
    assert r" & \multicolumn{2}{c}{Case} & \multicolumn{2}{c}{NoCase} \\" in report
    assert r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}" in report
    assert r"BLEU & \textbf{0.81} & 0.77 & \textbf{0.84} & 0.80 \\" in report
    assert r"a\_b:c=1 & $-$0.05 & $-$0.10 & \textit{0.83} & 0.79 \\" in report
    body = report[report.index(r"\begin") : report.index(r"\end")]
    assert all(line.count("&") <= 4 for line in body.split("\n"))


class Balanced(HTMLParser):
    """Checks that every tag is closed, and counts the columns of every row."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.columns: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "colgroup"):
            self.open.append(tag)
        if tag == "tr":
            self.columns.append(0)
        if tag in ("td", "th"):
            self.columns[-1] += int(dict(attrs).get("colspan") or 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html() -> None:
    report = html(FINDINGS)
    parser = Balanced()
    parser.feed(report)
    assert parser.open == []
    assert parser.columns == [5, 5, 5, 5]
    assert "<title>What &amp; why</title>" in report
    assert "<li>a &lt;note&gt;</li>" in report
    assert '<td class="best">0.81</td><td>0.77</td>' in report
    assert '<td class="equal">0.83</td>' in report
    assert report.count("<colgroup span=") == 3


def test_numbers() -> None:
    assert number(0.125, 2) == "0.12"
    assert number(-0.001, 2) == "0.00"
    assert number(float("nan"), 2) == "–"


# Findings


@pytest.fixture
def small(study: Make, judged: Callable[..., Any]) -> Study:
    rng = np.random.default_rng(1)
    quality = np.linspace(0, 2, 6)[:, None] + rng.normal(0, 0.5, (6, 12))
    human = quality + rng.normal(0, 0.3, (3, 6, 12))
    metrics = quality + rng.normal(0, 0.5, (2, 6, 12))
    return study(metrics, judged(human, raters="abc"))


RESAMPLING = metaeval.Resampling(n=40)


def every(small: Study) -> dict[str, Findings]:
    """Findings of every experiment."""
    points, notes = metaeval.length_curve([(1, small)], [1, 3], 20)
    judges, more = metaeval.inter_judge(small, [1, 3], 20)
    curve = ([*points, *judges], notes + more)
    return {
        "system": correlation.of_systems(
            small, metaeval.system_level(small, RESAMPLING), RESAMPLING
        ),
        "segment": correlation.of_segments(
            small, metaeval.segment_level(small, RESAMPLING), RESAMPLING
        ),
        "table": correlation.of_table(small, metaeval.lin_och_table(small, RESAMPLING), RESAMPLING),
        "ranking": correlation.of_rankings(small, metaeval.rank_metrics(small), RESAMPLING),
        "curve": of_curve([small], curve, RESAMPLING, "spearman", 20),
        "agreement": of_agreement(metaeval.rater_agreement(small.judgments), small.judgments),
    }


@pytest.mark.parametrize("format_", list(FORMATS))
def test_every_experiment_in_every_format(small: Study, format_: str) -> None:
    for experiment, findings in every(small).items():
        assert findings.experiment == experiment
        report = FORMATS[format_](findings, 80)
        assert "nan" not in report.lower().replace("unannotated", "")
        if format_ == "text":
            lines = [line for line in report.split("\n") if "|" not in line]
            assert max(map(len, lines)) <= 80
        if format_ == "html":
            parser = Balanced()
            parser.feed(report)
            assert parser.open == []
        if format_ == "json":
            found = json.loads(report)
            assert found["mteval"] == mt.__version__
            assert found["experiment"] == experiment
            assert found["records"]


def test_records_are_unrounded(small: Study) -> None:
    correlations, _ = metaeval.system_level(small, RESAMPLING)
    records = every(small)["system"].records
    pearson = next(r for r in records if r["quantity"] == "pearson")
    assert pearson["value"] == correlations[0].value
    assert pearson["ci"]["n"] == 40
    assert pearson["level"] == "system"
    assert {r["criterion"] for r in records} == {"score"}


def test_what_is_not_defined_is_a_dash_and_null(study: Make) -> None:
    human = np.arange(12.0).reshape(6, 2)
    constant = study([np.ones((6, 2))], human)
    found = correlation.of_systems(
        constant, metaeval.system_level(constant, RESAMPLING), RESAMPLING
    )
    assert re.search("column:k=0 +–  +–", text(found, 120))
    assert json.loads(FORMATS["json"](found, 0))["records"][0]["value"] is None
    assert "column:k=0 gives all systems the same score" in text(found, 120)


def test_only_intervals_that_there_are_get_a_word(small: Study) -> None:
    for draw, words in (
        ("segments", ("of segments, seed", "only the grouping item has any")),
        ("systems", ("of systems, seed", "only the grouping system has any")),
        ("both", ("; no intervals.",)),
    ):
        resampling = metaeval.Resampling(n=20, draw=draw)
        found = metaeval.segment_level(small, resampling)
        report = text(correlation.of_segments(small, found, resampling), 200)
        assert all(word in report for word in words)
        assert ("L, U" in report) == (draw != "both")


def test_many_raters_are_not_listed(judged: Callable[..., Any]) -> None:
    scores = np.random.default_rng(0).normal(size=(50, 2, 3))
    judgments = judged(scores, raters=[f"r{k}" for k in range(50)])
    findings = of_agreement(metaeval.rater_agreement(judgments), judgments)
    report = text(findings, 80)
    assert "50 raters and 1225 pairs of raters; -f json lists them all" in report
    assert len(findings.records[0]["pairs"]) == 1225
    assert "share fewer than 10" in report


def test_raters_who_share_nothing(judged: Callable[..., Any]) -> None:
    scores = np.full((2, 1, 4), np.nan)
    scores[0, 0, :2], scores[1, 0, 2:] = [1, 2], [3, 4]
    judgments = judged(scores, raters="ab")
    findings = of_agreement(metaeval.rater_agreement(judgments), judgments)
    assert findings.notes == ["score: no output was judged by two raters."]


# Plots


def points() -> list[Point]:
    rng = np.random.default_rng(0)
    return [
        Point(metric, "", criterion, size, length, rng.normal(0.5, 0.1, 30))
        for criterion in ("adequacy", "fluency")
        for metric, size in (("BLEU", 1), ("BLEU", 2), ("NIST", 1), ("NIST", 2), ("", 0))
        for length in (1, 5, 25)
    ]


@pytest.mark.parametrize(
    ("ending", "magic"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")]
)
def test_plots(ending: str, magic: bytes) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    picture = plot_curve(points(), "spearman", ending)
    assert picture.startswith(magic)
    assert picture == plot_curve(points(), "spearman", ending)


def test_svg_says_what_it_shows() -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    picture = plot_curve(points(), "kendall", ".svg").decode()
    for words in ("adequacy, 1 reference", "fluency, 2 references", "BLEU", "judge against judge"):
        assert words in picture
    assert "mean Kendall over systems" in picture


def test_plots_of_other_kinds_are_refused() -> None:
    with pytest.raises(mt.UsageError, match=r"written to \.png, \.svg, \.pdf; found '\.gif'"):
        plot_curve(points(), "spearman", ".gif")


def test_plots_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(mt.UsageError, match=r"pip install 'mteval-core\[plots\]'"):
        plot_curve(points(), "spearman", ".png")
