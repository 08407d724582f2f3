"""Judgments from rows: one for each system, item and rater."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Key(NamedTuple):
    """What identifies a judgment. The item is a segment from 0, a document, or 0 for a system."""

    system: str
    item: int | str
    rater: str = ""


def judgments(
    rows: Mapping[Key, Mapping[str, float]] | Iterable[tuple[Key, Mapping[str, float]]],
    path: str,
    level: Literal["segment", "doc", "system"] = "segment",
) -> mteval_core.Judgments:
    """Make judgments of rows.

    Parameters
    ----------
    rows : mapping or iterable of (Key, mapping of str to float)
        Scores by criterion; higher is better, NaN is missing.
    path : str
        The file, for messages and as the source of the judgments.
    level : {"segment", "doc", "system"}
        What was judged.

    Raises
    ------
    mteval_core.InputError
        If there is no row.
    """
    pairs = list(getattr(rows, "items", lambda: rows)())
    if not pairs:
        raise mteval_core.InputError(f"{path}: no judgments")
    keys = [key for key, _ in pairs]
    systems = list(dict.fromkeys(key.system for key in keys))
    items = list(dict.fromkeys(key.item for key in keys))
    items = sorted(items, key=int) if level == "segment" else items
    raters = list(dict.fromkeys(key.rater for key in keys))
    criteria = list(dict.fromkeys(name for _, scores in pairs for name in scores))
    places = [{name: k for k, name in enumerate(names)} for names in (systems, items, raters)]
    indices = np.array(
        [[place[part] for place, part in zip(places, key, strict=True)] for key in keys]
    )
    return mteval_core.Judgments(
        level=level,
        systems=tuple(systems),
        items=() if level == "system" else tuple(items),
        raters=tuple(raters),
        criteria=tuple(criteria),
        system=indices[:, 0],
        item=indices[:, 1],
        rater=indices[:, 2],
        scores=np.array([[scores.get(name, np.nan) for name in criteria] for _, scores in pairs]),
        sources=((path, sha256(path)),),
    )


def sha256(path: str) -> str:
    """Return the SHA-256 of the lines of a file, in hexadecimal digits."""
    return hashlib.sha256(mteval_core.read_text(path, plain=False).buffer).hexdigest()


def numbers(cells: list[str], path: str) -> list[float]:
    """Read the scores of all lines of a file, as `number` does."""
    try:
        values = list(map(float, cells))
    except ValueError:
        values = [math.nan]
    if all(map(math.isfinite, values)) and not any("_" in cell for cell in cells):
        return values
    return [number(cell, f"{path}:{line}") for line, cell in enumerate(cells, 1)]


def number(cell: str, where: str) -> float:
    """Read a score; ``None`` and an empty cell are missing scores.

    Raises
    ------
    mteval_core.InputError
        If the cell is not a finite number.
    """
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    if math.isfinite(value) and "_" not in cell:
        return value
    if cell.strip().lower() in ("", "none", "na", "nan"):
        return math.nan
    hint = ": a decimal comma? Write a point" if cell.count(",") == 1 else ""
    raise mteval_core.InputError(f"{where}: the score {cell!r}; expected a number, or None{hint}")
