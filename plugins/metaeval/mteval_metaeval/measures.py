"""The metrics of a study, and their rows for all systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mteval_core.evaluation.metrics import configure, text_sets
from mteval_core.frozen import Frozen
from mteval_core.metrics.outside import distinct
from mteval_core.metrics.titles import names_by_spec
from mteval_metaeval.correlation import DECIMALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from mteval_core import OutsideScores, Registry, Scorer, Spec
    from mteval_core.metrics.sums import Rows, Sums

__all__ = ["Measure", "Request", "requests"]


class Measure(Frozen, eq=False):
    """A metric on all systems.

    Parameters
    ----------
    name : str
        Label and options, for tables.
    set : str
        The set of text treatments that it belongs to; empty without sets.
    scorer : Scorer
        The metric, bound to the references.
    signature : str
        Signature of its scores.
    rows : tuple of ndarray of float64, shape (n_units, k), or of KeptRows
        Statistics by system.
    """

    name: str
    set: str
    scorer: Scorer
    signature: str
    rows: tuple[Rows, ...]

    def scores(self, totals: Sums) -> NDArray[np.float64]:
        """Compute scores, shape (..., k) to (...); error rates are negated: higher is better."""
        sign = 1.0 if self.scorer.declaration.better == "higher" else -1.0
        return np.round(sign * self.scorer.scores(totals), DECIMALS)


class Request(Frozen, eq=False):
    """A metric that a study shall measure.

    Parameters
    ----------
    name, set : str
        As in `Measure`.
    scorer : Scorer
        The metric.
    """

    name: str
    set: str
    scorer: Scorer


def requests(
    specs: Iterable[str | Spec | Scorer | OutsideScores],
    sets: Iterable[str] | None,
    registry: Registry,
    defaults: Mapping[str, str] | None,
    *,
    names: Mapping[str, str] | None = None,
) -> list[Request]:
    """Resolve the metrics of a study, set by set.

    A metric that a set does not change is left out of that set.

    Parameters
    ----------
    specs, sets, registry, defaults, names
        As for `study_metrics`.

    Returns
    -------
    list of Request

    Raises
    ------
    UsageError
        If two different metrics have the same name.
    """
    given = distinct(configure(spec, registry, defaults) for spec in specs).values()
    named = names_by_spec(given, names or {})
    if sets is None:
        return [Request(named[str(scorer.spec)], "", scorer) for scorer in given]
    by_specs: dict[tuple[str, str], Request] = {}
    for name in sets:
        for scorer in given:
            (in_set,) = text_sets([scorer], [name], registry=registry, defaults=defaults)
            key = str(scorer.spec), str(in_set.spec)
            by_specs.setdefault(key, Request(named[str(scorer.spec)], name, in_set))
    return list(by_specs.values())
