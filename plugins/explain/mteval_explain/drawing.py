"""A drawing of an explanation, in a terminal or a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mteval_explain.html import fragment
from mteval_explain.terminal import drawn, facts
from mteval_explain.written import WrittenExplanation

if TYPE_CHECKING:
    from mteval_core import Explanation
    from mteval_explain.terminal import PictureKind

__all__ = ["Drawing"]

COLUMNS = 100
"""Width of pictures that are printed, in characters."""


class Drawing(NamedTuple):
    """A drawing of an explanation: `print` writes it as text, and a notebook shows it.

    Parameters
    ----------
    explanation : Explanation or WrittenExplanation
        What is drawn.
    pictures : tuple of {"spans", "lines", "grid"}
        Which pictures, in order.
    """

    explanation: Explanation
    pictures: tuple[PictureKind, ...] = ("spans", "lines")

    def __str__(self) -> str:
        explanation = WrittenExplanation.of(self.explanation)
        below = drawn(explanation, self.pictures, COLUMNS)
        return "\n".join((explanation.title, *facts(explanation), "", below))

    def _repr_html_(self) -> str:
        return fragment([WrittenExplanation.of(self.explanation)], self.pictures)
