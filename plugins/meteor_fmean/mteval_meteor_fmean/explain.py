"""Explanations of METEOR and F-means: links by module, chunks, and the best reference.

The links of METEOR are those of the alignment kernels; chunks and words are counted here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Explanation, Link, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_meteor_fmean.meteor import Alignment

    Words = tuple[str, ...]
    Texts = tuple[Words, tuple[Words, ...]]

__all__ = ["Explainer", "explain_matches"]

Formula = Callable[[Sequence[float]], float]
"""From the row of a reference to its score."""


def explain_matches(texts: Texts, score: Formula) -> Explanation:
    """Explain the row of `Precision.statistics`: clipped matches and lengths.

    Parameters
    ----------
    texts : (tuple of str, tuple of tuple of str)
        Tokens of the hypothesis, and of each reference.
    score : callable
        Computes the score from a row.
    """
    hypothesis, references = texts
    candidates = []
    for k, reference in enumerate(references):
        matches = Link.clipped(hypothesis, [reference])
        links = [link._replace(to=k) for link in matches]
        terms = (
            Term("m", len(links), "words in both texts", kind="word"),
            Term("h", len(hypothesis), "words of the hypothesis"),
            Term("r", len(reference), "words of the reference"),
        )
        candidates.append((links, terms))
    return _best_of(texts, candidates, score, "P = m / h, R = m / r, Fmean = 10 P R / (9 P + R)")


class Explainer(NamedTuple):
    """What it takes to explain METEOR.

    Parameters
    ----------
    modules : tuple of str
        The modules.
    functions : frozenset of str or None
        Function words, if they have a weight of their own.
    identical_texts_have_no_chunk : bool
        Whether texts that match entirely, in one chunk, have no penalty.
    score : callable
        Computes the score from a row.
    """

    modules: tuple[str, ...]
    functions: frozenset[str] | None
    identical_texts_have_no_chunk: bool
    score: Formula

    def explain(self, texts: Texts, alignment: Alignment) -> Explanation:
        """Explain the row of `Meteor.statistics`."""
        hypothesis, references = texts
        places, n_relations, phrases, _ = alignment
        of_words = zip(*(each.tolist() for each in places), strict=True)
        candidates = []
        for k, reference in enumerate(references):
            links = []
            for j, (i, kind) in enumerate(islice(of_words, len(reference))):
                n = m = 1
                if phrases and kind >= n_relations:
                    _, m, _, n, _ = phrases[1][kind - n_relations].tolist()
                if i >= 0:
                    words, module = (*range(i, i + n),), self.modules[min(kind, n_relations)]
                    links.append(Link(words, (*range(j, j + m),), k, module, weight=n))
            candidates.append((links, tuple(self.terms(hypothesis, reference, links))))
        formula = "METEOR = Fmean (1 - penalty), penalty = gamma (chunks / m)^beta"
        return _best_of(texts, candidates, self.score, formula)

    def terms(self, hypothesis: Words, reference: Words, links: list[Link]) -> Iterator[Term]:
        """Counts of the hypothesis and one reference."""
        yield Term("|h|", len(hypothesis), "words of the hypothesis")
        yield Term("|r|", len(reference), "words of the reference")
        yield self.chunks(hypothesis, reference, links)
        for side in ("h", "r"):
            for module in self.modules:
                of_module = [link for link in links if link.kind == module]
                n = sum(len(_places(link, side)) for link in of_module)
                yield Term(f"m({side}, {module})", n, kind=module if side == "h" else "")
        if self.functions is not None:
            yield from self.function_words(hypothesis, reference, links)

    def chunks(self, hypothesis: Words, reference: Words, links: list[Link]) -> Term:
        """Groups of links that are adjacent and in the same order in both texts."""
        chunks, end = 0, (-1, -1)
        for link in links:
            start = link.hypothesis[0], link.reference[0]
            chunks += start != end or chunks == 0
            end = link.hypothesis[-1] + 1, link.reference[-1] + 1
        n_matched = [sum(len(_places(link, side)) for link in links) for side in "hr"]
        whole = n_matched == [len(hypothesis), len(reference)] and chunks == 1
        if whole and self.identical_texts_have_no_chunk:
            return Term("chunks", 0, "none, as both texts match entirely in one chunk")
        return Term("chunks", chunks, "groups of links adjacent and in order in both texts")

    def function_words(
        self, hypothesis: Words, reference: Words, links: list[Link]
    ) -> Iterator[Term]:
        """Function words of both texts, and those that each module matches."""
        texts = {"h": hypothesis, "r": reference}
        is_function = {
            side: [word.lower() in (self.functions or ()) for word in words]
            for side, words in texts.items()
        }
        for side, marks in is_function.items():
            yield Term(f"function words of {side}", sum(marks))
        for side, marks in is_function.items():
            for module in self.modules:
                of_module = [link for link in links if link.kind == module]
                n = sum(marks[i] for link in of_module for i in _places(link, side))
                yield Term(f"function words, m({side}, {module})", n)


def _places(link: Link, side: str) -> tuple[int, ...]:
    return link.hypothesis if side == "h" else link.reference


def _best_of(
    texts: Texts,
    candidates: Sequence[tuple[list[Link], tuple[Term, ...]]],
    score: Formula,
    formula: str,
) -> Explanation:
    """Explain by the reference with the highest score, the first one on ties."""
    scores = [score([term.value for term in terms]) for _, terms in candidates]
    best = scores.index(max(scores))
    links, terms = candidates[best]
    listed = ", ".join(f"{100 * value:.2f}" for value in scores)
    return Explanation(
        *texts,
        links=tuple(links),
        terms=terms,
        columns=tuple(term.name for term in terms),
        formula=formula,
        best=best,
        why=f"reference {best} has the highest score of {listed}" if len(scores) > 1 else "",
    )
