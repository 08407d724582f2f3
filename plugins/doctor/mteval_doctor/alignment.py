"""Lines that do not stand where they belong: shifted by a few lines, or shuffled.

Lengths of all lines show where a shift may be. Whether it is one, and whether lines are shuffled,
shows in the words that lines of the sample share with their own references and with others.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

import numpy as np

from mteval_doctor.samples import full_lines
from mteval_doctor.shift import find_shift
from mteval_doctor.sides import same_words, script_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mteval_core import CheckedTexts, TextSummary
    from mteval_doctor.shift import Shift

    Words = Mapping[int, frozenset[str]]

__all__ = ["describe", "shifted", "shuffled"]

N_FIRST = 256
"""Number of segments from the beginning of the sample."""

EVERY = 16
"""Number of segments from each later part of the sample."""

STEM = 5
"""Number of letters that are compared of a word, so that inflections matter little."""

LONGEST = 100
"""Number of characters that are compared of a line."""

FEWEST = 20
"""Fewest lines that show whether they are shuffled."""

PART = 32
"""Fewest lines at the end of a sample that show whether they are."""

ALL_ALIKE = 0.4
"""How much lines have in common with other lines where all are so alike that nothing shows."""

UNSURE = 2.5
"""How many standard errors above 0 a difference must be, so that it is none of chance."""


def shifted(texts: CheckedTexts) -> Iterator[str]:
    """Find systems that are shifted by a few lines, compared with the references."""
    for name, text in texts.systems.items():
        for reference in texts.references[:1]:
            shift = shift_of(reference, text)
            if shift:
                yield f"system {name}: {describe(shift, reference)}; look for lines that were lost"


def shift_of(reference: TextSummary, text: TextSummary) -> Shift | None:
    """Find a shift by the lengths of lines, unless the words of the sample speak against it."""
    shift = find_shift(reference.lengths, text.lengths)
    if shift and fits_better(shift, words_of_lines(reference), words_of_lines(text)):
        return shift
    return None


def describe(shift: Shift, reference: TextSummary) -> str:
    """Say where lines are shifted, and how."""
    n, direction = abs(shift.lines), "late" if shift.lines > 0 else "early"
    until = "" if shift.stop == reference.n_segments else f" to line {shift.stop}"
    lines = f"{n} line" if n == 1 else f"{n} lines"
    return (
        f"from line {shift.start + 1}{until}, its lines look {lines} {direction}, compared with "
        f"{reference.path or 'the references'}"
    )


def fits_better(shift: Shift, one: Words, other: Words) -> bool:
    """Tell whether the shifted lines of a sample share more words; also if there are no such lines.

    Parameters
    ----------
    shift : Shift
        The shift to confirm.
    one, other : mapping of int to frozenset of str
        The words of lines.
    """
    more = np.array(
        [
            alike(one[i], other[i + shift.lines]) - alike(one[i], other[i])
            for i in range(shift.start, shift.stop)
            if i in one and i in other and i + shift.lines in other
        ]
    )
    return not len(more) or bool(more.sum() > UNSURE * more.std() * len(more) ** 0.5)


def words_of_lines(text: TextSummary) -> Words:
    """Return the words of lines of a sample, or pairs of letters where words have no spaces."""
    found = {}
    for i, line in text.sample.items():
        if i < N_FIRST or i - (1 << i.bit_length() - 1) < EVERY:
            start = line[:LONGEST].lower()
            words = start.split()
            is_spaced = len(start) < 12 * len(words)
            pieces = [word[:STEM] for word in words] if is_spaced else map(add, start, start[1:])
            found[i] = frozenset(pieces)
    return found


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much two lines have in common, from 0 to 1 (Dice's coefficient)."""
    return 2 * len(one & other) / (len(one) + len(other) or 1)


def shuffled(texts: CheckedTexts) -> Iterator[str]:
    """Find systems whose lines are no more like their references than like those of others."""
    if not texts.references:
        return
    expected = words_of_lines(texts.references[0])
    for name, text in texts.systems.items():
        start = first_shuffled(expected, words_of_lines(text))
        reference = texts.references[0]
        if start is not None and same_language(text, reference) and not shift_of(reference, text):
            where = "its lines" if start < FEWEST else f"from about line {start + 1}, its lines"
            yield (
                f"system {name}: {where} have no more words in common with their references than "
                f"with those of other lines, as if they were shuffled; look at their order"
            )


def same_language(text: TextSummary, reference: TextSummary) -> bool:
    """Tell whether a text is in the language and script of its reference."""
    lines, references = full_lines(text), full_lines(reference)
    return script_of(lines) == script_of(references) and same_words(lines, references) is not False


def first_shuffled(one: Words, other: Words) -> int | None:
    """Return the line of a sample from which on lines look shuffled; None if they do not.

    Parameters
    ----------
    one, other : mapping of int to frozenset of str
        The words of lines.
    """
    lines = [i for i in one if i in other and one[i] and other[i]]
    n = len(lines)
    if n < FEWEST:
        return None
    own, others = np.empty(n), np.empty(n)
    for k, i in enumerate(lines):
        own[k] = alike(one[i], other[i])
        others[k] = sum(alike(one[lines[(k + n // m) % n]], other[i]) for m in (2, 3)) / 2
    if others.mean() > ALL_ALIKE:
        return None
    more = own - others
    numbers = np.arange(n, 0, -1)
    means, squares = (each[::-1].cumsum()[::-1] / numbers for each in (more, more**2))
    errors = np.sqrt((squares - means**2) / numbers)
    unsure = means <= UNSURE * errors
    if unsure[0]:
        return lines[0]
    # As part of a text, lines must be many, and differ from those before them.
    unsure[max(0, n - PART) :] = False
    unsure &= 5 * means < means[0]
    return lines[int(unsure.argmax())] if unsure.any() else None
