"""Numbers in reports: rounding, intervals, and nouns in singular or plural."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mteval_core import Interval

__all__ = ["DASH", "INTERVAL_NAMES", "UNITS", "count", "ends", "number"]

DASH = "–"
"""Written for a number that is not defined."""

INTERVAL_NAMES = {kind: kind for kind in ("percentile", "basic", "symmetric")} | {"bca": "BCa"}
"""What kinds of intervals are called."""

UNITS = {"segment": "segment", "doc": "document", "domain": "domain"}
"""What units are called in prose."""


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
