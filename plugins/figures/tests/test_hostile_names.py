"""Names of systems and documents that LaTeX and figures would take for something else."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from mteval_figures.latex import escape

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

NAMES = (
    r"\input{/etc/passwd}",
    r"\def\x{\x}\x",
    "%comment & more # $x^2_1$ ~ {open",
    "^^5cinput{x}",
    "[1] first",
    "*star*",
    "a``b'' -- \"c\"",
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=alert(1)>",
    "&amp; &#60;",
    "[link](javascript:alert(1))",
    "![image](http://host/x.png)",
    "| bar | `code` __bold__ ~~gone~~",
    "=HYPERLINK(1)",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    '"quoted", comma',
)

LEVELS = pytest.mark.parametrize("level", ["corpus", "doc"])


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    """Compare systems with these names, in documents with these names."""
    n = len(NAMES)
    systems = {name: ["a"] * k + ["b"] * (n - k) for k, name in enumerate(NAMES)}
    references = [["a"] * n]
    evaluation = mt.evaluate(systems, references, "matches", documents=NAMES, registry=registry)
    return evaluation.compare(n=2000, all_pairs=True, correct="none")


def written(form: str, evaluation: mt.Evaluation, level: Any) -> str:
    return str(mt.write_report(evaluation, form, mt.Layout(level)))


@LEVELS
def test_latex_prints_them(evaluation: mt.Evaluation, level: str, tmp_path: Path) -> None:
    page = written("latex", evaluation, level)
    assert all(escape(name) in page for name in NAMES)
    body = "".join(line for line in page.splitlines(keepends=True) if not line.startswith("%"))
    commands = set(re.findall(r"\\([a-zA-Z]+)", body))
    assert not commands & {"input", "def", "x"}
    if not shutil.which("pdflatex"):
        pytest.skip("LaTeX is not installed")
    document = (
        r"\documentclass{article}\usepackage{booktabs,siunitx,longtable}\pdfpagewidth=5000pt\textwidth=4900pt"
        rf"\begin{{document}}{page}\end{{document}}"
    )
    (tmp_path / "table.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_what_a_writer_gets_stays_in_one_line() -> None:
    assert escape("a\n\\input{b}\x1b[31m").count("\n") == 0
    assert "\x1b" not in escape("a\x1b[31m")


def test_dollar_signs_in_pictures(registry: mt.Registry) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    systems = {r"$\frac$": ["a"] * 10, "a$b": ["b"] * 10}
    evaluation = mt.evaluate(systems, [["a", "b"] * 5], "matches", registry=registry)
    compared = evaluation.compare(n=2000, correct="none")
    picture = str(mt.write_report(compared, "svg"))
    assert r">$\frac$<" in picture
    assert ">a$b<" in picture
