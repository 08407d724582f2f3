"""The page of a report as a widget of notebooks, with the segment that its browser shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from mteval_core import write_report

if TYPE_CHECKING:
    from mteval_core import Evaluation
    from mteval_core.report import Report

__all__ = ["ReportWidget"]


class ReportWidget(anywidget.AnyWidget):
    """A report in a notebook.

    Parameters
    ----------
    report : Evaluation or Report
        What is shown.
    **traits
        Values of `height`, in pixels, and `segment`, the number of the open segment; None if none
        is. Both can be read and set later, and observed, as the traits of all widgets.
    """

    _esm = Path(__file__).parent / "page" / "widget.js"

    page: Any = traitlets.Unicode().tag(sync=True)
    height: Any = traitlets.Int(700).tag(sync=True)
    segment: Any = traitlets.Int(None, allow_none=True).tag(sync=True)

    def __init__(self, report: Evaluation | Report, **traits: Any) -> None:
        super().__init__(page=str(write_report(report, "html")), **traits)
