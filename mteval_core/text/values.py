"""Values of columns: what a test set or a system has for each segment besides its text."""

from __future__ import annotations

from contextlib import suppress
from math import isfinite
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from mteval_core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mteval_core.text.text import Text

WHERE = "where"
"""The column of a column with the file and the line of each value, for messages."""


class Values(list[Any]):
    """The values of a column, one per segment."""

    @classmethod
    def of(cls, column: Text, name: str, type: str) -> Values:
        """Read the values of a column.

        Parameters
        ----------
        column : Text
            The values as they are written.
        name : str
            Name of the column.
        type : {"text", "number", "numbers", "json"}
            What the values are, see `View`.

        Raises
        ------
        InputError
            If one has another type.
        """
        from json import loads

        expected, holds = TYPES[type]
        parse_int = None if type == "json" else float
        values = cls()
        for i, written in enumerate(column):
            with suppress(ValueError, RecursionError):
                value: Any = written
                if type != "text" and written is not None:
                    # JSON has no NaN and no Infinity, which `int` refuses.
                    value = loads(written, parse_int=parse_int, parse_constant=int)
                if holds(value):
                    values.append(value)
                    continue
            places = column.columns.get(WHERE)
            where = places[i] if places else f"{column.path or 'the values'}: segment {i}"
            seen = "nothing" if written is None else shorten(written, 60)
            raise InputError(f"{where}: the column {name!r} has {seen}; expected {expected}")
        return values

    def slice(self, start: int, stop: int) -> Values:
        """Values of the segments ``start`` to ``stop - 1``."""
        return Values(self[start:stop])

    def leave_out(self, k: int = 0) -> Values:  # noqa: ARG002
        """Return the values: they are neither references nor a source."""
        return self

    without_references = leave_out
    without_source = leave_out


def _is_number(value: object) -> bool:
    return isinstance(value, float) and isfinite(value)


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "text": ("a text", lambda value: value is not None),
    "number": ("a number", _is_number),
    "numbers": ("a list of numbers, such as [1, 2.5]", _are_numbers),
    "json": ("a value of JSON", lambda _: True),
}
"""The types of values: what is expected, and whether a value is that."""
