"""Defaults of flags from the configuration file: read as flags, with what is not one refused."""

from __future__ import annotations

import argparse
import re
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.errors import UnknownNameError, UsageError, near

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from mteval_core.commands.configuration import Configuration

__all__ = ["Default", "Taken", "attempt", "blaming", "defaults", "flag_names", "take"]

FILES = re.compile("FILE|PATH|REF|SYS|NBEST|DATA|DIR|json")
"""In the help of a flag, its value is called this if it names files."""


class Default(NamedTuple):
    """A default of a flag.

    Parameters
    ----------
    key : str
        Name of the flag, without hyphens.
    value : bool, number, str or list
        What the file holds.
    place : str
        Where it stands.
    parsed : object
        The value of the flag.
    action : Action
        The flag.
    """

    key: str
    value: Any
    place: str
    parsed: Any
    action: argparse.Action


class Taken(NamedTuple):
    """The defaults that a command has taken from the configuration file.

    Parameters
    ----------
    config : Configuration
        The file.
    defaults : tuple of Default
        Those that no flag replaces.
    places : mapping of str to str
        Where each of their flags stands in the file, for errors.
    """

    config: Configuration
    defaults: tuple[Default, ...]
    places: Mapping[str, str]

    @property
    def arguments(self) -> frozenset[str]:
        """Names of the arguments that they set."""
        return frozenset(default.action.dest for default in self.defaults)

    @property
    def sentence(self) -> str:
        """Say which defaults they are, as flags."""
        flags = (as_flag(default.key, default.value) for default in self.defaults)
        return f"{self.config.name} sets {' '.join(flags)}"

    def record(self) -> dict[str, object]:
        """Say it for machines."""
        return {
            "path": self.config.path,
            "sha256": self.config.sha256,
            "profile": self.config.profile,
            "values": {default.key: default.value for default in self.defaults},
        }


def take(
    config: Configuration,
    parser: argparse.ArgumentParser,
    given: Collection[str],
    parsers: Callable[[], Iterable[argparse.ArgumentParser]],
) -> Taken | None:
    """Make what the file holds the defaults of a parser, except for what the flags set.

    Parameters
    ----------
    config, parser, parsers
        As `defaults` takes them.
    given : collection of str
        Names of the arguments that flags set.

    Returns
    -------
    Taken or None
        None if the parser takes nothing.
    """
    found = [
        default
        for default in defaults(config, parser, parsers).values()
        if not any(rival.dest in given for rival in rivals(default.action, parser))
    ]
    parser.set_defaults(**{default.action.dest: default.parsed for default in found})
    places = {}
    for default in found:
        default.action.required = False
        for action in parser._actions:
            if action.dest == default.action.dest:
                places.update(dict.fromkeys(action.option_strings, default.place))
    return Taken(config, tuple(found), places) if found else None


def as_flag(key: str, value: Any) -> str:
    """Write a default as a user would type it."""
    words = value if isinstance(value, list) else [value]
    return shlex.join([f"--{key}", *(str(word) for word in words if word is not True)])


def flag_names(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the flags that the file can set, by their long names without hyphens."""
    return {
        flag.removeprefix("--"): action
        for action in parser._actions
        for flag in action.option_strings
        if flag.startswith("--") and flag != "--help" and not names_files(action)
    }


def names_files(action: argparse.Action) -> bool:
    """Whether the values of a flag are files, which belong on the command line."""
    return isinstance(action.metavar, str) and bool(FILES.search(action.metavar))


def defaults(
    config: Configuration,
    parser: argparse.ArgumentParser,
    parsers: Callable[[], Iterable[argparse.ArgumentParser]],
) -> dict[str, Default]:
    """Read the defaults for a command.

    Parameters
    ----------
    config : Configuration
        The file.
    parser : ArgumentParser
        The parser of the command.
    parsers : callable
        Returns the parsers of all commands.

    Returns
    -------
    dict of Default
        By the names of the arguments. A value of a more special table replaces others; an empty
        list and false stand for the default of the command.

    Raises
    ------
    UsageError
        If a key or a value is not valid, or two keys of one table exclude each other.
    """
    found: dict[str, Default] = {}
    for place, table, is_own in config.tables(parser.prog.split()[-1]):
        for key, value in table.items():
            default = attempt(key, value, place, parser)
            if isinstance(default, Default):
                add(default, found, parser)
            elif is_own:
                raise default
            else:
                check_of_another(key, value, place, parsers())
    return found


def attempt(
    key: str, value: Any, place: str, parser: argparse.ArgumentParser
) -> Default | UsageError:
    """Read one default for a command, or return the error that says why it is not one."""
    known = flag_names(parser)
    if key not in known:
        return UnknownNameError(unknown(key, place, known, [parser]))
    action = known[key]
    try:
        return Default(key, value, place, parsed=parsed(key, value, place, action), action=action)
    except UsageError as error:
        return error


def check_of_another(
    key: str, value: Any, place: str, parsers: Iterable[argparse.ArgumentParser]
) -> None:
    """Raise a `UsageError` if no command takes a default."""
    every = list(parsers)
    found = [attempt(key, value, place, parser) for parser in every]
    if any(isinstance(one, Default) for one in found):
        return
    for error in found:
        if isinstance(error, UsageError) and not isinstance(error, UnknownNameError):
            raise error
    names = {name for parser in every for name in flag_names(parser)}
    raise UnknownNameError(unknown(key, place, names, every))


def unknown(
    key: str, place: str, known: Collection[str], parsers: Iterable[argparse.ArgumentParser]
) -> str:
    """Say why a key is not the name of a flag that the file can set."""
    flags = {flag for parser in parsers for flag in parser._option_string_actions}
    if f"--{key}" in flags - {"--help"}:
        return f"{place}: {key} names files, which belong on the command line"
    return f"{place}: unknown key {key!r}.{near(key, known)}"


def is_reset(value: Any) -> bool:
    """Whether a value stands for the default of the command."""
    return value is False or value == []


def add(default: Default, found: dict[str, Default], parser: argparse.ArgumentParser) -> None:
    """Add a default to those of more general tables.

    Raises
    ------
    UsageError
        If another one of the same table excludes it.
    """
    action = default.action
    if is_reset(default.value):
        if action.dest in found and found[action.dest].action is action:
            del found[action.dest]
        return
    for rival in rivals(action, parser):
        before = found.pop(rival.dest, None)
        if before and before.place == default.place:
            both = f"{before.key} and {default.key}"
            message = f"{before.place}: {both} exclude each other: leave one out"
            raise UsageError(message)
    found[action.dest] = default


def rivals(action: argparse.Action, parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the flags that cannot be combined with a flag, the flag itself among them."""
    yield action
    for group in parser._mutually_exclusive_groups:
        if action in group._group_actions:
            yield from group._group_actions


def parsed(key: str, value: Any, place: str, action: argparse.Action) -> Any:
    """Read a value as the parser reads that of the flag.

    Raises
    ------
    UsageError
        If its type or itself is not valid.
    """
    words = words_of(value, action)
    if is_reset(value) and words is not None:
        return action.default
    wrong = f"expected {expected(action)}, got {value!r}"
    if words is None:
        message = f"{place}: {key}: {wrong}"
        raise UsageError(message)
    try:
        result = read(words, action)
    except argparse.ArgumentError as error:
        reason = error.message if error.message.startswith("expected a ") else wrong
        message = f"{place}: {key}: {reason}"
        raise UsageError(message) from None
    if isinstance(value, str) and isinstance(result, (int, float)):
        message = f"{place}: {key}: expected a number without quotes, got {value!r}"
        raise UsageError(message)
    return result


def read(words: list[str], action: argparse.Action) -> Any:
    """Return the value of a flag with these words.

    Raises
    ------
    ArgumentError
        If they are not valid.
    """
    parser = argparse.ArgumentParser(add_help=False)
    if parser._match_argument(action, "A" * len(words)) != len(words):
        message = "too many values"
        raise argparse.ArgumentError(action, message)
    scratch = argparse.Namespace(**{action.dest: action.default})
    action(parser, scratch, parser._get_values(action, words), action.option_strings[0])
    return getattr(scratch, action.dest)


def expected(action: argparse.Action) -> str:
    """Describe what a flag takes."""
    if action.nargs == 0:
        return "true or false"
    one = f"one of {', '.join(action.choices)}" if action.choices else "a string"
    if not takes_list(action):
        return "a number" if action.type else one
    size = f" of {action.nargs}" if isinstance(action.nargs, int) else ""
    return f"a list{size}, each {one}" if action.choices else f"a list{size} of strings"


def takes_list(action: argparse.Action) -> bool:
    """Whether a flag takes several values."""
    return action.nargs not in (None, "?", 0)


def words_of(value: Any, action: argparse.Action) -> list[str] | None:
    """Write a value as the words of a flag; None if it has the wrong type."""
    if action.nargs == 0:
        return [] if isinstance(value, bool) else None
    words = value if isinstance(value, list) else [value]
    types = (str, int, float) if action.type else (str,)
    if takes_list(action) != isinstance(value, list) or any(
        isinstance(word, bool) or not isinstance(word, types) for word in words
    ):
        return None
    return [str(word) for word in words]


@contextmanager
def blaming(taken: Taken) -> Iterator[None]:
    """Say in errors of usage which flags the user did not type, and where they stand."""
    try:
        yield
    except UsageError as error:
        flags = dict.fromkeys(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", str(error)))
        places = [
            f"{flag} stands in {taken.places[flag]}" for flag in flags if flag in taken.places
        ]
        hint = "; ".join([*places, f"--no-config leaves out the defaults of {taken.config.path}"])
        message = f"{error} ({hint})"
        raise type(error)(message) from error.__cause__
