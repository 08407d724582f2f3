"""Lines of the samples of texts, as checks compare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mteval_core import CheckedTexts, TextSummary

__all__ = ["FEWEST", "N_LINES", "compared", "full_lines", "some"]

FEWEST = 10
"""Number of lines that show a habit."""

N_LINES = 128
"""Number of lines that are enough for a property of a whole text."""


def full_lines(*texts: TextSummary) -> list[str]:
    """Return the lines of the samples of texts, without empty ones."""
    return [line for text in texts for line in text.sample.values() if line and not line.isspace()]


def compared(texts: CheckedTexts) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield the name and the lines of each system, and the lines of the first references.

    Systems or references without lines are left out.
    """
    references = full_lines(*texts.references[:1])
    for name, text in texts.systems.items() if references else ():
        lines = full_lines(text)
        if lines:
            yield name, lines, references


def some(lines: Sequence[str], n: int = N_LINES) -> Sequence[str]:
    """Return about `n` lines from all parts of a text, or all of fewer."""
    return lines[:: len(lines) // n or 1]
