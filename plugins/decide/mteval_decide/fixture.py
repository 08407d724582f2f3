"""A pytest fixture that fails a test if a new output loses too much.

A test calls it with a report that ``mteval score -f json`` has written::

    def test_quality(mteval_gate):
        mteval_gate("base.json", translate(sources), fail_if=["bleu < -0.5"])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from os import PathLike

    from mteval_core import Address, Text
    from mteval_decide.gate import Decision

__all__ = ["check_gate", "mteval_gate"]

Output: TypeAlias = "str | PathLike[str] | Sequence[str] | Text"
"""The path of a file, or segments."""

NEW = "new"
"""The name of an output that has none."""


def check_gate(
    base: str | PathLike[str],
    output: Output | Mapping[str, Output],
    *,
    fail_if: Sequence[str] = (),
    alpha: float = 0.05,
    margin: float | None = None,
) -> Decision:
    """Compare outputs with a saved report, and fail the test if one of them fails.

    Parameters
    ----------
    base : str or PathLike
        Path of the report. The paths in it are relative to the working directory.
    output : str, PathLike, sequence of str or Text, or mapping of str to such an output
        The new output, as the path of a file or as segments; or outputs by the names of systems of
        the report, if it has several.
    fail_if : sequence of str
        Which losses fail if they are significant, such as ``bleu < -0.5``. Default: any.
    alpha : float
        Losses with p-values below this one are significant. One-sided, so below 0.5.
    margin : float, optional
        The test fails if the data do not show that the output is worse by less than so many points.

    Returns
    -------
    Decision
        Scores, p-values and verdicts, of a test that passes.

    Raises
    ------
    Failed
        Pytest's; its message is the report of ``mteval gate``.
    MtevalError
        If the report, the texts or the conditions are not valid.
    """
    # pytest imports this module for every test suite: what takes time is imported here.
    from mteval_core import Files, default_registry, write_report
    from mteval_decide.base import Base
    from mteval_decide.gate import Rules, decide
    from mteval_decide.reports.gate import lost_segments, of_gate
    from mteval_decide.saved import SavedReport

    report = SavedReport.read(str(base))
    outputs = output if isinstance(output, Mapping) else {NEW: output}
    runs = {name: [_as_run(given, name)] for name, given in outputs.items()}
    rules = Rules(fail_if, alpha, margin)
    decision = decide(Base(report), runs, rules, files=Files(default_registry()))
    if not decision.passed:
        shown = of_gate(decision, lost_segments(decision), report["inputs"])
        pytest.fail(str(write_report(shown)), pytrace=False)
    return decision


def _as_run(given: Output, name: str) -> Address | Text:
    """Return the address of an output, or its text."""
    from mteval_core import Address, Text

    if isinstance(given, Text) or (not isinstance(given, str) and isinstance(given, Sequence)):
        return Text.of(given, name)
    return Address.parse(str(given))


@pytest.fixture
def mteval_gate() -> Callable[..., Decision]:
    """Return `check_gate`."""
    return check_gate
