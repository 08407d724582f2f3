"""Figures by matplotlib, where it is installed."""

from __future__ import annotations

import io
from typing import Any

from mteval_core.errors import UsageError

__all__ = ["COLOURS", "as_label", "new_figure", "picture"]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's colours, which people with any colour vision tell apart."""


def as_label(text: str) -> str:
    """Write a text so that a figure shows it as it is, dollar signs included."""
    return text.replace("$", r"\$")


def new_figure(**options: Any) -> Any:
    """Make an empty figure.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    try:
        from matplotlib import figure
    except ImportError:
        message = "plots need matplotlib: pip install 'mteval-core[plots]'"
        raise UsageError(message) from None
    return figure.Figure(layout="constrained", **options)


def picture(figure: Any, kind: str) -> bytes:
    """Draw a figure as PNG, SVG or PDF: the same figure gives the same bytes."""
    from matplotlib import rc_context

    out = io.BytesIO()
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "mteval", "svg.fonttype": "none"}):
        figure.savefig(
            out, format=kind, dpi=150, bbox_inches="tight", metadata=undated.get(kind, {})
        )
    return out.getvalue()
