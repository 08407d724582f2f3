"""Lines that do not stand where they belong: shifted by a few lines, or shuffled.

Lengths of all lines show where a shift may be. Whether it is one, and whether lines are shuffled,
shows in the words that lines of the sample share with their own references and with others.
"""

from __future__ import annotations

from operator import and_
from typing import TYPE_CHECKING

import numpy as np

from mteval_doctor.samples import compared, sample_of, words_by_line
from mteval_doctor.shift import find_shift
from mteval_doctor.sides import same_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from numpy.typing import NDArray

    from mteval_core import CheckedTexts, TextSummary
    from mteval_doctor.samples import Words
    from mteval_doctor.shift import Shift

__all__ = ["describe", "shifted", "shuffled"]

FEWEST = 20
"""Fewest lines that show whether they are shuffled."""

PART = 32
"""Fewest lines at the end of a sample that show whether they are."""

ALL_ALIKE = 0.4
"""How much lines have in common with other lines where all are so alike that no order shows."""

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
    if shift and fits_better(
        shift, *(words_by_line(sample_of(each)) for each in (reference, text))
    ):
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
    one, other : mapping of int to set of str
        The words of lines.
    """
    lines = [
        i
        for i in range(shift.start, shift.stop)
        if i in one and i in other and i + shift.lines in other
    ]
    own = [one[i] for i in lines]
    shifted, straight = ([other[i + n] for i in lines] for n in (shift.lines, 0))
    more = alike(own, shifted) - alike(own, straight)
    return not len(more) or bool(more.sum() > UNSURE * more.std() * len(more) ** 0.5)


def alike(one: Sequence[Set[str]], other: Sequence[Set[str]]) -> NDArray[np.float64]:
    """Return how much pairs of lines have in common, each from 0 to 1 (Dice's coefficient)."""
    common, *sizes = (
        np.fromiter(map(len, words), float, len(one))
        for words in (map(and_, one, other), one, other)
    )
    return 2 * common / np.maximum(sum(sizes), 1)


def shuffled(texts: CheckedTexts) -> Iterator[str]:
    """Find systems whose lines are no more like their references than like those of others."""
    references: Words = {}
    for name, own, expected in compared(texts):
        references = references or words_by_line(expected)
        start = first_shuffled(references, words_by_line(own))
        if (
            start is not None
            and own.script == expected.script
            and same_words(own, expected)
            and not goes_on_from(start, shift_of(texts.references[0], texts.systems[name]))
        ):
            where = "its lines" if start < FEWEST else f"from about line {start + 1}, its lines"
            yield (
                f"system {name}: {where} have no more words in common with their references than "
                f"with those of other lines, as if they were shuffled; look at their order"
            )


def goes_on_from(start: int, shift: Shift | None) -> bool:
    """Tell whether most lines after a line are shifted."""
    return shift is not None and shift.stop - max(shift.start, start) > (shift.stop - start) / 2


def first_shuffled(one: Words, other: Words) -> int | None:
    """Return the line of a sample from which on lines look shuffled; None if they do not.

    Parameters
    ----------
    one, other : mapping of int to set of str
        The words of lines.
    """
    lines = [i for i in one if i in other and one[i] and other[i]]
    n = len(lines)
    if n < FEWEST:
        return None
    references, outputs = ([words[i] for i in lines] for words in (one, other))
    half = n - n // 2
    own = alike(references, outputs)
    others = alike(references[half:] + references[:half], outputs)
    if not 0 < others.mean() < ALL_ALIKE:
        return None
    more = own - others
    numbers = np.arange(n, 0, -1)
    means, squares = (each[::-1].cumsum()[::-1] / numbers for each in (more, more**2))
    errors = np.sqrt(np.maximum(squares - means**2, 0) / numbers)
    unsure = means <= UNSURE * errors
    if unsure[0]:
        return lines[0]
    # As part of a text, lines must be many, and differ from those before them.
    unsure[max(0, n - PART) :] = False
    unsure &= 5 * means < means[0]
    return lines[int(unsure.argmax())] if unsure.any() else None
