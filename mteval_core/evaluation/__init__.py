"""Evaluations: scores of systems, resampling, comparisons, records and saved reports.

These names are public. They count a test set in parts: a `Source` yields each `Part`, and
`count_source` adds up what its segments contribute to a `Partial`, which can be written, merged
with others, and made an `Evaluation` of. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.evaluation.counting import Kept
    from mteval_core.evaluation.evaluate import to_evaluation
    from mteval_core.evaluation.intervals import Estimate, Interval
    from mteval_core.evaluation.metrics import resolve_all
    from mteval_core.evaluation.p_values import correct_p_values
    from mteval_core.evaluation.partial import Counted, Document, Partial
    from mteval_core.evaluation.resampling import bootstrap
    from mteval_core.evaluation.saved import SavedReport
    from mteval_core.evaluation.sources import InMemory, LineFiles, Part, Source
    from mteval_core.evaluation.subsets import Subset
    from mteval_core.metrics.exact import ExactSum, WeightedSum
    from mteval_core.metrics.sums import totals_under
    from mteval_core.metrics.threads import in_threads
    from mteval_core.metrics.titles import names_by_spec

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

__all__ = [
    "Counted",
    "Document",
    "Estimate",
    "ExactSum",
    "InMemory",
    "Interval",
    "Kept",
    "LineFiles",
    "Part",
    "Partial",
    "SavedReport",
    "Source",
    "Subset",
    "WeightedSum",
    "bootstrap",
    "correct_p_values",
    "in_threads",
    "names_by_spec",
    "resolve_all",
    "to_evaluation",
    "totals_under",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"mteval_core.{_HOME[name]}"), name)
