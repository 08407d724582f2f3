"""Write the addresses of the host, ``[project.urls]``, into the other distributions.

setuptools reads them from the ``pyproject.toml`` of each, so that all repeat them;
``python release/addresses.py`` makes them equal.
"""

from __future__ import annotations

import re
from pathlib import Path

from projects import read

__all__ = ["write"]

TABLE = re.compile(r"^\[project\.urls\]\n(?:.+\n)+", re.MULTILINE)


def write(root: Path) -> None:
    """Replace the addresses of all distributions of a repository by those of its host."""
    (addresses,) = TABLE.findall((root / "pyproject.toml").read_text("utf-8"))
    for own in read(root):
        path = own.folder / "pyproject.toml"
        path.write_text(TABLE.sub(lambda _: addresses, path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[1])
