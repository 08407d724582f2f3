"""A plugin of the kit: the format ``kit-literature``, which is the literature of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import API, FormatSpec, hookimpl

if TYPE_CHECKING:
    from mteval_core.report import Layout, Report

mteval_api = API


def literature(report: Report, _layout: Layout) -> str:
    """Join the BibTeX entries of a report."""
    return "\n".join(report.make_literature() if report.make_literature else ())


@hookimpl
def mteval_register_formats() -> list[FormatSpec]:
    """Register the format."""
    return [
        FormatSpec("kit-literature", function=literature, help="literature", parts=("literature",))
    ]
