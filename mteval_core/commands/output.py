"""Output of the commands: lines, reports and files, and the progress of long work."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mteval_core.commands.files import write_file
from mteval_core.commands.streams import output
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse


def terminal_width() -> int:
    """Width of the terminal in characters; 100 if there is no terminal."""
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).columns


def terminal_height() -> int:
    """Height of the terminal in lines; 24 if there is no terminal."""
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).lines


def to_terminal(arguments: argparse.Namespace) -> bool:
    """Whether the report goes to a terminal."""
    return arguments.output in (None, "-") and output().isatty()


def has_colours(arguments: argparse.Namespace) -> bool:
    """Whether the report goes to a terminal, and the user has not asked for no colours."""
    return to_terminal(arguments) and not os.environ.get("NO_COLOR")


def wrapped(line: str, indent: int) -> str:
    """Break a line at the width of the terminal and indent its continuation."""
    from textwrap import fill

    return fill(
        line,
        max(terminal_width(), indent + 20),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def write_report(report: str | bytes, arguments: argparse.Namespace) -> None:
    """Write a report to the file of ``-o``, or to standard output.

    Raises
    ------
    UsageError
        If a binary report would go to a terminal.
    InputError
        If the file cannot be written.
    """
    data = report.encode(errors="backslashreplace") if isinstance(report, str) else report
    if arguments.output not in (None, "-"):
        write_file(arguments.output, data)
        return
    if isinstance(report, bytes) and output().isatty():
        message = f"-f {arguments.format} is a binary format: write it to a file with -o FILE"
        raise UsageError(message)
    output().flush()
    output().buffer.write(data)
