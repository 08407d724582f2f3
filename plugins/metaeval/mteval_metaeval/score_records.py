"""Scores that mteval computed before: the records that the format ``jsonl`` writes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from mteval_core import (
    Dataset,
    FileSample,
    InputError,
    MetricSpec,
    OutsideScores,
    Signature,
    UsageError,
    check_name,
    default_registry,
    open_binary,
    read_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import Registry

__all__ = ["has_records", "read", "sample", "scores_of_records"]

LEVELS = {"segment": "segment", "doc": "doc", "corpus": "system"}
"""What was scored, by the level of a record."""


class Given(NamedTuple):
    """One score of a file.

    Parameters
    ----------
    metric, system, level : str
        The spec of the metric, the system, and a key of `LEVELS`.
    item : int or str or None
        Number of the segment, or name of the document.
    score : float
        The score.
    signature : str
        Its signature.
    where : str
        File and line.
    """

    metric: str
    system: str
    level: str
    item: int | str | None
    score: float
    signature: str
    where: str


def has_records(path: str) -> bool:
    """Tell from its first line whether a file has records of scores."""
    if not Path(path).is_file():  # a folder, standard input, or the address of a data set
        return False
    with open_binary(path) as stream:
        line = stream.readline(1 << 16)
    return line.startswith(b'{"system": ') and b'"metric": ' in line and b'"level": ' in line


def read(path: str) -> Dataset:
    """Read records of scores as a data set; see `scores_of_records`."""
    return Dataset(scores=scores_of_records(path, default_registry()))


def sample() -> FileSample:
    """Return the record of a score."""
    record = {"system": "A", "metric": "wer", "level": "segment", "id": 0, "score": 50.0}
    signature = "Own|better:lower|plugin:own@1|version:1"
    line = json.dumps({**record, "signature": signature})
    return FileSample({"scores.jsonl": f"{line}\n".encode()})


def scores_of_records(path: str, registry: Registry, better: str = "") -> list[OutsideScores]:
    """Read what ``mteval score -f jsonl`` wrote.

    Parameters
    ----------
    path : str
        The file. Its comparisons of systems are passed over.
    registry : Registry
        Where to look up which direction of a metric is better.
    better : {"", "higher", "lower"}
        The direction, if it is known.

    Returns
    -------
    list of OutsideScores
        One for each metric, named by its spec.

    Raises
    ------
    InputError
        If a line is not such a record, if the levels differ, if a system lacks a score or has two,
        or if nobody knows which direction is better.
    """
    text = read_text(path, plain=False)
    lines = text.buffer.decode().split("\n")[:-1]
    records = [given_in(line, f"{path}:{number}") for number, line in enumerate(lines, start=1)]
    given = [record for record in records if record is not None]
    for record in given:
        if record.level != given[0].level:
            raise InputError(
                f"{record.where}: the level is {record.level!r}, and {given[0].level!r} before; "
                f"expected one level"
            )
    metrics: dict[str, list[Given]] = {}
    for record in given:
        metrics.setdefault(record.metric, []).append(record)
    digest = sha256(text.buffer).hexdigest()
    return [
        OutsideScores(
            name=name,
            values=(values := gather_values(own, path)).by_system,
            level=values.level,
            better=direction(own[0], registry, better),
            ids=values.ids,
            path=path,
            sha256=digest,
        )
        for name, own in metrics.items()
    ]


def given_in(line: str, where: str) -> Given | None:
    """Read a line; None for the comparison of two systems.

    Raises
    ------
    InputError
        If it is neither.
    """
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        record = {}
    if isinstance(record, dict) and "difference" in record and "score" not in record:
        return None
    if isinstance(record, dict) and record.get("score", "") is None:
        raise InputError(
            f"{where}: the segment has no score; expected one of every segment, as a metric gives "
            f"it with --missing worst"
        )
    if not is_score(record):
        raise InputError(
            f"{where}: not a record of a score, as 'mteval score -f jsonl' writes them"
        )
    return Given(
        metric=check_name(record["metric"], f"{where}: metric", InputError),
        system=check_name(record["system"], f"{where}: system", InputError),
        level=record["level"],
        item=record["id"],
        score=float(record["score"]),
        signature=record["signature"],
        where=where,
    )


def is_score(record: Any) -> bool:
    """Tell whether a line is the record of a score."""
    words = ("metric", "system", "level", "signature")
    if not isinstance(record, dict) or not all(isinstance(record.get(w), str) for w in words):
        return False
    item = {"segment": int, "doc": str}.get(record["level"], type(None))
    score: Any = record.get("score")
    return (
        record["level"] in LEVELS
        and type(record.get("id")) is item
        and type(score) in (int, float)
        and abs(score) <= 1e100
    )


class Values(NamedTuple):
    """Scores of one metric, as `OutsideScores` has them."""

    by_system: dict[str, NDArray[np.float64] | float]
    level: Literal["segment", "doc", "system"]
    ids: tuple[str, ...] | None


def gather_values(given: Sequence[Given], path: str) -> Values:
    """Gather the scores of one metric.

    Raises
    ------
    InputError
        If a system lacks a score or has two.
    """
    level = given[0].level
    systems: dict[str, dict[Any, float]] = {}
    for record in given:
        scores = systems.setdefault(record.system, {})
        if record.item in scores:
            raise InputError(
                f"{record.where}: a second score of the same {LEVELS[level]}; expected one"
            )
        scores[record.item] = record.score
    items: list[Any] = list(dict.fromkeys(record.item for record in given))
    if level == "segment":
        items = list(range(len(items)))
    for system, scores in systems.items():
        for item in items:
            if item not in scores:
                raise InputError(
                    f"{path}: {given[0].metric}: the system {system!r} has no score of {level} "
                    f"{item!r}"
                )
    if level == "corpus":
        return Values({system: scores[None] for system, scores in systems.items()}, "system", None)
    arrays: dict[str, Any] = {s: np.array([own[i] for i in items]) for s, own in systems.items()}
    if level == "segment":
        return Values(arrays, "segment", None)
    return Values(arrays, "doc", tuple(items))


def direction(given: Given, registry: Registry, better: str) -> Literal["higher", "lower"]:
    """Return which direction of a metric is better.

    Raises
    ------
    InputError
        If it is neither given nor known.
    """
    try:
        signature = Signature.parse(given.signature)
    except UsageError as error:
        raise InputError(f"{given.where}: {error}") from None
    known = {entry.declaration.better for entry in registry.of_name(MetricSpec, signature.name)}
    if "better" in signature.fields:  # scores of another program say it
        known = {cast("Literal['higher', 'lower']", signature.get("better"))}
    chosen = {better} if better else known & {"higher", "lower"}
    if len(chosen) != 1:
        raise InputError(
            f"{given.where}: which direction of {given.metric} is better is not known, because the "
            f"metric is not installed: write NAME[higher]=FILE or NAME[lower]=FILE"
        )
    return cast("Literal['higher', 'lower']", chosen.pop())
