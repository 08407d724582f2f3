"""The output format of a command: looked up before the work, applied after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.cli.output import write_report
from mteval_core.errors import UsageError, attributed
from mteval_core.plugin.declarations import FormatSpec, load

if TYPE_CHECKING:
    import argparse
    from typing import Literal

    from mteval_core.plugin.registry import Entry, Registry
    from mteval_core.report import Layout, Report


def requested_format(
    name: str, command: Literal["score", "correlate"], registry: Registry
) -> Entry[FormatSpec]:
    """Find the format of ``-f``.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    UsageError
        If the format cannot write the reports of the command.
    """
    form = registry.find(FormatSpec, name)
    if command not in form.declaration.commands:
        formats = [entry.declaration for entry in registry.of_kind(FormatSpec)]
        able = sorted({format_.name for format_ in formats if command in format_.commands})
        message = f"-f {name} cannot write the reports of mteval {command}; expected "
        message += ", ".join(able)
        raise UsageError(message)
    return form


def write_formatted(
    report: Report, layout: Layout, form: Entry[FormatSpec], arguments: argparse.Namespace
) -> None:
    """Write a report in a registered format."""
    with attributed(f"format {form}"):
        written: str | bytes = load(form.declaration.function)(report, layout)
    write_report(written, arguments)
