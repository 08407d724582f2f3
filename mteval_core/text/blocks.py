"""Line files of the same segments, read in step: memory does not grow with their length."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.frozen import Frozen
from mteval_core.text.files import N_LINES, file_name, read_blocks
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["LineFiles"]


class LineFiles(Frozen, eq=False):
    """The files of references, systems and source, one segment per line, block by block.

    Iterate over it for the blocks, in order: each is the test set and the hypotheses of the next
    segments, as `TestSet` and a list of `Text`, one per system. A path that is given several times
    is read once, and the same `Text` stands for it.

    Parameters
    ----------
    references, systems : sequence of str
        Paths of plain text, see `mteval_core.read_text`.
    source : str or None
        Path of the source.
    n_lines : int
        Number of segments of a block.
    quiet : bool
        Whether to give no warnings about the files, because they are read again.

    Raises
    ------
    InputError
        While iterating: if a file is refused, as `mteval_core.read_text` does, or if the files are
        of different lengths. The message names both lengths, so all files are read to their ends.

    Examples
    --------
    >>> for test_set, (a, b) in LineFiles(["ref.txt"], ["a.txt", "b.txt"]):  # doctest: +SKIP
    ...     print(len(test_set), a[0], b[0])
    """

    references: Sequence[str]
    systems: Sequence[str]
    source: str | None = None
    n_lines: int = N_LINES
    quiet: bool = False

    @property
    def paths(self) -> list[str]:
        """All paths, each once."""
        source = [] if self.source is None else [self.source]
        return [*dict.fromkeys([*self.references, *source, *self.systems])]

    def __iter__(self) -> Iterator[tuple[TestSet, list[Text]]]:
        files = {path: read_blocks(path, self.n_lines, quiet=self.quiet) for path in self.paths}
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
