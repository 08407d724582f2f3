"""Options read and write their values, and say what they expect of a wrong one."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mteval_core import MetricSpec, NormalizerSpec, Option, OptionError, load_registry, metric
from mteval_core.plugin.declarations import load
from mteval_core.plugin.options import read_number
from mteval_core.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Window:
    """A value of a type of its own, written ``N@place``."""

    size: int
    place: str = "start"

    @classmethod
    def parse(cls, text: str) -> Window:
        size, _, place = text.partition("@")
        if not size.isdecimal():
            raise ValueError("a size, or SIZE@PLACE")
        return cls(int(size), place or "start")

    def __str__(self) -> str:
        return f"{self.size}@{self.place}"


FLAG = Option("flag", default=False)
ORDER = Option("order", 4, minimum=1, maximum=9)
RATIO = Option("ratio", 0.5, minimum=0)
CLOSENESS = Option("bp", "closest", choices=("closest", "shortest", "average"))
SKIP = Option("skip", "*", choices=("*",), minimum=0)
MODULES = Option("modules", ("exact",), choices=("exact", "stem", "synonym"))
WORDS = Option("words", ())
WINDOW = Option("window", Window(3), type=Window.parse)
ANY = Option("any", "")


@pytest.mark.parametrize(
    ("option", "items", "value"),
    [
        (FLAG, ("yes",), True),
        (FLAG, ("no",), False),
        (ORDER, ("1",), 1),
        (ORDER, ("9",), 9),
        (RATIO, ("2",), 2.0),
        (RATIO, ("1e-3",), 0.001),
        (CLOSENESS, ("average",), "average"),
        (SKIP, ("*",), "*"),
        (SKIP, ("4",), 4),
        (MODULES, ("stem", "exact"), ("stem", "exact")),
        (MODULES, ("",), ()),
        (WORDS, ("any", "thing"), ("any", "thing")),
        (WINDOW, ("7@end",), Window(7, "end")),
        (ANY, ("",), ""),
    ],
)
def test_reads(option: Option, items: tuple[str, ...], value: Any) -> None:
    found = option.parse(items)
    assert found == value
    assert type(found) is type(value)
    assert option.parse(option.format(value)) == value


@pytest.mark.parametrize(
    ("option", "items", "message"),
    [
        (FLAG, ("true",), "option flag=true: expected yes or no"),
        (FLAG, ("yes", "no"), "option flag=yes+no: expected yes or no"),
        (ORDER, ("0",), "option order=0: expected a whole number from 1 to 9"),
        (ORDER, ("10",), "option order=10: expected a whole number from 1 to 9"),
        (ORDER, ("2.5",), "option order=2.5: expected a whole number from 1 to 9"),
        (ORDER, ("",), "option order=: expected a whole number from 1 to 9"),
        (ORDER, ("1", "2"), "option order=1+2: expected a whole number from 1 to 9"),
        (RATIO, ("-0.1",), "option ratio=-0.1: expected a number of at least 0"),
        (RATIO, ("nan",), "option ratio=nan: expected a number of at least 0"),
        (RATIO, ("inf",), "option ratio=inf: expected a number of at least 0"),
        (RATIO, ("1e999",), "option ratio=1e999: expected a number of at least 0"),
        (Option("x", 1, maximum=3), ("4",), "option x=4: expected a whole number of at most 3"),
        (
            CLOSENESS,
            ("closet",),
            "option bp=closet: expected one of closest, shortest, average. Did you mean 'closest'?",
        ),
        (SKIP, ("-1",), "option skip=-1: expected a whole number of at least 0 or *"),
        (
            MODULES,
            ("exact", "stm"),
            "option modules=stm: expected any of exact, stem, synonym, joined by '+'. "
            "Did you mean 'stem'?",
        ),
        (WINDOW, ("wide",), "option window=wide: expected a size, or SIZE@PLACE"),
        (ANY, ("a", "b"), "option any=a+b: expected a word"),
    ],
)
def test_refuses(option: Option, items: tuple[str, ...], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        option.parse(items)
    assert str(caught.value) == message
    assert caught.value.exit_code == 2


ALL = (FLAG, ORDER, RATIO, CLOSENESS, SKIP, MODULES, WORDS, WINDOW, ANY)


@given(st.sampled_from(ALL), st.lists(st.text(max_size=4), min_size=1, max_size=3).map(tuple))
def test_any_items_are_a_value_or_an_option_error(option: Option, items: tuple[str, ...]) -> None:
    try:
        value = option.parse(items)
    except OptionError:
        return
    assert option.parse(option.format(value)) == value


@given(st.floats(min_value=0, allow_infinity=False, allow_nan=False))
def test_numbers_are_written_without_loss(number: float) -> None:
    assert RATIO.parse(RATIO.format(number)) == number


def fails(text: str) -> int:
    raise TypeError(f"not such an {text}")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (Option("n", "1", type=int), 1),
        (Option("n", 1, type=int), 1),
        (Option("window", "2@end", type=Window.parse), Window(2, "end")),
        (Option("bp", "closest"), "closest"),
    ],
)
def test_a_default_is_read_by_its_type(option: Option, value: Any) -> None:
    assert option.value_of(option.default) == value
    assert type(option.value_of(option.default)) is type(value)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (Option("n", "x", type=int), "its default is 'x': option n=x: expected invalid literal"),
        (Option("n", "x", type=json.loads), "its default is 'x': option n=x: expected Expecting"),
        (Option("n", "[]", type=len), "its default is '[]'; expected a value that is read as"),
        (Option("n", 1.5, type=int), "its default is 1.5: option n=1.5: expected invalid literal"),
        (Option("n", "x", type=fails), "its default is 'x': TypeError: not such an x"),
        (Option("n", 0, minimum=1), "its default is 0: option n=0: expected a whole number of at"),
        (Option("n", "b", choices=("a",)), "its default is 'b': option n=b: expected a."),
        (Option("n", 1, type=str), "its default is 1; expected a value that is read as it is"),
        (Option("n", "x", signed=0), "its signed is 0; expected True or False"),  # type: ignore[arg-type]
        (Option("tok", "13a", signed=False), "its signed is False; tokenizers are always signed"),
    ],
)
def test_a_default_that_is_wrong_breaks_the_plugin(
    plugin: Callable[..., Any], matches: MetricSpec, option: Option, message: str
) -> None:
    point = plugin("bad", metrics=[replace(matches, options=(option,))])
    *_, bad = load_registry([point]).plugins
    assert str(bad).startswith("plugin 'bad' of mteval-bad 1.0 is broken: 'matches': its option ")
    assert message in bad.error


def test_an_unsigned_option_is_not_in_the_signature(
    plugin: Callable[..., Any], matches: MetricSpec
) -> None:
    option = replace(matches.options[0], signed=False)
    registry = load_registry([plugin(metrics=[replace(matches, options=(option,))])])
    scorer = metric("matches:bonus=0.5", registry=registry)
    signature = str(scorer.signature([["a"]]))
    assert scorer.setup.options == {"bonus": 0.5}
    assert "bonus" not in signature
    assert metric(signature, registry=registry).setup.options == {"bonus": 0}
    assert metric(signature, bonus=0.25, registry=registry).setup.options == {"bonus": 0.25}
    assert metric(f"{signature}|bonus:1", registry=registry).setup.options == {"bonus": 1}


NOT_NUMBERS = [
    "",
    " 1",
    "1 ",
    "1_0",
    "+1",
    "0x1",
    "1e",
    "e1",
    ".",
    "--1",
    "inf",
    "nan",
    "٣",
    "¹",
    "1,0",
]


@pytest.mark.parametrize("text", [*NOT_NUMBERS, "1\n", "1e999"])
@pytest.mark.parametrize("option", [ORDER, RATIO, SKIP])
def test_what_only_python_reads_as_a_number_is_none(option: Option, text: str) -> None:
    with pytest.raises(OptionError):
        option.parse((text,))
    with pytest.raises(ValueError, match=r"is not a number|is too large"):
        read_number(text, float)


@given(st.text("0123456789.eE+-_ ", max_size=8))
def test_what_is_a_number_has_pythons_value(text: str) -> None:
    for kind in (int, float):
        try:
            number = read_number(text, kind)
        except ValueError:
            continue
        assert number == kind(text)
        assert not set(text) & {"_", " "}


def test_numbers_are_written_short() -> None:
    assert RATIO.format(0.1) == ("0.1",)
    assert RATIO.format(3.0) == ("3",)
    assert RATIO.format(1 / 3) == ("0.3333333333333333",)


@given(st.lists(st.text(min_size=1, max_size=5), max_size=4).map(tuple))
def test_lists_of_any_words_survive_a_spec(words: tuple[str, ...]) -> None:
    spec = Spec("x", {"words": WORDS.format(words)})
    assert WORDS.parse(Spec.parse(str(spec)).options["words"]) == words


def test_a_list_may_be_given_for_a_tuple() -> None:
    assert MODULES.format(["exact", "stem"]) == ("exact", "stem")


def test_load_imports_what_a_string_points_to() -> None:
    assert load("json:dumps")([]) == "[]"
    assert load(len) is len


def test_code_waits_for_a_module_that_another_thread_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.3)\nscan = len\n")
    monkeypatch.syspath_prepend(tmp_path)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(load("slow_to_import:scan"))) for _ in "ab"
    ]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    assert found == [len, len]


def test_fields_of_a_class_of_ones_own_need_no_rule(plugin: Any) -> None:
    class Shout(NormalizerSpec, kw_only=True):
        make: Callable[..., Any] = print
        loudness: Literal[1, 2] = 1

    declared = Shout("up", key="case", stage="text", function=str.upper, loudness=2)
    registry = load_registry([plugin(normalizers=[declared])], strict=True)
    assert registry.find(NormalizerSpec, "up", "case").declaration is declared
