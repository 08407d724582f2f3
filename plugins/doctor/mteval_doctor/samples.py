"""Samples of texts, and what checks compare of them, computed once for all checks."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from operator import add, itemgetter, ne
from typing import TYPE_CHECKING
from unicodedata import is_normalized
from weakref import WeakKeyDictionary

from mteval_doctor.scripts import form_counts, form_of_counts, script_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core import CheckedTexts, TextSummary

    Words = Mapping[int, set[str]]

__all__ = [
    "FEWEST",
    "MIXED",
    "N_ALIKE",
    "Sample",
    "common_beginning",
    "compared",
    "sample_of",
    "samples_of_systems",
    "words_by_line",
]

FEWEST = 10
"""Number of lines that show a habit."""

N_LINES = 64
"""Number of lines that show a property of a whole text."""

MOST_LINES, FEWEST_LINES = 50_000, 32
"""Number of lines that are looked at of all systems together, and at least of each."""

N_SCRIPT, N_CHARACTERS = 40, 500
"""Number of lines that show the script, and about the number of their characters."""

N_SHOWN = 1000
"""Number of characters that show the language and the case of a line, such as a whole document."""

N_COMPARED = 384
"""Number of segments whose words are compared, about as many from each part of the sample."""

PART = 128
"""Number of segments of a part of a sample, which begins at a multiple of it."""

LONGEST = 100
"""Number of characters that are compared of such a segment."""

N_FREQUENT = 20
"""Number of the most frequent words of the references that their language is known by."""

STEM = itemgetter(slice(5))
"""The letters that are compared of a word, so that inflections matter little."""

N_ALIKE = 10
"""Number of characters of a beginning that is no coincidence."""

MIXED = "small letters and capitals"
"""The usual case."""


class Sample:
    """The sample of a text, and its properties, each computed when it is first needed.

    Parameters
    ----------
    text : TextSummary
        The text.
    step : int
        2 leaves out every other segment of it, and so on.
    removed : tuple of str
        What is removed from the segments: values of ``clean``.
    """

    def __init__(self, text: TextSummary, step: int = 1, removed: tuple[str, ...] = ()) -> None:
        self.segments: Mapping[int, str] = dict(list(text.sample.items())[::step])
        if removed:
            from mteval_doctor.cleaning import REMOVERS

            for name in removed:
                self.segments = {i: REMOVERS[name](line) for i, line in self.segments.items()}

    @cached_property
    def lines(self) -> list[str]:
        """The segments, without empty ones."""
        return [line for line in self.segments.values() if line and not line.isspace()]

    @cached_property
    def whole(self) -> str:
        """The lines as one string."""
        return "\n".join(self.lines)

    def some(self, n: int = N_LINES) -> Sequence[str]:
        """Return up to `n` lines from all parts of the text."""
        return self.lines[:: -(-len(self.lines) // n) or 1]

    @cached_property
    def beginnings(self) -> list[str]:
        """Some lines, as far as they show language and case."""
        return [line[:N_SHOWN] for line in self.some()]

    @cached_property
    def scripts(self) -> Counter[str]:
        """Number of letters of each script."""
        text = "".join(self.some(N_SCRIPT))
        text = text[:: len(text) // N_CHARACTERS or 1]
        return script_counts({each: text.count(each) for each in {*text} if each.isalpha()})

    @cached_property
    def script(self) -> str | None:
        """The script of most letters; None without letters."""
        return max(self.scripts, key=lambda script: self.scripts[script], default=None)

    @cached_property
    def words(self) -> Counter[str]:
        """Words that have only letters, or letters of words without spaces, in small letters."""
        text = " ".join(self.beginnings).lower()
        words = text.split()
        counts = Counter(text if len(text) > 13 * len(words) else words)
        return Counter({word: n for word, n in counts.items() if word.isalpha()})

    @cached_property
    def frequent(self) -> Mapping[str, int]:
        """The most frequent words, and how often they occur."""
        return dict(self.words.most_common(N_FREQUENT))

    @cached_property
    def case(self) -> str | None:
        """The case of most lines; None if they do not show it."""
        lines = self.beginnings
        small, capital = (sum(map(is_so, lines)) for is_so in (str.islower, str.isupper))
        mixed = sum(map(ne, lines, map(str.lower, lines))) - capital
        n = small + capital + mixed
        shares = {
            "small letters only": small / 0.9,
            "capitals only": capital / 0.9,
            MIXED: 2 * mixed,
        }
        return next((case for case, k in shares.items() if k > n), None) if n >= FEWEST else None

    @cached_property
    def form(self) -> str | None:
        """The normal form of Unicode, NFC or NFD; None if both are the same."""
        return form_of_counts(*form_counts(self.whole))

    @cached_property
    def is_composed(self) -> bool:
        """Whether the text is in NFC, as most are."""
        return all(is_normalized("NFC", line) for line in self.lines if not line.isascii())

    @cached_property
    def beginning(self) -> tuple[str, float]:
        """The most common beginning of lines, and the share of lines that have it."""
        return common_beginning(self.lines)

    @cached_property
    def tokenized(self) -> float:
        """Share of lines that end in a space and a full stop."""
        return sum(line.endswith((" .", " \u3002")) for line in self.lines) / max(
            len(self.lines), 1
        )


KEPT: WeakKeyDictionary[TextSummary, tuple[tuple[object, ...], Sample]] = WeakKeyDictionary()
"""The samples of texts, with how they were taken, and how many segments the text had then."""


def sample_of(text: TextSummary, step: int = 1, removed: tuple[str, ...] = ()) -> Sample:
    """Return the sample of a text, the same for all checks; see `Sample`."""
    taken, sample = KEPT.get(text, (None, None))
    if sample is None or taken != (text.n_segments, step, removed):
        sample = Sample(text, step, removed)
        KEPT[text] = (text.n_segments, step, removed), sample
    return sample


def samples_of_systems(texts: CheckedTexts) -> Iterator[tuple[str, Sample]]:
    """Yield the name of each system, and the sample that is left of what all metrics remove.

    The samples of very many systems have fewer lines each.
    """
    removed: tuple[str, ...] = ()
    if any("clean" in scorer.setup.fields for scorer in texts.metrics):
        from mteval_doctor.cleaning import removed_by_all

        removed = removed_by_all(texts.metrics)
    first = next(iter(texts.systems.values()), None)
    n = len(first.sample) if first else 0
    step = max(min(-(-n * len(texts.systems) // MOST_LINES), n // FEWEST_LINES), 1)
    for name, text in texts.systems.items():
        yield name, sample_of(text, step, removed)


def words_by_line(sample: Sample) -> Words:
    """Return words of some segments, or pairs of letters where words have no spaces.

    They are not kept, since those of many systems fill the memory.
    """
    found: dict[int, set[str]] = {}
    n_of_part = N_COMPARED * PART // max(len(sample.segments), 1)
    for i, line in sample.segments.items():
        if i % PART < n_of_part:
            start = line[:LONGEST].lower()
            words = start.split()
            is_spaced = len(start) < 12 * len(words)
            found[i] = {*(map(STEM, words) if is_spaced else map(add, start, start[1:]))}
    return found


def compared(texts: CheckedTexts) -> Iterator[tuple[str, Sample, Sample]]:
    """Yield the name and the sample of each system, and the sample of the first references.

    Systems or references without lines are left out.
    """
    for reference in map(sample_of, texts.references[:1]):
        for name, sample in samples_of_systems(texts):
            if sample.lines and reference.lines:
                yield name, sample, reference


def common_beginning(lines: Sequence[str]) -> tuple[str, float]:
    """Return the most common beginning of lines, and the share of lines that have it."""
    ((beginning, n),) = Counter(line[:N_ALIKE] for line in lines).most_common(1)
    return beginning, n / len(lines)
