"""Reports as one HTML file: tables with intervals, all pairs, and a browser of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_formats() -> Sequence[mteval_core.FormatSpec]:
    """Declare the format."""
    return [
        mteval_core.FormatSpec(
            "html",
            function="mteval_html_report.report:html",
            help="one file for any browser: tables, pairs, segments",
            parts=("table", "picture", "passage"),
            endings=("html", "htm"),
            segments=True,
        )
    ]
