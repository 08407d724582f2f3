"""Texts that options name: a data set, references, source, documents and outputs of systems."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from mteval_core.commands.inputs import systems_by_name
from mteval_core.data.addresses import STDIN, Address
from mteval_core.errors import UnknownNameError, UsageError, near

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.commands.arguments import Options
    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.text import Text


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
        dataset = self._of_data() if self.options.get("data") else self._of_files()
        if self.options.get("empty_refs") != "missing":
            return dataset
        from mteval_core.text.text import without_empty

        test_set = dataset.texts
        streams = tuple(without_empty(stream) for stream in test_set.references)
        return replace(dataset, test_set=replace(test_set, references=streams))

    @cached_property
    def dataset(self) -> Dataset:
        """Everything: references, what belongs to them, and the outputs of the systems."""
        dataset = self.references
        if self.options.get("data") and not self.options.given("input"):
            return dataset  # the default of -i is for references from files
        added = {
            name: [self.output(address) for address in addresses]
            for name, addresses in self.systems.items()
        }
        repeated = sorted(dataset.systems.keys() & added.keys())
        if repeated:
            message = f"{dataset.path} has a system {repeated[0]!r} too: name yours, NAME=PATH"
            raise UsageError(message)
        return replace(dataset, systems={**dataset.systems, **added})

    def output(self, address: Address) -> Text:
        """Read a text of the segments of the test set, such as the output of a system."""
        return self.files.output(self._with_ids(address), self.references.texts)

    def outputs(self, address: Address) -> list[Text]:
        """Read the texts of an address: one, or several for a field with ``[*]``."""
        from mteval_core.data.joining import text_in_order

        columns = self.files.columns(self._with_ids(address))
        return [text_in_order(column, self.references.texts.ids) for column in columns]

    def refuse_unused_source(self, scorers: Sequence[Scorer]) -> None:
        """Raise a `UsageError` if no metric uses the source that is given."""
        source = self.options.get("source")
        if source and not any(scorer.setup.uses_source for scorer in scorers):
            named = ", ".join(str(scorer.spec) for scorer in scorers)
            message = f"--source {source}: no metric uses the source ({named}): leave out --source"
            raise UsageError(message)

    def _with_ids(self, address: Address) -> Address:
        """Add the field of ids of ``--fields`` to a column that names none."""
        fields = self.options.get("fields")
        if fields is None or not address.field:
            return address
        return address._replace(ids=address.ids or fields.ids)

    def _of_files(self) -> Dataset:
        """Read references, source, documents and domains from files."""
        from mteval_core.data.dataset import Dataset

        options = self.options
        source, documents, domains = (
            address and self._with_ids(address)
            for address in (options.get("source"), options.get("docs"), options.get("domains"))
        )
        references = [self._with_ids(address) for address in options.references]
        size = None
        if not references and not source:  # as many segments as the first system has
            first, *_ = next(iter(self.systems.values()), (STDIN,))
            size = len(self.files.text(self._with_ids(first)))
        return Dataset(
            test_set=self.files.test_set(
                references, source=source, documents=documents, domains=domains, size=size
            )
        )

    def _of_data(self) -> Dataset:
        """Read the data set; options replace its source, documents and domains."""
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
        dataset = self.whole
        known, names = dataset.reference_names, list(map(str, self.options.references))
        for name in names:
            if name not in known:
                message = (
                    f"{dataset.path} has no reference stream {name!r}; with --data, -r chooses "
                    f"streams by name.{near(name, known)}"
                )
                raise UnknownNameError(message)
        test_set = dataset.texts
        if not names:
            return dataset
        chosen = tuple(dict.fromkeys(names))
        streams = tuple(test_set.references[known.index(name)] for name in chosen)
        return replace(
            dataset, test_set=replace(test_set, references=streams), reference_names=chosen
        )
