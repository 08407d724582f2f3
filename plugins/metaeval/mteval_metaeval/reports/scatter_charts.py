"""Scatter plots of systems, of pairs of systems, of outputs, and of the judgments of two judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import UsageError
from mteval_core.report.charts import Scatter
from mteval_metaeval.agreement import FEW, rater_agreement
from mteval_metaeval.correlation import differentials, pearson
from mteval_metaeval.raters import merge_repeats, number_outputs
from mteval_metaeval.reports.findings import SETS
from mteval_metaeval.reports.numbers import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core import Judgments
    from mteval_metaeval.agreement import Agreement, RaterPair
    from mteval_metaeval.study import Study

__all__ = ["judge_panels", "output_panels", "pair_panels", "system_panels"]

MOST_PAIRS = 3
"""With more pairs of judges, only those who agree least and most are shown."""


def system_panels(study: Study) -> list[Sequence[Scatter]]:
    """Metric against human scores of the systems, a panel for each criterion and metric."""
    metrics, humans = study.totals
    return in_rows(
        [
            _panel(study, (c, k), (metrics[k], humans[c]), names=study.systems)
            for c in range(len(humans))
            for k in range(len(metrics))
        ]
    )


def pair_panels(study: Study) -> list[Sequence[Scatter]]:
    """Differences of all pairs of systems, better minus worse (Lavie et al. 2004, section 4.2)."""
    metrics, humans = study.totals
    return in_rows(
        [
            _panel(study, (c, k), differentials(metrics[k], humans[c]), what="difference of ")
            for c in range(len(humans))
            for k in range(len(metrics))
        ]
    )


def output_panels(study: Study) -> list[Sequence[Scatter]]:
    """Metric against human scores of all outputs, for segments, documents or domains."""
    return in_rows(
        [
            _panel(study, (c, k), (metric.ravel(), human.ravel()))
            for c, human in enumerate(study.human_items)
            for k, metric in enumerate(study.item_scores)
        ]
    )


def _panel(
    study: Study,
    place: tuple[int, int],
    points: tuple[NDArray[np.float64], NDArray[np.float64]],
    *,
    names: tuple[str, ...] = (),
    what: str = "",
) -> Scatter:
    """Make the panel of a criterion and a metric, which are given by their numbers."""
    c, k = place
    measure, criterion = study.measures[k], study.criteria[c].name
    name = f"{measure.name} ({SETS.get(measure.set, measure.set)})" if measure.set else measure.name
    negated = measure.scorer.declaration.better == "lower"
    guide: Literal["none", "signs"] = "signs" if what else "none"
    return Scatter(
        title=f"{name}, r = {number(float(pearson(*points)), 2)}",
        across=f"{what}{name}{', negated' if negated else ''}",
        up=f"{what}{criterion}",
        x=points[0].tolist(),
        y=points[1].tolist(),
        names=names,
        guide=guide,
    )


def judge_panels(judgments: Judgments) -> list[Sequence[Scatter]]:
    """Scores of the same outputs by two judges (Turian et al. 2003, figure 3).

    Pairs that share fewer than ten outputs are left out. If more than three remain, only those with
    the lowest and the highest Spearman coefficient are shown.

    Raises
    ------
    UsageError
        If none remains.
    """
    merged = merge_repeats(judgments)
    panels = [
        _judges(merged, c, pair, agreement.criterion)
        for c, agreement in enumerate(rater_agreement(judgments))
        for pair in _shown(agreement)
    ]
    if not panels:
        raise UsageError("nothing to plot: no two judges share ten outputs or more")
    return in_rows(panels)


def _shown(agreement: Agreement) -> Iterator[RaterPair]:
    """Choose pairs of judges."""
    pairs = sorted(
        (pair for pair in agreement.pairs if pair.n >= FEW and not np.isnan(pair.spearman)),
        key=lambda pair: pair.spearman,
    )
    yield from pairs if len(pairs) <= MOST_PAIRS else (pairs[0], pairs[-1])


def _judges(merged: Judgments, c: int, pair: RaterPair, criterion: str) -> Scatter:
    """Make the panel of two judges."""
    both = []
    for name in (pair.first, pair.second):
        of_rater = (merged.rater == merged.raters.index(name)) & ~np.isnan(merged.scores[:, c])
        outputs = number_outputs(merged)[of_rater]
        both.append(dict(zip(outputs.tolist(), merged.scores[of_rater, c].tolist(), strict=True)))
    first, second = both
    shared = [output for output in first if output in second]
    return Scatter(
        title=f"{criterion}: rho = {number(pair.spearman, 2)}, {len(shared)} outputs",
        across=pair.first,
        up=pair.second,
        x=[first[output] for output in shared],
        y=[second[output] for output in shared],
        guide="diagonal",
    )


def in_rows(panels: Sequence[Scatter], across: int = 3) -> list[Sequence[Scatter]]:
    """Put panels in rows."""
    return [panels[start : start + across] for start in range(0, len(panels), across)]
