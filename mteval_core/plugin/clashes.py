"""Clashes: names that several distributions register, and which of them wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.frozen import Frozen
from mteval_core.plugin.declarations import KINDS, DatasetSpec, ReaderSpec
from mteval_core.plugin.registry import ambiguity, shared_ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.plugin.declarations import Declaration
    from mteval_core.plugin.registry import Entry, Registry


class Clash(Frozen):
    """A name that several distributions claim.

    Parameters
    ----------
    thing : str
        The kind of declaration, such as ``tokenizer``.
    name : str
        The name, with its signature key if it has one.
    standing : tuple of Entry
        What the name alone means. It is ambiguous if there are several.
    hidden : tuple of Entry
        What can be named only together with its distribution.
    """

    thing: str
    name: str
    standing: tuple[Entry[Declaration], ...]
    hidden: tuple[Entry[Declaration], ...]

    def sentences(self) -> Iterator[str]:
        """Say which entries are hidden or ambiguous, and how to name them."""
        if len(self.standing) > 1:
            yield ambiguity(self.thing, self.name, self.standing)
            return
        for winner in self.standing:
            for entry in self.hidden:
                yield (
                    f"{self.thing} {self.name!r} of {entry.plugin.distribution} is hidden by that "
                    f"of {winner.plugin.distribution}: choose {entry.qualified}"
                )


def clashes(registry: Registry) -> list[Clash]:
    """Return all names that several distributions claim.

    A name of the host stands, and so does a name against a label.
    """
    found = []
    for kind in KINDS.values():
        seen: list[list[Entry[Declaration]]] = []  # a label often clashes where a name does
        claims: dict[tuple[str | None, str], list[Entry[Declaration]]] = {}
        for entry in registry.of_kind(kind.declaration):
            for name in dict.fromkeys(entry.declaration.names):
                claims.setdefault((entry.declaration.signature_key, name), []).append(entry)
        for (key, name), claimants in claims.items():
            if len(claimants) > 1 and claimants not in seen:
                seen.append(claimants)
                standing = registry.standing(kind.declaration, name, key)
                hidden = [e for e in claimants if e not in standing]
                shown = f"{key}={name}" if key else name
                found.append(Clash(kind.singular, shown, tuple(standing), tuple(hidden)))
    return found


def shared_patterns(registry: Registry) -> Iterator[str]:
    """Say which names of files several distributions claim.

    Formats that look at the first bytes of a file can share its name.
    """
    kinds: tuple[type[ReaderSpec | DatasetSpec], ...] = (ReaderSpec, DatasetSpec)
    for kind in kinds:
        claims: dict[str, list[Entry[ReaderSpec | DatasetSpec]]] = {}
        for entry in registry.of_kind(kind):
            for pattern in entry.declaration.patterns:
                claims.setdefault(pattern, []).append(entry)
        for pattern, entries in claims.items():
            is_sure = any(entry.declaration.sniff is None for entry in entries)
            if is_sure and len({entry.plugin.distribution for entry in entries}) > 1:
                yield shared_ending(pattern, entries)
