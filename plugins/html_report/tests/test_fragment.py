"""A report in a notebook: its parts in one element, with names as texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_html_report.report import html

import mteval_core as mt
from mteval_core.report import (
    Cell,
    Column,
    Layout,
    Meaning,
    Passage,
    Picture,
    Report,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Callable

LAYOUT = Layout(is_fragment=True)

SYSTEMS = {"A": ["a b"], "a<b": ["a c"]}


def cells(*numbers: str, mark: Any = None) -> tuple[Cell, ...]:
    return tuple(Cell((number,), mark if k == 0 else "worse") for k, number in enumerate(numbers))


TABLE = Table(
    "Adequacy & more",
    ("metric",),
    (("BLEU",), ("<script>",)),
    (
        Column(("P",), cells("0.81", "-0.05", mark="best"), "Case"),
        Column(("L",), cells("0.77", "-0.10"), "Case"),
        Column(("P",), cells("0.84", "0.83", mark="equal"), "NoCase"),
        Column(("d", "p"), (Cell(("-1.0", "[-2.0,", "0.0]"), "significant"), Cell(("1",))), ""),
    ),
)


def written(*parts: Any, **fields: Any) -> str:
    return html(Report.of("x", "X", parts, [], inputs={}, **fields), LAYOUT)


def columns(page: Any) -> list[int]:
    """Numbers of columns of the rows."""
    counts: list[int] = []
    for name, attributes in page.elements:
        if name == "tr":
            counts.append(0)
        elif name in ("td", "th"):
            counts[-1] += int(attributes.get("colspan") or 1)
    return counts


def test_a_table(page: Callable[[str], Any]) -> None:
    shown = written(TABLE)
    assert columns(page(shown)) == [5, 5, 5, 5]
    assert shown.startswith('<div class="mteval">')
    assert shown.endswith("</div>")
    assert "<caption>Adequacy &amp; more</caption>" in shown
    assert '<td class="best">0.81</td>' in shown
    assert '<td class="equal">0.84</td>' in shown
    assert "<td>-1.0† [-2.0, 0.0]</td>" in shown
    assert "d<br>p" in shown
    assert "&lt;script&gt;" in shown
    assert "<body" not in shown


def test_what_stands_below_a_table(page: Callable[[str], Any]) -> None:
    legend = ["first", [Meaning("best", "best"), Meaning("p < 0.05", "significant")]]
    shown = written(TABLE, legend=legend, notes=["a <note>"], signatures=["BLEU|nrefs:1"])
    read = page(shown)
    assert "first<br>bold: best, † p &lt; 0.05" in shown
    assert read.inside("li") == ["a <note>"]
    assert read.inside("code") == ["BLEU|nrefs:1"]


def test_pictures_and_passages(page: Callable[[str], Any]) -> None:
    picture = Picture(
        "why", "<why>", text=str, html=lambda _: "<b>drawn</b>", svg=str, style=".why b {}"
    )
    read = page(written(picture, Passage("verdict", "all < well")))
    assert read.inside("h4") == ["<why>"]
    assert read.inside("b") == ["drawn"]
    assert ".why b {}" in read.inside("style")
    assert read.inside("p") == ["all < well"]


def test_a_notebook_shows_scores(registry: mt.Registry, page: Callable[[str], Any]) -> None:
    scored = mt.evaluate(SYSTEMS, [["a b"]], ["shared"], registry=registry)
    assert scored._repr_html_() is None  # this registry has no plugins
    installed = mt.load_registry(files=[str(Path(__file__).with_name("lengths.py"))])
    scored = mt.evaluate(SYSTEMS, [["a b"]], ["shared"], registry=installed)
    read = page(str(scored._repr_html_()))
    assert columns(read) == [2, 2, 2]
    assert "a<b" in read.inside("th")
    assert read.all("script") == read.all("body") == []
