"""The metrics that users do not name one by one: the default set, and all.

Those that fail are left out, and the others are scored without them.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from mteval_core.errors import InputError, MtevalWarning, PluginError, UsageError, warn

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Registry

__all__ = ["ALL", "chosen_metrics", "every_metric", "without_failing"]

ALL = "all"
"""What ``-m`` takes for every metric that the command can compute as it is."""

T = TypeVar("T")


def chosen_metrics(arguments: argparse.Namespace, registry: Registry) -> list[str]:
    """Return the specs of ``-m``, ``all`` replaced by what it stands for; or the default set."""
    if not arguments.metrics:
        return registry.default_metrics()
    every = every_metric(arguments, registry) if ALL in arguments.metrics else []
    return [spec for word in arguments.metrics for spec in (every if word == ALL else [word])]


def every_metric(arguments: argparse.Namespace, registry: Registry) -> list[str]:
    """Return the specs of all metrics, but for those that need what the command does not have.

    These are metrics of a source without ``--source``, and those that declare ``libraries``: they
    need a model, which may have to be downloaded. Metrics whose figures ``mteval profile`` shows
    describe systems and do not rank them, so they are left out, too.
    """

    def is_wanted(metric: MetricSpec) -> bool:
        has_texts = metric.source != "required" or bool(arguments.source)
        return has_texts and not (metric.libraries or metric.profile)

    return registry.metrics(is_wanted)


def without_failing(
    compute: Callable[[], T], arguments: argparse.Namespace, registry: Registry
) -> T:
    """Compute with the named metrics, or with those of a set of metrics that do not fail.

    Parameters
    ----------
    compute : callable
        Computes everything with the metrics of the arguments.
    arguments : Namespace
        The arguments. Afterwards, its metrics are those that do not fail, if others do.
    registry : Registry
        Where the metrics are.

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
        given: list[str] = arguments.metrics
        unnamed = chosen_metrics(arguments, registry) if given in ([], [ALL]) else []
        failures = failing(compute, arguments, unnamed)
        working = [name for name in unnamed if name not in failures]
        if not failures or not working:
            raise
    for name, error in failures.items():
        whole = "-m all" if given else "the default set"
        warn("failed-metric", f"{name} is left out of {whole}: {error}")
    arguments.metrics = working
    return compute()


def failing(
    compute: Callable[[], object], arguments: argparse.Namespace, metrics: list[str]
) -> dict[str, PluginError]:
    """Compute with each metric alone; return the errors of those that fail."""
    failures = {}
    given = arguments.metrics
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MtevalWarning)
        for name in metrics:
            arguments.metrics = [name]
            try:
                compute()
            except PluginError as error:
                failures[name] = error
            except (UsageError, InputError):
                pass  # this concerns all metrics together, such as an option that only some take
    arguments.metrics = given
    return failures
