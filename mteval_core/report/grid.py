"""The tables of a report: named rows, and columns of cells with marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.frozen import Frozen
from mteval_core.report.layout import ARROWS

if TYPE_CHECKING:
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.report.layout import CellMark

COMPETING = ("best", "equal", "worse")


class Cell(NamedTuple):
    """One cell of a table.

    Parameters
    ----------
    parts : tuple of str
        The number, followed by whatever belongs to it: the ends of its interval, its p-value.
        Plain text aligns each part with the same part of the cells above and below.
    mark : CellMark or None
        Mark of the number; None in columns that have no marks.
    signs : str
        What follows the number: a dagger, or the letters of the groups that the row belongs to.
    """

    parts: tuple[str, ...]
    mark: CellMark | None = None
    signs: str = ""

    def written(
        self, escape: Callable[[str], str], styles: Mapping[CellMark, str], raised: str = "{}"
    ) -> str:
        """Write the parts next to one another, the number in the style of its mark.

        Parameters
        ----------
        escape : callable
            Escapes a string for the format.
        styles : mapping of str to str
            A template for the numbers with each mark, such as ``"**{}**"``.
        raised : str
            A template for letters that follow a number, such as ``"<sup>{}</sup>"``.
        """
        number, *rest = (escape(part.strip()) for part in self.parts)
        if self.mark is not None:
            number = styles.get(self.mark, "{}").format(number)
        signs = escape(self.signs)
        number += raised.format(signs) if self.signs.isalpha() else signs
        return " ".join(part for part in (number, *rest) if part)


class Column(NamedTuple):
    """One column of a table.

    Parameters
    ----------
    heads : tuple of str
        Lines of the head.
    cells : tuple of Cell
        One cell per row.
    group : str or None
        Title above adjacent columns that belong together; may be empty. None for a column that
        stands alone.
    """

    heads: tuple[str, ...]
    cells: tuple[Cell, ...]
    group: str | None = None

    @classmethod
    def of(cls, head: str, texts: Iterable[str], group: str | None = None) -> Column:
        """Make a column of texts without marks.

        Examples
        --------
        >>> Column.of("wins", ["3", "17"]).cells[1].parts
        ('17',)
        """
        return cls((head,), tuple(Cell((text,)) for text in texts), group)

    @staticmethod
    def heads_of(scorer: Scorer) -> tuple[str, ...]:
        """Name a metric with its direction; further lines have the options that the name lacks.

        Examples
        --------
        >>> from mteval_core import metric
        >>> Column.heads_of(metric("bleu:order=2"))
        ('BLEU ↑', 'order=2')
        """
        from mteval_core.metrics.titles import title_of, untitled_options

        name = f"{title_of(scorer)} {ARROWS[scorer.declaration.better]}"
        if scorer.setup.title is not None:
            return (name,)
        options = [f"{key}={'+'.join(items)}" for key, items in untitled_options(scorer).items()]
        if scorer.spec.distribution is not None:
            options.insert(0, scorer.spec.distribution)
        return (name, *options)

    @property
    def competing(self) -> bool:
        """Whether the rows compete for the best number of this column."""
        return any(cell.mark in COMPETING for cell in self.cells)

    @property
    def room(self) -> int:
        """Length of the longest signs of the cells."""
        return max((len(cell.signs) for cell in self.cells), default=0)


class Table(Frozen, eq=False):
    """Named rows and columns in groups.

    Parameters
    ----------
    caption : str
        What the table shows; may be empty.
    titles : tuple of str
        Heads of the columns that name the rows.
    names : tuple of tuple of (str or int)
        Names of each row, one per title. Plain text aligns integers to the right.
    columns : tuple of Column
        The other columns.
    name : str
        What users call the table, to choose it among the parts of a report.
    """

    caption: str
    titles: tuple[str, ...]
    names: tuple[tuple[str | int, ...], ...]
    columns: tuple[Column, ...]
    name: str = "table"

    @classmethod
    def of(cls, head: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> Table:
        """Make a table without groups and marks.

        Parameters
        ----------
        head : sequence of str
            Heads of the columns. The first column names the rows.
        rows : iterable of sequence of str
            One text per column.
        caption : str
            What the table shows.

        Examples
        --------
        >>> table = Table.of(["system", "wins"], [["A", "3"], ["B", "17"]])
        >>> table.names, table.columns[0].cells[1].parts
        ((('A',), ('B',)), ('17',))
        """
        first, *heads = head
        names, *columns = zip(*rows, strict=True)
        others = (Column.of(*each) for each in zip(heads, columns, strict=True))
        return cls(caption, (first,), tuple((name,) for name in names), tuple(others))

    kind = "table"
    """The kind of part, as formats declare it."""

    table = None
    """No other table says the same."""

    @property
    def groups(self) -> list[tuple[str | None, tuple[Column, ...]]]:
        """Titles and columns of the groups, in order; a column that stands alone is a group."""
        groups: list[tuple[str | None, tuple[Column, ...]]] = []
        for title, columns in groupby(self.columns, lambda column: column.group):
            if title is None:
                groups += [(None, (column,)) for column in columns]
            else:
                groups.append((title, tuple(columns)))
        return groups

    def transposed(self) -> Table:
        """Return the table with a row for each column, and a column for each row."""
        grouped = any(column.group for column in self.columns)
        titles = ("metric", "value") if grouped else ("metric",)
        names = tuple(
            (column.group or "", *column.heads) if grouped else (" ".join(column.heads),)
            for column in self.columns
        )
        columns = tuple(
            Column((" ".join(map(str, name)),), row)
            for name, row in zip(self.names, self.rows, strict=True)
        )
        return Table(self.caption, titles, names, columns, name=self.name)

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells of each row, without its names."""
        return [tuple(column.cells[k] for column in self.columns) for k in range(len(self.names))]
