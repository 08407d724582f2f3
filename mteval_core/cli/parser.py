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
    from collections.abc import Iterator, Sequence
    from typing import NoReturn

    from _typeshed import SupportsWrite

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


class CommandParser(Parser):
    """Parser of one command, whose module it imports when the command is called."""

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        """Import the command, check the flags, then parse the arguments."""
        module = import_module(f"mteval_core.cli.{self.command.replace('-', '_')}")
        module.add_arguments(self)
        given = list(self.given_flags(args[0] or ()))
        self.refuse_repeated(given)
        self.set_defaults(
            command=self.command,
            run=module.run,
            given=frozenset(action.dest for _, action in given),
        )
        namespace, extra = super().parse_known_args(*args, **kwargs)
        if extra:
            hint = ""
            if hasattr(namespace, "references"):
                hint = ": write all references before the first flag, or after -r"
            self.error(f"unexpected argument {extra[0]!r}{hint}")
        return namespace, extra

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

        if flag == "-p":
            return "-p precedes the command: mteval -p no:NAME COMMAND"
        if self.is_foreign(flag):
            return f"{flag} {ANSWERS[flag]}"
        near = get_close_matches(flag, self._option_string_actions)
        return f"unknown flag {flag}" + (f". Did you mean {' or '.join(near)}?" if near else "")

    def refuse_repeated(self, given: Sequence[tuple[str, argparse.Action]]) -> None:
        """Raise a `UsageError` if two flags set the same value, so that one would be lost."""
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
