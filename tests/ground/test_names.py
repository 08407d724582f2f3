"""A name is one line that can be shown, whichever way it comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.commands.main import main
from mteval_core.commands.texts import SystemInput, systems_by_name
from mteval_core.names import check_name, is_name, printable

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = ["a\nb", "a\rb", "a\tb", "\x1b[31m", "a\x00", "\x9bm", "a\u2028b", "a\u202eb", "a\udcff"]

hostile = pytest.mark.parametrize("name", HOSTILE)


@given(st.text(st.characters(exclude_categories=())))
def test_what_is_shown_is_a_name(text: str) -> None:
    shown = printable(text)
    assert is_name(shown)
    assert shown == text or not is_name(text)
    assert len(shown.splitlines()) <= 1


@pytest.mark.parametrize(
    "name", ["system", "our system", "系统 🙂", "x=1,y|z", r"\input{x}", "می‌خواهم", "<b>", "=1+1"]
)
def test_everything_else_is_a_name(name: str) -> None:
    assert check_name(name, "system") == name


@hostile
def test_systems(registry: mt.Registry, name: str) -> None:
    with pytest.raises(mt.UsageError, match=r"^system '.*': a name cannot contain '\\"):
        mt.evaluate({name: ["a"]}, [["a"]], "matches", registry=registry)


def test_a_system_is_named_by_a_string(registry: mt.Registry) -> None:
    systems: Any = {1: ["a"]}
    with pytest.raises(mt.UsageError, match="system 1: expected a string as the name, got int"):
        mt.evaluate(systems, [["a"]], "matches", registry=registry)


@hostile
def test_systems_of_the_command_line(name: str) -> None:
    for argument in (f"{name}=file", f"folder/{name}.txt"):
        with pytest.raises(mt.UsageError, match="a name cannot contain"):
            systems_by_name([SystemInput.parse(argument)])


@hostile
def test_documents(registry: mt.Registry, name: str) -> None:
    with pytest.raises(mt.InputError, match=r"^document '.*': a name cannot contain"):
        mt.evaluate({"A": ["a"]}, [["a"]], "matches", documents=[name], registry=registry)


@hostile
def test_values_of_options(name: str) -> None:
    pytest.importorskip("mteval_bleu_nist")
    with pytest.raises(mt.OptionError, match=r"option tok '.*': a name cannot contain"):
        mt.metric("bleu", tok=name)


def test_references_with_other_names_are_numbered(registry: mt.Registry, tmp_path: Path) -> None:
    paths = [tmp_path / "ref\x1b0", tmp_path / "plain"]
    for path in paths:
        path.write_text("a\n", encoding="utf-8")
    references = mt.TestSet(tuple(map(mt.read_text, paths)))
    evaluation = mt.evaluate({"A": ["a"]}, references, "matches", humans=True, registry=registry)
    assert evaluation.systems == ["A", "ref0 (human)", "plain (human)"]


def test_messages_show_them_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "no\x1b[31m\nfile")]) == 3
    error = capsys.readouterr().err
    assert r"no\x1b[31m" in error
    assert error.count("\n") == 1
