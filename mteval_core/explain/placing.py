"""Positions of tokens in the text as written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["place"]

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
"""What tokenizers decode."""

SKIPPED = "<skipped>"
"""What tokenizers delete, also inside a word."""


def place(tokens: Sequence[str], text: str) -> tuple[tuple[int, int] | None, ...]:
    """Find tokens in the text that they were made of.

    Each token is taken at the first place after the one before it where the text reads like it,
    apart from case and entities. Nothing that is skipped may be part of a word, unless whole words
    are skipped.

    Parameters
    ----------
    tokens : sequence of str
        The tokens, in order.
    text : str
        The text as it was written.

    Returns
    -------
    tuple of (int, int) or None
        Start and end of each token; None for a token that is not found. Places ascend and do not
        overlap.

    Examples
    --------
    >>> place(["say", '"', "no", '"'], "Say &quot;No&quot;")
    ((0, 3), (4, 10), (10, 12), (12, 18))
    """
    places: list[tuple[int, int] | None] = []
    end = 0
    for token in tokens:
        found = next(_places(token, text, end), None)
        places.append(found)
        end = found[1] if found else end
    return tuple(places)


def _places(token: str, text: str, after: int) -> Iterator[tuple[int, int]]:
    """Places of a token behind a position, from the left."""
    skips_word = False
    for start in range(after, len(text)):
        begins = start == after or not (_in_word(text, start - 1) and _in_word(text, start))
        if begins:
            end = _match(token, text, start)
            inside = end is not None and end < len(text) and _in_word(text, end)
            if end is not None and not (skips_word and inside and _in_word(text, end - 1)):
                yield start, end
        skips_word |= _in_word(text, start)


def _in_word(text: str, position: int) -> bool:
    """Tell whether a character is one of a word to all tokenizers that drop others."""
    return text[position].isascii() and text[position].isalnum()


def _match(token: str, text: str, start: int) -> int | None:
    """End of the token, if the text reads like it from a position on."""
    rest, position = token.casefold(), start
    while rest:
        if position >= len(text):
            return None
        read, width = _character_at(text, position)
        if not rest.startswith(read) or (not read and position == start):
            return None
        rest, position = rest[len(read) :], position + width
    return position


def _character_at(text: str, position: int) -> tuple[str, int]:
    """What a tokenizer reads at a position, case-folded, and how many characters it is."""
    if text.startswith(SKIPPED, position):
        return "", len(SKIPPED)
    if text[position] == "&":
        for entity, character in ENTITIES.items():
            if text.startswith(entity, position):
                return character, len(entity)
    return text[position].casefold(), 1
