"""What a check is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Finding", "expect", "finding"]

Check = Callable[[Any], str | None]
"""Raises if what it is given does not keep the contract; may return what it could not try."""


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Parameters
    ----------
    check : str
        Name of the check.
    passed : bool
        Whether it passed.
    message : str
        What went wrong, or what could not be tried.
    reason : str
        Why it is declared not to pass; empty if it should.
    claim : str
        What should hold, and what a user would suffer else.
    """

    check: str
    passed: bool
    message: str = ""
    reason: str = ""
    claim: str = ""

    @property
    def ok(self) -> bool:
        """Whether it came as declared: passed, or failed as announced."""
        return self.passed != bool(self.reason)


def finding(check: Check, subject: Any, reason: str = "") -> Finding:
    """Run a check."""
    name, claim = getattr(check, "__name__", ""), check.__doc__ or ""
    try:
        note = check(subject)
    except Exception as error:  # noqa: BLE001 - a plugin may fail in any way
        message = str(error) if isinstance(error, AssertionError) else repr(error)
        return Finding(name, passed=False, message=message, reason=reason, claim=claim)
    return Finding(name, passed=True, message=note or "", reason=reason, claim=claim)


def expect(condition: bool, message: str) -> None:  # noqa: FBT001 - reads as an assertion
    """Fail a check; unlike ``assert`` also under ``python -O``."""
    if not condition:
        raise AssertionError(message)
