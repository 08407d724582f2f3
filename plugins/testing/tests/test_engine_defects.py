"""The kit finds engines that lose parts, repeat them, or hide errors."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import check_engine

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Call = Callable[[Any], Any]


def right(call: Call, parts: Sequence[Any]) -> Iterable[Any]:
    return [call(part) for part in reversed(parts)]


def loses_the_last(call: Call, parts: Sequence[Any]) -> Iterable[Any]:
    return [call(part) for part in parts[:-1]]


def repeats_the_first(call: Call, parts: Sequence[Any]) -> Iterable[Any]:
    return [call(part) for part in [*parts[:1], *parts]]


def returns_the_parts(_: Call, parts: Sequence[Any]) -> Iterable[Any]:
    return parts


def needs_a_part(call: Call, parts: Sequence[Any]) -> Iterable[Any]:
    return [call(parts[0]), *(call(part) for part in parts[1:])]


def swallows_errors(call: Call, parts: Sequence[Any]) -> Iterable[Any]:
    for part in parts:
        with suppress(mt.InputError):
            yield call(part)


def hides_errors(call: Call, parts: Sequence[Any]) -> Iterable[Any]:
    try:
        return [call(part) for part in parts]
    except mt.InputError:
        raise RuntimeError("a task failed") from None


def failed(function: Any, plugin: Callable[..., Any]) -> list[str]:
    """Names of the checks that an engine fails."""
    engine = mt.EngineSpec("mine", function=function, help="an engine")
    registry = mt.load_registry([plugin(engines=[engine])])
    return [each.check for each in check_engine("mine", registry=registry) if not each.ok]


def test_an_engine_may_return_results_in_any_order(plugin: Callable[..., Any]) -> None:
    assert failed(right, plugin) == []


@pytest.mark.parametrize(
    ("engine", "check"),
    [
        (repeats_the_first, "every_part_has_one_result"),
        (needs_a_part, "every_part_has_one_result"),
        (swallows_errors, "errors_come_through"),
        (hides_errors, "errors_come_through"),
    ],
)
def test_a_fault_is_found(engine: Any, check: str, plugin: Callable[..., Any]) -> None:
    assert failed(engine, plugin) == [check]


@pytest.mark.parametrize("engine", [returns_the_parts, loses_the_last])
def test_an_engine_that_leaves_parts_out_fails_both(
    engine: Any, plugin: Callable[..., Any]
) -> None:
    assert len(failed(engine, plugin)) == 2


@pytest.mark.parametrize("function", [None, 3, "no-colon"])
def test_a_declaration_needs_a_function(function: Any, plugin: Callable[..., Any]) -> None:
    engine = mt.EngineSpec("mine", function=function)
    registry = mt.load_registry([plugin(engines=[engine])])
    with pytest.raises(mt.MtevalError, match="mine"):
        check_engine("mine", registry=registry)
