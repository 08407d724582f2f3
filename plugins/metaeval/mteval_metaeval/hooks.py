"""The commands of metaevaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import CommandSpec, DatasetSpec, hookimpl

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


@hookimpl
def mteval_register_datasets() -> Sequence[DatasetSpec]:
    """Tables of scores, in the form of tables of human scores."""
    return [
        DatasetSpec(
            "score-table",
            function="mteval_metaeval.score_tables:read",
            help="a table with the columns system, segment or doc, and scores, for --scores",
            sample="mteval_metaeval.score_tables:sample",
        )
    ]
