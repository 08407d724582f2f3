"""Findings: the results of checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mteval_testing.watch import LIMIT, watched

__all__ = ["Doubt", "Finding", "doubt", "expect", "finding"]

Check = Callable[[Any], str | None]
"""Raises if its subject does not keep the contract; may return a note about what it skipped."""


class Doubt(AssertionError):
    """What a check raises if something is probably wrong: its finding is a warning."""


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Parameters
    ----------
    check : str
        Name of the check.
    passed : bool
        Whether it passed.
    message : str
        What went wrong, or what was skipped.
    reason : str
        The declared reason for not passing; empty if the check should pass.
    claim : str
        What should hold, and the consequence for users if it does not.
    warning : bool
        Whether the check only warns, because what it found may be intended, or because the check is
        younger than the plugin.
    """

    check: str
    passed: bool
    message: str = ""
    reason: str = ""
    claim: str = ""
    warning: bool = False

    @property
    def ok(self) -> bool:
        """Whether the check passed or only warns, or failed with a declared reason."""
        return self.passed != bool(self.reason) or self.warning


def finding(check: Check, subject: Any, reason: str = "", limit: float = LIMIT) -> Finding:
    """Run a check, for no longer than `limit` seconds."""
    name, claim = getattr(check, "__name__", ""), check.__doc__ or ""
    try:
        note = watched(check, subject, limit)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a plugin may fail in any way
        message = str(error) if isinstance(error, AssertionError) else repr(error)
        found = Finding(name, passed=False, message=message, reason=reason, claim=claim)
        return replace(found, warning=isinstance(error, Doubt))
    return Finding(name, passed=True, message=note or "", reason=reason, claim=claim)


def expect(condition: bool, message: str) -> None:  # noqa: FBT001 - reads as an assertion
    """Fail a check unless a condition holds; unlike ``assert``, also under ``python -O``."""
    if not condition:
        raise AssertionError(message)


def doubt(condition: bool, message: str) -> None:  # noqa: FBT001 - reads as an assertion
    """Warn unless a condition holds."""
    if not condition:
        raise Doubt(message)
