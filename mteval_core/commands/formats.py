"""The output format of a command: looked up before the work, applied after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError, attributed
from mteval_core.plugin.declarations import FormatSpec, load

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection
    from typing import Literal

    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report import Layout, Report


ENDINGS = {
    "csv": "csv",
    "htm": "html",
    "html": "html",
    "json": "json",
    "jsonl": "jsonl",
    "markdown": "markdown",
    "md": "markdown",
    "parquet": "parquet",
    "png": "png",
    "svg": "svg",
    "tex": "latex",
    "tsv": "tsv",
}
"""Formats by the ending of a file. Any other ending is text, or the name of a plugin's format."""


RECORDS = ("csv", "json", "jsonl", "parquet", "tsv")
"""Formats that hold the numbers as data, unrounded."""

OF_PICTURES = ("rename", "width")
"""Flags that change pictures, too: they show names of metrics, and numbers."""

OF_RECORDS = ("calibrate",)
"""Flags that change records, too."""


def requested_format(
    arguments: argparse.Namespace,
    report: Literal["score", "correlate", "explain"],
    registry: Registry,
) -> Entry[FormatSpec]:
    """Find the format of ``-f``, or that of the ending of ``-o``.

    Parameters
    ----------
    arguments : Namespace
        The arguments of the command.
    report : {"score", "correlate", "explain"}
        The command whose reports are like those of this one: of scores, with explanations, or of
        anything else.
    registry : Registry
        The formats.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    UsageError
        If the format cannot write the reports of the command, or is not that of the ending.
    """
    form = registry.find(FormatSpec, format_name(arguments, registry))
    if report not in form.declaration.commands:
        formats = [entry.declaration for entry in registry.of_kind(FormatSpec)]
        able = sorted({format_.name for format_ in formats if report in format_.commands})
        message = f"the format {form.declaration.name} cannot write the reports of mteval "
        message += f"{arguments.command}; expected {', '.join(able)}"
        raise UsageError(message)
    return form


def refuse_without_tables(
    flags: Collection[str], arguments: argparse.Namespace, form: Entry[FormatSpec]
) -> None:
    """Raise a `UsageError` if flags that change only tables meet a format without tables.

    Parameters
    ----------
    flags : collection of str
        The flags, without hyphens.
    arguments : Namespace
        The arguments of the command.
    form : Entry
        The format.
    """
    name = form.declaration.name
    for flag in sorted(arguments.given & {*flags}):
        shows = flag in OF_RECORDS if name in RECORDS else flag in OF_PICTURES
        if not form.declaration.tables and not shows:
            shown = "-w" if flag == "width" else f"--{flag}"
            message = f"{shown} changes tables, and the format {name} has none: leave out {shown}"
            raise UsageError(message)


def ending_of(arguments: argparse.Namespace) -> str:
    """Ending of the file of ``-o``, in lower case and without the dot."""
    return PurePath(arguments.output or "").suffix.lower().removeprefix(".")


def format_name(arguments: argparse.Namespace, registry: Registry) -> str:
    """Choose the format by ``-f`` and by the ending of ``-o``, which must not contradict it."""
    ending = ending_of(arguments)
    name: str | None = arguments.format
    if name is None or ("format" not in arguments.given and ending in ENDINGS):
        plugins = {entry.declaration.name for entry in registry.of_kind(FormatSpec)}
        return ENDINGS.get(ending, ending if ending in plugins else "text")
    if name in {"text", *ENDINGS.values()} and ENDINGS.get(ending, name) != name:
        message = (
            f"-f {name} contradicts the ending of -o {arguments.output}, which is that of "
            f"{ENDINGS[ending]}: leave out -f, or change the ending"
        )
        raise UsageError(message)
    return name


def formatted(
    report: Report, layout: Layout, form: Entry[FormatSpec], arguments: argparse.Namespace
) -> str | bytes:
    """Return a report in a registered format, with the defaults of the configuration file."""
    taken = arguments.config
    if taken:
        notes = [*report.notes, f"{taken.sentence}."]
        report = replace(report, config=taken.record(), notes=notes)
    with attributed(f"format {form}"):
        written: str | bytes = load(form.declaration.function)(report, layout)
        if not isinstance(written, (str, bytes)):
            message = f"expected a string or bytes, got {type(written).__name__}"
            raise TypeError(message)
    return written
