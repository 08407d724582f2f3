"""Tables for LaTeX: everything that LaTeX would take for a command is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers.latex import escape, latex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def written(registry: mt.Registry, systems: Mapping[str, Sequence[str]], spec: str) -> str:
    evaluation = mt.evaluate(systems, [["a b"]], spec, registry=registry)
    return latex(of_evaluation(evaluation, Layout()), Layout())


def test_a_tabular(registry: mt.Registry) -> None:
    report = written(registry, {"base": ["a x"], "our_system": ["a b"]}, "matches:case=lc")
    lines = report.splitlines()
    assert lines[0].startswith("% Matches|nrefs:1|case:lc|")
    start = lines.index(r"\begin{tabular}{lr}")
    assert lines[start:] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & Matches $\uparrow$ case=lc \\",
        r"\midrule",
        r"base & 50.00 \\",
        r"our\_system & \textbf{100.00} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert r"% needs \usepackage{booktabs}" in lines
    assert all(line.startswith("%") for line in lines[:start])


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
