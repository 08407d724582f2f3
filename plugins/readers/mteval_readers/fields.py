"""Fields: the column of a table or the value of a record that holds a text.

===================  =======================================================
``hypothesis``       the column or key of that name
``3``                the third column of a table, counted from 1
``refs.refA.text``   a key inside an object inside an object
``answers[2]``       the second element of a list; missing in a shorter list
``answers[*]``       all elements: several texts, one per place in the list
===================  =======================================================

A column whose whole name looks like one of these is found first: ``a.b`` before ``b`` inside ``a``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mteval_core import InputError, UnknownNameError, UsageError

FIELD_NAME = re.compile(r"(?P<name>[^\[\]]+)(?P<places>(\[(\*|[1-9][0-9]{0,8})\])*)")

FieldStep = str | int | None
"""A key, the place of an element from 0, or None for all elements."""


@dataclass(frozen=True)
class Field:
    """Where the text of a segment is in a record. Call `parse` to make one.

    Parameters
    ----------
    written : str
        The field as the user writes it.
    steps : tuple of str, int or None
        The way to the value: keys, places in lists from 0, and None for all elements of a list.

    Examples
    --------
    >>> record = {"id": 7, "refs": {"refA": ["eins", "ein"]}}
    >>> Field.parse("refs.refA[1]").of(record)
    'eins'
    >>> Field.parse("refs.refA[*]").text(record)
    ['eins', 'ein']
    >>> Field.parse("id").text(record)
    '7'
    """

    written: str
    steps: tuple[FieldStep, ...]

    @classmethod
    def parse(cls, text: str) -> Field:
        """Read a field.

        Raises
        ------
        UsageError
            If the text does not follow the grammar, or has ``[*]`` twice.
        """
        steps: list[FieldStep] = []
        for part in text.split("."):
            match = FIELD_NAME.fullmatch(part)
            if not match:
                raise UsageError(
                    f"{text!r} is not a field: expected a name, a number from 1, or a path such as "
                    f"refs.refA or answers[*]"
                )
            steps.append(match["name"])
            places = match["places"].strip("[]").split("][") if match["places"] else []
            steps += [None if place == "*" else int(place) - 1 for place in places]
        if steps.count(None) > 1:
            raise UsageError(f"{text!r}: expected [*] at most once in a field")
        return cls(text, tuple(steps))

    @property
    def has_several(self) -> bool:
        """Whether the field has ``[*]``, and so several texts."""
        return None in self.steps

    def column(self, names: Sequence[str], where: str) -> int:
        """Return the index of the field among the columns of a table.

        Parameters
        ----------
        names : sequence of str
            Names of the columns.
        where : str
            The file, for the message.

        Raises
        ------
        InputError
            If there is no such column, or more than one.
        """
        if names.count(self.written) > 1:
            raise InputError(
                f"{where}: {names.count(self.written)} columns are called {self.written!r}; choose "
                f"one by its number, from 1"
            )
        if self.written in names:
            return names.index(self.written)
        number = self.written
        if number.isascii() and number.isdigit() and 0 < int(number[:9]) <= len(names):
            return int(number[:9]) - 1
        raise self._missing(names, where)

    def of(self, record: Mapping[str, Any], where: str = "the record") -> Any:
        """Return the value of the field in a record.

        Parameters
        ----------
        record : mapping of str to object
            Nested mappings and lists, as JSON has them.
        where : str
            File and line, for the message.

        Returns
        -------
        object
            A list for a field with ``[*]``. None for a place in a list that is too short.

        Raises
        ------
        InputError
            If the record has no such field.
        """
        if self.written in record:
            return record[self.written]
        return self._follow(record, self.steps, where)

    def _follow(self, value: Any, steps: tuple[FieldStep, ...], where: str) -> Any:
        """Go from a value along the steps."""
        for k, step in enumerate(steps):
            if isinstance(step, str):
                if not isinstance(value, Mapping) or step not in value:
                    raise self._missing(list(value) if isinstance(value, Mapping) else (), where)
                value = value[step]
                continue
            if not isinstance(value, list):
                raise InputError(
                    f"{where}: {self.written!r}: expected a list, got {describe_type(value)}"
                )
            if step is None:
                return [self._follow(item, steps[k + 1 :], where) for item in value]
            if step >= len(value):
                return None
            value = value[step]
        return value

    def text(
        self, record: Mapping[str, Any], where: str = "the record"
    ) -> str | list[str | None] | None:
        """Return the text of a segment: the value of the field, if it is one.

        Parameters
        ----------
        record : mapping of str to object
            Nested mappings and lists, as JSON has them.
        where : str
            File and line, for the message.

        Returns
        -------
        str, None or list
            None stands for a missing segment. A whole number, such as an id, is written in digits.
            A field with ``[*]`` gives a list.

        Raises
        ------
        InputError
            If the record has no such field, or its value is not a text.
        """
        value = self.of(record, where)
        if isinstance(value, list) and self.has_several:
            return [self._as_text(item, where) for item in value]
        return self._as_text(value, where)

    def _as_text(self, value: Any, where: str) -> str | None:
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        hint = f": write {self.written}[1] or {self.written}[*]" if isinstance(value, list) else ""
        raise InputError(
            f"{where}: {self.written!r}: expected a string, got {describe_type(value)}{hint}"
        )

    def _missing(self, names: Sequence[str], where: str) -> InputError:
        return InputError(
            f"{where}: no field {self.written!r}.{UnknownNameError.near(self.written, names)}"
        )

    def __str__(self) -> str:
        return self.written


def describe_type(value: object) -> str:
    """Describe a value of the wrong type."""
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "nothing"}
    return kinds.get(type(value)) or repr(str(value)[:40])
