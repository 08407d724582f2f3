"""Parsers of the command line: exact flags, and a hint for every unknown one."""

from __future__ import annotations

import argparse
import re
import sys
from copy import copy
from typing import TYPE_CHECKING, Any

from mteval_core.commands.arguments import Arguments, Extend, Options
from mteval_core.commands.shared import ARGUMENT_GROUPS
from mteval_core.commands.statistics import add_statistics, add_tables
from mteval_core.commands.terminal import output
from mteval_core.errors import MtevalError, UsageError, attributed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from mteval_core.commands.arguments import Conflict, Declared
    from mteval_core.plugin.declarations import CommandSpec
    from mteval_core.plugin.registry import Entry, Registry

PRECEDING = {"-p": " no:NAME", "--config": " FILE", "--no-config": "", "--preset": " NAME"}
PRECEDING["--max-bytes"] = " N"
"""Flags of all commands, with their values."""

SHARED: Mapping[str, Callable[..., None]] = {
    **ARGUMENT_GROUPS,
    "statistics": add_statistics,
    "tables": add_tables,
}
"""All groups of arguments that commands share, by name."""


class Parser(argparse.ArgumentParser):
    """A parser that takes no abbreviations, and raises errors instead of printing them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False, add_help=False)

    def error(self, message: str) -> NoReturn:
        """Raise a `UsageError`."""
        end = "" if message.endswith((".", "?")) else "."
        raise UsageError(f"{message}{end} See '{self.prog} --help'.")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Leave the process; what cannot be written is an error."""
        output().flush()
        super().exit(status, message)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        # The method that this one overrides hides the messages of errors that are ValueErrors.
        try:
            return action.type(arg_string) if callable(action.type) else arg_string
        except MtevalError:
            raise
        except Exception:  # noqa: BLE001 - it is raised again, as a message
            return super()._get_value(action, arg_string)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # The method that this one overrides ignores errors.
        (output() if file in (None, sys.stdout) else file).write(message)


class Help(argparse.Action):
    """Prints the arguments of a command: with ``-h``, those that most people need."""

    def __call__(
        self, parser: Any, _namespace: object, _values: object, option_string: str | None = None
    ) -> None:
        """Print them, and leave the process."""
        is_short = option_string == "-h" and parser.basics
        output().write(parser.format_basics() if is_short else parser.format_help())
        parser.exit()


class CommandParser(Parser):
    """Parser of one command.

    Parameters
    ----------
    entry : Entry
        The command.
    """

    def __init__(self, entry: Entry[CommandSpec], **settings: Any) -> None:
        from mteval_core.plugin.declarations import load

        name, summary = entry.declaration.name, entry.declaration.help
        text = f"{summary[:1].upper()}{summary[1:]}."
        super().__init__(**{"prog": f"mteval {name}", "description": text, **settings})
        self.add_argument("-h", "--help", nargs=0, action=Help, help="-h: basic flags; --help: all")
        self.command = name
        arguments = Arguments(self, SHARED)
        with attributed(f"command {entry}"):
            load(entry.declaration.arguments)(arguments)
            named = {(*each.option_strings, each.dest)[0]: each for each in self._actions}
            self.basics: list[argparse.Action] = [named[name] for name in arguments.basics]
        if self.basics:
            places = [one for one in self.basics if one.required or not one.option_strings]
            shown = [f"{' '.join(one.option_strings[:1])} {one.metavar}" for one in places]
            self.usage = " ".join([self.prog, *map(str.strip, shown), "[flags]"])
        self.declared: dict[str, Declared] = arguments.declared
        self.conflicts: list[Conflict] = arguments.conflicts

    def format_basics(self) -> str:
        """Write the arguments that most people need."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, [], [])
        formatter.add_text(self.description)
        for action in map(copy, self.basics):
            action.option_strings = action.option_strings[:1]
            action.help = re.split(r"; |: | \(", str(action.help))[0]
            formatter.add_argument(action)
        formatter.add_text(f"All flags: {self.prog} --help")
        return formatter.format_help()

    def options(
        self, words: Sequence[str], front: Sequence[str] = (), configured: Collection[str] = ()
    ) -> Options:
        """Parse the words after the name of the command.

        Parameters
        ----------
        words : sequence of str
            The words.
        front : sequence of str
            Flags of a configuration file, which come before the words.
        configured : collection of str
            Names of the arguments that they set.

        Raises
        ------
        UsageError
            If the words are not valid, or their combination is refused.
        """
        flags = self.given_names(words)
        namespace, extra = self.parse_known_args([*front, *words])
        if extra:
            hint = ""
            if hasattr(namespace, "references"):
                hint = ": write all references before the first flag, or after -r"
            self.error(f"unexpected argument {extra[0]!r}{hint}")
        options = Options(vars(namespace), flags, configured)
        for message, applies in self.conflicts:
            if applies(options):
                raise UsageError(options.written_into(message))
        return options

    def given_names(self, words: Sequence[str]) -> dict[str, str]:
        """Return the names of the arguments that flags among the words set, with these flags.

        Raises
        ------
        UsageError
            If a flag is not known, or set twice.
        """
        given = list(self.given_flags(words))
        self.refuse_repeated(given)
        return {action.dest: flag for flag, action in given}

    def check_words(self, words: Sequence[str]) -> None:
        """Raise a `UsageError` if flags are not valid, without the arguments that are required."""
        for action in self._actions:
            action.required = False
        self.parse_known_args(words)

    def given_flags(self, words: Sequence[str]) -> Iterator[tuple[str, argparse.Action]]:
        """Yield the flags among the words, with their actions.

        Raises
        ------
        UsageError
            If a flag is not known.
        """
        known = self._option_string_actions
        for word in words:
            if word == "--":
                return
            if not word.startswith("-") or len(word) == 1:
                continue
            flag = word if word in known else word.partition("=")[0]
            if flag not in known and not (flag.startswith("--") or self.foreign(flag)):
                flag = flag[:2]  # a value may follow a short flag directly: -w4
            if flag in known:
                yield flag, known[flag]
            elif not (" " in word or re.fullmatch(r"-\d+|-\d*\.\d+", word)):
                self.error(self.unknown(word.partition("=")[0]))

    def foreign(self, flag: str) -> str:
        """Say what to type in place of the flag of another program; empty for any other flag."""
        from mteval_core.plugin.catalogue import foreign_flags

        return foreign_flags().get(flag, "") if "metrics" in self.declared else ""

    def unknown(self, flag: str) -> str:
        """Say what to type in place of a flag that is not known."""
        from difflib import get_close_matches

        if flag in PRECEDING:
            return f"{flag} precedes the command: mteval {flag}{PRECEDING[flag]} COMMAND"
        answer = self.foreign(flag)
        if answer:
            return f"{flag} {answer}"
        near = get_close_matches(flag, self._option_string_actions)
        return f"unknown flag {flag}" + (f". Did you mean {' or '.join(near)}?" if near else "")

    def refuse_repeated(self, given: Sequence[tuple[str, argparse.Action]]) -> None:
        """Raise a `UsageError` if two flags set the same value, or exclude each other."""
        seen: dict[str, tuple[str, argparse.Action]] = {}
        for flag, action in given:
            now = flag, action
            before, earlier = first = seen.setdefault(action.dest, now)
            adds = isinstance(action, (Extend, argparse._AppendAction, argparse._AppendConstAction))
            if first is now or adds or (action.nargs == 0 and action is earlier):
                continue
            pair = f"{before} and {flag}" if before != flag else f"{flag} and {flag} again"
            self.error(f"{pair} set the same value: leave one out")
        for group in self._mutually_exclusive_groups:
            flags = {a.dest: flag for flag, a in given if a in group._group_actions}
            if len(flags) > 1:
                self.error(f"{' and '.join(flags.values())} exclude each other: leave one out")


def command_parsers(registry: Registry) -> Iterator[CommandParser]:
    """Make the parsers of all commands."""
    from mteval_core.plugin.declarations import CommandSpec

    for entry in registry.of_kind(CommandSpec):
        yield CommandParser(entry)
