"""Reports: results of commands, as data that every output format can write.

A `Report` has a title, parts, notes, a legend and signatures. A part is a `Table`, a `Chart`
(with panels of `mteval_core.report.charts`), a `Picture` or a `Passage`. Commands make parts, and
formats write them: functions ``function(report, layout)`` that return a string or bytes.
"""

from __future__ import annotations

from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.layout import CellMark, Layout
from mteval_core.report.parts import Chart, Passage, Picture
from mteval_core.report.report import Meaning, Report

__all__ = [
    "Cell",
    "CellMark",
    "Chart",
    "Column",
    "Layout",
    "Meaning",
    "Passage",
    "Picture",
    "Report",
    "Table",
]
