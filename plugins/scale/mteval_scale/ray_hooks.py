"""The engine ``ray``."""

from __future__ import annotations

import mteval_core

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_engines() -> list[mteval_core.EngineSpec]:
    """Declare the engine."""
    return [
        mteval_core.EngineSpec(
            "ray",
            function="mteval_scale.ray:run",
            source="mteval_scale.tables:parquet_files",
            help="the machines of a Ray cluster",
        )
    ]
