"""Inputs as users write them, and the texts that they name: data sets, references and outputs."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mteval_core.data.addresses import MARK, STDIN, Address, exists
from mteval_core.errors import UnknownNameError, UsageError, near
from mteval_core.names import check_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.commands.arguments import Options
    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.text import TestSet, Text

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
        return [name.partition(".")[0] or name, address.field.removeprefix("system."), str(address)]

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
            raise UsageError(
                f"--scores {text}: expected NAME=FILE, NAME[lower]=FILE, or NAME with --data"
            )
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
        The value as it is written, without columns of other files.
    roles : tuple of str
        The roles of a data set; without ``id``, which all files with columns may have.
    ids : str
        The field of ids; empty without one.
    columns : mapping of str to Address
        Columns of values: ``NAME=FILE::FIELD`` of the test set; ``NAME=FIELD``, without a path, in
        the data set or the files of the systems.
    """

    text: str
    roles: tuple[str, ...]
    ids: str
    columns: Mapping[str, Address]

    @classmethod
    def parse(cls, text: str) -> FieldsInput:
        """Read an input; see `mteval_core.data.columns.parse_fields`."""
        from mteval_core.data.columns import ROLES, parse_fields

        fields = parse_fields(text)
        (ids,) = fields.pop("id", [""])
        columns = {
            name: Address.parse(field) if MARK in field else Address("", field)
            for name, (field, *_) in fields.items()
            if name not in ROLES
        }
        kept = ",".join(part for part in text.split(",") if MARK not in part)
        return cls(kept, tuple(fields.keys() - columns), ids, columns)

    def __str__(self) -> str:
        return self.text


def systems_by_name(inputs: Sequence[SystemInput]) -> dict[str, tuple[Address, ...]]:
    """Name each system, and return the outputs of its runs by its name.

    Raises
    ------
    UsageError
        If two systems have the same name, or a name cannot be shown.
    """
    possible = [one.names for one in inputs]
    taken = Counter(name for own in possible for name in own)
    names = [next((name for name in own if taken[name] == 1), own[-1]) for own in possible]
    for name in names:
        check_name(name, "system (NAME=PATH names it)")
    repeated = [name for name, n in Counter(names).items() if n > 1]
    if repeated:
        raise UsageError(f"two systems are called {min(repeated)!r}: name them, NAME=PATH")
    return {name: one.addresses for name, one in zip(names, inputs, strict=True)}


def is_input(word: str) -> bool:
    """Whether a word is the address of a file that exists."""
    return exists(Address.parse(word).path)


class Texts:
    """Reads the texts that the options of a command name.

    Parameters
    ----------
    options : Options
        The options of the shared groups of arguments ``references``, ``systems``, ``data``,
        ``documents``, ``domains`` and ``empty references``, as far as the command has them.
    files : Files
        Reads files.
    """

    def __init__(self, options: Options, files: Files) -> None:
        self.options = options
        self.files = files

    @cached_property
    def systems(self) -> dict[str, tuple[Address, ...]]:
        """The outputs of the runs of ``-i``, by the name of the system."""
        return systems_by_name(self.options.get("input") or [])

    @cached_property
    def whole(self) -> Dataset:
        """The data set of ``--data``, with all its reference streams."""
        data, fields = self.options.data, self.options.get("fields")
        if fields is not None and fields.roles:
            data = data._replace(roles=fields.text)
        return self.files.dataset(data)

    @cached_property
    def references(self) -> Dataset:
        """Everything but the systems of ``-i``.

        Raises
        ------
        UsageError
            If a reference stream is unknown.
        InputError
            If a file cannot be read, or texts do not belong together.
        """
        from dataclasses import replace

        dataset = self._of_data() if self.options.get("data") else self._of_files()
        columns = {name: one for name, one in self._columns.items() if one.path}
        if columns:
            columns_of_set = {**dataset.texts.columns, **self._values(columns, dataset.texts)}
            dataset = replace(dataset, test_set=replace(dataset.texts, columns=columns_of_set))
        if self.options.get("empty_refs") != "missing":
            return dataset
        from mteval_core.text.text import without_empty

        test_set = dataset.texts
        streams = tuple(without_empty(stream) for stream in test_set.references)
        return replace(dataset, test_set=replace(test_set, references=streams))

    @cached_property
    def dataset(self) -> Dataset:
        """Everything: references, what belongs to them, and the outputs of the systems."""
        from dataclasses import replace

        dataset = self.references
        if self.options.get("data") and not self.options.given("input"):
            return dataset  # the default of -i is for references from files
        added = {name: [*map(self.output, runs)] for name, runs in self.systems.items()}
        repeated = sorted(dataset.systems.keys() & added.keys())
        if repeated:
            raise UsageError(
                f"{dataset.path} has a system {repeated[0]!r} too: name yours, NAME=PATH"
            )
        return replace(dataset, systems={**dataset.systems, **added})

    def output(self, address: Address) -> Text:
        """Read a text of the segments of the test set, such as the output of a system."""
        test_set = self.references.texts
        text = self.files.output(self._with_ids(address), test_set)
        if self._columns and not self.options.fields.roles:  # otherwise, the data set has them
            from dataclasses import replace

            own = {n: a._replace(path=address.path) for n, a in self._columns.items() if not a.path}
            text = replace(text, columns=self._values(own, test_set))
        return text

    @property
    def _columns(self) -> Mapping[str, Address]:
        fields = self.options.get("fields")
        return fields.columns if fields else {}

    def _values(self, columns: Mapping[str, Address], test_set: TestSet) -> dict[str, Text]:
        """Read columns of values."""
        addresses = {name: self._with_ids(address) for name, address in columns.items()}
        return self.files.values(addresses, test_set)

    def outputs(self, address: Address) -> list[Text]:
        """Read the texts of an address: one, or several for a field with ``[*]``."""
        from mteval_core.data.joining import text_in_order

        columns = self.files.columns(self._with_ids(address))
        return [text_in_order(column, self.references.texts.ids) for column in columns]

    def refuse_unused_source(self, scorers: Sequence[Scorer], *, shown: bool = False) -> None:
        """Raise a `UsageError` if no metric uses the source or a column that is given.

        With ``shown``, an output shows the source. A check of texts may look at it, too.
        """
        source, named = self.options.get("source"), ", ".join(str(each.spec) for each in scorers)
        used = {column for scorer in scorers for column in scorer.setup.columns}
        for column in sorted(self._columns.keys() - used):
            from mteval_core.data.columns import ROLES

            nearest = near(column, [*ROLES, *used])
            raise UsageError(f"--fields: no metric uses a column {column!r} ({named}).{nearest}")
        from mteval_core.plugin.declarations import CheckSpec

        checks = [one.declaration.source for one in self.files.registry.of_kind(CheckSpec)]
        if source and not (shown or any(checks) or any(one.setup.uses_source for one in scorers)):
            raise UsageError(
                f"--source {source}: no metric uses the source ({named}): leave out --source"
            )

    def _with_ids(self, address: Address) -> Address:
        """Add the field of ids of ``--fields`` to a column that names none."""
        fields = self.options.get("fields")
        if fields is None or not address.field:
            return address
        return address._replace(ids=address.ids or fields.ids)

    def _of_files(self) -> Dataset:
        """Read references, source, documents and domains from files."""
        from mteval_core.data.dataset import Dataset

        flags = {"source": "source", "documents": "docs", "domains": "domains"}
        given = {text: self.options.get(flag) for text, flag in flags.items()}
        others = {text: address and self._with_ids(address) for text, address in given.items()}
        references = [self._with_ids(address) for address in self.options.references]
        size = None
        if not references and not others["source"]:  # as many segments as the first system has
            first, *_ = next(iter(self.systems.values()), (STDIN,))
            size = len(self.files.text(self._with_ids(first)))
        return Dataset(test_set=self.files.test_set(references, **others, size=size))

    def _of_data(self) -> Dataset:
        """Read the data set; options replace its source, documents and domains."""
        from dataclasses import replace

        from mteval_core.data.joining import as_names

        dataset = self._with_chosen_references()
        test_set, options = dataset.texts, self.options

        def read(address: Address) -> Text:
            return self.files.output(self._with_ids(address), test_set)

        if options.get("source"):
            test_set = replace(test_set, source=read(options.source))
        if options.get("docs"):
            documents = read(options.docs)
            names = as_names(documents, "document")
            test_set = replace(test_set, documents=names, documents_path=documents.path)
        if options.get("domains"):
            test_set = replace(test_set, domains=as_names(read(options.domains), "domain"))
        return replace(dataset, test_set=test_set)

    def _with_chosen_references(self) -> Dataset:
        """Keep the reference streams that ``-r`` names, in this order; all without a name."""
        from dataclasses import replace

        dataset = self.whole
        known, names = dataset.reference_names, list(map(str, self.options.references))
        for name in names:
            if name not in known:
                raise UnknownNameError(
                    f"{dataset.path} has no reference stream {name!r}; with --data, -r chooses "
                    f"streams by name.{near(name, known)}"
                )
        if not names:
            return dataset
        chosen = tuple(dict.fromkeys(names))
        streams = tuple(dataset.texts.references[known.index(name)] for name in chosen)
        test_set = replace(dataset.texts, references=streams)
        return replace(dataset, test_set=test_set, reference_names=chosen)
