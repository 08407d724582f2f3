"""An engine must return the result of every part once; otherwise it is an error that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.sources import find_engine, find_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Ends(BaseException):
    """Something that is no ordinary error."""


def raising(error: BaseException) -> Any:
    def engine(_: Any, parts: Any) -> Any:
        assert parts
        raise error

    return engine


def later(call: Any, parts: Any) -> Iterator[Any]:
    yield call(parts[0])
    raise SystemExit(0)


FAULTS: dict[str, tuple[Any, str]] = {
    "loses the first": (lambda call, parts: [call(p) for p in parts[1:]], "lost 1 of 3 parts"),
    "returns none": (lambda _, __: [], "lost 3 of 3 parts"),
    "repeats": (lambda call, parts: [*map(call, parts), call(parts[0])], "returned a part twice"),
    "takes one for all": (lambda call, parts: [call(parts[0])] * 3, "returned a part twice"),
    "forgets": (lambda _, __: None, "TypeError"),
    "returns nothing for a part": (lambda _, parts: [None for _ in parts], "returned NoneType"),
    "returns something else": (lambda _, parts: [5 for _ in parts], "returned int"),
    "returns the parts": (lambda _, parts: parts, "returned tuple"),
    "fails": (raising(ValueError("no machine")), "ValueError: no machine"),
    "ends": (raising(SystemExit(0)), "SystemExit"),
    "is interrupted in its own way": (raising(Ends("now")), "Ends: now"),
    "ends later": (later, "SystemExit"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_engine_is_named(plugin: Callable[..., Any], fault: str) -> None:
    function, message = FAULTS[fault]
    wrong = mt.EngineSpec("wrong", function=function, help="wrong")
    run = find_engine("wrong", mt.load_registry([plugin(engines=[wrong])]))
    with pytest.raises(mt.PluginError, match=f"^engine 'wrong' .*{message}"):
        list(run(str, [7, 8, 9]))


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_results_may_come_in_any_order(plugin: Callable[..., Any], order: list[int]) -> None:
    spec = mt.EngineSpec(
        "mine", function=lambda call, parts: (call(parts[k]) for k in order), help="mine"
    )
    run = find_engine("mine", mt.load_registry([plugin(engines=[spec])]))
    assert list(run(str, [7, 8, 9])) == [str(7 + k) for k in order]
    assert list(find_engine("local", mt.default_registry())(str, [7, 8])) == ["7", "8"]


def refuse(part: int) -> int:
    raise mt.InputError(f"part {part} is refused")


def test_an_error_of_the_texts_stays_one() -> None:
    run = find_engine("local", mt.default_registry())
    with pytest.raises(mt.InputError, match=r"^part 7 is refused$"):
        list(run(refuse, [7]))


def test_an_unknown_engine_is_a_wrong_request() -> None:
    with pytest.raises(mt.UsageError, match="unknown engine 'none'"):
        find_engine("none", mt.default_registry())


def test_an_engine_without_a_source_reads_with_that_of_another(plugin: Callable[..., Any]) -> None:
    reading = mt.EngineSpec("a", function=map, source=sorted, help="it reads")
    other = mt.EngineSpec("b", function=map, help="it does not")
    both = mt.load_registry([plugin(engines=[other, reading])])
    assert [find_source(name, both) for name in "ab"] == [sorted, sorted]
    message = "engine 'b' .* has no source, and what reads Parquet files is in the plugin .*pip"
    with pytest.raises(mt.PluginError, match=message):
        find_source("b", mt.load_registry([plugin(engines=[other])]))
