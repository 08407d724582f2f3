"""Replay: compute a saved report again and compare every value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mteval_core import (
    Address,
    Files,
    InputError,
    Option,
    Signature,
    Spec,
    UnknownNameError,
    default_registry,
    evaluate,
    metric,
    scorers_of,
)
from mteval_decide.diff import change, pair_entries, tolerance_of, unmatched
from mteval_decide.saved import blamed_on_the_report, recorded, recorded_files

if TYPE_CHECKING:
    from mteval_core import Evaluation, Registry, Scorer
    from mteval_decide.diff import Change, ReportEntry
    from mteval_decide.saved import SavedReport

__all__ = ["changed_inputs", "confirmed_parts", "replay"]


def replay(
    report: SavedReport,
    *,
    references: Sequence[Address] = (),
    systems: Mapping[str, Sequence[Address]] | None = None,
    source: Address | None = None,
    documents: Address | None = None,
    scores: Mapping[str, Address] | None = None,
    settings: Sequence[Spec] = (),
    registry: Registry | None = None,
) -> list[Change]:
    """Compute a whole report again from its signatures and recorded inputs.

    Parameters
    ----------
    report : mapping
        The report.
    references : sequence of Address
        Addresses of the references. Default: the recorded ones.
    systems : mapping of str to sequence of Address, optional
        Addresses of the runs of each system. Default: the recorded ones.
    source, documents : Address, optional
        Addresses of the source and of the document ids. Default: the recorded ones.
    scores : mapping of str to Address, optional
        Addresses of the scores of other programs, by metric. Default: the recorded ones.
    settings : sequence of Spec, optional
        Names of metrics with options that are not signed. The others have their defaults.
    registry : Registry, optional
        Where to look metrics and formats up. Default: everything that is installed.

    Returns
    -------
    list of Change
        One per record, and one per comparison. A record counts as the same if everything that it
        says is computed again, if its metric and its signature are those of the computation, and
        if the inputs have the recorded hashes. A record that is missing from the report, which
        has a record of every input under every metric, counts as different.

    Raises
    ------
    InputError
        If an input has no recorded path, and you give none; or if the report asks for something
        that cannot be computed.
    UnknownNameError
        If you give a path for a system that the report does not have.
    """
    registry = default_registry() if registry is None else registry
    files = Files(registry)
    test_set, texts = report.texts(
        files,
        references=references,
        systems=systems or {},
        source=source,
        documents=documents,
    )
    outside = outside_scorers(report["inputs"], files, scores or {})
    scorers = report.scorers(registry, outside, settings)
    with blamed_on_the_report(), Option.moved_files(recorded_files(report["inputs"])):
        scored = {one["system"] for one in report["records"] if "from_file_only" not in one}
        humans = bool(scored - texts.keys())
        evaluation = evaluate(texts, test_set, scorers.values(), humans=humans, registry=registry)
        evaluation = draw_again(evaluation, report, registry)
        now = evaluation.to_dict(report["records"][0]["level"])
        misnamed = {spec for spec, scorer in scorers.items() if is_misnamed(spec, scorer, registry)}
    changed = changed_inputs(report["inputs"], now["inputs"])
    changes = []
    for old, new in pair_entries(report, now):
        if old is None or new is None:
            alone = unmatched(old, new)
            missing = ("is missing from the report",)
            changes.append(alone if old else replace(alone, reasons=missing))
            continue
        wrong_metric = ["the metric is not that of the signature"] * (old.metric in misnamed)
        texts_of = ("", old.system, *([old.id] if old.level == "comparison" else []))
        problems = [*wrong_metric, *(p for key in texts_of for p in changed.get(key, ()))]
        compared = change(old, new, reasons=problems, tolerance=tolerance_of(old, registry))
        same = compared.same and not problems and signatures_agree(old, new)
        changes.append(replace(compared, same=same))
    return changes


def confirmed_parts(report: SavedReport) -> list[str]:
    """Name what a replay compares."""
    records = report["records"]
    tested = bool(report["comparisons"]) or any(r["p_value"] is not None for r in records)
    drawn = ["intervals"] * any(r["ci"] is not None for r in records) + ["tests"] * tested
    return ["scores", "values", *drawn, "signatures", "inputs"]


# Metrics


def outside_scorers(
    inputs: Mapping[str, Any], files: Files, addresses: Mapping[str, Address]
) -> dict[str, Scorer]:
    """Read the scores of other programs again, by the spec of their metric.

    Raises
    ------
    UnknownNameError
        If there is an address for a metric that the report does not have.
    """
    known = [source["name"] for source in inputs["scores"]]
    for name in addresses:
        if name not in known:
            nearest = UnknownNameError.near(name, known)
            raise UnknownNameError(f"the report has no scores of a metric {name!r}.{nearest}")
    scores = [
        files.scores(
            addresses.get(source["name"]) or recorded(source), source["name"], source["better"]
        )
        for source in inputs["scores"]
    ]
    scorers = (scorers_of([each], registry=files.registry)[0] for each in scores)
    return {str(scorer.spec): scorer for scorer in scorers}


def is_misnamed(spec: str, scorer: Scorer, registry: Registry | None) -> bool:
    """Test whether a spec names another metric or other options than the signature."""
    if scorer.setup.outside:
        return False
    # The options that are not signed have their defaults here: another device may not have theirs.
    asked = Spec.parse(spec)
    unsigned = {option.key for option in scorer.declaration.options if not option.signed}
    signed = {key: items for key, items in asked.options.items() if key not in unsigned}
    named = metric(replace(asked, options=signed), registry=registry)
    return named.setup.entry.qualified != scorer.setup.entry.qualified or any(
        named.setup.fields.get(key) != scorer.setup.fields.get(key) for key in named.spec.options
    )


def signatures_agree(old: ReportEntry, new: ReportEntry) -> bool:
    """Test whether a recorded signature says what the replay has done."""
    recorded, now = Signature.parse(old.signature), Signature.parse(new.signature)
    ignored = {*Signature.SOFTWARE}  # other software may compute the same
    if recorded.get("plugin") != now.get("plugin"):
        # Another version of a plugin may have further options.
        ignored |= now.fields.keys() - {*recorded.fields, *Signature.TEXTS, *Signature.DRAW}
    return recorded.name == now.name and all(
        recorded.get(key) == now.get(key)
        for key in recorded.fields.keys() | now.fields.keys()
        if key not in ignored
    )


# Inputs


def changed_inputs(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[Any, list[str]]:
    """Say which inputs have other hashes, by system; the empty name stands for all systems."""
    changed = {}
    for system, runs in before["systems"].items():
        others = now["systems"].get(system, [])
        reasons = ["the output of the system differs"] * differ(runs, others)
        for run, other in zip(runs, others, strict=False):
            reasons += [f"the column {name!r} of it differs" for name in other_columns(run, other)]
        if reasons:
            changed[system] = reasons
    everywhere = [f"the column {name!r} differs" for name in other_columns(before, now)]
    if differ(before["references"], now["references"]):
        everywhere.append("the references differ")
    if hashes(before["scores"], "sha256") != hashes(now["scores"], "sha256"):
        everywhere.append("the scores of other programs differ")
    for key, what in (("docs", "the documents differ"), ("source", "the source differs")):
        if differ([before[key] or {}], [now[key] or {}]):
            everywhere.append(what)
    return {**changed, "": everywhere}


def other_columns(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Name the columns of a system or a test set that have other hashes."""
    one, other = (inputs.get("columns", {}) for inputs in (before, now))
    names = sorted(one.keys() | other.keys())
    return [name for name in names if differ([one.get(name, {})], [other.get(name, {})])]


def hashes(sources: Sequence[Mapping[str, Any]], key: str = "hash") -> list[str | None]:
    """List the hashes of inputs."""
    return [source.get(key) for source in sources]


def differ(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> bool:
    """Whether texts have other digests, or another SHA-256 if both have one."""
    pairs = zip(hashes(before, "sha256"), hashes(now, "sha256"), strict=False)
    return hashes(before) != hashes(now) or any(a and b and a != b for a, b in pairs)


# Intervals and tests


def draw_again(
    evaluation: Evaluation, report: SavedReport, registry: Registry | None
) -> Evaluation:
    """Draw the intervals and p-values of a report again, as its records say."""
    records, comparisons = report["records"], report["comparisons"]
    interval = next((record["ci"] for record in records if record["ci"]), None)
    tested: Any = next(filter(None, [*(r.get("difference") for r in records), *comparisons]), None)
    if not interval and not tested:
        return evaluation
    signature = Signature.parse(records[0]["signature"])
    settings: dict[str, Any] = {
        "seed": signed_seed(signature),
        "by": signature.get("by") or "segment",
        "resampler": signature.get("draw") or "bootstrap",
        "interval": signature.get("interval") or "percentile",
        "registry": registry,
    }
    if interval:
        evaluation = evaluation.confidence(interval["n"], interval["level"], **settings)
    if tested:
        evaluation = evaluation.compare(
            tested["test"],
            tested["trials"],
            correct=tested["correction"],
            all_pairs=tested.get("all_pairs", len({pair["baseline"] for pair in comparisons}) > 1),
            margin=next((pair["margin"] for pair in comparisons if "margin" in pair), None),
            level=tested["level"],
            **settings,
        )
    return evaluation


def signed_seed(signature: Signature) -> int:
    """Read the seed of a signature.

    Raises
    ------
    InputError
        If there is none.
    """
    seed = signature.get("seed")
    if seed is None or not re.fullmatch("[0-9]{1,18}", seed):
        raise InputError(
            f"the signature {signature}: expected a whole number as the seed, got {seed!r}"
        )
    return int(seed)
