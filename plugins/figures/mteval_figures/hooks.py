"""The output formats."""

from __future__ import annotations

import mteval_core

mteval_api = 1


@mteval_core.hookimpl
def mteval_register_formats() -> list[mteval_core.FormatSpec]:
    """Declare the formats."""
    return [
        mteval_core.FormatSpec(
            "latex",
            function="mteval_figures.latex:latex",
            help="tables for LaTeX (booktabs, siunitx)",
            parts=("table", "passage"),
            endings=("tex",),
        ),
        mteval_core.FormatSpec(
            "png",
            function="mteval_figures.charts:png",
            help="charts (matplotlib)",
            parts=("chart",),
            endings=("png",),
        ),
        mteval_core.FormatSpec(
            "svg",
            function="mteval_figures.charts:svg",
            help="charts (matplotlib) and pictures, as vector graphics",
            parts=("chart", "picture"),
            endings=("svg",),
        ),
        mteval_core.FormatSpec(
            "pdf",
            function="mteval_figures.pages:pdf",
            help="charts, and tables on pages for print (matplotlib)",
            parts=("table", "chart", "passage"),
            endings=("pdf",),
        ),
        mteval_core.FormatSpec(
            "xlsx",
            function="mteval_figures.workbook:xlsx",
            help="records as a workbook for Excel (XlsxWriter)",
            parts=("record", "row"),
            endings=("xlsx",),
        ),
        mteval_core.FormatSpec(
            "bibtex",
            function="mteval_figures.bibtex:bibtex",
            help="the literature of the metrics and tests",
            parts=("literature",),
            endings=("bib",),
        ),
    ]
