"""The checks of engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import EngineSpec, InputError, PluginError
from mteval_testing.findings import expect
from mteval_testing.kit import Kit
from mteval_testing.targets import load

if TYPE_CHECKING:
    from mteval_core import Entry, Registry
    from mteval_testing.findings import Finding

__all__ = ["ENGINE_KIT", "check_engine"]

N_PARTS = 7


def doubled(part: int) -> int:
    """Return what an engine is to compute."""
    return 2 * part


def refused(part: int) -> int:
    """Fail as a worker does that gets a file with a mistake."""
    raise InputError(f"part {part} is refused")


def every_part_has_one_result(engine: EngineSpec) -> None:
    """Each part gives one result, in any order; otherwise segments are lost or count twice."""
    for n in (0, 1, N_PARTS):
        results = sorted(load(engine.function)(doubled, list(range(n))))
        expect(results == list(range(0, 2 * n, 2)), f"{n} parts gave the results {results}")


def errors_come_through(engine: EngineSpec) -> None:
    """A part that fails ends the run with its message; otherwise a score lacks segments."""
    try:
        results = list(load(engine.function)(refused, [3]))
    except Exception as error:  # noqa: BLE001 - engines wrap errors in their own
        expect("part 3 is refused" in str(error), f"the error does not say why: {error}")
    else:
        expect(False, f"a part that fails gave {results}")  # noqa: FBT003 - as an assertion


def declared(entry: Entry[EngineSpec], _: Registry) -> EngineSpec:
    """Return the declaration, if the libraries of the engine are installed."""
    try:
        list(load(entry.declaration.function)(doubled, []))
    except PluginError:
        raise
    except Exception as error:  # noqa: BLE001 - the checks find it, too
        del error
    return entry.declaration


ENGINE_KIT = Kit((errors_come_through, every_part_has_one_result), declared)
"""The checks of engines."""


def check_engine(name: str, *, registry: Registry | None = None) -> list[Finding]:
    """Run all checks on an engine.

    Parameters
    ----------
    name : str
        The engine.
    registry : Registry, optional
        Where to look it up. Default: everything that is installed.

    Returns
    -------
    list of Finding
        One per check.

    Raises
    ------
    UsageError
        If there is no such engine.
    """
    return ENGINE_KIT.named(EngineSpec, name, registry)
