"""Write reports: choose the output format and hand it the parts that it writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from mteval_core.errors import PluginError, UsageError, attributed
from mteval_core.plugin.catalogue import WRITES
from mteval_core.plugin.declarations import FormatSpec, load
from mteval_core.plugin.registry import HOST, ambiguity
from mteval_core.report.grid import Table
from mteval_core.report.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report.parts import ReportPart
    from mteval_core.report.report import Report

# Which format


def find_format(
    registry: Registry,
    path: str | None = None,
    name: str | None = None,
    *,
    kinds: Collection[str] = (),
    what: str = "the report",
    flag: str = "-o",
    asked: str = "-f",
) -> Entry[FormatSpec]:
    """Find a format by its name, or by the ending of the file that it is to write.

    Parameters
    ----------
    registry : Registry
        The formats.
    path : str, optional
        The file; None or ``-`` for standard output.
    name : str, optional
        The format that the user asks for.
    kinds : collection of str
        Kinds of parts of which the format must write at least one (default: any).
    what : str
        What is to be written, for messages.
    flag, asked : str
        The flags that name the file and the format, for messages.

    Raises
    ------
    UnknownNameError
        If there is no format of this name.
    UsageError
        If no format claims the ending, if only others than the named one do, or if the format
        writes none of the kinds.
    PluginError
        If several plugins claim the ending, or one that is not installed does.
    """
    claiming = formats_of(path, registry) if name is None or _ending(path) else []
    if name is not None:
        form = registry.find(FormatSpec, name)
        # An ending of the format of files without one (.txt) promises no format.
        if claiming and form not in claiming and claiming != formats_of(None, registry):
            raise UsageError(
                f"{asked} chooses the format {name}, but the ending of {flag} {path} is that of "
                f"{claiming[0].declaration.name}: leave out {asked}, or change the ending"
            )
    elif claiming:
        form = _one_of(claiming, f".{_ending(path)}")
    else:
        if where := registry.missing(WRITES, PurePath(path or "").name.lower()):
            raise PluginError(
                f"{flag} {path}: the format of the ending .{_ending(path)} is {where}"
            )
        formats = [entry.declaration for entry in registry.of_kind(FormatSpec)]
        able = [one for one in formats if not kinds or {*kinds} & {*one.parts}]
        every = {ending for one in able for ending in one.endings}
        listed = ", ".join(f".{ending}" for ending in sorted(filter(None, every)))
        message = f"{flag} {path}: no format has the ending .{_ending(path)}; expected {listed}"
        message += ", or -f FORMAT" if flag == "-o" else ""
        raise UsageError(message)
    if kinds and not {*kinds} & {*form.declaration.parts}:
        raise _refusal(form, what, kinds, registry)
    return form


def formats_of(path: str | None, registry: Registry) -> list[Entry[FormatSpec]]:
    """Return the formats that claim the ending of a file."""
    ending = _ending(path)
    return [entry for entry in registry.of_kind(FormatSpec) if ending in entry.declaration.endings]


def _ending(path: str | None) -> str:
    return PurePath(path or "").suffix.lower().removeprefix(".")


def _one_of(claiming: list[Entry[FormatSpec]], ending: str) -> Entry[FormatSpec]:
    """Return the host's format of an ending, or the only one."""
    own = [entry for entry in claiming if entry.plugin.distribution == HOST] or claiming
    if len(own) > 1:
        raise PluginError(ambiguity("the format of the ending", ending, own))
    return own[0]


# Writing


def render(
    report: Report,
    layout: Layout,
    form: Entry[FormatSpec],
    registry: Registry,
    *,
    names: Collection[str] = (),
) -> Iterator[str | bytes]:
    """Write a report, or some of its parts, in a format, chunk by chunk.

    The format gets the parts that it declares. A part of another kind is replaced by its table if
    it has one, and otherwise left out, if something remains.

    Parameters
    ----------
    report : Report
        The report.
    layout : Layout
        How readers want to see it.
    form : Entry
        The format.
    registry : Registry
        All formats, for messages.
    names : collection of str
        Names of the parts that are asked for (default: all).

    Raises
    ------
    UsageError
        If the format can write nothing of the report, or not a part that is asked for.
    PluginError
        If the format fails.
    """
    chosen = _chosen(report, layout, form, registry, names=names)
    if report.caption and "table" in form.declaration.parts:
        chosen = _captioned(chosen, report.caption)
    signatures = () if layout.signatures == "none" else report.signatures
    ready = replace(report, make_parts=lambda _: chosen, signatures=signatures)
    yield from attributed(f"format {form}").each(_written(ready, layout, form))


def _written(report: Report, layout: Layout, form: Entry[FormatSpec]) -> Iterator[str | bytes]:
    """Yield what the function of a format returns, chunk by chunk."""
    output = load(form.declaration.function)(report, layout)
    for chunk in output if isinstance(output, Iterator) else [output]:
        if not isinstance(chunk, (str, bytes)):
            raise TypeError(f"expected a string or bytes, got {type(chunk).__name__}")
        yield chunk


def _chosen(
    report: Report,
    layout: Layout,
    form: Entry[FormatSpec],
    registry: Registry,
    *,
    names: Collection[str],
) -> list[ReportPart]:
    """Return what the format gets: parts that it declares, and the tables of others."""
    kinds = {*form.declaration.parts}
    wants_parts = names or kinds - {"record", "row", "score", "literature"}
    made = report.parts(layout) if wants_parts else []
    tables = [part.name for part in made if part.kind == "table"]
    if unknown := [one for one in layout.tables if one not in ("all", *tables)]:
        known = ", ".join(dict.fromkeys(tables))
        raise UsageError(f"there is no table {' or '.join(unknown)}, only {known}")
    asked = names or (() if "all" in layout.tables else layout.tables)
    parts = [part for part in made if not asked or part.name in asked]
    chosen: dict[int, ReportPart] = {}
    for part in parts:
        able = [one for one in (part, part.table) if one is not None and one.kind in kinds]
        if names and not able:
            raise _refusal(form, f"the {part.kind} {part.name!r}", _kinds([part]), registry)
        chosen.update((id(one), one) for one in able[:1])
    # A report without parts has a title and notes.
    offered = {"record", *(_kinds(parts) or {"table"})}
    offered |= {"score"} if report.evaluation else set()
    offered |= {"literature"} if report.make_literature else set()
    if not kinds & offered:
        raise _refusal(form, f"the report {report.title!r}", offered, registry)
    return list(chosen.values())


def _captioned(parts: list[ReportPart], caption: str) -> list[ReportPart]:
    """Give the first table the caption that the user has chosen."""
    first = next((part for part in parts if isinstance(part, Table)), None)
    if first is None:
        raise UsageError("--caption is that of a table, and this report has none: leave it out")
    return [replace(first, caption=caption) if part is first else part for part in parts]


def _kinds(parts: Iterable[ReportPart]) -> set[str]:
    """Return the kinds of parts, and of their tables."""
    return {one.kind for part in parts for one in (part, part.table) if one is not None}


def _refusal(
    form: Entry[FormatSpec], what: str, kinds: Collection[str], registry: Registry
) -> UsageError:
    """Return the error of a format that cannot write something, with the formats that can."""
    formats = [entry.declaration for entry in registry.of_kind(FormatSpec)]
    able = sorted({one.name for one in formats if {*kinds} & {*one.parts}})
    name = form.declaration.name
    return UsageError(f"the format {name} cannot write {what}; expected {', '.join(able)}")
