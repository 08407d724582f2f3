"""Ratings and scores in JSON lines: one record per rating, or SummEval's one per output.

A record of the first kind has the name of the ``system``, the number of the ``segment`` from 0
(``line_id`` in the data of WMT 2024), perhaps the ``rater`` (``annotator``), and numbers::

    {"system": "A", "segment": 0, "rater": "r1", "adequacy": 4, "fluency": 5}

A record of SummEval has ``model_id``, ``id``, ``decoded``, and a list of ratings in
``expert_annotations`` and ``turker_annotations``.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

import mteval_core
from mteval_readers import json_records
from mteval_readers.ratings import Key, judgments, sha256

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SEGMENT = ("segment", "line_id")
RATER = ("rater", "annotator")

ID = re.compile(r"(^|[_-])(id|seg|year|time|times)$|Id$", re.IGNORECASE)
"""Names of numbers that are not scores."""

KINDS = {"expert": "expert_annotations", "turker": "turker_annotations"}
"""Kinds of raters in SummEval."""


def first_record(path: str) -> bytes:
    """Return the beginning of the first line."""
    with mteval_core.open_binary(path) as stream:
        return stream.read(1 << 20).partition(b"\n")[0]


def looks_like(path: str) -> bool:
    """Whether the first record is a rating of a segment of a system."""
    start = first_record(path)
    return b'"system":' in start and any(f'"{name}":'.encode() in start for name in SEGMENT)


def looks_like_summeval(path: str) -> bool:
    """Whether the first record is one of SummEval."""
    start = first_record(path)
    return b'"model_id":' in start and b'"expert_annotations":' in start


def read(path: str) -> mteval_core.Dataset:
    """Read ratings as judgments, and as scores of a metric for each field with numbers.

    Raises
    ------
    mteval_core.InputError
        If a record has no system or segment, or a rating occurs twice.
    """
    rows: dict[Key, dict[str, float]] = {}
    for line, record in json_records.rows(path):
        where = f"{path}:{line}"
        segment = next((record[name] for name in SEGMENT if name in record), None)
        rater = next((record[name] for name in RATER if name in record), "")
        system = record.get("system")
        if not (isinstance(system, str) and system and type(segment) is int and segment >= 0):
            raise mteval_core.InputError(
                f"{where}: the system {system!r} and the segment {segment!r}; expected a name, and "
                f"a number from 0"
            )
        key = Key(system, segment, str(rater or ""))
        if key in rows:
            raise mteval_core.InputError(
                f"{where}: a second rating of segment {segment} of {system!r} by {rater!r}"
            )
        rows[key] = dict(numbers(record))
    found = judgments(rows, path)
    return mteval_core.Dataset(judgments={"ratings": found}, scores=metrics(found, path))


def numbers(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the scores of a record: numbers that are not ids."""
    for name, value in record.items():
        if name not in SEGMENT and not ID.search(name) and type(value) in (int, float):
            yield name, float(value) if math.isfinite(value) else math.nan


def metrics(found: mteval_core.Judgments, path: str) -> tuple[mteval_core.OutsideScores, ...]:
    """Return each criterion as a metric, if every segment of every system has one score."""
    shape = len(found.systems), len(found.items)
    complete = len(found) == math.prod(shape) and not np.isnan(found.scores).any()
    if not complete or found.items != tuple(range(shape[1])):
        return ()
    values = np.empty((*shape, len(found.criteria)))
    values[found.system, found.item] = found.scores
    return tuple(
        mteval_core.OutsideScores(
            name=name,
            values={system: values[s, :, c] for s, system in enumerate(found.systems)},
            path=path,
            sha256=sha256(path),
        )
        for c, name in enumerate(found.criteria)
    )


def read_summeval(path: str) -> mteval_core.Dataset:
    """Read the annotations of SummEval as the judgments ``expert`` and ``turker``.

    Segments are numbered in the order in which their ids first occur.

    Raises
    ------
    mteval_core.InputError
        If a record is not as described, or an output occurs twice.
    """
    rows: dict[str, dict[Key, dict[str, float]]] = {kind: {} for kind in KINDS}
    places: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    for line, record in json_records.rows(path):
        where = f"{path}:{line}"
        output = str(record.get("model_id") or ""), str(record.get("id") or "")
        if not all(output) or output in seen:
            raise mteval_core.InputError(
                f"{where}: {output[1]!r} of {output[0]!r}; expected ids, and each output once"
            )
        seen.add(output)
        place = places.setdefault(output[1], len(places))
        for kind, field in KINDS.items():
            ratings = record.get(field) or []
            if not (isinstance(ratings, list) and all(isinstance(each, dict) for each in ratings)):
                raise mteval_core.InputError(
                    f"{where}: {field!r}: expected a list of objects with scores"
                )
            for rater, rating in enumerate(ratings):
                rows[kind][Key(output[0], place, f"{kind}{rater}")] = dict(numbers(rating))
    return mteval_core.Dataset(
        judgments={kind: judgments(found, path) for kind, found in rows.items() if found}
    )
