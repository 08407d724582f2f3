"""Spark for mteval: the engine ``spark``, and `score` for Spark data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mteval_core

if TYPE_CHECKING:
    from mteval_spark.engine import run, score

mteval_api = 1

__all__ = ["run", "score"]


@mteval_core.hookimpl
def mteval_register_engines() -> list[mteval_core.EngineSpec]:
    """Declare the engine."""
    return [
        mteval_core.EngineSpec(
            "spark", function="mteval_spark.engine:run", help="the machines of a Spark cluster"
        )
    ]


def __getattr__(name: str) -> Any:
    """Import the functions when they are used."""
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from mteval_spark import engine

    return getattr(engine, name)
