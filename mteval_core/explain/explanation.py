"""Explanations of segment scores: links between texts, edits, marks, and terms of the formula.

A metric makes them by its methods ``explain`` and ``marks``. They are checked against its rows and
the texts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import InputError, PluginError, UsageError, attributed
from mteval_core.frozen import Frozen
from mteval_core.metrics.formula import SegmentMean
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.resolve import metric
from mteval_core.metrics.rows import rows_of
from mteval_core.metrics.scorer import Scorer, summable, tokenize_systems, views_of_texts
from mteval_core.text.text import TestSet, Text, texts_of
from mteval_core.text.tokens import TextCorpus, TokenizedCorpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from mteval_core.spec import Spec
    from mteval_core.text.tokens import CorpusView

    Units: TypeAlias = Callable[[int], Iterable[tuple[int, ...]]]
    Texts: TypeAlias = Mapping[str, Sequence[str]]

MOST_PAIRS = 1 << 22
"""Most pairs of a token of the hypothesis and one of a reference: two texts of 2048 tokens."""

TOLERANCE = 1e-9
"""Largest relative difference of a row and its explanation."""

SOURCE_SIDE = -1
"""The number that stands for the source, where others stand for references."""

Places = tuple[int, ...]
"""Positions of tokens in a text, ascending."""

SEVERITIES = ("neutral", "minor", "major", "critical")
"""How bad what a mark shows is, the worst last."""


class Link(NamedTuple):
    """What a metric counts in the hypothesis and in another text.

    Parameters
    ----------
    hypothesis : tuple of int
        Positions of the tokens in the hypothesis.
    reference : tuple of int
        Positions of the tokens in the other text.
    to : int
        Number of the reference, from 0; -1 for the source.
    kind : str
        What was counted, such as ``2-gram``, ``run`` or ``stem``.
    weight : float
        How much it adds to the term that counts links of this kind; 0 for what was found, but does
        not count.
    """

    hypothesis: Places
    reference: Places
    to: int = 0
    kind: str = "word"
    weight: float = 1.0

    @classmethod
    def clipped(
        cls,
        hypothesis: Sequence[str],
        references: Sequence[Sequence[str]],
        units: int | Units = 1,
        kind: str = "word",
    ) -> list[Link]:
        """Link the parts of a hypothesis that references have too.

        A part is linked as often as the hypothesis has it, but at most as often as the one
        reference that has it most often, the first one on ties (BLEU, section 2.1). The first
        occurrences are linked with each other, and so on.

        Parameters
        ----------
        hypothesis : sequence of str
            Tokens.
        references : sequence of sequence of str
            Tokens of each reference.
        units : int or callable
            Order of the n-grams that are linked; or, for other parts, a function from the number of
            tokens of a text to the positions of each part.
        kind : str
            Kind of the links.

        Returns
        -------
        list of Link
            In the order of the hypothesis, each of weight 1.

        Examples
        --------
        >>> for link in Link.clipped("the the cat".split(), ["the cat".split()]):
        ...     print(link.hypothesis, link.reference)
        (0,) (0,)
        (2,) (1,)
        """
        places_in = _ngrams(units) if isinstance(units, int) else units
        there = [_occurrences(reference, places_in) for reference in references]
        taken: Counter[tuple[str, ...]] = Counter()
        links = []
        for places in places_in(len(hypothesis)):
            part = tuple(hypothesis[i] for i in places)
            found = (occurrences.get(part, []) for occurrences in there)
            k, most = max(enumerate(found), key=lambda each: len(each[1]), default=(0, []))
            if taken[part] < len(most):
                links.append(cls(places, most[taken[part]], k, kind))
                taken[part] += 1
        return links


class Edit(NamedTuple):
    """A step on the way from a reference to the hypothesis.

    Parameters
    ----------
    kind : str
        ``insertion``, ``deletion``, ``substitution`` or ``shift``.
    hypothesis : tuple of int
        Positions of the tokens in the hypothesis as it was written; none for a deletion.
    reference : tuple of int
        Positions of the tokens in the reference; none for an insertion or a shift.
    to : int
        Number of the reference, from 0.
    after : int
        For a shift, the position in the hypothesis of the token that precedes the moved tokens
        afterwards; -1 for the front.
    weight : float
        How much it adds to the term that counts edits of this kind.
    """

    kind: str
    hypothesis: Places
    reference: Places
    to: int = 0
    after: int = -1
    weight: float = 1.0


class Mark(NamedTuple):
    """A span of a text with a judgment, such as an error.

    Parameters
    ----------
    side : {"hypothesis", "reference", "source"}
        The text that is marked.
    start, end : int
        First code point of the span, and the one after its last, in the text as it was written. At
        an omission, both are the place where something is missing.
    severity : {"neutral", "minor", "major", "critical"}
        How bad it is.
    category : str
        What it is, such as ``accuracy/omission``.
    confidence : float or None
        Probability that the mark is right, from 0 to 1; None if it is not known.
    note : str
        What else there is to say.
    to : int
        Number of the reference, from 0, if the side is ``reference``.
    """

    side: str
    start: int
    end: int
    severity: str
    category: str = ""
    confidence: float | None = None
    note: str = ""
    to: int = 0

    def fault(self, texts: Texts) -> str:
        """Say why this is no mark of the texts, which are those of each side; empty if it is one.

        Examples
        --------
        >>> Mark("hypothesis", 4, 9, "minor").fault({"hypothesis": ["no end"]})
        'expected 0 <= start <= end <= 6, in code points of the text as it is written'
        """
        own = texts.get(self.side, ())
        if not 0 <= self.to < len(own):
            return f"the metric gets no such text, but {', '.join(s for s in texts if texts[s])}"
        n = len(own[self.to])
        if not 0 <= self.start <= self.end <= n:
            return f"expected 0 <= start <= end <= {n}, in code points of the text as it is written"
        if self.severity not in SEVERITIES or not 0 <= (self.confidence or 0) <= 1:
            return f"expected one of {', '.join(SEVERITIES)}, and a confidence from 0 to 1"
        return ""

    @classmethod
    def of(
        cls,
        spec: str | Spec | Scorer,
        hypotheses: Sequence[str] | Text,
        references: Sequence[Sequence[str | None]] | TestSet = (),
        *,
        segments: Iterable[int] | None = None,
        source: Sequence[str] | Text | None = None,
    ) -> list[tuple[Mark, ...]]:
        """Mark spans of segments, such as errors.

        Parameters
        ----------
        spec : str, Spec or Scorer
            The metric.
        hypotheses : sequence of str
            One per segment of the test set.
        references : sequence of sequence of str
            One sequence per reference stream; None where a segment lacks that reference.
        segments : iterable of int, optional
            Numbers of the segments to mark, from 0. The metric is called for each of them. By
            default, it is called once, for all segments.
        source : sequence of str, optional
            The source of each segment, for metrics that use it.

        Returns
        -------
        list of tuple of Mark
            The marks of each segment.

        Raises
        ------
        UsageError
            If the metric has no method ``marks``, or there is no such segment.
        InputError
            If the numbers of segments differ or are zero, or a segment has no reference.
        PluginError
            If a mark is not within its text.
        """
        scorer, views, texts = _bind_to_texts(spec, "marks", hypotheses, references, source=source)
        _refuse_moved(scorer, views, texts)
        inner: Any = inner_metric(scorer)
        chosen = _numbers(segments, len(texts))
        made: list[tuple[Mark, ...]] = []
        for some in [chosen] if segments is None else [range(i, i + 1) for i in chosen]:
            part = {key: view.slice(some[0], some[-1] + 1) for key, view in views.items()}
            with attributed(f"the marks of metric {scorer.setup.entry}"):
                found = [tuple(own) for own in inner.marks(**part)]
                if len(found) != len(some):
                    raise ValueError(f"expected marks of {len(some)} segments, got {len(found)}")
                for i, own in zip(some, found, strict=True):
                    _check_marks(own, texts[i], f"segment {i}: ")
            made += found
        return made


class Term(NamedTuple):
    """A number in the formula of a metric.

    Parameters
    ----------
    name : str
        Symbol or name, unique in its explanation.
    value : float
        The number, unrounded.
    formula : str
        How it follows from the tokens or from other terms; empty if the name says it.
    kind : str
        If not empty, the number is the sum of the weights of all links and edits of this kind.
    to : int or None
        If not None, only those of this reference.
    """

    name: str
    value: float
    formula: str = ""
    kind: str = ""
    to: int | None = None


class Explanation(Frozen, eq=False):
    """Why a segment has its score.

    The ``explain`` method of a metric returns one; see `Metric`. `explanations` adds what only the
    host knows: the values, and what was scored.

    Parameters
    ----------
    hypothesis : tuple of str
        The tokens that were scored.
    references : tuple of tuple of str
        Those of each reference.
    links : tuple of Link
        What was counted, and what was found without being counted.
    terms : tuple of Term
        The numbers of the formula, in an order in which each follows from those before it.
    columns : tuple of str
        Names of the terms that are the row of statistics, in its order.
    formula : str
        How the score follows from the terms.
    edits : tuple of Edit
        The edits, in the order in which they are made.
    order : tuple of int
        Positions of the hypothesis in their order after all shifts; empty if nothing was shifted.
    best : int or None
        Number of the reference that counts; None if all count.
    why : str
        Why that reference counts, or how all of them do. One sentence, if there are several.
    source : tuple of str
        The tokens of the source, if links go to it.
    marks : tuple of Mark or None
        Spans with a judgment; None if the metric marks none in any segment.
    values : mapping of str to float
        The values of the segment, in the scale in which they are reported.
    remarks : tuple of str
        What else there is to say, such as what another system does not match.
    system, spec : str
        What was scored, and by which metric.
    segment : int
        Number of the segment, from 0.

    Examples
    --------
    >>> from mteval_core import explanations
    >>> (explanation,) = explanations("wer", ["a cat sat"], [["the cat sat"]])
    >>> [edit.kind for edit in explanation.edits], explanation.row
    (['substitution'], (1.0, 3.0))
    """

    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    links: tuple[Link, ...]
    terms: tuple[Term, ...]
    columns: tuple[str, ...]
    formula: str = ""
    edits: tuple[Edit, ...] = ()
    order: tuple[int, ...] = ()
    best: int | None = None
    why: str = ""
    source: tuple[str, ...] = ()
    marks: tuple[Mark, ...] | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    system: str = ""
    spec: str = ""
    segment: int = 0

    @cached_property
    def row(self) -> tuple[float, ...]:
        """The row of statistics, which the terms contain."""
        value = {term.name: float(term.value) for term in self.terms}
        return tuple(value[name] for name in self.columns)

    @property
    def title(self) -> str:
        """System, segment and metric."""
        return ", ".join(filter(None, (self.system, f"segment {self.segment}", self.spec)))

    @property
    def items(self) -> tuple[Link | Edit, ...]:
        """All links and edits."""
        return (*self.links, *self.edits)

    def __repr__(self) -> str:
        return f"<Explanation: {self.title}>"

    def tokens(self, k: int | None = None) -> tuple[str, ...]:
        """Return the tokens of the hypothesis (None), of reference k, or of the source (-1)."""
        if k is None:
            return self.hypothesis
        return self.source if k == SOURCE_SIDE else self.references[k]


# Making explanations


def explanations(
    spec: str | Spec | Scorer,
    hypotheses: Sequence[str] | Text,
    references: Sequence[Sequence[str | None]] | TestSet = (),
    *,
    segments: Iterable[int] | None = None,
    source: Sequence[str] | Text | None = None,
) -> list[Explanation]:
    """Explain the scores of segments.

    Parameters
    ----------
    spec : str, Spec or Scorer
        The metric.
    hypotheses : sequence of str
        One per segment of the test set.
    references : sequence of sequence of str
        One sequence per reference stream; None where a segment lacks that reference.
    segments : iterable of int, optional
        Numbers of the segments to explain, from 0 (default: all). A metric that must see all
        references, such as NIST, sees them all.
    source : sequence of str, optional
        The source of each segment, for metrics that use it.

    Returns
    -------
    list of Explanation

    Raises
    ------
    UsageError
        If the metric does not explain itself, or there is no such segment.
    InputError
        If the numbers of segments differ or are zero, or a segment has no reference, has no score,
        or is too long to be explained.
    PluginError
        If an explanation has another row than the metric, or a mark is not within its text.

    Examples
    --------
    >>> (explanation,) = explanations("per", ["b a"], [["a b c"]])
    >>> [link.reference for link in explanation.links]
    [(1,), (0,)]
    """
    scorer, views, texts = _bind_to_texts(spec, "explain", hypotheses, references, source=source)
    made = []
    for i in _numbers(segments, len(texts)):
        one: dict[str, CorpusView] = {key: view.slice(i, i + 1) for key, view in views.items()}
        _refuse_long(one.values(), f"the hypotheses, segment {i}")
        made.append(replace(_explain(scorer, one, texts[i]), segment=i))
    return made


def _refuse_long(views: Iterable[CorpusView], what: str) -> None:
    """Raise an `InputError` for a segment with too many pairs of tokens."""
    for view in views:
        if isinstance(view, TokenizedCorpus):
            (h,), r = view.hypotheses.lengths, view.references.lengths.max(initial=0)
            if h * r > MOST_PAIRS:
                raise InputError(
                    f"{what} is too long to be explained: {h} tokens, and {r} in a reference; "
                    f"expected at most {MOST_PAIRS} pairs"
                )


def _explain(scorer: Scorer, one: Mapping[str, CorpusView], texts: Texts) -> Explanation:
    """Explain the one segment of the views; the row must be that of the metric."""
    inner: Any = inner_metric(scorer)
    with attributed(f"the explanation of metric {scorer.setup.entry}"):
        (row,) = rows_of(inner, one)
        if scorer.declaration.may_miss and np.isnan(row).all():
            raise InputError(f"{scorer.spec} has no score of the segment, so nothing to explain")
        explanation = inner.explain(**one)
        if not isinstance(explanation, Explanation):
            raise TypeError(f"expected an Explanation, got {type(explanation).__name__}")
        check_row(explanation, row.tolist())
        if explanation.marks:
            _refuse_moved(scorer, one, [texts])
        _check_marks(explanation.marks or (), texts, "")
    if isinstance(scorer.setup.implementation, SegmentMean):
        (row,) = scorer.setup.implementation.extend(row[None])
    (values,) = scorer.values(summable(scorer, row[None])).tolist()
    named = dict(zip(scorer.scales, values, strict=True))
    return replace(explanation, values=named, spec=str(scorer.spec))


def check_row(explanation: Explanation, row: Sequence[float]) -> None:
    """Raise a `PluginError` unless an explanation has the row of the metric.

    The terms that count links or edits must have as much as these weigh.
    """
    explained = explanation.row
    if len(explained) != len(row) or not np.allclose(explained, row, TOLERANCE, TOLERANCE):
        raise PluginError(f"the explanation has the row {list(explained)}, the metric {list(row)}")
    items = explanation.items
    for term in explanation.terms:
        weights = [x.weight for x in items if x.kind == term.kind and term.to in (None, x.to)]
        if term.kind and not np.isclose(sum(weights), term.value, TOLERANCE, TOLERANCE):
            raise PluginError(
                f"the term {term.name} is {term.value:g}, but the links and edits of the kind "
                f"{term.kind} weigh {sum(weights):g}"
            )


def _numbers(segments: Iterable[int] | None, n: int) -> Sequence[int]:
    """Numbers of the segments that are asked for."""
    chosen = range(n) if segments is None else list(segments)
    if wrong := [i for i in chosen if not 0 <= i < n]:
        raise UsageError(f"no segment {wrong[0]}: the segments are 0 to {n - 1}")
    return chosen


def _bind_to_texts(
    spec: str | Spec | Scorer, method: str, hypotheses: Any, references: Any, *, source: Any
) -> tuple[Scorer, dict[str, CorpusView], list[Texts]]:
    """Return a metric that has a method, bound to the references, and the texts that it gets.

    The texts are its views, and those of each segment, by side, as they were written.
    """
    text, test_set = texts_of(hypotheses, references, source)
    scorer = spec if isinstance(spec, Scorer) else metric(spec)
    if isinstance(scorer.setup.implementation, Jackknife):
        raise UsageError(
            f"{scorer.spec}: a mean over sets of references has no explanation of its own; "
            "explain the metric without jackknifing"
        )
    if not hasattr(inner_metric(scorer), method):
        raise UsageError(
            f"the metric {scorer.spec} does not explain its scores: no method {method}"
        )
    if scorer.declaration.unit == "document":
        raise UsageError(f"the metric {scorer.spec} scores documents; only segments are explained")
    ((_, (bound,), corpora),) = tokenize_systems([scorer], {"the hypotheses": text}, test_set)
    streams = test_set.references if scorer.setup.uses_references else ()
    sources = [test_set.source] if test_set.source and scorer.setup.uses_source else []
    texts: list[Texts] = [
        {
            "hypothesis": [text[i] or ""],
            "reference": [written for stream in streams if (written := stream[i]) is not None],
            "source": [source[i] or "" for source in sources],
        }
        for i in range(len(text))
    ]
    return bound, views_of_texts(bound, corpora), texts


def inner_metric(scorer: Scorer) -> object:
    """The plugin's object: the host wraps that of a metric without a formula."""
    implementation: object = scorer.setup.implementation
    while isinstance(implementation, SegmentMean):
        implementation = implementation.metric
    return implementation


def _check_marks(marks: Iterable[Mark], texts: Texts, where: str) -> None:
    """Raise a `ValueError` unless all marks of a segment lie within its texts."""
    for mark in marks:
        if fault := mark.fault(texts) if isinstance(mark, Mark) else "expected a Mark":
            raise ValueError(f"{where}{mark!r}: {fault}")


def _refuse_moved(scorer: Scorer, views: Mapping[str, CorpusView], texts: Sequence[Texts]) -> None:
    """Raise a `UsageError` if normalizers have moved characters, which marks count."""
    for name, view in views.items():
        if not isinstance(view, TextCorpus) or scorer.setup.pipelines[name].joins is not None:
            continue
        sources = [[one] for one in view.sources or ()] or [[]] * len(view)
        segments = zip(([one] for one in view.hypotheses), view.references, sources, strict=True)
        for seen, written in zip(segments, texts, strict=True):
            sides = zip(seen, written.values(), strict=True)
            if any(own and [*map(len, own)] != [*map(len, given)] for own, given in sides):
                steps = {one.shown for each in scorer.setup.pipelines.values() for one in each.text}
                raise UsageError(
                    f"{scorer.spec}: marks count characters of the text as it is, and "
                    f"{' and '.join(sorted(steps))} changes their number: leave it out"
                )


# Links


def _ngrams(n: int) -> Units:
    return lambda length: (tuple(range(i, i + n)) for i in range(length - n + 1))


def _occurrences(tokens: Sequence[str], units: Units) -> dict[tuple[str, ...], list[Places]]:
    """Positions of each part of a text."""
    result: dict[tuple[str, ...], list[Places]] = {}
    for places in units(len(tokens)):
        result.setdefault(tuple(tokens[i] for i in places), []).append(places)
    return result
