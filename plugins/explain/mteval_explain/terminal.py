"""Pictures of explanations in characters, for terminals and text files."""

from __future__ import annotations

from itertools import groupby
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, NamedTuple

from mteval_core import Layout
from mteval_explain.scene import SEVERITIES, Column, columns, grid, marked, remark, spans
from mteval_explain.scene import shown as pictures_of
from mteval_explain.width import clipped, padded, padded_left, runs_right_to_left, shown, width
from mteval_explain.words import by_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mteval_explain.scene import Grid
    from mteval_explain.written import WrittenExplanation

__all__ = [
    "PICTURES",
    "UNDERLINES",
    "PictureKind",
    "blocks",
    "drawn",
    "facts",
    "flowed",
    "number",
    "remarks",
    "score",
    "values",
    "width_of",
]

PictureKind = Literal["spans", "lines", "grid"]

BARS = " ▁▂▄█"
"""Marks below tokens, by strength."""

UNDERLINES = " .~=#"
"""Marks below spans, by severity."""

COLOURS = {
    "hit": "32",
    "edit": "31",
    "moved": "36",
    "faint": "2",
    "head": "1",
    "neutral": "36",
    "minor": "33",
    "major": "31",
    "critical": "1;31",
}
"""Codes of the terminal."""

TALLEST = 4
"""Blocks of lines from which long matches are folded."""

LONG_MATCH, KEPT = 8, 3
"""Columns of a match that is folded, and of those that stay at each end."""

MOST_LINKS = 8
"""Number of links whose weights are listed."""

LONGEST_WORD = 14
"""Cells of a word in the grid."""


class Page(NamedTuple):
    """Where pictures are drawn: its width, how to paint a piece of text, and `drawn`'s direction.

    Parameters
    ----------
    columns : int
        Width in characters.
    paint : callable
        Adds the colours of a kind of text.
    mirrored : bool
        Whether right-to-left text runs from right to left.
    """

    columns: int
    paint: Callable[[str, str], str]
    mirrored: bool = False


def drawn(
    explanation: WrittenExplanation,
    pictures: Sequence[PictureKind],
    columns: int,
    *,
    colour: bool = False,
    mirrored: bool = False,
) -> str:
    """Draw pictures of an explanation.

    Parameters
    ----------
    explanation : WrittenExplanation
        The explanation.
    pictures : sequence of {"spans", "lines", "grid"}
        Which pictures, in order.
    columns : int
        Width of the page in characters.
    colour : bool
        Whether to use the colours of the terminal.
    mirrored : bool
        Whether the words of right-to-left text run from right to left, for terminals that order
        the letters of each word. By default they run from left to right, as the letters do in
        terminals that know only one direction.

    Returns
    -------
    str
        Lines, without a line end after the last.
    """
    page = Page(columns, _painter() if colour else _plain, mirrored)
    summary = by_word(explanation)
    names = pictures_of(explanation, pictures)
    parts = ["\n".join(PICTURES[name](summary, page)).rstrip() for name in names]
    return "\n\n".join(part for part in parts if part)


def _plain(text: str, kind: str) -> str:  # noqa: ARG001
    return text


def _painter() -> Callable[[str, str], str]:
    def paint(text: str, kind: str) -> str:
        inner = text.strip()
        if kind not in COLOURS or not inner:
            return text
        before, after = text.split(inner, 1)
        return f"{before}\x1b[{COLOURS[kind]}m{inner}\x1b[0m{after}"

    return paint


def facts(explanation: WrittenExplanation, decimals: int = 2) -> list[str]:
    """Write the values, the formula and its terms, and which reference counts, one line each."""
    terms = ", ".join(
        f"{name} = {number(value, decimals)}" for name, value, *_ in explanation.terms
    )
    lines = [values(explanation, decimals), explanation.formula, terms]
    lines += [weights(explanation, decimals), explanation.why, *explanation.remarks]
    return [line for line in lines if line]


def weights(explanation: WrittenExplanation, decimals: int) -> str:
    """List the links that weigh most, if some weigh more than others."""
    links = sorted((x for x in explanation.links if x.weight), key=lambda link: -link.weight)
    if len({link.weight for link in links}) < 2:
        return ""
    words = explanation.words()
    listed = [
        f"“{' '.join(words[i] for i in link.hypothesis)}” {number(link.weight, decimals)}"
        for link in links[:MOST_LINKS]
    ]
    more = ", …" if len(links) > MOST_LINKS else ""
    return f"weights of links: {', '.join(listed)}{more}"


def values(explanation: WrittenExplanation, decimals: int) -> str:
    """Write the values of the segment."""
    known = explanation.values.items()
    return ", ".join(f"{name} {score(value, decimals)}" for name, value in known)


def score(value: float | None, decimals: int, sign: str = "") -> str:
    """Write a score; a dash where there is none."""
    return "–" if value is None or isnan(value) else f"{value:{sign}.{decimals}f}"


def number(value: float, decimals: int = 2) -> str:
    """Write a number, a whole one without decimals."""
    return f"{value:.0f}" if value == int(value) else f"{value:.{decimals}f}"


# Spans


def _spans(explanation: WrittenExplanation, page: Page) -> Iterator[str]:
    """Write each text, with a bar below each match: the higher, the longer the match.

    Marks are underlined by their severity, and listed below the texts.
    """
    texts = spans(explanation)
    signs = BARS if explanation.marks is None else UNDERLINES
    kinds = ("", *["hit"] * 4) if explanation.marks is None else SEVERITIES
    indent = max(width(text.label) for text in texts) + 2
    for label, _, pieces in texts:
        lines = list(flowed(pieces, max(page.columns - indent, 20)))
        if page.mirrored and runs_right_to_left("".join(piece for piece, _ in pieces)):
            lines = _mirrored(lines)
        for n, line in enumerate(lines):
            head = label if n == 0 else ""
            text = "".join(page.paint(shown(piece), kinds[mark]) for piece, mark in line)
            bars = "".join(
                page.paint(signs[mark] * width(piece), kinds[mark]) for piece, mark in line
            )
            yield f"{padded(head, indent)}{text}".rstrip()
            yield f"{'':{indent}}{bars}".rstrip()
    for said in remarks(explanation):
        yield from wrap(shown(said), page.columns, subsequent_indent="  ", break_on_hyphens=False)


def remarks(explanation: WrittenExplanation) -> Iterator[str]:
    """List the marks, each with its sign, its place and what it says."""
    if explanation.marks is None:
        return
    if not explanation.marks:
        yield "no marks"
    for label, _, pieces in marked(explanation):
        found = dict.fromkeys(mark for _, own in pieces for mark in own)
        for mark in sorted(found, key=lambda mark: (mark.start, mark.end)):
            span = "".join(piece for piece, own in pieces if mark in own)
            sign = UNDERLINES[SEVERITIES.index(mark.severity)]
            yield f"{sign} {label} {mark.start}-{mark.end} “{span}”: {remark(mark)}"


def _mirrored(lines: list[list[tuple[str, int]]]) -> list[list[tuple[str, int]]]:
    """Reverse the pieces of each line, and align the lines on the right."""
    widths = [sum(width(piece) for piece, _ in line) for line in lines]
    return [
        [(" " * (max(widths) - used), 0), *reversed(line)]
        for line, used in zip(lines, widths, strict=True)
    ]


def flowed(pieces: Sequence[tuple[str, int]], page: int) -> Iterator[list[tuple[str, int]]]:
    """Break pieces into lines of printable text; a piece that is wider than a line is cut."""
    line: list[tuple[str, int]] = []
    used = 0
    for whole, mark in pieces:
        for piece in _cut(Layout.printable(whole), page):
            if used + width(piece) > page:
                yield line
                line, used = [], 0
            if line or piece.strip():
                line.append((piece, mark))
                used += width(piece)
    yield line


def _cut(text: str, cells: int) -> Iterator[str]:
    while width(text) > cells:
        n = max(i for i in range(1, cells + 1) if width(text[:i]) <= cells)
        yield text[:n]
        text = text[n:]
    yield text


# Lines


def _lines(explanation: WrittenExplanation, page: Page) -> Iterator[str]:
    """Write the hypothesis above each reference that counts, and the marks between them."""
    for k in explanation.shown_references:
        labels = (explanation.text().label, "", explanation.text(k).label)
        indent = max(map(width, labels)) + 2
        page_columns = max(page.columns - indent, 20)
        made = columns(explanation, k)
        if sum(map(width_of, made)) > TALLEST * page_columns:
            made = _folded(made)
        is_mirrored = page.mirrored and runs_right_to_left("".join(c.reference for c in made))
        fill = padded_left if is_mirrored else padded
        parts = list(blocks(made, page_columns))
        room = max((sum(map(width_of, block)) for block in parts), default=0)
        for block in parts:
            rows = zip(*([(c.hypothesis, c.mark, c.reference) for c in block]), strict=True)
            for label, row in zip(labels, rows, strict=True):
                cells = [
                    page.paint(fill(cell, width_of(column)), column.kind)
                    for cell, column in zip(row, block, strict=True)
                ]
                if is_mirrored:
                    cells = [" " * (room - sum(map(width_of, block))), *reversed(cells)]
                yield f"{padded(label, indent)}{''.join(cells)}".rstrip()
            yield ""


def width_of(column: Column) -> int:
    """Return the number of cells of a column, with a space after it."""
    cells = (column.hypothesis, column.reference, column.mark)
    return max(width(Layout.printable(cell)) for cell in cells) + 1


def blocks(made: Sequence[Column], page: int) -> Iterator[list[Column]]:
    """Break columns into blocks that fit the page."""
    block: list[Column] = []
    used = 0
    for whole in made:
        column = Column(*(clipped(cell, page - 1) for cell in whole))
        if block and used + width_of(column) > page:
            yield block
            block, used = [], 0
        block.append(column)
        used += width_of(column)
    if block:
        yield block


def _folded(made: Sequence[Column]) -> list[Column]:
    """Replace the middle of long matches by the number of their words."""
    result: list[Column] = []
    for kind, group in groupby(made, key=lambda column: column.kind):
        some = list(group)
        n = len(some) - 2 * KEPT
        if kind == "hit" and len(some) >= LONG_MATCH:
            some[KEPT:-KEPT] = [Column(f"… {n} …", f"… {n} …", "", "faint")]
        result += some
    return result


# Grid


def _grid(explanation: WrittenExplanation, page: Page) -> Iterator[str]:
    """Write hits as dots and runs as filled squares, the references across."""
    scene = grid(explanation)
    down = [clipped(word, LONGEST_WORD) for word in scene.down]
    indent = max(map(width, down), default=0) + 1
    across = [_letters(clipped(word, LONGEST_WORD)) for word in scene.across]
    n_fit = max((page.columns - indent - len(scene.barriers)) // 2, 1)
    for start in range(0, len(across), n_fit):
        some = range(start, min(start + n_fit, len(across)))
        fences, gaps = ([fence * (i in scene.barriers) for i in some] for fence in "│ ")
        height = max(len(across[i]) for i in some)
        for level in range(height):
            letters = [([""] * (height - len(across[i])) + across[i])[level] for i in some]
            cells = [padded(letter, 2) for letter in letters]
            yield f"{'':{indent}}{_joined(cells, gaps)}".rstrip()
        for j, word in enumerate(down):
            cells = [page.paint(*_cell(scene, i, j)) for i in some]
            yield f"{padded(word, indent)}{_joined(cells, fences)}".rstrip()
        yield ""


def _joined(cells: Sequence[str], before: Sequence[str]) -> str:
    """Join cells, each after what stands before it."""
    return "".join(fence + cell for fence, cell in zip(before, cells, strict=True))


def _letters(word: str) -> list[str]:
    """Characters of a word as readers see them, with their combining marks."""
    import regex

    found: list[str] = regex.findall(r"\X", word)
    return found


def _cell(scene: Grid, i: int, j: int) -> tuple[str, str]:
    """Draw a cell of the grid: a hit of the matching, another hit, or the area of a run."""
    for square in scene.squares:
        right, below = i - square.across, j - square.down
        if 0 <= right < square.size and 0 <= below < square.size:
            on_run = right == below
            if square.counts:
                return ("██" if on_run else "▒▒"), "hit"
            return ("▓▓" if on_run else "░░"), "faint"
    return ("• " if (i, j) in scene.hits else "· "), "edit" if (i, j) in scene.hits else "faint"


PICTURES: dict[str, Callable[[WrittenExplanation, Page], Iterator[str]]] = {
    "spans": _spans,
    "lines": _lines,
    "grid": _grid,
}
"""The pictures by name."""
