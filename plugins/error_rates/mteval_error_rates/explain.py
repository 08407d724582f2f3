"""Explanations of WER, PER, SER and TER: edits against the reference that needs fewest.

The alignments are found in plain Python. That of WER is the one that jiwer reports, see `hits`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Edit, Explanation, Link, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Words = tuple[str, ...]
    Texts = tuple[Words, tuple[Words, ...]]

__all__ = ["Shifted", "edits_of", "explain_per", "explain_ser", "explain_ter", "explain_wer"]

KINDS = ("hit", "substitution", "deletion", "insertion")

Pairs = list[tuple[int, int]]
"""Positions in hypothesis and reference of words that are aligned, hits or substitutions."""


class Steps(NamedTuple):
    """An alignment of the hypothesis with reference k."""

    links: tuple[Link, ...]
    edits: tuple[Edit, ...]

    def count(self, kind: str) -> int:
        """Count the hits or the edits of a kind."""
        kinds = [link.kind for link in self.links] + [edit.kind for edit in self.edits]
        return kinds.count(kind)

    def term(self, kind: str) -> Term:
        """Return that count as a term."""
        return Term(f"{kind}s", self.count(kind), kind=kind)


def explain_wer(
    texts: Texts, *, over: str, kinds: bool, rate: Callable[[Sequence[float]], float]
) -> Explanation:
    """Explain the row of `Wer.statistics`.

    Parameters
    ----------
    texts : (tuple of str, tuple of tuple of str)
        Tokens of the hypothesis, and of each reference.
    over, kinds
        Options of the metric.
    rate : callable
        Computes the rate from a row.
    """
    hypothesis, references = texts
    candidates = []
    for k, reference in enumerate(references):
        steps = edits_of(hypothesis, reference, pairs_of_wer(hypothesis, reference), k)
        counts = tuple(map(steps.term, KINDS))
        length = len(reference) if over == "reference" else len(hypothesis)
        edits = Term("edits", len(steps.edits), "substitutions + deletions + insertions")
        lengths = Term("length", length, f"words of the {over}")
        candidates.append((steps, (*counts, edits, lengths)))
    columns = tuple(f"{kind}s" for kind in KINDS) if kinds else ("edits", "length")
    return _lowest(texts, candidates, columns, rate)


def pairs_of_wer(hypothesis: Words, reference: Words) -> Pairs:
    """Align by the fewest edits; of several alignments, the one that `hits` describes."""
    start = _n_equal(hypothesis, reference)
    end = _n_equal(hypothesis[start:][::-1], reference[start:][::-1])
    ours, theirs = hypothesis[start : len(hypothesis) - end], reference[start:]
    theirs = theirs[: len(theirs) - end]
    d = _distances(ours, theirs)
    i, j = len(ours), len(theirs)
    middle: Pairs = []
    while i and j:
        if d[i][j] == d[i][j - 1] + 1:
            j -= 1  # a deletion
        elif i > 1 and d[i - 1][j] < d[i - 1][j - 1]:
            i -= 1  # an insertion
        else:
            i, j = i - 1, j - 1
            middle.append((start + i, start + j))
    first = [(i, i) for i in range(start)]
    last = [(len(hypothesis) - n, len(reference) - n) for n in range(end, 0, -1)]
    return [*first, *reversed(middle), *last]


def _n_equal(one: Words, other: Words) -> int:
    """Count the words with which both texts begin."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _distances(hypothesis: Words, reference: Words) -> list[list[int]]:
    """Edit distance of the first i words of the hypothesis and the first j of the reference."""
    rows = [list(range(len(reference) + 1))]
    for i, word in enumerate(hypothesis, 1):
        row = [i]
        for j, other in enumerate(reference, 1):
            above = rows[-1]
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (word != other)))
        rows.append(row)
    return rows


def edits_of(hypothesis: Words, reference: Words, pairs: Pairs, k: int = 0) -> Steps:
    """List the hits and edits of an alignment, in the order of the texts."""
    links, edits = [], []
    i = j = 0
    for here, there in [*pairs, (len(hypothesis), len(reference))]:
        edits += [Edit("deletion", (), (x,), k) for x in range(j, there)]
        edits += [Edit("insertion", (x,), (), k) for x in range(i, here)]
        if here < len(hypothesis) and there < len(reference):
            if hypothesis[here] == reference[there]:
                links.append(Link((here,), (there,), k, "hit"))
            else:
                edits.append(Edit("substitution", (here,), (there,), k))
        i, j = here + 1, there + 1
    return Steps(tuple(links), tuple(edits))


def explain_per(texts: Texts, rate: Callable[[Sequence[float]], float]) -> Explanation:
    """Explain the row of `Per.statistics`: words in common, in any order."""
    hypothesis, references = texts
    candidates = []
    for k, reference in enumerate(references):
        matches = Link.clipped(hypothesis, [reference])
        terms = (
            Term("c", len(matches), "words in common", kind="word"),
            Term("h", len(hypothesis), "words of the hypothesis"),
            Term("r", len(reference), "words of the reference"),
        )
        steps = Steps(tuple(link._replace(to=k) for link in matches), ())
        candidates.append((steps, terms))
    return _lowest(texts, candidates, ("c", "h", "r"), rate)


def explain_ser(texts: Texts) -> Explanation:
    """Explain the row of `Ser.statistics`: whether the segment equals a reference."""
    hypothesis, references = texts
    steps = [
        edits_of(hypothesis, reference, pairs_of_wer(hypothesis, reference), k)
        for k, reference in enumerate(references)
    ]
    best = min(range(len(steps)), key=lambda k: len(steps[k].edits))
    wrong = Term("wrong", float(bool(steps[best].edits)), "1 if no reference is equal")
    return Explanation(
        *texts,
        links=steps[best].links,
        edits=steps[best].edits,
        terms=(wrong, Term("segments", 1)),
        columns=("wrong", "segments"),
        formula="SER = wrong / segments",
        best=best,
        why=f"reference {best} is the nearest one" if len(references) > 1 else "",
    )


def _lowest(
    texts: Texts,
    candidates: Sequence[tuple[Steps, tuple[Term, ...]]],
    columns: tuple[str, ...],
    rate: Callable[[Sequence[float]], float],
) -> Explanation:
    """Explain by the reference with the lowest rate, the first one on ties."""
    rates = []
    for _, terms in candidates:
        value = {term.name: term.value for term in terms}
        rates.append(rate([value[name] for name in columns]))
    best = rates.index(min(rates))
    steps, terms = candidates[best]
    listed = ", ".join(f"{100 * value:.2f}" for value in rates)
    formulas = {"c": "PER = (r - c + max(0, h - r)) / r"}
    return Explanation(
        *texts,
        links=steps.links,
        edits=steps.edits,
        terms=terms,
        columns=columns,
        formula=formulas.get(columns[0], "WER = edits / length"),
        best=best,
        why=f"reference {best} has the lowest rate of {listed}" if len(rates) > 1 else "",
    )


# TER


class Shifted(NamedTuple):
    """The result of a search for shifts.

    Parameters
    ----------
    shifts : list of (list of int, int)
        For each shift the positions of the moved words in the hypothesis as it was written, and
        that of the word before them after the shift, -1 at the front.
    order : list of int
        Positions of the hypothesis in the order after all shifts.
    pairs : list of (int, int)
        Alignment of the shifted hypothesis with the reference.
    """

    shifts: list[tuple[list[int], int]]
    order: list[int]
    pairs: Pairs

    def steps(self, hypothesis: Words, reference: Words, k: int) -> Steps:
        """List the hits and edits, with positions in the hypothesis as it was written."""
        moved = [
            Edit("shift", tuple(sorted(words)), (), k, after=after) for words, after in self.shifts
        ]
        rest = edits_of(tuple(hypothesis[i] for i in self.order), reference, self.pairs, k)
        links = [x._replace(hypothesis=tuple(self.order[i] for i in x.hypothesis)) for x in rest[0]]
        edits = [x._replace(hypothesis=tuple(self.order[i] for i in x.hypothesis)) for x in rest[1]]
        return Steps(tuple(links), (*moved, *edits))


def explain_ter(texts: Texts, search: Callable[[Words, Words], Shifted]) -> Explanation:
    """Explain the row of `Ter.statistics`.

    Parameters
    ----------
    texts : (tuple of str, tuple of tuple of str)
        Tokens of the hypothesis, and of each reference.
    search : callable
        Searches for the shifts of a hypothesis and one reference.
    """
    hypothesis, references = texts
    found = [search(hypothesis, reference) for reference in references]
    steps = [
        shifted.steps(hypothesis, reference, k)
        for k, (shifted, reference) in enumerate(zip(found, references, strict=True))
    ]
    best = min(range(len(steps)), key=lambda k: len(steps[k].edits))
    counts = [steps[best].term(kind) for kind in ("insertion", "deletion", "substitution", "shift")]
    listed = ", ".join(str(len(one.edits)) for one in steps)
    mean = sum(map(len, references)) / len(references)
    terms = (
        *counts,
        Term("shifted words", sum(len(words) for words, _ in found[best].shifts)),
        Term("length", mean, "mean reference length"),
    )
    return Explanation(
        *texts,
        links=steps[best].links,
        edits=steps[best].edits,
        order=tuple(found[best].order) if found[best].shifts else (),
        terms=terms,
        columns=tuple(term.name for term in terms),
        formula="TER = (insertions + deletions + substitutions + shifts) / length",
        best=best,
        why=f"reference {best} needs the fewest edits of {listed}" if len(steps) > 1 else "",
    )
