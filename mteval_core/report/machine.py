"""Records for machines: unrounded, the same in every format."""

from __future__ import annotations

import csv as csv_module
import io
import json as json_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report import Layout

__all__ = ["csv", "json", "jsonl", "tsv"]


def json(evaluation: Evaluation, layout: Layout) -> str:
    """Write version, inputs and all records as one object."""
    report = evaluation.to_dict(layout.level)
    return json_module.dumps(report, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def jsonl(evaluation: Evaluation, layout: Layout) -> str:
    """Write one record per line."""
    records = evaluation.to_records(layout.level)
    lines = [json_module.dumps(r, ensure_ascii=False, allow_nan=False) for r in records]
    return "".join(f"{line}\n" for line in lines)


def csv(evaluation: Evaluation, layout: Layout) -> str:
    """Write records separated by commas, the parts of a score as JSON."""
    return _separated(evaluation, layout, delimiter=",")


def tsv(evaluation: Evaluation, layout: Layout) -> str:
    """Write records separated by tabs, the parts of a score as JSON."""
    return _separated(evaluation, layout, delimiter="\t")


def _separated(evaluation: Evaluation, layout: Layout, delimiter: str) -> str:
    records = evaluation.to_records(layout.level)
    out = io.StringIO()
    keys = list(dict.fromkeys(key for record in records for key in record))
    writer = csv_module.DictWriter(out, keys, delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _flat(value) for key, value in record.items()} for record in records)
    return out.getvalue()


def _flat(value: Any) -> Any:
    if isinstance(value, dict):
        return json_module.dumps(value, ensure_ascii=False, allow_nan=False)
    return repr(value) if isinstance(value, float) else value
