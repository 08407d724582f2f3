"""The symbols that reports are written with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Mark = Literal["best", "equal", "worse", "significant", "insignificant"]
"""What a mark says about a number.

In a column where rows compete: ``best``; ``equal``, not significantly different from the best;
``worse``, neither. In a column of tested differences or p-values: ``significant`` or
``insignificant``.
"""

ARROWS = {"higher": "↑", "lower": "↓"}
"""Which direction of a metric is better."""

DAGGER = "†"
"""Follows a significant number."""

DASH = "–"
"""Written for a number that is not defined."""

INTERVAL_NAMES = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}
"""What kinds of intervals are called."""

MARKS: Mapping[Mark, str] = {"best": "*", "equal": "~", "significant": DAGGER}
"""What follows a number with this mark in plain text."""

TYPE_PREFIXES: Mapping[Mark, str] = {
    "best": "bold: ",
    "equal": "italics: ",
    "significant": f"{DAGGER} ",
}
"""What a legend says of the marks in formats with bold and italic type."""

UNITS = {"segment": "segment", "doc": "document", "domain": "domain"}
"""What units are called in prose."""
