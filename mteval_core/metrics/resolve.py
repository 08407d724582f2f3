"""From a spec to a `Scorer`: options, views, pipelines, signature fields, the metric itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mteval_core.errors import OptionError, PluginError, UsageError, attributed, near
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.scorer import Scorer
from mteval_core.plugin.declarations import MetricSpec, Option, View, load
from mteval_core.plugin.loading import default_registry
from mteval_core.plugin.registry import HOST
from mteval_core.signature import NOT_OPTIONS, Signature
from mteval_core.spec import Spec, split
from mteval_core.text.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mteval_core.plugin.registry import Entry, Registry

__all__ = ["LEAVE_ONE_OUT", "metric"]

LEAVE_ONE_OUT = Option("loo", default=False, help="jackknife over the references")
"""The option of every metric that makes it a `Jackknife`."""

STANDARD = {"case": "mixed", "tok": "13a", "stem": "none"}
"""Defaults of the options that every signature states if the metric has them."""


def metric(
    spec: str | Spec,
    *,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    **options: Any,
) -> Scorer:
    """Make a metric ready to score.

    Parameters
    ----------
    spec : str or Spec
        A metric with options, ``"bleu:smooth=floor[0.1],tok=intl"``, or a signature.
    registry : Registry, optional
        Where to look; all that is installed, unless given.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem`` for metrics that have the option and whose spec does
        not give it.
    **options
        Further options by keyword, ``smooth="none"``; ``_`` stands for ``-``.

    Returns
    -------
    Scorer

    Raises
    ------
    UnknownNameError
        If no metric, tokenizer or normalizer has the name.
    OptionError
        If the metric has no such option, or the value is not one of it.
    PluginError
        If several plugins claim the name, or if the one that has it is broken.
    """
    registry = default_registry() if registry is None else registry
    if isinstance(spec, str):
        spec = (
            from_signature(Signature.parse(spec), registry)
            if len(split(spec, "|")) > 1
            else Spec.parse(spec)
        )
    name = f"{spec.distribution}/{spec.name}" if spec.distribution else spec.name
    entry = registry.find("metrics", name)
    try:
        with attributed(f"metric {entry}"):
            return _resolve(spec, entry, registry, defaults or {}, options)
    except OptionError as error:
        message = f"metric {spec.name!r}: {error}"
        raise OptionError(message) from None


def from_signature(signature: Signature, registry: Registry) -> Spec:
    """Read a signature, ours or another program's, as a spec.

    Ours may have the name that another program gives the metric.

    Raises
    ------
    UsageError
        If it is another program's and no metric reads it.
    """
    ours = "plugin" in signature.fields
    named = registry.named("metrics", signature.name)
    if not (ours and named):
        for entry in registry.of_kind("metrics"):
            if entry.declaration.parse_foreign is not None:
                with attributed(f"metric {entry}"):
                    read = entry.declaration.parse_foreign(signature.name, signature.fields)
                if read is not None:
                    return Spec.parse(read)
    if not ours:
        message = (
            f"the signature {str(signature)!r} has no field 'plugin', so it is another program's, "
            f"and no installed metric reads it"
        )
        raise UsageError(message)
    options = {k: v for k, v in signature.fields.items() if k not in NOT_OPTIONS}
    spec = Spec(signature.name, options)
    found = [entry.plugin.distribution for entry in named]
    makers = {item.partition("@")[0] for item in signature.fields["plugin"]} & set(found)
    return replace(spec, distribution=makers.pop()) if len(makers) == 1 < len(found) else spec


def _resolve(
    spec: Spec,
    entry: Entry,
    registry: Registry,
    defaults: Mapping[str, str],
    keywords: Mapping[str, Any],
) -> Scorer:
    """Read the options, then make views, pipelines and the metric of them."""
    declaration: MetricSpec = entry.declaration
    declared = {option.key: option for option in declaration.options}
    text_keys, token_keys = (
        [key for key in registry.normalizer_keys(stage) if key in STANDARD or key not in declared]
        for stage in ("text", "token")
    )
    pipeline_keys = (*text_keys, "tok", *token_keys)
    own = {key: option for key, option in declared.items() if key not in pipeline_keys}

    given = dict(spec.options)
    known = {**own, "loo": LEAVE_ONE_OUT}
    names = {key.replace("-", "_"): key for key in (*known, *pipeline_keys)}
    for keyword, value in keywords.items():
        key = names.get(keyword, keyword)
        given[key] = known[key].format(value) if key in known else (str(value),)
    spec = replace(spec, options=dict(given))
    jackknifed = LEAVE_ONE_OUT.parse(given.pop("loo", (defaults.get("loo", "no"),)))

    preset: Mapping[str, Any] = {}
    if "variant" in own:
        variant = own["variant"]
        value = variant.parse(given["variant"]) if "variant" in given else variant.default
        preset = declaration.variants.get(value, {})
    options = {
        key: option.parse(given[key]) if key in given else preset.get(key, option.default)
        for key, option in own.items()
    }
    views = declaration.views(options) if callable(declaration.views) else declaration.views

    chosen: dict[str, str] = {}
    for key in pipeline_keys:
        if any(getattr(view, key, None) is None for view in views.values()):
            standard = declared[key].default if key in declared else STANDARD.get(key, "none")
            value = defaults.get(key, preset.get(key, standard))
            chosen[key] = Option(key, "").parse(given[key]) if key in given else value
    unknown = sorted(given.keys() - options.keys() - chosen.keys())
    if unknown:
        message = f"no option {unknown[0]!r}.{near(unknown[0], [*options, *chosen])}"
        raise OptionError(message)

    plugins = {entry.plugin}

    def pipeline(view: View) -> Pipeline:
        names = {key: getattr(view, key, None) or chosen[key] for key in pipeline_keys}
        tokenizer = registry.find("tokenizers", names.pop("tok"))
        used = [entry for item in names.items() if (entry := registry.normalizer(*item))]
        plugins.update(entry.plugin for entry in (tokenizer, *used))
        normalizers = [entry.declaration for entry in used]
        return Pipeline(
            (*(n for n in normalizers if n.stage == "text"), *view.normalizers),
            tokenizer.declaration,
            tuple(n for n in normalizers if n.stage == "token"),
            view.sent,
        )

    pipelines = {name: pipeline(view) for name, view in views.items()}
    middle = [key for key in declared if key in own or key == "tok"]
    order = [*text_keys, *([] if "tok" in middle else ["tok"]), *middle, *token_keys]
    fields = {
        key: own[key].format(options[key]) if key in own else (chosen[key],)
        for key in order
        if key in own or (key in chosen and (key in STANDARD or chosen[key] != "none"))
    }
    implementation = load(declaration.factory)(**{own[k].keyword: v for k, v in options.items()})
    if jackknifed:
        fields |= {"loo": ("yes",)}
        implementation = Jackknife(implementation)
    scorer = Scorer(
        spec,
        entry,
        tuple(plugin for plugin in plugins if plugin.distribution != HOST),
        fields,
        options,
        pipelines,
        implementation,
        registry,
    )
    if scorer.main not in scorer.scales:
        message = (
            f"metric {entry}: its main value is {scorer.main!r}, its values are "
            f"{', '.join(scorer.scales)}"
        )
        raise PluginError(message)
    return scorer
