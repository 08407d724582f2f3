"""The plugin on the page about the contract kit keeps the contract."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mteval_testing import READER_KIT

import mteval_core as mt

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    (block,) = [
        block.partition("```")[0]
        for block in PAGE.read_text(encoding="utf-8").split("```python\n")[1:]
        if "FileSample(" in block
    ]
    path = tmp_path / "numbered_plugin.py"
    path.write_text(block, encoding="utf-8")
    return path


def test_its_reader_passes_all_checks(example: Path) -> None:
    registry = mt.load_registry(files=[str(example)])
    findings = READER_KIT.run(registry.find(mt.ReaderSpec, "numbered"), registry)
    assert [finding for finding in findings if not finding.passed or finding.message] == []


def test_its_hooks_are_light(example: Path) -> None:
    code = "import sys, numbered_plugin; sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=example.parent, check=False)
    assert done.returncode == 0
