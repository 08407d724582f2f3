"""Length limits: only the beginning of each text is scored (``-l`` and ``-b`` of ROUGE-1.5.5)."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["NO_LIMIT", "Cut", "Limit"]

LONGEST = 1_000_000_000
"""Largest limit, in words or bytes; no text is longer."""

_BLANK = " \t\n\r\f\v"
_SPACE = re.compile(f"[{_BLANK}]+")


class Limit(NamedTuple):
    """How much of a text is scored.

    Parameters
    ----------
    unit : {"none", "words", "bytes"}
        Words are separated by white space and include punctuation; bytes are those of UTF-8.
    size : int
        Number of units; 0 without a limit.

    Examples
    --------
    >>> Limit.parse("words[10]"), str(Limit("bytes", 75))
    (Limit(unit='words', size=10), 'bytes[75]')
    """

    unit: str = "none"
    size: int = 0

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Read ``none``, ``words[n]`` or ``bytes[n]``.

        Raises
        ------
        ValueError
            If the text is none of these, or n is not between 1 and a billion.
        """
        if text == "none":
            return cls()
        found = re.fullmatch(r"(words|bytes)\[0*([1-9][0-9]{0,9})\]", text)
        if not found or int(found[2]) > LONGEST:
            raise ValueError(f"none, words[n] or bytes[n] with a whole number from 1 to {LONGEST}")
        return cls(found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.unit}[{self.size}]" if self.size else self.unit

    def cut(self, *, tabs: bool, each_sentence: bool) -> Cut:
        """Text normalizer that applies the limit; see `Cut`."""
        return Cut(self.unit, self.size, tabs=tabs, each_sentence=each_sentence)


NO_LIMIT = Limit()


class Cut(NamedTuple):
    r"""Text normalizer that cuts texts as ROUGE-1.5.5 does.

    Parameters
    ----------
    unit : {"words", "bytes"}
        See `Limit`.
    size : int
        See `Limit`.
    tabs : bool
        Whether tabs separate sentences. The tabs are not counted.
    each_sentence : bool
        Whether the limit applies to each sentence on its own. The first sentence that reaches it is
        the last one kept. The program cuts texts to bytes in this way before it takes common
        subsequences.

    Examples
    --------
    >>> Cut("words", 4, tabs=True, each_sentence=False)("One two.\tThree, four, five.")
    'One two.\tThree, four,'
    """

    unit: str
    size: int
    tabs: bool
    each_sentence: bool

    def __call__(self, text: str) -> str:
        """Beginning of a text, up to the limit."""
        kept = []
        room = self.size
        for sentence in filter(None, text.split("\t") if self.tabs else [text]):
            length, beginning = self._measure(sentence, room)
            kept.append(beginning)
            if length >= room:
                break
            if not self.each_sentence:
                room -= length
        return "\t".join(kept)

    def _measure(self, sentence: str, room: int) -> tuple[int, str]:
        """Length of a sentence, and as much of it as there is room for."""
        if self.unit == "bytes":
            encoded = sentence.encode()
            return len(encoded), encoded[:room].decode(errors="ignore")
        # White space at the beginning makes an empty word; white space at the end does not.
        words = _SPACE.split(stripped) if (stripped := sentence.rstrip(_BLANK)) else []
        return len(words), " ".join(words[:room])
