"""``mteval doctor --configuration``: contents and faults of the configuration file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core import UsageError
from mteval_core.commands.configuration import (
    NO_CONFIGURATION,
    blaming,
    flags,
    read_configuration,
    take,
)
from mteval_core.commands.parser import command_parsers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.commands import Session
    from mteval_core.commands.configuration import Configuration
    from mteval_core.commands.parser import CommandParser

__all__ = ["show_configuration"]


def show_configuration(session: Session) -> int:
    """Write what the file holds; return 1 if something in it is wrong."""
    from mteval_doctor.configuration_report import of_configuration

    line = session.options.preceding
    if line.no_config:
        session.show("no configuration file: --no-config reads none")
        return 0
    parsers = list(command_parsers(session.registry))
    commands = [parser.command for parser in parsers]
    config = read_configuration(line.config_file, line.use_profile, commands)
    if config is None:
        session.show(f"no configuration file: {NO_CONFIGURATION}")
        return 0
    wrong = problems(config, parsers)
    source = {"path": config.path, "sha256": config.sha256, "profile": config.profile}
    session.write(of_configuration(config.name, source, entries(config, parsers), wrong))
    return 1 if wrong else 0


def entries(config: Configuration, parsers: Sequence[CommandParser]) -> list[dict[str, Any]]:
    """List the defaults of the file and the chosen profile, and the commands that take them."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for parser in parsers:
        try:
            taken = take(config, parser, (), lambda: parsers)
        except UsageError:
            continue
        names = flags(parser)
        for place, table, _ in config.tables(parser.command):
            for key, value in table.items():
                if key in names:
                    new = {"key": key, "value": value, "place": place}
                    entry = found.setdefault((place, key), {**new, "commands": [], "taken_by": []})
                    entry["commands"].append(parser.command)
        for default in taken.defaults if taken else ():
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
        taken = take(config, parser, (), lambda: parsers)
        if taken:
            with blaming(taken):
                parser.check_words(taken.words)
    except UsageError as error:
        return str(error)
    return ""
