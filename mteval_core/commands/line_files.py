"""Files with a segment per line that are read block by block, where no texts are needed later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core.commands.inputs import named_inputs
from mteval_core.data.addresses import Address
from mteval_core.metrics.outside import OutsideScorer
from mteval_core.plugin.registry import HOST

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from mteval_core.data.reading import Files
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.text.blocks import LineFiles

__all__ = ["line_files", "long_files"]

LONG = 1 << 24
"""Size of all files together in bytes from which they are read in blocks."""


def line_files(arguments: argparse.Namespace, files: Files) -> LineFiles | None:
    """Return the files of the arguments if they can be read block by block.

    Then all of them are files of plain text without fields, and nothing else is read with them.
    """
    runs = [path for paths in named_inputs(arguments.input).values() for path in paths]
    paths = [*arguments.references, *runs, *([arguments.source] if arguments.source else [])]
    needs_more = (
        arguments.data
        or arguments.fields
        or arguments.docs
        or arguments.empty_refs == "missing"
        or not arguments.references
    )
    if needs_more or not all(is_plain(path, files) for path in paths):
        return None
    from mteval_core.text.blocks import LineFiles

    return LineFiles(arguments.references, runs, arguments.source or None)


def long_files(
    arguments: argparse.Namespace, scorers: Sequence[Scorer], files: Files
) -> LineFiles | None:
    """Return the files of `line_files` if they are long, and no metric needs all texts at once."""
    if arguments.humans or any(map(needs_all_segments, scorers)):
        return None
    found = line_files(arguments, files)
    is_long = found and sum(Path(path).stat().st_size for path in found.paths) >= LONG
    return found if is_long else None


def needs_all_segments(scorer: Scorer) -> bool:
    """Whether a metric cannot be computed from the sums of blocks."""
    pooled = scorer.declaration.pooled or isinstance(scorer, OutsideScorer)
    in_pieces = scorer.is_piecewise or not scorer.is_prepared
    return pooled or scorer.keeps_rows or not in_pieces


def is_plain(address: str, files: Files) -> bool:
    """Whether an address is a file of plain text that can be read block by block."""
    path, field, _ = Address.parse(address)
    if field or not Path(path).is_file():
        return False
    return files.registry.reader(path).plugin.distribution == HOST
