"""``mteval plugins``: the installed plugins and their faults."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from mteval_core.commands.terminal import show, wrap_line
from mteval_core.plugin.clashes import clashes, shared_patterns

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session
    from mteval_core.plugin.registry import Plugin, Registry

SLOW = 0.5
"""Seconds of import time from which a plugin is reported as slow."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    output = arguments.alternatives()
    output.add("--json", action="store_true", help="print JSON")
    output.add(
        "--requirements",
        action="store_true",
        help="print lines for a requirements file of pip that installs the same versions",
    )


def run(session: Session) -> None:
    """Print all plugins."""
    registry = session.registry
    if session.options.requirements:
        show("\n".join(sorted({requirement(plugin) for plugin in registry.plugins})))
    elif session.options.json:
        import json

        listed = [describe_plugin(plugin, registry) for plugin in registry.plugins]
        show(json.dumps(listed, indent=2, ensure_ascii=False))
    else:
        for plugin in registry.plugins:
            print_plugin(plugin, registry)
        named = chain.from_iterable(clash.sentences() for clash in clashes(registry))
        for sentence in (*named, *shared_patterns(registry)):
            show(wrap_line(sentence, 2))


def describe_plugin(plugin: Plugin, registry: Registry) -> dict[str, Any]:
    """Describe a plugin as data."""
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "status": plugin.status,
        "api": plugin.api,
        "registers": registry.registered_by(plugin),
        "hidden": [
            clash.name
            for clash in clashes(registry)
            if any(entry.plugin is plugin for entry in clash.hidden)
        ],
        "error": plugin.error or None,
        "where": plugin.where or None,
        "advice": advice(plugin) or None,
        "seconds": round(plugin.seconds, 4),
    }


def print_plugin(plugin: Plugin, registry: Registry) -> None:
    """Print a plugin, what it registers, and what to do if it is broken or slow."""
    level = "" if plugin.api is None else f", API level {plugin.api}"
    show(f"{plugin.distribution} {plugin.version} ({plugin.name}): {plugin.status}{level}")
    for kind, names in registry.registered_by(plugin).items():
        show(wrap_line(f"  {kind}: {', '.join(names)}", 4))
    if plugin.cause:
        show(wrap_line(f"  error: {plugin.error}{f' ({plugin.where})' * bool(plugin.where)}", 4))
    if advice(plugin):
        show(wrap_line(f"  {advice(plugin)}", 4))


def requirement(plugin: Plugin) -> str:
    """Write a line for pip, as a comment if pip cannot install the plugin."""
    if not plugin.version:
        return f"# {plugin.distribution}, a file ({plugin.name}.py): cannot be installed by name"
    line = f"{plugin.distribution}=={plugin.version}"
    return line if plugin.status == "ok" else f"# {line} is {plugin.status}"


def advice(plugin: Plugin) -> str:
    """Say what to do about a plugin that lacks a module or imports slowly."""
    if isinstance(plugin.cause, ModuleNotFoundError) and plugin.cause.name:
        module = plugin.cause.name.partition(".")[0]
        return (
            f"install the package that provides the module {module!r} in this environment, or "
            f"block the plugin with -p no:{plugin.name}"
        )
    if plugin.seconds > SLOW:
        return f"importing it takes {plugin.seconds:.1f} s, on every command"
    return ""
