"""Explanations of BLEU and NIST: clipped n-grams of each order, and lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import Explanation, Link, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    Texts = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]

__all__ = ["clipped", "explain_bleu", "explain_nist"]

CLIPPED = "every n-gram counts as often as in the reference that has it most often"
"""How several references count (sec. 2.1)."""


def explain_bleu(texts: Texts, order: int, bp: str) -> Explanation:
    """Explain the row of `Bleu.statistics`.

    Parameters
    ----------
    texts : (tuple of str, tuple of tuple of str)
        Tokens of the hypothesis, and of each reference.
    order, bp
        Options of the metric.
    """
    hypothesis, references = texts
    c, lengths = len(hypothesis), [len(reference) for reference in references]
    # sec. 2.2.2    r is the best match length: the closest one, the shorter of two
    best = {
        "closest": min(lengths, key=lambda length: (abs(length - c), length)),
        "shortest": min(lengths),
        "average": sum(lengths) / len(lengths),
    }
    r = best[bp]
    how = f"{bp} of the reference lengths {', '.join(map(str, lengths))}"
    links = clipped(texts, order)
    terms, names = _counts(links, c, order)
    return Explanation(
        hypothesis,
        references,
        links=tuple(links),
        terms=(Term("c", c, "tokens of the hypothesis"), Term("r", r, how), *terms),
        columns=("c", "r", *names),
        formula="BLEU = BP exp(mean of log p_n), p_n = m_n / t_n, BP = min(1, e^(1 - r/c))",
        why=CLIPPED if len(references) > 1 else "",
    )


def explain_nist(
    texts: Texts, order: int, links: Sequence[Link], information: Sequence[Sequence[float]]
) -> Explanation:
    """Explain the row of `Nist.statistics`.

    Parameters
    ----------
    texts : (tuple of str, tuple of tuple of str)
        Tokens of the hypothesis, and of each reference.
    order : int
        Option of the metric.
    links : sequence of Link
        The clipped matches.
    information : sequence of sequence of float
        For each order, the weight of the n-gram that ends at each token of the hypothesis.
    """
    hypothesis, references = texts
    c, r = len(hypothesis), sum(map(len, references)) / len(references)
    links = [
        link._replace(weight=information[len(link.hypothesis) - 1][link.hypothesis[-1]])
        for link in links
    ]
    terms, names = _counts(links, c, order)
    lengths = Term("c", c, "tokens of the hypothesis"), Term("r", r, "mean reference length")
    return Explanation(
        hypothesis,
        references,
        links=tuple(links),
        terms=(*lengths, *terms),
        columns=("c", "r", *names),
        formula="NIST = BP sum of m_n / t_n, where m_n is the information of the matches in bits",
        why=CLIPPED if len(references) > 1 else "",
    )


def clipped(texts: Texts, order: int) -> list[Link]:
    """Clipped matches of the n-grams of each order (sec. 2.1)."""
    return [link for n in range(1, order + 1) for link in Link.clipped(*texts, n, f"{n}-gram")]


def _counts(links: Sequence[Link], c: int, order: int) -> tuple[list[Term], list[str]]:
    """Matches and n-grams of each order, and the names of these terms."""
    orders = range(1, order + 1)
    matched = [
        Term(f"m{n}", sum(x.weight for x in links if len(x.hypothesis) == n), kind=f"{n}-gram")
        for n in orders
    ]
    total = [Term(f"t{n}", max(c - n + 1, 0), f"{n}-grams of the hypothesis") for n in orders]
    terms = [*matched, *total]
    return terms, [term.name for term in terms]
