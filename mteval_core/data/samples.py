"""Samples in declarations of plugins: small inputs that checks run on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core.text.text import TestSet


@dataclass(frozen=True)
class Sample:
    """A small corpus.

    Parameters
    ----------
    hypotheses : tuple of str
        One per segment.
    references : tuple of tuple of (str or None)
        One tuple per reference stream, None where a segment lacks that reference.
    source : tuple of str
        The source of each segment (default: the words of each hypothesis, backwards).
    options : mapping of str to str
        Options of the metric or the tokenizer with which the sample is scored, such as the path of
        a file that it cannot do without.
    columns : mapping of str to tuple
        Values of the columns that the metric uses, one per segment.
    name : str
        What is special about the sample.
    few : bool
        Whether the contract kit scores nothing but the first two segments, and these so few times
        that a metric is asked for 30 segments at most: for metrics that ask a paid service.
    """

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str | None, ...], ...]
    source: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    name: str = ""
    few: bool = False
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.source:
            backwards = tuple(" ".join(reversed(text.split())) for text in self.hypotheses)
            object.__setattr__(self, "source", backwards)

    @property
    def test_set(self) -> TestSet:
        """The references, the source and the columns; each segment is a document."""
        from mteval_core.text.text import TestSet  # with numpy, which hooks do not import

        names = [f"{k}" for k in range(len(self))]
        return TestSet.of(self.references, names, source=self.source, columns=self.columns)

    def __str__(self) -> str:
        """Show the name, or the first segment."""
        if self.name:
            return self.name
        texts = self.hypotheses[0], *(stream[0] for stream in self.references)
        first, *others = (repr(shorten(text, 60)) for text in texts if text is not None)
        rest = f", and {len(self) - 1} more" if len(self) > 1 else ""
        return f"{first} with the references {', '.join(others)}{rest}"

    def __len__(self) -> int:
        return len(self.hypotheses)


@dataclass(frozen=True)
class FileSample:
    r"""A file of a format, and what it holds. The ``sample`` of a declaration returns one.

    Parameters
    ----------
    files : mapping of str to bytes
        Contents by name. A data set that is a folder has names with ``/``.
    texts : mapping of str to sequence of (str or None)
        The texts that must be read, by field: ``""`` for a reader without fields; ``ref.NAME``,
        ``system.NAME``, ``source``, ``docs`` and ``ids`` of a data set.
    path : str
        The file or folder that users name (default: the first file).

    Examples
    --------
    >>> sample = FileSample({"two.txt": b"one\ntwo\n"}, {"": ["one", "two"]})
    >>> sample.path
    'two.txt'
    """

    files: Mapping[str, bytes]
    texts: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    path: str = ""

    def __post_init__(self) -> None:
        if not self.path:
            object.__setattr__(self, "path", next(iter(self.files)))


@dataclass(frozen=True)
class CommandSample:
    """Files and words with which the contract kit runs a command.

    Parameters
    ----------
    words : str
        What follows the name of the command, as in a shell.
    files : mapping of str to str
        Contents of the files that the words name.
    refused : mapping of str to str
        What is refused: words that are added to the others, and a part of the message. Each
        conflict that the command declares should be among them.
    """

    words: str
    files: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
