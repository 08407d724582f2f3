"""The catalogue of known plugins: which distribution has a name, or reads or writes a file.

It is read only where something is missing, to say what installs it.
"""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

__all__ = ["CATALOGUE", "READS", "WRITES", "known_plugins", "plugins_with"]

CATALOGUE = Path(__file__).with_name("catalogue.toml")

READS, WRITES = "reads", "writes"
"""What a plugin's table holds besides the names of each kind: patterns of files."""


@cache
def known_plugins() -> dict[str, dict[str, list[str]]]:
    """Read what each known distribution has: names by the plural of their kind, and patterns."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    return tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))


def plugins_with(what: str, name: str) -> list[str]:
    """Return the known distributions that have a name of a kind, or a pattern for a file."""
    return [
        distribution
        for distribution, table in known_plugins().items()
        if any(fnmatchcase(name, known) for known in table.get(what, ()))
    ]
