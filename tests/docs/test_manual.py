"""The manual page agrees with the parsers, and is a valid one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mteval_core.commands.parser import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_manual_agrees_with_the_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    monkeypatch.delitem(sys.modules, "manual", raising=False)
    manual = import_module("manual")
    assert manual.PAGE.read_text("utf-8") == manual.manual(), "run: python docs/_ext/manual.py"


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_the_manual_is_read_as_it_is_meant() -> None:
    def mandoc(*options: str) -> str:
        command = ["mandoc", *options, str(DOCS / "mteval.1")]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    faults = mandoc("-T", "lint", "-W", "warning").splitlines()
    assert [fault for fault in faults if "missing date" not in fault] == []
    shown = re.sub(r".\x08", "", mandoc("-T", "ascii", "-O", "width=100"))
    assert re.findall(r"^   mteval (.*)", shown, re.MULTILINE) == [*COMMANDS]
    assert re.search(r"^ +-r, --refs REF \[REF ...\]$", shown, re.MULTILINE)
    assert "'all' is every metric" in shown
    assert re.search(r"^ +0 +done$", shown, re.MULTILINE)
