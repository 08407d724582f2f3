"""The commands that help to decide."""

from __future__ import annotations

from mteval_core import CommandSpec, hookimpl

mteval_api = 1

COMMANDS = {
    "gate": "say whether new outputs may replace those of a saved report",
    "why": "say what changed since a saved report, and which segments lost",
    "power": "say which differences a test set can show, and how large it has to be",
    "influence": "show which segments, documents and references a result depends on",
}


@hookimpl
def mteval_register_commands() -> list[CommandSpec]:
    """Declare the commands."""
    return [
        CommandSpec(
            name,
            arguments=f"mteval_decide.commands.{name}:add_arguments",
            run=f"mteval_decide.commands.{name}:run",
            help=help_,
            group="decisions",
        )
        for name, help_ in COMMANDS.items()
    ]
