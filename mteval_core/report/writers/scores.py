"""Reports of scores as lines: each score, with its interval if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.report.layout import DASH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mteval_core.report.layout import Layout
    from mteval_core.report.report import Report


def scores(report: Report, layout: Layout) -> Iterator[str]:
    """Write a line for each record of a system with an output.

    Several scores have labels, separated by tabs: the system, the metric and the id where they
    differ. The segments of one system under one metric need none: they are lines, as in the file.
    """
    names = {(record["system"], record["metric"]) for record in _of_outputs(report)}
    found = zip(("system", "metric"), zip(*names, strict=True), strict=True)
    varying = [key for key, own in found if len({*own}) > 1]
    if layout.level == "doc" or (layout.level == "segment" and varying):
        varying.append("id")
    for record in _of_outputs(report):
        yield "\t".join([*(str(record[key]) for key in varying), _score(record, layout.decimals)])
        yield "\n"


def _of_outputs(report: Report) -> Iterator[Mapping[str, Any]]:
    return (record for record in report.records if "from_file_only" not in record)


def _score(record: Mapping[str, Any], decimals: int) -> str:
    """Write the score of a record, and its interval if there is one."""
    if record["score"] is None:
        return DASH
    score, interval = f"{record['score']:.{decimals}f}", record["ci"]
    if interval is None:
        return score
    return f"{score} [{interval['low']:.{decimals}f}, {interval['high']:.{decimals}f}]"
