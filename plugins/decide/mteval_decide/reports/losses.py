"""Tables of the segments that lost most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.report import Cell, Column, Table
from mteval_decide.reports.numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_decide.losses import Loss

__all__ = ["CHANGE_WITHOUT", "table_of_losses"]

CHANGE_WITHOUT = "change without: the change of the system's score without the segment"
"""What the legend says of the last column."""

WIDTH = 46
"""Longest output in a table, in characters: the table has room on a terminal of 80 columns."""


def table_of_losses(
    found: Sequence[Loss], decimals: int, *, what: str, ids: Sequence[str] | None = None
) -> Table:
    """Show the outputs before and now, and the scores.

    Parameters
    ----------
    found : sequence of Loss
        The segments.
    decimals : int
        Digits of scores after the decimal point.
    what : str
        The system and the metric, for the caption.
    ids : sequence of str, optional
        Ids of all segments, to be shown in place of their numbers.
    """
    names: list[tuple[str | int, ...]] = []
    scores, changes = [], []
    for one in found:
        old, new = _from_difference(one.old, one.new)
        segment = ids[one.segment] if ids else one.segment
        names += [(segment, "base", old), (segment, "now", new)]
        scores += [number(one.before, decimals), number(one.after, decimals)]
        changes += ["", f"{one.without:+.{decimals}f}"]
    cells = tuple(Cell((change,)) for change in changes)
    columns = (Column.of("score", scores), Column(("change", "without"), cells))
    caption = f"{what}: the segments that lost most"
    return Table(caption, ("segment", "", "output"), tuple(names), columns, name="segments")


def _from_difference(old: str, new: str) -> tuple[str, str]:
    """Shorten two outputs if one is long; beginnings that are equal and long are left out."""
    pairs = enumerate(zip(old, new, strict=False))
    equal = next((k for k, (a, b) in pairs if a != b), min(len(old), len(new)))
    start, cut = 0, equal - WIDTH // 3
    if equal > WIDTH // 2 and max(len(old), len(new)) > WIDTH:
        # At a space, unless the difference would be too far from it.
        start = old.rfind(" ", max(0, cut - WIDTH // 3), cut) + 1 or cut
    return _short(old, start), _short(new, start)


def _short(output: str, start: int) -> str:
    whole = ("…" if start else "") + " ".join(output[start:].split())
    return whole if len(whole) <= WIDTH else whole[: WIDTH - 1] + "…"
