"""Configuration file: its values become flags in front of those of the command line.

``mteval.toml``, or the table ``[tool.mteval]`` of ``pyproject.toml``, holds defaults for the flags
of all commands, of one command (``[score]``), and of named presets (``[presets.paper]``).
"""

from __future__ import annotations

import argparse
import os
import re
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.errors import InputError, UnknownNameError, UsageError, near, readable
from mteval_core.frozen import Frozen
from mteval_core.names import check_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from mteval_core.commands.parser import CommandParser

    Table = Mapping[str, Any]

OWN, SHARED = "mteval.toml", "pyproject.toml"
"""Names of the file. Other tools have tables in the second."""

NO_CONFIGURATION = f"neither this folder nor one above it has {OWN}, or {SHARED} with [tool.mteval]"
"""Why there is no configuration."""

PRESETS, NAMES = "presets", "names"
"""The tables of the presets, and of the distributions that keep a name which others share."""


class Configuration(Frozen):
    """A configuration file that has been read.

    Parameters
    ----------
    path : str
        The file.
    sha256 : str
        Its hash, in hexadecimal digits.
    content : mapping
        The tables of mteval.
    preset : str or None
        The chosen preset.
    was_found : bool
        Whether nobody named the file. Then it decides no verdict, hides no message and names no
        file, since it may belong to what is judged.
    """

    path: str
    sha256: str
    content: Table
    preset: str | None = None
    was_found: bool = False

    @property
    def name(self) -> str:
        """The file and the preset, for readers."""
        return f"{self.path} (preset {self.preset})" if self.preset else self.path

    @property
    def presets(self) -> Mapping[str, Table]:
        """The presets by their names."""
        presets: Mapping[str, Table] = self.content.get(PRESETS, {})
        return presets

    def place(self, *names: str) -> str:
        """Name a table of the file, for messages."""
        whole = ("tool", "mteval", *names) if Path(self.path).name == SHARED else names
        return f"{self.path} [{'.'.join(whole)}]" if whole else self.path

    def tables(self, command: str) -> Iterator[tuple[str, Table, bool]]:
        """Yield the tables for a command, the more special ones later.

        Yields
        ------
        place : str
            Where the table stands.
        table : mapping
            The values by the names of flags.
        is_own : bool
            Whether it is a table of this command only.
        """
        scopes: list[tuple[tuple[str, ...], Table]] = [((), self.content)]
        if self.preset is not None:
            scopes.append(((PRESETS, self.preset), self.presets[self.preset]))
        for names, table in scopes:
            values = {key: value for key, value in table.items() if not isinstance(value, dict)}
            yield self.place(*names), values, False
            own = table.get(command)
            if isinstance(own, dict):
                yield self.place(*names, command), own, True


class Default(NamedTuple):
    """A flag that the file sets: its name without hyphens, its value, and where it stands."""

    key: str
    value: Any
    place: str
    action: argparse.Action

    @property
    def words(self) -> list[str]:
        """The flag as words of a command line."""
        if self.value is True:
            return [f"--{self.key}"]
        values = self.value if isinstance(self.value, list) else [self.value]
        if isinstance(self.action.nargs, int):  # so many values at once
            return [f"--{self.key}", *map(str, values)]
        return [f"--{self.key}={value}" for value in values]


class Taken(Frozen):
    """What a command has taken from the configuration file.

    Parameters
    ----------
    config : Configuration
        The file.
    defaults : tuple of Default
        The flags that the command line does not replace.
    places : mapping of str to str
        Where each of them stands in the file, by all spellings of the flag.
    """

    config: Configuration
    defaults: tuple[Default, ...]
    places: Mapping[str, str]

    @property
    def words(self) -> list[str]:
        """The flags in front of the command line's."""
        return [word for default in self.defaults for word in default.words]

    @property
    def arguments(self) -> frozenset[str]:
        """Names of the arguments that they set."""
        return frozenset(default.action.dest for default in self.defaults)

    @property
    def sentence(self) -> str:
        """Say which flags they are."""
        import shlex

        listed = []
        for key, value, *_ in self.defaults:
            values = value if isinstance(value, list) else [value]
            listed.append(shlex.join([f"--{key}", *(str(v) for v in values if v is not True)]))
        return f"{self.config.name} sets {' '.join(listed)}"

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Say in usage errors which flags come from the file, and where they stand."""
        try:
            yield
        except UsageError as error:
            named = dict.fromkeys(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", str(error)))
            known = self.places
            places = [f"{flag} stands in {known[flag]}" for flag in named if flag in known]
            hint = "; ".join(
                [*places, f"--no-config leaves out the defaults of {self.config.path}"]
            )
            raise type(error)(f"{error} ({hint})") from error.__cause__

    def record(self) -> dict[str, object]:
        """Say it for machines."""
        return {
            "path": self.config.path,
            "sha256": self.config.sha256,
            "preset": self.config.preset,
            "values": {default.key: default.value for default in self.defaults},
        }


# Reading


def read_configuration(
    file: str | None, preset: str | None, commands: Callable[[], Collection[str]]
) -> Configuration | None:
    """Read the configuration file: the one that is named, or the nearest one; None without one.

    Parameters
    ----------
    file : str or None
        The file. None: look in the working folder and in those above it.
    preset : str or None
        The preset to use.
    commands : callable
        Returns the names that tables of commands may have.

    Raises
    ------
    UsageError
        If there is no such preset, or the file has a table that is not known.
    InputError
        If the file cannot be read.
    """
    path = check_name(file, "--config") if file else _nearest()
    if path is None:
        if preset:
            raise UsageError(
                f"--preset {preset}: no configuration file: {NO_CONFIGURATION}; see --config"
            )
        return None
    config = replace(_read_file(path), was_found=not file)
    _check_tables(config, commands())
    if preset is not None and preset not in config.presets:
        hint = near(preset, config.presets) if config.presets else " It has none."
        raise UnknownNameError(f"--preset {preset}: unknown preset of {config.path}.{hint}")
    return replace(config, preset=preset)


def _nearest() -> str | None:
    """Find the file in the working folder, or in the nearest one above it that has it.

    The search ends with the root of a repository, and before a folder of another owner.
    """
    try:
        here = Path.cwd()
    except OSError:
        return None  # it has been deleted
    for folder in (here, *here.parents):
        if folder.stat().st_uid != here.stat().st_uid:
            return None
        own, shared = folder / OWN, folder / SHARED
        found = [
            path for path in (own, shared) if path.is_file() and (path == own or _has_table(path))
        ]
        if len(found) > 1:
            raise UsageError(f"{own} and [tool.mteval] in {shared}: expected one; join them")
        if found:
            return os.path.relpath(found[0])
        if (folder / ".git").exists():
            return None
    return None


def _has_table(path: Path) -> bool:
    """Whether a ``pyproject.toml`` has the table ``[tool.mteval]``."""
    with suppress(OSError):
        data = path.read_bytes()
        return b"mteval" in data and _shared_table(_parse(data, str(path))) is not None
    return False


def _shared_table(content: Any) -> Any:
    """Return ``[tool.mteval]``; None if there is none."""
    tools = content.get("tool")
    return tools.get("mteval") if isinstance(tools, dict) else None


def _read_file(path: str) -> Configuration:
    import hashlib

    with readable(path):
        data = Path(path).read_bytes()
    content = _parse(data, path)
    if Path(path).name == SHARED:
        content = _shared_table(content)
        if not isinstance(content, dict):
            raise InputError(f"{path}: expected the table [tool.mteval]")
    return Configuration(path, hashlib.sha256(data).hexdigest(), content)


def _parse(data: bytes, path: str) -> Any:
    from mteval_core.plugin.catalogue import parse_toml

    try:
        return parse_toml(data.decode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None


def _check_tables(config: Configuration, commands: Collection[str]) -> None:
    """Refuse tables that are neither of presets nor of a command, installed or known."""
    from mteval_core.plugin.catalogue import plugins_with

    tables: dict[tuple[str, ...], Any] = {(): config.content, (PRESETS,): config.presets}
    tables[NAMES,] = config.content.get(NAMES, {})
    if isinstance(config.presets, dict):
        tables |= {(PRESETS, name): table for name, table in config.presets.items()}
    for names, table in tables.items():
        if not isinstance(table, dict):
            raise UsageError(f"{config.place(*names)}: expected a table, got {table!r}")
        if names == (PRESETS,):
            continue
        known = {*commands} if names else {*commands, PRESETS, NAMES}
        for key, value in table.items():
            if isinstance(value, dict) and not (key in known or plugins_with("commands", key)):
                raise UnknownNameError(
                    f"{config.place(*names, key)}: unknown table.{near(key, known)}"
                )
            if names == (NAMES,) and not isinstance(value, str):
                raise UsageError(
                    f"{config.place(NAMES)}: {key}: expected a distribution, got {value!r}"
                )


# Flags


def take(
    config: Configuration,
    parser: CommandParser,
    typed: Collection[str],
    others: Callable[[], Iterable[CommandParser]],
) -> Taken | None:
    """Turn what a file holds for a command into flags, but for those that the user types.

    Parameters
    ----------
    config : Configuration
        The file.
    parser : CommandParser
        The parser of the command.
    typed : collection of str
        Names of the arguments that the command line sets.
    others : callable
        Returns the parsers of all commands, which may know other keys.

    Returns
    -------
    Taken or None
        None if the file sets nothing for the command.

    Raises
    ------
    UsageError
        If a key is unknown, a value has the wrong type, or two keys of a table exclude each other.
    """
    known, found = flags(parser), dict[str, Default]()
    for place, table, is_own in config.tables(parser.command):
        for key, value in table.items():
            if key in known and config.was_found:
                action = known[key]
                if parser.declared[action.dest].decides:
                    if is_own:
                        raise UsageError(
                            f"{place}: {key} decides a verdict or hides messages, so it does not "
                            f"apply unless you name the file: mteval --config {config.path}"
                        )
                    continue
                _refuse_files(value, action, place)
            if key in known:
                _add(Default(key, value, place, known[key]), found, parser)
                continue
            parsers = [parser] if is_own else list(others())
            if not any(key in flags(other) for other in parsers):
                raise UnknownNameError(_unknown_key(key, place, parsers))
    kept = tuple(
        default
        for default in found.values()
        if not any(rival.dest in typed for rival in _rivals(default.action, parser))
    )
    places = {
        spelling: default.place
        for default in kept
        for action in parser._actions
        if action.dest == default.action.dest
        for spelling in action.option_strings
    }
    return Taken(config, kept, places) if kept else None


def _refuse_files(value: Any, action: argparse.Action, place: str) -> None:
    """Raise a `UsageError` if an option of a metric names a file."""
    specs = map(str, value) if action.dest == "metrics" and isinstance(value, list) else ()
    for option in re.findall(r"=([^,:=\n]+)", "\n".join(specs)):
        if Path(option).exists():
            raise UsageError(f"{place}: metrics: {option} is a file, which belongs after --metrics")


def flags(parser: CommandParser) -> dict[str, argparse.Action]:
    """Return the flags that a file can set, by their long names without hyphens."""
    return {
        spelling.removeprefix("--"): action
        for action in parser._actions
        for spelling in action.option_strings
        if spelling.startswith("--")
        and spelling != "--help"
        and not parser.declared[action.dest].file
    }


def _add(default: Default, found: dict[str, Default], parser: CommandParser) -> None:
    """Add a flag to those of more general tables; false and an empty list take it away.

    Raises
    ------
    UsageError
        If its value has the wrong type, or another flag of the same table excludes it.
    """
    key, value, place, action = default
    takes_list = action.nargs not in (None, "?", 0)
    values = value if isinstance(value, list) else [value]
    are_words = all(type(one) in (str, int, float) for one in values)
    is_right = isinstance(value, list) == takes_list and are_words
    if not (isinstance(value, bool) if action.nargs == 0 else is_right):
        expected = "true or false" if action.nargs == 0 else "a list" if takes_list else "one value"
        raise UsageError(f"{place}: {key}: expected {expected}, got {value!r}")
    if value is False or value == []:
        if action.dest in found and found[action.dest].action is action:
            del found[action.dest]
        return
    for rival in _rivals(action, parser):
        before = found.pop(rival.dest, None)
        if before and before.place == place:
            raise UsageError(f"{place}: {before.key} and {key} exclude each other: leave one out")
    found[action.dest] = default


def _rivals(action: argparse.Action, parser: CommandParser) -> Iterator[argparse.Action]:
    """Yield the flags that cannot be combined with a flag, the flag itself among them."""
    yield action
    for group in parser._mutually_exclusive_groups:
        if action in group._group_actions:
            yield from group._group_actions


def _unknown_key(key: str, place: str, parsers: Collection[CommandParser]) -> str:
    """Say why a key is not the name of a flag that a file can set."""
    spellings = {spelling for parser in parsers for spelling in parser._option_string_actions}
    if f"--{key}" in spellings - {"--help"}:
        return f"{place}: {key} names files, which belong on the command line"
    known = {name: action for parser in parsers for name, action in flags(parser).items()}
    for name, action in known.items():
        if f"-{key}" in action.option_strings:
            return f"{place}: unknown key {key!r}: write {name}, the long name of -{key}"
    return f"{place}: unknown key {key!r}.{near(key, known)}"


class ConfiguredCommands(Frozen):
    """A configuration file, and the commands whose flags it sets.

    Parameters
    ----------
    file : Configuration
        The file.
    parsers : mapping of str to CommandParser
        The parsers of all commands by their names.
    """

    file: Configuration
    parsers: Mapping[str, CommandParser]

    def flags(self, command: str) -> list[str]:
        """Name the flags of a command that a file can set, without hyphens."""
        return list(flags(self.parsers[command]))

    def taken(self, command: str, file: Configuration) -> Taken | None:
        """Return what a command takes from the file, or from the same file with another preset.

        Raises
        ------
        UsageError
            If the command does not take what the file sets.
        """
        return take(file, self.parsers[command], (), self.parsers.values)
