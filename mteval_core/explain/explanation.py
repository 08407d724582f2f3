"""Explanation of a segment score: links between texts, edits, and terms of the formula."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    Units: TypeAlias = Callable[[int], Iterable[tuple[int, ...]]]

SOURCE_SIDE = -1
"""The number that stands for the source, where others stand for references."""

Places = tuple[int, ...]
"""Positions of tokens in a text, ascending."""


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
        known = (self.system, f"segment {self.segment}", self.spec)
        return ", ".join(part for part in known if part)

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
