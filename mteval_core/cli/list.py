"""``mteval list``: what can be named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.cli.output import wrapped
from mteval_core.cli.registry import requested_registry
from mteval_core.cli.streams import show
from mteval_core.errors import UnknownNameError, near
from mteval_core.plugin.kinds import KINDS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from mteval_core.plugin.declarations import Declaration
    from mteval_core.plugin.registry import Entry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "kind", nargs="?", metavar="KIND", help=f"one of {', '.join(KINDS)} (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what is registered."""
    if arguments.kind is not None and arguments.kind not in KINDS:
        message = f"unknown kind {arguments.kind!r}.{near(arguments.kind, KINDS)}"
        raise UnknownNameError(message)
    registry = requested_registry(arguments)
    listed = {
        plural: [describe(entry) for entry in registry.of_kind(kind.declaration)]
        for plural, kind in KINDS.items()
        if arguments.kind in (None, plural)
    }
    if arguments.json:
        import json

        show(json.dumps(listed, indent=2, ensure_ascii=False))
    else:
        show("\n\n".join(as_text(kind, items) for kind, items in listed.items() if items))
    return 0


def describe(entry: Entry[Declaration]) -> dict[str, Any]:
    """Describe one declaration as data."""
    return {
        "name": entry.declaration.name,
        "help": entry.declaration.help,
        "distribution": entry.plugin.distribution,
        "version": entry.plugin.version,
        **entry.declaration.details(),
    }


def as_text(kind: str, items: list[dict[str, Any]]) -> str:
    """Write one kind as lines of text."""
    size = max(len(shown_name(item)) for item in items)
    lines = [f"{kind}:"]
    for item in items:
        lines.append(wrapped(f"  {shown_name(item):{size}}  {item['help']}".rstrip(), size + 4))
        own = [item["option"]] if "option" in item else []
        for option in item.get("options", own):
            default = f"{option['key']}={option['default']}"
            values = f" ({option['values']})" if option["choices"] else ""
            values += "" if option["signed"] else " (not in signatures)"
            line = f"  {'':{size}}    {default:20}  {option['help']}{values}"
            lines.append(wrapped(line.rstrip(), size + 28))
        lines.extend(wrapped(f"  {'':{size}}    {fact}", size + 6) for fact in facts(item))
    return "\n".join(lines)


def facts(item: Mapping[str, Any]) -> Iterator[str]:
    """Say what a metric needs, and how exactly its scores repeat, if it declares that."""
    if item.get("libraries"):
        yield f"needs {', '.join(item['libraries'])}"
    if item.get("tolerance"):
        yield f"scores are compared within {item['tolerance']:g}"


def shown_name(item: dict[str, Any]) -> str:
    """Return the name that users write: ``13a``, ``spm[FILE]``, or ``case=lc`` with its key."""
    name = f"{item['key']}={item['name']}" if "key" in item else str(item["name"])
    return f"{name}[{item['option']['key'].upper()}]" if "option" in item else name
