"""Explanations of chrF: character and word n-grams that both texts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Explanation, Link, Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import TokenizedCorpus

__all__ = ["explain_chrf"]


def explain_chrf(
    chars: TokenizedCorpus,
    words: TokenizedCorpus | None,
    orders: tuple[int, int],
    best: int,
) -> Explanation:
    """Explain the row of `Chrf.statistics`.

    Parameters
    ----------
    chars, words : TokenizedCorpus
        One segment as characters and as words.
    orders : (int, int)
        Largest orders of n-grams of characters and of words.
    best : int
        Number of the reference with the highest F-score.
    """
    hypothesis, references = chars.segment()
    reference = references[best]
    links, terms = _of_view(hypothesis, reference, orders[0], "character")
    if words is not None:
        word_texts = words.segment()
        pair = word_texts[0], word_texts[1][best]
        word_links, word_terms = _of_view(*pair, orders[1], "word")
        spans = [_spans(*sides) for sides in zip(pair, (hypothesis, reference), strict=True)]
        links += [_in_characters(link, spans) for link in word_links]
        terms += word_terms
    n = len(references)
    return Explanation(
        hypothesis,
        references,
        links=tuple(link._replace(to=best) for link in links),
        terms=tuple(terms),
        columns=tuple(term.name for term in terms),
        formula="chrF = (1 + beta^2) P R / (beta^2 P + R), P and R the means of m/h and m/r",
        best=best,
        why=f"reference {best} has the highest F-score of {n} references" if n > 1 else "",
    )


def _of_view(
    hypothesis: Sequence[str], reference: Sequence[str], order: int, unit: str
) -> tuple[list[Link], list[Term]]:
    """Links and terms of the n-grams of each order."""
    links, terms = [], []
    for n in range(1, order + 1):
        kind = f"{unit} {n}-gram"
        matches = Link.clipped(hypothesis, [reference], n, kind)
        h, r = (max(len(side) - n + 1, 0) for side in (hypothesis, reference))
        # If the reference is too short for an order, the order is left out in both texts.
        terms += [
            Term(f"h: {kind}s", h if r else 0, "in the hypothesis"),
            Term(f"r: {kind}s", r, "in the reference"),
            Term(f"m: {kind}s", len(matches), "in both", kind=kind),
        ]
        links += matches
    return links, terms


def _spans(words: Sequence[str], characters: Sequence[str]) -> list[tuple[int, ...]]:
    """Positions of the characters of each word."""
    solid = (i for i, character in enumerate(characters) if not character.isspace())
    return [tuple(next(solid) for _ in word) for word in words]


def _in_characters(link: Link, spans: Sequence[Sequence[tuple[int, ...]]]) -> Link:
    """Return a link of words as one of their characters."""

    def places(side: int, words: tuple[int, ...]) -> Iterator[int]:
        for word in words:
            yield from spans[side][word]

    return link._replace(
        hypothesis=tuple(places(0, link.hypothesis)), reference=tuple(places(1, link.reference))
    )
