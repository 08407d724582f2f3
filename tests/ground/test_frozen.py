"""The base of classes whose instances do not change: as a frozen dataclass."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

import mteval_core
from mteval_core.frozen import Frozen


class Range(Frozen):
    """Two ends."""

    low: float
    high: float = 1.0
    names: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, kw_only=True)


class Tagged(Frozen):
    """A number with tags, which have no hash."""

    number: int
    tags: dict[str, str] = field(default_factory=dict, hash=False)


class Named(Range, kw_only=True):
    """Two ends and a name."""

    name: str


class Same(Frozen, eq=False):
    """An object that is equal to itself only."""

    value: int = 0


class Again(Same):
    """Equal by its value again."""


@dataclass(frozen=True)
class Model:
    """What `Range` has to be like."""

    low: float
    high: float = 1.0
    names: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, kw_only=True)


@pytest.mark.parametrize(
    ("values", "named"),
    [((1,), {}), ((1, 2), {}), ((), {"high": 3, "low": 2}), ((1, 2, ["x"]), {"note": "y"})],
)
def test_it_is_like_a_frozen_dataclass(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    found, model = Range(*values, **named), Model(*values, **named)
    assert vars(found) == vars(model)
    assert list(vars(found)) == [each.name for each in fields(model)]
    assert repr(found) == repr(model).replace("Model", "Range")
    assert found == Range(*values, **named)
    assert replace(found, note="other") == found
    assert replace(found, low=9) != found
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found
    assert vars(Range(1))["names"] is not vars(Range(1))["names"]


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((), {}, "missing a required argument: 'low'"),
        ((1,), {"low": 1}, "multiple values for argument 'low'"),
        ((1,), {"x": 1}, "got an unexpected keyword argument 'x'"),
        ((1, 2, [], "note"), {}, "too many positional arguments"),
    ],
)
def test_arguments_that_do_not_fit_are_errors(
    values: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=f"^Range: {message}"):
        Range(*values, **named)


def test_fields_cannot_change() -> None:
    found = Range(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'low'"):
        found.low = 2  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'low'"):
        del found.low  # pyright: ignore[reportAttributeAccessIssue]


def test_equality() -> None:
    assert Same(1) != Same(1)
    assert len({Same(1), Same(1)}) == 2
    assert Again(1) == Again(1) != Again(2)
    assert Range(1) != Named(1, name="x")
    assert len({Again(1), Again(1)}) == 1
    assert Range(1) != Model(1)
    assert Tagged(1) != Tagged(1, {"a": "b"})
    assert hash(Tagged(1)) == hash(Tagged(1, {"a": "b"}))
    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        hash(Range(1))


def test_parameters_are_shown() -> None:
    assert str(inspect.signature(Range)) == str(inspect.signature(Model)).replace("<factory>", "[]")
    assert str(inspect.signature(Named)).endswith("*, note: 'str' = '', name: 'str') -> None")


def test_no_code_is_compiled_for_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    compile_all = exec

    def execute(code: str, *names: Any) -> None:
        compiled.append(code)
        compile_all(code, *names)

    monkeypatch.setattr("builtins.exec", execute)
    type("New", (Frozen,), {"__annotations__": {"x": int}, "__doc__": "A class."})
    assert "__init__" not in "".join(compiled)
    dataclass(type("Old", (), {"__annotations__": {"x": int}, "__doc__": "A class."}))
    assert "__init__" in "".join(compiled)


@pytest.mark.parametrize("name", mteval_core.__all__)
def test_python_can_describe_every_public_name(name: str) -> None:
    assert pydoc.render_doc(getattr(mteval_core, name))
