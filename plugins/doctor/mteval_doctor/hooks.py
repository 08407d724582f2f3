"""The declaration of ``mteval doctor``."""

from __future__ import annotations

import mteval_core

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_commands() -> list[mteval_core.CommandSpec]:
    """``mteval doctor``."""
    return [
        mteval_core.CommandSpec(
            "doctor",
            arguments="mteval_doctor.command:add_arguments",
            run="mteval_doctor.command:run",
            group="texts and plugins",
            help="examine texts, and say what is wrong with them",
        )
    ]
