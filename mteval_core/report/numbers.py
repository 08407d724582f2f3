"""Numbers in reports: rounding, intervals, and nouns in singular or plural."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mteval_core.report.symbols import DASH

if TYPE_CHECKING:
    from mteval_core.evaluation.intervals import Interval

__all__ = ["count", "ends", "number"]


def number(value: float, decimals: int) -> str:
    """Write a number; a dash if it is not defined."""
    if math.isnan(value):
        return DASH
    # Adding zero turns "-0.00" into "0.00".
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def ends(interval: Interval | None, decimals: int) -> tuple[str, str]:
    """Write the ends of an interval; dashes if there is none."""
    if interval is None:
        return DASH, DASH
    return number(interval.low, decimals), number(interval.high, decimals)


def count(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
