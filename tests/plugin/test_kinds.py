"""The table of kinds: what it names exists, and everything that lists kinds reads it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import mteval_core as mt
from mteval_core.plugin.declarations import KINDS, kind_of

HOST = Path(mt.__file__).parent


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_what_a_kind_names_exists(kind: Any) -> None:
    assert issubclass(kind.declaration, mt.Declaration)
    assert getattr(mt, kind.declaration.__name__) is kind.declaration
    assert kind_of(kind.declaration) is kind
    assert re.match("an? ", kind.summary)


def test_names_of_kinds_are_distinct() -> None:
    names = [name for kind in KINDS.values() for name in (kind.plural, kind.singular)]
    assert len(set(names)) == 2 * len(KINDS)


def test_a_subclass_is_of_the_kind_of_its_base() -> None:
    class Special(mt.TokenizerSpec):
        pass

    assert kind_of(Special) is KINDS["tokenizers"]


@pytest.mark.parametrize("wrong", [mt.Declaration, str, "metrics"])
def test_other_classes_have_no_kind(wrong: Any) -> None:
    with pytest.raises(TypeError, match="one of these classes: MetricSpec, TokenizerSpec, "):
        kind_of(wrong)


def test_no_other_module_of_the_host_lists_the_kinds() -> None:
    plurals = re.compile(rf"\b({'|'.join(KINDS)})\b")
    lists = {
        str(path.relative_to(HOST))
        for path in HOST.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if len(set(plurals.findall(line))) > 3
    }
    assert lists <= {"plugin/declarations.py"}
