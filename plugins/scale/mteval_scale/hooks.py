"""The commands for parts of an evaluation, the engine ``local``, and reports as Parquet."""

from __future__ import annotations

import mteval_core

mteval_api = 1

COMMANDS = {
    "plan": "plan an evaluation in parts, for many machines",
    "partial": "count one part of a planned evaluation",
    "merge": "merge the parts of a planned evaluation",
}


@mteval_core.hookimpl
def mteval_register_commands() -> list[mteval_core.CommandSpec]:
    """Declare the commands."""
    return [
        mteval_core.CommandSpec(
            name,
            arguments=f"mteval_scale.commands.{name}:add_arguments",
            run=f"mteval_scale.commands.{name}:run",
            help=help_,
            group="many machines",
        )
        for name, help_ in COMMANDS.items()
    ]


@mteval_core.hookimpl
def mteval_register_formats() -> list[mteval_core.FormatSpec]:
    """Declare Parquet."""
    return [
        mteval_core.FormatSpec(
            "parquet",
            function="mteval_scale.parquet:parquet",
            help="records, in typed columns",
            parts=("record", "row"),
            endings=("parquet",),
        )
    ]


@mteval_core.hookimpl
def mteval_register_engines() -> list[mteval_core.EngineSpec]:
    """Declare the engine."""
    return [
        mteval_core.EngineSpec(
            "local",
            function="mteval_scale.local:run",
            source="mteval_scale.tables:parquet_files",
            help="all cores of this machine",
        )
    ]
