"""Reports: results of commands, as data that every output format can write."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mteval_core._version import __version__
from mteval_core.frozen import Frozen
from mteval_core.report.grid import Table
from mteval_core.report.layout import Layout

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report.layout import CellMark
    from mteval_core.report.parts import ReportPart
    from mteval_core.report.rows import Rows


class Meaning(NamedTuple):
    """A phrase of a legend.

    Parameters
    ----------
    text : str
        What a symbol, an abbreviation or a mark means.
    mark : str or None
        The mark that the phrase explains. Each format adds how it shows this mark.
    table : str
        Name of the only table to which the phrase belongs; empty for all of them.
    """

    text: str
    mark: CellMark | None = None
    table: str = ""


Legend: TypeAlias = "Sequence[str | Sequence[Meaning]]"
"""Lines that explain the symbols and marks of tables."""

MANY_SIGNATURES = 40
"""If there are more, only the formats for machines list them."""


class Report(Frozen, eq=False):
    """What a command found, ready to be written in any format.

    Parts, records and data are made when a format asks for them: text needs no records, and JSON no
    tables. `Report.of` makes a report of what is there already.

    Parameters
    ----------
    title : str
        What was done.
    make_parts : callable
        Returns the parts from the layout: tables, charts, pictures and passages.
    make_records : callable
        Returns the numbers, unrounded, one flat or nested mapping per number; undefined is None. It
        is called again whenever they are read, so that nobody has to keep those of all segments.
    make_data : callable
        Returns everything for machines, as one mapping, from the report itself.
    summary : str
        On what, and how.
    legend : sequence of (str or sequence of Meaning)
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
        The evaluation behind a report of scores.
    make_literature : callable or None
        Returns the papers to cite, as BibTeX entries.
    is_titled : bool
        Whether the user has chosen the title, so that all formats write it.
    caption : str
        The caption of the first table, if the user has chosen it.
    config : mapping or None
        Which defaults of a configuration file the command has taken, for machines.
    """

    title: str
    make_parts: Callable[[Layout], Iterable[ReportPart]]
    make_records: Callable[[], Iterable[Mapping[str, object]]]
    make_data: Callable[[Report], Mapping[str, object]]
    summary: str = ""
    legend: Legend = ()
    notes: Sequence[str] = ()
    signatures: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    comparisons: Sequence[Mapping[str, object]] = ()
    evaluation: Evaluation | None = None
    make_literature: Callable[[], Sequence[str]] | None = None
    is_titled: bool = False
    caption: str = ""
    config: Mapping[str, object] | None = None

    @classmethod
    def of(
        cls,
        experiment: str,
        title: str,
        parts: Sequence[ReportPart],
        records: Iterable[Mapping[str, object]],
        *,
        inputs: Mapping[str, object],
        summary: str = "",
        legend: Legend = (),
        notes: Sequence[str] = (),
        settings: Mapping[str, object] | None = None,
        signatures: Iterable[str] = (),
    ) -> Report:
        """Report an experiment.

        Parameters
        ----------
        experiment : str
            Its name in the formats for machines.
        title, summary, legend, notes
            As in `Report`.
        parts : sequence of Table, Chart, Picture and Passage
            What readers see.
        records : iterable of mapping
            The numbers; those that are not finite become None.
        inputs : mapping
            Paths and hashes of the texts and judgments.
        settings : mapping, optional
            How the experiment was done.
        signatures : iterable of str
            Signatures of all scores; repeated ones are listed once.
        """
        plain = [{key: _plain(value) for key, value in record.items()} for record in records]
        distinct = tuple(dict.fromkeys(signatures))
        if len(distinct) > MANY_SIGNATURES:
            legend = [*legend, f"{len(distinct)} signatures: -f json lists them all."]

        def data(report: Report) -> Mapping[str, object]:
            return {
                "mteval": __version__,
                "experiment": experiment,
                "inputs": inputs,
                "settings": report.settings,
                "records": plain,
                "notes": report.notes,
                "signatures": distinct,
            }

        return cls(
            title,
            lambda _: parts,
            lambda: plain,
            data,
            summary=summary,
            legend=legend,
            notes=notes,
            signatures=() if len(distinct) > MANY_SIGNATURES else distinct,
            settings=settings or {},
        )

    def parts(self, layout: Layout | None = None) -> list[ReportPart]:
        """Return the parts, for readers who want to see them in a layout."""
        return list(self.make_parts(layout or Layout()))

    def tables(self, layout: Layout | None = None) -> list[Table]:
        """Return the parts that are tables."""
        return [part for part in self.parts(layout) if isinstance(part, Table)]

    @property
    def records(self) -> Iterable[Mapping[str, object]]:
        """The numbers, for machines, made while they are read."""
        return self.make_records()

    def rows(self, layout: Layout | None = None) -> Rows:
        """Return the records, then the comparisons, as rows of one table.

        Parameters
        ----------
        layout : Layout, optional
            Whether metrics are columns, and whether one has the signatures.

        Returns
        -------
        iterable of dict
            Numbers, texts and None by column, the same columns in each row, made while they are
            read. The attribute ``columns`` has the types of the values that are known by column.

        Raises
        ------
        UsageError
            If metrics are to be columns in a report that has no scores of metrics.
        """
        from mteval_core.report.rows import Rows, wide_rows

        page = layout or Layout()
        rows = Rows(self.make_records, self.comparisons, signatures=page.signatures != "none")
        return wide_rows(rows) if page.wide else rows

    @cached_property
    def data(self) -> Mapping[str, object]:
        """The records and everything about them, for machines."""
        data = self.make_data(self)
        return data if self.config is None else {**data, "config": self.config}

    @property
    def heading(self) -> tuple[str, ...]:
        """Title and summary; without a summary, only a title that the user has chosen.

        Formats whose output goes into other documents write these lines. Scores without a summary
        speak for themselves there, and have their title on pages of their own.
        """
        title = (self.title,) if self.summary or self.is_titled else ()
        return (*title, self.summary) if self.summary else title

    def legend_lines(self, prefixes: Mapping[CellMark, str]) -> list[str]:
        """Lines of the legend.

        Parameters
        ----------
        prefixes : mapping of str to str
            How the format shows each mark, written before its meaning.
        """

        def shown(one: Meaning) -> str:
            return f"{prefixes.get(one.mark, '') if one.mark else ''}{one.text}"

        return [one if isinstance(one, str) else ", ".join(map(shown, one)) for one in self.legend]


def _plain(value: object) -> object:
    """Replace what JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
