"""The manual page has every command and flag, and is a valid one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import mteval_core as mt
from mteval_core.commands.parser import command_parsers

PARSERS = list(command_parsers(mt.default_registry()))
COMMANDS = [parser.command for parser in PARSERS]
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    monkeypatch.delitem(sys.modules, "manual", raising=False)
    text: str = import_module("manual").manual()
    return text


def test_every_command_has_its_flags(page: str) -> None:
    _, *sections = re.split(r"^\.SS mteval (.*)\n", page, flags=re.MULTILINE)
    assert sections[::2] == [*COMMANDS]
    for parser, section in zip(PARSERS, sections[1::2], strict=True):
        written = {flag.replace(r"\-", "-") for flag in re.findall(r"\\fB(\\-.*?)\\fP", section)}
        assert {*parser._option_string_actions} - {"-h", "--help"} <= written


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_the_manual_is_read_as_it_is_meant(page: str) -> None:
    def mandoc(*options: str) -> str:
        command = ["mandoc", *options]
        done = subprocess.run(command, input=page, capture_output=True, text=True, check=False)
        return done.stdout

    faults = mandoc("-T", "lint", "-W", "warning").splitlines()
    assert [fault for fault in faults if "missing date" not in fault] == []
    shown = re.sub(r".\x08", "", mandoc("-T", "ascii", "-O", "width=100"))
    assert re.findall(r"^   mteval (.*)", shown, re.MULTILINE) == [*COMMANDS]
    assert re.search(r"^ +-r, --refs REF \[REF ...\]$", shown, re.MULTILINE)
    assert "'all' is every metric" in shown
    assert re.search(r"^ +0 +done$", shown, re.MULTILINE)
