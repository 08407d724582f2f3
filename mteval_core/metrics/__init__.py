"""Metrics: their contract, rows and formulas, and the scorer that a spec resolves to.

The package can be called, ``mteval_core.metrics(["bleu", "chrf"])``, because Python gives it the
name of the function that configures several metrics.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.metrics.scorer import Scorer


class Package(ModuleType):
    """A package that configures metrics if it is called."""

    def __call__(self, *specs: Any, **settings: Any) -> list[Scorer]:
        """Configure several metrics, see `mteval_core.metrics.several.metrics`."""
        from mteval_core.metrics.several import metrics

        return metrics(*specs, **settings)


sys.modules[__name__].__class__ = Package
