"""Engines by name, which call a function with many parts; what they return is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.errors import PluginError, attributed
from mteval_core.plugin.catalogue import known_plugins
from mteval_core.plugin.declarations import EngineSpec, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mteval_core.evaluation.sources import Source
    from mteval_core.plugin.registry import Registry

    Engine = Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]

EXHAUSTED = object()


def find_engine(name: str, registry: Registry) -> Engine:
    """Look up an engine and import its function; every part must come back once.

    Parameters
    ----------
    name : str
        The engine.
    registry : Registry
        Where to look it up.

    Raises
    ------
    UsageError
        If there is no such engine.
    PluginError
        If it cannot be imported; or later, if it fails, or loses or repeats a part.
    """
    entry = registry.find(EngineSpec, name)
    with attributed(f"engine {entry}"):
        function: Engine = load(entry.declaration.function)
    return each_once(function, f"engine {entry}")


def find_source(engine: str, registry: Registry) -> Callable[..., Source]:
    """Look up what reads the files whose parts an engine counts: its own source, or another's.

    Raises
    ------
    PluginError
        If no engine that is installed has one.
    """
    own = registry.find(EngineSpec, engine)
    for entry in (own, *registry.of_kind(EngineSpec)):
        if entry.declaration.source is not None:
            with attributed(f"engine {entry}"):
                source: Callable[..., Source] = load(entry.declaration.source)
            return source
    known = [name for table in known_plugins().values() for name in table.get("engines", ())]
    where = dict.fromkeys(filter(None, (registry.missing("engines", name) for name in known)))
    message = f"engine {own} has no source, and what reads Parquet files is {' or '.join(where)}"
    raise PluginError(message)


class Returned(NamedTuple):
    """What a function returned for a part."""

    number: int
    result: Any


class Numbered(NamedTuple):
    """A function of numbered parts, whose results remember the number."""

    function: Callable[[Any], Any]

    def call(self, numbered: tuple[int, Any]) -> Returned:
        """Call the function with a part."""
        number, part = numbered
        return Returned(number, self.function(part))


def each_once(engine: Engine, name: str) -> Engine:
    """Make an engine one that raises a `PluginError` unless it returns each result once.

    A lost part would be segments without a score, and a repeated one segments that count twice.
    """

    def run(function: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[Any]:
        missing = set(range(len(parts)))
        with attributed(name):
            results = iter(engine(Numbered(function).call, list(enumerate(parts))))
        while True:
            with attributed(name):
                found = next(results, EXHAUSTED)
            if found is EXHAUSTED:
                break
            if not isinstance(found, Returned) or found.number not in missing:
                what = "a part twice" if isinstance(found, Returned) else type(found).__name__
                message = f"{name} returned {what}; expected the result of each part once"
                raise PluginError(message)
            missing.remove(found.number)
            yield found.result
        if missing:
            message = (
                f"{name} lost {len(missing)} of {len(parts)} parts; expected the result of each "
                f"part once"
            )
            raise PluginError(message)

    return run
