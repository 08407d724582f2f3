"""The metrics of an evaluation: specs, scorers and scores from outside, configured together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, cast

from mteval_core._version import __version__
from mteval_core.errors import OptionError, PluginError, UnknownNameError, UsageError, near
from mteval_core.metrics.formula import Mean
from mteval_core.metrics.request import JACKKNIFE
from mteval_core.metrics.resolve import OF_WHOLE, metric
from mteval_core.metrics.scorer import Scorer, Setup
from mteval_core.plugin.declarations import MetricSpec
from mteval_core.plugin.loading import default_registry
from mteval_core.plugin.registry import HOST, Entry, Plugin
from mteval_core.spec import Spec
from mteval_core.text.lookup import language_options
from mteval_core.text.text import is_sequence, kind

if TYPE_CHECKING:
    from mteval_core.data.outside import OutsideScores
    from mteval_core.errors import MtevalError
    from mteval_core.plugin.registry import Registry

Specs: TypeAlias = "Iterable[str | Spec | Scorer | OutsideScores]"

HASH_DIGITS = 12
"""Number of hexadecimal digits of the hash in a signature."""

TEXT_SETS: Mapping[str, Mapping[str, str]] = {
    "case": {"case": "mixed", "stem": "none"},
    "nocase": {"case": "lc", "stem": "none"},
    "stem": {"case": "lc", "stem": "porter"},
}
"""Text as it is, case-folded, and case-folded and stemmed (Lin and Och 2004, section 5)."""


def scorers_of(
    specs: Specs | None,
    *,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    language: str = "",
) -> list[Scorer]:
    """Configure several metrics, each of them once.

    Parameters
    ----------
    specs, registry, defaults
        As for `evaluate`.
    language : str
        The language of the data set. It chooses the tokenizer, unless a default or a spec does.

    Returns
    -------
    list of Scorer

    Raises
    ------
    UsageError
        If no metric is named, or two different ones have the same name.
    OptionError
        If no metric takes one of the defaults.
    PluginError
        If no plugin with metrics is installed and works.

    Examples
    --------
    >>> [scorer.label for scorer in scorers_of(["bleu", "chrf", "ter"])]
    ['BLEU', 'chrF', 'TER']
    """
    registry = default_registry() if registry is None else registry
    if specs is None:
        specs = registry.default_metrics()
    if isinstance(specs, (str, Spec, Scorer)) or (not is_sequence(specs) and is_outside(specs)):
        specs = [specs]
    if not is_sequence(specs):
        raise UsageError(f"expected a list of metrics, got {kind(specs)}")
    chosen = {**language_options(language, registry), **(defaults or {})}
    scorers = distinct(configure(spec, registry, chosen) for spec in specs)
    if not scorers:
        raise no_metric(registry)
    refuse_unused_defaults(defaults or {}, scorers)
    return list(scorers.values())


def no_metric(registry: Registry) -> MtevalError:
    """Return the error of scoring without a metric, which says how to get one."""
    message = "no metric to score with"
    if registry.of_kind(MetricSpec):
        return UsageError(f"{message}: name one")
    if registry.unusable:
        return PluginError(f"{message}.{registry.unusable}")
    from mteval_core.plugin.catalogue import known_plugins

    known = [name for name, table in known_plugins().items() if "metrics" in table]
    return PluginError(
        f"{message}: install one of {', '.join(known)}, such as: pip install {known[0]}"
    )


def configure(
    spec: str | Spec | Scorer | OutsideScores,
    registry: Registry,
    defaults: Mapping[str, str] | None,
) -> Scorer:
    """Configure a metric, unless it is configured already."""
    if isinstance(spec, Scorer):
        return spec
    if not isinstance(spec, (str, Spec)) and is_outside(spec):
        return scorer_of(spec, registry)
    return metric(cast("str | Spec", spec), registry=registry, defaults=defaults)


def scorer_of(scores: OutsideScores, registry: Registry) -> Scorer:
    """Make a metric of scores that another program computed."""
    declaration = MetricSpec(
        scores.name, factory=Mean, values={"score": 1}, better=scores.better, bounds=(-inf, inf)
    )
    setup = Setup(
        entry=Entry(declaration, Plugin("host", HOST, __version__)),
        plugins=(),
        fields={"file": (scores.sha256[:HASH_DIGITS],), "better": (scores.better,)},
        options={},
        pipelines={},
        implementation=Mean(),
        registry=registry,
        outside=scores,
    )
    return Scorer(Spec(scores.name), "score", {"score": 1.0}, setup)


def is_outside(spec: object) -> TypeGuard[OutsideScores]:
    """Tell whether something is scores that another program computed."""
    from mteval_core.data.outside import OutsideScores

    return isinstance(spec, OutsideScores)


def distinct(scorers: Iterable[Scorer]) -> dict[str, Scorer]:
    """Return metrics by their specs, each of them once.

    Raises
    ------
    UsageError
        If scores from outside have the name of a metric, or two different metrics the same spec.
    """
    found: dict[str, Scorer] = {}
    given = list(scorers)
    own = [scorer for scorer in given if not scorer.setup.outside]
    metrics = {name: scorer.spec for scorer in own for name in (scorer.label, str(scorer.spec))}
    for scorer in given:
        outside = scorer.setup.outside
        if outside and scorer.label in metrics:
            raise UsageError(
                f"{outside.where}: {scorer.label} is the name of the metric "
                f"{metrics[scorer.label]} too: give the scores another name"
            )
        spec = str(scorer.spec)
        if found.setdefault(spec, scorer).setup.fields != scorer.setup.fields:
            raise UsageError(f"two different metrics have the spec {spec!r}")
    return found


def refuse_unused_defaults(defaults: Mapping[str, str], scorers: Mapping[str, Scorer]) -> None:
    """Raise an `OptionError` for an option for all metrics that none of them takes."""
    for key, value in defaults.items():
        if key != JACKKNIFE.key and not any(takes(one, key) for one in scorers.values()):
            sets = [spec for spec, one in scorers.items() if key in one.spec.options]
            why = {s: "its spec sets it" if s in sets else f"no option {key!r}" for s in scorers}
            listed = ", ".join(f"{spec} ({reason})" for spec, reason in why.items())
            raise OptionError(f"no metric takes {key}={value}: {listed}")


def takes(scorer: Scorer, key: str) -> bool:
    """Tell whether a metric, or a part of it, takes a default."""
    is_own = key in scorer.setup.fields and key not in scorer.spec.options
    return is_own or (key not in OF_WHOLE and any(takes(one, key) for one in scorer.setup.parts))


def text_sets(
    specs: Specs,
    sets: Iterable[str],
    *,
    registry: Registry,
    defaults: Mapping[str, str] | None = None,
) -> list[Scorer]:
    """Configure every metric for several ways of preparing the text.

    Options that a spec sets itself stay the same in every set.

    Parameters
    ----------
    specs : iterable of str, Spec, Scorer or OutsideScores
        The metrics.
    sets : iterable of str
        Names of `TEXT_SETS`.
    registry : Registry
        Where to look the metrics up.
    defaults : mapping of str to str, optional
        As for `evaluate`.

    Returns
    -------
    list of Scorer
        Metric by metric, one scorer per set. A metric that a set does not change comes once.

    Raises
    ------
    UnknownNameError
        If there is no such set.

    References
    ----------
    Lin and Och 2004, section 5.
    """
    scorers: dict[str, Scorer] = {}
    for given in specs:
        plain = configure(given, registry, defaults)
        for name in sets:
            if name not in TEXT_SETS:
                raise UnknownNameError(f"unknown set {name!r}.{near(name, TEXT_SETS)}")
            own, fields = plain.spec.options, plain.setup.fields
            options = {key: (value,) for key, value in TEXT_SETS[name].items() if key in fields}
            spec = replace(plain.spec, options={**own, **options, **own})
            of_set = partial(metric, spec, registry=registry, defaults=defaults)
            scorers[str(spec)] = plain if plain.setup.outside else of_set()
    return list(scorers.values())
