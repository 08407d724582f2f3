"""The declarations of the commands for authors of plugins."""

from __future__ import annotations

import mteval_core

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_commands() -> list[mteval_core.CommandSpec]:
    """``mteval check`` and ``mteval new-plugin``."""
    return [
        mteval_core.CommandSpec(
            "check",
            arguments="mteval_testing.check:add_arguments",
            run="mteval_testing.check:run",
            group="texts and plugins",
            help="check that a plugin keeps the contract",
        ),
        mteval_core.CommandSpec(
            "new-plugin",
            arguments="mteval_testing.new_plugin:add_arguments",
            run="mteval_testing.new_plugin:run",
            group="texts and plugins",
            help="create a working plugin to start from",
        ),
    ]
