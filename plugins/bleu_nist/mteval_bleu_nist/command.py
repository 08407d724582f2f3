"""``mteval brevity``: how length changes BLEU and NIST.

References
----------
Federico 2008, "Statistical machine translation", part IV: MT evaluation (the penalties of BLEU and
NIST against the ratio of lengths; a case study of three systems).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mteval_bleu_nist.bleu import Bleu
from mteval_bleu_nist.nist import Nist
from mteval_core import Report, UsageError, evaluate
from mteval_core.report import Cell, Chart, Column, Table
from mteval_core.report.charts import Line, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mteval_core import Arguments, Evaluation, Session

__all__ = ["Brevity", "add_arguments", "brevities", "penalties", "run"]

RATIOS = tuple(k / 20 for k in range(4, 25))
"""Lengths of hypotheses over those of references that the chart shows: 0.2 to 1.2."""

LENGTH = 10_000
"""Reference length of the curves, in words."""

MOST = 12
"""The chart names no more systems than this; more have one look, and one name."""


class Brevity(NamedTuple):
    """Length and score of a system under a metric with a brevity penalty.

    Parameters
    ----------
    metric, system : str
        The metric and the system.
    hyp_len, ref_len : float
        Length of the hypotheses, and the reference length of the metric, in words.
    penalty : float
        The brevity penalty.
    precision : float
        What the penalty is multiplied with; NaN if the penalty is 0.
    score : float
        The score.
    """

    metric: str
    system: str
    hyp_len: float
    ref_len: float
    penalty: float
    precision: float
    score: float

    @property
    def ratio(self) -> float:
        """Length of the hypotheses over the reference length; NaN without references."""
        return self.hyp_len / self.ref_len if self.ref_len else math.nan


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.basic("references -i -m --plot --lang -f -o -w -q")
    arguments.describe(
        "Show how much the brevity penalties of BLEU and NIST take from each system: lengths, "
        "their ratio, penalty, and the precision without it. --plot draws both penalties against "
        "the ratio of lengths, and where the systems are."
    )
    arguments.share("references")
    arguments.share("systems", help="system outputs, each PATH, a folder, PATH::FIELD or NAME=PATH")
    arguments.share("metrics", default="bleu and nist")
    arguments.share("text")
    arguments.group("data").share("data")
    output = arguments.group("output")
    output.share("output", decimals=4, kinds=("table", "record", "chart"))
    output.add(
        "--plot",
        file="output",
        kinds=("chart",),
        parts=("penalties",),
        metavar="FILE",
        help="plot the penalties against the ratio of lengths: .png, .svg or .pdf",
    )


def run(session: Session) -> None:
    """Score the systems, and write the report."""
    options, dataset = session.options, session.dataset()
    specs = session.metrics() if options.metrics else ["bleu", "nist"]
    evaluation = evaluate(
        dataset.systems,
        dataset.texts,
        specs,
        registry=session.registry,
        defaults=None if options.metrics else session.defaults,
        threads=options.threads,
    )
    session.texts.refuse_unused_source(list(evaluation.scorers.values()))
    session.write(report_of(evaluation, brevities(evaluation), options.width))


def brevities(evaluation: Evaluation) -> list[Brevity]:
    """Find lengths, penalty and precision of every system under every metric.

    Raises
    ------
    UsageError
        If a metric has no brevity penalty.
    """
    found = []
    for spec in evaluation.scorers:
        for system in evaluation.systems:
            result = evaluation.score(system, spec)
            values = result.values
            if not {"BP", "hyp_len", "ref_len"} <= {*values}:
                raise UsageError(f"{spec} has no brevity penalty: expected bleu or nist")
            penalty = values["BP"]
            precision = result.score / penalty if penalty else math.nan
            found.append(
                Brevity(
                    metric=spec,
                    system=system,
                    hyp_len=values["hyp_len"],
                    ref_len=values["ref_len"],
                    penalty=penalty,
                    precision=precision,
                    score=result.score,
                )
            )
    return found


def penalties(ratios: Sequence[float] = RATIOS) -> dict[str, list[float]]:
    """Compute the brevity penalties of BLEU and NIST at ratios of lengths.

    Parameters
    ----------
    ratios : sequence of float
        Lengths of hypotheses over reference lengths.

    Returns
    -------
    dict of str to list of float

    Examples
    --------
    >>> found = penalties([2 / 3, 1.1])
    >>> [round(p, 4) for p in found["BLEU"]], [round(p, 4) for p in found["NIST"]]
    ([0.6065, 1.0], [0.5, 1.0])
    """
    found = {}
    for name, metric in (("BLEU", Bleu(order=1)), ("NIST", Nist(order=1))):
        totals = np.array([[ratio * LENGTH, LENGTH, 1, 1] for ratio in ratios])
        found[name] = metric.score(totals)[:, -3].tolist()
    return found


def report_of(evaluation: Evaluation, found: Sequence[Brevity], decimals: int) -> Report:
    """Report lengths and penalties, a table for each metric, and the curves."""
    test_set = evaluation.scores.test_set
    return Report.of(
        experiment="brevity",
        title="Brevity penalties",
        summary=f"Segments: {len(test_set)}; references: {len(test_set.references)}.",
        parts=[
            *(
                _table(spec, [one for one in found if one.metric == spec], decimals)
                for spec in evaluation.scorers
            ),
            Chart("penalties", lambda: [[_curves(found)]]),
        ],
        records=[{**one._asdict(), "ratio": one.ratio} for one in found],
        inputs=evaluation.to_dict()["inputs"],
        legend=[
            "ratio: length of the hypotheses over that of the references; score = BP x precision"
        ],
        signatures=[
            str(evaluation.score(evaluation.systems[0], spec).signature)
            for spec in evaluation.scorers
        ],
    )


def _table(caption: str, found: Sequence[Brevity], decimals: int) -> Table:
    def column(head: str, write: Callable[[Brevity], float], digits: int = decimals) -> Column:
        numbers = [write(one) for one in found]
        shown = (f"{x:.{digits}f}" if math.isfinite(x) else "–" for x in numbers)
        return Column((head,), tuple(Cell((text,)) for text in shown))

    columns = (
        column("hyp_len", lambda one: one.hyp_len, 0),
        column("ref_len", lambda one: one.ref_len, 0),
        column("ratio", lambda one: one.ratio),
        column("BP", lambda one: one.penalty),
        column("precision", lambda one: one.precision),
        column("score", lambda one: one.score),
    )
    return Table(caption, ("system",), tuple((one.system,) for one in found), columns)


def _curves(found: Sequence[Brevity]) -> Lines:
    """Draw both penalties, and the place of each system on the curve of each metric."""
    lines = [Line(name, RATIOS, curve) for name, curve in penalties().items()]
    named = len({one.system for one in found}) <= MOST
    lines += [
        Line(one.system if named else "systems", [one.ratio], [one.penalty])
        for one in found
        if math.isfinite(one.ratio)
    ]
    return Lines("", "length of hypotheses / length of references", "brevity penalty", lines)
