"""Make explanations by a metric's own function, and check them against its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import InputError, PluginError, UsageError, attributed
from mteval_core.explain.explanation import Explanation
from mteval_core.metrics.contract import ExplainableMetric
from mteval_core.metrics.formula import SegmentMean
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.metrics.resolve import metric
from mteval_core.metrics.rows import rows_of
from mteval_core.metrics.scorer import (
    Scorer,
    named_values,
    summable,
    tokenize_systems,
    views_of_texts,
)
from mteval_core.text.text import TestSet, Text
from mteval_core.text.tokens import TokenizedCorpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mteval_core.spec import Spec
    from mteval_core.text.tokens import CorpusView

MOST_PAIRS = 1 << 22
"""Most pairs of a token of the hypothesis and one of a reference: two texts of 2048 tokens."""

TOLERANCE = 1e-9
"""Largest relative difference of a row and its explanation."""


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
        If an explanation has another row than the metric.

    Examples
    --------
    >>> (explanation,) = explanations("per", ["b a"], [["a b c"]])
    >>> [link.reference for link in explanation.links]
    [(1,), (0,)]
    """
    text = Text.of(hypotheses, "the hypotheses")
    test_set = TestSet.of(references, source=source, n_hypotheses=len(text))
    scorer = spec if isinstance(spec, Scorer) else metric(spec)
    if isinstance(scorer.setup.implementation, Jackknife):
        message = f"{scorer.spec}: a mean over sets of references has no explanation of its own; "
        message += "explain the metric without jackknifing"
        raise UsageError(message)
    if not isinstance(inner_metric(scorer), ExplainableMetric):
        raise UsageError(f"the metric {scorer.spec} does not explain its scores: no method explain")
    ((_, (bound,), corpora),) = tokenize_systems([scorer], {"the hypotheses": text}, test_set)
    views = views_of_texts(bound, corpora)
    made = []
    for i in range(len(text)) if segments is None else segments:
        if not 0 <= i < len(text):
            raise UsageError(f"no segment {i}: the segments are 0 to {len(text) - 1}")
        one: dict[str, CorpusView] = {key: view.slice(i, i + 1) for key, view in views.items()}
        _refuse_long(one.values(), f"the hypotheses, segment {i}")
        made.append(replace(_explain(bound, one), segment=i))
    return made


def inner_metric(scorer: Scorer) -> object:
    """The plugin's object: the host wraps that of a metric without a formula."""
    implementation: object = scorer.setup.implementation
    while isinstance(implementation, SegmentMean):
        implementation = implementation.metric
    return implementation


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


def _explain(scorer: Scorer, one: Mapping[str, CorpusView]) -> Explanation:
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
    if isinstance(scorer.setup.implementation, SegmentMean):
        (row,) = scorer.setup.implementation.extend(row[None])
    (values,) = scorer.values(summable(scorer, row[None])).tolist()
    return replace(explanation, values=named_values(scorer, values), spec=str(scorer.spec))


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
