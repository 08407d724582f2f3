"""Tables for LaTeX: everything that LaTeX would take for a command is escaped."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_figures.latex import escape, latex

import mteval_core as mt
from mteval_core import main, write_report
from mteval_core.report import Cell, Column, Layout, Report, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def written(registry: mt.Registry, systems: Mapping[str, Sequence[str]], spec: str) -> str:
    evaluation = mt.evaluate(systems, [["a b"]], spec, registry=registry)
    return str(write_report(evaluation, "latex"))


def test_a_float(registry: mt.Registry) -> None:
    report = written(registry, {"base": ["a x"], "our_system": ["a b"]}, "matches:case=lc")
    needs, comment, *lines = report.splitlines()
    assert needs == r"% needs \usepackage{booktabs,siunitx}"
    assert comment.startswith("% Matches|nrefs:1|case:lc|tok:13a|")
    assert lines == [
        "",
        r"\begin{table}",
        r"\centering\small",
        r"\sisetup{detect-weight,retain-explicit-plus,table-align-text-post=false}",
        r"\caption{Scores.}\label{tab:scores}",
        r"\vspace{1ex}",
        r"\begin{tabular}{l",
        "S[table-format=3.2]}",
        r"\toprule",
        r"system & \multicolumn{1}{c}{Matches $\uparrow$} \\",
        r"\midrule",
        r"base & 50.00 \\",
        r"our\_system & \bfseries 100.00 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip\raggedright\scriptsize",
        r"$\uparrow$ higher is better, bold: best\par",
        r"\end{table}",
    ]


SYSTEMS = {
    "base": ["a x"] * 40,
    "good": ["a b"] * 39 + ["a x"],
    "also good": ["a b"] * 38 + ["a x"] * 2,
    "bad": ["x x"] * 40,
}


def compared(registry: mt.Registry, *specs: str, all_pairs: bool, **layout: Any) -> str:
    evaluation = mt.evaluate(SYSTEMS, [["a b"] * 40], specs, registry=registry)
    evaluation = evaluation.confidence(100).compare("ar", 2000, all_pairs=all_pairs)
    page = Layout(**layout)
    return str(write_report(evaluation, "latex", page))


def rows(report: str) -> list[str]:
    """Rows of the body of the first tabular."""
    return report.partition("\\midrule\n")[2].partition("\n\\bottomrule")[0].splitlines()


def test_what_is_tied_with_the_best_is_underlined(registry: mt.Registry) -> None:
    body = rows(compared(registry, "matches", all_pairs=True))
    assert [row.split(" & ")[1] for row in body] == [
        "50.00",
        r"\bfseries 98.75",
        r"{\underline{97.50}}",
        r"0.00",
    ]


def test_a_dagger_marks_what_differs_from_the_baseline(registry: mt.Registry) -> None:
    report = compared(registry, "matches", all_pairs=False)
    assert r"S[table-format=2.2,table-space-text-post={$^\dagger$}]@{\,}r@{\,}r" in report
    assert [row.split(" & ")[1] for row in rows(report)] == [
        "50.00",
        r"\bfseries 98.75{$^\dagger$}",
        r"97.50{$^\dagger$}",
        r"0.00{$^\dagger$}",
    ]
    assert r"$^\dagger$ significantly different from base\par" in report
    how = "paired approximate randomisation, 2000 trials of segments, seed 12345, Holm's correction"
    below = report.partition(r"\end{tabular}")[2].replace(r"\allowbreak{}", "")
    assert f"p \\textless{{}} 0.05 ({how})" in below
    assert report.partition(r"\end{tabular}")[0].count(r"\caption") == 1


def test_notes_explain_only_what_the_tables_show(registry: mt.Registry) -> None:
    one = compared(registry, "matches", all_pairs=False)
    assert one.count("dagger$ ") == 1
    assert "of a difference" not in one
    both = compared(registry, "matches", all_pairs=False, tables=("all",))
    assert "[ ] of a difference: 95" in both
    every = compared(registry, "matches", all_pairs=True)
    assert "significant, p" not in every
    assert "underlined: not significantly worse than the best" in every
    systems = {"A": ["a b"] * 40, "B": ["x x"] * 40}
    apart = mt.evaluate(systems, [["a b"] * 40], ["matches"], registry=registry).compare()
    assert "not significantly worse" not in str(write_report(apart, "latex"))


def test_a_caption_of_the_user_is_the_whole_caption() -> None:
    table = Table.of(["system", "wins"], [["A", "3"]])
    report = Report.of("x", "Wins", [table], [], inputs={}, summary="Of two")
    assert r"\caption{Wins. Of two. Wins.}" in str(write_report(report, "latex"))
    own = replace(report, caption="Our wins")
    assert r"\caption{Our wins.}" in str(write_report(own, "latex"))


def test_a_table_of_a_paper_is_one_float_unless_others_are_asked_for(
    registry: mt.Registry,
) -> None:
    one = compared(registry, "matches", all_pairs=True)
    assert one.count(r"\begin{tabular}") == one.count(r"\caption") == one.count(r"\label") == 1
    assert "% the first of 2 tables; --tables all writes the others, too\n" in one
    both = compared(registry, "matches", all_pairs=True, tables=("all",))
    assert re.findall(r"\\label\{(.*?)\}", both) == ["tab:scores", "tab:pairs"]
    assert "--tables" not in both


def test_each_mark_is_explained_once_below_the_table(registry: mt.Registry) -> None:
    report = compared(registry, "matches", all_pairs=True)
    above, _, below = report.partition(r"\end{tabular}")
    for text in ("bold: best", "underlined: not significantly worse", "[ ] 95"):
        assert (above.count(text), below.count(text)) == (0, 1)


def test_fifty_systems_are_a_table_that_breaks_between_pages(registry: mt.Registry) -> None:
    systems = {f"system {n}": ["a x"] for n in range(50)}
    report = written(registry, systems, "matches")
    assert r"\usepackage{booktabs,siunitx,longtable}" in report
    assert report.count(r"\begin{longtable}{l") == report.count(r"\end{longtable}") == 1
    assert r"\begin{table" not in report
    assert report.index(r"\endfirsthead") < report.index(r"\endhead") < report.index("system 0 &")
    assert report.index("system 49 &") < report.index(r"\bottomrule")


def test_letters_are_raised(registry: mt.Registry) -> None:
    report = compared(registry, "matches", all_pairs=True, marks="letters", transpose=True)
    assert r"table-space-text-post={\textsuperscript{m}}]" in report
    (row,) = rows(report)
    cells = row.split(" & ")
    assert cells[0] == r"Matches $\uparrow$"
    assert cells[1] == r"50.00{\textsuperscript{b}}"
    assert cells[4] == r"\bfseries 98.75{\textsuperscript{a}}"


def test_tables_that_are_too_wide_are_cut_between_metrics(registry: mt.Registry) -> None:
    specs = [f"matches:bonus=0.{n}" for n in range(1, 6)]
    report = compared(registry, *specs, all_pairs=False, tables=("all",))
    scores, differences = report.split(r"\end{table*}")[:2]
    assert (scores.count(r"\begin{tabular}"), differences.count(r"\begin{tabular}")) == (3, 3)
    assert scores.count(r"{bonus=0.") == differences.count(r"{bonus=0.") == 5
    assert r"\scriptsize" in scores
    assert r"\scriptsize" not in differences


def test_options_are_named_only_where_names_do_not_suffice(registry: mt.Registry) -> None:
    assert "{bonus" not in compared(registry, "matches:bonus=0.1", all_pairs=True)


STUDIES = (
    ("score", "-m", "bleu", "chrf", "meteor", "ter", "-par"),
    ("score", "-m", "bleu", "ter", "--all-pairs", "--marks", "letters", "--transpose", "-ci"),
    ("correlate", "-m", "bleu", "ter", "--human", "{mini}/ratings.tsv", "-n", "100", "--lin-och"),
)


def test_studies_fit_the_page(
    mini: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """LaTeX sets the tables in two columns on A4 paper, and no line is too wide."""
    if not shutil.which("pdflatex"):
        pytest.skip("pdflatex is not installed")
    for plugin in ("bleu_nist", "chrf", "meteor_fmean", "error_rates"):
        pytest.importorskip(f"mteval_{plugin}")
    pages = []
    for command, *flags in STUDIES:
        inputs = [*sorted(mini.glob("ref?.txt")), "-i", *sorted(mini.glob("systems/*.txt"))]
        chosen = [flag.format(mini=mini) for flag in flags]
        assert main([command, *map(str, inputs), *chosen, "-f", "latex", "-q"]) == 0
        pages.append(capsysbinary.readouterr().out.decode())
    document = (
        r"\documentclass[a4paper,twocolumn]{article}\usepackage{booktabs,siunitx,longtable}"
        rf"\begin{{document}}{''.join(pages)}\end{{document}}"
    )
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    log = done.stdout.decode(errors="replace")
    if "siunitx.sty' not found" in log:
        pytest.skip("the LaTeX package siunitx is not installed")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a&b", r"a\&b"),
        ("100%", r"100\%"),
        ("$x_1^2$", r"\$x\_1\textasciicircum{}2\$"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("~#", r"\textasciitilde{}\#"),
        ("Ünïcödé 系统", "Ünïcödé 系统"),
    ],
)
def test_names_are_escaped(registry: mt.Registry, name: str, expected: str) -> None:
    assert escape(name) == expected
    assert f"\n{expected} & 50.00 \\\\\n" in written(registry, {name: ["a x"]}, "matches")


NUMBERS = st.sampled_from(["1.25", "-10.5", "+3", "–", "·", "<0.01", "100.00", ""])
MARKS = st.sampled_from([None, "best", "equal", "worse", "significant", "insignificant"])
SIGNS = st.sampled_from(["", "†", "a", "abc"])
NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=8)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table of any cells under any heads, in groups or not."""
    n_rows, n_parts = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    cells = st.builds(
        lambda number, rest, mark, signs: Cell((number, *rest), mark, signs),
        NUMBERS,
        st.lists(NUMBERS, min_size=n_parts - 1, max_size=n_parts - 1),
        MARKS,
        SIGNS,
    )
    columns = st.builds(
        lambda heads, found, group: Column(tuple(heads), tuple(found), group),
        st.lists(NAMES, min_size=1, max_size=3),
        st.lists(cells, min_size=n_rows, max_size=n_rows),
        st.sampled_from([None, "", "A_B"]),
    )
    names = draw(st.lists(NAMES, min_size=n_rows, max_size=n_rows))
    made = draw(st.lists(columns, min_size=1, max_size=5))
    return Table(draw(NAMES), (draw(NAMES),), tuple((name,) for name in names), tuple(made))


def cells_of(row: str) -> int:
    """Number of columns that a row of a tabular fills."""
    wide = [int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row)]
    return len(re.findall(r"(?<!\\)&", row)) + 1 + sum(wide)


@given(tables())
@settings(max_examples=40)
def test_any_table_is_well_formed(table: Table) -> None:
    """Braces are balanced, and each row fills all columns of its tabular."""
    report = Report("x", lambda _: [table], list, lambda _: {})
    for written_table in (latex(report, Layout()), latex(report, Layout(is_fragment=True))):
        bare = re.sub(r"\\[\\{}&%$#_]", "", written_table)
        assert bare.count("{") == bare.count("}")
        parts = written_table.split(r"\begin{tabular}")[1:]
        for part in parts:
            formats, body = part.split("\\toprule\n")
            formats = re.sub(r"S\[[^\n]*?\](?=@|\n|\}|r|S)", "S", formats).replace(r"@{\,}", "")
            n_columns = len(re.findall("[lrS]", formats))
            rows_of_part = [row for row in body.split("\n") if row.endswith(r" \\")]
            assert {cells_of(row) for row in rows_of_part} == {n_columns}


def test_parts_that_are_too_high_continue_in_floats_of_their_own(registry: mt.Registry) -> None:
    systems = {f"system {n}": ["a x"] for n in range(30)}
    specs = [f"matches:bonus=0.{n}" for n in range(1, 8)]
    evaluation = mt.evaluate(systems, [["a b"]], specs, registry=registry)
    page = Layout(values=True)
    first, second, *more = str(write_report(evaluation, "latex", page)).split(r"\end{table*}")
    assert (first.count(r"\begin{tabular}"), second.count(r"\begin{tabular}")) == (1, 1)
    assert r"\caption{Scores. Continued.}\label{tab:scores-2}" in second
    assert (r"\scriptsize" in first, r"\scriptsize" in second) == (True, False)
    assert "".join(more).strip() == ""
