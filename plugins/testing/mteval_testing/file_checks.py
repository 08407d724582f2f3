"""The checks of formats of files: readers of texts, and data sets."""

from __future__ import annotations

import gzip
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mteval_core import (
    Address,
    DatasetSpec,
    Files,
    InputError,
    ReaderSpec,
    Registry,
    read_dataset,
)
from mteval_testing.findings import Finding, expect
from mteval_testing.kit import Kit
from mteval_testing.targets import load
from mteval_testing.watch import tried

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Entry, FileSample

__all__ = ["DATASET_KIT", "READER_KIT", "check_dataset", "check_reader"]

F = TypeVar("F", ReaderSpec, DatasetSpec)

Texts = Mapping[str, Sequence[str | None]]


def written(sample: FileSample, folder: Path) -> str:
    """Write the files of a sample into a folder; return what is to be read."""
    for name, content in sample.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return str(folder / sample.path)


@dataclass(frozen=True)
class FileFormat(ABC, Generic[F]):
    """A registered format of files, with the ways to use it.

    Parameters
    ----------
    entry : Entry
        Its declaration and its plugin.
    registry : Registry
        Where names of files are looked up.
    """

    entry: Entry[F]
    registry: Registry

    @abstractmethod
    def claimant(self, path: str) -> Entry[F] | None:
        """Return the format that reads a file in the registry."""

    @abstractmethod
    def read(self, path: str) -> dict[str, list[Any]]:
        """Read everything in a file with this format: texts by field."""

    @property
    def sample(self) -> FileSample | None:
        """The sample of its author."""
        sample = self.entry.declaration.sample
        return None if sample is None else load(sample)()

    def names(self) -> list[str]:
        """Return a name for each pattern, without a character class."""
        patterns = [p for p in self.entry.declaration.patterns if "[" not in p]
        return [pattern.replace("*", "sample").replace("?", "x") for pattern in patterns]


class Reader(FileFormat[ReaderSpec]):
    """A registered format of texts."""

    def claimant(self, path: str) -> Entry[ReaderSpec] | None:
        """Return the reader of a file."""
        return self.registry.reader(path)

    def read(self, path: str) -> dict[str, list[Any]]:
        """Read all columns, or the only text."""
        claiming_all = replace(self.entry.declaration, patterns=("*",), sniff=None)
        entry = replace(self.entry, declaration=claiming_all)
        files = Files(Registry([entry.plugin], [entry]))
        fields = self.entry.declaration.fields
        if fields is None:
            return {"": list(files.text(Address(path)))}
        columns = {}
        for name in map(str, load(fields)(path)):
            texts = [list(column.text) for column in files.columns(Address(path, name))]
            columns[name] = texts[0] if len(texts) == 1 else texts
        return columns


class DatasetFormat(FileFormat[DatasetSpec]):
    """A registered format of data sets."""

    def claimant(self, path: str) -> Entry[DatasetSpec] | None:
        """Return the format of a data set."""
        return self.registry.dataset(path)

    def read(self, path: str) -> dict[str, list[Any]]:
        """Read all texts, and the human scores, which may be read late."""
        dataset = read_dataset(f"{self.entry.declaration.name}:{path}", registry=self.registry)
        for name in dataset.judgments:
            _ = dataset.judgments[name]
        return {name: list(dataset.text(name)) for name in dataset.fields}


NO_SAMPLE = "nothing was read: declare a sample, a function that returns a FileSample"


def claims_its_files(format_: FileFormat[Any]) -> str:
    """Files with the declared names get this format; otherwise they are read as something else."""
    names, sample = format_.names(), format_.sample
    if format_.entry.declaration.sniff is not None:
        patterns = format_.entry.declaration.patterns
        fits = sample and any(fnmatch(Path(sample.path).name, pattern) for pattern in patterns)
        names = [sample.path] if sample and fits else []
    with TemporaryDirectory() as folder:
        for name in names:
            path = (
                written(sample, Path(folder))
                if sample and name == sample.path
                else f"{folder}/{name}"
            )
            claimant = format_.claimant(path)
            who = claimant.qualified if claimant else "no format"
            expect(who == format_.entry.qualified, f"{name} is read by {who}")
    return "" if names or sample else NO_SAMPLE


def reads_its_sample(format_: FileFormat[Any]) -> str:
    """The author's sample is read as declared; otherwise users score other texts than they have."""

    def check(path: str, texts: Texts) -> None:
        read = format_.read(path)
        for name, expected in texts.items():
            expect(name in read, f"no text {name!r}, only {', '.join(map(repr, read))}")
            expect_same_texts(read[name], expected, name)

    with_sample(format_, check)
    return "" if format_.sample else NO_SAMPLE


def reading_again_gives_the_same(format_: FileFormat[Any]) -> None:
    """A file holds the same when it is read again; otherwise scores cannot be verified."""

    def check(path: str, _: Texts) -> None:
        first, second = format_.read(path), format_.read(path)
        expect([*first] == [*second], f"the texts {[*first]}, then {[*second]}")
        for name, texts in first.items():
            expect_same_texts(second[name], texts, name)

    with_sample(format_, check)


def reads_compressed_files(format_: FileFormat[Any]) -> str:
    """A compressed file is read like the file; otherwise ``.gz`` is garbage, or another format."""

    def check(path: str, _: Texts) -> None:
        Path(f"{path}.gz").write_bytes(gzip.compress(Path(path).read_bytes()))
        compressed = format_.read(f"{path}.gz")
        for name, texts in format_.read(path).items():
            expect_same_texts(compressed.get(name, []), texts, name)

    sample = format_.sample
    if sample is not None and len(sample.files) > 1:
        return "not run: the sample has several files"
    with_sample(format_, check)
    return ""


def refuses_damaged_files(format_: FileFormat[Any]) -> str:
    """A damaged file is an error that names it; otherwise users cannot find what to repair."""
    sample, names = format_.sample, format_.names()
    if not (sample or names):
        return "not run: the format has no pattern and no sample"
    name = Path(sample.path).name if sample else names[0]
    content = sample.files.get(sample.path, b"") if sample else b""
    with TemporaryDirectory() as folder:
        for what, damaged in damages(content).items():
            tried(what)
            path = Path(folder, name)
            path.write_bytes(damaged)
            refuses_or_reads(format_, str(path), what)
    return ""


def keeps_every_byte(format_: FileFormat[Any]) -> None:
    """A byte that is not UTF-8 is refused; otherwise users score other letters than they have."""

    def check(path: str, texts: Texts) -> None:
        content = Path(path).read_bytes()
        segments = (text for some in texts.values() for text in some if isinstance(text, str))
        found = [text for text in segments if text.strip() and text.encode() in content]
        if found:
            place = content.index(found[0].encode()) + len(found[0].encode())
            Path(path).write_bytes(content[:place] + b"\xff" + content[place:])
            with suppress(InputError), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read = format_.read(path)
                strings = [str(text) for some in read.values() for text in some]
                changed = [s for s in strings if "\ufffd" in s or s == found[0]]
                message = f"{found[0]!r} with the byte FF at its end is read as {changed}"
                expect(not changed, message)

    with_sample(format_, check)


def damages(content: bytes) -> dict[str, bytes]:
    """Return files that no program has written, by what is wrong with them."""
    middle = len(content) // 2
    of_sample = {
        "half of the sample": content[:middle],
        "the sample without its last byte": content[:-1],
        "the sample with a byte that is not UTF-8": content[:middle] + b"\xff" + content[middle:],
        "the sample twice": content * 2,
    }
    return {
        "an empty file": b"",
        "a line feed": b"\n",
        "ordinary text": b"some words\nand more words\n",
        "null characters": b"\0\0\0\n\0",
        "bytes that are not UTF-8": bytes(range(256)) * 4,
        **(of_sample if content else {}),
    }


def refuses_or_reads(format_: FileFormat[Any], path: str, what: str) -> None:
    """Fail unless a file is read, or refused with an error that begins with its path."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            format_.read(path)
    except InputError as error:
        expect(str(error).startswith(path), f"{what}: the error does not begin with PATH: {error}")
    except Exception as error:
        raise AssertionError(
            f"{what}: expected an InputError that begins with PATH:LINE:, got {error!r}"
        ) from error


def with_sample(format_: FileFormat[Any], check: Callable[[str, Texts], None]) -> None:
    """Run a check on the sample, if there is one."""
    sample = format_.sample
    if sample is not None:
        with TemporaryDirectory() as folder:
            check(written(sample, Path(folder)), sample.texts)


def expect_same_texts(read: Sequence[Any], expected: Sequence[Any], name: str) -> None:
    """Fail at the first segment that is not as expected."""
    what = f"text {name!r}: " if name else ""
    for i, (segment, right) in enumerate(zip(read, expected, strict=False)):
        expect(segment == right, f"{what}segment {i} is {segment!r}, expected {right!r}")
    expect(len(read) == len(expected), f"{what}{len(read)} segments, expected {len(expected)}")


CHECKS = (
    claims_its_files,
    keeps_every_byte,
    reading_again_gives_the_same,
    reads_compressed_files,
    reads_its_sample,
    refuses_damaged_files,
)

READER_KIT = Kit(CHECKS, Reader)
"""The checks of readers."""

DATASET_KIT = Kit(CHECKS, DatasetFormat)
"""The checks of data sets."""


def check_reader(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a reader.

    Parameters
    ----------
    name : str
        The reader.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.
    """
    return READER_KIT.named(ReaderSpec, name, registry)


def check_dataset(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on a format of data sets.

    Parameters
    ----------
    name : str
        The format.
    registry : Registry, optional
        Where to look for it (default: everything installed).

    Returns
    -------
    list of Finding
        One for each check.
    """
    return DATASET_KIT.named(DatasetSpec, name, registry)
