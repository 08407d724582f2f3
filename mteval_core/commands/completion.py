"""``mteval completion``: let a shell complete commands, flags and names with the tab key.

The shell asks the program itself, so plugins that are installed later are completed, too.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from mteval_core.commands.parser import CommandParser, Parser
from mteval_core.commands.terminal import show
from mteval_core.errors import UsageError
from mteval_core.plugin.declarations import (
    KINDS,
    CommandSpec,
    MetricSpec,
    NormalizerSpec,
    TokenizerSpec,
    neutral,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mteval_core.commands.arguments import Arguments
    from mteval_core.commands.session import Session
    from mteval_core.plugin.registry import Registry

SHELLS = ("bash", "fish", "zsh")

START_ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit; compinit -i }\n"
"""Starts the completion of zsh, which is off unless a user's file starts it."""


def add_arguments(arguments: Arguments) -> None:
    """Declare the arguments of the command."""
    arguments.describe(
        "Print the script that makes a shell complete commands, flags and names. Add to ~/.bashrc: "
        "'eval \"$(mteval completion bash)\"'; to ~/.zshrc: 'eval \"$(mteval completion zsh)\"'; "
        "to ~/.config/fish/config.fish: 'mteval completion fish | source'"
    )
    arguments.add("shell", choices=SHELLS, help="the shell")


def run(session: Session) -> None:
    """Print the script."""
    try:
        from argcomplete import shell_integration  # pyright: ignore[reportMissingImports] - optional
    except ImportError:
        raise UsageError(
            "completion needs argcomplete: pip install 'mteval-core[completion]'"
        ) from None
    asked = session.options.shell
    shell = "fish" if asked == "fish" else "bash"  # one script for bash and zsh
    script = shell_integration.shellcode(["mteval"], shell=shell)
    show(START_ZSH + script if asked == "zsh" else script)


def complete(parser: Parser) -> int:
    """Answer a shell that completes a command line.

    Parameters
    ----------
    parser : Parser
        The parser of the flags that precede a command.
    """
    from argcomplete import autocomplete  # pyright: ignore[reportMissingImports] - optional

    from mteval_core.plugin.loading import default_registry

    add_commands(parser, os.environ.get("COMP_LINE", "").split(), default_registry())
    autocomplete(parser, always_complete_options="long", exit_method=sys.exit)
    return 0


def add_commands(parser: Parser, words: Iterable[str], registry: Registry) -> None:
    """Add all commands to a parser; those among the words have their arguments."""
    commands = parser.add_subparsers(parser_class=Parser)
    for entry in registry.of_kind(CommandSpec):
        name = entry.declaration.name
        own = commands.add_parser(name, help=entry.declaration.help)
        if name in words:
            commands.choices[name] = with_completers(CommandParser(entry, prog=own.prog), registry)


def with_completers(parser: CommandParser, registry: Registry) -> Parser:
    """Tell the arguments of a command by which names their values are completed."""
    for action in parser._actions:
        declared = parser.declared.get(action.dest)
        if declared and declared.names and not action.choices:
            action.completer = completer(declared.names, registry)  # type: ignore[attr-defined]
    return parser


def completer(what: str, registry: Registry) -> Callable[..., list[str]]:
    """Make a function that returns the names with a prefix."""

    def completed(prefix: str, **_: object) -> list[str]:
        return [name for name in completions(what, registry, prefix) if name.startswith(prefix)]

    return completed


def completions(what: str, registry: Registry, prefix: str = "") -> Iterable[str]:
    """Return the names that complete a value.

    Parameters
    ----------
    what : str
        The plural of a kind, a signature key of normalizers, ``"languages"``, or ``"names"`` for
        all kinds and names.
    registry : Registry
        The plugins.
    prefix : str
        The beginning of the value.
    """
    if what == "metrics":
        return specs(registry, prefix)
    if what in KINDS:
        found = (entry.declaration for entry in registry.of_kind(KINDS[what].declaration))
        return [f"{one.name}[" if getattr(one, "option", None) else one.name for one in found]
    if what == "languages":
        tokenizers = (entry.declaration for entry in registry.of_kind(TokenizerSpec))
        return sorted({code for one in tokenizers for code in one.languages})
    if what == "names":
        kinds = (kind.declaration for kind in KINDS.values())
        shown = (entry.declaration.shown for kind in kinds for entry in registry.of_kind(kind))
        return [*KINDS, *shown]
    return [neutral(what), *normalizers(what, registry)]


def normalizers(key: str, registry: Registry) -> list[str]:
    """Return the normalizers of a signature key."""
    found = (entry.declaration for entry in registry.of_kind(NormalizerSpec))
    return [one.name for one in found if one.key == key]


def specs(registry: Registry, prefix: str) -> Iterable[str]:
    """Yield metrics; after ``NAME:``, their options, and after ``KEY=`` the words it takes."""
    metrics = [entry.declaration for entry in registry.of_kind(MetricSpec)]
    name, colon, options = prefix.partition(":")
    if not colon:
        yield from (*(metric.name for metric in metrics), "all")
        return
    before, comma, last = options.rpartition(",")
    head, (key, equals, _) = f"{name}:{before}{comma}", last.partition("=")
    for option in (each for one in metrics if name in one.names for each in one.options):
        if not equals:
            yield f"{head}{option.key}="
        elif option.key == key:
            words: Any = completions("tokenizers", registry) if key == "tok" else ()
            words = words or normalizers(key, registry) or option.choices
            yield from (f"{head}{key}={word}" for word in words)
