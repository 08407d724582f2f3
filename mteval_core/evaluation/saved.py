"""Saved reports: reading what the format ``json`` writes, and checking its form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from mteval_core.errors import InputError

__all__ = ["Record", "Report", "read_report"]

Report = Mapping[str, Any]
"""Version, inputs and records."""

Record = Mapping[str, Any]
"""One record of a report, see `mteval_core.evaluation.records`."""


def read_report(path: str) -> Report:
    """Read a report.

    Raises
    ------
    InputError
        If the file cannot be read or does not hold a report.
    """
    try:
        report = json.loads(Path(path).read_bytes())
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise InputError(message) from None
    except ValueError as error:
        message = f"{path}: not JSON ({error}); expected what 'mteval score -f json' writes"
        raise InputError(message) from None
    if not is_report(report):
        message = f"{path}: not a report of mteval; expected what 'mteval score -f json' writes"
        raise InputError(message)
    return cast("Report", report)


def is_report(value: Any) -> bool:
    """Tell whether a value has the form of a report."""
    match value:
        case {
            "inputs": {"references": [{}, *references], "systems": {**systems}},
            "records": [{}, *_] as records,
        }:
            sources = [references, *systems.values()]
            return all(map(is_record, records)) and all(map(is_list_of_sources, sources))
    return False


def is_list_of_sources(value: Any) -> bool:
    """Tell whether a value is a list of inputs."""
    return isinstance(value, list) and all(isinstance(source, dict) for source in value)


def is_record(value: Any) -> bool:
    """Tell whether a value has the form of a record."""
    match value:
        case {
            "system": str(),
            "metric": str(),
            "level": "corpus" | "doc" | "segment",
            "id": None | int() | str(),
            "score": int() | float(),
            "signature": str(),
        }:
            return is_interval(value.get("ci")) and is_test(value)
    return False


def is_interval(value: Any) -> bool:
    """Tell whether the field ``ci`` of a record is empty or has the form of an interval."""
    match value:
        case None | {"n": int(), "level": int() | float()}:
            return True
    return False


def is_test(record: Record) -> bool:
    """Tell whether a record has no p-value, or all that describes its test."""
    match record:
        case {
            "p_value": int() | float(),
            "difference": {
                "test": str(),
                "trials": int(),
                "correction": str(),
                "all_pairs": bool(),
                "level": int() | float(),
            },
        }:
            return True
    return record.get("p_value") is None
