"""The manual page of the commands, from their parsers and the page of messages.

``python docs/_ext/manual.py`` writes it to ``docs/mteval.1``. The build of a release does so, and
the wheel installs it as ``share/man/man1/mteval.1``, where ``man mteval`` finds it.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core import default_registry
from mteval_core._version import __version__
from mteval_core.commands.main import DESCRIPTION, preceding_parser
from mteval_core.commands.parser import command_parsers

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[1]
PAGE = DOCS / "mteval.1"
FORMATTER = argparse.HelpFormatter("mteval")

EXAMPLES = {
    "mteval score ref.txt -i base.txt new.txt -m bleu chrf -par": "Score two systems with two "
    "metrics, and test whether they differ.",
    "mteval list metrics": "List what -m takes; 'mteval list bleu' describes one metric.",
    "mteval explain ref.txt -i new.txt -m bleu": "Show the segments with the lowest scores, and "
    "why they have them.",
}


def roff(text: str) -> str:
    """Escape what the language of manual pages would change."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return re.sub(r"^\.", r"\&.", text.replace("`", r"\(ga").replace("~", r"\(ti"))


def bold(text: str) -> str:
    """Write a text in bold type."""
    return rf"\fB{roff(text)}\fP"


def item(head: str, text: str) -> list[str]:
    """Write one entry of a list."""
    return [".TP", head, roff(text)]


def value(action: argparse.Action) -> str:
    """Write what an argument takes."""
    choices = f"{{{','.join(map(str, action.choices or ()))}}}"
    name = action.metavar or (choices if action.choices else action.dest)
    if isinstance(name, tuple):
        return " ".join(name)
    forms = {0: "", None: name, "?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} [{name} ...]"}
    forms[argparse.REMAINDER] = name
    return forms[action.nargs]


def groups(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, list[argparse.Action]]]:
    """Return title, description and arguments of each group; groups of argparse have no title."""
    for group in parser._action_groups:
        own = group.title not in ("positional arguments", "options", "commands")
        actions = [
            action
            for action in group._group_actions
            if action.dest != "help" and action.help not in (None, argparse.SUPPRESS)
        ]
        if actions:
            title = f"{group.title}:".capitalize() if own else ""
            yield title, group.description or "", actions


def explanation(action: argparse.Action) -> str:
    """Return what an argument does."""
    return FORMATTER._expand_help(action)


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Write the arguments of a parser, in their groups."""
    for title, description, actions in groups(parser):
        if title:
            yield from (".PP", bold(title))
        if description:
            yield roff(description)
        for action in actions:
            taken = rf"\fI{roff(value(action))}\fP" if value(action) else ""
            head = f"{', '.join(map(bold, action.option_strings))} {taken}".strip()
            yield from item(head, explanation(action))


def command(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Write the section of a command."""
    arguments = [value(action) for action in parser._get_positional_actions()]
    yield from (f".SS {parser.prog}", f"{bold(parser.prog)} [\\fIOPTION\\fP ...]")
    yield from (rf"\fI{roff(argument)}\fP" for argument in arguments)
    yield from (".PP", roff(parser.description or ""))
    yield from options(parser)


def table(heading: str) -> Iterator[str]:
    """Write a table of the page of messages as a list."""
    _, _, section = (DOCS / "messages.md").read_text("utf-8").partition(f"\n## {heading}\n")
    for row in section.partition("\n## ")[0].splitlines()[3:]:
        if row.startswith("|"):
            head, text = (cell.strip().replace("`", "") for cell in row.strip("|").split("|"))
            yield from item(bold(head), text)


def manual() -> str:
    """Write the page."""
    lines = [f'.TH MTEVAL 1 "" "mteval {__version__}"', ".SH NAME"]
    lines += [r"mteval \- evaluate machine translation", ".SH SYNOPSIS", bold("mteval")]
    lines += [r"[\fIOPTION\fP ...] \fICOMMAND\fP [\fIARGUMENT\fP ...]", ".SH DESCRIPTION"]
    lines += [roff(DESCRIPTION)]
    lines += [".SH OPTIONS", *options(preceding_parser()), ".SH COMMANDS"]
    lines += [line for each in command_parsers(default_registry()) for line in command(each)]
    lines += [".SH EXIT STATUS", *table("Exit codes")]
    lines += [".SH ENVIRONMENT", *table("Environment variables"), ".SH EXAMPLES"]
    lines += [line for typed, text in EXAMPLES.items() for line in item(bold(typed), text)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(manual(), "utf-8")
