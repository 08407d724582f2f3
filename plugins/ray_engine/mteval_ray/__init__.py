"""Ray for mteval: the engine ``ray``, and `score` for Ray data sets."""

from __future__ import annotations

import mteval_core
from mteval_ray.engine import run, score

__all__ = ["run", "score"]


@mteval_core.hookimpl
def mteval_register_engines() -> list[mteval_core.EngineSpec]:
    """Declare the engine."""
    return [
        mteval_core.EngineSpec(
            "ray", function="mteval_ray.engine:run", help="the machines of a Ray cluster"
        )
    ]
