"""``mteval plugins``: the installed plugins and their faults."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from mteval_core.commands.terminal import show, wrap_line
from mteval_core.frozen import Frozen
from mteval_core.plugin.declarations import KINDS, DatasetSpec, ReaderSpec
from mteval_core.plugin.registry import ambiguity, shared_ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session
    from mteval_core.plugin.declarations import Declaration
    from mteval_core.plugin.registry import Entry, Plugin, Registry

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
        "hidden": [c.name for c in clashes(registry) if plugin in [e.plugin for e in c.hidden]],
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


# Clashes


class Clash(Frozen):
    """A name that several distributions claim.

    Parameters
    ----------
    thing : str
        The kind of declaration, such as ``tokenizer``.
    name : str
        The name, with its signature key if it has one.
    standing : tuple of Entry
        What the name alone means. It is ambiguous if there are several.
    hidden : tuple of Entry
        What can be named only together with its distribution.
    """

    thing: str
    name: str
    standing: tuple[Entry[Declaration], ...]
    hidden: tuple[Entry[Declaration], ...]

    def sentences(self) -> Iterator[str]:
        """Say which entries are hidden or ambiguous, and how to name them."""
        if len(self.standing) > 1:
            yield ambiguity(self.thing, self.name, self.standing)
            return
        for winner in self.standing:
            for entry in self.hidden:
                yield (
                    f"{self.thing} {self.name!r} of {entry.plugin.distribution} is hidden by that "
                    f"of {winner.plugin.distribution}: choose {entry.qualified}"
                )


def clashes(registry: Registry) -> list[Clash]:
    """Return all names that several distributions claim.

    A name of the host stands, and so does a name against a label.
    """
    found = []
    for kind in KINDS.values():
        seen: list[list[Entry[Declaration]]] = []  # a label often clashes where a name does
        claims: dict[tuple[str | None, str], list[Entry[Declaration]]] = {}
        for entry in registry.of_kind(kind.declaration):
            for name in dict.fromkeys(entry.declaration.names):
                claims.setdefault((entry.declaration.signature_key, name), []).append(entry)
        for (key, name), claimants in claims.items():
            if len(claimants) > 1 and claimants not in seen:
                seen.append(claimants)
                standing = registry.standing(kind.declaration, name, key)
                hidden = [e for e in claimants if e not in standing]
                shown = f"{key}={name}" if key else name
                found.append(Clash(kind.singular, shown, tuple(standing), tuple(hidden)))
    return found


def shared_patterns(registry: Registry) -> Iterator[str]:
    """Say which names of files several distributions claim.

    Formats that look at the first bytes of a file can share its name.
    """
    kinds: tuple[type[ReaderSpec | DatasetSpec], ...] = (ReaderSpec, DatasetSpec)
    for kind in kinds:
        claims: dict[str, list[Entry[ReaderSpec | DatasetSpec]]] = {}
        for entry in registry.of_kind(kind):
            for pattern in entry.declaration.patterns:
                claims.setdefault(pattern, []).append(entry)
        for pattern, entries in claims.items():
            is_sure = any(entry.declaration.sniff is None for entry in entries)
            if is_sure and len({entry.plugin.distribution for entry in entries}) > 1:
                yield shared_ending(pattern, entries)
