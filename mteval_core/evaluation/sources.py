"""Sources of an evaluation: texts in memory, or long files; they yield parts of a test set."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.evaluation.checks import CheckedTexts
from mteval_core.metrics import bars
from mteval_core.metrics.threads import in_order
from mteval_core.names import check_name, is_name
from mteval_core.text.files import N_LINES, file_name, read_blocks
from mteval_core.text.summary import TextSummary
from mteval_core.text.text import TestSet, Text, block_of, is_sequence, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mteval_core.text.digest import TextDigest

    Key = tuple[str, str]
    Result = TypeVar("Result")

TRIM_EVERY = 32
"""Number of blocks after which free memory is returned to the system."""


class Part(NamedTuple):
    """Some segments of a test set, or all of them.

    Parameters
    ----------
    systems : mapping of str to Text
        Hypotheses by run.
    test_set : TestSet
        References, and source and documents if they are known.
    ids : ndarray of int64, shape (n,), or None
        Unique ids of the segments in the whole test set: whole numbers, from 0. None: the part is
        the whole.
    humans : tuple of Part
        References that are scored as systems, each against the other references; only of a whole.
    """

    systems: Mapping[str, Text]
    test_set: TestSet
    ids: NDArray[np.int64] | None = None
    humans: tuple[Part, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether these are all segments of the test set."""
        return self.ids is None

    def slice(self, start: int, stop: int) -> Part:
        """Return the segments from `start` to `stop`."""
        ids, test_set = self.ids, self.test_set
        return Part(
            {run: block_of(text, start, stop) for run, text in self.systems.items()},
            replace(
                test_set,
                references=tuple(block_of(text, start, stop) for text in test_set.references),
                source=test_set.source and block_of(test_set.source, start, stop),
                documents=test_set.documents and test_set.documents[start:stop],
                columns={name: text[start:stop] for name, text in test_set.columns.items()},
                ids=None,
                domains=None,
                size=stop - start,
            ),
            np.arange(start, stop) if ids is None else ids[start:stop],
        )

    def texts(self) -> dict[Key, Text]:
        """Return all texts by role (``hyp``, ``ref``, ``src`` or ``doc``) and name."""
        test_set = self.test_set
        texts = {("hyp", run): text for run, text in self.systems.items()}
        texts |= {("ref", str(k)): text for k, text in enumerate(test_set.references)}
        if test_set.source is not None:
            texts["src", ""] = test_set.source
        if test_set.documents is not None:
            texts["doc", ""] = Text.of(test_set.documents)
        return texts


class Source(ABC):
    """Where the segments of an evaluation come from, part by part.

    Parameters
    ----------
    runs : mapping of str to sequence of str
        The systems in their order, the first one the baseline, each with the names of its runs.
    """

    is_whole = False
    """Whether the only part has all segments, whose texts are kept."""

    n_segments: int | None = None
    """Number of segments, if it is known before they are read."""

    paths: Mapping[Key, str] = MappingProxyType({})
    """The files of texts that are not kept, by role and name."""

    def __init__(self, runs: Mapping[str, Sequence[str]]) -> None:
        self.runs: dict[str, tuple[str, ...]] = {name: tuple(own) for name, own in runs.items()}

    def parts(self) -> Iterator[Part]:
        """Yield the parts in the order of their segments, if they can be read on this machine."""
        raise NotImplementedError

    def map(self, function: Callable[..., Result], threads: int) -> Iterator[Result]:
        """Call a function with every part once; yield the results in any order.

        Several parts are counted at a time, and read in turn.
        """
        results = in_order(function, zip(self.parts()), threads)
        for n, result in enumerate(bars.progress(results, None, "block"), 1):
            yield result
            if n % TRIM_EVERY == 0:
                trim_memory()

    @abstractmethod
    def references(self) -> Source | None:
        """Return the references and sources of all segments, for metrics that see them first.

        None if every part has all of them, or none has.
        """

    def summaries(self, digests: Mapping[Key, TextDigest]) -> CheckedTexts | None:  # noqa: ARG002
        """Summarize the texts for checks, after all were read; None if this is not possible.

        Parameters
        ----------
        digests : mapping of (str, str) to TextDigest
            Digests of the texts by role and name; empty if the texts are kept.
        """
        return None


class InMemory(Source):
    """Texts in memory, which are counted at once and kept.

    Parameters
    ----------
    runs : mapping of str to sequence of str
        See `Source`.
    whole : Part
        All segments.
    """

    is_whole = True

    def __init__(self, runs: Mapping[str, Sequence[str]], whole: Part) -> None:
        people = [name for human in whole.humans for name in human.systems]
        super().__init__({**runs, **{name: [name] for name in people}})
        self.whole: Part = whole

    @classmethod
    def of(
        cls,
        systems: Mapping[str, Any],
        references: Sequence[Sequence[str | None]] | TestSet,
        *,
        documents: Sequence[str] | None = None,
        source: Sequence[str] | Text | None = None,
        humans: bool = False,
    ) -> InMemory:
        """Make a source of what `mteval_core.evaluate` gets; see there."""
        runs, texts = name_runs(systems)
        n = len(next(iter(texts.values())))
        test_set = TestSet.of(references, documents, source=source, n_hypotheses=n)
        people = leave_each_out(test_set, list(runs)) if humans else ()
        return cls(runs, Part(texts, test_set, humans=people))

    def parts(self) -> Iterator[Part]:
        """Yield the only part."""
        yield self.whole

    def map(self, function: Callable[..., Result], threads: int) -> Iterator[Result]:
        """Call a function with the only part, which may use all threads."""
        yield function(self.whole, threads=threads)

    def references(self) -> None:
        """Return nothing: the only part has all references."""

    def summaries(self, digests: Mapping[Key, TextDigest]) -> CheckedTexts:  # noqa: ARG002
        """Summarize the texts."""
        test_set = self.whole.test_set
        return CheckedTexts(
            {run: TextSummary.of(text) for run, text in self.whole.systems.items()},
            tuple(map(TextSummary.of, test_set.references)),
            None if test_set.source is None else TextSummary.of(test_set.source),
        )


class LineFiles(Source):
    """Files with a segment per line, read in step and counted block by block, without their texts.

    A path that is given several times is read once.

    Parameters
    ----------
    references : sequence of str
        Paths of plain text, see `mteval_core.read_text`.
    systems : mapping of str to sequence of str
        Paths of the outputs of each system; several are runs.
    source : str, optional
        Path of the source.
    n_lines : int
        Number of segments of a block.
    quiet : bool
        Whether to give no warnings about the files, because they are read again.

    Raises
    ------
    InputError
        While the files are read: if one is refused, as `mteval_core.read_text` does, or if they are
        of different lengths. The message names both lengths, so all files are read to their ends.
    """

    def __init__(
        self,
        references: Sequence[str],
        systems: Mapping[str, Sequence[str]],
        source: str | None = None,
        *,
        n_lines: int = N_LINES,
        quiet: bool = False,
    ) -> None:
        super().__init__({name: run_names(name, len(own)) for name, own in systems.items()})
        runs = [run for own in self.runs.values() for run in own]
        outputs = [path for own in systems.values() for path in own]
        self.paths: Mapping[Key, str] = {
            **{("ref", str(k)): path for k, path in enumerate(references)},
            **({} if source is None else {("src", ""): source}),
            **{("hyp", run): path for run, path in zip(runs, outputs, strict=True)},
        }
        self.n_lines = n_lines
        self.quiet = quiet
        summarized = self.paths if runs else {}
        self._summaries = {key: TextSummary(path, hashes=False) for key, path in summarized.items()}

    def parts(self) -> Iterator[Part]:
        """Read the files once, block by block."""
        files = {
            path: read_blocks(path, self.n_lines, quiet=self.quiet)
            for path in dict.fromkeys(self.paths.values())
        }
        n_read = 0
        while True:
            blocks = {path: block for path, file in files.items() for block in islice(file, 1)}
            if not blocks:
                return
            lengths = {path: len(blocks.get(path, ())) for path in files}
            if len({*lengths.values()}) > 1:
                for path, file in files.items():
                    blocks[path] = blank(path, n_read + lengths[path] + sum(map(len, file)))
            part = self._part({key: blocks[path] for key, path in self.paths.items()}, n_read)
            yield part
            n_read += len(part.test_set)

    def _part(self, texts: Mapping[Key, Text], first: int) -> Part:
        """Make a part of texts by role and name; raise an `InputError` if they are uneven."""
        systems = {name: text for (role, name), text in texts.items() if role == "hyp"}
        test_set = TestSet(
            tuple(text for (role, _), text in texts.items() if role == "ref"),
            source=texts.get(("src", "")),
            size=len(next(iter(texts.values()))),
        )
        for run, text in systems.items():
            test_set.check(text, file_name(self.paths["hyp", run]))
        for key, summary in self._summaries.items():
            summary.add(texts[key])
        return Part(systems, test_set, np.arange(first, first + len(test_set)))

    def references(self) -> LineFiles:
        """Read references and source again."""
        references = [path for (role, _), path in self.paths.items() if role == "ref"]
        source = self.paths.get(("src", ""))
        return LineFiles(references, {}, source, n_lines=self.n_lines, quiet=True)

    def summaries(self, digests: Mapping[Key, TextDigest]) -> CheckedTexts:
        """Return what was summarized while the files were read."""
        texts: dict[str, dict[str, TextSummary]] = {"hyp": {}, "ref": {}, "src": {}}
        for (role, name), summary in self._summaries.items():
            summary.digest = digests[role, name]
            texts[role][name] = summary
        return CheckedTexts(texts["hyp"], tuple(texts["ref"].values()), texts["src"].get(""))


def blank(path: str, n_lines: int) -> Text:
    """Make a text of empty lines, for the message about files of different lengths."""
    nothing = np.zeros(n_lines, np.int64)
    return Text(b"", nothing, nothing, file_name(path))


def trim_memory() -> None:
    """Return free memory to the system. The C library of Linux keeps it, more and more of it."""
    import ctypes

    with suppress(AttributeError, TypeError):  # other libraries; Windows
        ctypes.CDLL(None).malloc_trim(0)


# Systems and humans


def name_runs(systems: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ...]], dict[str, Text]]:
    """Read the outputs of all systems: names of the runs by system, texts by run.

    Raises
    ------
    UsageError
        If the systems are not a mapping, there is none, a name cannot be shown, or two outputs
        have the same name.
    """
    if not isinstance(systems, Mapping):
        raise UsageError(f"expected systems as a mapping of names to segments, got {kind(systems)}")
    if not systems:
        raise UsageError("no system to score")
    runs: dict[str, tuple[str, ...]] = {}
    texts: dict[str, Text] = {}
    for system, outputs in systems.items():
        outputs_by_run = runs_of(check_name(system, "system"), outputs)
        repeated = texts.keys() & outputs_by_run.keys()
        if repeated:
            raise UsageError(f"{min(repeated)!r} is the name of two outputs")
        runs[system] = tuple(outputs_by_run)
        texts |= outputs_by_run
    return runs, texts


def runs_of(system: str, outputs: Any) -> dict[str, Text]:
    """Read the outputs of one system, by name of the run. A single run has the system's name."""
    if not isinstance(outputs, Text) and is_sequence(outputs):
        outputs = list(outputs)
        if outputs and all(map(is_sequence, outputs)):
            names = run_names(system, len(outputs))
            return {name: Text.of(own, name) for name, own in zip(names, outputs, strict=True)}
    return {system: Text.of(outputs, system)}


def run_names(system: str, n: int) -> list[str]:
    """Name the n runs of a system; a single run has the system's name."""
    return [system] if n == 1 else [f"{system} (run {k})" for k in range(1, n + 1)]


def leave_each_out(test_set: TestSet, systems: list[str]) -> tuple[Part, ...]:
    """Turn each reference into a system with the other references, by a name of its own.

    Raises
    ------
    InputError
        If there are fewer than two references, or some segment lacks one.
    """
    streams = test_set.references
    if len(streams) < 2 or any(stream.missing.any() for stream in streams):
        raise InputError(
            "human performance needs two complete reference streams or more: each is scored "
            "against the others"
        )
    stems = [Path(stream.path).stem if stream.path else "" for stream in streams]
    names = [
        f"{stem if stem and is_name(stem) else f'ref{k}'} (human)" for k, stem in enumerate(stems)
    ]
    if len({*names}) < len(names) or {*names} & {*systems}:
        names = [f"human {k}" for k in range(len(names))]
    return tuple(
        Part({name: stream}, replace(test_set, references=streams[:k] + streams[k + 1 :]))
        for k, (name, stream) in enumerate(zip(names, streams, strict=True))
    )
