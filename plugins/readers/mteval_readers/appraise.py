"""Ratings of Appraise as WMT publishes them: direct assessment and error span annotation (ESA).

A CSV file without a header; a row is a rating::

    user,system,segment,type,source language,target language,score,document,is document,...

ESA adds the spans of errors before the two times at the end. Only rows of the type ``TGT`` are
ratings of an output: the others are attention checks. Rows of whole documents and of tutorials are
left out too. Segments are numbered from 0. Ratings of one item by one rater are averaged.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import mteval_core
from mteval_readers.ratings import Key, judgments, number
from mteval_readers.tables import even

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = ("TGT", "REF", "BAD", "CHK")

N_COLUMNS = 11


def looks_like(path: str) -> bool:
    """Whether the first row of a file is a rating, or a header that names it so."""
    with mteval_core.open_binary(path) as stream:
        start = stream.readline(1 << 16).decode("utf-8-sig", "replace")
    try:
        cells = next(csv.reader(io.StringIO(start, newline="")), [])
    except csv.Error:
        return False
    return len(cells) >= N_COLUMNS and (
        cells[3] in TYPES or cells[1:3] == ["SystemID", "SegmentID"]
    )


def read(path: str) -> mteval_core.Dataset:
    """Read the ratings of a language pair as the judgments ``appraise``.

    Parameters
    ----------
    path : str
        A file, with ``/SOURCE-TARGET`` if it has several pairs, such as ``/eng-jpn``.

    Raises
    ------
    mteval_core.InputError
        If a row is not as described, or there is no such pair.
    """
    file, pair = (path, "") if Path(path).exists() else path.rpartition("/")[::2]
    scores: dict[str, dict[Key, list[float]]] = {}
    for line, cells in even(file or path):
        if cells[1:3] == ["SystemID", "SegmentID"]:
            continue
        where = f"{file}:{line}"
        if len(cells) < N_COLUMNS or cells[3] not in TYPES:
            raise mteval_core.InputError(
                f"{where}: not a rating; expected one of {', '.join(TYPES)} in column 4"
            )
        if is_rating(cells):
            rated = scores.setdefault(f"{cells[4]}-{cells[5]}", {})
            rated.setdefault(key_of(cells, where), []).append(number(cells[6], where))
    if not pair and len(scores) == 1:
        pair = next(iter(scores))
    if scores and pair not in scores:
        raise mteval_core.InputError(
            f"{path}: expected one of the language pairs {', '.join(sorted(scores))}: type "
            f"appraise:{file}/{min(scores)}"
        )
    rows = {
        key: {"score": sum(values) / len(values)} for key, values in scores.get(pair, {}).items()
    }
    return mteval_core.Dataset(judgments={"appraise": judgments(rows, file)})


def is_rating(cells: Sequence[str]) -> bool:
    """Whether a row rates a segment of an output."""
    return cells[3] == "TGT" and cells[8].lower() != "true" and "tutorial" not in cells[1]


def key_of(cells: Sequence[str], where: str) -> Key:
    """Return what a row rates, and who rated it."""
    segment = cells[2]
    if not (cells[1] and segment.isascii() and segment.isdigit() and len(segment) < 10):
        raise mteval_core.InputError(
            f"{where}: the system {cells[1]!r}, segment {segment!r}; expected a number from 0"
        )
    return Key(cells[1], int(segment), cells[0])
