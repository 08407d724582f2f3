"""Explanations of character metrics, summarized by words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from mteval_core import Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_explain.written import WrittenExplanation

__all__ = ["by_word"]

LEAST = 0.25
"""Share of a word that must match for a link with another word."""


def by_word(explanation: WrittenExplanation) -> WrittenExplanation:
    """Summarize links between characters as links between words.

    A word is what stands between white space, and every wide character is a word. It is linked
    with the word where most of it is found. Texts whose tokens are longer than a character are
    returned as they are.
    """
    texts = (explanation.hypothesis, *explanation.references)
    if any(len(token) > 1 for text in texts for token in text):
        return explanation
    groups = [_words(explanation, k) for k in (None, *range(len(explanation.references)))]
    if all(len(own) == 1 for some in groups for own in some):
        return explanation
    words = [
        tuple("".join(text[i] for i in own) for own in some)
        for text, some in zip(texts, groups, strict=True)
    ]
    return replace(
        explanation,
        hypothesis=words[0],
        references=tuple(words[1:]),
        links=tuple(sorted(_links_of_words(explanation, groups))),
        edits=(),
        order=(),
        written=tuple(
            written._replace(places=_hull(written.places, some))
            for written, some in zip(explanation.written, groups, strict=False)
        ),
    )


def _links_of_words(
    explanation: WrittenExplanation, groups: Sequence[list[list[int]]]
) -> Iterator[Link]:
    """Link each word where the largest share of it is found, in each reference."""
    word_of = [{i: w for w, own in enumerate(some) for i in own} for some in groups]
    longest = max((len(link.hypothesis) for link in explanation.links), default=1)
    matched: dict[tuple[int, int, int], dict[int, int]] = {}
    for link in explanation.links:
        for i, j in zip(link.hypothesis, link.reference, strict=False):
            best = matched.setdefault((link.to, word_of[0][i], word_of[link.to + 1][j]), {})
            best[i] = max(best.get(i, 0), len(link.hypothesis) if link.weight else 0)
    shares = {
        place: sum(best.values()) / (longest * len(groups[0][place[1]]))
        for place, best in matched.items()
    }
    linked: set[tuple[int, int]] = set()
    for place in sorted(shares, key=lambda place: (-shares[place], place)):
        k, i, j = place
        if (k, i) not in linked and shares[place] >= LEAST:
            linked.add((k, i))
            yield Link((i,), (j,), k, "characters", weight=shares[place])


def _words(explanation: WrittenExplanation, k: int | None) -> list[list[int]]:
    """Numbers of the characters of each word."""
    words: list[list[int]] = [[]]
    for piece, i in explanation.pieces(k):
        if piece.isspace() and i is None:
            words.append([])
        elif i is not None and (piece.isspace() or east_asian_width(piece[0]) in "WF"):
            words += [[i], []]
        elif i is not None:
            words[-1].append(i)
    return [word for word in words if word]


def _hull(
    places: Sequence[tuple[int, int] | None], groups: Sequence[Sequence[int]]
) -> tuple[tuple[int, int] | None, ...]:
    """Places of groups of tokens."""
    result: list[tuple[int, int] | None] = []
    for group in groups:
        first, last = places[group[0]], places[group[-1]]
        result.append((first[0], last[1]) if first and last else None)
    return tuple(result)
