"""Texts of the commands: ``--data``, references, systems, source and documents, as one data set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mteval_core.commands.files import check_output
from mteval_core.commands.inputs import check_stdin, choose_tokenizer, named_inputs
from mteval_core.commands.outside import requested_scores
from mteval_core.commands.registry import requested_registry
from mteval_core.data.addresses import MARK, Address
from mteval_core.errors import InputError, UnknownNameError, UsageError, near
from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    import argparse

    from mteval_core.data.dataset import Dataset
    from mteval_core.data.reading import Files
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.text import TestSet, Text

__all__ = [
    "checked_registry",
    "file_paths",
    "read_data",
    "read_output",
    "read_references",
    "read_whole",
    "test_set_of",
]


def checked_registry(arguments: argparse.Namespace) -> Registry:
    """Check the paths that are read and written, load the plugins, and choose the tokenizer."""
    inputs = file_paths(arguments)
    check_stdin(inputs, quiet=arguments.quiet)
    check_output(arguments.output, [*inputs, *arguments.plugin_requests])
    registry = requested_registry(arguments)
    choose_tokenizer(arguments, registry)
    return registry


def file_paths(arguments: argparse.Namespace) -> list[str | None]:
    """Paths of the files with texts that the arguments name."""
    outputs = [path for runs in named_inputs(arguments.input).values() for path in runs]
    references = [] if arguments.data else arguments.references
    scores = [requested_scores(word)[2] or None for word in arguments.scores]
    named = [*references, *outputs, *scores, arguments.source, arguments.docs, arguments.data]
    named.append(getattr(arguments, "domains", None))
    return [address and Address.parse(address).path for address in named]


class Fields(Frozen):
    """The value of ``--fields``: the fields of ``--data``, and the ids of all files with fields."""

    of_data: str
    ids: str

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Fields:
        """Read the value.

        Raises
        ------
        UsageError
            If it is not valid, or there is no data set whose fields it names.
        """
        if not arguments.fields:
            return cls("", "")
        from mteval_core.data.columns import parse_fields

        roles = parse_fields(arguments.fields)
        (ids,) = roles.pop("id", [""])
        if roles and not arguments.data:
            message = (
                f"--fields {arguments.fields}: fields of a data set need --data FILE; without it, "
                f"only id=FIELD applies"
            )
            raise UsageError(message)
        return cls(f"{MARK}{arguments.fields}" if roles else "", ids)

    def joined(self, address: str) -> str:
        """Add the field of ids to the address of a column that names none."""
        parts = Address.parse(address)
        return str(parts._replace(ids=parts.ids or self.ids)) if parts.field else address


def read_data(arguments: argparse.Namespace, files: Files) -> Dataset:
    """Read everything that the arguments name: a data set, texts from files, or both.

    Raises
    ------
    UsageError
        If two systems have the same name, or a reference stream is unknown.
    InputError
        If a file cannot be read, or texts do not belong together.
    """
    return with_systems(read_references(arguments, files), arguments, files)


def read_references(arguments: argparse.Namespace, files: Files) -> Dataset:
    """Read everything but the systems of ``-i``; see `read_data`."""
    from mteval_core.data.dataset import Dataset

    fields = Fields.of(arguments)
    if arguments.data:
        dataset = read_whole(arguments, files)
        dataset = with_texts(chosen_references(dataset, arguments.references), arguments, files)
        return with_missing(dataset, arguments)
    domains = getattr(arguments, "domains", None)  # of mteval correlate and profile
    source, documents, domains = (
        address and fields.joined(address)
        for address in (arguments.source, arguments.docs, domains)
    )
    references = [fields.joined(address) for address in arguments.references]
    size = None
    if not references and not source:  # as many segments as the first system has
        first, *_ = named_inputs(arguments.input).values()
        size = len(files.text(fields.joined(first[0])))
    test_set = files.test_set(
        references, source=source, documents=documents, domains=domains, size=size
    )
    return with_missing(Dataset(test_set=test_set), arguments)


def read_whole(arguments: argparse.Namespace, files: Files) -> Dataset:
    """Read the data set of ``--data``, with all its reference streams."""
    return files.dataset(f"{arguments.data}{Fields.of(arguments).of_data}")


def read_output(
    address: str, arguments: argparse.Namespace, dataset: Dataset, files: Files
) -> Text:
    """Read the output of a system for the test set of a data set."""
    return files.output(Fields.of(arguments).joined(address), test_set_of(dataset))


def test_set_of(dataset: Dataset) -> TestSet:
    """Return the test set of a data set.

    Raises
    ------
    InputError
        If it has none.
    """
    if dataset.test_set is None:
        message = f"{dataset.path}: a data set without references, for --human or --scores"
        raise InputError(message)
    return dataset.test_set


def chosen_references(dataset: Dataset, names: list[str]) -> Dataset:
    """Keep the reference streams of these names, in this order; all if there is no name."""
    test_set = test_set_of(dataset)
    known = dataset.reference_names
    for name in names:
        if name not in known:
            message = (
                f"{dataset.path} has no reference stream {name!r}; with --data, -r chooses streams "
                f"by name.{near(name, known)}"
            )
            raise UnknownNameError(message)
    if not names:
        return dataset
    chosen = tuple(dict.fromkeys(names))
    streams = tuple(test_set.references[known.index(name)] for name in chosen)
    test_set = replace(test_set, references=streams)
    return replace(dataset, test_set=test_set, reference_names=chosen)


def with_texts(dataset: Dataset, arguments: argparse.Namespace, files: Files) -> Dataset:
    """Replace source, documents and domains by those that the arguments name."""
    from mteval_core.data.joining import names_of

    test_set = test_set_of(dataset)
    if arguments.source:
        source = read_output(arguments.source, arguments, dataset, files)
        test_set = replace(test_set, source=source)
    if arguments.docs:
        documents = read_output(arguments.docs, arguments, dataset, files)
        names = names_of(documents, "document")
        test_set = replace(test_set, documents=names, documents_path=documents.path)
    if getattr(arguments, "domains", None):
        domains = read_output(arguments.domains, arguments, dataset, files)
        test_set = replace(test_set, domains=names_of(domains, "domain"))
    return replace(dataset, test_set=test_set)


def with_missing(dataset: Dataset, arguments: argparse.Namespace) -> Dataset:
    """Treat empty references as ``--empty-refs`` says."""
    if arguments.empty_refs != "missing":
        return dataset
    test_set = test_set_of(dataset)
    streams = tuple(stream.with_empty_missing() for stream in test_set.references)
    return replace(dataset, test_set=replace(test_set, references=streams))


def with_systems(dataset: Dataset, arguments: argparse.Namespace, files: Files) -> Dataset:
    """Add the systems of ``-i``; with ``--data``, the default of ``-i`` adds none."""
    if arguments.data and "input" not in arguments.given:
        return dataset
    added = {
        name: [read_output(address, arguments, dataset, files) for address in addresses]
        for name, addresses in named_inputs(arguments.input).items()
    }
    repeated = sorted(dataset.systems.keys() & added.keys())
    if repeated:
        message = f"{dataset.path} has a system {repeated[0]!r} too: name yours, NAME=PATH"
        raise UsageError(message)
    return replace(dataset, systems={**dataset.systems, **added})
