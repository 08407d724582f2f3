"""Formats applied to reports: which format, and what it gets of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.report import Layout, Report, Table
from mteval_core.report.grid import Column
from mteval_core.report.output import find_format, render
from mteval_core.report.parts import Chart, Passage, Picture
from mteval_core.report.scores import show_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.report.parts import ReportPart

SCORES = Table("", ("system",), (("A",),), (Column.of("score", ["1.0"]),), name="scores")
TERMS = Table("", ("term",), (("t",),), (Column.of("value", ["2.0"]),), name="terms")
CHART = Chart("dots", list, table=SCORES)
BARE = Chart("points", list)
PICTURE = Picture("why", "Why", str, str, str, table=TERMS)
PASSAGE = Passage("verdict", "All is well.")


def names(report: mt.Report, layout: mt.Layout) -> str:
    return ",".join(part.name for part in report.parts(layout)) or "nothing"


@pytest.fixture
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    """Load a format for each kind of part, and one for pictures and tables."""
    kinds: dict[str, Any] = {
        "tables": ("table", "passage"),
        "charts": ("chart",),
        "pictures": ("picture",),
        "both": ("picture", "table"),
        "records": ("record",),
        "papers": ("literature",),
    }
    formats = [
        mt.FormatSpec(name, function=names, parts=parts, endings=(name[:3],))
        for name, parts in kinds.items()
    ]
    return mt.load_registry([plugin(formats=formats)])


def written(registry: mt.Registry, form: str, *parts: ReportPart, **options: Any) -> Any:
    report = Report.of("x", "X", parts, [], inputs={})
    entry = registry.find(mt.FormatSpec, form)
    return "".join(map(str, render(report, Layout(), entry, registry, **options)))


@pytest.mark.parametrize(
    ("form", "parts", "expected"),
    [
        ("tables", [SCORES, CHART], "scores"),
        ("tables", [CHART], "scores"),
        ("tables", [CHART, SCORES], "scores"),
        ("tables", [SCORES, BARE, PASSAGE], "scores,verdict"),
        ("tables", [SCORES, PICTURE], "scores,terms"),
        ("tables", [], "nothing"),
        ("both", [SCORES, PICTURE], "scores,why"),
        ("charts", [SCORES, CHART, BARE], "dots,points"),
        ("records", [SCORES, CHART], "nothing"),
    ],
)
def test_a_format_gets_what_it_declares_or_a_table_of_it(
    registry: mt.Registry, form: str, parts: list[ReportPart], expected: str
) -> None:
    assert written(registry, form, *parts) == expected


@pytest.mark.parametrize(
    ("form", "parts", "chosen", "message"),
    [
        ("charts", [SCORES], (), "cannot write the report 'X'; expected both, csv, json, "),
        ("pictures", [SCORES, CHART], (), "cannot write the report 'X'; expected both, charts, "),
        ("tables", [BARE], (), "cannot write the report 'X'; expected charts, csv, json, "),
        ("papers", [SCORES], (), "cannot write the report 'X'; expected both, csv, "),
        ("tables", [SCORES, BARE], ("points",), "the chart 'points'; expected charts"),
        ("records", [SCORES, BARE], ("points",), "the chart 'points'; expected charts"),
        ("charts", [SCORES], ("scores",), "the table 'scores'; expected both, markdown, "),
        ("charts", [], (), "cannot write the report 'X'; expected both, "),
    ],
)
def test_what_a_format_cannot_write_is_an_error_that_lists_others(
    registry: mt.Registry, form: str, parts: list[ReportPart], chosen: Any, message: str
) -> None:
    with pytest.raises(mt.UsageError) as error:
        written(registry, form, *parts, names=chosen)
    assert str(error.value).startswith(f"the format {form} cannot write ")
    assert message in str(error.value)


def test_parts_can_be_chosen_by_name(registry: mt.Registry) -> None:
    assert written(registry, "charts", CHART, BARE, names=["points"]) == "points"
    assert written(registry, "tables", CHART, BARE, names=["dots"]) == "scores"


def test_no_part_is_made_for_records(registry: mt.Registry) -> None:
    def fail(_: Layout) -> Any:
        raise AssertionError

    report = Report("X", fail, list, lambda _: {"a": 1})
    assert mt.write_report(report, "json", registry=registry)
    assert mt.write_report(report, "records", registry=registry) == "nothing"


def test_signatures_are_as_the_user_wants(plugin: Callable[..., Any]) -> None:
    def lines(report: mt.Report, layout: mt.Layout) -> str:
        return "\n".join([str(layout.signatures), *report.signatures])

    registry = mt.load_registry([plugin(formats=[mt.FormatSpec("lines", function=lines)])])
    signed = ["A|nrefs:1|tok:13a", "B|nrefs:1|tok:none"]
    report = Report.of("x", "X", [SCORES], [], inputs={}, signatures=signed)

    def shown(**layout: Any) -> list[str]:
        return str(mt.write_report(report, "lines", Layout(**layout), registry)).split("\n")

    assert shown() == ["full", *signed]
    assert shown(signatures="none") == ["none"]


# Endings


@pytest.mark.parametrize(
    ("path", "name", "form"),
    [
        (None, None, "text"),
        ("-", None, "text"),
        ("x", None, "text"),
        ("x.txt", None, "text"),
        ("x.MD", None, "markdown"),
        ("x.y/z.markdown", None, "markdown"),
        ("x.tab", None, "tables"),
        ("x.csv", "csv", "csv"),
        ("x.out", "csv", "csv"),
        ("x", "csv", "csv"),
        ("x.out", "md", "markdown"),
        ("x.md", "md", "markdown"),
        (None, "txt", "text"),
    ],
)
def test_the_ending_or_the_name_chooses_the_format(
    registry: mt.Registry, path: str | None, name: str | None, form: str
) -> None:
    assert find_format(registry, path, name).declaration.name == form


def test_an_ending_that_nobody_claims_is_an_error_that_lists_them(registry: mt.Registry) -> None:
    with pytest.raises(mt.UsageError) as error:
        find_format(registry, "x.docx")
    assert str(error.value).startswith(
        "-o x.docx: no format has the ending .docx; expected .bot, .cha, .csv, .json, "
    )
    assert str(error.value).endswith(", .txt, or -f FORMAT")


def test_an_ending_of_another_format_contradicts_the_name(registry: mt.Registry) -> None:
    message = "-f chooses the format csv, but the ending of -o x.json is that of json: leave out -f"
    with pytest.raises(mt.UsageError, match=message):
        find_format(registry, "x.json", "csv")


def test_the_host_keeps_its_endings_and_plugins_must_not_share_one(
    plugin: Callable[..., Any],
) -> None:
    def sheet(name: str) -> mt.FormatSpec:
        return mt.FormatSpec(name, function=names, endings=("csv", "ods"))

    both = [plugin(formats=[sheet("one")]), plugin("other", formats=[sheet("two")])]
    registry = mt.load_registry(both)
    assert find_format(registry, "x.csv").declaration.name == "csv"
    assert find_format(registry, "x.ods", "two").declaration.name == "two"
    assert find_format(registry, "x.csv", "two").declaration.name == "two"
    with pytest.raises(mt.PluginError, match="choose mteval-other/two or mteval-toy/one"):
        find_format(registry, "x.ods")


# Notebooks


def test_a_fragment_says_so_and_is_none_without_the_format(plugin: Callable[..., Any]) -> None:
    form = mt.FormatSpec("page", function=lambda _, layout: f"fragment: {layout.is_fragment}")
    registry = mt.load_registry([plugin(formats=[form])])
    scores = mt.OutsideScores(name="x", values={"A": np.ones(1)})
    evaluation = mt.evaluate({"A": ["a"]}, [["a"]], [scores], registry=registry)
    assert show_evaluation(evaluation, "page") == "fragment: True"
    assert show_evaluation(evaluation, "html") is None
