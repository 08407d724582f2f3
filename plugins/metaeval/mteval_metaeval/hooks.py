"""The commands of metaevaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import CommandSpec, hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1

COMMANDS = {
    "correlate": "compare metrics with human judgments",
    "tasks": "compare metrics with human judgments in several tasks at once",
    "points": "say how often people agree with differences between systems",
    "orange": "compare metrics by how high they rank references in n-best lists",
}


@hookimpl
def mteval_register_commands() -> Sequence[CommandSpec]:
    """Commands that compare metrics with people."""
    return [
        CommandSpec(
            name,
            arguments=f"mteval_metaeval.commands.{name}:add_arguments",
            run=f"mteval_metaeval.commands.{name}:run",
            help=help_,
            group="metrics and people",
        )
        for name, help_ in COMMANDS.items()
    ]
