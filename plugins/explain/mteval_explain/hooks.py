"""The declaration of ``mteval explain``."""

from __future__ import annotations

import mteval_core

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_commands() -> list[mteval_core.CommandSpec]:
    """``mteval explain``."""
    return [
        mteval_core.CommandSpec(
            "explain",
            arguments="mteval_explain.command:add_arguments",
            run="mteval_explain.command:run",
            group="explanations",
            help="say why segments have their scores",
        )
    ]
