"""Explanations with their texts as people wrote them, and the places of the tokens in these."""

from __future__ import annotations

from dataclasses import fields, replace
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import mteval_core
from mteval_core import Explanation, Mark, Scorer, State, TestSet, Text, TokenizedCorpus, metric

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from mteval_core import Spec

__all__ = ["Written", "WrittenExplanation", "explanations", "has_method", "marked", "place"]

SOURCE_SIDE = -1
"""The number that stands for the source, where others stand for references."""

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
"""What tokenizers decode."""

SKIPPED = "<skipped>"
"""What tokenizers delete, also inside a word."""


class Written(NamedTuple):
    """A text as people wrote it.

    Parameters
    ----------
    label : str
        What it is, such as ``reference 1``.
    text : str
        The segment.
    places : tuple of (int, int) or None
        Start and end of each token in it; None for a token that could not be found.
    """

    label: str
    text: str
    places: tuple[tuple[int, int] | None, ...]


class WrittenExplanation(Explanation, eq=False):
    """An explanation with its texts.

    Parameters
    ----------
    written : tuple of Written
        Hypothesis, references and source as they were written. Where they are missing, tokens with
        spaces between them stand for them.
    """

    written: tuple[Written, ...] = ()

    @classmethod
    def of(cls, explanation: Explanation, written: Iterable[Written] = ()) -> WrittenExplanation:
        """Add texts to an explanation; one that has them stays as it is."""
        if isinstance(explanation, WrittenExplanation):
            return explanation
        known = {each.name: getattr(explanation, each.name) for each in fields(explanation)}
        return cls(**known, written=tuple(written))

    @property
    def shown_references(self) -> tuple[int, ...]:
        """Numbers of the references that pictures show, the best one or all that have links."""
        if self.best is not None:
            return (self.best,)
        linked = {item.to for item in self.items} - {SOURCE_SIDE}
        return tuple(sorted(linked)) or tuple(range(len(self.references)))[:1]

    def text(self, k: int | None = None) -> Written:
        """Return a text as it was written, or its tokens with spaces between them."""
        number = 0 if k is None else (len(self.references) + 1 if k == SOURCE_SIDE else k + 1)
        if number < len(self.written):
            return self.written[number]
        tokens, places, start = self.tokens(k), [], 0
        for token in tokens:
            places.append((start, start + len(token)))
            start += len(token) + 1
        label = "hypothesis" if k is None else "source" if k == SOURCE_SIDE else f"reference {k}"
        return Written(label, " ".join(tokens), tuple(places))

    def pieces(self, k: int | None = None) -> Iterator[tuple[str, int | None]]:
        """Cut a text into its tokens and what is between them.

        Yields
        ------
        (str, int or None)
            A piece of the text as it was written, and the number of the token that it is. If a
            token could not be found there, the pieces are the tokens, with spaces between them.
        """
        _, text, places = self.text(k)
        if None in places:
            for i, token in enumerate(self.tokens(k)):
                yield from ((" ", None), (token, i)) if i else ((token, i),)
            return
        end = 0
        for i, place in enumerate(places):
            start, stop = place or (end, end)
            if start > end:
                yield text[end:start], None
            yield text[start:stop], i
            end = stop
        if end < len(text):
            yield text[end:], None

    def words(self, k: int | None = None) -> list[str]:
        """Return each token as it was written, or as it was scored if it could not be found."""
        return [piece for piece, i in self.pieces(k) if i is not None]

    def to_dict(self) -> dict[str, object]:
        """Return everything as a mapping that JSON can hold."""
        texts = [self.text(), *(self.text(k) for k in range(len(self.references)))]
        tokens = [self.hypothesis, *self.references]
        if self.source:
            texts.append(self.text(SOURCE_SIDE))
            tokens.append(self.source)
        return {
            "system": self.system,
            "metric": self.spec,
            "segment": self.segment,
            "values": {name: None if isnan(x) else x for name, x in self.values.items()},
            "formula": self.formula,
            "best": self.best,
            "why": self.why,
            "remarks": list(self.remarks),
            "row": list(self.row),
            "columns": list(self.columns),
            "terms": [term._asdict() for term in self.terms],
            "texts": [
                {**written._asdict(), "tokens": list(scored)}
                for written, scored in zip(texts, tokens, strict=True)
            ],
            "links": [link._asdict() for link in self.links],
            "edits": [edit._asdict() for edit in self.edits],
            "order": list(self.order),
            "marks": [mark._asdict() for mark in self.marks or ()],
        }


def explanations(
    spec: str | Spec | Scorer,
    hypotheses: Sequence[str] | Text,
    references: Sequence[Sequence[str | None]] | TestSet = (),
    *,
    segments: Iterable[int] | None = None,
    source: Sequence[str] | Text | None = None,
    missing: Container[int] = (),
) -> list[WrittenExplanation]:
    """Explain the scores of segments, with their texts; see `mteval_core.explanations`.

    Of segments that the metric could not score, `missing`, there are only the texts.
    """
    text = Text.of(hypotheses, "the hypotheses")
    test_set = TestSet.of(references, source=source, n_hypotheses=len(text))
    scorer = spec if isinstance(spec, Scorer) else metric(spec)
    if has_method(scorer, "marks") and not has_method(scorer, "explain"):
        scores = scorer.sentence_scores(text, test_set)
        of_marks = marked(scorer, text, test_set, segments)
        return [replace(one, values=scores[one.segment].values) for one in of_marks]
    some = None if segments is None else list(segments)
    numbers = range(len(text)) if some is None else some
    scored = [i for i in numbers if i not in missing]
    made = mteval_core.explanations(scorer, text, test_set, segments=scored)
    known = {one.segment: one for one in made}
    found = [known.get(i) or whole(scorer, text, test_set, i) for i in numbers]
    if has_method(scorer, "marks"):
        marks = Mark.of(scorer, text, test_set, segments=some)
        found = [replace(one, marks=own) for one, own in zip(found, marks, strict=True)]
    texts = (_segment_texts(scorer, text, test_set, one.segment) for one in found)
    pairs = zip(found, texts, strict=True)
    return [WrittenExplanation.of(one, _written(scorer, one, own)) for one, own in pairs]


def has_method(scorer: Scorer, name: str) -> bool:
    """Tell whether the class of a metric, which the host may have wrapped, has a method."""
    implementation = scorer.setup.implementation
    return hasattr(getattr(implementation, "metric", implementation), name)


def marked(
    scorer: Scorer, text: Text, test_set: TestSet, segments: Iterable[int] | None = None
) -> list[WrittenExplanation]:
    """Explain segments by nothing but the marks of a metric: each text is one token.

    Parameters
    ----------
    scorer : Scorer
        A metric with a method ``marks``.
    text : Text
        The hypotheses.
    test_set : TestSet
        The other texts.
    segments : iterable of int, optional
        Numbers of the segments (default: all, which the metric marks in one call).

    Returns
    -------
    list of WrittenExplanation
        Without the values of the segments.
    """
    some = None if segments is None else list(segments)
    numbers = range(len(text)) if some is None else some
    marks = Mark.of(scorer, text, test_set, segments=some)
    pairs = zip(numbers, marks, strict=True)
    return [replace(whole(scorer, text, test_set, i), marks=own) for i, own in pairs]


def whole(scorer: Scorer, text: Text, test_set: TestSet, i: int) -> WrittenExplanation:
    """Return the texts of a segment, each as one token, without any explanation."""
    texts = _segment_texts(scorer, text, test_set, i)
    sides: dict[str, list[str]] = {label.split()[0]: [] for label, _ in texts}
    for label, written in texts:
        sides[label.split()[0]].append(written)
    return WrittenExplanation(
        (text[i] or "",),
        tuple((reference,) for reference in sides.get("reference", ())),
        links=(),
        terms=(),
        columns=(),
        source=tuple(sides.get("source", ())),
        spec=str(scorer.spec),
        segment=i,
        written=tuple(Written(label, written, ((0, len(written)),)) for label, written in texts),
    )


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
        if pipeline.tokenizer is not None and pipeline.token:
            plain = replace(pipeline, token=())
            stemmed, surface = (_tokens(scorer, one, text) for one in (pipeline, plain))
            if stemmed == tokens:
                return surface
    return tokens


def _tokens(scorer: Scorer, pipeline: Any, text: str) -> tuple[str, ...]:
    """Tokenize a text with a pipeline of a metric."""
    nothing: Any = None  # which is not prepared on references, as some metrics are
    pipelines = {"text": replace(pipeline, of="texts")}
    setup = replace(scorer.setup, pipelines=pipelines, implementation=nothing)
    state = State(replace(scorer, setup=setup))
    view = state.views([text], [[text]], source=[text])["text"]
    assert isinstance(view, TokenizedCorpus)
    return view.segment()[0]


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
