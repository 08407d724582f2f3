"""``mteval list``: what can be named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core.cli.output import wrapped
from mteval_core.cli.registry import requested_registry
from mteval_core.errors import near

if TYPE_CHECKING:
    import argparse

    from mteval_core.plugin.declarations import MetricSpec, Option
    from mteval_core.plugin.registry import Entry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "kind",
        nargs="?",
        metavar="KIND",
        help="metrics, tokenizers, normalizers, formats, readers or resamplers (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what is registered."""
    from mteval_core.errors import UnknownNameError
    from mteval_core.plugin.registry import KINDS

    found = requested_registry(arguments)
    if arguments.kind is not None and arguments.kind not in KINDS:
        message = f"unknown kind {arguments.kind!r}.{near(arguments.kind, KINDS)}"
        raise UnknownNameError(message)
    kinds = [arguments.kind] if arguments.kind else list(KINDS)
    listed = {kind: [describe(entry) for entry in found.of_kind(kind)] for kind in kinds}
    if arguments.json:
        import json

        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    print("\n\n".join(as_text(kind, items) for kind, items in listed.items() if items))
    return 0


def describe(entry: Entry) -> dict[str, Any]:
    """Describe one declaration as data."""
    declaration = entry.declaration
    described: dict[str, Any] = {
        "name": declaration.name,
        "help": declaration.help,
        "distribution": entry.plugin.distribution,
        "version": entry.plugin.version,
    }
    if hasattr(declaration, "key"):
        described |= {"key": declaration.key, "stage": declaration.stage}
    if hasattr(declaration, "better"):
        described |= {
            "better": declaration.better,
            "default_set": declaration.in_default_set,
            "options": options(declaration),
        }
    return described


def options(metric: MetricSpec) -> list[dict[str, Any]]:
    """Describe the options of a metric as data."""

    def described(option: Option) -> dict[str, Any]:
        return {
            "key": option.key,
            "default": "+".join(option.format(option.default)),
            "values": "see 'mteval list'" if option.key in SHARED else option.expected(),
            "choices": list(option.choices),
            "help": option.help or SHARED.get(option.key, ""),
        }

    return [described(option) for option in metric.options]


SHARED = {"case": "case folding", "tok": "tokenizer", "stem": "stemmer"}


def as_text(kind: str, items: list[dict[str, Any]]) -> str:
    """Write one kind as lines for people."""
    size = max(len(shown_name(item)) for item in items)
    lines = [f"{kind}:"]
    for item in items:
        lines.append(wrapped(f"  {shown_name(item):{size}}  {item['help']}".rstrip(), size + 4))
        for option in item.get("options", []):
            default = f"{option['key']}={option['default']}"
            values = f" ({option['values']})" if option["choices"] else ""
            line = f"  {'':{size}}    {default:20}  {option['help']}{values}"
            lines.append(wrapped(line.rstrip(), size + 28))
    return "\n".join(lines)


def shown_name(item: dict[str, Any]) -> str:
    """Name of an item as one gives it: a normalizer with its key."""
    return f"{item['key']}={item['name']}" if "key" in item else str(item["name"])
