"""Scorers: metrics that are configured, and the rows of systems that they compute."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core._version import __version__
from mteval_core.errors import InputError, SegmentError, UsageError, attributed
from mteval_core.frozen import Frozen
from mteval_core.metrics.contract import Score
from mteval_core.metrics.coverage import check_coverage, warn_of_cuts
from mteval_core.metrics.formula import Formula
from mteval_core.metrics.rows import check_width, prepare, statistics, with_file
from mteval_core.metrics.sums import KeptRows, total_of
from mteval_core.signature import Signature
from mteval_core.text.digest import reference_hash
from mteval_core.text.pipeline import Pipeline, Tokenization
from mteval_core.text.text import TestSet, Text, is_sequence, kind, texts_of
from mteval_core.text.views import Views
from mteval_kernels import encode_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.data.outside import OutsideScores
    from mteval_core.metrics.contract import Metric, RowsMetric
    from mteval_core.metrics.pool import Asked
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Entry, Plugin, Registry
    from mteval_core.spec import Spec
    from mteval_core.text.digest import SeenTestSet
    from mteval_core.text.tokens import CorpusView, ReferenceView
    from mteval_kernels import Vocabulary

    References = Sequence[Sequence[str | None]] | TestSet


MOST_TYPES = 16_384
"""Types that are kept from one call of `Scorer.sentence_score` to the next, at most."""

COMPUTE = ("add_batch", "compute", "compute_score", "score")
"""What other programs call the method that scores a corpus."""


class Setup(Frozen, eq=False, kw_only=True):
    """How a metric is set up. It is for the host, not for its users.

    Parameters
    ----------
    entry : Entry
        The metric's declaration and its plugin.
    plugins : tuple of Plugin
        The plugins of the metric, its tokenizers and its normalizers, excluding the host.
    fields : mapping of str to tuple of str
        The signature's fields for all options, in order.
    options : mapping of str to object
        The metric's own options.
    pipelines : mapping of str to Pipeline
        The pipeline of each view.
    implementation : Metric
        The object that computes rows and the formula.
    registry : Registry
        Where the names were looked up.
    files : mapping of str to str
        Paths of the files that options name, by the names that signatures have.
    settings : mapping of str to str
        The options that were given and are not signed.
    tokenization : Tokenization or None
        What made the references that the metric is bound to, if it is bound for many calls.
    title : str or None
        Name in tables, if the user chooses it.
    libraries : tuple of str
        The libraries that the metric needs, ``NAME@VERSION``, sorted.
    outside : OutsideScores or None
        The scores, if another program computed them.
    parts : sequence of Scorer
        The metrics that are values of options.
    """

    entry: Entry[MetricSpec]
    plugins: tuple[Plugin, ...]
    fields: Mapping[str, tuple[str, ...]]
    options: Mapping[str, Any]
    pipelines: Mapping[str, Pipeline]
    implementation: Metric | RowsMetric
    registry: Registry
    files: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    tokenization: Tokenization | None = None
    title: str | None = None
    libraries: tuple[str, ...] = ()
    outside: OutsideScores | None = None
    parts: Sequence[Scorer] = ()

    @cached_property
    def name(self) -> str:
        """The metric and its plugin, for messages."""
        return f"metric {self.entry}"

    @cached_property
    def blames_statistics(self) -> attributed:
        """Names the metric in errors of its statistics."""
        return attributed(f"the statistics of {self.name}")

    @property
    def uses_source(self) -> bool:
        """Whether the metric uses the source, if there is one."""
        return self.entry.declaration.source != "none"

    @property
    def uses_references(self) -> bool:
        """Whether the metric uses the references, if there are any."""
        return self.entry.declaration.references != "none"

    @cached_property
    def columns(self) -> list[str]:
        """Names of the columns that the metric uses, sorted."""
        return sorted({p.column for p in self.pipelines.values()} - {""})

    @property
    def keeps_rows(self) -> bool:
        """Whether the metric computes its values from all rows, not from their sum."""
        return hasattr(self.implementation, "score_rows")

    @property
    def has_context(self) -> bool:
        """Whether a row depends on the segments around."""
        return any(pipeline.joins for pipeline in self.pipelines.values())

    @property
    def needs_documents(self) -> bool:
        """Whether a row depends on which segments are a document."""
        return any(pipeline.joins is not None for pipeline in self.pipelines.values())

    @property
    def needs_more(self) -> bool:
        """Whether texts alone are not enough: it needs columns, documents, or pairs of systems."""
        return bool(self.columns or self.needs_documents or self.entry.declaration.compares)

    @property
    def binds(self) -> bool:
        """Whether `bind` prepares the metric, or its leave-one-out sets, on the references."""
        return hasattr(self.implementation, "prepare")

    @cached_property
    def takes_tokens(self) -> bool:
        """Whether tokens of hypothesis and references are all that a segment needs."""
        declared = self.entry.declaration
        return (
            bool(self.pipelines)
            and all(p.tokenizer is not None and p.of == "texts" for p in self.pipelines.values())
            and self.uses_references
            and not (declared.pooled or declared.may_miss or declared.may_cut or self.binds)
            and not self.needs_documents
        )


class Scorer(Frozen, eq=False):
    """A configured metric. Call `metric` to make one.

    Parameters
    ----------
    spec : Spec
        The name and the options as they were given.
    main : str
        Name of the value that is the score.
    scales : mapping of str to float
        Names of all values, and the factors that convert what the formula returns to the scale in
        which they are reported.
    setup : Setup
        How the metric is set up, for the host.

    Examples
    --------
    >>> from mteval_core import metric
    >>> bleu = metric("bleu:smooth=none")
    >>> round(bleu.corpus_score(["a b c d e"], [["a b c d f"]]).score, 4)
    66.874
    """

    spec: Spec
    main: str
    scales: Mapping[str, float] = field(repr=False)
    setup: Setup = field(repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            hint = ": call corpus_score(hypotheses, references)" if name in COMPUTE else ""
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    @property
    def declaration(self) -> MetricSpec:
        """The metric as its plugin declares it."""
        return self.setup.entry.declaration

    @cached_property
    def label(self) -> str:
        """Name in tables and signatures."""
        return self.declaration.label or self.declaration.name

    def signature(self, references: References | None = None) -> Signature:
        """Return the signature of a score; it is complete if you pass the references.

        Parameters
        ----------
        references : sequence of sequence of str, optional
            One sequence per reference stream.

        Returns
        -------
        Signature
        """
        return sign(self, None if references is None else TestSet.of(references))

    # The formula

    def values(self, totals: Sums) -> NDArray[np.float64]:
        """Compute all values from sums of rows, in the scale in which they are reported.

        Parameters
        ----------
        totals : ndarray of float64, shape (..., k), or WeightedRows or KeptRows

        Returns
        -------
        ndarray of float64, shape (..., v)

        Raises
        ------
        PluginError
            If the formula fails, or if its result has another shape than the metric declares or
            is not finite.
        """
        return self._formula.values(totals)

    def scores(self, totals: Sums) -> NDArray[np.float64]:
        """Compute the main value from sums of rows, shape (..., k) to (...)."""
        return self.values(totals)[..., list(self.scales).index(self.main)]

    @cached_property
    def _formula(self) -> Formula:
        return formula(self, "score")

    # Scores of texts

    def corpus_score(
        self,
        hypotheses: Sequence[str] | Text,
        references: References = (),
        *,
        source: Sequence[str] | Text | None = None,
    ) -> Score:
        """Score a whole test set.

        Parameters
        ----------
        hypotheses : sequence of str
            One per segment.
        references : sequence of sequence of str
            One sequence per reference stream; None where a segment lacks that reference.
        source : sequence of str, optional
            The source of each segment, for metrics that use it.

        Returns
        -------
        Score

        Raises
        ------
        InputError
            If the numbers of segments differ or are zero, if a segment has no reference, or if
            the metric needs texts that are not there.
        """
        text, test_set = texts_of(hypotheses, references, source)
        bound, rows = rows_of_text(self, text, test_set)
        return score_of_total(bound, total_of(rows), len(text), test_set)

    def sentence_scores(
        self,
        hypotheses: Sequence[str] | Text,
        references: References = (),
        *,
        source: Sequence[str] | Text | None = None,
    ) -> list[Score]:
        """Score many segments, each on its own: what `sentence_score` returns for each of them.

        This takes no longer than the score of the corpus, unless the metric has a ``prepare``
        method. Such a metric is prepared for each segment on the references of this segment.

        Parameters
        ----------
        hypotheses, references, source
            As for `corpus_score`.

        Returns
        -------
        list of Score
            One per segment.

        Raises
        ------
        InputError
            As `corpus_score`.

        Examples
        --------
        >>> from mteval_core import metric
        >>> wer = metric("wer")
        >>> [score.score for score in wer.sentence_scores(["a b", "c"], [["a b", "d"]])]
        [0.0, 100.0]
        """
        text, test_set = texts_of(hypotheses, references, source)
        if self.setup.binds or self.setup.needs_documents:
            test_set.check(text, "the hypotheses")
            segments = (test_set.segment(i) for i in range(len(text)))
            return [self.corpus_score(text.take([i]), own) for i, own in enumerate(segments)]
        bound, rows = rows_of_text(self, text, test_set)

        def signature(i: int, values: list[float]) -> Signature:
            cut = cut_texts(bound, total_of(rows[i : i + 1]))
            return sign(bound, test_set.segment(i), signed_coverage(bound, values, cut))

        return [
            make_score(bound, values, 1, partial(signature, i, values))
            for i, values in enumerate(bound.values(rows).tolist())
        ]

    def sentence_score(
        self, hypothesis: str | Text, references: Sequence[str] = (), *, source: str | None = None
    ) -> Score:
        """Score one segment against its references.

        A metric with a ``prepare`` method is prepared on these references alone.

        Parameters
        ----------
        hypothesis : str or Text
            The segment; a `Text` of one segment if the metric uses its columns.
        references : sequence of str
            Its references.
        source : str, optional
            Its source, for metrics that use it.

        Returns
        -------
        Score

        Raises
        ------
        UsageError
            If the references are not strings.
        """
        if isinstance(references, str):
            references = [references]
        if not is_sequence(references):
            raise UsageError(f"the references: expected a list of strings, got {kind(references)}")
        texts: list[Any] = [hypothesis, *references]
        streams = [[reference] for reference in texts[1:]]
        can_join = self.setup.takes_tokens and source is None and bool(streams)
        try:
            segment = Text(*encode_lines(texts)) if can_join else None
        except (TypeError, UnicodeEncodeError):  # `corpus_score` says which is not valid
            segment = None
        if segment is None or None in texts:
            text = hypothesis if isinstance(hypothesis, Text) else [hypothesis]
            sources = None if source is None else [source]
            one = TestSet.of(streams, ["1"], source=sources, n_hypotheses=1)
            return self.corpus_score(text, one)
        # What tokenized the last segment knows its types. Threads do not share it.
        tokenization = vars(self).pop("_tokenization", None) or Tokenization()
        try:
            views = tokenization.views_of_segment(segment, self.setup.pipelines)
            rows = count_rows(self, views)
        except SegmentError as error:
            raise with_file(error, self.label, "the hypotheses", segment) from error
        if len(tokenization.vocabulary) < MOST_TYPES:
            vars(self)["_tokenization"] = tokenization
        total = KeptRows(rows).sum() if self._formula.of_rows else rows[0]
        return make_score(self, self._formula.numbers(total), 1, partial(self.signature, streams))


def sign(
    scorer: Scorer,
    test_set: TestSet | SeenTestSet | None = None,
    drawn: Mapping[str, tuple[str, ...]] | None = None,
) -> Signature:
    """Return the signature of a score: everything that is needed to compute it again.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    test_set : TestSet or SeenTestSet, optional
        The references and the source. Without them, the signature is not complete.
    drawn : mapping of str to tuple of str, optional
        Fields that say how intervals and p-values were drawn, and which share has a score.

    Returns
    -------
    Signature
    """
    setup, version = scorer.setup, {"version": (__version__,)}
    if setup.outside:  # the hash of its file says everything
        return Signature(scorer.label, {**(drawn or {}), **setup.fields, **version})
    described, hashed = {}, {}
    if test_set is not None:
        n = test_set.n_references if setup.uses_references else 0
        described = {"nrefs": ("var" if n is None else str(n),)}
        hashed = test_set.hashes(references=n != 0, source=setup.uses_source)
        if setup.needs_documents and test_set.documents_text:
            hashed["docs"] = (reference_hash([test_set.documents_text.digest]),)
        if setup.columns and isinstance(test_set, TestSet):
            hashed["columns"] = test_set.signed_columns(setup.columns)
    return Signature(
        scorer.label,
        {
            **described,
            **(drawn or {}),
            **setup.fields,
            **hashed,
            **({"libraries": setup.libraries} if setup.libraries else {}),
            "plugin": tuple(sorted(plugin.signed for plugin in setup.plugins)),
            **version,
        },
    )


def signed_coverage(scorer: Scorer, values: list[float], cut: int) -> dict[str, tuple[str, ...]]:
    """Return the fields of a signature on missing scores and cut texts, if there are any."""
    is_partial = scorer.declaration.may_miss and values[-1] != 100
    cover = {"cover": (f"{values[-1]:.4g}",)} if is_partial else {}
    return {**cover, **({"cut": (str(cut),)} if cut else {})}


def cut_texts(scorer: Scorer, total: Sums) -> int:
    """Return how many texts a metric has cut; with jackknifing, in the set with most of them."""
    if not (scorer.declaration.may_cut and isinstance(total, np.ndarray)):
        return 0
    n_sets = len(getattr(scorer.setup.implementation, "sets", ())) or 1
    return int(total.reshape(n_sets, -1)[:, -1].max())


def score_of_total(scorer: Scorer, total: Sums, n_segments: int, test_set: TestSet | None) -> Score:
    """Make the score of a sum of rows; check its coverage, and warn of cut texts."""
    values, cut = scorer._formula.numbers(total), cut_texts(scorer, total)
    spec, what = str(scorer.spec), "the hypotheses"
    if scorer.declaration.may_miss:
        (treatment,) = scorer.setup.fields["missing"]
        check_coverage(spec, treatment, {what: values[-1]})
    warn_of_cuts(spec, {what: cut})
    drawn = signed_coverage(scorer, values, cut)
    return make_score(scorer, values, n_segments, partial(sign, scorer, test_set, drawn))


def make_score(
    scorer: Scorer,
    values: list[float],
    n_segments: int,
    signature: Signature | Callable[[], Signature],
) -> Score:
    """Make a score of all values of one sum."""
    named = dict(zip(scorer.scales, values))  # noqa: B905 - `Formula` checks the number
    return Score(scorer.label, named[scorer.main], named, n_segments, signature=signature)


def formula(scorer: Scorer, name: str) -> Formula:
    """Return the method of a metric with this name, or the same for all rows."""
    setup = scorer.setup
    method = getattr(setup.implementation, f"{name}_rows" if setup.keeps_rows else name)
    factors = tuple(map(float, scorer.scales.values()))
    may_miss = scorer.declaration.may_miss
    blames = attributed(f"the formula of {setup.name}")
    return Formula(method, setup.name, blames, factors, of_rows=setup.keeps_rows, may_miss=may_miss)


# Rows


def require_texts(scorer: Scorer, test_set: TestSet) -> None:
    """Raise an `InputError` if a test set lacks texts that a metric needs."""
    declaration = scorer.declaration
    if declaration.references == "required" and not test_set.references:
        raise InputError(f"no references for the metric {scorer.spec}: add REF...")
    if declaration.source == "required" and test_set.source is None:
        raise InputError(f"no source for the metric {scorer.spec}: add --source FILE")
    if scorer.setup.needs_documents and test_set.documents is None:
        raise InputError(f"no documents for the metric {scorer.spec}: add --docs FILE")
    missing = [stream.missing for stream in test_set.references]
    for name, own in test_set.places.items() if declaration.unit == "document" else ():
        if missing and all(each[own].any() for each in missing):
            raise InputError(f"no reference has all segments of the document {name!r}")


def require_columns(scorer: Scorer, name: str, text: Text, test_set: TestSet) -> None:
    """Raise an `InputError` unless either a system or the test set has each column of a metric."""
    for column in scorer.setup.columns:
        if (column in text.columns) == (column in test_set.columns):
            seen = "both have" if column in text.columns else "neither has"
            raise InputError(
                f"the metric {scorer.spec} needs a column {column!r} of {name} or of the test set, "
                f"and {seen} one: add --fields {column}=FIELD, or {column}=FILE::FIELD"
            )


def views_of_texts(scorer: Scorer, corpora: Mapping[Pipeline, CorpusView]) -> dict[str, CorpusView]:
    """Return the views that a metric counts, by name, without the texts that it does not use."""
    setup = scorer.setup
    views = {name: corpora[pipeline] for name, pipeline in setup.pipelines.items()}
    if not setup.uses_references:
        views = {name: view.without_references() for name, view in views.items()}
    return views if setup.uses_source else {n: v.without_source() for n, v in views.items()}


def views_of_references(
    scorer: Scorer, references: Mapping[Pipeline, ReferenceView]
) -> dict[str, ReferenceView]:
    """Return the views that a metric is prepared on, by name."""
    pipelines = scorer.setup.pipelines.items()
    views = {name: references[pipeline] for name, pipeline in pipelines if not pipeline.column}
    if scorer.setup.uses_references:
        return views
    return {name: view.without_references() for name, view in views.items()}


def bind(
    scorer: Scorer, references: Mapping[Pipeline, ReferenceView], vocabulary: Vocabulary
) -> Scorer:
    """Prepare a metric on the whole set of references, if it has a ``prepare`` method."""
    setup = scorer.setup
    if setup.tokenization is not None:  # it is prepared
        return scorer
    views = views_of_references(scorer, references)
    with attributed(f"the preparation of {setup.name}"):
        prepared = prepare(setup.implementation, views, vocabulary)
    if prepared is setup.implementation:
        return scorer
    return replace(scorer, setup=replace(setup, implementation=prepared))


def count_rows(
    scorer: Scorer, views: Mapping[str, CorpusView], threads: int = 1
) -> NDArray[np.float64]:
    """Compute the rows of statistics, shape (n_segments, k), of the views that a metric uses."""
    setup = scorer.setup
    with setup.blames_statistics:
        return statistics(setup.implementation, views, setup.name, threads)


def summable(
    scorer: Scorer, rows: NDArray[np.float64], widths: dict[Scorer, int] | None = None
) -> Rows:
    """Return rows as `Scorer.values` takes sums of them; summed rows must have the same width."""
    if scorer.setup.keeps_rows:
        return KeptRows(rows)
    if widths is not None:
        check_width(rows, widths.setdefault(scorer, rows.shape[1]), scorer.setup.name)
    return rows


# Systems


def tokenize_systems(
    scorers: Sequence[Scorer], systems: Mapping[str, Text], test_set: TestSet
) -> Iterator[tuple[str, list[Scorer], dict[Pipeline, CorpusView]]]:
    """Run every pipeline that the metrics need once per text.

    Yields
    ------
    (str, list of Scorer, dict of Pipeline to TokenizedCorpus, TextCorpus or Tokens)
        Name of the system; the metrics, bound to the references; the texts as each pipeline makes
        them.

    Raises
    ------
    InputError
        If the numbers of segments differ, or a metric needs texts that the test set does not have.
    """
    for name, text in systems.items():
        test_set.check(text, name)
    for scorer in scorers:
        require_texts(scorer, test_set)
        for name, text in systems.items():
            require_columns(scorer, name, text, test_set)
    tokenization = scorers[0].setup.tokenization if len(scorers) == 1 else None
    pipelines = (p for scorer in scorers for p in scorer.setup.pipelines.values())
    views = Views(test_set, pipelines, tokenization)
    bound = [bind(scorer, views.references, views.vocabulary) for scorer in scorers]
    # The generator keeps no reference to what it yields, so the caller can free it.
    for name, text in systems.items():
        yield name, bound, views.with_hypotheses(text)


class Job(NamedTuple):
    """Metrics to compute for some systems on one test set.

    If this is a part of a test set, `ids` are the numbers of its segments in the whole, for
    messages.
    """

    scorers: Sequence[Scorer]
    systems: Mapping[str, Text]
    test_set: TestSet
    ids: NDArray[np.int64] | None = None


def score_systems(jobs: Iterable[Job], threads: int = 1) -> Iterator[tuple[str, Scorer, Rows]]:
    """Compute the rows of every system under every metric, system by system.

    Pooled metrics follow the others: they are called once for all systems of all jobs.

    Yields
    ------
    (str, Scorer, ndarray of float64 of shape (n_segments, k) or KeptRows)
        Name of the system; the metric, bound to the references; rows.

    Raises
    ------
    InputError
        If a metric refuses a segment.
    """
    widths: dict[Scorer, int] = {}
    pools: dict[str, list[tuple[Scorer, Asked, TestSet]]] = {}
    for scorers, systems, test_set, ids in jobs:
        for scorer in scorers:
            if scorer.declaration.compares:
                from mteval_core.plugin.catalogue import comparing_commands

                use = " or ".join(comparing_commands())
                raise UsageError(f"{scorer.spec} compares systems: type mteval {use}")
        for name, bound, corpora in tokenize_systems(scorers, systems, test_set):
            for i, scorer in enumerate(bound):
                metric, views = scorer.setup.implementation, views_of_texts(scorer, corpora)
                if scorer.declaration.pooled:
                    from mteval_core.metrics.pool import Asked

                    asked = Asked(name, systems[name], metric, views)
                    pools.setdefault(str(scorer.spec), []).append((scorer, asked, test_set))
                    continue
                try:
                    if scorer.setup.outside:
                        rows = scorer.setup.outside.rows(name, test_set)
                    else:
                        rows = place_rows(scorer, count_rows(scorer, views, threads), test_set)
                except SegmentError as error:
                    number = error.segment if ids is None else int(ids[error.segment])
                    found = SegmentError(number, error.reason)
                    raise with_file(found, scorer.label, name, systems[name]) from error
                yield name, scorer, summable(scorer, rows, widths)
                del rows, views
                wanted = {p for later in bound[i + 1 :] for p in later.setup.pipelines.values()}
                for pipeline in corpora.keys() - wanted:
                    del corpora[pipeline]
    for pool in pools.values():
        from mteval_core.metrics.pool import pooled_rows

        first, *_ = pool[0]
        pooled = pooled_rows([asked for _, asked, _ in pool], first.setup.name, first.label)
        for (scorer, asked, test_set), rows in zip(pool, pooled, strict=True):
            yield asked.system, scorer, summable(scorer, place_rows(scorer, rows, test_set), widths)


def place_rows(scorer: Scorer, rows: NDArray[np.float64], test_set: TestSet) -> NDArray[np.float64]:
    """Put the row of each document at its first segment; the rows of the others are 0."""
    if scorer.declaration.unit == "segment":
        return rows
    of_segments = np.zeros((len(test_set), rows.shape[1]))
    of_segments[[own[0] for own in test_set.places.values()]] = rows
    return of_segments


def rows_of_text(scorer: Scorer, text: Text, test_set: TestSet) -> tuple[Scorer, Rows]:
    """Bind a metric to references, and compute the rows of all segments.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    text : Text
        The hypotheses.
    test_set : TestSet
        The references and the source.

    Returns
    -------
    (Scorer, ndarray of float64 of shape (n_segments, k), or KeptRows)
        The metric, prepared on the references if it has a ``prepare`` method; its
        `Scorer.values` takes sums of the rows.

    Raises
    ------
    InputError
        As `Scorer.corpus_score`.
    """
    ((_, bound, rows),) = score_systems([Job([scorer], {"the hypotheses": text}, test_set)])
    return bound, rows
