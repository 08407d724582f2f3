"""Ray for mteval: the engine ``ray``, and `score` for Ray data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mteval_core

if TYPE_CHECKING:
    from mteval_ray.engine import run, score

mteval_api = 1

__all__ = ["run", "score"]


@mteval_core.hookimpl
def mteval_register_engines() -> list[mteval_core.EngineSpec]:
    """Declare the engine."""
    return [
        mteval_core.EngineSpec(
            "ray", function="mteval_ray.engine:run", help="the machines of a Ray cluster"
        )
    ]


def __getattr__(name: str) -> Any:
    """Import the functions when they are used."""
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from mteval_ray import engine

    return getattr(engine, name)
