"""Immutable classes, cheaper to define than frozen dataclasses."""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from inspect import Signature

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Any:
        """Do nothing: it speaks to type checkers."""
        return lambda cls: cls


class _Parameters:
    """The parameters of a class, for `inspect.signature`."""

    def __get__(self, instance: object, cls: type[Frozen]) -> Signature:
        from inspect import Parameter, Signature

        def parameter(found: Field[Any]) -> Parameter:
            kind = Parameter.KEYWORD_ONLY if found.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            make = found.default_factory
            made = Parameter.empty if make is MISSING else make()
            default = made if found.default is MISSING else found.default
            return Parameter(found.name, kind, default=default, annotation=found.type)

        own = fields(cls) if is_dataclass(cls) else ()  # `Frozen` itself has none
        ordered = sorted(own, key=attrgetter("kw_only"))
        return Signature([parameter(found) for found in ordered], return_annotation=None)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """Base of classes whose instances do not change, and are equal if their fields are.

    A subclass is a frozen dataclass, with one difference: its methods are those of this class,
    while a dataclass writes methods of its own as text and compiles them. With dozens of classes
    that took a third of the time that the host adds to the start of Python and numpy.

    Parameters
    ----------
    eq : bool
        Class argument: whether instances are equal if their fields are; otherwise, if they are the
        same object.
    kw_only : bool
        Class argument: whether all fields are passed by name.

    Examples
    --------
    >>> class Range(Frozen):
    ...     low: float
    ...     high: float = 1.0
    >>> Range(0.5)
    Range(low=0.5, high=1.0)
    >>> Range(0.5) == Range(0.5, high=1.0)
    True
    """

    __signature__: ClassVar[_Parameters] = _Parameters()

    def __init_subclass__(cls, *, eq: bool = True, kw_only: bool = False) -> None:
        super().__init_subclass__()
        dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
        compared_like = Frozen if eq else object
        for method in ("__eq__", "__hash__"):
            if method not in vars(cls):
                setattr(cls, method, getattr(compared_like, method))

    def __init__(self, *values: Any, **named: Any) -> None:
        defaults, positional, required, factories = parameters(type(self))  # type: ignore[arg-type] # mypy looks at the instance
        given = dict(zip(positional, values, strict=False)) | named
        state = vars(self)
        state.update(defaults)
        state.update(given)
        for name in factories.keys() - given.keys():
            state[name] = factories[name]()
        is_known = state.keys() == defaults.keys() and required <= given.keys()
        if not is_known or len(given) < len(values) + len(named):
            self._refuse(values, named)
        self.__post_init__()

    def _refuse(self, values: Sequence[object], named: Mapping[str, object]) -> None:
        """Raise the `TypeError` of arguments that are missing, unknown or given twice."""
        from inspect import signature

        try:
            signature(type(self)).bind(*values, **named)
        except TypeError as error:
            raise TypeError(f"{type(self).__qualname__}: {error}") from None

    def __post_init__(self) -> None:
        """Check the fields, or derive something from them."""

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({shown})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = getter(type(self), hashed=False)  # type: ignore[arg-type] # mypy looks at the instance
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        hashed = getter(type(self), hashed=True)  # type: ignore[arg-type] # mypy looks at the instance
        return hash(hashed(self))


@cache
def parameters(
    cls: type[Frozen],
) -> tuple[dict[str, Any], list[str], set[str], dict[str, Callable[[], Any]]]:
    """Return the defaults of all fields, names by position and required ones, and factories."""
    found = {each.name: each for each in fields(cls)}  # type: ignore[arg-type] # every subclass is a dataclass
    defaults = {name: each.default for name, each in found.items()}
    positional = [name for name, each in found.items() if not each.kw_only]
    factories = {name: f for name in found if (f := found[name].default_factory) is not MISSING}
    required = {name for name in found if defaults[name] is MISSING} - factories.keys()
    return defaults, positional, required, factories


@cache
def getter(cls: type[Frozen], *, hashed: bool) -> attrgetter[Any]:
    """Make a function that returns the fields of a class that are compared, or hashed."""
    found = [(each.name, each.hash if hashed else None, each.compare) for each in fields(cls)]  # type: ignore[arg-type]
    names = [name for name, own, compared in found if (compared if own is None else own)]
    return attrgetter(*(names or ["__class__"]))
