"""The kit catches mistakes that authors of plugins make, each by the check that is there for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import Kit, kit_of

import mteval_core as mt

if TYPE_CHECKING:
    from types import ModuleType

REGISTRY = mt.load_registry(files=[str(Path(__file__).with_name("mistakes.py"))])
(PLUGIN,) = [plugin for plugin in REGISTRY.plugins if plugin.name == "mistakes"]
ENTRIES = {
    entry.declaration.name: entry
    for entries in REGISTRY.of_plugin(PLUGIN).values()
    for entry in entries
}


def tables() -> dict[str, str]:
    """Return the checks that the tables name, by the mistake."""
    import mistakes

    module: ModuleType = mistakes
    names = ("METRICS", "TOKENIZERS", "NORMALIZERS", "FORMATS", "READERS", "RESAMPLERS")
    return {
        name: row[-1] for table in names for name, row in getattr(module, table).items() if row[-1]
    }


MISTAKES = tables()


def kit_and_subject(name: str) -> tuple[Kit[Any, Any], Any]:
    entry = ENTRIES[name]
    kit = kit_of(type(entry.declaration))
    assert kit is not None
    return kit, kit.subject(entry, REGISTRY)


@pytest.mark.parametrize(("name", "check"), MISTAKES.items())
def test_a_mistake_is_caught(name: str, check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "cubic":
        monkeypatch.setattr("mteval_testing.score_checks.implementation", "native")
        monkeypatch.setattr("mteval_testing.score_checks.AFFORDABLE", 0.05)
    kit, subject = kit_and_subject(name)
    (wanted,) = [each for each in kit.checks if each.__name__ == check]
    finding = kit.find(wanted, subject, ENTRIES[name].declaration)
    assert not finding.passed
    assert finding.message
    assert "otherwise" in finding.claim


def test_81_mistakes_are_tried_and_80_caught() -> None:
    """One is harmless: a metric gets copies of its texts."""
    mistakes = set(ENTRIES) - {"sound"}
    assert (len(mistakes), mistakes - set(MISTAKES)) == (81, {"empties-its-arguments"})


def test_nothing_is_found_in_the_metric_without_a_mistake() -> None:
    kit, subject = kit_and_subject("sound")
    findings = kit.examine(subject, ENTRIES["sound"].declaration)
    assert [finding for finding in findings if not finding.passed] == []
