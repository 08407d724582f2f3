"""``mteval completion``: let a shell complete commands, flags and names with the tab key.

The shell asks the program itself, so plugins that are installed later are completed, too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mteval_core.commands.parser import CommandParser, Parser
from mteval_core.commands.streams import show
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from mteval_core.plugin.declarations import Declaration
    from mteval_core.plugin.registry import Registry

__all__ = ["CompletedParser", "add_arguments", "add_completers", "requested", "run"]

SHELLS = ("bash", "fish", "zsh")

START_ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit; compinit -i }\n"
"""Starts the completion of zsh, which is off unless a user's file starts it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Print the script that makes a shell complete commands, flags and names. Add to ~/.bashrc: "
        "'eval \"$(mteval completion bash)\"'; to ~/.zshrc: 'eval \"$(mteval completion zsh)\"'; "
        "to ~/.config/fish/config.fish: 'mteval completion fish | source'"
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    try:
        from argcomplete import shell_integration  # pyright: ignore[reportMissingImports] - optional
    except ImportError:
        message = "completion needs argcomplete: pip install 'mteval-core[completion]'"
        raise UsageError(message) from None
    shell = "fish" if arguments.shell == "fish" else "bash"  # one script for bash and zsh
    script = shell_integration.shellcode(["mteval"], shell=shell)
    show(START_ZSH + script if arguments.shell == "zsh" else script)
    return 0


class CompletedParser(CommandParser):
    """Parser of a command whose line is being typed: it accepts what is not yet complete."""

    parse_known_args = Parser.parse_known_args

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        if self.command in requested():
            self.declare()
            add_completers(self)


def requested() -> list[str]:
    """Return the words that the shell wants to be completed."""
    return os.environ.get("COMP_LINE", "").split()


def add_completers(parser: argparse.ArgumentParser) -> None:
    """Tell the arguments of a command by which names their values are completed."""
    for action in parser._actions:
        names = NAMES.get(action.dest)
        if names and not action.choices:
            action.completer = completer(names)  # type: ignore[attr-defined]


def completer(
    names: Callable[[Registry, str], Iterable[str]],
) -> Callable[..., list[str]]:
    """Make a function that returns the names with a prefix."""

    def complete(prefix: str, **_: object) -> list[str]:
        from mteval_core.plugin.loading import default_registry

        return [name for name in names(default_registry(), prefix) if name.startswith(prefix)]

    return complete


def of(declaration: str) -> Callable[[Registry, str], list[str]]:
    """Make a function that returns the names of one kind of declaration."""

    def names(registry: Registry, _prefix: str) -> list[str]:
        from mteval_core.plugin import declarations

        kind: type[Declaration] = getattr(declarations, declaration)
        found = [entry.declaration for entry in registry.of_kind(kind)]
        return [f"{one.name}[" if getattr(one, "option", None) else one.name for one in found]

    return names


def specs(registry: Registry, prefix: str) -> Iterable[str]:
    """Yield metrics; after ``NAME:``, their options, and after ``KEY=`` the words it takes."""
    from mteval_core.plugin.declarations import MetricSpec

    metric, colon, options = prefix.partition(":")
    if not colon:
        yield from (*of("MetricSpec")(registry, prefix), "all")
        return
    before, comma, last = options.rpartition(",")
    head, (key, equals, _) = f"{metric}:{before}{comma}", last.partition("=")
    for entry in registry.of_kind(MetricSpec):
        if metric in entry.declaration.names:
            for option in entry.declaration.options:
                if not equals:
                    yield f"{head}{option.key}="
                elif option.key == key:
                    words = values_of(option.key, registry) or option.choices
                    yield from (f"{head}{key}={word}" for word in words)


def values_of(key: str, registry: Registry) -> list[str]:
    """Return the tokenizers or normalizers of a signature key."""
    from mteval_core.plugin.declarations import NormalizerSpec

    if key == "tok":
        return of("TokenizerSpec")(registry, "")
    found = [entry.declaration for entry in registry.of_kind(NormalizerSpec)]
    return [one.name for one in found if one.key == key]


def languages(registry: Registry, _prefix: str) -> list[str]:
    """Return the languages for which there are tokenizers."""
    from mteval_core.plugin.declarations import TokenizerSpec

    found = (entry.declaration.languages for entry in registry.of_kind(TokenizerSpec))
    return sorted({code for codes in found for code in codes})


def everything(registry: Registry, _prefix: str) -> list[str]:
    """Return all kinds and names, as ``mteval list`` takes them."""
    from mteval_core.plugin.kinds import KINDS

    kinds = (kind.declaration for kind in KINDS.values())
    shown = (entry.declaration.shown for kind in kinds for entry in registry.of_kind(kind))
    return [*KINDS, *shown]


NAMES: dict[str, Callable[[Registry, str], Iterable[str]]] = {
    "metrics": specs,
    "metric": specs,
    "figures": specs,
    "tok": of("TokenizerSpec"),
    "lang": languages,
    "case": lambda registry, _: ["mixed", *values_of("case", registry)],
    "stem": lambda registry, _: ["none", *values_of("stem", registry)],
    "format": of("FormatSpec"),
    "resampler": of("ResamplerSpec"),
    "engine": of("EngineSpec"),
    "what": everything,
}
"""The names that complete the values of an argument."""
