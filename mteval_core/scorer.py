"""A metric made ready: its declaration, options, pipelines and class, as one object that scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import mteval_core
from mteval_core.contract import Score, prepare, statistics
from mteval_core.declarations import MetricSpec, Option, View, load
from mteval_core.errors import (
    InputError,
    OptionError,
    PluginError,
    UsageError,
    attributed,
    near,
)
from mteval_core.jackknife import Jackknife
from mteval_core.plugin.registry import HOST, default_registry
from mteval_core.signature import NOT_OPTIONS, Signature
from mteval_core.spec import Spec, split
from mteval_core.text.corpus import Corpus, Text
from mteval_core.text.pipeline import Pipeline, Tokenization, gather_references
from mteval_core.text.tokens import TokenizedCorpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.plugin.registry import Entry, Plugin, Registry

__all__ = ["Scorer", "metric"]

LEAVE_ONE_OUT = Option("loo", default=False, help="jackknife over the references")
"""The option of every metric that makes it a `Jackknife`."""

STANDARD = {"case": "mixed", "tok": "13a", "stem": "none"}
"""Defaults of the options that every signature states if the metric has them."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """A metric with its options, ready to score. Made by `metric`.

    Parameters
    ----------
    spec : Spec
        What was asked for.
    entry : Entry
        What the plugin says of the metric, and which plugin it is.
    plugins : tuple of Plugin
        The plugins that take part: of the metric, its tokenizers and normalizers.
    fields : mapping of str to tuple of str
        The signature's fields for all options, in order.
    options : mapping of str to object
        The metric's own options.
    pipelines : mapping of str to Pipeline
        The pipeline of each view.
    implementation : Metric
        The metric.
    registry : Registry
        Where all of it was found.

    Examples
    --------
    >>> bleu = metric("bleu:smooth=none")
    >>> round(bleu.corpus_score(["a b c d e"], [["a b c d f"]]).score, 4)
    66.874
    """

    spec: Spec
    entry: Entry
    plugins: tuple[Plugin, ...]
    fields: Mapping[str, tuple[str, ...]]
    options: Mapping[str, Any]
    pipelines: Mapping[str, Pipeline]
    implementation: Any
    registry: Registry

    @property
    def declaration(self) -> MetricSpec:
        """What the plugin says of the metric."""
        declaration: MetricSpec = self.entry.declaration
        return declaration

    @property
    def label(self) -> str:
        """Name in tables and signatures."""
        return self.declaration.label or self.declaration.name

    @cached_property
    def scales(self) -> dict[str, float]:
        """Each value's factor from the formula's scale to that in which people read it."""
        values = self.declaration.values
        return dict(values(self.options) if callable(values) else values)

    @property
    def main(self) -> str:
        """Name of the value that is the score."""
        return self.declaration.main or next(iter(self.scales))

    def values(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Apply the formula to sums of rows, and the scales to what it gives.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k)

        Returns
        -------
        ndarray of float64, shape (..., v)

        Raises
        ------
        PluginError
            If the formula fails, gives another shape than declared, or a value that is not finite.
        """
        with attributed(f"the formula of metric {self.entry}"):
            fractions = np.asarray(self.implementation.score(totals), np.float64)
        expected = (*totals.shape[:-1], len(self.scales))
        if fractions.shape != expected or not np.isfinite(fractions).all():
            fault = (
                f"has the shape {fractions.shape}, expected {expected}"
                if fractions.shape != expected
                else "is not finite"
            )
            message = f"metric {self.entry}: what the formula gives {fault}"
            raise PluginError(message)
        values: NDArray[np.float64] = fractions * list(self.scales.values())
        return values

    def bind(self, references: Mapping[Pipeline, Any], vocabulary: Any) -> Scorer:
        """Give the metric the whole set of references, if it wants to have seen it."""
        views = {name: references[pipeline] for name, pipeline in self.pipelines.items()}
        with attributed(f"the preparation of metric {self.entry}"):
            prepared = prepare(self.implementation, views, vocabulary)
        return self if prepared is self.implementation else replace(self, implementation=prepared)

    def rows(
        self, corpora: Mapping[Pipeline, TokenizedCorpus], threads: int = 1
    ) -> NDArray[np.float64]:
        """Rows of statistics, shape (n_segments, k), of a metric that is bound."""
        views = {name: corpora[pipeline] for name, pipeline in self.pipelines.items()}
        with attributed(f"the statistics of metric {self.entry}"):
            return statistics(self.implementation, views, f"metric {self.entry}", threads)

    def plain(self) -> Scorer:
        """Give the same metric, not jackknifed."""
        if not isinstance(self.implementation, Jackknife):
            return self
        fields = {key: items for key, items in self.fields.items() if key != "loo"}
        return replace(self, fields=fields, implementation=self.implementation.metric)

    def get_signature(
        self,
        references: Sequence[Sequence[str | None]] | Corpus | None = None,
        drawn: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Signature:
        """Signature of a score; complete if the references are given.

        Parameters
        ----------
        references : sequence of sequence of str, optional
            One sequence per reference stream.
        drawn : mapping of str to tuple of str, optional
            Fields that say how intervals and p-values were drawn.
        """
        versions = sorted(plugin.signed for plugin in self.plugins)
        if references is None:
            described, hashed = {}, {}
        else:
            corpus = as_corpus(references)
            described = {"nrefs": (str(corpus.n_references or "var"),)}
            hashed = {"refs": (corpus.hash,)}
        return Signature(
            self.label,
            {
                **described,
                **(drawn or {}),
                **self.fields,
                **hashed,
                "plugin": tuple(versions),
                "version": (mteval_core.__version__,),
            },
        )

    def corpus_score(
        self, hypotheses: Sequence[str] | Text, references: Sequence[Sequence[str | None]] | Corpus
    ) -> Score:
        """Score a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str
            One sequence per reference stream; None where a segment lacks that reference.

        Returns
        -------
        Score

        Raises
        ------
        InputError
            If there are not equally many segments everywhere, or none, or a segment lacks every
            reference.
        """
        text = as_text(hypotheses, "the hypotheses")
        corpus = as_corpus(references, n_hypotheses=len(text))
        ((_, bound, rows),) = score_systems([self], {"the hypotheses": text}, corpus)
        values = bound.values(rows.sum(axis=0)).tolist()
        named = dict(zip(self.scales, values, strict=True))
        return Score(self.label, named[self.main], named, len(text), self.get_signature(corpus))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Score:
        """Score one segment against its references.

        A metric that is prepared on the references is prepared on these.
        """
        if isinstance(references, str):
            references = [references]
        return self.corpus_score([hypothesis], [[reference] for reference in references])


def as_text(segments: Sequence[str | None] | Text, what: str) -> Text:
    """Text of segments, which may be one already."""
    return segments if isinstance(segments, Text) else Text.of(segments, what)


def as_corpus(
    references: Sequence[Sequence[str | None]] | Corpus,
    documents: Sequence[str] | None = None,
    *,
    n_hypotheses: int | None = None,
) -> Corpus:
    """Corpus of reference streams, which may be one already.

    Raises
    ------
    InputError
        If the references are no streams of segments, or if they look transposed beside the
        number of hypotheses.
    """
    if documents is not None:
        documents = tuple(documents)
    if isinstance(references, Corpus):
        return references if documents is None else replace(references, documents=documents)
    if isinstance(references, str) or not isinstance(references, Iterable):
        found = "a string" if isinstance(references, str) else type(references).__name__
        message = f"the references: expected a list of reference streams, found {found}"
        raise InputError(message)
    streams = [as_text(stream, f"reference stream {k}") for k, stream in enumerate(references)]
    lengths = {len(stream) for stream in streams}
    if n_hypotheses == len(streams) and n_hypotheses not in lengths:
        message = (
            f"there are {n_hypotheses} hypotheses and {len(streams)} reference streams of "
            f"{' or '.join(map(str, sorted(lengths)))} segments: transposed? Expected one list per "
            f"reference stream, references[k][segment]"
        )
        raise InputError(message)
    return Corpus(tuple(streams), documents)


def tokenize_systems(
    scorers: Sequence[Scorer], systems: Mapping[str, Text], corpus: Corpus
) -> Iterator[tuple[str, list[Scorer], dict[Pipeline, TokenizedCorpus]]]:
    """Run every pipeline that the metrics need, once per text.

    Yields
    ------
    (str, list of Scorer, dict of Pipeline to TokenizedCorpus)
        Name of the system; the metrics, bound to the references; the system beside the references
        as each pipeline sees them.
    """
    for name, text in systems.items():
        corpus.check(text, name)
    tokenization = Tokenization()
    vocabulary = tokenization.vocabulary
    pipelines = list(dict.fromkeys(p for s in scorers for p in s.pipelines.values()))
    streams = [tokenization.tokenize(stream, pipelines) for stream in corpus.references]
    references = {
        pipeline: gather_references([stream[pipeline] for stream in streams], corpus.references)
        for pipeline in pipelines
    }
    del streams
    bound = [scorer.bind(references, vocabulary) for scorer in scorers]

    def beside_references(text: Text) -> dict[Pipeline, TokenizedCorpus]:
        tokens = tokenization.tokenize(text, pipelines)
        return {p: TokenizedCorpus(tokens[p], references[p], vocabulary) for p in pipelines}

    # What is yielded is kept by nobody else, so that it can be thrown away.
    for name, text in systems.items():
        yield name, bound, beside_references(text)


def score_systems(
    scorers: Sequence[Scorer], systems: Mapping[str, Text], corpus: Corpus, threads: int = 1
) -> Iterator[tuple[str, Scorer, NDArray[np.float64]]]:
    """Compute the rows of every system under every metric, system by system.

    Yields
    ------
    (str, Scorer, ndarray of float64 of shape (n_segments, k))
        Name of the system; the metric, bound to the references; rows.
    """
    for name, bound, corpora in tokenize_systems(scorers, systems, corpus):
        for i, scorer in enumerate(bound):
            yield name, scorer, scorer.rows(corpora, threads)
            wanted = {p for later in bound[i + 1 :] for p in later.pipelines.values()}
            for pipeline in corpora.keys() - wanted:
                del corpora[pipeline]


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
