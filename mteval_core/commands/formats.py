"""Output formats of a command: looked up before the work, applied after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from mteval_core.errors import UsageError, attributed
from mteval_core.plugin.declarations import FormatSpec, load

if TYPE_CHECKING:
    from mteval_core.commands.configuration import Taken
    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report import Layout, Report

__all__ = ["ENDINGS", "ending_of", "find_format", "formatted", "kinds_of_parts"]

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


def ending_of(path: str | None) -> str:
    """Return the ending of a file, in lower case and without the dot."""
    return PurePath(path or "").suffix.lower().removeprefix(".")


def find_format(
    name: str | None, path: str | None, registry: Registry, *, typed: bool = True
) -> Entry[FormatSpec]:
    """Find the format of an output, by ``-f`` or by the ending of ``-o``.

    Parameters
    ----------
    name : str or None
        The value of ``-f``.
    path : str or None
        The file.
    registry : Registry
        The formats.
    typed : bool
        Whether the user has typed the name; otherwise the ending takes precedence.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    UsageError
        If the format is not that of the ending.
    """
    ending = ending_of(path)
    if name is None or (not typed and ending in ENDINGS):
        known = {entry.declaration.name for entry in registry.of_kind(FormatSpec)}
        return registry.find(FormatSpec, ENDINGS.get(ending, ending if ending in known else "text"))
    if name in {"text", *ENDINGS.values()} and ENDINGS.get(ending, name) != name:
        message = (
            f"-f {name} contradicts the ending of -o {path}, which is that of {ENDINGS[ending]}: "
            f"leave out -f, or change the ending"
        )
        raise UsageError(message)
    return registry.find(FormatSpec, name)


def kinds_of_parts(form: Entry[FormatSpec]) -> set[str]:
    """Return the kinds of parts of a report that a format writes."""
    if form.declaration.tables:
        return {"table"}
    return {"record"} if form.declaration.name in RECORDS else {"chart"}


def formatted(
    report: Report, layout: Layout, form: Entry[FormatSpec], taken: Taken | None
) -> str | bytes:
    """Return a report in a registered format, with the defaults of the configuration file."""
    if taken:
        notes = [*report.notes, f"{taken.sentence}."]
        report = replace(report, config=taken.record(), notes=notes)
    with attributed(f"format {form}"):
        written: str | bytes = load(form.declaration.function)(report, layout)
        if not isinstance(written, (str, bytes)):
            message = f"expected a string or bytes, got {type(written).__name__}"
            raise TypeError(message)
    return written
