"""Reports of ``mteval doctor --configuration``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mteval_core.report import Cell, Column, Report, Table
from mteval_doctor.examination import count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


__all__ = ["of_configuration"]


def of_configuration(
    name: str,
    source: Mapping[str, str | None],
    records: Sequence[Mapping[str, Any]],
    problems: Sequence[str],
) -> Report:
    """Report what a configuration file holds.

    Parameters
    ----------
    name : str
        The file and the preset, for readers.
    source : mapping
        The ``path``, ``sha256`` and ``preset``, for machines.
    records : sequence of mapping
        Each default: ``key``, ``value``, ``place``, the commands that have such a flag
        (``commands``), and those that take this value (``taken_by``).
    problems : sequence of str
        What is wrong.
    """
    names = [(r["key"], json.dumps(r["value"], ensure_ascii=False), r["place"]) for r in records]
    table = Table(
        "",
        ("key", "value", "stands in"),
        tuple(names),
        (Column(("taken by",), tuple(Cell((taken_by(one),)) for one in records)),),
    )
    return Report.of(
        experiment="configuration",
        title=f"Configuration {name}",
        summary=f"{count(len(records), 'default')}, {count(len(problems), 'problem')}, "
        f"SHA-256 {source['sha256'] or '':.12}.",
        parts=[table] if records else [],
        records=records,
        inputs={"config": source},
        notes=problems,
    )


def taken_by(record: Mapping[str, Any]) -> str:
    """Name the commands that take a default, or those that do not, whichever is shorter."""
    taking, rest = record["taken_by"], sorted({*record["commands"]} - {*record["taken_by"]})
    if not taking:
        return "none"
    if not rest:
        return "all" if len(taking) > 1 else taking[0]
    return ", ".join(taking) if len(taking) <= len(rest) else f"all but {', '.join(rest)}"
