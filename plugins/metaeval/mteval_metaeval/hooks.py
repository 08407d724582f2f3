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
    """Scores that mteval has written as JSON lines, and tables in the form of human scores."""
    return [
        DatasetSpec(
            "score-records",
            function="mteval_metaeval.score_records:read",
            scores="mteval_metaeval.score_records:scores_of_records",
            sniff="mteval_metaeval.score_records:has_records",
            help="what mteval score -f jsonl has written, for --scores",
            sample="mteval_metaeval.score_records:sample",
        ),
        DatasetSpec(
            "score-table",
            function="mteval_metaeval.score_tables:read",
            scores="mteval_metaeval.score_tables:scores",
            help="a table with the columns system, segment or doc, and scores, for --scores",
            sample="mteval_metaeval.score_tables:sample",
        ),
    ]
