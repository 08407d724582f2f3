"""Display names of metrics: as papers print them, and distinct within a table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mteval_core.errors import PluginError, UsageError, attributed, near
from mteval_core.metrics.request import VALUE
from mteval_core.names import check_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from mteval_core.metrics.scorer import Scorer


def title_of(scorer: Scorer, options: Mapping[str, Any] | None = None) -> str:
    """Name a metric as the user or, by default, papers do.

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
    if scorer.setup.title is not None:
        return scorer.setup.title
    title = scorer.declaration.title
    if title is None:
        return scorer.label
    with attributed(f"the title of metric {scorer.setup.entry}"):
        return check_name(
            title(scorer.setup.options if options is None else options), "title", PluginError
        )


def untitled_options(scorer: Scorer) -> dict[str, tuple[str, ...]]:
    """Return the options that were given, but for those that the title says."""
    declared = {option.key: option for option in scorer.declaration.options}

    def is_said(key: str) -> bool:
        if scorer.declaration.title is None or key not in scorer.setup.options:
            return False
        default = declared[key].value_of(declared[key].default)
        return title_of(scorer, {**scorer.setup.options, key: default}) != title_of(scorer)

    return {key: items for key, items in scorer.spec.options.items() if not is_said(key)}


def names_by_spec(scorers: Iterable[Scorer], names: Mapping[str, str]) -> dict[str, str]:
    """Name metrics by their specs, with other names for some of them.

    Parameters
    ----------
    scorers : iterable of Scorer
        The metrics.
    names : mapping of str to str
        Other names, by spec.

    Raises
    ------
    UsageError
        If a spec is not that of a metric, or two metrics would have the same name.
    """
    named = {str(scorer.spec): name_of(scorer) for scorer in scorers}
    for spec in names:
        if spec not in named:
            raise UsageError(f"no metric {spec!r} to rename.{near(spec, named)}")
    named.update(names)
    repeated = [name for name, n in Counter(named.values()).items() if n > 1]
    if repeated:
        raise UsageError(f"two metrics are named {repeated[0]!r}; expected different names")
    return named


def name_of(scorer: Scorer) -> str:
    """Name a metric in one line: its title, and the options that were given and it does not say."""
    is_chosen = VALUE.key in scorer.spec.options and VALUE.key not in scorer.setup.options
    title = f"{title_of(scorer)}.{scorer.main}" if is_chosen else title_of(scorer)
    given = {key: items for key, items in untitled_options(scorer).items() if key != VALUE.key}
    options = [f"{key}={'+'.join(items)}" for key, items in given.items()]
    return ":".join([title, ",".join(options)]) if options else title
