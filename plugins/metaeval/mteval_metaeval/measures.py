"""The metrics of a study, and their rows for all systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Scorer, Spec, UnknownNameError, metric, names_by_spec, scorers_of
from mteval_metaeval.correlation import DECIMALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from mteval_core import OutsideScores, Registry

__all__ = ["Measure", "Request", "level_of", "requests"]


@dataclass(frozen=True, eq=False)
class Measure:
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
    of_units : bool
        Whether units have scores of their own. The rows of scores that exist by system only are all
        the same.
    """

    name: str
    set: str
    scorer: Scorer
    signature: str
    rows: tuple[Any, ...]
    of_units: bool = True

    def scores(self, totals: Any) -> NDArray[np.float64]:
        """Compute scores, shape (..., k) to (...); error rates are negated: higher is better."""
        sign = 1.0 if self.scorer.declaration.better == "higher" else -1.0
        return np.round(sign * self.scorer.scores(totals), DECIMALS)


def level_of(scorer: Scorer) -> str:
    """Return the level of scores that another program computed; empty for a metric."""
    outside = scorer.setup.outside
    return outside.level if outside else ""


@dataclass(frozen=True, eq=False)
class Request:
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
    specs = list(specs)
    # A metric that is configured has its options: what others would take is no error.
    configured = all(isinstance(spec, Scorer) for spec in specs)
    given = scorers_of(specs, registry=registry, defaults=None if configured else defaults)
    named = names_by_spec(given, names or {})
    if sets is None:
        return [Request(named[str(scorer.spec)], "", scorer) for scorer in given]
    by_specs: dict[tuple[str, str], Request] = {}
    for name in sets:
        for scorer in given:
            in_set = with_treatment(scorer, name, registry, defaults)
            key = str(scorer.spec), str(in_set.spec)
            by_specs.setdefault(key, Request(named[str(scorer.spec)], name, in_set))
    return list(by_specs.values())


TREATMENTS: Mapping[str, Mapping[str, str]] = {
    "case": {"case": "mixed", "stem": "none"},
    "nocase": {"case": "lc", "stem": "none"},
    "stem": {"case": "lc", "stem": "porter"},
}
"""Text as it is, case-folded, and case-folded and stemmed (Lin and Och 2004, section 5)."""


def with_treatment(
    scorer: Scorer, name: str, registry: Registry, defaults: Mapping[str, str] | None
) -> Scorer:
    """Configure a metric for a text treatment, up to the options that its spec sets.

    Raises
    ------
    UnknownNameError
        If there is no such treatment.
    """
    if name not in TREATMENTS:
        raise UnknownNameError(f"unknown set {name!r}.{UnknownNameError.near(name, TREATMENTS)}")
    own = scorer.spec.options
    options = {
        key: (value,)
        for key, value in TREATMENTS[name].items()
        if key in scorer.setup.fields and key not in own
    }
    if not options:
        return scorer
    spec = replace(scorer.spec, options={**own, **options})
    return metric(spec, registry=registry, defaults=defaults)
