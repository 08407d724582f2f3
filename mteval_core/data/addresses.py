"""Addresses of texts: ``PATH::FIELD@id``, as the command line and reports write them.

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
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

MARK = "::"
"""Separates the path of a file from a field."""


class Address(NamedTuple):
    """Where a text, a data set or a file with scores is. Parts that are not given are empty.

    Parameters
    ----------
    path : str
        The file or folder, or ``NAME:REST`` for a format of data sets.
    field : str
        The column of a file, or the text of a data set.
    ids : str
        The column of ids by which the text is joined with others.
    roles : str
        What the columns of a file are that is read as a data set, ``hyp=FIELD,ref=FIELD``.
    """

    path: str
    field: str = ""
    ids: str = ""
    roles: str = ""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read the address of a text. A file of that literal name takes precedence.

        Examples
        --------
        >>> Address.parse("out.jsonl::refs[*]@id")
        Address(path='out.jsonl', field='refs[*]', ids='id', roles='')
        >>> Address.parse("out.tsv::hyp=1,ref=2::system.A")
        Address(path='out.tsv', field='system.A', ids='', roles='hyp=1,ref=2')
        """
        path, mark, field = text.rpartition(MARK)
        if not (path and mark) or exists(text):
            return cls(text)
        file, mark, roles = path.rpartition(MARK)
        if not (file and mark and "=" in roles) or exists(path):
            file, roles = path, ""
        name, _, ids = field.rpartition("@")
        if name and ids and "=" not in field:
            return cls(file, name, ids, roles)
        return cls(file, field, roles=roles)

    @classmethod
    def of_dataset(cls, text: str) -> Address:
        """Read the address of a data set, whose roles may follow the path.

        Examples
        --------
        >>> Address.of_dataset("out.tsv::hyp=1,ref=2")
        Address(path='out.tsv', field='', ids='', roles='hyp=1,ref=2')
        """
        path, mark, roles = text.rpartition(MARK)
        return cls(path, roles=roles) if path and mark and not exists(text) else cls(text)

    @property
    def dataset(self) -> Address:
        """The address of the data set that the text belongs to."""
        return Address(self.path, roles=self.roles)

    @property
    def paths(self) -> tuple[str, ...]:
        """The file, as a tuple."""
        return (self.path,)

    def __str__(self) -> str:
        field = f"{self.field}@{self.ids}" if self.ids else self.field
        return MARK.join(part for part in (self.path, self.roles, field) if part)


STDIN = Address("-")
"""The address of standard input."""


def exists(path: str, test: Callable[[Path], bool] = Path.exists) -> bool:
    """Whether there is a file or folder of this name; a text that cannot be a path has none.

    Parameters
    ----------
    path : str
        The name.
    test : callable
        What must be true of the path, such as ``Path.is_dir``.
    """
    try:
        return test(Path(path))
    except (OSError, ValueError):
        return False
