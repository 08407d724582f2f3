"""The error of texts that are too long for a kernel."""

from __future__ import annotations

__all__ = ["TooLongError"]


class TooLongError(ValueError):
    """A segment that is too long for a kernel.

    Kernels raise it before they need much time or memory.

    Parameters
    ----------
    segment : int
        Number of the segment, among those that the kernel was called with.
    reason : str
        What was seen, and what was expected.
    """

    def __init__(self, segment: int, reason: str) -> None:
        super().__init__(segment, reason)
        self.segment = segment
        self.reason = reason

    def __str__(self) -> str:
        return f"segment {self.segment}: {self.reason}"
