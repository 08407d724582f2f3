"""The commands that help to decide."""

from __future__ import annotations

from mteval_core import CommandSpec, hookimpl

mteval_api = 1

COMMANDS = (
    ("replay", "scores", "recompute a score from its signature, or a saved report"),
    ("diff", "scores", "compare two saved reports and explain the differences"),
    ("gate", "decisions", "say whether new outputs may replace those of a saved report"),
    ("why", "decisions", "say what changed since a saved report, and which segments lost"),
    ("power", "decisions", "say which differences a test set can show, and how large it has to be"),
    ("pairwise", "decisions", "compare systems two by two, by metrics that compare, and rank them"),
    ("influence", "decisions", "show which segments, documents and references a result depends on"),
)
"""Name, group and help of the commands, each in a module of its name."""


@hookimpl
def mteval_register_commands() -> list[CommandSpec]:
    """Declare the commands."""
    return [
        CommandSpec(
            name,
            arguments=f"mteval_decide.commands.{name}:add_arguments",
            run=f"mteval_decide.commands.{name}:run",
            help=help_,
            group=group,
            compares=name == "pairwise",
        )
        for name, group, help_ in COMMANDS
    ]
