"""Saved results: what changed between two of them, and whether one comes out again.

A report is what the format ``json`` writes: version, inputs and records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mteval_core.errors import InputError, UnknownNameError, near
from mteval_core.evaluation.evaluate import evaluate
from mteval_core.signature import DRAWN, Signature
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.plugin.registry import Registry

__all__ = ["Change", "diff", "read_report", "replay"]

Report = Mapping[str, Any]
Record = Mapping[str, Any]
Key = tuple[Any, ...]

TOLERANCE = 1e-9
"""Relative difference between numbers that are the same but for rounding."""


@dataclass(frozen=True)
class Change:
    """One record beside what it is now.

    Parameters
    ----------
    system, metric : str
        Whose score.
    where : str
        Document or segment, empty for the corpus.
    before, after : float or None
        The scores; None where there is none.
    reasons : tuple of str
        What explains a difference.
    same : bool
        Whether the two agree, intervals and p-values included.
    """

    system: str
    metric: str
    where: str
    before: float | None
    after: float | None
    reasons: tuple[str, ...]
    same: bool


def read_report(path: str) -> Report:
    """Read a report.

    Raises
    ------
    InputError
        If it cannot be read, or is no report.
    """
    try:
        report = json.loads(Path(path).read_bytes())
    except OSError as error:
        message = f"{path}: {error.strerror}"
        raise InputError(message) from None
    except ValueError as error:
        message = f"{path}: not JSON ({error}); expected what 'mteval score -f json' writes"
        raise InputError(message) from None
    if not _is_report(report):
        message = f"{path}: no report of mteval; expected what 'mteval score -f json' writes"
        raise InputError(message)
    return cast("Report", report)


def _is_report(found: Any) -> bool:
    match found:
        case {
            "inputs": {"references": [{}, *references], "systems": {**systems}},
            "records": [{}, *_] as records,
        }:
            sources = [references, *systems.values()]
            return all(map(_is_record, records)) and all(
                isinstance(texts, list) and all(isinstance(text, dict) for text in texts)
                for texts in sources
            )
    return False


def _is_record(found: Any) -> bool:
    match found:
        case {
            "system": str(),
            "metric": str(),
            "level": "corpus" | "doc" | "segment",
            "id": None | int() | str(),
            "score": int() | float(),
            "signature": str(),
        }:
            return _is_interval(found.get("ci")) and _is_test(found)
    return False


def _is_interval(found: Any) -> bool:
    match found:
        case None | {"n": int(), "level": int() | float()}:
            return True
    return False


def _is_test(found: Mapping[str, Any]) -> bool:
    match found:
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
    return found.get("p_value") is None


def diff(before: Report, after: Report, tolerance: float = TOLERANCE) -> list[Change]:
    """Set two reports side by side.

    Records belong together that have system, level, id and metric in common, or, for metrics
    that only one report has, label and place among those of the label.

    Parameters
    ----------
    before, after : mapping
        The reports.
    tolerance : float
        Relative difference up to which two scores are the same.

    Returns
    -------
    list of Change
        One for each record of either.
    """
    old, new = _by_key(before["records"]), _by_key(after["records"])
    renamed = _renamed_metrics(before["records"], after["records"])
    changes = []
    for key, record in old.items():
        now = new.pop(key, None)
        if now is None:
            now = new.pop((key[0], renamed.get(key[1]), *key[2:]), None)
        changes.append(_change(record, now, (before, after), tolerance))
    return [*changes, *(_change(None, now, (before, after), tolerance) for now in new.values())]


def _by_key(records: Sequence[Record]) -> dict[Key, Record]:
    return {(r["system"], r["metric"], r["level"], r["id"]): r for r in records}


def _renamed_metrics(before: Sequence[Record], after: Sequence[Record]) -> dict[str, str]:
    """Pair the metrics that only one side has by their labels, in order."""

    def labels(records: Sequence[Record], others: Sequence[Record]) -> dict[str, list[str]]:
        known = {record["metric"] for record in others}
        found: dict[str, list[str]] = {}
        for spec, signature in {r["metric"]: r["signature"] for r in records}.items():
            if spec not in known:
                found.setdefault(Signature.parse(signature).name, []).append(spec)
        return found

    old, new = labels(before, after), labels(after, before)
    return {a: b for label, specs in old.items() for a, b in zip(specs, new.get(label, []))}  # noqa: B905 - the rest has no partner


def _change(
    before: Record | None, after: Record | None, reports: tuple[Report, Report], tolerance: float
) -> Change:
    known = cast("Record", before or after)
    where = "" if known["id"] is None else f"{known['level']} {known['id']}"
    if before is None or after is None:
        missing = "is new" if before is None else "is gone"
        return Change(
            known["system"],
            known["metric"],
            where,
            None if before is None else before["score"],
            None if after is None else after["score"],
            (missing,),
            same=False,
        )
    differing = [
        name for name, read in COMPARED.items() if not _same(read(before), read(after), tolerance)
    ]
    reasons = [
        *signature_differences(before["signature"], after["signature"]),
        *_changed_outputs(known["system"], *reports),
        *(name for name in differing if name != "score"),
    ]
    return Change(
        known["system"],
        known["metric"],
        where,
        before["score"],
        after["score"],
        tuple(reasons),
        same=not differing,
    )


COMPARED: Mapping[str, Callable[[Record], Any]] = {
    "score": lambda record: record["score"],
    "interval": lambda record: record.get("ci"),
    "p-value": lambda record: record.get("p_value"),
}
"""What of a record must come out again."""


def _same(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = one.keys() | other.keys()
        return all(_same(one.get(key), other.get(key), tolerance) for key in keys)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= tolerance * max(1.0, abs(one), abs(other))
    return bool(one == other)


def signature_differences(before: str, after: str) -> list[str]:
    """Say field by field in what two signatures differ."""
    one, other = Signature.parse(before), Signature.parse(after)
    keys = dict.fromkeys([*one.fields, *other.fields])
    named = {"refs": "the references (hash)"}
    differences = [
        f"{named.get(key, key)}: {one.get(key) or 'not given'} → {other.get(key) or 'not given'}"
        for key in keys
        if one.get(key) != other.get(key)
    ]
    return ([] if one.name == other.name else [f"{one.name} → {other.name}"]) + differences


def _changed_outputs(system: str, before: Report, after: Report) -> list[str]:
    hashes = [
        [run.get("sha256") for run in report["inputs"].get("systems", {}).get(system, [])]
        for report in (before, after)
    ]
    return ["the output of the system is another"] if hashes[0] != hashes[1] else []


def replay(
    report: Report,
    read: Callable[[str], Text],
    *,
    references: Sequence[str] = (),
    systems: Mapping[str, Sequence[str]] | None = None,
    documents: str | None = None,
    registry: Registry | None = None,
) -> list[Change]:
    """Compute a whole report again, from its signatures and recorded inputs.

    Parameters
    ----------
    report : mapping
        The report.
    read : callable
        Reads a file.
    references : sequence of str
        Paths of the references; those recorded, unless given.
    systems : mapping of str to sequence of str, optional
        Paths of the runs of each system; those recorded, unless given.
    documents : str, optional
        Path of the document ids; the one recorded, unless given.
    registry : Registry, optional
        Where to look for metrics; all that is installed, unless given.

    Returns
    -------
    list of Change
        One for each record; none is the same under other references.

    Raises
    ------
    InputError
        If an input has no recorded path, and none is given.
    UnknownNameError
        If a path is given for a system that the report does not have.
    """
    inputs = report["inputs"]
    reference_paths = references or [_path(source) for source in inputs["references"]]
    for name in systems or {}:
        if name not in inputs["systems"]:
            message = f"the report has no system {name!r}.{near(name, inputs['systems'])}"
            raise UnknownNameError(message)
    system_paths = {
        name: (systems or {}).get(name) or [_path(run) for run in runs]
        for name, runs in inputs["systems"].items()
    }
    if documents is None and inputs.get("docs"):
        documents = _path(inputs["docs"])
    ids = None if documents is None else tuple(map(str, read(documents)))
    test_set = TestSet(tuple(map(read, reference_paths)), ids, documents)
    texts = {name: [read(path) for path in paths] for name, paths in system_paths.items()}

    records = report["records"]
    signatures = {r["metric"]: Signature.parse(r["signature"]) for r in reversed(records)}
    humans = any(record["system"] not in texts for record in records)
    plain = {metric: _without_draws(signature) for metric, signature in signatures.items()}
    asked = list(dict.fromkeys(plain.values()))
    evaluation = evaluate(texts, test_set, asked, humans=humans, registry=registry)
    evaluation = _draw_again(evaluation, records, registry)
    now = evaluation.to_dict(records[0]["level"])
    # Two specs of a report may say the same, so that they have one signature.
    specs = dict(zip(asked, evaluation.scorers, strict=True))
    now["records"] = [
        {**record, "metric": metric}
        for metric, signature in plain.items()
        for record in now["records"]
        if record["metric"] == specs[signature]
    ]
    same_references = {
        Signature.parse(record["signature"]).get("refs")
        for record in (records[0], now["records"][0])
    }
    return [
        replace(change, same=change.same and len(same_references) == 1)
        for change in diff(report, now)
        if change.before is not None
    ]


def _path(source: Mapping[str, Any]) -> str:
    path = source.get("path")
    if not isinstance(path, str) or path == "standard input":
        message = "an input of the report was no file: give the paths anew"
        raise InputError(message)
    return path


def _without_draws(signature: Signature) -> str:
    fields = {key: items for key, items in signature.fields.items() if key not in DRAWN}
    return str(Signature(signature.name, fields))


def _draw_again(
    evaluation: Evaluation, records: Sequence[Record], registry: Registry | None
) -> Evaluation:
    """Draw the intervals and p-values of a report again, as its records say."""
    fields = Signature.parse(records[0]["signature"])
    seed, by = int(fields.get("seed") or 0), cast("Any", fields.get("by") or "segment")
    interval = next((record["ci"] for record in records if record.get("ci")), None)
    if interval:
        evaluation = evaluation.confidence(
            interval["n"],
            interval["level"],
            seed,
            by,
            fields.get("resampler") or "bootstrap",
            registry,
        )
    tested = next((r["difference"] for r in records if r.get("p_value") is not None), None)
    if tested:
        evaluation = evaluation.compare(
            tested["test"],
            tested["trials"],
            seed,
            by,
            tested["correction"],
            all_pairs=tested["all_pairs"],
            level=tested["level"],
        )
    return evaluation
