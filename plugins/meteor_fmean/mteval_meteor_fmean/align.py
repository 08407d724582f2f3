"""Ways of aligning two texts, by name."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

__all__ = ["CHUNKS", "CROSSINGS", "Align"]

WIDEST = 10_000
"""Largest width of the beam. Time and memory grow with the width."""


class Align(NamedTuple):
    """How METEOR chooses the links between two texts.

    Parameters
    ----------
    method : {"crossings", "chunks", "beam"}
        For one module after another, a largest set of links with the fewest crossings or the
        fewest chunks; or the links of all modules at once, by beam search.
    width : int
        Number of partial alignments that the beam search keeps; 0 for the other methods.

    Examples
    --------
    >>> Align.parse("beam[40]"), str(Align("chunks"))
    (Align(method='beam', width=40), 'chunks')
    """

    method: Literal["crossings", "chunks", "beam"]
    width: int = 0

    @classmethod
    def parse(cls, text: str) -> Align:
        """Read ``crossings``, ``chunks`` or ``beam[n]``.

        Raises
        ------
        ValueError
            If the text is none of these, or n is not between 1 and 10,000.
        """
        for named in (CROSSINGS, CHUNKS):
            if text == named.method:
                return named
        beam = re.fullmatch(r"beam\[0*([1-9][0-9]{0,8})\]", text)
        if not beam or int(beam[1]) > WIDEST:
            raise ValueError(f"crossings, chunks, or beam[n] with n from 1 to {WIDEST}")
        return cls("beam", int(beam[1]))

    def __str__(self) -> str:
        return f"{self.method}[{self.width}]" if self.width else self.method


CROSSINGS, CHUNKS = Align("crossings"), Align("chunks")
