"""``mteval plugins``: what is installed, and what is wrong with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core.cli.output import wrapped
from mteval_core.cli.registry import requested_registry

if TYPE_CHECKING:
    import argparse

    from mteval_core.plugin.registry import Plugin

SLOW = 0.5
"""Seconds from which an import is worth a word."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument(
        "--requirements", action="store_true", help="print what pip needs to install the same"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print all plugins."""
    found = requested_registry(arguments)
    if arguments.requirements:
        print("\n".join(sorted({requirement(plugin) for plugin in found.plugins})))
        return 0
    listed = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "status": plugin.status,
            "registers": found.registered_by(plugin),
            "error": plugin.error or None,
            "advice": advice(plugin) or None,
            "seconds": round(plugin.seconds, 4),
        }
        for plugin in found.plugins
    ]
    if arguments.json:
        import json

        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    for plugin in found.plugins:
        print(f"{plugin.distribution} {plugin.version} ({plugin.name}): {plugin.status}")
        for kind, names in found.registered_by(plugin).items():
            print(wrapped(f"  {kind}: {', '.join(names)}", 4))
        if plugin.error:
            print(wrapped(f"  error: {plugin.error}", 4))
        if advice(plugin):
            print(wrapped(f"  {advice(plugin)}", 4))
    for kind, name, claims in found.ambiguous():
        choice = f"{kind} {name!r} is registered more than once: choose {' or '.join(claims)}"
        print(wrapped(choice, 2))
    return 0


def requirement(plugin: Plugin) -> str:
    """Write a line for pip, a comment for what pip cannot install."""
    if not plugin.version:
        return f"# {plugin.distribution}, a file ({plugin.name}.py): not to be installed by name"
    line = f"{plugin.distribution}=={plugin.version}"
    return line if plugin.status == "ok" else f"# {line} is {plugin.status}"


def advice(plugin: Plugin) -> str:
    """Say what to do about a plugin that lacks a module, or is slow to import."""
    lacking = re.match(r"(?:ModuleNotFoundError|ImportError): No module named '(\w+)", plugin.error)
    if lacking:
        return (
            f"install what provides the module {lacking[1]!r} in this environment, or block the "
            f"plugin with -p no:{plugin.name}"
        )
    if plugin.seconds > SLOW:
        return f"its import took {plugin.seconds:.1f} s: every command waits for it"
    return ""
