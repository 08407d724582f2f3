"""Joining texts: by line number, or strictly by id."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.errors import InputError
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.text.text import Text

SHOWN = 3
"""Number of ids that a message lists."""


class IdentifiedText(Frozen):
    """A text, and the ids of its segments if they are known."""

    text: Text
    ids: tuple[str, ...] | None = None


def text_in_order(column: IdentifiedText, order: Sequence[str] | None) -> Text:
    """Bring a text into the order of the ids of a test set; without ids it goes by line.

    Raises
    ------
    InputError
        If an id is given twice, is missing or is not in the test set, or if the test set has no
        ids.
    """
    if column.ids is None or column.ids == order:
        return column.text
    where = column.text.path or "the text"
    if order is None:
        raise InputError(
            f"{where}: its segments have ids, but those of the test set have none; name the column "
            f"of ids of the references too, FILE::FIELD@ID"
        )
    rows = rows_by_id(column.ids, where)
    refuse_unequal(rows, order, where)
    return replace(column.text.take([rows[name] for name in order]), path=column.text.path)


def rows_by_id(ids: Sequence[str], where: str) -> dict[str, int]:
    """Map ids to rows, counted from 0.

    Raises
    ------
    InputError
        If an id is empty or given twice.
    """
    rows: dict[str, int] = {}
    for row, name in enumerate(ids):
        if not name:
            raise InputError(f"{where}: row {row + 1} has no id; expected one in every row")
        if rows.setdefault(name, row) != row:
            raise InputError(f"{where}: rows {rows[name] + 1} and {row + 1} share the id {name!r}")
    return rows


def refuse_unequal(rows: dict[str, int], order: Sequence[str], where: str) -> None:
    """Raise an `InputError` if ids are missing, or are not in the test set."""
    missing = [name for name in order if name not in rows]
    if missing:
        raise InputError(f"{where}: no row with the id {first_few(missing)} of the test set")
    if len(rows) > len(order):
        known = {*order}
        surplus = [name for name in rows if name not in known]
        raise InputError(
            f"{where}: row {rows[surplus[0]] + 1} has an id that the test set does not have: "
            f"{first_few(surplus)}"
        )


def first_few(names: Sequence[str]) -> str:
    """List the first few names."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more


def as_names(text: Text, what: str) -> tuple[str, ...]:
    """Read a text as names, such as document ids.

    Raises
    ------
    InputError
        If one is missing.
    """
    names = tuple(text)
    if None in names:
        raise InputError(f"{text.path}: row {names.index(None) + 1} has no {what}")
    return tuple(map(str, names))
