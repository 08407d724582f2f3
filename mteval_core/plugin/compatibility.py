"""Compatibility of a plugin with this host: API level and requirements."""

from __future__ import annotations

from reprlib import repr as shortened

from mteval_core._version import API, __version__
from mteval_core.errors import PluginError
from mteval_core.plugin.registry import HOST, canonical

__all__ = ["api_of", "check_distribution"]


def check_distribution(distribution: str) -> None:
    """Raise a `PluginError` if a distribution has the name of the host, whose names stand."""
    if canonical(distribution) == HOST:
        message = f"only the host may be called {HOST}: rename the distribution"
        raise PluginError(message)


def api_of(module: object) -> int:
    """Return the API level that a plugin states as ``mteval_api``; without one, it is 1.

    Raises
    ------
    PluginError
        If it is not the level of this host.
    """
    level = getattr(module, "mteval_api", 1)
    if type(level) is not int:
        message = f"mteval_api is {shortened(level)}; expected a whole number, mteval_api = {API}"
        raise PluginError(message)
    if level != API:
        outdated = HOST if level > API else "the plugin"
        message = (
            f"written for API level {level}, but {HOST} {__version__} has level {API}: "
            f"install a newer version of {outdated}"
        )
        raise PluginError(message)
    return level
