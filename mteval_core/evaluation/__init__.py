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
    from mteval_core.evaluation.evaluate import (
        check_in_parts,
        count_source,
        to_evaluation,
        with_references,
    )
    from mteval_core.evaluation.metrics import resolve_all
    from mteval_core.evaluation.partial import Counted, Document, Partial
    from mteval_core.evaluation.sources import InMemory, LineFiles, Part, Source, map_blocks
    from mteval_core.evaluation.tables import Work, evaluate_tables
    from mteval_core.metrics.exact import ExactSum, WeightedSum
    from mteval_core.metrics.scorer import rows_of_text

_HOME = {
    "Counted": "evaluation.partial",
    "Document": "evaluation.partial",
    "ExactSum": "metrics.exact",
    "InMemory": "evaluation.sources",
    "Kept": "evaluation.counting",
    "LineFiles": "evaluation.sources",
    "Part": "evaluation.sources",
    "Partial": "evaluation.partial",
    "Source": "evaluation.sources",
    "WeightedSum": "metrics.exact",
    "Work": "evaluation.tables",
    "check_in_parts": "evaluation.evaluate",
    "count_source": "evaluation.evaluate",
    "evaluate_tables": "evaluation.tables",
    "map_blocks": "evaluation.sources",
    "resolve_all": "evaluation.metrics",
    "rows_of_text": "metrics.scorer",
    "to_evaluation": "evaluation.evaluate",
    "with_references": "evaluation.evaluate",
}

__all__ = [
    "Counted",
    "Document",
    "ExactSum",
    "InMemory",
    "Kept",
    "LineFiles",
    "Part",
    "Partial",
    "Source",
    "WeightedSum",
    "Work",
    "check_in_parts",
    "count_source",
    "evaluate_tables",
    "map_blocks",
    "resolve_all",
    "rows_of_text",
    "to_evaluation",
    "with_references",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"mteval_core.{_HOME[name]}"), name)
