"""``--human``: human scores, from tables, from other formats, or from the data set."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import Address, MtevalWarning, UnknownNameError, UsageError
from mteval_metaeval.raters import choose_criteria

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Judgments, Session

__all__ = ["HumanInput", "read_judgments"]


def is_input(word: str) -> bool:
    """Whether a word is the address of a file that exists."""
    path = Address.parse(word).path
    return path == "-" or os.path.exists(path)  # noqa: PTH110 - a path may be no path


class HumanInput(NamedTuple):
    """Human scores: ``FILE``, ``NAME=FILE``, or the ``NAME`` of scores of the data set.

    Parameters
    ----------
    name : str
        Name of the score; empty without one.
    address : Address
        The file, or the name of scores of the data set.
    """

    name: str
    address: Address

    @classmethod
    def parse(cls, text: str) -> HumanInput:
        """Read an input. A file of that literal name takes precedence, or ``FORMAT:...``."""
        name, equals, path = text.partition("=")
        is_named = name and equals and ":" not in name and not is_input(text)
        return cls(name, Address.parse(path)) if is_named else cls("", Address.parse(text))

    @property
    def paths(self) -> tuple[str, ...]:
        """The file."""
        return (self.address.path,)

    def __str__(self) -> str:
        return f"{self.name}={self.address}" if self.name else str(self.address)


def read_judgments(inputs: Sequence[HumanInput], session: Session) -> Judgments:
    """Read human scores.

    Raises
    ------
    UsageError
        If a name is not one of the data set, or other formats than tables are joined.
    InputError
        If a file cannot be read.
    """
    from mteval_metaeval.tables import read_judgments as read_tables

    read = [judgments_of(one, session) for one in inputs]
    found = [judgments for judgments in read if judgments is not None]
    if not found:
        tables = read_tables([(name, str(address)) for name, address in inputs])
        warn_of_first_segment(tables)
        return tables
    if len(inputs) > 1:
        listed = " ".join(map(str, inputs))
        raise UsageError(f"--human {listed}: only tables can be joined; expected one of these")
    return found[0]


def warn_of_first_segment(judgments: Judgments) -> None:
    """Warn of judgments whose first segment is the second one, as if they counted from 1."""
    if judgments.level == "segment" and min(judgments.items, default=0) == 1:
        message = (
            f"{judgments.sources[0][0]}: segment 1 was judged and segment 0 was not; numbers of "
            f"segments start at 0: subtract 1 if these start at 1"
        )
        warnings.warn(MtevalWarning("no-first-segment", message), stacklevel=3)


def judgments_of(one: HumanInput, session: Session) -> Judgments | None:
    """Read human scores of the data set, or in a format of data sets; None for a table."""
    name, address = one
    files, data = session.files, session.options.data
    is_name = not (name or is_input(str(address)) or files.dataset_format(address.path))
    if data and is_name:
        known = session.texts.whole.judgments
        wanted = str(address)
        if wanted not in known:
            raise UsageError(
                f"{data} has no human scores {wanted!r}.{UnknownNameError.near(wanted, known)}"
            )
        return known[wanted]
    judgments = files.judgments(address)
    if judgments is None or not name:
        return judgments
    (criterion, *others) = judgments.criteria
    if others:
        names = ", ".join(judgments.criteria)
        raise UsageError(f"{address} has several criteria, {names}: choose one with --criteria")
    return choose_criteria(judgments, [f"{name}={criterion}"])
