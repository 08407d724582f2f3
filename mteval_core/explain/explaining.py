"""Make explanations by a metric's own function, and check them against its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import InputError, PluginError, UsageError, attributed
from mteval_core.explain.explanation import Explanation, Written
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
from mteval_core.text.pipeline import Tokenization
from mteval_core.text.text import TestSet, Text
from mteval_core.text.tokens import TokenizedCorpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mteval_core.spec import Spec
    from mteval_core.text.tokens import CorpusView

MOST_PAIRS = 1 << 22
"""Most pairs of a token of the hypothesis and one of a reference: two texts of 2048 tokens."""

TOLERANCE = 1e-9
"""Largest relative difference of a row and its explanation."""

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
"""What tokenizers decode."""

SKIPPED = "<skipped>"
"""What tokenizers delete, also inside a word."""


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
        If the numbers of segments differ or are zero, a segment has no reference, or one is too
        long to be explained.
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
    chosen = range(len(text)) if segments is None else segments
    made = explain_system(scorer, ("the hypotheses", text), test_set, chosen)
    return [replace(explanation, system="") for explanation in made]


def can_explain(scorer: Scorer) -> bool:
    """Tell whether a metric explains its scores."""
    return isinstance(_inner(scorer), ExplainableMetric)


def _inner(scorer: Scorer) -> object:
    """The plugin's object: the host wraps that of a metric without a formula."""
    implementation = scorer.setup.implementation
    return implementation.metric if isinstance(implementation, SegmentMean) else implementation


def explain_system(
    scorer: Scorer, system: tuple[str, Text], test_set: TestSet, segments: Iterable[int]
) -> Iterator[Explanation]:
    """Explain segments of a system, which is a name and a text; see `explanations`."""
    name, text = system
    if isinstance(scorer.setup.implementation, Jackknife):
        message = f"{scorer.spec}: a mean over sets of references has no explanation of its own; "
        message += "explain the metric without jackknifing"
        raise UsageError(message)
    if not can_explain(scorer):
        message = f"the metric {scorer.spec} does not explain its scores: it has no method explain"
        raise UsageError(message)
    ((_, (bound,), corpora),) = tokenize_systems([scorer], {name: text}, test_set)
    views = views_of_texts(bound, corpora)
    for i in segments:
        if not 0 <= i < len(text):
            message = f"no segment {i}: the segments are 0 to {len(text) - 1}"
            raise UsageError(message)
        one: dict[str, CorpusView] = {key: view.slice(i, i + 1) for key, view in views.items()}
        _refuse_long(one.values(), f"{name}, segment {i}")
        explanation = _explain(bound, one)
        yield replace(
            explanation,
            written=tuple(_written(bound, explanation, _segment_texts(bound, text, test_set, i))),
            system=name,
            segment=i,
        )


def _refuse_long(views: Iterable[CorpusView], what: str) -> None:
    """Raise an `InputError` for a segment with too many pairs of tokens."""
    for view in views:
        if isinstance(view, TokenizedCorpus):
            (h,), r = view.hypotheses.lengths, view.references.lengths.max(initial=0)
            if h * r > MOST_PAIRS:
                message = (
                    f"{what} is too long to be explained: {h} tokens, and {r} in a reference; "
                    f"expected at most {MOST_PAIRS} pairs"
                )
                raise InputError(message)


def _explain(scorer: Scorer, one: Mapping[str, CorpusView]) -> Explanation:
    """Explain the one segment of the views; the row must be that of the metric."""
    inner: Any = _inner(scorer)
    with attributed(f"the explanation of metric {scorer.setup.entry}"):
        (row,) = rows_of(inner, one)
        explanation = inner.explain(**one)
        if not isinstance(explanation, Explanation):
            message = f"expected an Explanation, got {type(explanation).__name__}"
            raise TypeError(message)
        check_row(explanation, row.tolist())
    if isinstance(scorer.setup.implementation, SegmentMean):
        row = np.append(row, 1.0)
    (values,) = scorer.values(summable(scorer, row[None])).tolist()
    return replace(explanation, values=named_values(scorer, values), spec=str(scorer.spec))


def check_row(explanation: Explanation, row: Sequence[float]) -> None:
    """Raise a `PluginError` unless an explanation has the row of the metric.

    The terms that count links or edits must have as much as these weigh.
    """
    explained = explanation.row
    if len(explained) != len(row) or not np.allclose(explained, row, TOLERANCE, TOLERANCE):
        message = f"the explanation has the row {list(explained)}, the metric {list(row)}"
        raise PluginError(message)
    items = explanation.items
    for term in explanation.terms:
        weights = [x.weight for x in items if x.kind == term.kind and term.to in (None, x.to)]
        if term.kind and not np.isclose(sum(weights), term.value, TOLERANCE, TOLERANCE):
            message = (
                f"the term {term.name} is {term.value:g}, but the links and edits of the kind "
                f"{term.kind} weigh {sum(weights):g}"
            )
            raise PluginError(message)


# Texts as they were written


def _segment_texts(scorer: Scorer, text: Text, test_set: TestSet, i: int) -> list[tuple[str, str]]:
    """Labels and texts of the hypothesis, of the references that are used, and of the source."""
    streams = test_set.references if scorer.setup.uses_references else ()
    references = [(f"reference {k}", stream[i]) for k, stream in enumerate(streams)]
    source = [] if test_set.source is None else [("source", test_set.source[i])]
    every = [("hypothesis", text[i]), *references, *source]
    return [(label, written) for label, written in every if written is not None]


def _written(
    scorer: Scorer, explanation: Explanation, texts: Sequence[tuple[str, str]]
) -> Iterator[Written]:
    sides = [explanation.hypothesis, *explanation.references, explanation.source]
    for (label, text), side in zip(texts, sides, strict=False):
        yield Written(label, text, place(_surface(scorer, side, text), text))


def _surface(scorer: Scorer, tokens: tuple[str, ...], text: str) -> Sequence[str]:
    """Tokens before they were stemmed, which are easier to find in a text."""
    for pipeline in scorer.setup.pipelines.values():
        if pipeline.tokenizer is None or not pipeline.token:
            continue
        tokenization = Tokenization()
        plain = replace(pipeline, token=())
        made = tokenization.tokenize(Text.of([text]), [pipeline, plain])
        stemmed, surface = (tokenization.vocabulary.tokens(made[p].ids) for p in (pipeline, plain))
        if tuple(stemmed) == tokens:
            return surface
    return tokens


def place(tokens: Sequence[str], text: str) -> tuple[tuple[int, int] | None, ...]:
    """Find tokens in the text that they were made of.

    Each token is taken at the first place after the one before it where the text reads like it,
    apart from case and entities. Nothing that is skipped may be part of a word, unless whole words
    are skipped.

    Parameters
    ----------
    tokens : sequence of str
        The tokens, in order.
    text : str
        The text as it was written.

    Returns
    -------
    tuple of (int, int) or None
        Start and end of each token; None for a token that is not found. Places ascend and do not
        overlap.

    Examples
    --------
    >>> place(["say", '"', "no", '"'], "Say &quot;No&quot;")
    ((0, 3), (4, 10), (10, 12), (12, 18))
    """
    places: list[tuple[int, int] | None] = []
    end = 0
    for token in tokens:
        found = next(_places(token, text, end), None)
        places.append(found)
        end = found[1] if found else end
    return tuple(places)


def _places(token: str, text: str, after: int) -> Iterator[tuple[int, int]]:
    """Places of a token behind a position, from the left."""
    skips_word = False
    for start in range(after, len(text)):
        begins = start == after or not (_in_word(text, start - 1) and _in_word(text, start))
        if begins:
            end = _match(token, text, start)
            inside = end is not None and end < len(text) and _in_word(text, end)
            if end is not None and not (skips_word and inside and _in_word(text, end - 1)):
                yield start, end
        skips_word |= _in_word(text, start)


def _in_word(text: str, position: int) -> bool:
    """Tell whether a character is one of a word to all tokenizers that drop others."""
    return text[position].isascii() and text[position].isalnum()


def _match(token: str, text: str, start: int) -> int | None:
    """End of the token, if the text reads like it from a position on."""
    rest, position = token.casefold(), start
    while rest:
        if position >= len(text):
            return None
        read, width = _character_at(text, position)
        if not rest.startswith(read) or (not read and position == start):
            return None
        rest, position = rest[len(read) :], position + width
    return position


def _character_at(text: str, position: int) -> tuple[str, int]:
    """What a tokenizer reads at a position, case-folded, and how many characters it is."""
    if text.startswith(SKIPPED, position):
        return "", len(SKIPPED)
    if text[position] == "&":
        for entity, character in ENTITIES.items():
            if text.startswith(entity, position):
                return character, len(entity)
    return text[position].casefold(), 1
