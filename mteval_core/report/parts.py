"""The parts of a report besides its tables: charts, pictures and passages of text.

Every part has a ``kind``, which formats name in their declarations, and a short ``name`` by which
one of several can be chosen. What takes time is made when a format asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mteval_core.frozen import Frozen
from mteval_core.report.grid import Table

if TYPE_CHECKING:
    from typing import TypeAlias

    from mteval_core.report.charts import Panel
    from mteval_core.report.layout import Layout


class Chart(Frozen):
    """Numbers to be drawn: panels of dots, bars, lines, points or shaded cells.

    Parameters
    ----------
    name : str
        What users call it, such as ``pairs``.
    panels : callable
        Returns the panels in rows: `Dots`, `HeatMap`, `Bars`, `Scatter` or `Lines`, all of one
        class.
    caption : str
        What the reader must know to read the panels.
    table : Table or None
        The same numbers as a table, for formats that cannot draw.
    """

    name: str
    panels: Callable[[], Sequence[Sequence[Panel]]]
    caption: str = ""
    table: Table | None = None

    kind = "chart"
    """The kind of part, as formats declare it."""


class Picture(Frozen):
    """A drawing that gives itself to each format in the form that the format needs.

    Parameters
    ----------
    name : str
        What users call it, such as ``explanation``.
    title : str
        What it shows.
    text : callable
        ``text(layout)`` returns it in characters, without the title.
    html : callable
        ``html(layout)`` returns elements of HTML, without the title. Text in them is escaped.
    svg : callable
        ``svg(layout)`` returns an element ``<svg>`` with its width and height in pixels.
    style : str
        Rules of CSS for both. They start with a class of their own.
    table : Table or None
        The same as a table, for formats that show no pictures.
    """

    name: str
    title: str
    text: Callable[[Layout], str]
    html: Callable[[Layout], str]
    svg: Callable[[Layout], str]
    style: str = ""
    table: Table | None = None

    kind = "picture"
    """The kind of part, as formats declare it."""


class Passage(Frozen):
    """A paragraph of text.

    Parameters
    ----------
    name : str
        What users call it.
    text : str
        The paragraph.
    """

    name: str
    text: str

    kind = "passage"
    """The kind of part, as formats declare it."""

    table = None
    """No table says the same."""


ReportPart: TypeAlias = "Table | Chart | Picture | Passage"
