"""Options of one run of a command, which can only be read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["Options"]


class Options:
    """The values of a command's arguments, as attributes that can only be read.

    Parameters
    ----------
    values : mapping of str to object
        Values by the names of the arguments: ``options.ci_level`` is that of ``--ci-level``.
    typed : collection of str
        The arguments that stand on the command line.
    configured : collection of str
        The arguments that a configuration file sets.

    Examples
    --------
    >>> options = Options({"width": 4, "case": None}, typed={"width"})
    >>> options.width, options.given("width"), options.get("stem")
    (4, True, None)
    """

    __slots__ = ("_configured", "_typed", "_values")

    def __init__(
        self,
        values: Mapping[str, Any],
        typed: Collection[str] = (),
        configured: Collection[str] = (),
    ) -> None:
        object.__setattr__(self, "_values", MappingProxyType(dict(values)))
        object.__setattr__(self, "_typed", frozenset(typed))
        object.__setattr__(self, "_configured", frozenset(configured))

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            message = f"the command has no argument {name!r}"
            raise AttributeError(message) from None

    def __setattr__(self, name: str, value: object) -> None:
        message = f"options can only be read; {name!r} cannot be set"
        raise AttributeError(message)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of an argument, or the default if the command does not have it."""
        return self._values.get(name, default)

    def given(self, *names: str) -> bool:
        """Whether any of these arguments stands on the command line."""
        return not self._typed.isdisjoint(names)

    def configured(self, *names: str) -> bool:
        """Whether a configuration file sets any of these arguments."""
        return not self._configured.isdisjoint(names)

    def replace(self, **values: Any) -> Options:
        """Return a copy with other values."""
        return Options({**self._values, **values}, self._typed, self._configured)

    def __repr__(self) -> str:
        return f"Options({dict(self._values)})"
