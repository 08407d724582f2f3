"""The registry of one run: the installed plugins, as changed by ``-p``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.errors import UnknownNameError, UsageError, near

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from mteval_core.plugin.registry import Registry


def requested_registry(arguments: argparse.Namespace) -> Registry:
    """Build the registry that the values of ``-p`` ask for.

    Raises
    ------
    UsageError
        If a value is neither ``no:NAME`` nor a Python file.
    UnknownNameError
        If ``no:NAME`` names a plugin that is not installed.
    """
    from mteval_core.plugin.loading import default_registry

    requests: list[str] = arguments.plugin_requests
    blocked = [request.removeprefix("no:") for request in requests if request.startswith("no:")]
    files = [request for request in requests if request.endswith(".py")]
    for request in requests:
        if not request.startswith("no:") and request not in files:
            message = f"-p {request}: expected no:NAME or FILE.py"
            raise UsageError(message)
    registry = default_registry(frozenset(blocked), tuple(files))
    _check_blocked(blocked, registry)
    return registry


def _check_blocked(blocked: Sequence[str], registry: Registry) -> None:
    """Refuse to block a plugin that is not installed."""
    from mteval_core.plugin.registry import canonical

    _, *plugins = registry.plugins  # the host itself comes first
    known = {name for plugin in plugins for name in (plugin.name, plugin.distribution)}
    for name in blocked:
        if canonical(name) not in map(canonical, known):
            message = f"-p no:{name}: unknown plugin {name!r}.{near(name, known)}"
            raise UnknownNameError(message)
