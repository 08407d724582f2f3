"""Reports: what commands write, as data, and the formats that write it.

A format is a function ``function(report, layout)`` that returns a string or bytes.
"""

from __future__ import annotations

from mteval_core.report.grid import Cell, Column, Mark, Table
from mteval_core.report.report import Layout, Meaning, Report

__all__ = ["Cell", "Column", "Layout", "Mark", "Meaning", "Report", "Table"]
