"""What changed between two saved reports, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mteval_core.signature import Signature

if TYPE_CHECKING:
    from mteval_core.evaluation.saved import Record, Report

__all__ = ["Change", "diff"]

Key = tuple[Any, ...]

TOLERANCE = 1e-9
"""Relative difference up to which numbers are equal: rounding explains it."""

COMPARED: Mapping[str, Callable[[Record], Any]] = {
    "score": lambda record: record["score"],
    "interval": lambda record: record.get("ci"),
    "p-value": lambda record: record.get("p_value"),
}
"""The parts of a record that must be equal."""


@dataclass(frozen=True)
class Change:
    """A record before and after.

    Parameters
    ----------
    system, metric : str
        The system, and the spec of the metric.
    where : str
        Document or segment; empty for the corpus.
    before, after : float or None
        The scores; None if the record is missing on that side.
    reasons : tuple of str
        What explains the difference.
    same : bool
        Whether score, interval and p-value are equal.
    """

    system: str
    metric: str
    where: str
    before: float | None
    after: float | None
    reasons: tuple[str, ...]
    same: bool


def diff(before: Report, after: Report, tolerance: float = TOLERANCE) -> list[Change]:
    """Compare two reports record by record.

    Two records belong together if they have the same system, level, id and metric. Metrics that
    occur in one report only are paired by label, in order.

    Parameters
    ----------
    before, after : mapping
        The reports.
    tolerance : float
        Relative difference up to which two numbers are equal.

    Returns
    -------
    list of Change
        One per record of either report.
    """
    old, new = by_key(before["records"]), by_key(after["records"])
    renamed = renamed_metrics(before["records"], after["records"])
    changes = []
    for (system, metric, *place), record in old.items():
        key = (system, metric, *place)
        other = new.pop(key if key in new else (system, renamed.get(metric), *place), None)
        if other is None:
            changes.append(unpaired(record, "is gone", before=record["score"]))
            continue
        reasons = changed_outputs(system, before, after)
        changes.append(change(record, other, outputs=reasons, tolerance=tolerance))
    surplus = [unpaired(record, "is new", after=record["score"]) for record in new.values()]
    return [*changes, *surplus]


def by_key(records: Sequence[Record]) -> dict[Key, Record]:
    """Index records by what identifies them."""
    return {(r["system"], r["metric"], r["level"], r["id"]): r for r in records}


def renamed_metrics(before: Sequence[Record], after: Sequence[Record]) -> dict[str, str]:
    """Pair the metrics that only one side has by their labels, in order."""
    old, new = specs_by_label(before, after), specs_by_label(after, before)
    pairs: dict[str, str] = {}
    for label, specs in old.items():
        # The sides may differ in length; the surplus stays unpaired.
        pairs.update(zip(specs, new.get(label, []), strict=False))
    return pairs


def specs_by_label(records: Sequence[Record], others: Sequence[Record]) -> dict[str, list[str]]:
    """List the metrics that the other side does not have, by label."""
    known = {record["metric"] for record in others}
    signatures = {record["metric"]: record["signature"] for record in records}
    specs: dict[str, list[str]] = {}
    for spec, signature in signatures.items():
        if spec not in known:
            specs.setdefault(Signature.parse(signature).name, []).append(spec)
    return specs


def change(before: Record, after: Record, *, outputs: list[str], tolerance: float) -> Change:
    """Compare a record with its counterpart."""
    differing = [
        part for part, read in COMPARED.items() if not equal(read(before), read(after), tolerance)
    ]
    reasons = [
        *signature_differences(before["signature"], after["signature"]),
        *outputs,
        *(part for part in differing if part != "score"),
    ]
    return Change(
        system=before["system"],
        metric=before["metric"],
        where=place_of(before),
        before=before["score"],
        after=after["score"],
        reasons=tuple(reasons),
        same=not differing,
    )


def unpaired(
    record: Record, reason: str, *, before: float | None = None, after: float | None = None
) -> Change:
    """Report a record that the other side does not have."""
    return Change(
        system=record["system"],
        metric=record["metric"],
        where=place_of(record),
        before=before,
        after=after,
        reasons=(reason,),
        same=False,
    )


def place_of(record: Record) -> str:
    """Name the document or segment of a record; empty for the corpus."""
    return "" if record["id"] is None else f"{record['level']} {record['id']}"


def equal(one: Any, other: Any, tolerance: float) -> bool:
    """Compare numbers up to a relative tolerance, and mappings of numbers key by key."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = one.keys() | other.keys()
        return all(equal(one.get(key), other.get(key), tolerance) for key in keys)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= tolerance * max(1.0, abs(one), abs(other))
    return bool(one == other)


def signature_differences(before: str, after: str) -> list[str]:
    """List the fields in which two signatures differ."""
    one, other = Signature.parse(before), Signature.parse(after)
    names = {"refs": "the references (hash)"}
    differences = [
        f"{names.get(key, key)}: {one.get(key) or 'not given'} → {other.get(key) or 'not given'}"
        for key in dict.fromkeys([*one.fields, *other.fields])
        if one.get(key) != other.get(key)
    ]
    return ([] if one.name == other.name else [f"{one.name} → {other.name}"]) + differences


def changed_outputs(system: str, before: Report, after: Report) -> list[str]:
    """Say so if the output of a system has changed."""
    hashes = [
        [run.get("sha256") for run in report["inputs"].get("systems", {}).get(system, [])]
        for report in (before, after)
    ]
    return ["the output of the system differs"] if hashes[0] != hashes[1] else []
