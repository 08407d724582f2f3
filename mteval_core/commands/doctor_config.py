"""``mteval doctor --config``: what the configuration file holds, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.commands.configuration import MISSING, configuration
from mteval_core.commands.defaults import defaults, flag_names
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.output import terminal_width, write_report
from mteval_core.commands.parser import COMMANDS, command_parsers
from mteval_core.commands.registry import requested_registry
from mteval_core.commands.streams import show
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from mteval_core.commands.configuration import Configuration
    from mteval_core.commands.parser import CommandParser

__all__ = ["show_configuration"]


def show_configuration(arguments: argparse.Namespace) -> int:
    """Write what the file holds; return 1 if something in it is wrong."""
    from mteval_core.report import Layout
    from mteval_core.report.configuration import of_configuration

    config = configuration(arguments, COMMANDS)
    if config is None:
        why = "--no-config reads none" if arguments.no_config else MISSING
        show(f"no configuration file: {why}")
        return 0
    form = requested_format(arguments, "correlate", requested_registry(arguments))
    parsers = list(command_parsers())
    wrong = problems(config, parsers)
    source = {"path": config.path, "sha256": config.sha256, "profile": config.profile}
    report = of_configuration(config.name, source, entries(config, parsers), wrong)
    layout = Layout(columns=terminal_width())
    write_report(formatted(report, layout, form, arguments), arguments)
    return 1 if wrong else 0


def entries(config: Configuration, parsers: Sequence[CommandParser]) -> list[dict[str, Any]]:
    """List the defaults of the file and the chosen profile, and the commands that take them."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for parser in parsers:
        try:
            taken = defaults(config, parser, lambda: parsers).values()
        except UsageError:
            continue
        names = flag_names(parser)
        for place, table, _ in config.tables(parser.command):
            for key, value in table.items():
                if key in names:
                    new = {"key": key, "value": value, "place": place}
                    entry = found.setdefault((place, key), {**new, "commands": [], "taken_by": []})
                    entry["commands"].append(parser.command)
        for default in taken:
            found[default.place, default.key]["taken_by"].append(parser.command)
    return list(found.values())


def problems(config: Configuration, parsers: Sequence[CommandParser]) -> list[str]:
    """Say what commands refuse, in any profile."""
    found: dict[str, dict[str, None]] = {}
    for profile in (None, *config.profiles):
        for parser in parsers:
            message = refusal(config._replace(profile=profile), parser, parsers)
            if message:
                found.setdefault(message, {})[parser.command] = None
    return [f"{message} (mteval {', '.join(commands)})" for message, commands in found.items()]


def refusal(config: Configuration, parser: CommandParser, parsers: Sequence[CommandParser]) -> str:
    """Say what a command refuses; empty if nothing."""
    try:
        defaults(config, parser, lambda: parsers)
    except UsageError as error:
        return str(error)
    return ""
