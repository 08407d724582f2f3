"""Spark for mteval: the engine ``spark``, and `score` for Spark data frames."""

from __future__ import annotations

import mteval_core
from mteval_spark.engine import run, score

__all__ = ["run", "score"]


@mteval_core.hookimpl
def mteval_register_engines() -> list[mteval_core.EngineSpec]:
    """Declare the engine."""
    return [
        mteval_core.EngineSpec(
            "spark", function="mteval_spark.engine:run", help="the machines of a Spark cluster"
        )
    ]
