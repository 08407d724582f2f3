"""Evaluations: scores of systems, resampling, comparisons, records and saved reports.

These names are public. They count a test set in parts: a `Source` yields each `Part`, and
`count_source` adds up what its segments contribute to a `Partial`, which can be written, merged
with others, and made an `Evaluation` of. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES = {
    "evaluation.counting": "Kept",
    "evaluation.evaluate": "to_evaluation",
    "evaluation.intervals": "Estimate Interval",
    "evaluation.metrics": "resolve_all",
    "evaluation.p_values": "correct_p_values",
    "evaluation.partial": "Counted Document Partial",
    "evaluation.resampling": "bootstrap",
    "evaluation.saved": "SavedReport",
    "evaluation.sources": "InMemory LineFiles Part Source",
    "evaluation.subsets": "Subset",
    "metrics.exact": "ExactSum WeightedSum",
    "metrics.sums": "totals_under",
    "metrics.threads": "in_threads",
    "metrics.titles": "names_by_spec",
}
"""The public names by their modules."""

_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"mteval_core.{_HOME[name]}"), name)
