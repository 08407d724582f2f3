"""Verdicts as JUnit XML, which servers for continuous integration show as test results.

A system under a metric is a test case. One that is only reported is skipped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from mteval_core import Layout
from mteval_decide.reports.gate import reason

if TYPE_CHECKING:
    from mteval_decide.gate import Decision
    from mteval_decide.losses import Loss
    from mteval_decide.reports.gate import Losses

__all__ = ["junit"]

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def junit(decision: Decision, lost: Losses) -> bytes:
    """Write what was decided as JUnit XML.

    Parameters
    ----------
    decision : Decision
        The decision.
    lost : list of (Verdict, list of Loss)
        The segments that lost most, which the failures name.

    Returns
    -------
    bytes
        UTF-8.
    """
    verdicts = decision.verdicts
    counts = {
        "tests": len(verdicts),
        "failures": sum(one.verdict == "fail" for one in verdicts),
        "errors": 0,
        "skipped": sum(not one.verdict for one in verdicts),
    }
    numbers = {"name": "mteval gate", **{key: str(n) for key, n in counts.items()}, "time": "0"}
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", numbers)
    segments = {id(verdict): found for verdict, found in lost}
    for one in verdicts:
        names = {"classname": _text(one.system), "name": _text(one.metric), "time": "0"}
        case = ET.SubElement(suite, "testcase", names)
        message = _text(reason(decision, one))
        if one.verdict == "fail":
            failure = ET.SubElement(case, "failure", {"message": message, "type": "loss"})
            failure.text = "\n".join(map(_segment, segments[id(one)]))
        elif not one.verdict:
            ET.SubElement(case, "skipped", {"message": message})
        else:
            ET.SubElement(case, "system-out").text = message
    ET.indent(root)
    written: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return written + b"\n"


def _segment(loss: Loss) -> str:
    head = f"segment {loss.segment}: {loss.before:.2f}, now {loss.after:.2f}"
    return f"{head}\n  base: {_text(loss.old)}\n  now:  {_text(loss.new)}"


def _text(text: str) -> str:
    return NOT_XML.sub("\ufffd", Layout.printable(text))
