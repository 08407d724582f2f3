"""Links between the parts that texts share, each counted as often as both texts have it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from mteval_core.explain.explanation import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Units: TypeAlias = Callable[[int], Iterable[tuple[int, ...]]]


def ngram_places(n: int) -> Units:
    """Return a function from the length of a text to the positions of each of its n-grams.

    Parameters
    ----------
    n : int
        Order of the n-grams.

    Returns
    -------
    callable
        What `clipped_links` takes as its units.

    Examples
    --------
    >>> list(ngram_places(2)(3))
    [(0, 1), (1, 2)]
    """
    return lambda length: (tuple(range(i, i + n)) for i in range(length - n + 1))


def clipped_links(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    units: Units,
    kind: str = "word",
) -> list[Link]:
    """Link the parts of a hypothesis that references have too.

    A part is linked as often as the hypothesis has it, but at most as often as the one reference
    that has it most often, the first one on ties (BLEU, section 2.1). The first occurrences are
    linked with each other, and so on.

    Parameters
    ----------
    hypothesis : sequence of str
        Tokens.
    references : sequence of sequence of str
        Tokens of each reference.
    units : callable
        From the number of tokens of a text to the positions of its parts, such as
        ``ngram_places(2)``.
    kind : str
        Kind of the links.

    Returns
    -------
    list of Link
        In the order of the hypothesis, each of weight 1.

    Examples
    --------
    >>> for link in clipped_links("the the cat".split(), ["the cat".split()], ngram_places(1)):
    ...     print(link.hypothesis, link.reference)
    (0,) (0,)
    (2,) (1,)
    """
    there = [_occurrences(reference, units) for reference in references]
    taken: Counter[tuple[str, ...]] = Counter()
    links = []
    for places in units(len(hypothesis)):
        part = tuple(hypothesis[i] for i in places)
        found = [occurrences.get(part, []) for occurrences in there]
        k = max(range(len(found)), key=lambda k: len(found[k]))
        if taken[part] < len(found[k]):
            links.append(Link(places, found[k][taken[part]], k, kind))
            taken[part] += 1
    return links


def _occurrences(
    tokens: Sequence[str], units: Units
) -> dict[tuple[str, ...], list[tuple[int, ...]]]:
    """Positions of each part of a text."""
    result: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for places in units(len(tokens)):
        result.setdefault(tuple(tokens[i] for i in places), []).append(places)
    return result
