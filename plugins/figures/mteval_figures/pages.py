"""Reports as PDF, set by matplotlib: a page with the charts, then pages with tables and texts."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from mteval_core.report import Chart, Passage, Table
from mteval_figures.charts import figure_of, library
from mteval_figures.cut_tables import cut
from mteval_figures.typeset import PREFIXES, SIZE, SMALL, Placed, PlacedTable, lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.report import Layout, Report

__all__ = ["pdf"]

A4 = 595.0, 842.0
"""Width and height of a page in points. For wide tables the pages lie on their sides."""

MARGIN = 45.0
LARGE = 12.0
"""Size of the title in points."""

LEADING = 1.5
"""From line to line, in sizes of type."""

THICK, THIN = 1.0, 0.5
"""Points of the rules that begin and end a table, and of those within it."""


def pdf(report: Report, layout: Layout) -> bytes:
    """Write the charts on one page, one below the other, and tables and texts on pages after it.

    The page of the charts is as large as they are, so that a paper can include it. The same report
    gives the same bytes.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    parts = report.parts(layout)
    charts = [part for part in parts if isinstance(part, Chart)]
    texts = [part for part in parts if isinstance(part, (Table, Passage))]
    rc_context = library().rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    data = {"CreationDate": None, "Title": report.title}
    # Type 42 keeps texts as texts, which readers can search and copy.
    with rc_context({"pdf.fonttype": 42}), PdfPages(out, metadata=data) as file:
        if charts:
            file.savefig(figure_of(charts), bbox_inches="tight")
        if texts or not charts:
            for page in _pages(report, texts):
                file.savefig(page)
    return out.getvalue()


def _pages(report: Report, parts: Sequence[Table | Passage]) -> list[Any]:
    """Write a report from its title to its signatures."""
    widths = [PlacedTable(part).width for part in parts if isinstance(part, Table)]
    sheet = _Sheet(max(widths, default=0.0))
    sheet.paragraph(report.title, size=LARGE, weight="bold")
    sheet.paragraph(report.summary)
    for part in parts:
        sheet.down(SIZE)
        if isinstance(part, Passage):
            sheet.paragraph(part.text)
        else:
            pieces = cut(part, lambda table: PlacedTable(table).width, sheet.room)
            for n, piece in enumerate(pieces):
                sheet.table(PlacedTable(piece), "" if n else part.caption)
    sheet.down(SIZE)
    for line in (*report.legend_lines(PREFIXES), *report.notes):
        sheet.paragraph(line)
    sheet.down(SIZE)
    for line in report.signatures:
        sheet.paragraph(line, size=SMALL, family="monospace")
    return sheet.pages


class _Sheet:
    """Pages that are filled from the top to the bottom; wide ones for wide tables."""

    def __init__(self, width: float) -> None:
        self.width, self.height = sorted(A4, reverse=width > A4[0] - 2 * MARGIN)
        self.room = self.width - 2 * MARGIN
        self.pages: list[Any] = []
        self.turn()

    def turn(self) -> None:
        """Begin a page."""
        from matplotlib.figure import Figure

        self.pages.append(Figure(figsize=(self.width / 72, self.height / 72)))
        self.y = self.height - MARGIN

    def down(self, points: float) -> None:
        """Go down, or to the next page if this one is full."""
        self.y -= points
        if self.y < MARGIN:
            self.turn()

    def write(
        self, x: float, text: str, *, size: float = SIZE, up: float = 0.0, **style: Any
    ) -> None:
        """Write a text on the present line, or a little above it."""
        place = (MARGIN + x) / self.width, (self.y + up) / self.height
        self.pages[-1].text(*place, text, size=size, parse_math=False, **style)

    def paragraph(self, text: str, *, size: float = SIZE, **style: Any) -> None:
        """Write a text in as many lines as it needs."""
        for line in lines_of(text, self.room, size, **style):
            self.down(LEADING * size)
            self.write(0.0, line, size=size, **style)

    def rule(self, left: float, right: float, thickness: float) -> None:
        """Draw a line between the present line of text and the next."""
        from matplotlib.lines import Line2D

        page, y = self.pages[-1], self.y - 0.4 * SIZE
        across = [(MARGIN + x) / self.width for x in (left, right)]
        up = [y / self.height] * 2
        page.add_artist(Line2D(across, up, color="black", linewidth=thickness))

    def table(self, table: PlacedTable, caption: str) -> None:
        """Write a table; what does not fit on a page is continued below the same head."""
        line = LEADING * SIZE
        height = line * (len(table.rows) + len(table.heads) + 3)
        if self.y - height < MARGIN <= self.height - MARGIN - height:
            self.turn()
        self.paragraph(caption, weight="bold")
        self._head(table)
        for row in table.rows:
            if self.y - 2 * line < MARGIN:
                self.rule(0.0, table.width, THICK)
                self.turn()
                self._head(table)
            self.down(line)
            self._row(row)
        self.rule(0.0, table.width, THICK)
        self.down(line / 2)

    def _head(self, table: PlacedTable) -> None:
        line = LEADING * SIZE
        self.rule(0.0, table.width, THICK)
        if table.groups:
            self.down(line)
            self._row(
                [Placed((left + right) / 2, title, "center") for title, left, right in table.groups]
            )
            for _, left, right in table.groups:
                self.rule(left, right, THIN)
        for texts in table.heads:
            self.down(line)
            self._row(texts)
        self.rule(0.0, table.width, THIN)

    def _row(self, texts: Sequence[Placed]) -> None:
        for text in texts:
            self.write(text.x, text.text, ha=text.align, **dict[str, Any](text.style))
            if text.signs.isalpha():
                self.write(text.x, text.signs, size=SMALL, up=SIZE / 3)
            else:
                self.write(text.x, text.signs)
