"""A report: everything that an output format can write, whatever the command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.scores import Level
    from mteval_core.explain.explanation import Explanation
    from mteval_core.explain.terminal import Picture
    from mteval_core.report.grid import Mark, Table

__all__ = ["Layout", "Marking", "Meaning", "Report"]

Marking = Literal["best", "baseline", "letters"]
"""What is marked in a table of scores: the systems that are not significantly worse than the best,
those that differ from the baseline, or by letters those that do not differ from each other."""


class Layout(NamedTuple):
    """How readers want to see a report. Formats for machines ignore all but the level.

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
    signatures : {"none", "short", "full"}
        Whether to write the signatures, and whether to write what they share only once.
    parts : bool
        Whether to show all values of a metric, not only the score.
    sort : str or None
        The spec of the metric by whose score the rows are sorted, the best first.
    marks : {"best", "baseline", "letters"} or None
        What to mark in a table of scores if systems were compared (default: "best" if all pairs
        were compared, otherwise "baseline").
    transpose : bool
        Whether the metrics are rows and the systems columns.
    """

    level: Level = "corpus"
    decimals: int = 2
    columns: int = 100
    colour: bool = False
    mirrored: bool = False
    rows: int | None = None
    signatures: Literal["none", "short", "full"] = "full"
    parts: bool = False
    sort: str | None = None
    marks: Marking | None = None
    transpose: bool = False


class Meaning(NamedTuple):
    """A phrase of a legend.

    Parameters
    ----------
    text : str
        What a symbol, an abbreviation or a mark means.
    mark : str or None
        The mark that the phrase explains. Each format adds how it shows this mark.
    """

    text: str
    mark: Mark | None = None


class Report(Frozen, eq=False):
    """The results of one command, ready to be written in any format.

    Tables, records and data are made when they are first used: text needs no records, and JSON no
    tables.

    Parameters
    ----------
    title : str
        What was done.
    make_tables : callable
        Returns the tables.
    make_records : callable
        Returns the numbers, unrounded, one flat or nested mapping per number; undefined is None.
    make_data : callable
        Returns everything for machines, as one mapping, from the report itself.
    summary : str
        On what, and how.
    legend : sequence of tuple of Meaning
        Lines that explain the symbols and marks of the tables.
    notes : sequence of str
        What the reader must know, one or two sentences each.
    signatures : sequence of str
        What it takes to compute the scores again.
    settings : mapping
        How it was done, for machines.
    comparisons : sequence of mapping
        The comparisons of systems, unrounded, one flat mapping per pair and metric.
    evaluation : Evaluation or None
        The evaluation behind a report of ``mteval score``.
    explanations : sequence of Explanation
        The explanations of a report of ``mteval explain``.
    pictures : sequence of {"spans", "lines", "grid"}
        Which pictures of them to show.
    config : mapping or None
        Which defaults of a configuration file the command has taken, for machines.
    """

    title: str
    make_tables: Callable[[], Sequence[Table]]
    make_records: Callable[[], Sequence[Mapping[str, object]]]
    make_data: Callable[[Report], Mapping[str, object]]
    summary: str = ""
    legend: Sequence[tuple[Meaning, ...]] = ()
    notes: Sequence[str] = ()
    signatures: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    comparisons: Sequence[Mapping[str, object]] = ()
    evaluation: Evaluation | None = None
    explanations: Sequence[Explanation] = ()
    pictures: Sequence[Picture] = ()
    config: Mapping[str, object] | None = None

    @cached_property
    def tables(self) -> Sequence[Table]:
        """The tables, for readers."""
        return self.make_tables()

    @cached_property
    def records(self) -> Sequence[Mapping[str, object]]:
        """The numbers, for machines."""
        return self.make_records()

    @cached_property
    def data(self) -> Mapping[str, object]:
        """The records and everything about them, for machines."""
        data = self.make_data(self)
        return data if self.config is None else {**data, "config": self.config}

    @property
    def heading(self) -> tuple[str, ...]:
        """Title and summary; nothing if there is no summary.

        Formats whose output goes into other documents write these lines. Scores without a summary
        speak for themselves there, and have their title on pages of their own.
        """
        return (self.title, self.summary) if self.summary else ()

    def legend_lines(self, prefixes: Mapping[Mark, str]) -> list[str]:
        """Lines of the legend.

        Parameters
        ----------
        prefixes : mapping of str to str
            How the format shows each mark, written before its meaning.
        """
        return [
            ", ".join(
                prefixes.get(meaning.mark, "") + meaning.text if meaning.mark else meaning.text
                for meaning in line
            )
            for line in self.legend
        ]
