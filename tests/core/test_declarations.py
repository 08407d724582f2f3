"""Options read and write their values, and say what they expect of a wrong one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mteval_core import Option, OptionError
from mteval_core.plugin.declarations import load
from mteval_core.plugin.options import read_number
from mteval_core.spec import Spec


@dataclass(frozen=True)
class Window:
    """A value of a type of its own, written ``N@place``."""

    size: int
    place: str = "start"

    @classmethod
    def parse(cls, text: str) -> Window:
        size, _, place = text.partition("@")
        if not size.isdecimal():
            message = "a size, or SIZE@PLACE"
            raise ValueError(message)
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
