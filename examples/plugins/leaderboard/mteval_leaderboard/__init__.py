"""The declarations of mteval-leaderboard, a plugin of mteval.

This module contains only declarations. Importing it imports neither numpy nor the code that the
declarations name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_commands() -> Sequence[mteval_core.CommandSpec]:
    """Declare the command leaderboard."""
    return [
        mteval_core.CommandSpec(
            "leaderboard",
            arguments="mteval_leaderboard.command:add_arguments",
            run="mteval_leaderboard.command:run",
            group="compare systems",
            help="rank systems by the mean of their ranks over metrics",
            sample="mteval_leaderboard.command:sample",
        )
    ]
