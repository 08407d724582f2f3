"""A file with columns as a data set: ``hyp=FIELD,ref=FIELD,src=FIELD,doc=FIELD,...``.

``hyp`` and ``ref`` may be repeated. Any other name is that of a column of values. With
``system=FIELD``, the rows of all systems are in one file, and each row repeats the references,
source and document of its segment.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.data.addresses import MARK, Address
from mteval_core.data.dataset import Dataset
from mteval_core.data.joining import as_names, refuse_unequal, rows_by_id
from mteval_core.errors import InputError, UsageError
from mteval_core.frozen import Frozen
from mteval_core.text.text import TestSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mteval_core.data.joining import IdentifiedText
    from mteval_core.text.text import Text

ROLES = ("hyp", "ref", "src", "doc", "domain", "id", "system")
"""What a field may be in a data set."""

REPEATED = ("hyp", "ref")
"""What several fields may be."""


def parse_fields(text: str) -> dict[str, list[str]]:
    """Read ``ROLE=FIELD,...`` as fields by role, which may be the name of a column of values.

    Raises
    ------
    UsageError
        If a role has no name or no field, or a role or field is given twice.
    """
    fields: dict[str, list[str]] = {}
    for part in text.split(","):
        role, equals, field = part.partition("=")
        if not (role.replace("-", "_").isidentifier() and equals and field):
            raise UsageError(f"--fields: {part!r}: expected ROLE=FIELD")
        if MARK not in field and Address.parse(f"-{MARK}{field}").ids:
            raise UsageError(f"--fields: {part!r}: expected no @ID in a data set; type id=FIELD")
        fields.setdefault(role, []).append(field)
    for role, given in fields.items():
        if len(given) > 1 and role not in REPEATED:
            raise UsageError(f"--fields: {role}= is given {len(given)} times; expected once")
        for field in given:
            if given.count(field) > 1:
                raise UsageError(f"--fields: {role}={field} is given {given.count(field)} times")
    return fields


def data_set_of_columns(
    path: str, fields: str, read: Callable[..., list[IdentifiedText]]
) -> Dataset:
    """Read a file with columns as a data set.

    Parameters
    ----------
    path : str
        The file.
    fields : str
        ``ROLE=FIELD,...``, see the docstring of the module.
    read : callable
        ``read(address, of_values=...)`` reads a column, see `Files.columns`.

    Raises
    ------
    UsageError
        If the fields are not valid.
    InputError
        If the file cannot be read or has no rows, ids are missing or doubled, or rows contradict
        each other.
    """
    roles = parse_fields(fields)
    if "ref" not in roles:
        raise UsageError(f"--fields {fields}: no reference; expected ref=FIELD")
    if "system" in roles and len(roles.get("hyp", ())) != 1:
        raise UsageError(f"--fields {fields}: expected hyp=FIELD once, for the rows of all systems")
    texts: dict[str, list[Text]] = {}
    for role, given in roles.items():
        columns = [read(Address(path, field), of_values=role not in ROLES) for field in given]
        texts[role] = [column.text for column in chain(*columns)]
    if not len(texts["ref"][0]):
        raise InputError(f"{path}: no rows; expected at least one segment")
    table = ColumnRoles(path, texts, roles.get("id", [""])[0])
    return table.with_rows_of_systems() if "system" in texts else table.with_rows_of_segments()


class ColumnRoles(Frozen):
    """The columns of a file by role."""

    path: str
    texts: Mapping[str, Sequence[Text]]
    id_field: str

    def names(self, role: str, what: str) -> tuple[str, ...] | None:
        """Return a column as names; None if there is none."""
        return as_names(self.texts[role][0], what) if role in self.texts else None

    def test_set(self, references: Sequence[Text], columns: Mapping[str, Text]) -> TestSet:
        """Make the test set of a file with a row per segment."""
        return TestSet(
            references=tuple(references),
            documents=self.names("doc", "document"),
            documents_path=self.texts["doc"][0].path if "doc" in self.texts else None,
            source=next(iter(self.texts.get("src", ())), None),
            ids=self.names("id", "id"),
            domains=self.names("domain", "domain"),
            columns=columns,
        )

    @property
    def values(self) -> dict[str, Text]:
        """The columns of values, by name."""
        return {role: texts[0] for role, texts in self.texts.items() if role not in ROLES}

    def with_rows_of_segments(self) -> Dataset:
        """Make a data set with a row per segment, and a column for each system."""
        rows_by_id(self.names("id", "id") or (), self.path)
        outputs = self.texts.get("hyp", ())
        name = Path(self.path).name.partition(".")[0]
        names = [name] if len(outputs) == 1 else list(map(field_of, outputs))
        columns = {name: self.with_id_column(values) for name, values in self.values.items()}
        return Dataset(
            test_set=self.test_set(list(map(self.with_id_column, self.texts["ref"])), columns),
            systems=dict(zip(names, map(self.with_id_column, outputs), strict=True)),
            reference_names=tuple(map(field_of, self.texts["ref"])),
        )

    def with_id_column(self, text: Text) -> Text:
        """Name the column of ids in the address of a text, so that it is joined when read again."""
        return replace(text, path=str(Address(self.path, field_of(text), self.id_field)))

    def with_rows_of_systems(self) -> Dataset:
        """Make a data set with a row per system and segment."""
        rows = self.rows_of_systems()
        first, *others = rows.values()
        for other in others:
            refuse_unequal(other, list(first), self.path)
            self.refuse_contradictions(first, other)
        places = [*first.values()]
        shared = {role: [text.take(places) for text in own] for role, own in self.texts.items()}
        output = replace(self.texts["hyp"][0], columns=self.values)
        systems = {name: output.take([own[each] for each in first]) for name, own in rows.items()}
        return Dataset(
            test_set=replace(self, texts=shared).test_set(shared["ref"], {}),
            systems=systems,
            reference_names=tuple(map(field_of, self.texts["ref"])),
        )

    def rows_of_systems(self) -> dict[str, dict[str, int]]:
        """Map the ids of the segments to rows, by system; without ids, they are numbered."""
        ids = self.names("id", "id")
        rows: dict[str, dict[str, int]] = {}
        for row, system in enumerate(self.names("system", "system") or ()):
            own = rows.setdefault(system, {})
            name = str(len(own)) if ids is None else ids[row]
            if not name or own.setdefault(name, row) != row:
                seen = f"the id {name!r} of row {own[name] + 1} again" if name else "no id"
                raise InputError(f"{self.path}: row {row + 1} of system {system!r} has {seen}")
        return rows

    def refuse_contradictions(self, first: Mapping[str, int], other: Mapping[str, int]) -> None:
        """Raise an `InputError` if two systems have different references of a segment."""
        for role in ("ref", "src", "doc", "domain"):
            for text in self.texts.get(role, ()):
                for name, row in other.items():
                    if text[row] != text[first[name]]:
                        raise InputError(
                            f"{self.path}: rows {first[name] + 1} and {row + 1} belong to the same "
                            f"segment, but differ in {field_of(text)!r}"
                        )


def field_of(text: Text) -> str:
    """Name of the column that a text was read from."""
    return Address.parse(text.path or "").field
