"""Differences between two saved reports, with their reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from mteval_core import MetricSpec, Signature

if TYPE_CHECKING:
    from mteval_core import Registry
    from mteval_decide.saved import Record

__all__ = [
    "EQUAL_UP_TO",
    "Change",
    "ReportEntry",
    "change",
    "diff",
    "equal",
    "pair_entries",
    "renamed_metrics",
    "signature_differences",
    "tolerance_of",
    "unmatched",
]

Key = tuple[Any, ...]
Verdict = Literal["better", "worse", ""]

EQUAL_UP_TO = 1e-9
"""Relative difference up to which numbers are equal: rounding explains it."""

TITLES = {
    "ci": "interval",
    "from_file_only": "whether there is an output of the system",
    "p_value": "p-value",
    "p_raw": "p-value before correction",
    "p_equivalent": "p-value of equivalence",
    "p_not_worse": "p-value of not being worse",
}
"""What the parts of a record are called, where it is not their key."""


@dataclass(frozen=True)
class ReportEntry:
    """A record of a score, or of the comparison of two systems.

    Parameters
    ----------
    system, metric : str
        The system, and the spec of the metric.
    level : str
        ``corpus``, ``doc``, ``segment`` or ``comparison``.
    id : int or str or None
        Number of the segment, or name of the document or of the baseline.
    number : float or None
        The score or the difference.
    signature : str
        Signature of the score of the system.
    parts : mapping
        Everything else that the record says.
    """

    system: str
    metric: str
    level: str
    id: int | str | None
    number: float | None
    signature: str
    parts: Mapping[str, Any]

    @property
    def key(self) -> Key:
        """What identifies the record."""
        return (self.system, self.metric, self.level, self.id)

    @property
    def where(self) -> str:
        """The document, segment or baseline; empty for the corpus."""
        level = "vs" if self.level == "comparison" else self.level
        return "" if self.id is None else f"{level} {self.id}"


def entries(report: Mapping[str, Any]) -> list[ReportEntry]:
    """List the records of a report, then its comparisons."""
    records = [entry_of_record(dict(record)) for record in report["records"]]
    signatures = {(entry.system, entry.metric): entry.signature for entry in records}
    return records + [entry_of_pair(dict(pair), signatures) for pair in report["comparisons"]]


def entry_of_record(parts: dict[str, Any]) -> ReportEntry:
    """Take the record of a score apart."""
    named = {key: parts.pop(key) for key in ("system", "metric", "level", "id", "signature")}
    return ReportEntry(**named, number=parts.pop("score"), parts=parts)


def entry_of_pair(parts: dict[str, Any], signatures: Mapping[tuple[str, str], str]) -> ReportEntry:
    """Take the record of a comparison apart; it has the signature of the score of its system."""
    system, metric, baseline = (parts.pop(key) for key in ("system", "metric", "baseline"))
    number, signature = parts.pop("difference"), signatures[system, metric]
    return ReportEntry(
        system, metric, "comparison", baseline, number=number, signature=signature, parts=parts
    )


@dataclass(frozen=True)
class Change:
    """A record before and after.

    Parameters
    ----------
    system, metric : str
        The system, and the spec of the metric.
    where : str
        Document, segment or baseline; empty for the corpus.
    before, after : float or None
        The scores, or the differences of two systems; None if the record is missing on that side.
    reasons : tuple of str
        What explains the difference.
    same : bool
        Whether everything that the records say is equal.
    verdict : {"better", "worse", ""}
        What the difference means for the system. Empty if the scores are equal, if one is missing,
        or if the metric is not installed.
    is_comparison : bool
        Whether it is a comparison of two systems.
    """

    system: str
    metric: str
    where: str
    before: float | None
    after: float | None
    reasons: tuple[str, ...]
    same: bool
    verdict: Verdict = ""
    is_comparison: bool = False


def diff(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    tolerance: float | None = None,
    *,
    registry: Registry | None = None,
) -> list[Change]:
    """Compare two reports record by record.

    Two records belong together if they have the same system, level, id and metric. Metrics that
    occur in one report only are paired by label, in order.

    Parameters
    ----------
    before, after : mapping
        The reports.
    tolerance : float, optional
        Relative difference up to which two numbers are equal. Default: what the metric declares,
        and at least 1e-9.
    registry : Registry, optional
        Where to look up which direction of a metric is better, and its tolerance. Default: no
        verdicts.

    Returns
    -------
    list of Change
        One per record of either report.
    """
    changes = []
    for old, new in pair_entries(before, after):
        if old is None or new is None:
            changes.append(unmatched(old, new))
            continue
        reasons = changed_outputs(old.system, before, after)
        allowed = tolerance_of(old, registry) if tolerance is None else tolerance
        changes.append(change(old, new, reasons=reasons, tolerance=allowed))
    return changes


def tolerance_of(entry: ReportEntry, registry: Registry | None) -> float:
    """Return the relative difference up to which numbers of a metric are equal."""
    signature = Signature.parse(entry.signature)
    signed = {item.partition("@")[0] for item in signature.fields.get("plugin", ())}
    named = [] if registry is None else registry.of_name(MetricSpec, signature.name)
    declared = [each.declaration for each in named if each.plugin.distribution in signed]
    return max([EQUAL_UP_TO, *(declaration.tolerance for declaration in declared)])


def pair_entries(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[ReportEntry | None, ReportEntry | None]]:
    """Pair the records of two reports; None for a record that the other side does not have."""
    new = {entry.key: entry for entry in entries(after)}
    renamed = renamed_metrics(before["records"], after["records"])
    for entry in entries(before):
        system, metric, *place = entry.key
        key = entry.key if entry.key in new else (system, renamed.get(metric), *place)
        yield entry, new.pop(key, None)
    yield from ((None, entry) for entry in new.values())


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


def change(
    before: ReportEntry,
    after: ReportEntry,
    *,
    reasons: Sequence[str] = (),
    tolerance: float = EQUAL_UP_TO,
) -> Change:
    """Compare a record with its counterpart.

    Parameters
    ----------
    before, after : Entry
        The records.
    reasons : sequence of str
        What is known to have changed around them.
    tolerance : float
        Relative difference up to which two numbers are equal.
    """
    moved = not equal(before.number, after.number, tolerance)
    parts = list(changed_parts(before, after, tolerance))
    is_comparison = before.level == "comparison"
    return Change(
        system=before.system,
        metric=before.metric,
        where=before.where,
        before=before.number,
        after=after.number,
        reasons=(
            *signature_differences(before.signature, after.signature),
            *reasons,
            *(part for part in parts if not (moved and part.startswith("values"))),
        ),
        same=not (moved or parts),
        verdict=verdict(before, after) if moved and not is_comparison else "",
        is_comparison=is_comparison,
    )


def changed_parts(before: ReportEntry, after: ReportEntry, tolerance: float) -> Iterator[str]:
    """Name the parts of a record, its number apart, that differ."""
    for key in dict.fromkeys([*before.parts, *after.parts]):
        old: Any = before.parts.get(key)
        new: Any = after.parts.get(key)
        if equal(old, new, tolerance):
            continue
        if key == "values":
            unequal = [n for n in {**old, **new} if not equal(old.get(n), new.get(n), tolerance)]
            yield f"values: {', '.join(unequal)}"
        else:
            yield TITLES.get(key, key.replace("n_segments", "number of segments"))


def verdict(before: ReportEntry, after: ReportEntry) -> Verdict:
    """Say whether a system has become better or worse under a metric; empty if nobody knows."""
    directions = {before.parts["better"], after.parts["better"]}
    if len(directions) > 1 or before.number is None or after.number is None:
        return ""
    return "better" if (after.number > before.number) == (directions == {"higher"}) else "worse"


def unmatched(before: ReportEntry | None, after: ReportEntry | None) -> Change:
    """Report a record that one side does not have."""
    (entry,) = (side for side in (before, after) if side is not None)
    return Change(
        system=entry.system,
        metric=entry.metric,
        where=entry.where,
        before=None if before is None else before.number,
        after=None if after is None else after.number,
        reasons=("is gone" if before else "is new",),
        same=False,
        is_comparison=entry.level == "comparison",
    )


def equal(one: Any, other: Any, tolerance: float = EQUAL_UP_TO) -> bool:
    """Compare numbers up to a relative tolerance, and collections of numbers item by item."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = one.keys() | other.keys()
        return all(equal(one.get(key), other.get(key), tolerance) for key in keys)
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(equal(a, b, tolerance) for a, b in pairs)
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


def changed_outputs(system: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Say so if the output of a system has changed."""
    hashes = [
        [run["hash"] for run in report["inputs"]["systems"].get(system, [])]
        for report in (before, after)
    ]
    return ["the output of the system differs"] if hashes[0] != hashes[1] else []
