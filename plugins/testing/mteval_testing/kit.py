"""A kit: the checks of one kind of declaration, and what they are given."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, requires
from typing import Any, Generic, TypeVar

from mteval_core import Declaration, Entry, Registry, UsageError, default_registry
from mteval_testing.findings import Finding, finding
from mteval_testing.watch import LIMIT

__all__ = ["Kit", "since"]

D = TypeVar("D", bound=Declaration)
S = TypeVar("S")


def always_suited(_check: object, _subject: object) -> str:
    """Give no reason for not running a check."""
    return ""


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
    unsuited : callable
        ``unsuited(check, subject)`` says why a check is not run; empty if it is.
    """

    checks: tuple[Callable[[S], str | None], ...]
    subject: Callable[[Entry[D], Registry], S]
    unsuited: Callable[[Callable[[S], str | None], S], str] = always_suited

    def run(self, entry: Entry[D], registry: Registry, limit: float = LIMIT) -> list[Finding]:
        """Run all checks on a registered declaration, each for at most `limit` seconds."""
        subject = self.subject(entry, registry)
        return self.examine(subject, entry.declaration, limit, entry)

    def named(self, kind: type[D], name: str, registry: Registry | None = None) -> list[Finding]:
        """Run all checks on the declaration with a name (default: of everything installed)."""
        registry = default_registry() if registry is None else registry
        return self.run(registry.find(kind, name), registry)

    def examine(
        self, subject: S, declaration: D, limit: float = LIMIT, entry: Entry[D] | None = None
    ) -> list[Finding]:
        """Run all checks on a subject, with the exceptions of its declaration."""
        return [self.find(check, subject, declaration, limit, entry=entry) for check in self.checks]

    def find(
        self,
        check: Callable[[S], str | None],
        subject: S,
        declaration: D,
        limit: float = LIMIT,
        *,
        entry: Entry[D] | None = None,
    ) -> Finding:
        """Run one check on a subject.

        Parameters
        ----------
        check : callable
            The check.
        subject : object
            What it gets.
        declaration : Declaration
            It may declare that it does not pass.
        limit : float
            Seconds after which the check fails.
        entry : Entry, optional
            The declaration with its plugin: a check that is younger than the oldest host that the
            plugin allows only warns.

        Returns
        -------
        Finding

        Raises
        ------
        UsageError
            If the declaration has an exception for a check that does not exist.
        """
        known = {each.__name__ for each in self.checks}
        if unknown := sorted(declaration.exceptions.keys() - known):
            raise UsageError(
                f"{declaration.name!r} declares an exception for {', '.join(unknown)}; expected "
                f"names of checks: {', '.join(sorted(known))}"
            )
        name, claim = check.__name__, check.__doc__ or ""
        if reason := self.unsuited(check, subject):
            return Finding(name, passed=True, message=f"not run: {reason}", claim=claim)
        found = finding(check, subject, declaration.exceptions.get(name, ""), limit)
        if found.passed and getattr(getattr(subject, "spec", None), "options", None):
            found = replace(found, reason="")  # the exception is one of the default options
        born, floor = getattr(check, "since", ""), oldest_host(entry)
        if not found.ok and floor and numbers(born) > numbers(floor):
            message = (
                f"{found.message} (The check is new in {born}, and the plugin allows {floor}: it "
                f"fails once the plugin requires mteval-core>={born}.)"
            )
            return replace(found, message=message, warning=True)
        return found


def since(version: str) -> Callable[[Any], Any]:
    """Say in which version of the host a check is new; until a plugin requires it, it warns."""

    def with_version(check: Any) -> Any:
        check.since = version
        return check

    return with_version


def oldest_host(entry: Entry[Any] | None) -> str:
    """Return the oldest host that a plugin allows; empty if it does not say."""
    with suppress(PackageNotFoundError):
        for requirement in (entry and requires(entry.plugin.distribution)) or ():
            if found := re.match(r"mteval[-_.]core\b.*>=\s*([\d.]+)", requirement):
                return found[1]
    return ""


def numbers(version: str) -> list[int]:
    """Return the numbers of a version, to compare it with others."""
    return [int(number) for number in version.split(".") if number]
