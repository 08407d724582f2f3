"""Metrics of the default set that fail: the others are scored without them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from mteval_core.errors import InputError, MtevalWarning, PluginError, UsageError, warn

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from mteval_core.plugin.registry import Registry

__all__ = ["without_failing"]

T = TypeVar("T")


def without_failing(
    compute: Callable[[], T], arguments: argparse.Namespace, registry: Registry
) -> T:
    """Compute with the requested metrics, or with those of the default set that do not fail.

    Parameters
    ----------
    compute : callable
        Computes everything with the metrics of the arguments.
    arguments : Namespace
        The arguments. Afterwards, its metrics are those that do not fail, if others do.
    registry : Registry
        Where the default set is.

    Raises
    ------
    PluginError
        If a metric fails that the user has named, or all fail, or something else does.

    Warns
    -----
    MtevalWarning
        ``failed-metric``: a metric is left out.
    """
    try:
        return compute()
    except PluginError:
        failures = {} if arguments.metrics else failing(compute, arguments, registry)
        working = [name for name in registry.default_metrics() if name not in failures]
        if not failures or not working:
            raise
    for name, error in failures.items():
        warn("failed-metric", f"{name} is left out of the default set: {error}")
    arguments.metrics = working
    return compute()


def failing(
    compute: Callable[[], object], arguments: argparse.Namespace, registry: Registry
) -> dict[str, PluginError]:
    """Compute with each metric of the default set alone; return the errors of those that fail."""
    failures = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MtevalWarning)
        for name in registry.default_metrics():
            arguments.metrics = [name]
            try:
                compute()
            except PluginError as error:
                failures[name] = error
            except (UsageError, InputError):
                pass  # this concerns all metrics together, such as an option that only some take
    arguments.metrics = []
    return failures
