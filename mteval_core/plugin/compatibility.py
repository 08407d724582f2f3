"""Whether a distribution can be a plugin of this version of the host."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core._version import __version__
from mteval_core.errors import PluginError
from mteval_core.plugin.registry import HOST, canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["check_distribution", "check_host"]

REQUIREMENT = re.compile(r"(?P<name>[\w.-]*)(?:\[.*\])?\(?(?P<bounds>[^;)]*)\)?;?(?P<marker>.*)")


def check_distribution(distribution: str) -> None:
    """Raise a `PluginError` if a distribution has the name of the host, whose names stand."""
    if canonical(distribution) == HOST:
        message = f"only the host may be called {HOST}: rename the distribution"
        raise PluginError(message)


def check_host(requirements: Iterable[str]) -> None:
    """Raise a `PluginError` if a distribution requires another version of the host."""
    for requirement in requirements:
        for bound in _bounds_on_host(requirement):
            if not _meets(bound):
                message = (
                    f"it needs {requirement.strip()}, here is {HOST} {__version__}: "
                    f"install a version of the plugin that fits, or pip install '{HOST}{bound}'"
                )
                raise PluginError(message)


def _bounds_on_host(requirement: str) -> list[str]:
    """Return the version bounds of a requirement, if it is an unconditional one on the host."""
    parts = REQUIREMENT.fullmatch(requirement.replace(" ", ""))
    if parts is None or canonical(parts["name"]) != HOST or "extra" in parts["marker"]:
        return []
    return list(filter(None, parts["bounds"].split(",")))


def _meets(bound: str) -> bool:
    """Tell whether this version of the host meets a bound; unknown operators are met."""
    operator, version = re.sub(r"[\d.*]+.*$", "", bound), bound.lstrip("~<>=!")
    ours, theirs = _release(__version__), _release(version)
    return {
        ">=": ours >= theirs,
        ">": ours > theirs,
        "<=": ours <= theirs,
        "<": ours < theirs,
        "~=": ours >= theirs and ours[: len(theirs) - 1] == theirs[:-1],
        "==": ours[: len(theirs)] == theirs,
    }.get(operator, True)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
