"""A kit: the checks of one kind of declaration, and what they are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from mteval_core import Declaration, Entry, Registry, default_registry
from mteval_testing.findings import Finding, finding
from mteval_testing.watch import LIMIT

__all__ = ["Kit"]

D = TypeVar("D", bound=Declaration)
S = TypeVar("S")


@dataclass(frozen=True)
class Kit(Generic[D, S]):
    """The checks of one kind of declaration.

    Parameters
    ----------
    checks : tuple of callable
        The checks, by name. Each gets the subject, raises if it does not keep the contract, and
        may return a note about what it could not try.
    subject : callable
        ``subject(entry, registry)`` makes of a registered declaration what the checks get; it
        raises a `PluginError` if something that the plugin needs is not installed.
    """

    checks: tuple[Callable[[S], str | None], ...]
    subject: Callable[[Entry[D], Registry], S]

    def run(self, entry: Entry[D], registry: Registry, limit: float = LIMIT) -> list[Finding]:
        """Run all checks on a registered declaration, each for at most `limit` seconds."""
        return self.examine(self.subject(entry, registry), entry.declaration, limit)

    def named(self, kind: type[D], name: str, registry: Registry | None = None) -> list[Finding]:
        """Run all checks on the declaration with a name (default: of everything installed)."""
        registry = default_registry() if registry is None else registry
        return self.run(registry.find(kind, name), registry)

    def examine(self, subject: S, declaration: D, limit: float = LIMIT) -> list[Finding]:
        """Run all checks on a subject, with the exceptions of its declaration."""
        return [self.find(check, subject, declaration, limit) for check in self.checks]

    @staticmethod
    def find(
        check: Callable[[S], str | None], subject: S, declaration: D, limit: float = LIMIT
    ) -> Finding:
        """Run one check on a subject, which may be declared not to pass it."""
        return finding(check, subject, declaration.exceptions.get(check.__name__, ""), limit)
