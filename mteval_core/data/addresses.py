"""Addresses: how a text is named on the command line and in reports.

========================  ==========================================================
``ref.txt``               a plain file
``out.jsonl::hyp``        a column of a file with fields, see `mteval_core.Field`
``out.jsonl::hyp@id``     the same, joined with other texts by the ids of column ``id``
``data.xml::ref.refA``    a text of a data set, see `mteval_core.Dataset.text`
``out.tsv::hyp=1,ref=2``  a file with columns as a data set, see `mteval_core.read_dataset`
========================  ==========================================================
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = ["MARK", "Address", "exists"]

MARK = "::"
"""Separates the path of a file from a field."""


class Address(NamedTuple):
    """The parts of an address; the field and the column of ids are empty if there is none."""

    path: str
    field: str = ""
    ids: str = ""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address. A file of that literal name takes precedence.

        Examples
        --------
        >>> Address.parse("out.jsonl::refs[*]@id")
        Address(path='out.jsonl', field='refs[*]', ids='id')
        """
        path, mark, field = text.rpartition(MARK)
        if not (path and mark) or exists(text):
            return cls(text)
        name, _, ids = field.rpartition("@")
        if name and ids and "=" not in field:
            return cls(path, name, ids)
        return cls(path, field)

    def __str__(self) -> str:
        field = f"{self.field}@{self.ids}" if self.ids else self.field
        return f"{self.path}{MARK}{field}" if field else self.path


def exists(path: str) -> bool:
    """Whether there is a file or folder of this name; a text that cannot be a path has none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
