"""The literature of a report as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import UsageError

if TYPE_CHECKING:
    from mteval_core.report import Layout, Report

__all__ = ["bibtex"]


def bibtex(report: Report, _layout: Layout) -> str:
    """Write the literature of a report.

    Raises
    ------
    UsageError
        If there is none.
    """
    entries = report.make_literature() if report.make_literature else ()
    if not entries:
        raise UsageError("no plugin declares literature of these metrics")
    return "".join(f"{entry}\n\n" for entry in entries)
