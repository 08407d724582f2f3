"""What the kit says about engines, and what the command says about their plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import check_engine
from mteval_testing.engine_checks import doubled, refused

import mteval_core as mt
from mteval_core.commands.parser import CommandParser
from mteval_core.commands.sources import engine_fields, find_engine
from mteval_core.commands.texts import Texts
from mteval_core.data.reading import Files
from mteval_core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def messages(function: Any, plugin: Callable[..., Any]) -> list[str]:
    engine = mt.EngineSpec("mine", function=function, help="an engine")
    registry = mt.load_registry([plugin(engines=[engine])])
    return [finding.message for finding in check_engine("mine", registry=registry)]


def test_the_work_of_the_checks() -> None:
    assert [doubled(part) for part in (0, 3)] == [0, 6]
    with pytest.raises(InputError, match="part 3 is refused"):
        refused(3)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda call, parts: [call(part) for part in parts], ["", ""]),
        (
            lambda call, parts: [call(part) for part in parts[1:]],
            ["a part that fails gave []", "1 parts gave the results []"],
        ),
        (
            lambda call, parts: [call(part) for part in [*parts[:1], *parts]],
            ["", "1 parts gave the results [0, 0]"],
        ),
        (
            lambda _, parts: parts,
            ["a part that fails gave [3]", "7 parts gave the results [0, 1, 2, 3, 4, 5, 6]"],
        ),
        (
            lambda call, parts: [call(part) for part in parts] if len(parts) < 7 else [],
            ["", "7 parts gave the results []"],
        ),
        (
            lambda _, parts: [] if not parts else 1 // 0,
            ["the error does not say why: integer division or modulo by zero", "ZeroDivisionError"],
        ),
        (lambda *_: None, ["the error does not say why: 'NoneType'", "TypeError"]),
    ],
)
def test_findings_say_what_was_seen(
    function: Any, expected: list[str], plugin: Callable[..., Any]
) -> None:
    found = messages(function, plugin)
    assert len(found) == len(expected)
    for message, beginning in zip(found, expected, strict=True):
        assert message.startswith(beginning)
        assert bool(message) == bool(beginning)


def test_an_engine_may_be_a_generator_and_wrap_errors(plugin: Callable[..., Any]) -> None:
    def wraps(call: Any, parts: Any) -> Any:
        try:
            yield from map(call, reversed(parts))
        except InputError as error:
            text = f"task failed: {error}"
            raise RuntimeError(text) from error

    assert messages(wraps, plugin) == ["", ""]


def test_unknown_engines_are_refused(plugin: Callable[..., Any]) -> None:
    engine = mt.EngineSpec("mine", function=map, help="an engine")
    registry = mt.load_registry([plugin(engines=[engine])])
    with pytest.raises(mt.UsageError, match=r"unknown engine 'min'\. Did you mean 'mine'"):
        check_engine("min", registry=registry)


def texts(fields: str | None, data: str | None = "x.parquet") -> Texts:
    registry = mt.default_registry()
    words = ["--engine", "mine", *(["--data", data] if data else [])]
    words += ["--fields", fields] if fields else []
    options = CommandParser(registry.find(mt.CommandSpec, "score")).options(words)
    return Texts(options, Files(registry))


def test_fields_get_their_roles() -> None:
    several = "id=i,hyp=a,hyp=b,ref=r,ref=s,src=t,doc=d"
    expected = {"id": "i", "hyp": ["a", "b"], "ref": ["r", "s"], "src": "t", "doc": "d"}
    assert engine_fields(texts(several), "doc") == expected
    assert engine_fields(texts("id=i,hyp=a"), "corpus") == {
        "id": "i", "hyp": ["a"], "ref": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "data", "message"),
    [
        (None, "x", "--fields id=FIELD,hyp=FIELD$"),
        ("ref=r", "x", "--fields id=FIELD,hyp=FIELD$"),
        ("id=i,ref=r", "x", "--engine mine scores Parquet files: .*--fields hyp=FIELD$"),
        (None, None, "add --data 'PARTS.*--fields id=FIELD,hyp=FIELD$"),
        ("id=i,hyp=h,system=s", "x", "--fields system=s: --engine has no use for it"),
        ("id=i,hyp=h,domain=d", "x", "--fields domain=d: --engine has no use for it"),
        ("id=i,id=j,hyp=h", "x", "id= is given 2 times; expected once"),
        ("id=i,hyp", "x", "'hyp': expected ROLE=FIELD"),
    ],
)
def test_missing_and_useless_fields_are_refused(
    fields: str | None, data: str | None, message: str
) -> None:
    with pytest.raises(mt.UsageError, match=message):
        engine_fields(texts(fields, data), "corpus")


def test_an_engine_that_cannot_be_imported_is_named(plugin: Callable[..., Any]) -> None:
    engine = mt.EngineSpec("mine", function="nowhere.at_all:run", help="an engine")
    registry = mt.load_registry([plugin(engines=[engine])])
    with pytest.raises(mt.PluginError, match=r"engine 'mine' of mteval-toy 1\.0: Mod.*'nowhere'"):
        find_engine("mine", registry)
    with pytest.raises(mt.UsageError, match=r"unknown engine 'mine'"):
        find_engine("mine", mt.load_registry([]))
