"""Reading texts and data sets by their addresses, with the formats of the registry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from mteval_core.data.addresses import MARK, Address, exists
from mteval_core.data.dataset import Dataset
from mteval_core.data.joining import IdentifiedText, as_names, text_in_order
from mteval_core.errors import InputError, PluginError, attributed, near, readable
from mteval_core.names import check_name
from mteval_core.plugin.catalogue import READS, SCORES
from mteval_core.plugin.declarations import DatasetSpec, load
from mteval_core.plugin.loading import default_registry
from mteval_core.plugin.registry import HOST, looks_like, without_compression
from mteval_core.text.text import TestSet, Text, as_json, kind
from mteval_core.text.values import WHERE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.data.judgments import Judgments
    from mteval_core.data.outside import OutsideScores
    from mteval_core.plugin.declarations import ReaderSpec
    from mteval_core.plugin.registry import Entry, Plugin, Registry


KEYS = frozenset(("id", "ids", "key", "idx", "index", "line", "seg_id", "segment", "segment_id"))
"""Columns whose values name segments."""


class Files:
    """Reads texts and data sets by their addresses, each of them once.

    Parameters
    ----------
    registry : Registry
        Where to look for formats.
    """

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._columns: dict[tuple[Address, bool], list[IdentifiedText]] = {}
        self._datasets: dict[Address, Dataset] = {}

    # Texts

    def text(self, address: Address) -> Text:
        """Read one text, in the order of its file.

        Raises
        ------
        InputError
            If the file cannot be read, or the field holds several texts.
        PluginError
            If the format fails, or several claim the file.
        """
        return self.column(address).text

    def column(self, address: Address) -> IdentifiedText:
        """Read one text with its ids; see `text`."""
        columns = self.columns(address)
        if len(columns) > 1:
            one = str(address).replace("[*]", "[1]")
            raise InputError(f"{address}: {len(columns)} texts per segment; choose, as in {one}")
        return columns[0]

    def columns(self, address: Address, *, of_values: bool = False) -> list[IdentifiedText]:
        """Read the texts of an address: one, or several for a field with ``[*]``; see `text`.

        With `of_values`, there is one, whose segments may be numbers and lists, as JSON.
        """
        key = address, of_values
        if key not in self._columns:  # standard input, for one, can be read only once
            self._columns[key] = self._read(address, of_values=of_values)
        return self._columns[key]

    def _read(self, address: Address, *, of_values: bool) -> list[IdentifiedText]:
        path, field, id_field, _ = address
        if self._is_of_dataset(address):
            dataset = self.dataset(address)
            ids = dataset.test_set.ids if dataset.test_set else None
            return [IdentifiedText(dataset.text(field), ids)]
        reader = self.registry.reader(path)
        if reader.declaration.fields is None:
            if field:
                raise InputError(self._without_columns(address, reader))
            return [IdentifiedText(text_of_file(path, reader))]
        if not field:
            raise InputError(without_field(path, reader))
        texts = (values_of_field if of_values else texts_of_field)(address, reader)
        if not id_field:
            return list(map(IdentifiedText, texts))
        names = as_names(self.text(Address(path, id_field)), "id")
        return [IdentifiedText(text, names) for text in texts]

    def _without_columns(self, address: Address, reader: Entry[ReaderSpec]) -> str:
        """Say why a file has no field."""
        path, field, *_ = address
        if path == "-":
            return "standard input has no fields; write it to a file with the ending of its format"
        if not exists(path):
            return f"{path}: no such file"
        if self.registry.dataset(path):
            return f"{path}: no text {field!r}.{near(field, self.dataset(address).fields)}"
        return self._not_installed(path) or (
            f"{path}: read as {reader.declaration.help or reader.declaration.name}, which has no "
            f"field {field!r}. Files with columns have the ending of their format, such as .jsonl "
            f"or .tsv"
        )

    def _not_installed(self, path: str) -> str:
        """Say in which plugin the format of a file is; empty if it is not known."""
        where = self.registry.missing(READS, without_compression(Path(path).name))
        return where and f"{path}: its format is {where}"

    # Data sets

    def _is_of_dataset(self, address: Address) -> bool:
        """Whether an address is a text of a data set and not a column of a file."""
        kind_of_text, dot, _ = address.field.partition(".")
        known = ("ref", "system", "column") if dot else ("source", "docs", "domains", "ids")
        return kind_of_text in known and bool(address.roles or self.dataset_format(address.path))

    def _format_of_name(self, path: str) -> Entry[DatasetSpec] | None:
        """Return the format of ``NAME:REST``; None for the path of a file."""
        name, colon, _ = path.partition(":")
        entries = self.registry.of_name(DatasetSpec, name) if colon and not exists(path) else []
        return self.registry.find(DatasetSpec, name) if entries else None

    def dataset(self, address: Address) -> Dataset:
        """Read the data set of an address; see `read_dataset`."""
        address = address.dataset
        if address not in self._datasets:
            self._datasets[address] = self._dataset(address).with_addresses(str(address))
        return self._datasets[address]

    def _dataset(self, address: Address) -> Dataset:
        path = address.path
        if address.roles:
            from mteval_core.data.columns import data_set_of_columns

            return data_set_of_columns(path, address.roles, self.columns)
        entry, rest = self._claimed(path)
        with attributed(f"data set {entry}"), readable(rest):
            dataset = load(entry.declaration.function)(rest)
            if not isinstance(dataset, Dataset):
                raise PluginError(f"data set {entry}: returned {kind(dataset)}; expected a Dataset")
            check_name(dataset.language, f"data set {entry}: language", PluginError)
            return dataset

    def _claimed(self, path: str) -> tuple[Entry[DatasetSpec], str]:
        """Return the format of a data set, and what it reads: ``REST``, or the path of a file."""
        named = self._format_of_name(path)
        entry = named or self.registry.dataset(path)
        if entry is None:
            raise InputError(self._no_dataset(path))
        return entry, path.partition(":")[2] if named else path

    def parts(self, path: str) -> list[str]:
        """List the data sets of a folder of several, such as language pairs.

        Returns
        -------
        list of str
            What `dataset` reads; the path itself if its format does not have several.

        Raises
        ------
        InputError
            If no format claims the path, or it cannot be read.
        """
        entry, rest = self._claimed(path)
        if entry.declaration.parts is None:
            return [path]
        with attributed(f"data set {entry}"), readable(path):
            found = load(entry.declaration.parts)(rest)
        return [f"{path.removesuffix(rest)}{part}" for part in found]

    def _no_dataset(self, path: str) -> str:
        """Say that no format claims a data set, and what to do."""
        if not exists(path):
            where = self.registry.missing("datasets", path.partition(":")[0])
            if where:
                return f"{path}: no such file or folder; the format is {where}"
            known = ", ".join(e.declaration.name for e in self.registry.of_kind(DatasetSpec))
            names = f" and no NAME:REST of a format (known: {known})" if ":" in path else ""
            return f"{path}: no such file or folder{names}"
        reader = self.registry.reader(path)
        if reader.declaration.fields is not None:
            return f"{without_field(path, reader)}; or say with --fields hyp=FIELD,ref=FIELD"
        return self._not_installed(path) or (
            f"{path}: not in a format of data sets that is installed (mteval list datasets)"
        )

    # Scores and judgments

    def scores(self, address: Address, name: str = "", better: str = "") -> OutsideScores:
        """Read scores that were computed before.

        Parameters
        ----------
        address : Address
            What ``mteval score -f jsonl`` wrote, or a file in a format that a plugin reads, such
            as a table of scores; or ``FILE::NAME``, one of the metrics of a file.
        name : str
            Name of the metric. Default: that of the file.
        better : {"", "higher", "lower"}
            Which direction is better. Default: what the file says, or higher.

        Raises
        ------
        InputError
            If the file cannot be read, or holds several metrics and none is named.
        """
        path, field, *_ = address
        known = {scores.name: scores for scores in self._scores_of_file(path, better)}
        named = address if field or (name not in known and len(known) == 1) else Address(path, name)
        wanted = _chosen(known, named, "scores of a metric", f"NAME={path}{MARK}METRIC")
        scores = known[wanted]
        return replace(
            scores,
            name=check_name(name or scores.name, f"{address}: metric", InputError),
            better=cast("Literal['higher', 'lower']", better or scores.better),
            path=f"{path}{MARK}{wanted}" if len(known) > 1 else path,
        )

    def _scores_of_file(self, path: str, better: str) -> Sequence[OutsideScores]:
        """Read all scores of a file; a format of scores that cannot recognize it comes last."""
        able = [e for e in self.registry.of_kind(DatasetSpec) if e.declaration.scores]
        is_file = Path(path).is_file()
        seen = [e for e in able if e.declaration.sniff and is_file and looks_like(e, path)]
        if not seen and self.dataset_format(path):
            return self.dataset(Address(path)).scores
        for entry in (*seen, *(e for e in able if e.declaration.sniff is None)):
            with attributed(f"data set {entry}"), readable(path):
                read = load(entry.declaration.scores or entry.declaration.function)
                scores: Sequence[OutsideScores] = read(path, self.registry, better)
                return scores
        raise PluginError(f"{path}: its format is {self.registry.missing(SCORES, Path(path).name)}")

    def judgments(self, address: Address) -> Judgments | None:
        """Read the human scores of a file in a format of data sets; None in another format."""
        if not self.dataset_format(address.path):
            return None
        known = self.dataset(address).judgments
        return known[_chosen(known, address, "human scores", f"{address.path}{MARK}NAME")]

    def dataset_format(self, path: str) -> Entry[DatasetSpec] | None:
        """Return the format of a data set, by its name or its file; None if no format claims it."""
        return self._format_of_name(path) or self.registry.dataset(path)

    def plugin_of(self, address: Address) -> Plugin:
        """Return the plugin that reads a text."""
        is_column = address.roles or (address.field and not self._is_of_dataset(address))
        entry = None if is_column else self.dataset_format(address.path)
        return (entry or self.registry.reader(address.path)).plugin

    def plugin_of_scores(self, address: Address) -> Plugin | None:
        """Return the plugin that reads the scores of another program; None for a table."""
        entry = self.dataset_format(address.path)
        return entry.plugin if entry else None

    # Test sets

    def test_set(
        self,
        references: Sequence[Address],
        *,
        source: Address | None = None,
        documents: Address | None = None,
        domains: Address | None = None,
        size: int | None = None,
    ) -> TestSet:
        """Read a test set.

        Parameters
        ----------
        references : sequence of Address
            The reference streams.
        source, documents, domains : Address, optional
            Addresses of the source, and of the document id and the domain of each segment.
        size : int, optional
            Number of segments; only needed without references and source.

        Returns
        -------
        TestSet
            If texts have ids, it has the ids and the order of the first of these.

        Raises
        ------
        InputError
            If a text cannot be read, or texts do not belong together.
        """
        streams = [column for address in references for column in self.columns(address)]
        others = (source, documents, domains)
        origin, topics, fields = (self.column(each) if each else None for each in others)
        columns = [column for column in (*streams, origin, topics, fields) if column]
        identified = [column for column in columns if column.ids]
        order = identified[0].ids if identified else None
        for column in columns:
            self._refuse_another_order(column, (identified or columns)[0])
        return TestSet(
            references=tuple(text_in_order(column, order) for column in streams),
            documents=as_names(text_in_order(topics, order), "document") if topics else None,
            documents_path=topics.text.path if topics else None,
            source=text_in_order(origin, order) if origin else None,
            ids=order,
            size=size,
            domains=as_names(text_in_order(fields, order), "domain") if fields else None,
        )

    def output(self, address: Address, test_set: TestSet) -> Text:
        """Read the output of a system, joined with the test set; see `text`."""
        column = self.column(address)
        for reference in test_set.references[:1]:
            self._refuse_another_order(column, IdentifiedText(reference))
        return text_in_order(column, test_set.ids)

    def values(self, fields: Mapping[str, Address], test_set: TestSet) -> dict[str, Text]:
        """Read columns of values by their names, joined with the test set."""
        columns = {name: self.columns(each, of_values=True)[0] for name, each in fields.items()}
        return {name: text_in_order(column, test_set.ids) for name, column in columns.items()}

    def _refuse_another_order(self, column: IdentifiedText, other: IdentifiedText) -> None:
        """Raise an `InputError` if a text lacks ids that another has, or is in another order."""
        one, two = (Address.parse(each.text.path or "") for each in (other, column))
        if one.ids and column.ids is None:
            raise InputError(
                f"{two}: its segments have no ids, and those of {one} have; name its column of "
                f"ids, FILE::FIELD@ID, or leave out @{one.ids} to join all texts by line"
            )
        if one.path == two.path or any(
            address.ids or not address.field or self._is_of_dataset(address)
            for address in (one, two)
        ):
            return
        fields = [field_names(each.path, self.registry.reader(each.path)) for each in (one, two)]
        for key in KEYS.intersection(*fields):
            keys, others = (list(self.text(Address(each.path, key))) for each in (one, two))
            are_unique = len({*keys}) == len(keys) == len(others)
            if keys != others and are_unique and {*keys} == {*others}:
                raise InputError(
                    f"{one} and {two}: the columns {key!r} of both files have the same values in "
                    f"another order; join the texts by them, {one}@{key} and {two}@{key}"
                )


def text_of_file(path: str, reader: Entry[ReaderSpec]) -> Text:
    """Read a file that holds one text."""
    with attributed(f"reader {reader}"), readable(path):
        text = Text.of(load(reader.declaration.function)(path), path)
        if reader.plugin.distribution == HOST:
            return text
        check_made_text(text)
    return replace(text, path=path)


def check_made_text(text: Text) -> None:
    """Raise an error if the bounds of a text are no arrays or lie outside, or it is not UTF-8."""
    _ = text.digest, text.starts.dtype, text.ends.dtype, [*text]


def texts_of_field(address: Address, reader: Entry[ReaderSpec]) -> list[Text]:
    """Read one column of a file with fields."""
    path, field, *_ = address
    with attributed(f"reader {reader}"), readable(path):
        found = load(reader.declaration.function)(path, field)
        values = [found] if isinstance(found, Text) else found
        if not isinstance(values, list):
            raise PluginError(f"reader {reader}: returned {kind(values)}; expected a list")
        if any(isinstance(value, list | Text) for value in values):
            return several(values, str(address))
        return [replace(Text.of(cast("list[str]", values), str(address)), path=str(address))]


def values_of_field(address: Address, reader: Entry[ReaderSpec]) -> list[Text]:
    """Read one column of a file with fields, whose values need not be texts."""
    if reader.declaration.values is None:
        return texts_of_field(address, reader)
    with attributed(f"reader {reader}"), readable(address.path):
        found = list(load(reader.declaration.values)(address.path, address.field))
        written = [as_json(value, where) for where, value in found]
        places = {WHERE: [where for where, _ in found]}
        return [replace(Text.of(written, str(address), columns=places), path=str(address))]


def several(values: list[Any], address: str) -> list[Text]:
    """Make texts of a column with a list of texts per segment; the first ones make the first."""
    if all(isinstance(value, Text) for value in values):
        texts: list[Text] = values
        for text in texts:
            check_made_text(text)
    else:
        rows = [value if isinstance(value, list) else [value] for value in values]
        width = max(map(len, rows))
        padded = [[*row, *[None] * (width - len(row))] for row in rows]
        texts = [Text.of(list(stream), address) for stream in zip(*padded, strict=True)]
    if not texts:
        raise InputError(f"{address}: every list is empty; expected one text or more per segment")
    places = [address.replace("[*]", f"[{k}]") for k in range(1, len(texts) + 1)]
    return [replace(text, path=place) for text, place in zip(texts, places, strict=True)]


def field_names(path: str, reader: Entry[ReaderSpec]) -> list[str]:
    """Name the fields of a file."""
    assert reader.declaration.fields is not None
    with attributed(f"reader {reader}"), readable(path):
        return [str(field) for field in load(reader.declaration.fields)(path)]


def without_field(path: str, reader: Entry[ReaderSpec]) -> str:
    """Say which fields a file has."""
    fields = field_names(path, reader)
    listed = ", ".join(fields) or "none"
    example = f": type {path}{MARK}FIELD" if fields else ""
    return f"{path}: a file with fields; choose one of {listed}{example}"


def _chosen(known: Mapping[str, object], address: Address, what: str, choice: str) -> str:
    """Return the name of scores that an address chooses; without a name, of the only ones.

    Raises
    ------
    InputError
        If there are no scores of this name, or several and no name.
    """
    wanted = address.field or (next(iter(known)) if len(known) == 1 else "")
    if wanted not in known:
        named = f" {wanted!r}" if wanted else " without a name"
        seen = f"{named}.{near(wanted, known)} Choose one, {choice}"
        raise InputError(f"{address.path}: no {what}{seen if known else ' in this data set'}")
    return wanted


def read_dataset(
    path: str, *, fields: str | None = None, registry: Registry | None = None
) -> Dataset:
    """Read a data set: references with source, documents, systems and whatever else it holds.

    Parameters
    ----------
    path : str
        A file or folder in a format that a plugin reads, or ``NAME:REST`` for the format ``NAME``.
    fields : str, optional
        For a file with columns, what they are: ``hyp=FIELD,ref=FIELD,src=FIELD,doc=FIELD``,
        ``domain=FIELD`` and ``id=FIELD``. ``hyp`` and ``ref`` may be repeated. Any other name is
        that of a column of values. With ``system=FIELD``, the file has one row per segment and
        system, and the columns are those of the systems.
    registry : Registry, optional
        Where to look for the format. Default: everything that is installed.

    Returns
    -------
    Dataset

    Raises
    ------
    UsageError
        If the fields are not valid.
    InputError
        If no format claims the path, it cannot be read, or its parts do not belong together.
    PluginError
        If the format fails, or several claim the path.
    """
    files = Files(default_registry() if registry is None else registry)
    return files.dataset(Address(path, roles=fields) if fields else Address.of_dataset(path))
