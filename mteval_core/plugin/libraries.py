"""The libraries that a metric declares: their installed versions, or what to install."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core.errors import PluginError
from mteval_core.plugin.registry import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

IN_EXTRA = re.compile(r"\s*([\w.-]+).*;.*\bextra\s*==\s*['\"]([\w.-]+)['\"].*")
"""A requirement of a distribution that belongs to an extra."""


def signed_libraries(libraries: Iterable[str], distribution: str) -> tuple[str, ...]:
    """Return the libraries with their installed versions, ``NAME@VERSION``, sorted.

    Parameters
    ----------
    libraries : iterable of str
        Names of distributions.
    distribution : str
        The distribution of the plugin that needs them.

    Raises
    ------
    PluginError
        If one of them is not installed.
    """
    versions = {library: installed_version(library) for library in libraries}
    missing = [library for library, version in versions.items() if version is None]
    if missing:
        what = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
        message = f"{what}: {install_advice(missing, distribution)}"
        raise PluginError(message)
    return tuple(sorted(f"{library}@{version}" for library, version in versions.items()))


def installed_version(library: str) -> str | None:
    """Return the version of a distribution; None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return None


def install_advice(missing: list[str], distribution: str) -> str:
    """Say what to do: install the extra that has what is missing, if there is one."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        requirements = requires(distribution) or []
    except PackageNotFoundError:  # a plugin from a file
        requirements = []
    extras: dict[str, set[str]] = {}
    for library, extra in filter(None, map(in_extra, requirements)):
        extras.setdefault(extra, set()).add(library)
    for extra, known in extras.items():
        if {*map(canonical, missing)} <= known:
            return f"type pip install '{distribution}[{extra}]'"
    return f"install {'it' if len(missing) == 1 else 'them'} in this environment"


def in_extra(requirement: str) -> tuple[str, str] | None:
    """Return the library and the extra of a requirement; None if it belongs to no extra."""
    match = IN_EXTRA.fullmatch(requirement)
    return None if match is None else (canonical(match[1]), match[2])
