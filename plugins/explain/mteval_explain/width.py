"""Width of text in a terminal."""

from __future__ import annotations

import re
from unicodedata import bidirectional

from mteval_core import Layout

__all__ = [
    "clipped",
    "is_right_to_left",
    "padded",
    "padded_left",
    "runs_right_to_left",
    "shown",
    "width",
]

ISOLATE, END = "\u2068", "\u2069"
"""Marks around a piece of text whose direction must not affect what is next to it."""


NARROW = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u22ff]*")
"""Texts of letters, punctuation, arrows and mathematical signs that take one cell each."""


def width(text: str) -> int:
    """Return the number of cells that a printable text takes; wide characters take two."""
    if NARROW.fullmatch(text):
        return len(text)
    from wcwidth import wcswidth

    cells: int = wcswidth(text)
    return cells if cells >= 0 else len(text)


def is_right_to_left(text: str) -> bool:
    """Tell whether a text contains a character that is written from right to left."""
    return not text.isascii() and any(bidirectional(c) in ("R", "AL", "AN") for c in text)


def runs_right_to_left(text: str) -> bool:
    """Tell whether the first letter of a text that has a direction runs from right to left."""
    directions = (bidirectional(character) for character in text)
    return next((one != "L" for one in directions if one in ("L", "R", "AL")), False)


def shown(text: str) -> str:
    """Write a text for a terminal: control characters visibly, right-to-left text isolated."""
    text = Layout.printable(text)
    return f"{ISOLATE}{text}{END}" if is_right_to_left(text) else text


def padded(text: str, cells: int) -> str:
    """Fill a text with spaces to a number of cells."""
    return shown(text) + " " * (cells - width(Layout.printable(text)))


def padded_left(text: str, cells: int) -> str:
    """Fill a text with spaces to a number of cells, on its left."""
    return " " * (cells - width(Layout.printable(text))) + shown(text)


def clipped(text: str, cells: int) -> str:
    """Cut a text to a number of cells; an ellipsis says so."""
    text = Layout.printable(text)
    if width(text) <= cells:
        return text
    while text and width(text) > cells - 1:
        text = text[:-1]
    return text + "…"
