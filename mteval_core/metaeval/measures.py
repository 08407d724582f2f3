"""Metrics on all systems of a study: which are requested, and their rows of statistics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.errors import UsageError, near
from mteval_core.evaluation.evaluate import resolved, text_sets
from mteval_core.frozen import Frozen
from mteval_core.metaeval.correlation import DECIMALS
from mteval_core.metrics.outside import distinct
from mteval_core.metrics.request import VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from mteval_core.data.outside import OutsideScores
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.plugin.registry import Registry
    from mteval_core.spec import Spec

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
    given = distinct(resolved(spec, registry, defaults) for spec in specs).values()
    named = names_of(given, names or {})
    if sets is None:
        return [Request(named[str(scorer.spec)], "", scorer) for scorer in given]
    by_specs: dict[tuple[str, str], Request] = {}
    for name in sets:
        for scorer in given:
            (in_set,) = text_sets([scorer], [name], registry=registry, defaults=defaults)
            key = str(scorer.spec), str(in_set.spec)
            by_specs.setdefault(key, Request(named[str(scorer.spec)], name, in_set))
    return list(by_specs.values())


def names_of(scorers: Iterable[Scorer], names: Mapping[str, str]) -> dict[str, str]:
    """Name metrics by their specs, with other names for some of them.

    Raises
    ------
    UsageError
        If a spec is not that of a metric, or two metrics would have the same name.
    """
    named = {str(scorer.spec): name_of(scorer) for scorer in scorers}
    for spec in names:
        if spec not in named:
            message = f"no metric {spec!r} to rename.{near(spec, named)}"
            raise UsageError(message)
    named.update(names)
    repeated = [name for name, n in Counter(named.values()).items() if n > 1]
    if repeated:
        message = f"two metrics are named {repeated[0]!r}; expected different names"
        raise UsageError(message)
    return named


def name_of(scorer: Scorer) -> str:
    """Name a metric by its label and the options that were given: a spec that ``-m`` takes."""
    label = f"{scorer.label}.{scorer.chosen}" if scorer.chosen else scorer.label
    given = {key: items for key, items in scorer.spec.options.items() if key != VALUE.key}
    options = [f"{key}={'+'.join(items)}" for key, items in given.items()]
    return ":".join([label, ",".join(options)]) if options else label
