"""The parsers of the command line: exact flags, and an answer to every flag that is not known."""

from __future__ import annotations

import argparse
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mteval_core.compat.flags import ANSWERS
from mteval_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from mteval_core.commands.defaults import Taken

COMMANDS = {
    "score": "score systems against references",
    "plan": "plan an evaluation in parts, for many machines",
    "partial": "count one part of a planned evaluation",
    "merge": "merge the parts of a planned evaluation",
    "correlate": "compare metrics with human judgments",
    "tasks": "compare metrics with human judgments in several tasks at once",
    "orange": "compare metrics by how high they rank references in n-best lists",
    "explain": "say why segments have their scores",
    "profile": "show what systems do well and badly",
    "power": "say which differences a test set can show, and how large it has to be",
    "influence": "show which segments, documents and references a result depends on",
    "mbr": "choose from n-best lists the hypotheses that are most like the others",
    "replay": "recompute a score from its signature, or a saved report",
    "gate": "say whether new outputs may replace those of a saved report",
    "diff": "compare two saved reports and explain the differences",
    "doctor": "examine texts, and say what is wrong with them",
    "tokenize": "show the tokens of a text",
    "list": "list everything that can be named, by kind",
    "check": "check that a plugin keeps the contract",
    "plugins": "list plugins, what they register, and their errors",
    "new-plugin": "create a working plugin to start from",
    "completion": "make a shell complete commands, flags and names",
}

PRECEDING = {"-p": " no:NAME", "--config": " FILE", "--no-config": "", "--profile": " NAME"}
"""Flags of all commands, with their values."""

ANSWERING = ("score", "correlate")
"""The commands that answer flags of other programs."""


class Extend(argparse.Action):
    """Adds the values of a repeated flag; its first use replaces the default."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Add the values."""
        before = getattr(namespace, self.dest)
        kept = [] if before is self.default else before
        setattr(namespace, self.dest, [*kept, *(values or ())])


class Parser(argparse.ArgumentParser):
    """A parser that takes no abbreviations, and raises errors instead of printing them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Raise a `UsageError`."""
        end = "" if message.endswith((".", "?")) else "."
        message = f"{message}{end} See '{self.prog} --help'."
        raise UsageError(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Leave the process; what cannot be written is an error."""
        sys.stdout.flush()
        super().exit(status, message)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # The method that this one overrides ignores errors.
        (file or sys.stdout).write(message)


class Commands(argparse._SubParsersAction):  # type: ignore[type-arg]
    """The commands: the parser of one gets the arguments that precede it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Parse the arguments of the command."""
        if values:
            self.choices[values[0]].preceding = namespace
        super().__call__(parser, namespace, values, option_string)


class CommandParser(Parser):
    """Parser of one command, whose module it imports when the command is called."""

    preceding: argparse.Namespace | None = None
    """The arguments before the command; they choose the configuration file."""

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        """Import the command, check the flags, then parse the arguments."""
        run = self.declare()
        given = list(self.given_flags(args[0] or ()))
        self.refuse_repeated(given)
        named = frozenset(action.dest for _, action in given)
        taken = self.take_defaults(named)
        self.set_defaults(
            command=self.command,
            run=run,
            given=named,
            config=taken,
            from_file=taken.arguments if taken else frozenset(),
        )
        namespace, extra = super().parse_known_args(*args, **kwargs)
        if extra:
            hint = ""
            if hasattr(namespace, "references"):
                hint = ": write all references before the first flag, or after -r"
            self.error(f"unexpected argument {extra[0]!r}{hint}")
        return namespace, extra

    def declare(self) -> Callable[[argparse.Namespace], int]:
        """Import the command, declare its arguments, and return the function that runs it."""
        module = import_module(f"mteval_core.commands.{self.command.replace('-', '_')}")
        module.add_arguments(self)
        run: Callable[[argparse.Namespace], int] = module.run
        return run

    def take_defaults(self, given: Collection[str]) -> Taken | None:
        """Take defaults from the configuration file, except for what the flags set."""
        if self.preceding is None:
            return None
        from mteval_core.commands.configuration import configuration

        config = configuration(self.preceding, COMMANDS)
        if config is None:
            return None
        from mteval_core.commands.defaults import take

        return take(config, self, given, command_parsers)

    @property
    def command(self) -> str:
        """Name of the command."""
        return self.prog.split()[-1]

    def given_flags(self, arguments: Sequence[str]) -> Iterator[tuple[str, argparse.Action]]:
        """Yield the flags among the arguments, with their actions.

        Raises
        ------
        UsageError
            If a flag is not known.
        """
        known = self._option_string_actions
        for argument in arguments:
            if argument == "--":
                return
            if not argument.startswith("-") or len(argument) == 1:
                continue
            flag = argument if argument in known else argument.partition("=")[0]
            if flag not in known and not (flag.startswith("--") or self.is_foreign(flag)):
                flag = flag[:2]  # a value may follow a short flag directly: -w4
            if flag in known:
                yield flag, known[flag]
            elif not (" " in argument or re.fullmatch(r"-\d+|-\d*\.\d+", argument)):
                self.error(self.unknown(argument.partition("=")[0]))

    def is_foreign(self, flag: str) -> bool:
        """Whether the command answers the flag of another program."""
        return flag in ANSWERS and self.command in ANSWERING

    def unknown(self, flag: str) -> str:
        """Say what to type in place of a flag that is not known."""
        from difflib import get_close_matches

        if flag in PRECEDING:
            return f"{flag} precedes the command: mteval {flag}{PRECEDING[flag]} COMMAND"
        if self.is_foreign(flag):
            return f"{flag} {ANSWERS[flag]}"
        near = get_close_matches(flag, self._option_string_actions)
        return f"unknown flag {flag}" + (f". Did you mean {' or '.join(near)}?" if near else "")

    def refuse_repeated(self, given: Sequence[tuple[str, argparse.Action]]) -> None:
        """Raise a `UsageError` if two flags set the same value, or exclude each other."""
        seen: dict[str, tuple[str, argparse.Action]] = {}
        for flag, action in given:
            if action.dest not in seen:
                seen[action.dest] = flag, action
                continue
            before, earlier = seen[action.dest]
            adds = isinstance(action, (Extend, argparse._AppendConstAction))
            if adds or (action.nargs == 0 and action is earlier):
                continue
            pair = f"{before} and {flag}" if before != flag else f"{flag} and {flag} again"
            self.error(f"{pair} set the same value: leave one out")
        for group in self._mutually_exclusive_groups:
            flags = {a.dest: flag for flag, a in given if a in group._group_actions}
            if len(flags) > 1:
                self.error(f"{' and '.join(flags.values())} exclude each other: leave one out")


def command_parsers() -> Iterator[CommandParser]:
    """Make the parsers of all commands, with their arguments."""
    for name, summary in COMMANDS.items():
        parser = CommandParser(prog=f"mteval {name}", description=f"{summary.capitalize()}.")
        parser.declare()
        yield parser
