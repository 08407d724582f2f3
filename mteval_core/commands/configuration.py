"""The configuration file: where it is, and what it holds.

``mteval.toml``, or the table ``[tool.mteval]`` of ``pyproject.toml``, holds defaults for the flags
of all commands, of one command (``[score]``), and of named profiles (``[profiles.paper]``).
`mteval_core.commands.defaults` reads them as the values of flags.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.errors import InputError, UnknownNameError, UsageError, near, readable
from mteval_core.names import check_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator, Mapping

    Table = Mapping[str, Any]

__all__ = ["MISSING", "Configuration", "configuration"]

OWN, SHARED = "mteval.toml", "pyproject.toml"
"""Names of the file. Other tools have tables in the second."""

MISSING = f"neither this folder nor one above it has {OWN}, or {SHARED} with [tool.mteval]"
"""Why there is no configuration."""

PROFILES = "profiles"
"""The table that holds the profiles."""


class Configuration(NamedTuple):
    """A configuration file that has been read.

    Parameters
    ----------
    path : str
        The file.
    sha256 : str
        Its hash, in hexadecimal digits.
    content : mapping
        The tables of mteval.
    profile : str or None
        The chosen profile.
    """

    path: str
    sha256: str
    content: Table
    profile: str | None = None

    @property
    def name(self) -> str:
        """The file and the profile, for readers."""
        return f"{self.path} (profile {self.profile})" if self.profile else self.path

    @property
    def profiles(self) -> Mapping[str, Table]:
        """The profiles by their names."""
        profiles: Mapping[str, Table] = self.content.get(PROFILES, {})
        return profiles

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
        if self.profile is not None:
            scopes.append(((PROFILES, self.profile), self.profiles[self.profile]))
        for names, table in scopes:
            values = {key: value for key, value in table.items() if not isinstance(value, dict)}
            yield self.place(*names), values, False
            own = table.get(command)
            if isinstance(own, dict):
                yield self.place(*names, command), own, True


def configuration(arguments: argparse.Namespace, commands: Collection[str]) -> Configuration | None:
    """Read the configuration file that the arguments before the command ask for, if there is one.

    Raises
    ------
    UsageError
        If the arguments contradict each other, or the file has a table that is not known.
    InputError
        If the file cannot be read.
    """
    profile: str | None = arguments.use_profile
    if arguments.no_config:
        if arguments.config_file or profile:
            message = "--no-config reads no configuration file: leave out --config and --profile"
            raise UsageError(message)
        return None
    path = check_name(arguments.config_file, "--config") if arguments.config_file else _found()
    if path is not None:
        config = _read(path)
        _check_tables(config, commands)
        return _with_profile(config, profile)
    if profile:
        message = f"--profile {profile}: no configuration file: {MISSING}; name one with --config"
        raise UsageError(message)
    return None


def _found() -> str | None:
    """Find the file in the working directory, or in the nearest one above it that has it."""
    try:
        here = Path.cwd()
    except OSError:
        return None  # it has been deleted
    for folder in (here, *here.parents):
        own, shared = folder / OWN, folder / SHARED
        found = [
            path for path in (own, shared) if path.is_file() and (path == own or _is_ours(path))
        ]
        if len(found) > 1:
            message = f"{own} and [tool.mteval] in {shared}: expected one of them; join them"
            raise UsageError(message)
        if found:
            return os.path.relpath(found[0])
    return None


def _is_ours(path: Path) -> bool:
    """Whether a ``pyproject.toml`` has the table ``[tool.mteval]``."""
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return b"mteval" in data and _shared_table(_parsed(data, str(path))) is not None


def _shared_table(content: Any) -> Any:
    """Return ``[tool.mteval]``; None if there is none."""
    tools = content.get("tool")
    return tools.get("mteval") if isinstance(tools, dict) else None


def _read(path: str) -> Configuration:
    import hashlib

    with readable(path):
        data = Path(path).read_bytes()
    content = _parsed(data, path)
    if Path(path).name == SHARED:
        content = _shared_table(content)
        if not isinstance(content, dict):
            message = f"{path}: expected the table [tool.mteval]"
            raise InputError(message)
    return Configuration(path, hashlib.sha256(data).hexdigest(), content)


def _parsed(data: bytes, path: str) -> Any:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        message = f"{path}: not TOML: {error}"
        raise InputError(message) from None


def _check_tables(config: Configuration, commands: Collection[str]) -> None:
    """Refuse tables that are neither of a command nor of profiles."""
    tables: dict[tuple[str, ...], Any] = {(): config.content, (PROFILES,): config.profiles}
    if isinstance(config.profiles, dict):
        tables |= {(PROFILES, name): table for name, table in config.profiles.items()}
    for names, table in tables.items():
        if not isinstance(table, dict):
            message = f"{config.place(*names)}: expected a table, got {table!r}"
            raise UsageError(message)
        if names == (PROFILES,):
            continue
        known = {*commands} if names else {*commands, PROFILES}
        for key, value in table.items():
            if isinstance(value, dict) and key not in known:
                message = f"{config.place(*names, key)}: unknown table.{near(key, known)}"
                raise UnknownNameError(message)


def _with_profile(config: Configuration, profile: str | None) -> Configuration:
    if profile is not None and profile not in config.profiles:
        hint = near(profile, config.profiles) if config.profiles else " It has none."
        message = f"--profile {profile}: unknown profile of {config.path}.{hint}"
        raise UnknownNameError(message)
    return config._replace(profile=profile)
