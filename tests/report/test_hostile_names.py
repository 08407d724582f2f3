"""Names that are commands, markup or formulas elsewhere are plain text in every format."""

from __future__ import annotations

import csv as csv_module
import io
import json
import re
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt
from mteval_core.report import Layout
from mteval_core.report.scores import of_evaluation
from mteval_core.report.writers.csv import csv, tsv
from mteval_core.report.writers.json import json as write_json
from mteval_core.report.writers.markdown import escape_markdown, markdown
from mteval_core.report.writers.text import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mteval_core.report import Report

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


def written(
    write: Callable[[Report, Layout], Iterable[str]], evaluation: mt.Evaluation, level: str
) -> str:
    layout = Layout(level)  # type: ignore[arg-type]
    return "".join(write(of_evaluation(evaluation, layout), layout))


@LEVELS
def test_text_and_json(evaluation: mt.Evaluation, level: str) -> None:
    assert all(name in written(text, evaluation, level) for name in NAMES)
    report = json.loads(written(write_json, evaluation, level))
    assert {record["system"] for record in report["records"]} == set(NAMES)


@LEVELS
def test_markdown(evaluation: mt.Evaluation, level: str) -> None:
    page = written(markdown, evaluation, level)
    for name in NAMES:
        assert escape_markdown(name) in page
        # What is left without the escaped characters is not markup.
        rest = re.sub(r"\\[\\`*_\[|~$<&]", "", escape_markdown(name))
        assert not re.search(r"[\\`*_\[|~$]|<\S|&[#\w]", rest)
    rows = [line for line in page.splitlines() if line.startswith("|")]
    tables = re.split(r"(?m)^\|:?-.*$", page)
    assert len(tables) > 1
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows[2 : 2 + len(NAMES)]}
    assert len(bars) == 1


@LEVELS
@pytest.mark.parametrize(("write", "delimiter"), [(csv, ","), (tsv, "\t")])
def test_csv_and_tsv(
    evaluation: mt.Evaluation, level: str, write: Callable[..., Iterable[str]], delimiter: str
) -> None:
    page = written(write, evaluation, level)
    rows = list(csv_module.reader(io.StringIO(page), delimiter=delimiter))
    assert {len(row) for row in rows} == {len(rows[0])}
    formulas = {cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))}
    assert all(re.fullmatch(r"-[\d.]+(e-?\d+)?", cell) for cell in formulas)
    assert {row[0].removeprefix("'") for row in rows[1:]} == set(NAMES)
    assert "'=HYPERLINK(1)" in {row[0] for row in rows}


def test_what_a_writer_gets_stays_in_one_line() -> None:
    assert escape_markdown("a\nb\x1b[31m").count("\n") == 0
    assert "\x1b" not in escape_markdown("a\x1b[31m")
