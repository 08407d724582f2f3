"""New outputs scored beside a saved report, with the metrics that its signatures name.

A report holds scores, and paired tests need rows. So the texts that a report names are read again,
and have to be what they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core import (
    Address,
    Files,
    InputError,
    Spec,
    Text,
    UnknownNameError,
    UsageError,
    evaluate,
)
from mteval_decide.diff import EQUAL_UP_TO, equal
from mteval_decide.replay import changed_inputs
from mteval_decide.saved import SavedReport

if TYPE_CHECKING:
    from mteval_core import Evaluation

__all__ = ["Base", "Outputs", "score_with"]

Outputs = Mapping[str, Sequence[Address | Text]]
"""Outputs by name of the system, one per run: the address of a file, or a text."""

OF_BASE = "{} (base)"
"""The name of a system of the base next to its successor."""


class Base(NamedTuple):
    """A saved report, and where its texts are now.

    Parameters
    ----------
    report : SavedReport
        The report.
    references : sequence of Address
        Addresses of the references. Default: the recorded ones.
    systems : mapping of str to sequence of Address
        Addresses of the runs of its systems. Default: the recorded ones.
    source, documents : Address or None
        Addresses of the source and of the document ids. Default: the recorded ones.
    settings : sequence of Spec
        Names of metrics with options that are not signed.
    """

    report: SavedReport
    references: Sequence[Address] = ()
    systems: Mapping[str, Sequence[Address]] = {}
    source: Address | None = None
    documents: Address | None = None
    settings: Sequence[Spec] = ()

    @property
    def outside(self) -> set[str]:
        """Specs of the metrics that another program computed."""
        return {str(Spec(source["name"])) for source in self.report["inputs"]["scores"]}

    def predecessor(self, system: str) -> str:
        """Return the system of the base that a new output is compared with.

        Raises
        ------
        UnknownNameError
            If the base has several systems, none of which has this name.
        """
        known = list(self.report["inputs"]["systems"])
        if system in known or len(known) == 1:
            return system if system in known else known[0]
        raise UnknownNameError(
            f"the base has no system {system!r}; name the output after the one to compare it with, "
            f"NAME=PATH.{UnknownNameError.near(system, known)}"
        )


def score_with(
    base: Base, outputs: Outputs, files: Files, *, threads: int = 1
) -> tuple[Evaluation, dict[str, str]]:
    """Score new outputs and their predecessors under the metrics of the base.

    Parameters
    ----------
    base : Base
        The base.
    outputs : mapping of str to sequence of (Address or Text)
        The new outputs.
    files : Files
        Reads the texts.
    threads : int
        Number of threads that count.

    Returns
    -------
    (Evaluation, dict of str to str)
        The scores, and the name of the predecessor of each system in them.

    Raises
    ------
    InputError
        If a text of the base cannot be read or has changed, if a score of the base is not that of
        its texts, if the numbers of segments differ, or if the base has only scores of other
        programs.
    UnknownNameError
        If the base has no system to compare an output with.
    UsageError
        If there is no output, or two systems would have the same name.
    """
    if not outputs:
        raise UsageError("no output to compare with the base")
    old = {name: base.predecessor(name) for name in outputs}
    baselines = {name: OF_BASE.format(system) for name, system in old.items()}
    if outputs.keys() & {*baselines.values()}:
        raise UsageError(f"{min(outputs.keys() & {*baselines.values()})!r} is a system of the base")
    report = _only(base.report, set(old.values()), base.outside)
    scorers = report.scorers(files.registry, settings=base.settings)
    test_set, before = report.texts(
        files,
        references=base.references,
        systems=base.systems,
        source=base.source,
        documents=base.documents,
    )
    texts: dict[str, list[Text]] = {
        # Without their paths, so that no warning says that an output has not changed.
        OF_BASE.format(name): [replace(run, path=None) for run in runs]
        for name, runs in before.items()
    }
    for name, runs in outputs.items():
        texts[name] = [
            run if isinstance(run, Text) else report.output(old[name], run, files, test_set)
            for run in runs
        ]
    evaluation = evaluate(
        texts, test_set, scorers.values(), registry=files.registry, threads=threads
    )
    _check_unchanged(report["inputs"], evaluation.to_dict()["inputs"])
    _check_scores(report, evaluation)
    return evaluation, baselines


def _only(report: SavedReport, systems: set[str], outside: set[str]) -> SavedReport:
    """Keep some systems of a report, and the metrics that can be computed."""
    records = [record for record in report["records"] if record["metric"] not in outside]
    if not records:
        raise InputError(
            "the base has only scores of other programs, which cannot score a new output: "
            "expected a metric of mteval"
        )
    inputs = report["inputs"]
    kept = {name: runs for name, runs in inputs["systems"].items() if name in systems}
    inputs = {**inputs, "systems": kept, "scores": []}
    return SavedReport({**report, "records": records, "inputs": inputs})


def _check_unchanged(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise an `InputError` if a text of the base is not what it was.

    A source or documents that the base does not have may be added.
    """
    known = {key: now[key] if before[key] else None for key in ("docs", "source")}
    systems = {name: now["systems"][OF_BASE.format(name)] for name in before["systems"]}
    changed = changed_inputs(before, {**now, **known, "systems": systems})
    for name in before["systems"]:
        if name in changed:
            raise InputError(
                f"the output of {name} is not that of the base: keep the old output where no new "
                f"one replaces it, or --base {name}=PATH"
            )
    if changed[""]:
        what = changed[""][0]
        raise InputError(
            f"{what}, compared with the base: give the texts that it was computed with"
        )


def _check_scores(report: Mapping[str, Any], evaluation: Evaluation) -> None:
    """Raise an `InputError` if the base has other scores than its texts have now."""
    now = {
        (record["system"], record["metric"]): record["score"]
        for record in evaluation.to_dict()["records"]
    }
    tolerances = {
        str(scorer.spec): max(EQUAL_UP_TO, scorer.declaration.tolerance)
        for scorer in evaluation.scorers.values()
    }
    for record in report["records"]:
        name, metric = record["system"], record["metric"]
        again = now.get((OF_BASE.format(name), metric))
        if record["level"] != "corpus" or again is None:
            continue
        tolerance = tolerances.get(metric, EQUAL_UP_TO)
        if not equal(record["score"], again, tolerance):
            raise InputError(
                f"the base says that {name} has {record['score']:g} under {metric}, and its texts "
                f"have {again:g}: save the base again, or find out with mteval replay what changed"
            )
