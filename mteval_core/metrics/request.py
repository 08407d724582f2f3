"""Build a `Scorer` from a spec: options, pipelines, signature fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from mteval_core.errors import OptionError, PluginError, near
from mteval_core.frozen import Frozen
from mteval_core.metrics.contract import PreparableMetric, RowsMetric
from mteval_core.metrics.coverage import COVERAGE, Covered, Cut, PreparableCovered, PreparableCut
from mteval_core.metrics.formula import PreparableMean, SegmentMean
from mteval_core.metrics.jackknife import Jackknife, RowsJackknife
from mteval_core.metrics.scorer import Scorer, Setup
from mteval_core.names import check_name
from mteval_core.plugin.declarations import MetricSpec, NormalizerSpec, TokenizerSpec, load, neutral
from mteval_core.plugin.options import MISSING, Option
from mteval_core.plugin.registry import HOST, canonical
from mteval_core.plugin.validity import SCALES, VIEWS
from mteval_core.spec import Spec
from mteval_core.text.lookup import find_step, kind_of_step, split_value
from mteval_core.text.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mteval_core.plugin.declarations import View
    from mteval_core.plugin.registry import Entry, Plugin, Registry

JACKKNIFE = Option("loo", default=False, help="jackknife over the references")
"""The option that turns any metric into a `Jackknife`."""

VALUE = Option("value", "", help="which of the metric's values is the score")
"""The option that makes any value the score; ``NAME.VALUE`` stands for ``NAME:value=VALUE``."""

STANDARD = {"case": "mixed", "tok": "13a", "stem": "none"}
"""Defaults of the pipeline options that every signature states if the metric has them."""


class MetricRequest(Frozen, eq=False):
    """What was asked of a metric, and what follows from it, one step at a time.

    Parameters
    ----------
    spec : Spec
        The metric's name and the options that were given.
    entry : Entry
        The metric's declaration and its plugin.
    registry : Registry
        Where tokenizers and normalizers are looked up.
    defaults : mapping of str to str
        Values of ``case``, ``tok``, ``stem``, ``loo`` and ``missing`` for options that the spec
        does not set.
    part : callable
        Configures a metric that is the value of an option, from its spec.
    """

    spec: Spec
    entry: Entry[MetricSpec]
    registry: Registry
    defaults: Mapping[str, str]
    part: Callable[[str], Scorer]

    def scorer(self) -> Scorer:
        """Put the parts together.

        Raises
        ------
        PluginError
            If the main value is not one of the values that the metric declares.
        """
        self.refuse_unknown_options()
        setup = Setup(
            libraries=self.libraries(),  # first, as it refuses what is missing
            entry=self.entry,
            plugins=self.plugins,
            fields=self.fields,
            options=self.options,
            pipelines={name: self.pipeline(view) for name, view in self.views.items()},
            implementation=self.implementation(),
            registry=self.registry,
            files=self.files,
            settings=self.settings,
            parts=self.parts,
        )
        main = self.value or self.entry.declaration.main or next(iter(self.scales))
        if main not in self.scales:
            raise PluginError(
                f"metric {self.entry}: its main value is {main!r}, but its values are "
                f"{', '.join(self.scales)}"
            )
        options = {k: items for k, items in self.spec.options.items() if k not in self.settings}
        return Scorer(replace(self.spec, options=options), main, self.scales, setup)

    def libraries(self) -> tuple[str, ...]:
        """Return the libraries that the metric needs, with their versions.

        Raises
        ------
        PluginError
            If one is not installed.
        """
        own = signed_libraries(self.entry.declaration.libraries, self.home)
        of_parts = [name for part in self.parts for name in part.setup.libraries]
        return tuple(sorted({*own, *of_parts}))

    # Options

    @cached_property
    def declared(self) -> dict[str, Option]:
        """The metric's declared options by key."""
        return {option.key: option for option in self.entry.declaration.options}

    @cached_property
    def text_keys(self) -> list[str]:
        """Keys that choose text normalizers, such as ``case``."""
        return self._normalizer_keys("text")

    @cached_property
    def token_keys(self) -> list[str]:
        """Keys that choose token normalizers, such as ``stem``."""
        return self._normalizer_keys("token")

    def _normalizer_keys(self, stage: Literal["text", "token"]) -> list[str]:
        # An option that the metric declares hides a normalizer key of the same name.
        keys = self.registry.normalizer_keys(stage)
        return [key for key in keys if key in STANDARD or key not in self.declared]

    @cached_property
    def pipeline_keys(self) -> tuple[str, ...]:
        """Keys that choose the steps of a pipeline, in the order of the steps."""
        return (*self.text_keys, "tok", *self.token_keys)

    @cached_property
    def own(self) -> dict[str, Option]:
        """The options that the metric's class receives."""
        return {k: option for k, option in self.declared.items() if k not in self.pipeline_keys}

    @cached_property
    def added(self) -> dict[str, Option]:
        """The options that the host adds to those that the metric declares."""
        may_miss = self.entry.declaration.may_miss
        return {one.key: one for one in (VALUE, *(MISSING,) * may_miss, JACKKNIFE)}

    def with_keywords(self, keywords: Mapping[str, Any]) -> MetricRequest:
        """Add options that were given as Python keywords to the spec."""
        known = {**self.added, **self.own}
        keys = {key.replace("-", "_"): key for key in (*known, *self.pipeline_keys)}
        options = dict(self.spec.options)
        for keyword, value in keywords.items():
            key = keys.get(keyword, keyword)
            if key in options:
                raise OptionError(f"the option {key} is given twice: in the spec and as a keyword")
            is_word = key not in known or known[key].file
            options[key] = (str(value),) if is_word else known[key].format(value)
        return replace(self, spec=replace(self.spec, options=options))

    def refuse_unknown_options(self) -> None:
        """Raise an error for an option that does not exist here, or cannot be shown."""
        known = [*self.own, *self.names]
        for key in sorted(self.spec.options.keys() - {*known, *self.added}):
            value = "+".join(self.spec.options[key])
            if self.registry.missing("normalizers", f"{key}={value}"):
                self.registry.find(NormalizerSpec, value, key)  # it says what to install
            raise OptionError(f"no option {key!r}.{near(key, known)}")
        for key, items in self.spec.options.items():
            for item in items:
                check_name(item, f"option {key}", OptionError)

    @cached_property
    def preset(self) -> Mapping[str, Any]:
        """Defaults of the variant that was asked for, where the metric has variants."""
        if "variant" not in self.own:
            return {}
        variant = self.own["variant"]
        given = self.spec.options.get("variant")
        value = variant.value_of(variant.default) if given is None else variant.parse(given)
        return self.entry.declaration.variants.get(value, {})

    @cached_property
    def options(self) -> dict[str, Any]:
        """Values of the metric's own options: from the spec, the variant or the declaration."""
        given = self.spec.options
        values = {
            key: option.parse(given[key])
            if key in given
            else option.value_of(self.preset.get(key, option.default))
            for key, option in self.own.items()
        }
        nested = [key for key, option in self.own.items() if option.spec]
        return {**values, **{key: tuple(map(self.part, values[key])) for key in nested}}

    def _of_options(self, declared: Any) -> Any:
        """Return what the metric declares for its options."""
        return declared(self.options) if callable(declared) else declared

    @property
    def parts(self) -> list[Scorer]:
        """The metrics that are values of options."""
        return [one for key, option in self.own.items() if option.spec for one in self.options[key]]

    @cached_property
    def settings(self) -> dict[str, str]:
        """The given options that cannot change a score: neither specs nor signatures have them."""
        unsigned = {key for key, option in self.own.items() if not option.signed}
        given = self.spec.options.items()
        return {key: "+".join(items) for key, items in given if key in unsigned}

    @property
    def files(self) -> dict[str, str]:
        """Paths of the files that users name in options, by the names that signatures have."""
        given = [(self.own[key], value) for key, value in self.options.items()]
        for key, items in self.names.items():
            for bare, value in map(split_value, items):
                if value:
                    kind, own_key = kind_of_step(key)
                    entry: Entry[Any] = self.registry.find(kind, bare, own_key, home=self.home)
                    option = entry.declaration.option
                    given.append((option, option.parse((value,))))
        signed = [(option.format(path), path) for option, path in given if option.file and path]
        of_parts = {name: path for part in self.parts for name, path in part.setup.files.items()}
        return {**of_parts, **{name.rpartition("@")[0]: path for (name,), path in signed}}

    @cached_property
    def is_jackknifed(self) -> bool:
        """Whether the score is the mean over the leave-one-out sets of references."""
        default = self.defaults.get(JACKKNIFE.key, "no")
        return bool(JACKKNIFE.parse(self.spec.options.get(JACKKNIFE.key, (default,))))

    @cached_property
    def value(self) -> str:
        """Name of the value that was chosen as the score; empty if none was.

        Raises
        ------
        OptionError
            If the metric has no value of this name.
        """
        if VALUE.key not in self.spec.options or VALUE.key in self.declared:
            return ""
        value = str(VALUE.parse(self.spec.options[VALUE.key]))
        if value not in self.scales:
            raise OptionError(f"no value {value!r}.{near(value, self.scales)}")
        return value

    @cached_property
    def scales(self) -> dict[str, float]:
        """Factors of the metric's values, which may depend on its options."""
        values = SCALES.check(self._of_options(self.entry.declaration.values), "its values")
        scales = {name: float(scale) for name, scale in values.items()}
        if not self.entry.declaration.may_miss:
            return scales
        if COVERAGE in scales:
            raise PluginError(
                f"it declares the value {COVERAGE!r}, which the host adds to may_miss=True"
            )
        return {**scales, COVERAGE: 100.0}

    @cached_property
    def missing(self) -> str:
        """What becomes of segments without a score."""
        default = self.defaults.get(MISSING.key, MISSING.default)
        return str(MISSING.parse(self.spec.options.get(MISSING.key, (default,))))

    # Pipelines

    @cached_property
    def views(self) -> Mapping[str, View]:
        """The metric's views, which may depend on its options."""
        declared = self._of_options(self.entry.declaration.views)
        views: Mapping[str, View] = VIEWS.check(declared, "its views")
        texts = [view for view in views.values() if not view.column]
        if self.entry.declaration.pooled and not all(view.raw for view in texts):
            raise PluginError("it is pooled, so all its views must be raw: View(raw=True)")
        return views

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the tokenizer and normalizers, for every key that some view leaves open."""
        return {
            key: self._names(key)
            for key in self.pipeline_keys
            if any(self.leaves_open(view, key) for view in self.views.values())
        }

    def leaves_open(self, view: View, key: str) -> bool:
        """Whether the value of a key decides about a step of the view."""
        of_texts = not view.raw or key in self.text_keys
        return view.chosen(key) is None and of_texts and not view.column

    def _names(self, key: str) -> tuple[str, ...]:
        given = self.spec.options.get(key, ())
        if given[1:] and key != "tok":  # only of normalizers, there may be several
            if neutral(key) in given or len({*given}) < len(given):
                raise OptionError(
                    f"{key}={'+'.join(given)}: expected no {neutral(key)}, and nothing twice"
                )
            return given
        if given:
            return (str(Option(key, "").parse(given)),)
        declared = self.declared.get(key)
        standard = STANDARD.get(key, "none") if declared is None else declared.default
        return (str(self.defaults.get(key, self.preset.get(key, standard))),)

    @property
    def home(self) -> str:
        """The distribution of the metric, whose names take precedence over those of others."""
        return self.entry.plugin.distribution

    def steps(self, view: View) -> list[Entry[Any]]:
        """Look up the normalizers of a view, and the tokenizer if it has one."""
        keys = () if view.column else self.text_keys if view.raw else self.pipeline_keys
        chosen = {key: view.chosen(key) for key in keys}
        names = {key: self.names[key] if name is None else (name,) for key, name in chosen.items()}
        return [e for key in names for found, _ in self.found(key, names[key]) for e in found]

    def found(self, key: str, names: Sequence[str]) -> list[tuple[list[Entry[Any]], str]]:
        """Find the steps that a key chooses, and their names in signatures."""
        return [find_step(key, name, self.registry, home=self.home) for name in names]

    def pipeline(self, view: View) -> Pipeline:
        """Text normalizers, tokenizer and token normalizers of a view."""
        declared = [entry.declaration for entry in self.steps(view)]
        normalizers = [one for one in declared if isinstance(one, NormalizerSpec)]
        pipeline = Pipeline(
            text=(*(n for n in normalizers if n.stage == "text"), *view.normalizers),
            tokenizer=next((one for one in declared if isinstance(one, TokenizerSpec)), None),
            token=tuple(n for n in normalizers if n.stage == "token"),
            sent=view.sent,
            of=view.of,
            joins=self.joins(view),
            column=view.column,
            type=view.type,
        )
        hash(pipeline)  # metrics share equal pipelines; an error here is attributed to the metric
        return pipeline

    def joins(self, view: View) -> tuple[int, ...] | None:
        """Return which segments a view joins: those around each, those of documents, or none."""
        if view.of == "document":
            return view.before, view.after
        return () if self.entry.declaration.unit == "document" else None

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """The plugins that take part, the host apart: their versions are signed."""
        of_steps = (step.plugin for view in self.views.values() for step in self.steps(view))
        of_parts = (plugin for part in self.parts for plugin in part.setup.plugins)
        plugins = dict.fromkeys((self.entry.plugin, *of_steps, *of_parts))
        return tuple(plugin for plugin in plugins if plugin.distribution != HOST)

    # Signature and implementation

    @property
    def fields(self) -> dict[str, tuple[str, ...]]:
        """The signature's fields for all options, in order."""
        middle = [key for key in self.declared if key in self.own or key == "tok"]
        tok = [] if "tok" in middle else ["tok"]
        fields = {}
        for key in (*self.text_keys, *tok, *middle, *self.token_keys):
            if key in self.own and self.own[key].signed:
                option, value = self.own[key], self.options[key]
                signed = [part.signature() for part in value] if option.spec else value
                fields[key] = option.format(signed)
            elif key in self.names and (key in STANDARD or self.names[key] != ("none",)):
                fields[key] = tuple(name for _, name in self.found(key, self.names[key]))
        if self.value:
            fields[VALUE.key] = (self.value,)
        if self.entry.declaration.may_miss:
            fields[MISSING.key] = (self.missing,)
        return {**fields, **({JACKKNIFE.key: ("yes",)} if self.is_jackknifed else {})}

    def implementation(self) -> Any:
        """Create the metric with its options."""
        keywords = {self.own[key].keyword: value for key, value in self.options.items()}
        factory = load(self.entry.declaration.factory)
        may_prepare = hasattr(factory, "prepare") or not isinstance(factory, type)
        for part in self.parts:
            if why := unfit(part.setup, may_prepare=may_prepare):
                raise OptionError(f"it cannot take {part.spec}: {why}")
        implementation = factory(**keywords)
        of_sums, of_rows = hasattr(implementation, "score"), isinstance(implementation, RowsMetric)
        declared = self.entry.declaration
        if of_sums and of_rows:
            raise PluginError(f"metric {self.entry} has 'score' and 'score_rows'; expected one")
        if declared.resample != "with-replacement" and not of_rows:
            raise PluginError(f"with resample={declared.resample!r}: expected score_rows")
        others = {view.of for view in self.views.values()} - {"texts", "source"}
        if declared.unit == "document" and (of_rows or others):
            raise PluginError("with unit='document', expected sums, and views of texts and source")
        has_pairs = hasattr(implementation, "pair_statistics")
        if has_pairs != declared.compares or (has_pairs and of_rows):
            raise PluginError("with compares=True, expected pair_statistics and no score_rows")
        has_prepare = isinstance(implementation, PreparableMetric)
        if of_rows and (declared.may_miss or declared.may_cut):
            raise PluginError("with may_miss=True or may_cut=True, expected sums: no score_rows")
        if declared.may_miss:
            covered = PreparableCovered if has_prepare else Covered
            implementation = covered(implementation, self.worst(is_mean=not of_sums))
        elif not of_sums and not of_rows:
            implementation = (PreparableMean if has_prepare else SegmentMean)(implementation)
        if declared.may_cut:
            implementation = (PreparableCut if has_prepare else Cut)(implementation)
        jackknife = RowsJackknife if of_rows else Jackknife
        return jackknife(implementation) if self.is_jackknifed else implementation

    def worst(self, *, is_mean: bool) -> float | None:
        """Return the fraction that stands for a missing score; None if it is left out.

        Raises
        ------
        OptionError
            If there is no worst score of a segment.
        """
        if self.missing != "worst":
            return None
        declaration, (scale, *others) = self.entry.declaration, self.scales.values()
        bound = declaration.bounds[declaration.better == "lower"]
        if not is_mean or len(others) > 1 or abs(bound) == inf:
            raise OptionError("missing=worst: expected the mean of one value with a worst score")
        return bound / scale


def unfit(part: Setup, *, may_prepare: bool) -> str:
    """Say why a metric cannot be a part of another; empty if it can."""
    reasons = {
        "it compares systems": part.entry.declaration.compares,
        "jackknife the whole metric, with loo=yes after the brackets": JACKKNIFE.key in part.fields,
        "parts get texts, and it needs documents or columns": part.needs_documents or part.columns,
        "its score is no formula of sums": part.keeps_rows,
        "it is prepared on all references, and this metric is not": part.binds and not may_prepare,
    }
    return next((why for why, holds in reasons.items() if holds), "")


# Libraries

IN_EXTRA = r"\s*([\w.-]+).*;.*\bextra\s*==\s*['\"]([\w.-]+)['\"].*"
"""A requirement of a distribution that belongs to an extra."""


def signed_libraries(libraries: Iterable[str], distribution: str) -> tuple[str, ...]:
    """Return the libraries with their installed versions, ``NAME@VERSION``.

    Parameters
    ----------
    libraries : iterable of str
        Names of distributions.
    distribution : str
        The distribution of the plugin that needs them.

    Raises
    ------
    PluginError
        If one of them is not installed.
    """
    versions = {library: installed_version(library) for library in libraries}
    missing = [library for library, version in versions.items() if version is None]
    if missing:
        what = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
        raise PluginError(f"{what}: {install_advice(missing, distribution)}")
    return tuple(f"{library}@{version}" for library, version in versions.items())


def installed_version(library: str) -> str | None:
    """Return the version of a distribution; None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return None


def install_advice(missing: list[str], distribution: str) -> str:
    """Say what to do: install the extra that has what is missing, if there is one."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        requirements = requires(distribution) or []
    except PackageNotFoundError:  # a plugin from a file
        requirements = []
    extras: dict[str, set[str]] = {}
    for found in filter(None, (re.fullmatch(IN_EXTRA, each) for each in requirements)):
        extras.setdefault(found[2], set()).add(canonical(found[1]))
    for extra, known in extras.items():
        if {*map(canonical, missing)} <= known:
            return f"type pip install '{distribution}[{extra}]'"
    return f"install {'it' if len(missing) == 1 else 'them'} in this environment"
