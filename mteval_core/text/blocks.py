"""Line files of the same segments, read in step: memory does not grow with their length."""

from __future__ import annotations

import shutil
from itertools import islice
from typing import IO, TYPE_CHECKING

import numpy as np

from mteval_core.text.files import N_LINES, file_name, open_binary, read_blocks
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["LineFiles"]


class LineFiles:
    """The files of references, systems and source, one segment per line, block by block.

    Iterate over it for the blocks, in order: each is the test set and the hypotheses of the next
    segments, as `TestSet` and a list of `Text`, one per system. A path that is given several times
    is read once, and the same `Text` stands for it.

    Parameters
    ----------
    references, systems : sequence of str
        Paths of plain text, see `mteval_core.read_text`; ``-`` is standard input.
    source : str, optional
        Path of the source.
    n_lines : int
        Number of segments of a block.
    again : bool
        Whether to iterate more than once. Standard input is then kept in a temporary file, which
        is closed at the end of a ``with`` statement.
    quiet : bool
        Whether to give no warnings about the files, because they are read again.

    Raises
    ------
    InputError
        While iterating: if a file is refused, as `mteval_core.read_text` does, or if the files are
        of different lengths. The message names both lengths, so all files are read to their ends.

    Examples
    --------
    >>> with LineFiles(["ref.txt"], ["a.txt", "b.txt"]) as files:  # doctest: +SKIP
    ...     for test_set, (a, b) in files:
    ...         print(len(test_set), a[0], b[0])
    """

    def __init__(
        self,
        references: Sequence[str],
        systems: Sequence[str],
        source: str | None = None,
        *,
        n_lines: int = N_LINES,
        again: bool = False,
        quiet: bool = False,
    ) -> None:
        self.references: tuple[str, ...] = tuple(references)
        self.systems: tuple[str, ...] = tuple(systems)
        self.source = source
        self.n_lines = n_lines
        self.again = again
        self.quiet = quiet
        self._kept: IO[bytes] | None = None

    @property
    def paths(self) -> list[str]:
        """All paths, each once."""
        source = [] if self.source is None else [self.source]
        return [*dict.fromkeys([*self.references, *source, *self.systems])]

    def __iter__(self) -> Iterator[tuple[TestSet, list[Text]]]:
        files = {
            path: read_blocks(path, self.n_lines, opened=self._open(path), quiet=self.quiet)
            for path in self.paths
        }
        n_read = 0
        while True:
            blocks = {path: block for path, file in files.items() for block in islice(file, 1)}
            if not blocks:
                return
            lengths = {path: len(blocks.get(path, ())) for path in files}
            if len(set(lengths.values())) > 1:
                for path, file in files.items():
                    n_lines = n_read + lengths[path] + sum(map(len, file))
                    blocks[path] = _blank(path, n_lines)
            yield self._fitted(blocks)
            n_read += self.n_lines

    def __enter__(self) -> LineFiles:
        return self

    def __exit__(self, *_: object) -> None:
        if self._kept is not None:
            self._kept.close()

    def _open(self, path: str) -> IO[bytes] | None:
        """Return standard input as a file that can be read again, if this is asked for."""
        if path != "-" or not self.again:
            return None
        if self._kept is None:
            from tempfile import TemporaryFile

            self._kept = TemporaryFile()  # noqa: SIM115 - closed in the end, by `__exit__`
            with open_binary(path) as stream:
                shutil.copyfileobj(stream, self._kept)
        self._kept.seek(0)
        return self._kept

    def _fitted(self, texts: Mapping[str, Text]) -> tuple[TestSet, list[Text]]:
        """Make the test set and the hypotheses of texts; raise an `InputError` if uneven."""
        hypotheses = [texts[path] for path in self.systems]
        test_set = TestSet(
            references=tuple(texts[path] for path in self.references),
            source=None if self.source is None else texts[self.source],
            size=len(hypotheses[0]) if hypotheses else None,
        )
        for path, text in zip(self.systems, hypotheses, strict=True):
            test_set.check(text, file_name(path))
        return test_set, hypotheses


def _blank(path: str, n_lines: int) -> Text:
    """Make a text of empty lines, for the message about files of different lengths."""
    nothing = np.zeros(n_lines, np.int64)
    return Text(b"", nothing, nothing, file_name(path))
