"""Inputs as users write them: systems with their runs, and scores of other programs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.data.addresses import Address, exists
from mteval_core.errors import UsageError
from mteval_core.names import check_name

if TYPE_CHECKING:
    from collections.abc import Sequence

OUTSIDE_SCORES = re.compile(r"(?P<name>[^=\[]+)(\[(?P<better>lower|higher)\])?(=(?P<address>.+))?")
"""The values of ``--scores``."""


class SystemInput(NamedTuple):
    """The outputs of a system: ``PATH``, ``NAME=PATH``, or ``NAME=PATH,PATH`` for several runs.

    Parameters
    ----------
    name : str
        The name that the user gives; empty without one.
    addresses : tuple of Address
        The output of each run.
    """

    name: str
    addresses: tuple[Address, ...]

    @classmethod
    def parse(cls, text: str) -> SystemInput:
        """Read an input. A file of that literal name takes precedence."""
        name, _, paths = text.partition("=")
        if not (name and paths) or is_input(text):
            return cls("", (Address.parse(text),))
        runs = [paths] if is_input(paths) else paths.split(",")
        return cls(name, tuple(map(Address.parse, runs)))

    @property
    def paths(self) -> tuple[str, ...]:
        """The files."""
        return tuple(address.path for address in self.addresses)

    @property
    def names(self) -> list[str]:
        """Names for the system, the preferred one first.

        An unnamed system is named after its file without directory and ending, after its field, or
        after its whole address.
        """
        from mteval_core.plugin.registry import without_compression

        if self.name:
            return [self.name]
        address = self.addresses[0]
        if address.path == "-":
            return ["stdin", str(address)]
        name = without_compression(Path(address.path).name)
        if not address.field:
            return [name.removesuffix(".txt"), str(address)]
        return [
            name.partition(".")[0] or name,
            address.field.removeprefix("system."),
            str(address),
        ]

    def __str__(self) -> str:
        runs = ",".join(map(str, self.addresses))
        return f"{self.name}={runs}" if self.name else runs


class ScoresInput(NamedTuple):
    """Scores of another program: ``NAME=FILE``, ``NAME[lower]=FILE``, or ``NAME`` of a data set.

    Parameters
    ----------
    name : str
        Name of the metric.
    better : {"", "lower", "higher"}
        The better direction, if the user gives one.
    address : Address or None
        Where the scores are; None for those of the data set.
    """

    name: str
    better: str
    address: Address | None

    @classmethod
    def parse(cls, text: str) -> ScoresInput:
        """Read an input.

        Raises
        ------
        UsageError
            If it is not valid.
        """
        match = OUTSIDE_SCORES.fullmatch(text)
        if not match:
            message = f"--scores {text}: expected NAME=FILE, NAME[lower]=FILE, or NAME with --data"
            raise UsageError(message)
        address = Address.parse(match["address"]) if match["address"] else None
        return cls(match["name"], match["better"] or "", address)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files."""
        return (self.address.path,) if self.address else ()


class FieldsInput(NamedTuple):
    """What columns of files are: ``ROLE=FIELD,...``.

    Parameters
    ----------
    text : str
        The value as it is written.
    roles : tuple of str
        The roles of a data set; without ``id``, which all files with columns may have.
    ids : str
        The field of ids; empty without one.
    """

    text: str
    roles: tuple[str, ...]
    ids: str

    @classmethod
    def parse(cls, text: str) -> FieldsInput:
        """Read an input; see `mteval_core.data.columns.parse_fields`."""
        from mteval_core.data.columns import parse_fields

        fields = parse_fields(text)
        (ids,) = fields.pop("id", [""])
        return cls(text, tuple(fields), ids)

    def __str__(self) -> str:
        return self.text


def systems_by_name(inputs: Sequence[SystemInput]) -> dict[str, tuple[Address, ...]]:
    """Name each system, and return the outputs of its runs by its name.

    Raises
    ------
    UsageError
        If two systems have the same name, or a name cannot be shown.
    """
    taken = Counter(name for one in inputs for name in one.names)
    names = [
        next((name for name in one.names if taken[name] == 1), one.names[-1]) for one in inputs
    ]
    for name in names:
        check_name(name, "system (NAME=PATH names it)")
    repeated = [name for name, n in Counter(names).items() if n > 1]
    if repeated:
        message = f"two systems are called {min(repeated)!r}: name them, NAME=PATH"
        raise UsageError(message)
    return {name: one.addresses for name, one in zip(names, inputs, strict=True)}


def is_input(word: str) -> bool:
    """Whether a word is the address of a file that exists."""
    return exists(Address.parse(word).path)
