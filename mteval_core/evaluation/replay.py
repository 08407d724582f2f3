"""Replay: compute the scores of a saved report again, and compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from mteval_core.errors import InputError, UnknownNameError, near
from mteval_core.evaluation.diff import diff
from mteval_core.evaluation.evaluate import evaluate
from mteval_core.signature import DRAWN, Signature
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from mteval_core.evaluation.diff import Change
    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.saved import Record, Report
    from mteval_core.plugin.registry import Registry

__all__ = ["replay"]

Systems = Mapping[str, Sequence[Text]]


def replay(
    report: Report,
    read: Callable[[str], Text],
    *,
    references: Sequence[str] = (),
    systems: Mapping[str, Sequence[str]] | None = None,
    documents: str | None = None,
    registry: Registry | None = None,
) -> list[Change]:
    """Compute a whole report again from its signatures and recorded inputs.

    Parameters
    ----------
    report : mapping
        The report.
    read : callable
        Reads a file as a `Text`.
    references : sequence of str
        Paths of the references. Default: the recorded ones.
    systems : mapping of str to sequence of str, optional
        Paths of the runs of each system. Default: the recorded ones.
    documents : str, optional
        Path of the document ids. Default: the recorded one.
    registry : Registry, optional
        Where to look metrics up. Default: everything that is installed.

    Returns
    -------
    list of Change
        One per record. If the references differ, no record counts as the same.

    Raises
    ------
    InputError
        If an input has no recorded path, and you give none.
    UnknownNameError
        If you give a path for a system that the report does not have.
    """
    test_set, texts = read_inputs(
        report["inputs"], read, references=references, systems=systems or {}, documents=documents
    )
    records = report["records"]
    signatures = {r["metric"]: Signature.parse(r["signature"]) for r in reversed(records)}
    asked = {metric: str(without_draws(signature)) for metric, signature in signatures.items()}
    specs = list(dict.fromkeys(asked.values()))
    humans = any(record["system"] not in texts for record in records)
    evaluation = evaluate(texts, test_set, specs, humans=humans, registry=registry)
    evaluation = draw_again(evaluation, records, registry)
    now = evaluation.to_dict(records[0]["level"])
    # Two specs of a report can have the same signature, so a new record may serve both.
    spec_of = dict(zip(specs, evaluation.scorers, strict=True))
    now["records"] = [
        {**record, "metric": metric}
        for metric, signature in asked.items()
        for record in now["records"]
        if record["metric"] == spec_of[signature]
    ]
    same_references = reference_hash(records[0]) == reference_hash(now["records"][0])
    return [
        replace(change, same=change.same and same_references)
        for change in diff(report, now)
        if change.before is not None
    ]


def read_inputs(
    inputs: Mapping[str, Any],
    read: Callable[[str], Text],
    *,
    references: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    documents: str | None,
) -> tuple[TestSet, Systems]:
    """Read the texts of a report, from the paths given or else from those recorded."""
    for name in systems:
        if name not in inputs["systems"]:
            message = f"the report has no system {name!r}.{near(name, inputs['systems'])}"
            raise UnknownNameError(message)
    reference_paths = references or list(map(recorded_path, inputs["references"]))
    system_paths = {
        name: systems.get(name) or list(map(recorded_path, runs))
        for name, runs in inputs["systems"].items()
    }
    if documents is None and inputs.get("docs"):
        documents = recorded_path(inputs["docs"])
    ids = None if documents is None else tuple(map(str, read(documents)))
    test_set = TestSet(tuple(map(read, reference_paths)), ids, documents)
    return test_set, {name: list(map(read, paths)) for name, paths in system_paths.items()}


def recorded_path(source: Mapping[str, Any]) -> str:
    """Return the path of a recorded input.

    Raises
    ------
    InputError
        If the input was not a file.
    """
    path = source.get("path")
    if not isinstance(path, str) or path == "standard input":
        message = "an input of the report was not a file: give the paths of all inputs"
        raise InputError(message)
    return path


def without_draws(signature: Signature) -> Signature:
    """Remove the fields that say how intervals and p-values were drawn."""
    fields = {key: items for key, items in signature.fields.items() if key not in DRAWN}
    return Signature(signature.name, fields)


def reference_hash(record: Record) -> str | None:
    """Return the hash of the references that a record was scored against."""
    return Signature.parse(record["signature"]).get("refs")


def draw_again(
    evaluation: Evaluation, records: Sequence[Record], registry: Registry | None
) -> Evaluation:
    """Draw the intervals and p-values of a report again, as its records say."""
    signature = Signature.parse(records[0]["signature"])
    seed, by = int(signature.get("seed") or 0), cast("Any", signature.get("by") or "segment")
    interval = next((record["ci"] for record in records if record.get("ci")), None)
    if interval:
        evaluation = evaluation.confidence(
            interval["n"],
            interval["level"],
            seed=seed,
            by=by,
            resampler=signature.get("resampler") or "bootstrap",
            registry=registry,
        )
    tested = next((r["difference"] for r in records if r.get("p_value") is not None), None)
    if tested:
        evaluation = evaluation.compare(
            tested["test"],
            tested["trials"],
            seed=seed,
            by=by,
            correct=tested["correction"],
            all_pairs=tested["all_pairs"],
            level=tested["level"],
        )
    return evaluation
