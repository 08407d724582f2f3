"""Layout settings of a report: precision, width, signatures, marks; and the symbols in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from mteval_core.frozen import Frozen
from mteval_core.names import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core.evaluation.scores import Level

CellMark = Literal["best", "equal", "worse", "significant", "insignificant", "passed", "failed"]
"""What a mark says about a number.

In a column where rows compete: ``best``; ``equal``, not significantly different from the best;
``worse``, neither. In a column of tested differences or p-values: ``significant`` or
``insignificant``. In a column of verdicts: ``passed`` or ``failed``.
"""

ARROWS = {"higher": "↑", "lower": "↓"}
"""Which direction of a metric is better."""

DAGGER = "†"
"""Follows a significant number."""

DASH = "–"
"""Written for a number that is not defined."""

INTERVAL_NAMES = {kind: kind for kind in ("percentile", "basic", "symmetric")} | {"bca": "BCa"}
"""What kinds of intervals are called."""

MARKS: Mapping[CellMark, str] = {"best": "*", "equal": "~", "significant": DAGGER}
"""What follows a number with this mark in plain text."""

WITHOUT_SYMBOL: tuple[CellMark, ...] = ("passed", "failed")
"""Marks of words, which nothing follows."""

TYPE_PREFIXES: Mapping[CellMark, str] = {
    "best": "bold: ",
    "equal": "italics: ",
    "significant": f"{DAGGER} ",
}
"""What a legend says of the marks in formats with bold and italic type."""

UNITS = {"segment": "segment", "doc": "document", "domain": "domain"}
"""What units are called in prose."""

Marking = Literal["best", "baseline", "letters", "ranks"]
"""What is marked in a table of scores: the systems that are not significantly worse than the best,
those that differ from the baseline, by letters those that do not differ from each other, or the
ranges of their ranks."""


class Layout(Frozen):
    """How readers want to see a report.

    Parameters
    ----------
    level : {"corpus", "doc", "segment"}
        What a row of a table of scores is.
    decimals : int
        Digits after the decimal point.
    columns : int
        Width of the page in characters.
    colour : bool
        Whether the page is a terminal that shows colours.
    mirrored : bool
        Whether the words of right-to-left text run from right to left in pictures, because the
        page is a terminal that orders their letters.
    rows : int or None
        From how many rows of documents or segments on a table shows only their mean, the worst and
        the best; None for never.
    signatures : {"none", "full"}
        Whether to write the signatures.
    values : bool
        Whether to show all values of a metric, not only the score.
    sort : str or None
        The spec of the metric by whose score the rows are sorted, the best first.
    marks : {"best", "baseline", "letters", "ranks"} or None
        What to mark in a table of scores if systems were compared (default: "best" if all pairs
        were compared, otherwise "baseline").
    tables : tuple of str
        Names of the tables that are asked for, or ``all``; empty for what the format chooses.
    wide : bool
        Whether metrics are columns in the formats that write records as rows.
    transpose : bool
        Whether the metrics are rows and the systems columns.
    is_fragment : bool
        Whether the report becomes a part of another document, such as a cell of a notebook.
    """

    level: Level = "corpus"
    decimals: int = 2
    columns: int = 100
    colour: bool = False
    mirrored: bool = False
    rows: int | None = None
    signatures: Literal["none", "full"] = "full"
    values: bool = False
    sort: str | None = None
    marks: Marking | None = None
    tables: tuple[str, ...] = ()
    wide: bool = False
    transpose: bool = False
    is_fragment: bool = False

    @staticmethod
    def printable(text: str) -> str:
        r"""Write every character that a name cannot contain as an escape sequence.

        Parameters
        ----------
        text : str
            Any text, such as a name that was refused.

        Examples
        --------
        >>> print(Layout.printable("a\x1b[31mb"))
        a\x1b[31mb
        """
        return printable(text)
