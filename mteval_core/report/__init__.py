"""Reports: pure functions from an evaluation to a string."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mteval_core.evaluation.evaluation import Level

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """How people want to see an evaluation; formats for machines ignore all but the level.

    Parameters
    ----------
    level : {"corpus", "doc", "segment"}
        What a row of the table is.
    decimals : int
        Digits behind the point.
    columns : int
        Width of the page in characters.
    """

    level: Level = "corpus"
    decimals: int = 2
    columns: int = 100
