"""The catalogue: which known plugin has a name or a file's format, and flags of other programs.

It is read only where something is missing or unknown, to say what to install or to type.
"""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

CATALOGUE = Path(__file__).with_name("catalogue.toml")
FLAGS = CATALOGUE.with_name("flags.toml")

READS, WRITES, SCORES, COMPARES = "reads", "writes", "scores", "compares"
"""What a plugin's table holds besides the names of each kind: patterns of files, and the commands
for metrics that compare systems."""


@cache
def known_plugins() -> dict[str, dict[str, list[str]]]:
    """Read what each known distribution has: names by the plural of their kind, and patterns."""
    return parse_toml(CATALOGUE.read_text("utf-8"))


def comparing_commands() -> list[str]:
    """List the known commands for metrics that compare systems."""
    return [name for table in known_plugins().values() for name in table.get(COMPARES, ())]


def foreign_flags() -> dict[str, str]:
    """Read what to type in place of the flags of other programs: the ends of messages."""
    answers: dict[str, list[str]] = {}
    for program, table in parse_toml(FLAGS.read_text("utf-8")).items():
        for flags, answer in table.items():
            for flag in flags.split():
                answers.setdefault(flag, []).append(f"{program}'s; {answer}")
    return {flag: f"is {'; or it is '.join(found)}" for flag, found in answers.items()}


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; before Python 3.11 a package does it."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    return tomllib.loads(text)


def plugins_with(what: str, name: str) -> list[str]:
    """Return the known distributions that have a name of a kind, or a pattern for a file."""
    return [
        distribution
        for distribution, table in known_plugins().items()
        if any(fnmatchcase(name, known) for known in table.get(what, ()))
    ]
