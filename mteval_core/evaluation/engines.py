"""Engines by name, which call a function with many parts; what they return is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.errors import PluginError, attributed
from mteval_core.plugin.declarations import EngineSpec, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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
