"""Tables for people: what is marked, how they are cut, what stands under them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
import wcwidth

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers.markdown import markdown
from mteval_core.report.writers.text import text

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Given:
    """A metric that gives what the hypotheses say, the mean of numbers."""

    def segment_statistics(self, hypothesis: list[str], references: Any) -> list[float]:  # noqa: ARG002
        return [float(hypothesis[0]), 1.0]

    def score(self, totals: Any) -> Any:
        return totals[..., :1] / totals[..., 1:].clip(1)


def declared(name: str, **changed: Any) -> mt.MetricSpec:
    options = (mt.Option("tok", "none"),)
    return replace(
        mt.MetricSpec(
            name, factory=Given, help="", values={"score": 1}, options=options, label=name.upper()
        ),
        **changed,
    )


@pytest.fixture(scope="module")
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    """Load the metrics ``up`` and ``down``, and eight more with long names."""
    long = [declared(f"metric-{i}") for i in range(1, 9)]
    return mt.load_registry(
        [plugin(metrics=[declared("up"), declared("down", better="lower"), *long])]
    )


@pytest.fixture
def shown(registry: mt.Registry) -> Callable[..., str]:
    """Score systems that say their scores, and write the report."""

    def show(
        systems: dict[str, list[str]],
        specs: Any = ("up",),
        write: Callable[..., str] = text,
        documents: Any = None,
        **layout: Any,
    ) -> str:
        references = [["x"] * len(next(iter(systems.values())))]
        evaluation = mt.evaluate(systems, references, specs, documents=documents, registry=registry)
        return write(of_evaluation(evaluation, Layout(**layout)), Layout(**layout))

    return show


def table(report: str) -> list[str]:
    return [line.rstrip() for line in report.split("\n\n")[0].splitlines()]


def test_systems_down_metrics_across(shown: Callable[..., str]) -> None:
    report = shown({"A": ["10", "20"], "system B": ["30", "40"]}, ["up", "down"])
    assert table(report) == [
        "system     UP ↑   DOWN ↓",
        "--------  ------  -------",
        "A         15.00    15.00*",
        "system B  35.00*   35.00",
    ]
    _, notes, signatures = report.split("\n\n")
    assert notes.splitlines() == ["↑ higher is better, ↓ lower is better, * best"]
    one, other = signatures.splitlines()
    assert one.startswith("UP|nrefs:1|case:mixed|tok:none|stem:none|refs:")
    assert other.startswith("DOWN|nrefs:1|case:mixed|tok:none|stem:none|refs:")
    assert report.endswith(f"|plugin:mteval-toy@1.0|version:{mt.__version__}\n")


def test_options_stand_under_the_name(shown: Callable[..., str]) -> None:
    report = shown({"A": ["1"]}, ["up:tok=char,case=lc", "mteval-toy/up"])
    assert table(report) == [
        "system      UP ↑        UP ↑",
        "        tok=char  mteval-toy",
        "         case=lc",
        "------  --------  ----------",
        "A           1.00        1.00",
    ]


def test_ties_are_all_marked(shown: Callable[..., str]) -> None:
    report = shown({"A": ["1.001"], "B": ["1.004"], "C": ["0.99"]}, ["up", "down"])
    assert [line.split() for line in table(report)[2:]] == [
        ["A", "1.00*", "1.00"],
        ["B", "1.00*", "1.00"],
        ["C", "0.99", "0.99*"],
    ]
    # With another digit they are no ties.
    report = shown({"A": ["1.001"], "B": ["1.004"]}, decimals=3)
    assert [line.split()[1] for line in table(report)[2:]] == ["1.001", "1.004*"]


def test_a_single_system_is_not_the_best(shown: Callable[..., str]) -> None:
    report = shown({"A": ["1"]})
    assert "*" not in report
    assert "best" not in report


@pytest.mark.parametrize(("decimals", "cell"), [(0, "12"), (1, "12.3"), (5, "12.34568")])
def test_decimals(shown: Callable[..., str], decimals: int, cell: str) -> None:
    assert table(shown({"A": ["12.3456789"]}, decimals=decimals))[2].split()[1] == cell


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_a_wide_table_is_cut_between_metrics(shown: Callable[..., str], columns: int) -> None:
    specs = [f"metric-{i}:tok=none" for i in range(1, 9)]
    systems = {"a system with a long name": ["1.5"], "B": ["2.5"]}
    report = shown(systems, specs, columns=columns)
    blocks = [block for block in report.split("\n\n") if block.startswith("system")]
    assert len(blocks) > 1
    seen = []
    for block in blocks:
        lines = block.splitlines()
        assert all(len(line) <= columns for line in lines)
        assert [line.split("  ")[0] for line in lines[3:]] == ["a system with a long name", "B"]
        found = [word for word in lines[0].split() if word.startswith("METRIC-")]
        assert lines[-1].count("2.50*") == len(found)
        # As many as the page holds: all columns of this table are equally wide.
        assert block is blocks[-1] or len(lines[2]) + len("  ------------") > columns
        seen += found
    assert seen == [f"METRIC-{i}" for i in range(1, 9)]


def test_a_wide_page_needs_no_cut(shown: Callable[..., str]) -> None:
    specs = [f"metric-{i}" for i in range(1, 9)]
    assert len(shown({"A": ["1"]}, specs, columns=1000).split("\n\n")) == 3


def test_a_table_is_not_cut_within_a_metric(shown: Callable[..., str]) -> None:
    report = shown({"a system with a very long name": ["1"]}, ["up", "down"], columns=10)
    blocks = [block for block in report.split("\n\n") if block.startswith("system")]
    assert len(blocks) == 2


def test_parts_of_the_corpus_are_rows(shown: Callable[..., str]) -> None:
    systems = {"A": ["1", "2", "3"], "B": ["3", "2", "1"]}
    report = shown(systems, level="doc", documents=["d", "e", "d"])
    assert [line.split() for line in table(report)[2:]] == [
        ["d", "A", "2.00*"],
        ["d", "B", "2.00*"],
        ["e", "A", "2.00*"],
        ["e", "B", "2.00*"],
    ]
    report = shown(systems, level="segment")
    assert table(report)[0].split() == ["segment", "system", "UP", "↑"]
    assert [line.split() for line in table(report)[2:]] == [
        ["0", "A", "1.00"],
        ["0", "B", "3.00*"],
        ["1", "A", "2.00*"],
        ["1", "B", "2.00*"],
        ["2", "A", "3.00*"],
        ["2", "B", "1.00"],
    ]


def test_jackknifed_scores_show_their_spread(plugin: Callable[..., Any]) -> None:
    """Three references that say 1, 2, 6; the highest of two of them is 6, 6 and 2."""

    class Highest(Given):
        def segment_statistics(self, hypothesis: list[str], references: Any) -> list[float]:  # noqa: ARG002
            return [max(float(reference[0]) for reference in references), 1.0]

    registry = mt.load_registry([plugin(metrics=[declared("up", factory=Highest)])])
    evaluation = mt.evaluate(
        {"A": ["x"]}, [["1"], ["2"], ["6"]], ["up:loo=yes"], registry=registry, humans=True
    )
    report = text(of_evaluation(evaluation, Layout()), Layout())
    assert [line.split() for line in table(report)[3:]] == [
        ["A", "4.67", "{2.00,", "6.00}"],
        ["ref0", "(human)", "6.00"],
        ["ref1", "(human)", "6.00"],
        ["ref2", "(human)", "2.00"],
    ]
    assert "\n{ } lowest and highest score with one reference left out" in report


def test_names_in_any_script_and_with_white_space(shown: Callable[..., str]) -> None:
    rows = table(shown({"Übersetzer é": ["1"], "システム": ["2"], " spaces ": ["0"]}))[2:]
    assert rows[0].startswith("Übersetzer é  ")
    assert rows[1].startswith("システム  ")
    assert rows[2].startswith(" spaces  ")
    ends = [wcwidth.wcswidth(row) for row in rows]  # of the numbers, with or without a mark
    assert max(ends) - min(ends) <= 1


def test_names_that_look_like_numbers_stay_as_they_are(shown: Callable[..., str]) -> None:
    systems = {"1e3": ["1"], "007": ["2"], "-0.50": ["3"]}
    assert [line.split()[0] for line in table(shown(systems))[2:]] == list(systems)
    rows = table(shown(systems, write=markdown))[2:]
    assert [row.strip("|").split("|")[0].strip() for row in rows] == list(systems)


def test_markdown(shown: Callable[..., str]) -> None:
    report = shown({"A": ["1"], "a|b": ["2"]}, ["up:case=lc", "down"], write=markdown)
    lines = report.splitlines()
    assert [cell.strip() for cell in lines[0].strip("|").split("|")] == [
        "system",
        "UP ↑ case=lc",
        "DOWN ↓",
    ]
    assert set(lines[1]) <= set("|-:")
    assert [line.replace(" ", "") for line in lines[2:4]] == [
        "|A|1.00|**1.00**|",
        r"|a\|b|**2.00**|2.00|",
    ]
    signatures = [line for line in lines if line.startswith("- `")]
    assert [line[:10] for line in signatures] == ["- `UP|nref", "- `DOWN|nr"]
    assert report.endswith("`\n")
    assert "\n- ↑ higher is better, ↓ lower is better, bold: best\n" in report
