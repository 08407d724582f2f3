"""CDER as a plugin of mteval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare ``cder``."""
    return [
        mteval_core.MetricSpec(
            "cder",
            factory="mteval_cder.cder:Cder",
            help="edit distance with block moves over reference length",
            label="CDER",
            values={"CDER": 100, "edits": 1, "jumps": 1, "ref_len": 1},
            options=(mteval_core.Option("jump", 1.0, "cost of a long jump", minimum=0),),
            better="lower",
        )
    ]
