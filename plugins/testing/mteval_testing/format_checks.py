"""The checks of output formats, on reports of every kind and on each kind of part."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import (
    FormatSpec,
    Layout,
    OutsideScores,
    PluginError,
    Report,
    UsageError,
    evaluate,
    load_registry,
    write_report,
)
from mteval_core.report import Cell, Chart, Column, Passage, Picture, Table
from mteval_core.report.charts import Bars, Dots, HeatMap, Line, Lines, Scatter
from mteval_testing.corpora import CORPUS
from mteval_testing.findings import Finding, expect
from mteval_testing.kit import Kit
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core import Entry, Evaluation, Registry

    Panel = Bars | Dots | HeatMap | Lines | Scatter

__all__ = ["FORMAT_KIT", "check_format"]

PLAIN, ODD = "system1", ("<b>&amp;", "a|b\\_$x", "Größe Ω")
"""Names of systems: one that no format has to escape, and others."""

LAYOUTS = (Layout("corpus", 2, 100), Layout("doc", 0, 20), Layout("segment", 6, 300))


PAPER = "@misc{{kit, title = {{{}}}}}"


@cache
def reports() -> dict[str, tuple[Report | Evaluation, Layout]]:
    """Return reports by what they report, each with a layout."""
    registry = load_registry([])
    hypotheses = {
        name: [" ".join(text.split()[k:]) for text in CORPUS.hypotheses]
        for k, name in enumerate((PLAIN, *ODD))
    }
    documents = [f"doc {i // 2}" for i in range(len(CORPUS))]
    lengths = {name: np.array([*map(len, texts)], float) for name, texts in hypotheses.items()}
    length = OutsideScores(name="length", values=lengths)
    scores = evaluate(hypotheses, CORPUS.test_set, [length], documents=documents)
    interval = scores.confidence(20, registry=registry)
    compared = interval.compare(registry=registry)
    pairs = interval.compare(all_pairs=True, registry=registry)
    corpus = LAYOUTS[0]
    return {
        **{f"scores per {one.level}": (scores, one) for one in LAYOUTS},
        "scores and comparisons with the baseline": (compared, corpus),
        "scores and comparisons of all pairs": (pairs, corpus),
        "correlations": (correlations(), corpus),
        "pictures": (pictures(), corpus),
    }


def correlations() -> Report:
    """Return a report without an evaluation, with a number that is not defined."""
    names, values = (PLAIN, *ODD), (0.5, -0.25, float("nan"), 1.0)
    column = Column(("Pearson",), tuple(Cell((f"{value:.3f}",)) for value in values))
    table = Table("", ("metric",), tuple((name,) for name in names), (column,))
    records = [{"metric": n, "value": v} for n, v in zip(names, values, strict=True)]
    return Report.of("systems", "Correlation", [table], records, inputs={}, summary="8 systems")


def pictures() -> Report:
    """Return a report of a table with groups of columns, and of a picture for each system."""
    columns = (
        Column((name,), (Cell(("1.0",)), Cell(("0.5",))), "length") for name in (PLAIN, *ODD)
    )
    table = Table("", ("segment",), ((0,), (3,)), tuple(columns))
    drawn = [picture(name) for name in (PLAIN, *ODD)]
    records = [{"system": name, "segment": 3} for name in (PLAIN, *ODD)]
    return Report.of("pictures", "Pictures", [table, *drawn], records, inputs={})


def picture(name: str) -> Picture:
    """Draw a name; a table stands for it where there are no pictures."""
    shown = escape(name)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="9"><text>{shown}</text></svg>'
    )
    return Picture(
        "picture",
        name,
        text=lambda _: name,
        html=lambda _: f"<p>{shown}</p>",
        svg=lambda _: svg,
        table=Table(name, ("system",), ((name,),), (Column(("h",), (Cell(("4",)),)),)),
    )


def parts_of(name: str) -> Iterator[Any]:
    """Yield a part of each kind, and a chart of each kind of panel, that shows a name."""
    yield Table("", ("system",), ((name,),), (Column(("score",), (Cell(("1.0",)),)),))
    yield Passage("passage", f"The best system is {name}.")
    yield replace(picture(name), table=None)
    panels: tuple[Panel, ...] = (
        Dots("score", [name], [1.0], [(0.5, 1.5)]),
        HeatMap("p", [name], ["b"], cells=[[Cell(("0.5",))]], shades=[[0.5]]),
        Bars("difference", [2.0, -1.0], up=name),
        Scatter("points", "x", "y", x=[1.0, 2.0], y=[1.0, 3.0], names=[name, "b"]),
        Lines("curve", "x", "y", [Line(name, [1.0, 2.0], [1.0, 3.0])]),
    )
    for panel in panels:
        yield Chart(f"chart of {type(panel).__name__}", partial(_alone, panel))


def _alone(panel: Panel) -> list[list[Panel]]:
    return [[panel]]


def reports_of(name: str) -> Iterator[tuple[str, str, Report]]:
    """Yield reports of one part each that show a name, after the kind and name of the part."""
    records = [{"system": name, "score": 1.0}]
    empty = Report.of("kit", "Kit", (), records, inputs={})
    yield "record", "record", empty
    yield "literature", "literature", replace(empty, make_literature=lambda: [PAPER.format(name)])
    for part in parts_of(name):
        yield part.kind, part.name, Report.of("kit", "Kit", [part], records, inputs={})


class Writing(NamedTuple):
    """A format, and the registry that it is in."""

    entry: Entry[FormatSpec]
    registry: Registry

    def written(self) -> Iterator[tuple[str, str | bytes]]:
        """Write reports; yield those that the format writes. It may refuse a report."""
        for what, (report, layout) in reports().items():
            tried(what)
            with suppress(UsageError):
                yield what, write_report(report, self.entry.qualified, layout, self.registry)


def writes_every_report(writing: Writing) -> None:
    """Every report becomes text or bytes; otherwise the results of a long run are lost."""
    for what, output in writing.written():
        expect(bool(output), f"{what}: the output is empty")
        if isinstance(output, str):
            output.encode()


def writes_what_it_claims(writing: Writing) -> None:
    """A part of a claimed kind is in the output; otherwise a result disappears without a word."""
    pairs = zip(reports_of(PLAIN), reports_of(f"{PLAIN} b"), strict=True)
    for (kind, name, report), (*_, changed) in pairs:
        if kind in writing.entry.declaration.parts:
            tried(name)
            with suppress(UsageError):
                one, other = (
                    write_report(each, writing.entry.qualified, Layout(), writing.registry)
                    for each in (report, changed)
                )
                expect(one != other, f"the {name} is not in the output")


def writes_every_record(writing: Writing) -> None:
    """The last record is in the output, too; otherwise a file lacks systems without a word."""
    if "record" in writing.entry.declaration.parts:
        one, other = (
            Report.of("kit", "Kit", (), [{"system": s, "score": 1.0} for s in names], inputs={})
            for names in ((PLAIN, "b", "c"), (PLAIN, "b", "d"))
        )
        with suppress(UsageError):
            first, second = (
                write_report(each, writing.entry.qualified, Layout(), writing.registry)
                for each in (one, other)
            )
            expect(first != second, "another third record does not change the output")


def writes_the_same_again(writing: Writing) -> None:
    """The same report is written the same; otherwise results look as if they had changed."""
    for (what, first), (_, second) in zip(writing.written(), writing.written(), strict=True):
        if isinstance(first, str) and isinstance(second, str):
            lines = zip([*first.splitlines(), ""], [*second.splitlines(), ""], strict=False)
            one, other = next(((a, b) for a, b in lines if a != b), ("", ""))
            expect(first == second, f"{what}: {one!r}, then {other!r}")


def names_every_system(writing: Writing) -> None:
    """A system has its name in a text; otherwise readers cannot tell whose score they see."""
    if {*writing.entry.declaration.parts} <= {"literature", "score"}:
        return  # papers are cited without the systems, and the scores of one are alone
    for what, output in writing.written():
        shown = PLAIN in output if isinstance(output, str) else True
        expect(shown, f"{what}: {PLAIN} is not in the output")


def usable_format(entry: Entry[FormatSpec], registry: Registry) -> Writing:
    """Return a format, unless it refuses every report, as for want of a library."""
    reason: UsageError | None = None
    alone = [(report, Layout()) for *_, report in reports_of(PLAIN)]
    for report, layout in (*reports().values(), *alone):
        refused = refusal(entry, report, layout, registry)
        if refused is None:
            return Writing(entry, registry)
        reason = reason or refused
    raise PluginError(f"format {entry}: {reason}")


def refusal(
    entry: Entry[FormatSpec], report: Report | Evaluation, layout: Layout, registry: Registry
) -> UsageError | None:
    """Return the error with which a format refuses a report; the checks find other errors."""
    try:
        write_report(report, entry.qualified, layout, registry)
    except UsageError as error:
        return error
    except Exception:  # noqa: BLE001 - a plugin may fail in any way
        return None
    return None


FORMAT_KIT = Kit(
    (
        names_every_system,
        writes_every_record,
        writes_every_report,
        writes_the_same_again,
        writes_what_it_claims,
    ),
    usable_format,
)
"""The checks of output formats."""


def check_format(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on an output format.

    Parameters
    ----------
    name : str
        The format.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.

    Raises
    ------
    PluginError
        If the format refuses every report, as for want of a library.
    """
    return FORMAT_KIT.named(FormatSpec, name, registry)
