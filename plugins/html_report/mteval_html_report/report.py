"""A report as one HTML file, which opens from disk and asks for nothing else.

Its policy (Content-Security-Policy) names the one script and the one style by their hashes and
allows nothing else: no network, no other script, no HTML made from strings. jinja2 escapes what it
writes, and the script writes texts as texts.
"""

from __future__ import annotations

import os
import re
import time
from base64 import b64encode
from datetime import date, datetime, timezone
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

import mteval_core
from mteval_core import Subset
from mteval_core.report import Cell, Column, Passage, Picture, Table
from mteval_html_report.browser import browser, title_of
from mteval_html_report.data import packed
from mteval_html_report.fragment import PREFIXES, fragment
from mteval_html_report.pairs import matrices
from mteval_html_report.tables import Grid, grid
from mteval_html_report.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import Evaluation, TestSet
    from mteval_core.report import Layout, Report
    from mteval_html_report.browser import Browser

__all__ = ["html"]

PAGE = Path(__file__).parent / "page"

LITERAL = r'"[^"\n]*"|`[^`]*`|/\[.*\]/gu'
"""What keeps its white space in a script: strings, templates and regular expressions."""

POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def html(report: Report, layout: Layout) -> str:
    """Write a report as one HTML file, or as a part of a page for a notebook.

    Parameters
    ----------
    report : Report
        The report of any command.
    layout : Layout
        The level of the scores, and the number of decimals.

    Returns
    -------
    str
        The file, or its part.
    """
    if layout.is_fragment:
        return fragment(report, layout)
    evaluation = report.evaluation
    pairs = matrices(evaluation, layout.decimals) if evaluation else []
    left_out = {"pairs"} if pairs else set()
    if layout.level == "segment" and evaluation:
        left_out.add("scores")  # the browser of segments shows them
    parts = [part for part in report.parts(layout) if part.name not in left_out]
    pictures = [part for part in parts if isinstance(part, Picture)]
    script, style = asset("page.js"), asset("page.css")
    style += "".join(dict.fromkeys(picture.style for picture in pictures))
    shown = browser(evaluation, layout.decimals) if evaluation else None
    parts_of_set = scores_of_parts(evaluation, shown, layout) if evaluation and shown else []
    page = environment().get_template("page.html")
    return page.render(
        report=report,
        summary=report.summary or summary(report),
        policy=POLICY.format(script=digest(script), style=digest(style)),
        script=Markup(script),
        style=Markup(style),
        passages=[part.text for part in parts if isinstance(part, Passage)],
        tables=[grid(part) for part in parts if isinstance(part, Table)],
        matrices=pairs,
        scores_of_parts=parts_of_set,
        parts_title=parts_title(evaluation.scores.corpus.test_set) if evaluation else "",
        date=date_of_writing(),
        legend=report.legend_lines(PREFIXES),
        pictures=[(one.title, Markup(visible(one.html(layout)))) for one in pictures],
        pictures_first=isinstance(next(iter(parts), None), Picture),
        browser=shown,
        data=packed(shown.data) if shown else None,
        inputs=list(inputs((evaluation.to_dict() if evaluation else report.data).get("inputs"))),
        version=mteval_core.__version__,
    )


@cache
def environment() -> Environment:
    """Return the templates. Control characters are visible in everything that they write."""
    return Environment(
        loader=FileSystemLoader(PAGE),
        autoescape=True,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def asset(name: str) -> str:
    """Read a script or a style without its comments, indents and other needless white space."""
    text = (PAGE / name).read_text(encoding="utf-8")
    text = re.sub(r"^(\s*(//|/\*\*).*\n)*\s*", "", text, flags=re.MULTILINE)
    if name.endswith(".css"):
        return re.sub(r"(?<=[{};:,])\s+|\s+(?={)|;(?=\s*})", "", text)
    return re.sub(rf"({LITERAL})|(?<=[;{{,(\[])\n| ?([=<>?:,&|(){{}}]+) ?", r"\1\2", text)


def digest(text: str) -> str:
    """Write the hash of a script or a style as the policy names it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def summary(report: Report) -> str:
    """Say how much was scored."""
    evaluation = report.evaluation
    if evaluation is None:
        return ""
    counts = {
        "system": len(evaluation.systems),
        "metric": len(evaluation.scorers),
        "segment": len(evaluation.scores.test_set),
        "reference": len(evaluation.scores.test_set.references),
    }
    return ", ".join(f"{n:,} {what}{'s' * (n != 1)}" for what, n in counts.items())


def date_of_writing() -> date:
    """Return today, or the day that a reproducible build sets, as ``SOURCE_DATE_EPOCH``."""
    seconds = float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return datetime.fromtimestamp(seconds, timezone.utc).date()


PARTS: dict[Literal["length", "doc", "domain"], tuple[str, str]] = {
    "length": ("by length of the reference in words", "words"),
    "doc": ("by document", "document"),
    "domain": ("by domain", "domain"),
}
"""What tables of parts are called, and what names their rows."""


def parts_title(test_set: TestSet) -> str:
    """Say by what the test set is divided into parts, ``By length and document``."""
    names = ["length"]
    names += ["document"] if test_set.documents else []
    names += ["domain"] if test_set.domains else []
    return f"By {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))}"


def scores_of_parts(evaluation: Evaluation, shown: Browser, layout: Layout) -> list[Grid]:
    """Return the scores by length and document, under the metrics that score segments."""
    titles = {spec: title_of(scorer) for spec, scorer in evaluation.scorers.items()}
    specs = [spec for spec, title in titles.items() if title in shown.data["metrics"]]
    if not specs:
        return []
    test_set = evaluation.scores.corpus.test_set
    known = {
        "length": test_set.references,
        "doc": test_set.documents,
        "domain": test_set.domains,
    }
    registry = evaluation.scorers[specs[0]].setup.registry
    kinds = {by: Subset.of(test_set, by, registry) for by in PARTS if known[by]}
    parts = {
        by: [(one, one.evaluation(evaluation, specs)) for one in own] for by, own in kinds.items()
    }
    tables = []
    for spec, by in product(specs, parts):
        title, head = PARTS[by]
        sizes = [("all", len(test_set)), *((one.name, len(one.segments)) for one, _ in parts[by])]
        rows = [evaluation, *(own for _, own in parts[by])]
        columns = tuple(
            Column((system,), tuple(cell(own, system, spec, layout.decimals) for own in rows))
            for system in evaluation.systems
        )
        caption = " ".join((*Column.heads_of(evaluation.scorers[spec]), title))
        tables.append(Table(caption, (head, "segments"), tuple(sizes), columns))
    return list(map(grid, tables))


def cell(evaluation: Evaluation, system: str, spec: str, decimals: int) -> Cell:
    """Write a score with its interval, marked if it differs from that of the first system."""
    number = f"{evaluation.score(system, spec):.{decimals}f}"
    interval = evaluation.intervals.get((system, spec))
    if interval is None:
        return Cell((number,))
    ends = f"[{interval.low:.{decimals}f},", f"{interval.high:.{decimals}f}]"
    comparison = evaluation.comparisons.get((system, evaluation.systems[0], spec))
    if comparison is None:
        return Cell((number, *ends))
    return Cell((number, *ends), "significant" if comparison.significant else "insignificant")


def inputs(value: object, where: str = "") -> Iterator[tuple[str, str | None, str]]:
    """Find what has a hash, and say where in the report it is, its path and the hash."""
    if isinstance(value, dict):
        if digest := value.get("hash") or value.get("sha256"):
            yield where, value["path"], digest
            return
        for key, part in value.items():
            yield from inputs(part, f"{where} {key}".strip())
    elif isinstance(value, list):
        for part in value:
            yield from inputs(part, where)
