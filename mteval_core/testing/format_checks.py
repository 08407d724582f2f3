"""The checks of output formats, on reports of every command and level."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core._version import __version__
from mteval_core.errors import PluginError, UsageError
from mteval_core.evaluation.evaluate import evaluate
from mteval_core.explain.explanation import Explanation, Term
from mteval_core.explain.matching import clipped_links, ngram_places
from mteval_core.metrics.request import Request
from mteval_core.plugin.declarations import FormatSpec, MetricSpec, load
from mteval_core.plugin.loading import load_registry
from mteval_core.plugin.registry import HOST, Entry, Plugin
from mteval_core.report.explanations import Choice, of_segments
from mteval_core.report.findings import experiment_report
from mteval_core.report.grid import Column, Table, cells
from mteval_core.report.report import Layout, Report
from mteval_core.report.scores import of_evaluation
from mteval_core.spec import Spec
from mteval_core.testing.corpora import CORPUS
from mteval_core.testing.findings import Finding, expect
from mteval_core.testing.kit import Kit
from mteval_core.testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mteval_core.plugin.registry import Registry
    from mteval_core.text.tokens import TokenizedCorpus

__all__ = ["FORMAT_KIT", "check_format"]

PLAIN, ODD = "system1", ("<b>&amp;", "a|b\\_$x", "Größe Ω")
"""Names of systems: one that no format has to escape, and others."""

LAYOUTS = (Layout("corpus", 2, 100), Layout("doc", 0, 20), Layout("segment", 6, 300))


class Length:
    """Length of the hypothesis over length of the first reference."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> Any:
        """Count both."""
        return len(hypothesis), len(references[0])

    def score(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide them."""
        return totals[..., :1] / np.maximum(totals[..., 1:], 1)

    def explain(self, words: TokenizedCorpus) -> Explanation:
        """Link the words of the first reference."""
        hypothesis, references = words.segment()
        links = clipped_links(hypothesis, references[:1], ngram_places(1))
        terms = Term("h", len(hypothesis)), Term("r", len(references[0]))
        return Explanation(hypothesis, references, tuple(links), terms, columns=("h", "r"))


LENGTH = MetricSpec("length", factory=Length, values={"ratio": 100}, label="Length")


@cache
def reports() -> dict[str, tuple[Report, Layout]]:
    """Return reports of all commands, by what they report, each with a layout."""
    registry = load_registry([])
    scorer = Request(Spec("length"), Entry(LENGTH, Plugin("kit", HOST, __version__)), registry, {})
    hypotheses = {
        name: [" ".join(text.split()[k:]) for text in CORPUS.hypotheses]
        for k, name in enumerate((PLAIN, *ODD))
    }
    documents = [f"doc {i // 2}" for i in range(len(CORPUS))]
    scores = evaluate(hypotheses, CORPUS.test_set, [scorer.scorer()], documents=documents)
    interval = scores.confidence(20, registry=registry)
    compared = interval.compare(registry=registry)
    pairs = interval.compare(all_pairs=True, registry=registry)
    corpus = LAYOUTS[0]
    return {
        **{f"scores per {one.level}": (of_evaluation(scores, one), one) for one in LAYOUTS},
        "scores and comparisons with the baseline": (of_evaluation(compared, corpus), corpus),
        "scores and comparisons of all pairs": (of_evaluation(pairs, corpus), corpus),
        "correlations": (correlations(), corpus),
        "explanations": (of_segments(scores, Choice((PLAIN, ODD[0]), (0, 3)), corpus), corpus),
    }


def correlations() -> Report:
    """Return a report of ``mteval correlate``, with a number that is not defined."""
    names, values = (PLAIN, *ODD), (0.5, -0.25, float("nan"), 1.0)
    column = Column(("Pearson",), cells(f"{value:.3f}" for value in values))
    records = [{"metric": n, "value": v} for n, v in zip(names, values, strict=True)]
    return experiment_report(
        experiment="systems",
        title="Correlation",
        summary="8 systems",
        tables=[Table("", ("metric",), tuple((name,) for name in names), (column,))],
        records=records,
        inputs={},
    )


def reports_for(format_: FormatSpec) -> dict[str, tuple[Report, Layout]]:
    """Return the reports of the commands that a format declares."""
    return {
        what: (report, layout)
        for what, (report, layout) in reports().items()
        if command_of(report) in format_.commands
    }


def command_of(report: Report) -> str:
    """Name the command that makes such reports."""
    if report.explanations:
        return "explain"
    return "score" if report.evaluation else "correlate"


def written(format_: FormatSpec) -> Iterator[tuple[str, str | bytes]]:
    """Write all reports of the commands that a format declares; yield those that it writes.

    A format may refuse a report with a `UsageError`.
    """
    for what, (report, layout) in reports_for(format_).items():
        tried(what)
        with suppress(UsageError):
            yield what, load(format_.function)(report, layout)


def writes_every_report(format_: FormatSpec) -> None:
    """Every report becomes text or bytes; otherwise the results of a long run are lost."""
    for what, output in written(format_):
        kind = type(output).__name__
        expect(isinstance(output, (str, bytes)), f"{what}: expected str or bytes, got {kind}")
        expect(bool(output), f"{what}: the output is empty")
        if isinstance(output, str):
            output.encode()


def writes_the_same_again(format_: FormatSpec) -> None:
    """The same report is written the same; otherwise results look as if they had changed."""
    for (what, first), (_, second) in zip(written(format_), written(format_), strict=True):
        if isinstance(first, str) and isinstance(second, str):
            lines = zip([*first.splitlines(), ""], [*second.splitlines(), ""], strict=False)
            one, other = next(((a, b) for a, b in lines if a != b), ("", ""))
            expect(first == second, f"{what}: {one!r}, then {other!r}")


def names_every_system(format_: FormatSpec) -> None:
    """A system has its name in a text; otherwise readers cannot tell whose score they see."""
    for what, output in written(format_):
        shown = PLAIN in output if isinstance(output, str) else True
        expect(shown, f"{what}: {PLAIN} is not in the output")


def usable_format(entry: Entry[FormatSpec], _: Registry) -> FormatSpec:
    """Return a format, unless it refuses every report, as for want of a library."""
    reason: UsageError | None = None
    for report, layout in reports_for(entry.declaration).values():
        reason = refusal(entry.declaration, report, layout)
        if reason is None:
            return entry.declaration
    message = f"format {entry}: {reason}"
    raise PluginError(message)


def refusal(format_: FormatSpec, report: Report, layout: Layout) -> UsageError | None:
    """Return the error with which a format refuses a report; the checks find other errors."""
    try:
        load(format_.function)(report, layout)
    except UsageError as error:
        return error
    except Exception:  # noqa: BLE001 - a plugin may fail in any way
        return None
    return None


FORMAT_KIT = Kit((names_every_system, writes_every_report, writes_the_same_again), usable_format)
"""The checks of output formats."""


def check_format(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on an output format.

    Parameters
    ----------
    name : str
        The format.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.

    Raises
    ------
    PluginError
        If the format refuses every report, as for want of a library.
    """
    return FORMAT_KIT.named(FormatSpec, name, registry)
