"""``mteval doctor --configuration``: contents and faults of the configuration file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mteval_core import UsageError

if TYPE_CHECKING:
    from mteval_core import Session

__all__ = ["show_configuration"]

NO_CONFIGURATION = (
    "neither this folder nor one above it has mteval.toml, or pyproject.toml with [tool.mteval]"
)
"""Why there is no configuration."""


def show_configuration(session: Session) -> int:
    """Write what the file holds; return 1 if something in it is wrong."""
    from mteval_doctor.configuration_report import of_configuration

    if session.options.preceding.no_config:
        session.show("no configuration file: --no-config reads none")
        return 0
    if session.configuration is None:
        session.show(f"no configuration file: {NO_CONFIGURATION}")
        return 0
    file, wrong = session.configuration.file, problems(session)
    source = {"path": file.path, "sha256": file.sha256, "preset": file.preset}
    session.write(of_configuration(file.name, source, entries(session), wrong))
    return 1 if wrong else 0


def entries(session: Session) -> list[dict[str, Any]]:
    """List the defaults of the file and the chosen preset, and the commands that take them."""
    configuration = session.configuration
    assert configuration is not None
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for command in configuration.parsers:
        try:
            taken = configuration.taken(command, configuration.file)
        except UsageError:
            continue
        names = configuration.flags(command)
        for place, table, _ in configuration.file.tables(command):
            for key, value in table.items():
                if key in names:
                    new = {"key": key, "value": value, "place": place}
                    entry = found.setdefault((place, key), {**new, "commands": [], "taken_by": []})
                    entry["commands"].append(command)
        for default in taken.defaults if taken else ():
            found[default.place, default.key]["taken_by"].append(command)
    return list(found.values())


def problems(session: Session) -> list[str]:
    """Say what commands refuse, in any preset."""
    configuration = session.configuration
    assert configuration is not None
    found: dict[str, dict[str, None]] = {}
    for preset in (None, *configuration.file.presets):
        file = replace(configuration.file, preset=preset)
        for command in configuration.parsers:
            message = refusal(configuration, command, file)
            if message:
                found.setdefault(message, {})[command] = None
    return [f"{message} (mteval {', '.join(commands)})" for message, commands in found.items()]


def refusal(configuration: Any, command: str, file: Any) -> str:
    """Say what a command refuses in a file and its preset; empty if nothing."""
    try:
        taken = configuration.taken(command, file)
        if taken:
            with taken.blaming():
                configuration.parsers[command].check_words(taken.words)
    except UsageError as error:
        return str(error)
    return ""
