"""Names of metrics as papers print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.errors import PluginError, attributed
from mteval_core.names import check_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mteval_core.metrics.scorer import Scorer

__all__ = ["title_of", "untitled"]


def title_of(scorer: Scorer, options: Mapping[str, Any] | None = None) -> str:
    """Name a metric as papers print it.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    options : mapping of str to value, optional
        Values of the options (default: those of the metric).

    Returns
    -------
    str

    Raises
    ------
    PluginError
        If the plugin gives a name that cannot be printed.
    """
    title = scorer.declaration.title
    if title is None:
        return scorer.label
    with attributed(f"the title of metric {scorer.entry}"):
        return check_name(
            title(scorer.options if options is None else options), "title", PluginError
        )


def untitled(scorer: Scorer) -> dict[str, tuple[str, ...]]:
    """Return the options that were given, but for those that the title says."""
    declared = {option.key: option for option in scorer.declaration.options}

    def is_said(key: str) -> bool:
        if scorer.declaration.title is None or key not in scorer.options:
            return False
        default = declared[key].value_of(declared[key].default)
        return title_of(scorer, {**scorer.options, key: default}) != title_of(scorer)

    return {key: items for key, items in scorer.spec.options.items() if not is_said(key)}
