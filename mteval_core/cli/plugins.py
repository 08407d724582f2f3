"""``mteval plugins``: what is installed, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print all plugins."""
    from mteval_core.cli.main import registry

    found = registry(arguments)
    listed = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "status": plugin.status,
            "registers": found.registered_by(plugin),
            "error": plugin.error or None,
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
            print(f"  {kind}: {', '.join(names)}")
        if plugin.error:
            print(f"  error: {plugin.error}")
    return 0
