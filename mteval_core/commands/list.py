"""``mteval list``: metrics, tokenizers, formats and all other names that options accept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.commands.card import as_card, card_of
from mteval_core.commands.terminal import show, wrap_line
from mteval_core.errors import PluginError, UnknownNameError, near
from mteval_core.plugin.declarations import KINDS

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session
    from mteval_core.plugin.declarations import Declaration
    from mteval_core.plugin.registry import Entry, Registry


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.add(
        "what",
        nargs="?",
        completes="names",
        metavar="KIND|NAME",
        help=f"one of {', '.join(KINDS)}; or a name (default: everything)",
    )
    arguments.add("--json", action="store_true", help="print JSON")


def run(session: Session) -> None:
    """Print what is registered, or the card of a name."""
    registry = session.registry
    what: str | None = session.options.what
    is_kind = what is None or what in KINDS
    listed = of_kinds(what, registry) if is_kind else of_name(str(what), registry)
    if session.options.json:
        import json

        show(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    found = [(KINDS[plural], items) for plural, items in listed.items() if items]
    if is_kind:
        show("\n\n".join(as_lines(kind.plural, items) for kind, items in found))
    else:
        show("\n\n".join(as_card(kind, item) for kind, items in found for item in items))


def of_kinds(plural: str | None, registry: Registry) -> dict[str, list[dict[str, Any]]]:
    """Describe everything of one kind, or of all."""
    return {
        name: [describe_declaration(entry) for entry in registry.of_kind(kind.declaration)]
        for name, kind in KINDS.items()
        if plural in (None, name)
    }


def of_name(name: str, registry: Registry) -> dict[str, list[dict[str, Any]]]:
    """Describe everything that has a name, by kind.

    Raises
    ------
    UnknownNameError
        If nothing has it.
    PluginError
        If a plugin that is not loaded has it.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    known = set(KINDS)
    for plural, kind in KINDS.items():
        for entry in registry.of_kind(kind.declaration):
            names = {*entry.declaration.names, entry.declaration.shown, entry.qualified}
            names.add(entry.declaration.signature_key or entry.qualified)
            known |= names
            if name in names:
                facts = {**describe_declaration(entry), **card_of(plural, entry, registry)}
                found.setdefault(plural, []).append(facts)
    if not found:
        where = next(filter(None, (registry.missing(plural, name) for plural in KINDS)), "")
        if where:
            raise PluginError(f"{name!r} is {where}")
        raise UnknownNameError(f"no kind or name {name!r}.{near(name, known)} See 'mteval list'.")
    return found


def describe_declaration(entry: Entry[Declaration]) -> dict[str, Any]:
    """Describe one declaration as data."""
    return {
        "name": entry.declaration.name,
        "shown": entry.declaration.shown,
        "help": entry.declaration.help,
        "distribution": entry.plugin.distribution,
        "version": entry.plugin.version,
        **entry.declaration.details(),
    }


def as_lines(kind: str, items: list[dict[str, Any]]) -> str:
    """Write one kind as lines of text."""
    size = max(len(item["shown"]) for item in items)
    lines = [f"{kind}:"]
    for item in items:
        also = f"; also {', '.join(item['aliases'])}" if item.get("aliases") else ""
        lines.append(wrap_line(f"  {item['shown']:{size}}  {item['help']}{also}", size + 4))
    return "\n".join(lines)
