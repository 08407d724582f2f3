"""Pictures of explanations as SVG, in the colours of the page, dark or light."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from mteval_core import Layout
from mteval_explain.scene import columns, grid, shown, spans
from mteval_explain.terminal import blocks, flowed, remarks, values, width_of
from mteval_explain.width import is_right_to_left, width
from mteval_explain.words import by_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_explain.scene import Column, Grid
    from mteval_explain.terminal import PictureKind
    from mteval_explain.written import WrittenExplanation

__all__ = ["STYLE", "drawing", "drawings", "text"]

CELL, LINE, GAP = 8.5, 22, 16
"""Width of a character, height of a line and space between pictures, in pixels."""

SIDE = 24
"""Side of a cell of the grid."""

STYLE = """
.mteval { --ink: #1b1f24; --faint: #8a929c; --hit: 27 127 68; --edit: #b42318; --moved: #1d5fbf;
  color-scheme: light dark; }
@media (prefers-color-scheme: dark) { .mteval { --ink: #e6e8eb; --faint: #7d8590;
  --hit: 70 190 115; --edit: #ff8a80; --moved: #82b1ff; } }
.mteval text { font: 14px "DejaVu Sans Mono", ui-monospace, monospace; fill: var(--ink); }
.mteval .label { fill: var(--faint); }
.mteval .head { font-weight: bold; }
.mteval .edit { fill: var(--edit); } .mteval .moved { fill: var(--moved); }
.mteval line, .mteval path { fill: none; stroke: rgb(var(--hit)); stroke-width: 1.5; }
.mteval path { stroke: var(--moved); } .mteval .soft { stroke-dasharray: 3 3; }
.mteval .s1 { fill: rgb(var(--hit) / .16); } .mteval .s2 { fill: rgb(var(--hit) / .3); }
.mteval .s3 { fill: rgb(var(--hit) / .45); } .mteval .s4 { fill: rgb(var(--hit) / .6); }
.mteval { --v1: 92 107 130; --v2: 176 112 0; --v3: 208 64 0; --v4: 196 0 43; }
@media (prefers-color-scheme: dark) { .mteval { --v1: 150 165 190; --v2: 230 170 40;
  --v3: 255 130 70; --v4: 255 95 120; } }
.mteval .v1 { fill: rgb(var(--v1) / .14); stroke: rgb(var(--v1)); }
.mteval .v2 { fill: rgb(var(--v2) / .16); stroke: rgb(var(--v2)); }
.mteval .v3 { fill: rgb(var(--v3) / .18); stroke: rgb(var(--v3)); }
.mteval .v4 { fill: rgb(var(--v4) / .24); stroke: rgb(var(--v4)); }
.mteval rect[class^="v"] { stroke: none; } .mteval line.v1 { stroke-dasharray: 1 3; }
.mteval line.v2 { stroke-dasharray: 5 3; } .mteval line.v4 { stroke-width: 3.5; }
.mteval .run { fill: rgb(var(--hit) / .28); stroke: rgb(var(--hit)); }
.mteval .beyond { fill: rgb(var(--hit) / .07); stroke: rgb(var(--hit)); stroke-dasharray: 3 3; }
.mteval .rule { stroke: var(--faint); stroke-width: .5; }
.mteval .barrier { stroke: var(--ink); stroke-width: 2; }
.mteval circle { fill: var(--ink); } .mteval .chosen { fill: rgb(var(--hit)); }
""".strip()


class Drawing:
    """Elements of a picture, and how much room they take.

    Parameters
    ----------
    room : float
        Width of the page in pixels.
    """

    def __init__(self, room: float) -> None:
        self.room: float = room
        self.wide: float = 0.0
        self.high: float = 0.0
        self.elements: list[str] = []

    def add(self, name: str, content: str | None = None, **attributes: object) -> None:
        """Add an element; underscores in names of attributes stand for hyphens."""
        given = {key.strip("_").replace("_", "-"): value for key, value in attributes.items()}
        listed = "".join(
            f' {key}="{value:g}"' if isinstance(value, float) else f' {key}="{value}"'
            for key, value in given.items()
        )
        end = "/>" if content is None else f">{text(content)}</{name}>"
        self.elements.append(f"<{name}{listed}{end}")

    def word(self, content: str, x: float, y: float, kind: str = "") -> float:
        """Write a word from x on, in the room that its characters have; return its width."""
        wide = width(Layout.printable(content)) * CELL
        more: dict[str, object] = {"class_": kind} if kind else {}
        if not content.isascii() and len(content) > 1:
            more |= {"textLength": wide, "lengthAdjust": "spacingAndGlyphs"}
        self.add("text", content, x=x + wide / 2, y=y, text_anchor="middle", **more)
        self.wide = max(self.wide, x + wide)
        return wide

    def line(self, start: tuple[float, float], end: tuple[float, float], kind: str) -> None:
        """Draw a straight line."""
        (x1, y1), (x2, y2) = start, end
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=kind)


def text(content: str) -> str:
    """Write a text for XML; control characters are visible."""
    return escape(Layout.printable(content)).replace("\ufffe", "�").replace("\uffff", "�")


def drawings(
    explanation: WrittenExplanation,
    pictures: Sequence[PictureKind],
    columns: int = 100,
    decimals: int = 2,
) -> str:
    """Draw pictures of an explanation, one below the other, under its title and values.

    Parameters
    ----------
    explanation : WrittenExplanation
        The explanation.
    pictures : sequence of {"spans", "lines", "grid"}
        Which pictures, in order.
    columns : int
        Width of the page in characters.
    decimals : int
        Digits after the decimal point.

    Returns
    -------
    str
        An element of XML, for a page that has the style of drawings.
    """
    page = Drawing(columns * CELL)
    page.high += LINE
    page.word(explanation.title, 0, page.high, "head")
    for line in wrap(values(explanation, decimals), columns):
        page.high += LINE
        page.word(line, 0, page.high, "label")
    page.high += GAP
    for name in shown(explanation, pictures):
        _draw(explanation, name, page)
    return _svg(page, f"explanation of {explanation.title}")


def drawing(explanation: WrittenExplanation, picture: PictureKind, columns: int = 100) -> str:
    """Draw one picture as SVG, to be put into a page that has the style of drawings.

    Parameters
    ----------
    explanation : WrittenExplanation
        The explanation.
    picture : {"spans", "lines", "grid"}
        Which picture.
    columns : int
        Width of the page in characters.

    Returns
    -------
    str
        An element of XML.
    """
    page = Drawing(columns * CELL)
    _draw(explanation, picture, page)
    return _svg(page, f"{picture} of {explanation.title}")


def _draw(explanation: WrittenExplanation, name: str, page: Drawing) -> None:
    PICTURES[name](by_word(explanation), page)
    page.high += GAP


def _svg(page: Drawing, label: str) -> str:
    wide, high = page.wide + 2 * GAP, page.high  # ends with a gap
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="mteval" width="{wide:g}" '
        f'height="{high:g}" viewBox="{-GAP} {-GAP / 2:g} {wide:g} {high:g}" role="img" '
        f'aria-label="{text(label)}">',
        *page.elements,
        "</svg>",
        "",
    ]
    return "\n".join(lines)


# Spans


def _spans(explanation: WrittenExplanation, page: Drawing) -> None:
    """Write each text on a ground that is the darker, the longer the match."""
    texts = spans(explanation)
    indent = (max(width(text.label) for text in texts) + 2) * CELL
    for label, whole, pieces in texts:
        backwards = is_right_to_left(whole)
        page.word(label, 0, page.high + LINE * 0.7, "label")
        n_cells = max(int((page.room - indent) / CELL), 20)
        for line in flowed(pieces, n_cells):
            x = indent + sum(width(piece) for piece, _ in line) * CELL if backwards else indent
            for piece, mark in line:
                wide = width(piece) * CELL
                x -= wide * backwards
                if mark:
                    box: dict[str, Any] = {"width": wide, "height": LINE - 4.0, "rx": 2}
                    kind = "s" if explanation.marks is None else "v"
                    page.add("rect", x=x, y=page.high, class_=f"{kind}{mark}", **box)
                    if kind == "v":
                        end = page.high + LINE - 3
                        page.line((x, end), (x + wide, end), f"v{mark}")
                if piece.strip():
                    page.word(piece, x, page.high + LINE * 0.7)
                x += wide * (not backwards)
            page.high += LINE
        page.high += 4
    for remark in remarks(explanation):
        for part in wrap(remark, int(page.room / CELL)):
            page.word(part, 0, page.high + LINE * 0.7, "label")
            page.high += LINE


# Lines


def _lines(explanation: WrittenExplanation, page: Drawing) -> None:
    """Write the hypothesis above each reference that counts, and connect what matches."""
    for k in explanation.shown_references:
        labels = explanation.text().label, explanation.text(k).label
        indent = (max(map(width, labels)) + 2) * CELL
        backwards = is_right_to_left(explanation.text(k).text)
        for block in blocks(columns(explanation, k), max(int((page.room - indent) / CELL), 20)):
            for n, label in enumerate(labels):
                page.word(label, 0, page.high + LINE * (0.7 + 2 * n), "label")
            ends = _ends(block, indent, backwards=backwards)
            for column, (x, wide) in zip(block, ends, strict=True):
                _column(page, column, x, wide)
            _crossing(page, block, ends)
            page.high += 3 * LINE + 8


def _ends(block: Sequence[Column], start: float, *, backwards: bool) -> list[tuple[float, float]]:
    """Start and width of each column; the first is on the right if the text is read so."""
    wide = [width_of(column) * CELL for column in block]
    starts = [start + sum(wide[:n]) for n in range(len(wide))]
    if backwards:
        starts = [2 * start + sum(wide) - x - w for x, w in zip(starts, wide, strict=True)]
    return list(zip(starts, wide, strict=True))


def _column(page: Drawing, column: Column, x: float, wide: float) -> None:
    middle, top = x + (wide - CELL) / 2, page.high
    for content, y in ((column.hypothesis, 0.7), (column.reference, 2.7)):
        own = width(Layout.printable(content)) * CELL
        kind = "" if column.kind == "hit" else column.kind
        page.word(content, middle - own / 2, top + LINE * y, kind) if content else None
    if column.kind == "hit":
        kind = "hit" if column.mark == "|" else "hit soft"
        page.line((middle, top + LINE * 0.95), (middle, top + LINE * 2.05), kind)
    elif column.kind != "moved" or (column.hypothesis and column.reference):
        own = width(column.mark) * CELL
        page.word(column.mark, middle - own / 2, top + LINE * 1.7, column.kind)


def _crossing(page: Drawing, block: Sequence[Column], ends: Sequence[tuple[float, float]]) -> None:
    """Connect the words with the same number; if only one is in the block, write the number."""
    lower: dict[str, list[float]] = {}
    upper: list[tuple[str, float]] = []
    for column, (x, wide) in zip(block, ends, strict=True):
        middle = x + (wide - CELL) / 2
        if column.kind == "moved" and not (column.hypothesis and column.reference):
            if column.hypothesis:
                upper.append((column.mark, middle))
            else:
                lower.setdefault(column.mark, []).append(middle)
    top = page.high
    for mark, x in upper:
        if lower.get(mark):
            to = lower[mark].pop(0)
            bend = f"C {x:g} {top + LINE * 1.6:g} {to:g} {top + LINE * 1.4:g}"
            path = f"M {x:g} {top + LINE * 0.95:g} {bend} {to:g} {top + LINE * 2.05:g}"
            page.add("path", d=path)
        else:
            page.word(mark, x - width(mark) * CELL / 2, top + LINE * 1.7, "moved")
    for mark, places in lower.items():
        for x in places:
            page.word(mark, x - width(mark) * CELL / 2, top + LINE * 1.7, "moved")


# Grid


def _grid(explanation: WrittenExplanation, page: Drawing) -> None:
    """Draw hits as dots and runs as squares, the references across."""
    scene = grid(explanation)
    left = (max(map(width, map(Layout.printable, scene.down)), default=0) + 1) * CELL
    tallest = max(map(width, map(Layout.printable, scene.across)), default=0) * CELL
    top = page.high + tallest * 0.87 + 8
    for i, word in enumerate(scene.across):
        x, y = left + (i + 0.6) * SIDE, top - 6
        page.add("text", word, transform=f"translate({x:g} {y:g}) rotate(-60)")
    for j, word in enumerate(scene.down):
        page.word(word, left - (width(Layout.printable(word)) + 1) * CELL, top + (j + 0.7) * SIDE)
    wide, high = len(scene.across) * SIDE, len(scene.down) * SIDE
    for i in range(len(scene.across) + 1):
        kind = "rule barrier" if i in scene.barriers else "rule"
        page.line((left + i * SIDE, top), (left + i * SIDE, top + high), kind)
    for j in range(len(scene.down) + 1):
        page.line((left, top + j * SIDE), (left + wide, top + j * SIDE), "rule")
    _marks(scene, page, left, top)
    page.wide = max(page.wide, left + wide + tallest / 2)
    page.high = top + high + LINE
    what = "references" if scene.barriers else "reference"
    page.word(f"across: {what}, down: hypothesis", 0, page.high, "label")


def _marks(scene: Grid, page: Drawing, left: float, top: float) -> None:
    chosen = set()
    for i, j, size, counts in scene.squares:
        box: dict[str, Any] = {"x": left + i * SIDE, "y": top + j * SIDE, "width": size * SIDE}
        page.add("rect", **box, height=size * SIDE, class_="run" if counts else "beyond")
        chosen |= {(i + n, j + n) for n in range(size) if counts}
    for i, j in sorted(scene.hits):
        x, y = left + (i + 0.5) * SIDE, top + (j + 0.5) * SIDE
        page.add("circle", cx=x, cy=y, r=4.5, class_="chosen" if (i, j) in chosen else "hit")


PICTURES: dict[str, Callable[[WrittenExplanation, Drawing], None]] = {
    "spans": _spans,
    "lines": _lines,
    "grid": _grid,
}
"""The pictures by name."""
