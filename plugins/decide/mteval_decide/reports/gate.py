"""Reports of ``mteval gate``: verdicts, and the segments that lost most where one is "fail"."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from mteval_core import Report
from mteval_core.report import Cell, Column, Table
from mteval_decide.losses import largest_losses
from mteval_decide.reports.losses import CHANGE_WITHOUT, table_of_losses
from mteval_decide.reports.numbers import DASH, count, number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mteval_core import Text
    from mteval_core.report import CellMark
    from mteval_decide.gate import Decision, Verdict
    from mteval_decide.losses import Loss

__all__ = ["Losses", "lost_segments", "of_gate", "reason"]

Losses: TypeAlias = "list[tuple[Verdict, list[Loss]]]"
"""The segments that lost most, for every verdict that is "fail"."""


def lost_segments(decision: Decision, most: int = 5) -> Losses:
    """List the segments that lost most, for every verdict that is "fail"."""
    failed = [verdict for verdict in decision.verdicts if verdict.verdict == "fail"]
    return [
        (one, largest_losses(decision.evaluation, (one.system, one.baseline), one.metric, most))
        for one in failed
    ]


def of_gate(
    decision: Decision, lost: Losses, inputs: Mapping[str, Any], decimals: int = 2
) -> Report:
    """Report what was decided.

    Parameters
    ----------
    decision : Decision
        The decision.
    lost : list of (Verdict, list of Loss)
        What `lost_segments` lists.
    inputs : mapping
        The inputs of the base.
    decimals : int
        Digits of scores after the decimal point.
    """
    evaluation, rules = decision.evaluation, decision.rules
    new = {name: evaluation.to_dict()["inputs"]["systems"][name] for name in decision.baselines}
    test_set = evaluation.scores.test_set
    sizes = [count(len(test_set), "segment"), count(len(test_set.references), "reference")]
    if rules.by == "doc":
        sizes.insert(1, count(len(evaluation.scores.groups("doc")[0]), "document"))
    margin = "" if rules.margin is None else f"; margin {rules.margin:g}"
    tables = [_verdicts(decision, decimals)]
    for one, found in lost:
        what = f"{one.system}, {_name(decision, one)}"
        tables += [table_of_losses(found, decimals, what=what)] if found else []
    segments = {id(verdict): [one._asdict() for one in found] for verdict, found in lost}
    records = [
        {
            **verdict._asdict(),
            "difference": verdict.difference,
            "segments": segments.get(id(verdict), []),
        }
        for verdict in decision.verdicts
    ]
    return Report.of(
        experiment="gate",
        title=f"Gate: {'passed' if decision.passed else 'failed'}",
        summary=f"{', '.join(sizes)}; p < {rules.alpha:g}, one-sided{margin}",
        parts=tables,
        records=records,
        inputs={"base": inputs, "systems": new},
        legend=_legend(decision, has_segments=len(tables) > 1),
        notes=[*_notes(decision, decimals), *_left_out(inputs["scores"])],
        settings={**rules._asdict(), "passed": decision.passed},
        signatures=(
            str(evaluation.score(system, spec).signature)
            for system in decision.baselines
            for spec in evaluation.scorers
        ),
    )


def reason(decision: Decision, verdict: Verdict, decimals: int = 2) -> str:
    """Say in a sentence why a verdict is what it is."""
    name = _name(decision, verdict)
    loss = f"{number(verdict.loss, decimals)} points worse"
    if verdict.verdict == "":
        return f"{name}: only reported, no condition"
    if verdict.is_large and verdict.p_loss < decision.rules.alpha:
        limit = f", more than {verdict.allowed:g}" if verdict.allowed else ""
        return f"{name}: {loss}{limit} ({_p_is(verdict.p_loss)})"
    if verdict.p_not_worse >= decision.rules.alpha:
        claim = f"{name}: not shown to be worse by less than {decision.rules.margin:g}"
        return f"{claim} ({_p_is(verdict.p_not_worse)})"
    if verdict.is_large:
        return f"{name}: {loss}, perhaps by chance ({_p_is(verdict.p_loss)})"
    if verdict.loss > 0:
        return f"{name}: {loss}, as allowed"
    return f"{name}: {number(-verdict.loss, decimals)} points better"


def _name(decision: Decision, verdict: Verdict) -> str:
    return " ".join(Column.heads_of(decision.evaluation.scorers[verdict.metric]))


def _p(p: float) -> str:
    return DASH if math.isnan(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def _p_is(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {_p(p)}"


def _verdicts(decision: Decision, decimals: int) -> Table:
    def column(head: str, write: Callable[[Verdict], str]) -> Column:
        return Column.of(head, (write(one) for one in decision.verdicts))

    def scores(head: str, read: Callable[[Verdict], float]) -> Column:
        return column(head, lambda one: number(read(one), decimals))

    intervals = (
        Cell((f"[{number(one.low, decimals)},", f"{number(one.high, decimals)}]"))
        for one in decision.verdicts
    )
    columns = [
        scores("base", lambda one: one.before),
        scores("now", lambda one: one.after),
        column("change", lambda one: f"{one.difference + 0.0:+.{decimals}f}"),
        Column((f"{100 * (1 - 2 * decision.rules.alpha):g}% interval",), tuple(intervals)),
    ]
    if any(math.isfinite(one.allowed) for one in decision.verdicts):
        columns.append(column("worse: p", lambda one: _p(one.p_loss)))
    if decision.rules.margin is not None:
        columns.append(column("not worse: p", lambda one: _p(one.p_not_worse)))
    marks: Mapping[str, CellMark] = {"pass": "passed", "fail": "failed"}
    verdicts = (Cell((one.verdict or DASH,), marks.get(one.verdict)) for one in decision.verdicts)
    columns.append(Column(("verdict",), tuple(verdicts)))
    names = tuple((one.system, _name(decision, one)) for one in decision.verdicts)
    return Table("", ("system", "metric"), names, tuple(columns))


def _legend(decision: Decision, *, has_segments: bool) -> list[str]:
    rules = decision.rules
    lines = []
    if any(math.isfinite(one.allowed) for one in decision.verdicts):
        lines.append("worse: p-value of a loss, corrected for the number of comparisons (Holm)")
    if rules.margin is not None:
        lines.append(f"not worse: p-value of a loss of less than {rules.margin:g}, or a gain")
    if any(one.verdict == "" for one in decision.verdicts):
        lines.append(f"{DASH} no condition: only reported")
    if has_segments:
        lines.append(CHANGE_WITHOUT)
    return lines


def _notes(decision: Decision, decimals: int) -> list[str]:
    evaluation, notes = decision.evaluation, []
    for verdict in decision.verdicts:
        large = verdict.is_large and verdict.verdict
        if verdict.verdict == "fail" or large:
            notes.append(f"{verdict.system}, {reason(decision, verdict, decimals)}.")
    for system, baseline in decision.baselines.items():
        own, others = (
            [evaluation.scores.corpus.texts[run] for run in evaluation.scores.runs[name]]
            for name in (system, baseline)
        )
        if list(map(_content, own)) == list(map(_content, others)):
            notes.append(f"{system}: the output is that of the base.")
    return notes + [
        f"{' '.join(Column.heads_of(scorer))}: the scores are those of the segments for which both "
        f"outputs have one."
        for spec, scorer in evaluation.scorers.items()
        if evaluation.scores.misses_segments(spec)
    ]


def _content(text: Text) -> tuple[bytes, dict[str, bytes]]:
    """Return what makes an output equal to another: its segments and its columns."""
    return text.buffer, {name: column.buffer for name, column in text.columns.items()}


def _left_out(scores: Sequence[Mapping[str, str]]) -> list[str]:
    names = ", ".join(source["name"] for source in scores)
    return [f"Not compared: {names}. Another program scored the base."] if names else []
