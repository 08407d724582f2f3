"""Write what the plugins of the repository declare into the catalogue of the host.

``python release/catalogue.py`` does so where all of them are installed. The tables of other plugins
stay as they are.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core import CommandSpec, default_registry
from mteval_core.plugin.catalogue import CATALOGUE, COMPARES, READS, SCORES, WRITES, known_plugins
from mteval_core.plugin.declarations import KINDS
from projects import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mteval_core.plugin.registry import Plugin, Registry

__all__ = ["declared", "written"]

ROOT = Path(__file__).parents[1]

HEAD = """\
# Known plugins: the names that each brings, by kind, and the patterns of the files that it reads
# and writes. Messages take from it what to install where a name is missing.
#
# The tables of the plugins in this repository are written: python release/catalogue.py
# A table of any other plugin is written by hand, in the same form and in the order of the names.
"""


def declared(root: Path, registry: Registry) -> dict[str, dict[str, list[str]]]:
    """Return the tables of the plugins of the repository.

    Parameters
    ----------
    root : Path
        The repository.
    registry : Registry
        What they declare; all are installed.

    Returns
    -------
    dict of str to dict
        Names by the plural of their kind, and patterns of files, by the distribution.
    """
    ours = [own.name for own in read(root) if own.folder.parent.name == "plugins"]
    tables = {
        name: table_of([each for each in registry.plugins if each.distribution == name], registry)
        for name in ours
    }
    return {name: table for name, table in tables.items() if table}


def table_of(plugins: Iterable[Plugin], registry: Registry) -> dict[str, list[str]]:
    """Return the table of one distribution, which may have several plugins."""
    table: dict[str, set[str]] = {what: set() for what in (*KINDS, READS, WRITES, SCORES, COMPARES)}
    for plugin in plugins:
        for kind, entries in registry.of_plugin(plugin).items():
            for declaration in (entry.declaration for entry in entries):
                key = f"{declaration.signature_key}=" if declaration.signature_key else ""
                table[kind] |= {key + name for name in declaration.names}
                table[READS] |= {*(getattr(declaration, "patterns", None) or ())}
                if isinstance(declaration, CommandSpec) and declaration.compares:
                    table[COMPARES] |= {declaration.name}
                table[SCORES] |= {"*"} if getattr(declaration, "scores", None) else set()
                table[WRITES] |= {f"*.{ending}" for ending in getattr(declaration, "endings", ())}
    return {what: sorted(names) for what, names in table.items() if names}


def written(tables: Mapping[str, Mapping[str, list[str]]]) -> str:
    """Write tables as TOML."""
    lines = [HEAD]
    for name, table in sorted(tables.items()):
        lines += [f"[{name}]", *(f"{what} = {as_list(names)}" for what, names in table.items()), ""]
    return "\n".join(lines)


def as_list(names: list[str]) -> str:
    """Write a list of strings, on several lines if it is long."""
    items = [json.dumps(name, ensure_ascii=False) for name in names]
    line = f"[{', '.join(items)}]"
    return line if len(line) < 80 else "\n".join(["[", *(f"    {item}," for item in items), "]"])


if __name__ == "__main__":
    known = known_plugins() if CATALOGUE.exists() else {}
    CATALOGUE.write_text(written({**known, **declared(ROOT, default_registry())}), "utf-8")
