"""Scene: the content of a picture of an explanation, before it is drawn.

*Spans*: how long the longest part is that matches at each token, or the marks of the metric.
*Lines*: the hypothesis above the reference, in columns. *Grid*: hits and runs of the references,
across, and the hypothesis, down, as in Melamed, Green and Turian (2003).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Literal, NamedTuple

from mteval_core import Link
from mteval_explain.words import by_word
from mteval_explain.written import SOURCE_SIDE, WrittenExplanation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mteval_core import Mark

    PictureKind = Literal["spans", "lines", "grid"]

__all__ = [
    "OMITTED",
    "SEVERITIES",
    "Column",
    "Grid",
    "MarkedText",
    "Spans",
    "Square",
    "columns",
    "grid",
    "largest",
    "marked",
    "remark",
    "shown",
    "spans",
    "strengths",
]

STRONGEST = 4
"""Largest strength of a token, also that of matches that are longer."""

PAIRED = {"exact": "|", "stem": "~", "synonym": "s", "paraphrase": "p"}
"""Marks of links that name their module; other links have the first one."""


SEVERITIES = ("", "neutral", "minor", "major", "critical")
"""The severities of marks, by their level."""

OMITTED = "‸"
"""What stands where a mark says that something is missing."""


# Spans


def strengths(explanation: WrittenExplanation, k: int | None = None) -> list[int]:
    """Return, for each token of a text, how many tokens the longest match there has, up to 4.

    Parameters
    ----------
    explanation : WrittenExplanation
        The explanation, after `by_word`.
    k : int, optional
        Number of the reference (default: the hypothesis).

    Returns
    -------
    list of int
        0 for a token without a match; 4 also for whole words of characters.
    """
    result = [0] * len(explanation.tokens(k))
    for link in explanation.links:
        if not link.weight or (k is not None and link.to != k):
            continue
        size = min(len(link.hypothesis), STRONGEST)
        if link.kind == "characters":
            size = max(1, round(STRONGEST * min(link.weight, 1.0)))
        for i in link.hypothesis if k is None else link.reference:
            result[i] = max(result[i], size)
    return result


class Spans(NamedTuple):
    """A text cut into what matches and what does not, or into what is marked and what is not.

    Parameters
    ----------
    label : str
        What the text is, such as ``reference 1``.
    text : str
        The text as it was written.
    pieces : list of (str, int)
        Its pieces, and how many tokens the longest match there has, up to 4; 0 without a match. Or
        the number of the worst severity there, from 1 to 4; 0 without a mark.
    """

    label: str
    text: str
    pieces: list[tuple[str, int]]


def spans(explanation: WrittenExplanation) -> list[Spans]:
    """Cut the hypothesis and the references that count into what matches and what does not.

    Parameters
    ----------
    explanation : WrittenExplanation
        The explanation. Links between characters are summarized as links between words.

    Returns
    -------
    list of Spans
        The hypothesis first.

    Examples
    --------
    >>> from mteval_explain.written import explanations
    >>> (explanation,) = explanations("wer", ["a cat"], [["the cat"]])
    >>> [text.pieces for text in spans(explanation)]
    [[('a', 0), (' ', 0), ('cat', 1)], [('the', 0), (' ', 0), ('cat', 1)]]
    """
    if explanation.marks is not None:
        return [
            Spans(
                label, text, [(word, _level(own)) for piece, own in pieces for word in words(piece)]
            )
            for label, text, pieces in marked(explanation)
        ]
    explanation = by_word(explanation)
    result = []
    for k in (None, *explanation.shown_references):
        marks = strengths(explanation, k)
        pieces = [(piece, 0 if i is None else marks[i]) for piece, i in explanation.pieces(k)]
        label, text, _ = explanation.text(k)
        result.append(Spans(label, text, pieces))
    return result


def words(piece: str) -> list[str]:
    """Cut a piece of text into words and the white space between them, where lines can break."""
    return re.findall(r"\s+|\S+", piece)


def _level(marks: Iterable[Mark]) -> int:
    return max((SEVERITIES.index(mark.severity) for mark in marks), default=0)


class MarkedText(NamedTuple):
    """A text cut at the ends of its marks.

    Parameters
    ----------
    label : str
        What the text is, such as ``source``.
    text : str
        The text as it was written.
    pieces : list of (str, tuple of Mark)
        Its pieces and the marks of each, the worst first. An omission is a piece of its own.
    """

    label: str
    text: str
    pieces: list[tuple[str, tuple[Mark, ...]]]


def marked(explanation: WrittenExplanation) -> list[MarkedText]:
    """Cut the texts at the ends of their marks.

    Returns
    -------
    list of MarkedText
        The hypothesis, then the source, then the references that have marks. Without a source, the
        references that are shown in any case.

    Raises
    ------
    ValueError
        If the explanation has marks of texts as they were written, but not these texts.
    """
    marks = sorted(explanation.marks or (), key=lambda m: -SEVERITIES.index(m.severity))
    if marks and not explanation.written and len(explanation.hypothesis) != 1:
        raise ValueError(
            "marks count characters of the texts as they were written, which are missing: take the "
            "explanation from mteval_explain.written.explanations"
        )
    references = {mark.to for mark in marks if mark.side == "reference"}
    references |= set() if explanation.source else {*explanation.shown_references}
    sides: list[tuple[str, int | None]] = [("hypothesis", None)]
    sides += [("source", SOURCE_SIDE)] if explanation.source else []
    sides += [("reference", k) for k in sorted(references)]
    result = []
    for side, k in sides:
        label, text, _ = explanation.text(k)
        own = [m for m in marks if m.side == side and (side != "reference" or m.to == k)]
        result.append(MarkedText(label, text, list(_cut(text, own))))
    return result


def _cut(text: str, marks: Sequence[Mark]) -> Iterator[tuple[str, tuple[Mark, ...]]]:
    """Cut a text at the ends of its marks."""
    cuts = sorted({0, len(text), *(end for mark in marks for end in (mark.start, mark.end))})
    for n, here in enumerate(cuts):
        if missing := tuple(m for m in marks if m.start == m.end == here):
            yield OMITTED, missing
        for there in cuts[n + 1 : n + 2]:
            yield text[here:there], tuple(m for m in marks if m.start <= here and there <= m.end)


def remark(mark: Mark) -> str:
    """Say what a mark says: severity, category, note and confidence.

    Examples
    --------
    >>> from mteval_core import Mark
    >>> remark(Mark("hypothesis", 0, 3, "major", "number", 0.9, "13 is missing"))
    'major number: 13 is missing (confidence 0.90)'
    """
    known = "" if mark.confidence is None else f" (confidence {mark.confidence:.2f})"
    return f"{f'{mark.severity} {mark.category}'.strip()}{mark.note and f': {mark.note}'}{known}"


def shown(
    explanation: WrittenExplanation, pictures: Sequence[PictureKind]
) -> Sequence[PictureKind]:
    """Return the pictures of an explanation; of marks alone, or without a score, the spans."""
    is_explained = explanation.marks is None and explanation.terms
    return pictures if explanation.items or is_explained else ("spans",)


# Lines


class Column(NamedTuple):
    """A column of the picture of lines.

    Parameters
    ----------
    hypothesis, reference : str
        The words above and below; empty without one.
    mark : str
        What is between them.
    kind : {"hit", "edit", "moved"}
        Whether the words match, or only one text has the word, or it matches elsewhere.
    """

    hypothesis: str
    reference: str
    mark: str
    kind: str


class Marks(NamedTuple):
    """What is written between words, by their positions.

    Parameters
    ----------
    pairs : dict of int to (int, str)
        Word of the reference that belongs to a word of the hypothesis, and their mark.
    above, below : dict of int to str
        Numbers of matches out of order, for words of the hypothesis and of the reference.
    moved : dict of int to str
        Numbers of the shifts, for words of the hypothesis.
    alone : (str, str)
        Marks of words that only the hypothesis or only the reference has.
    """

    pairs: dict[int, tuple[int, str]]
    above: dict[int, str]
    below: dict[int, str]
    moved: dict[int, str]
    alone: tuple[str, str]

    def only_above(self, i: int, word: str) -> Column:
        """Return the column of a word of the hypothesis alone."""
        mark = self.above.get(i, self.alone[0] + self.moved.get(i, ""))
        return Column(word, "", mark, "moved" if i in self.above else "edit")

    def only_below(self, j: int, word: str) -> Column:
        """Return the column of a word of the reference alone."""
        mark = self.below.get(j, self.alone[1])
        return Column("", word, mark, "moved" if j in self.below else "edit")

    def both(self, i: int, word: str, other: str) -> Column:
        """Return the column of two words that belong together."""
        _, mark = self.pairs[i]
        kind = "edit" if mark == "S" else "moved" if i in self.moved else "hit"
        if i in self.moved:
            mark = mark.replace("|", "") + self.moved[i]
        return Column(word, other, mark, kind)


def columns(explanation: WrittenExplanation, k: int) -> list[Column]:
    """Put the hypothesis above reference k.

    Matches in the same order are in one column. Of those that cross, the longest sequence in order
    is; the others have the same number in both texts. After shifts, the hypothesis is in its new
    order, and the numbers are those of the shifts.
    """
    above, below = explanation.words(), explanation.words(k)
    order = explanation.order or tuple(range(len(above)))
    place = {i: n for n, i in enumerate(order)}
    pairs = {i: (j, mark) for i, j, mark in _pairs(explanation, k)}
    chain = _in_order([(place[i], j) for i, (j, _) in pairs.items()])
    marks = _marks(explanation, pairs, in_order={order[n] for n, _ in chain})
    result = []
    m = j = 0
    for here, there in [*chain, (len(order), len(below))]:
        result += [marks.only_below(x, below[x]) for x in range(j, there)]
        result += [marks.only_above(i, above[i]) for i in order[m:here]]
        if here < len(order):
            result.append(marks.both(order[here], above[order[here]], below[there]))
        m, j = here + 1, there + 1
    return result


def _marks(
    explanation: WrittenExplanation, pairs: dict[int, tuple[int, str]], *, in_order: set[int]
) -> Marks:
    crossing = {i: pairs[i][0] for i in sorted(set(pairs) - in_order)}
    numbers = _numbered_runs(crossing)
    shifts = [edit for edit in explanation.edits if edit.kind == "shift"]
    return Marks(
        pairs,
        above=numbers,
        below={crossing[i]: number for i, number in numbers.items()},
        moved={i: f"{n}" for n, edit in enumerate(shifts, 1) for i in edit.hypothesis},
        alone=("I", "D") if explanation.edits else ("+", "-"),
    )


def _numbered_runs(pairs: dict[int, int]) -> dict[int, str]:
    """Number the runs of pairs, which are in the order of the hypothesis."""
    numbers: dict[int, str] = {}
    n = 0
    for i, j in pairs.items():
        n += pairs.get(i - 1) != j - 1
        numbers[i] = f"{n}"
    return numbers


def _pairs(explanation: WrittenExplanation, k: int) -> Iterator[tuple[int, int, str]]:
    """Tokens of the hypothesis and of reference k that belong together, with their mark."""
    for link in largest(explanation, k):
        for i, j in zip(link.hypothesis, link.reference, strict=False):
            yield i, j, PAIRED.get(link.kind, "|")
    for edit in explanation.edits:
        if edit.kind == "substitution" and edit.to == k:
            yield edit.hypothesis[0], edit.reference[0], "S"


def largest(explanation: WrittenExplanation, k: int) -> list[Link]:
    """Return the links with reference k that count, without those that contradict longer ones.

    Two links contradict each other if they pair a token with different ones.
    """
    partner: tuple[dict[int, int], dict[int, int]] = {}, {}
    kept = []
    for link in sorted(explanation.links, key=lambda link: -len(link.hypothesis)):
        pairs = list(zip(link.hypothesis, link.reference, strict=False))
        agree = all(partner[0].get(i, j) == j and partner[1].get(j, i) == i for i, j in pairs)
        if link.to == k and link.weight and agree:
            kept.append(link)
            partner[0].update(pairs)
            partner[1].update((j, i) for i, j in pairs)
    return sorted(kept, key=lambda link: link.hypothesis)


def _in_order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Longest sequence of pairs that ascends on both sides."""
    ends: list[int] = []  # smallest last j of a sequence of each length
    at: list[int] = []
    before: list[int] = []
    ordered = sorted(pairs)
    for n, (_, j) in enumerate(ordered):
        length = bisect_left(ends, j)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        at[length : length + 1] = [n]
    result = []
    n = at[-1] if at else -1
    while n >= 0:
        result.append(ordered[n])
        n = before[n]
    return result[::-1]


# Grid


class Square(NamedTuple):
    """A run in the grid: its first column and row, its length, and whether it counts."""

    across: int
    down: int
    size: int
    counts: bool


class Grid(NamedTuple):
    """Hits and runs of two texts.

    Parameters
    ----------
    across, down : list of str
        Words of the references and of the hypothesis.
    hits : set of (int, int)
        Places, across and down, of equal words.
    squares : list of Square
        The runs of the matching.
    barriers : list of int
        Columns before which a new reference begins.
    """

    across: list[str]
    down: list[str]
    hits: set[tuple[int, int]]
    squares: list[Square]
    barriers: list[int]


def grid(explanation: WrittenExplanation) -> Grid:
    """Draw the references that count across, one after the other, and the hypothesis down."""
    across: list[str] = []
    hits: set[tuple[int, int]] = set()
    squares: list[Square] = []
    barriers = []
    for k in explanation.shown_references:
        first = len(across)
        barriers += [first] if first else []
        across += explanation.words(k)
        counted = {pair for link in largest(explanation, k) for pair in _cells(link)}
        links = [link for link in explanation.links if link.to == k]
        found = {pair for x in links if not x.weight for pair in _cells(x)} - counted
        for cells, counts in ((counted, True), (found, False)):
            for i, j, size in _diagonals(cells):
                squares.append(Square(first + j, i, size, counts))
        hits |= {(first + j, i) for i, j in counted | found}
        hits |= {
            (first + j, i)
            for i, word in enumerate(explanation.hypothesis)
            for j, other in enumerate(explanation.references[k])
            if word == other
        }
    return Grid(across, explanation.words(), hits, squares=squares, barriers=barriers)


def _cells(link: Link) -> Iterator[tuple[int, int]]:
    return zip(link.hypothesis, link.reference, strict=False)


def _diagonals(cells: set[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Start and length of each diagonal of cells."""
    for i, j in sorted(cells):
        if (i - 1, j - 1) not in cells:
            size = 1
            while (i + size, j + size) in cells:
                size += 1
            yield i, j, size
