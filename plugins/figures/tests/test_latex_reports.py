"""Reports for LaTeX: groups of columns, marks, significance, escapes."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_figures.latex import latex

import mteval_core as mt
from mteval_core.report import Cell, Column, Layout, Meaning, Report, Table

if TYPE_CHECKING:
    from mteval_core.report import CellMark


def column(group: str, title: str, *numbers: str, marks: tuple[CellMark, ...] = ()) -> Column:
    cells = [Cell((number,), mark) for number, mark in zip_longest(numbers, marks)]
    return Column((title,), tuple(cells), group)


TABLE = Table(
    "Adequacy",
    ("metric",),
    (("BLEU",), ("a_b:c=1",)),
    (
        column("Case", "P", "0.81", "-0.05", marks=("best", "worse")),
        column("Case", "L", "0.77", "-0.10"),
        column("NoCase", "P", "0.84", "0.83", marks=("best", "equal")),
        column("NoCase", "L", "0.80", "0.79"),
    ),
)

REPORT = Report(
    "What & why",
    make_parts=lambda _: [TABLE],
    make_records=list,
    make_data=lambda _: {},
    summary="2 systems",
    legend=[
        (
            Meaning("best of the column", "best"),
            Meaning("not significantly different from the best", "equal"),
        )
    ],
    notes=["a <note>"],
    signatures=["BLEU|nrefs:1"],
)


def test_latex() -> None:
    report = latex(REPORT, Layout())
    assert r" & \multicolumn{2}{c}{Case} & \multicolumn{2}{c}{NoCase} \\" in report
    assert r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}" in report
    assert r"BLEU & \bfseries 0.81 & 0.77 & \bfseries 0.84 & 0.80 \\" in report
    assert r"a\_b:c=1 & -0.05 & -0.10 & {\underline{0.83}} & 0.79 \\" in report
    assert "S[table-format=+1.2]\nS[table-format=+1.2]\nS[table-format=1.2]\n" in report
    assert r"\caption{What \& why. 2 systems. Adequacy.}\label{tab:table}" in report
    note = report.partition(r"\scriptsize")[2]
    assert note.startswith("\nbold: best of the column, underlined: not")
    assert r"a \textless{}note\textgreater{}\par" in note
    assert "% BLEU|nrefs:1\n" in report


def test_latex_for_notebooks_needs_booktabs_alone() -> None:
    report = latex(REPORT, Layout(is_fragment=True))
    assert r"\begin{tabular}{l" in report
    assert r"BLEU & \textbf{0.81} & 0.77 & \textbf{0.84} & 0.80 \\" in report
    assert r"a\_b:c=1 & $-$0.05 & $-$0.10 & \underline{0.83} & 0.79 \\" in report
    assert "S[" not in report
    assert "table*" not in report


def compared(name: str = "B") -> Report:
    """Report one significant and one other difference, each with its interval and p."""
    cells = (
        Cell(("-1.02", "[-1.94,", "-0.03]", "0.0440"), "significant"),
        Cell(("+0.50", "[-0.20,", "+1.10]", "0.2000"), "insignificant"),
    )
    table = Table(
        f"Difference to {name}",
        ("system",),
        (("A",), ("C",)),
        (Column(("BLEU ↑", "difference [interval] p"), cells),),
    )
    legend = [(Meaning("↑ higher is better"),), (Meaning("p < 0.05", "significant"),)]
    return Report("Scores", lambda _: [table], list, lambda _: {}, legend=legend)


def test_significance() -> None:
    report = latex(compared(), Layout())
    assert r"A & -1.02{$^\dagger$} & [$-$1.94, & $-$0.03] & 0.0440 \\" in report
    assert r"C & +0.50 & [$-$0.20, & +1.10] & 0.2000 \\" in report
    assert r"$^\dagger$ p \textless{} 0.05\par" in report


def test_a_report_without_a_summary_has_no_title() -> None:
    assert "Scores" not in latex(compared(), Layout())


def test_a_name_does_not_end_a_comment() -> None:
    report = Report("x\n\\input{y}", lambda _: [TABLE], list, lambda _: {}, summary="z")
    assert latex(report, Layout(is_fragment=True)).startswith("% x \\input{y}\n% z\n")


def test_a_notebook_that_becomes_a_paper_has_a_table() -> None:
    registry = mt.load_registry(files=[str(Path(__file__).parent / "matches.py")])
    evaluation = mt.evaluate({"A": ["a b"]}, [["a c"]], "matches", registry=registry)
    assert str(evaluation._repr_latex_()).count("\\begin{tabular}") == 1
