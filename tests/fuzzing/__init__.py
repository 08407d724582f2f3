"""Random inputs for every door of mteval, and what must hold for each.

The tests try a few inputs of every target, `benchmarks/fuzz.py` as many as there is time for. An
input is drawn from a seed and can be drawn again.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.errors import InputError, PluginError, UsageError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping, Sequence

DOCUMENTED = (UsageError, InputError, PluginError)
"""The errors that users may see."""


@dataclass(frozen=True)
class Target:
    """A door of mteval: how to draw an input, and how to try it."""

    draw: Callable[[random.Random], Any]
    """Draws an input, which `repr` shows."""

    run: Callable[[Any], object]
    """Raises an error if something is wrong."""


@contextmanager
def refused() -> Iterator[None]:
    """Let documented errors pass if they have a message."""
    try:
        yield
    except DOCUMENTED as error:
        if not str(error).strip():
            raise


@contextmanager
def folder_of(files: Mapping[str, str | bytes | Path | None]) -> Iterator[Path]:
    """Work in a new folder with these files; what is written next to it is deleted, too.

    A path becomes a link to it, and None a pipe.
    """
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, "a", "b")
        folder.mkdir(parents=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                os.mkfifo(path)
            elif isinstance(content, Path):
                path.symlink_to(content)
            elif isinstance(content, str):
                path.write_bytes(content.encode(errors="surrogatepass"))
            else:
                path.write_bytes(content)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def mixed(draw: random.Random, pieces: Sequence[Any], most: int = 12) -> Any:
    """Join a random number of pieces: strings, or bytes."""
    return pieces[0][:0].join(draw.choices(pieces, k=draw.randrange(most + 1)))


def spoiled(draw: random.Random, text: Any, pieces: Sequence[Any], most: int = 3) -> Any:
    """Delete, repeat or replace stretches of a string or of bytes."""
    for _ in range(draw.randint(0, most)):
        a = draw.randrange(len(text) + 1)
        b = min(len(text), a + draw.choice((0, 0, 1, 2, 5, 50)))
        middle = draw.choice([text[a:b] * 2, text[:0], draw.choice(pieces), draw.choice(pieces)])
        text = text[:a] + middle + text[b:]
    return text
