"""Specs and signatures, mteval's own or another program's, and the `Scorer` that they name."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mteval_core.errors import OptionError, PluginError, UsageError, attributed
from mteval_core.metrics.request import VALUE, MetricRequest
from mteval_core.metrics.scorer import Scorer
from mteval_core.plugin.declarations import MetricSpec
from mteval_core.plugin.loading import default_registry
from mteval_core.plugin.options import Option
from mteval_core.plugin.registry import HOST
from mteval_core.signature import NOT_OPTIONS, Signature
from mteval_core.spec import Spec
from mteval_core.text.lookup import kind_of_step, split_value

if TYPE_CHECKING:
    from collections.abc import Collection

    from mteval_core.plugin.registry import Entry, Registry

OF_WHOLE = ("loo", "missing")
"""Options whose defaults do not reach the metrics that are parts of another."""


def metric(
    spec: str | Spec,
    *,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    **options: Any,
) -> Scorer:
    """Configure a metric.

    Parameters
    ----------
    spec : str or Spec
        A metric with options, ``"bleu:smooth=floor[0.1],tok=intl"``, or a signature. A value of a
        metric becomes its score with ``"gtm.R"``, or ``"gtm:value=R"``.
    registry : Registry, optional
        Where to look the names up. Default: everything that is installed.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem``, ``loo`` and ``missing``. Each is used if the metric
        has the option and the spec does not set it.
    **options
        Further options as keywords, ``smooth="none"``. Write ``_`` for ``-``.

    Returns
    -------
    Scorer

    Raises
    ------
    UnknownNameError
        If there is no metric, tokenizer or normalizer of that name.
    OptionError
        If the metric does not have the option, the option does not take the value, or it is given
        both in the spec and as a keyword.
    PluginError
        If several plugins claim the name, or the plugin that has it is broken.

    Examples
    --------
    >>> str(metric("bleu", smooth="none").spec)
    'bleu:smooth=none'
    """
    registry = default_registry() if registry is None else registry
    if isinstance(spec, str):
        spec = parse(spec, registry)
    if not isinstance(spec, Spec):
        kind = type(spec).__name__
        raise UsageError(f"expected the spec of one metric, NAME or NAME:KEY=VALUE,..., got {kind}")
    spec = expand_value(spec, registry)
    name = f"{spec.distribution}/{spec.name}" if spec.distribution else spec.name
    entry = registry.find(MetricSpec, name)
    spec = meant_by(spec, entry.declaration)
    given = defaults or {}
    of_parts = {key: value for key, value in given.items() if key not in OF_WHOLE}
    part = partial(metric, registry=registry, defaults=of_parts)
    request = MetricRequest(spec, entry, registry, defaults=given, part=part)
    try:
        with attributed(f"metric {entry}"):
            return request.with_keywords(options).scorer()
    except OptionError as error:
        raise OptionError(f"metric {spec.name!r}: {error}") from None


def signature_and_state(scorer: Scorer) -> tuple[Any, ...]:
    """Pickle a metric as its signature: declarations may hold functions without a name."""
    setup = scorer.setup
    state = (scorer.spec, setup.implementation, setup.tokenization)
    return configure_again, (str(scorer.signature()), {**setup.files}, *state)


def configure_again(signature: str, files: dict[str, str], spec: Spec, *state: Any) -> Scorer:
    """Configure a pickled metric again.

    Raises
    ------
    PluginError
        If the plugins that are installed here make another metric of the spec.
    """
    with Option.moved_files(files):
        scorer = metric(signature)
    here = str(scorer.signature())
    if here != signature:
        raise PluginError(
            f"the metric {spec} has the signature {here} here, and had {signature} where it was "
            f"pickled; install the same versions on all machines"
        )
    implementation, tokenization = state
    setup = replace(scorer.setup, implementation=implementation, tokenization=tokenization)
    return replace(scorer, spec=spec, setup=setup)


copyreg.pickle(Scorer, signature_and_state)


def parse(text: str, registry: Registry) -> Spec:
    """Read a spec or a signature as a spec."""
    if Signature.is_meant(text):
        signature, _ = Signature.quoted(text)
        return from_signature(signature, registry)
    return Spec.parse(text)


def meant_by(spec: Spec, declaration: MetricSpec) -> Spec:
    """Replace an alias by the spec that it stands for; any other spec stays as it is.

    Raises
    ------
    UsageError
        If the alias may stand for several, or the spec sets an option that the alias sets.
    """
    aliases = {name.casefold(): meant for name, meant in declaration.aliases.items()}
    meant = aliases.get(spec.name.casefold())
    if meant is None:
        return spec
    if not isinstance(meant, str):
        raise UsageError(f"{spec.name} may mean several things: write {' or '.join(meant)}")
    parsed = Spec.parse(meant)
    for key in parsed.options.keys() & spec.options.keys():
        raise OptionError(
            f"{spec.name} stands for {meant}: leave out {key}, or write {parsed.name}"
        )
    return replace(spec, name=parsed.name, options={**parsed.options, **spec.options})


def expand_value(spec: Spec, registry: Registry) -> Spec:
    """Read ``NAME.VALUE`` as ``NAME:value=VALUE``, unless a metric has this name."""
    name, dot, value = spec.name.rpartition(".")
    if not (dot and name and value) or registry.of_name(MetricSpec, spec.name):
        return spec
    if registry.missing("metrics", spec.name):
        return spec  # a name of a metric that is not installed
    if VALUE.key in spec.options:
        raise OptionError(f"{spec}: the value is given twice")
    return replace(spec, name=name, options={VALUE.key: (value,), **spec.options})


def from_signature(signature: Signature, registry: Registry) -> Spec:
    """Read a signature, mteval's own or another program's, as a spec.

    Raises
    ------
    UsageError
        If the signature is another program's and no installed metric can read it.
    PluginError
        If a plugin that is not loaded has the metric.
    """
    is_ours = "plugin" in signature.fields
    signed = {item.partition("@")[0] for item in signature.fields.get("plugin", ())}
    claimants = [
        entry.plugin.distribution
        for entry in registry.of_kind(MetricSpec)
        if signature.name in entry.declaration.names
    ]
    if not (is_ours and claimants):
        # A metric of ours can have the name that another program gives to its metric.
        foreign = from_foreign_signature(signature, registry)
        if foreign is not None:
            return foreign
    if not is_ours:
        where = "" if claimants else registry.missing("metrics", signature.name)
        if where:
            raise PluginError(f"the metric of the signature {str(signature)!r} is {where}")
        raise UsageError(
            f"the signature {str(signature)!r} has no field 'plugin', so another program wrote it, "
            f"and no installed metric can read it"
        )
    options = {k: v for k, v in signature.fields.items() if k not in NOT_OPTIONS}
    theirs = signed & set(claimants)
    if len(theirs) != 1:
        return Spec(signature.name, options)
    (home,) = theirs
    named = {key: signed_name(key, v, signed - {home}, registry) for key, v in options.items()}
    return Spec(signature.name, named, home if len(claimants) > 1 else None)


def signed_name(
    key: str, items: tuple[str, ...], signed: Collection[str], registry: Registry
) -> tuple[str, ...]:
    """Name a tokenizer or normalizer with its distribution, if only the signature tells which."""
    name = "+".join(items)
    kind, own_key = kind_of_step(key)
    entries = registry.of_name(kind, split_value(name)[0], own_key)
    claimants = {entry.plugin.distribution for entry in entries}
    theirs = claimants & {*signed}
    if len(theirs) != 1 or len(claimants) == 1 or HOST in claimants:
        return items
    return (f"{theirs.pop()}/{name}",)


def from_foreign_signature(signature: Signature, registry: Registry) -> Spec | None:
    """Ask the installed metrics to read another program's signature; None if none of them can.

    Raises
    ------
    PluginError
        If metrics of several plugins can read it, or none can and one fails.
    """
    specs: list[tuple[Entry[MetricSpec], Spec]] = []
    failure: PluginError | None = None
    for entry in registry.of_kind(MetricSpec):
        try:
            spec = parsed_by(entry, signature)
        except PluginError as error:
            failure = error
            continue
        specs += [] if spec is None else [(entry, spec)]
    if len({entry.plugin for entry, _ in specs}) > 1:
        who = " and ".join(entry.qualified for entry, _ in specs)
        raise PluginError(f"{who} can read {str(signature)!r}: block the others with -p no:NAME")
    if failure is not None and not specs:
        raise failure
    if not specs:
        return None
    entry, spec = specs[0]
    is_clash = len(registry.of_name(MetricSpec, spec.name)) > 1
    return replace(spec, distribution=entry.plugin.distribution) if is_clash else spec


def parsed_by(entry: Entry[MetricSpec], signature: Signature) -> Spec | None:
    """Ask a metric to read another program's signature; None if it cannot."""
    parse_foreign = entry.declaration.parse_foreign
    if parse_foreign is None:
        return None
    with attributed(f"metric {entry}"):
        spec = parse_foreign(signature.name, signature.fields)
    try:
        return None if spec is None else Spec.parse(spec)
    except (UsageError, TypeError):
        raise PluginError(
            f"metric {entry}: it reads {str(signature)!r} as {spec!r}; expected a spec"
        ) from None
