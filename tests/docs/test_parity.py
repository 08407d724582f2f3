"""The page on original programs states what the golden tests count."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def parity(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    for name in ("bleu_nist", "chrf", "error_rates", "gtm", "meteor_fmean", "rouge"):
        pytest.importorskip(f"mteval_{name}")
    monkeypatch.syspath_prepend(DOCS / "_ext")
    monkeypatch.delitem(sys.modules, "parity", raising=False)
    return import_module("parity")


def test_the_tables_count_the_shipped_runs(parity: ModuleType) -> None:
    assert len(parity.TABLES) == 6
    for plugin in parity.TABLES:
        tests = parity.tests_of(plugin)
        shipped = parity.counts(tests.GOLDEN.copies, tests)
        stated = sorted(filter(None, parity.shipped_column(plugin)))
        assert stated == sorted(runs for runs, _ in shipped.values())


def test_the_page_counts_all_runs(parity: ModuleType) -> None:
    if not parity.tests_of("gtm").GOLDEN.all_runs:
        pytest.skip("the numbers of the original programs are absent")
    for path, text in parity.filled().items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/_ext/parity.py"
