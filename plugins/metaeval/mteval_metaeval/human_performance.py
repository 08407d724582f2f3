"""Human performance under metrics: references scored as if they were systems.

References
----------
Lin and Och 2004, "Automatic evaluation of machine translation quality using longest common
subsequence and skip-bigram statistics", section 5: average human performance is the mean of N
scores of one reference against the other N - 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core import Kept, UsageError, evaluate
from mteval_metaeval.measures import level_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core import Registry, TestSet, Text
    from mteval_metaeval.study import Study

__all__ = ["Group", "Performance", "human_performance"]


Group = Literal["systems", "humans"]


@dataclass(frozen=True)
class Performance:
    """Scores of systems or of humans under one metric.

    Parameters
    ----------
    metric, set : str
        The metric, as in `Correlation`.
    of : {"systems", "humans"}
        Whose scores: those of the systems, or of each reference against the others.
    mean, lowest, highest : float
        Their mean, the lowest and the highest one.
    """

    metric: str
    set: str
    of: Group
    mean: float
    lowest: float
    highest: float


def human_performance(
    study: Study,
    systems: Mapping[str, Text],
    test_set: TestSet,
    *,
    registry: Registry | None = None,
    threads: int = 1,
) -> list[Performance]:
    """Score the references against each other, and the systems, under the metrics of a study.

    Parameters
    ----------
    study : Study
        Says which metrics and systems.
    systems : mapping of str to Text
        The outputs.
    test_set : TestSet
        Two references or more.
    registry, threads
        As for `study_metrics`.

    Returns
    -------
    list of Performance
        Of systems and of humans for each metric and set, without metrics whose scores come from
        files.

    Raises
    ------
    UsageError
        If there is only one reference.
    """
    if len(test_set.references) < 2:
        raise UsageError(
            "human performance needs two references or more: each is scored against the rest"
        )
    measures = [one for one in study.measures if not level_of(one.scorer)]
    evaluation = evaluate(
        {name: systems[name] for name in study.systems},
        test_set,
        [measure.scorer for measure in measures],
        registry=registry,
        threads=threads,
        humans=True,
        kept=Kept(),
    )
    names: dict[Group, Iterable[str]]
    names = {"systems": study.systems, "humans": evaluation.scores.humans}
    found = []
    for measure in measures:
        spec = str(measure.scorer.spec)
        for of, members in names.items():
            scores = [evaluation.score(name, spec).score for name in members]
            mean, low, high = float(np.mean(scores)), min(scores), max(scores)
            made = Performance(measure.name, measure.set, of, mean=mean, lowest=low, highest=high)
            found.append(made)
    return found
