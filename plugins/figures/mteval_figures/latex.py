"""Reports for LaTeX: tables as papers print them, with the packages booktabs and siunitx."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Layout
from mteval_core.report import Passage, Table
from mteval_figures.cut_tables import cut, with_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mteval_core.report import Cell, CellMark, Column, Layout, Report

__all__ = ["escape", "latex"]

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"{\char34}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "†": r"$^\dagger$",
    "–": "--",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}

STYLES: Mapping[CellMark, str] = {
    "best": r"\textbf{{{}}}",
    "equal": r"\underline{{{}}}",
    "significant": f"{{}}{SPECIAL['†']}",
}

PREFIXES: Mapping[CellMark, str] = {
    "best": "bold: ",
    "equal": "underlined: ",
    "significant": "† ",
}
"""What the caption says of the marks."""

RAISED = r"\textsuperscript{{{}}}"

NUMBER = re.compile(r"(?P<sign>[-+]?)(?P<whole>\d+)(\.(?P<decimals>\d+))?")

SETUP = r"\sisetup{detect-weight,retain-explicit-plus,table-align-text-post=false}"

ONE_COLUMN = (
    r"\makeatletter\if@twocolumn\onecolumn\let\asbefore=\twocolumn\else\let\asbefore=\relax\fi"
    r"\makeatother"
)
"""A ``longtable`` stands on pages with one column of text, also in papers with two."""

WIDTH = 400
"""Points that a table may be wide: the text of two columns on A4 paper has 410 to 455."""

GLYPH, GAP, NARROW = 4.7, 12.0, 2.0
r"""Points of a character in ``\small``, of the space between columns, and within a column."""

HEIGHT, OF_HEADS = 48, 4
"""Lines of a page that tables may fill, and those that the head of a table takes."""

NARROWEST = 200
"""Points up to which a table fits one of the two columns of a page."""


def latex(report: Report, layout: Layout) -> str:
    """Write a float for each table; of a report on scores, only the tables that are asked for.

    A caption says what the table shows, and a note below the first one explains each mark once.
    Signatures are comments, from which they can be copied. A table that is longer than a page
    becomes a ``longtable``, which needs a page of one column.
    """
    if layout.is_fragment:
        return _fragment(report, layout)
    tables = report.tables(layout)
    written = tables if report.evaluation is None or layout.tables else tables[:1]
    below = [*_legend(report, written), *report.notes]
    heading = () if report.caption else report.heading
    blocks: list[str] = []
    for part in report.parts(layout):
        if isinstance(part, Passage):
            blocks.append(escape(part.text))
        elif isinstance(part, Table) and part in written:
            blocks += _floats(part, [*heading, part.caption or report.title], below)
            heading, below = (), []
    is_long = any("{longtable}" in block for block in blocks)
    comments = [rf"needs \usepackage{{booktabs,siunitx{',longtable' * is_long}}}"]
    if len(written) < len(tables):
        comments.append(f"the first of {len(tables)} tables; --tables all writes the others, too")
    comments += report.signatures
    return "\n\n".join(["\n".join(map(_comment, comments)), *blocks]) + "\n"


def _legend(report: Report, tables: Sequence[Table]) -> list[str]:
    """Return the lines of the legend that explain what these tables show."""
    cells = [cell for table in tables for column in table.columns for cell in column.cells]
    marks = {None, *(cell.mark for cell in cells)}
    marks.update("significant" for cell in cells if "†" in cell.signs)
    names = {"", *(table.name for table in tables)}
    lines = [
        line
        if isinstance(line, str)
        else [one for one in line if one.mark in marks and one.table in names]
        for line in report.legend
    ]
    return replace(report, legend=list(filter(None, lines))).legend_lines(PREFIXES)


def _fragment(report: Report, layout: Layout) -> str:
    r"""Write a ``tabular`` for each table, with booktabs alone, for notebooks and their export."""
    comments = [*report.heading, *report.signatures, *report.legend_lines(PREFIXES), *report.notes]
    tables = [_tabular(table, _Plain) for table in report.tables(layout)]
    return "\n".join([*map(_comment, comments), "\n\n".join(tables), ""])


def escape(string: str) -> str:
    """Write a string in one line, so that LaTeX prints it."""
    written = "".join(SPECIAL.get(character, character) for character in _one_line(string))
    # LaTeX joins hyphens into dashes.
    return re.sub("-(?=-)", "-{}", written)


def _one_line(string: str) -> str:
    return Layout.printable(" ".join(string.split()))


def _comment(line: str) -> str:
    return f"% {_one_line(line)}"


def _part(string: str) -> str:
    """Escape a part of a cell. A hyphen before a digit becomes a minus sign."""
    return re.sub(r"^((?:\\\{|\[)?)-(?=\d)", r"\1$-$", escape(string.strip()))


# Floats


def _floats(table: Table, caption: Sequence[str], below: Sequence[str]) -> Iterator[str]:
    """Write a table that stands where LaTeX finds room, cut into parts that fit the page.

    Parts that are too high together continue in floats of their own. A table with more rows than a
    page has lines is broken between its rows.
    """
    parts = list(cut(_shortened(table), _width, WIDTH))
    label = table.name
    if len(table.names) + OF_HEADS > HEIGHT:
        for n, part in enumerate(parts, 1):
            yield _long(part, caption, below if n == 1 else [], _numbered(label, n))
        return
    some = max(HEIGHT // (len(table.names) + OF_HEADS), 1)
    for n, start in enumerate(range(0, len(parts), some), 1):
        lines = caption if start == 0 else [*caption[-1:], "Continued"]
        notes = below if start == 0 else []
        yield _float(parts[start : start + some], lines, notes, _numbered(label, n))


def _numbered(name: str, n: int) -> str:
    r"""Write ``\label``, with a number from the second part on."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower())
    return rf"\label{{tab:{slug}{f'-{n}' if n > 1 else ''}}}"


def _float(parts: Sequence[Table], caption: Sequence[str], below: Sequence[str], label: str) -> str:
    star = "*" if max(map(_width, parts)) > NARROWEST else ""
    tabulars = "\n\\\\[1.5ex]\n".join(_tabular(part, _Aligned) for part in parts)
    return "\n".join(
        [
            rf"\begin{{table{star}}}",
            r"\centering\small",
            SETUP,
            rf"\caption{{{_sentences(caption)}}}{label}",
            r"\vspace{1ex}",
            tabulars,
            *_notes(below),
            rf"\end{{table{star}}}",
        ]
    )


def _notes(below: Sequence[str]) -> list[str]:
    """Write lines below a table."""
    return [r"\par\smallskip\raggedright\scriptsize", *map(_note, below)] if below else []


def _long(table: Table, caption: Sequence[str], below: Sequence[str], label: str) -> str:
    """Write a table that is broken between its rows: a ``longtable``, for one column of text."""
    lines = _tabular(table, _Aligned).split("\n")
    top, middle = lines.index(r"\toprule"), lines.index(r"\midrule")
    formats, head, body = lines[:top], lines[top : middle + 1], lines[middle + 1 : -1]
    formats[0] = formats[0].replace(r"\begin{tabular}", r"\begin{longtable}")
    return "\n".join(
        [
            ONE_COLUMN,
            r"\begingroup\small",
            SETUP,
            *formats,
            rf"\caption{{{_sentences(caption)}}}{label} \\",
            *head,
            r"\endfirsthead",
            *head,
            r"\endhead",
            *body,
            r"\end{longtable}",
            *_notes(below),
            r"\par\endgroup\asbefore",
        ]
    )


def _sentences(lines: Sequence[str]) -> str:
    """Join the lines of a caption, with a full stop after each."""
    return " ".join(escape(line if line.endswith((".", "?")) else f"{line}.") for line in lines)


def _note(line: str) -> str:
    """Write a line below the table, which may be broken at the separators of a signature."""
    return re.sub(r"(\\textbar\{\}|[,:+@])(?=\S)", r"\1\\allowbreak{}", escape(line)) + r"\par"


def _shortened(table: Table) -> Table:
    """Leave out the options of metrics if the names tell them apart; signatures have them all."""
    names = {(column.group, column.heads[0]) for column in table.columns}
    if len(names) < len(table.columns):
        return table
    columns = (
        column._replace(
            heads=(column.heads[0], *(head for head in column.heads[1:] if "=" not in head))
        )
        for column in table.columns
    )
    return with_columns(table, tuple(columns))


def _width(table: Table) -> float:
    """Estimate the width of a table in points."""
    names = zip(table.titles, *table.names, strict=True)
    left = sum(GLYPH * max(len(str(name)) for name in column) + GAP for column in names)
    return left + sum(map(_width_of, table.columns))


def _width_of(column: Column) -> float:
    parts = zip(*(cell.parts for cell in column.cells), strict=True)
    widths = [GLYPH * max(map(len, part)) + NARROW for part in parts]
    marks = GLYPH * (column.room or any(cell.mark == "significant" for cell in column.cells))
    head = GLYPH * max(map(len, column.heads), default=0)
    return max(sum(widths) + marks, head) + GAP


# Tabulars


class _Plain(NamedTuple):
    """How the cells of a column are written with booktabs alone: right-aligned."""

    column: Column

    @property
    def span(self) -> int:
        """Number of columns in LaTeX."""
        return 1

    @property
    def format(self) -> str:
        """Specification of the column."""
        return "r"

    def cell(self, cell: Cell) -> str:
        """Write a cell."""
        return cell.written(_part, STYLES, RAISED)


@dataclass(frozen=True)
class _Aligned:
    """How the cells of a column are written with siunitx; what all cells need is computed once.

    Numbers are aligned at the point, and what belongs to a number has columns of its own.
    """

    column: Column

    @cached_property
    def span(self) -> int:
        """Number of columns in LaTeX."""
        return max(len(cell.parts) for cell in self.column.cells)

    @cached_property
    def numbers(self) -> list[re.Match[str]]:
        """The first parts that are numbers."""
        found = (NUMBER.fullmatch(cell.parts[0].strip()) for cell in self.column.cells)
        return [number for number in found if number]

    @cached_property
    def whole(self) -> int:
        """Largest number of digits before the point."""
        return max(len(number["whole"]) for number in self.numbers)

    @cached_property
    def after(self) -> str:
        """Room for what follows the numbers."""
        if self.column.room and any(cell.signs.isalpha() for cell in self.column.cells):
            return RAISED.format("m" * self.column.room)
        return max(map(_signs, self.column.cells), key=len)

    @property
    def format(self) -> str:
        """Specification of the column and of those of its further parts."""
        rest = r"@{\,}r" * (self.span - 1)
        if not self.numbers:
            return f"r{rest}"
        sign = "+" if any(number["sign"] for number in self.numbers) else ""
        decimals = max(len(number["decimals"] or "") for number in self.numbers)
        room = f",table-space-text-post={{{self.after}}}" if self.after else ""
        return f"S[table-format={sign}{self.whole}.{decimals}{room}]{rest}"

    def cell(self, cell: Cell) -> str:
        """Write a cell: the number for siunitx, then its further parts."""
        number, *rest = cell.parts
        written = self._number(number.strip(), cell)
        return " & ".join([written, *map(_part, rest), *[""] * (self.span - len(cell.parts))])

    def _number(self, number: str, cell: Cell) -> str:
        if not self.numbers:
            return cell._replace(parts=cell.parts[:1]).written(_part, STYLES, RAISED)
        match = NUMBER.fullmatch(number)
        if not match:
            return f"{{{_part(number)}}}"
        signs = _signs(cell)
        if cell.mark == "equal":
            digits = self.whole - len(match["whole"])
            missing = rf"\phantom{{{self.after}}}" if self.after and not signs else ""
            before = rf"\phantom{{{'0' * digits}}}" if digits else ""
            return f"{{{before}{STYLES['equal'].format(_part(number))}{signs}{missing}}}"
        bold = r"\bfseries " if cell.mark == "best" else ""
        return f"{bold}{number}{f'{{{signs}}}' if signs else ''}"


def _signs(cell: Cell) -> str:
    """Write what follows the number of a cell."""
    dagger = "†" if cell.mark == "significant" else ""
    signs = escape(cell.signs + dagger)
    return RAISED.format(signs) if cell.signs.isalpha() else signs


def _tabular(table: Table, style: Callable[[Column], _Plain | _Aligned]) -> str:
    columns = [style(column) for column in table.columns]
    formats = "\n".join(["l" * len(table.titles), *(column.format for column in columns)])
    rows = [
        [
            *(escape(str(part)) for part in name),
            *(column.cell(cell) for column, cell in zip(columns, row, strict=True)),
        ]
        for name, row in zip(table.names, table.rows, strict=True)
    ]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{formats}}}",
            r"\toprule",
            *_group_titles(table, columns),
            *map(_row, _heads(table, columns)),
            r"\midrule",
            *map(_row, rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # The end of the row before takes a star or a bracket as its argument.
    return "{}" + row if row.startswith(("*", "[")) else row


def _heads(table: Table, columns: Sequence[_Plain | _Aligned]) -> list[list[str]]:
    """Rows of the head: the names of metrics, then their options."""
    heads = [column.heads for column in table.columns]
    depth = max(map(len, heads))
    titles = [[*map(escape, table.titles)], *[[""] * len(table.titles)] * (depth - 1)]
    return [
        [
            *titles[line],
            *(
                rf"\multicolumn{{{column.span}}}{{c}}{{{escape(head[line])}}}"
                if line < len(head)
                else " & " * (column.span - 1)
                for column, head in zip(columns, heads, strict=True)
            ),
        ]
        for line in range(depth)
    ]


def _group_titles(table: Table, columns: Sequence[_Plain | _Aligned]) -> list[str]:
    """Write the titles of the groups and the rules below them, if any group has a title."""
    if not any(title for title, _ in table.groups):
        return []
    spans, rules = [""] * len(table.titles), []
    first, start = len(table.titles) + 1, 0
    for title, group in table.groups:
        span = sum(column.span for column in columns[start : start + len(group)])
        spans.append(rf"\multicolumn{{{span}}}{{c}}{{{escape(title or '')}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{first + span - 1}}}")
        first, start = first + span, start + len(group)
    return [_row(spans), " ".join(rules)]
