"""The declaration of ``mteval mbr``."""

from __future__ import annotations

import mteval_core

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_commands() -> list[mteval_core.CommandSpec]:
    """``mteval mbr``."""
    return [
        mteval_core.CommandSpec(
            "mbr",
            arguments="mteval_mbr.command:add_arguments",
            run="mteval_mbr.command:run",
            group="decisions",
            help="choose from n-best lists the hypotheses that are most like the others",
        )
    ]
