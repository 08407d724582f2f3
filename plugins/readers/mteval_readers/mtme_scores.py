"""Score files of mt-metrics-eval: ``NAME.seg.score``, ``NAME.doc.score`` and ``NAME.sys.score``.

A line is ``SYSTEM SCORE``, for each system, document or segment of the test set in its order;
``None`` is a missing score. The file does not say whether people or a metric gave the scores, so it
can be either.

``NAME.seg.rating`` has the errors that people marked, as JSON: ``SYSTEM RATING [RATER]``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

import mteval_core
from mteval_readers import json_records
from mteval_readers.lazy import Lazy, LazyValues
from mteval_readers.mqm import weight
from mteval_readers.ratings import Key, judgments, numbers, sha256

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS: dict[str, Literal["segment", "doc", "system"]] = {
    "seg": "segment",
    "doc": "doc",
    "sys": "system",
}
"""What was scored, by the part of the name before ``.score``."""


def read(path: str) -> mteval_core.Dataset:
    """Read one file as judgments, or as the scores of a metric."""
    file = Path(path)
    name, _, kind = Name.of(file)
    if kind == "rating":
        return mteval_core.Dataset(judgments={name: ratings(file)})
    return mteval_core.Dataset(
        judgments=Lazy({name: lambda: human(file)}),
        scores=LazyValues(Lazy({name: lambda: metric(file)})),
    )


class Name(NamedTuple):
    """What the name of a file says: ``NAME.LEVEL.KIND``, which may be compressed."""

    name: str
    level: str
    kind: str

    @classmethod
    def of(cls, file: Path) -> Name:
        """Take a name apart.

        Raises
        ------
        mteval_core.InputError
            If it is another name.
        """
        found = re.fullmatch(r"(.+)\.(seg|doc|sys)\.(score|rating)(?:\.gz|\.xz|\.zst)?", file.name)
        if not found:
            raise mteval_core.InputError(
                f"{file}: expected a name such as NAME.seg.score, .doc.score or .sys.score"
            )
        return cls(*found.groups())


def human(file: Path, documents: Sequence[str] = ()) -> mteval_core.Judgments:
    """Read the scores of people.

    Parameters
    ----------
    file : Path
        The score file.
    documents : sequence of str
        Ids of the documents in their order, for scores of documents.
    """
    level = LEVELS[Name.of(file).level]
    items = items_of(file, documents)
    rows = {
        Key(system, items[k] if items else k): {"score": score}
        for system, values in scores_of(file, len(items)).items()
        for k, score in enumerate(values)
        if not np.isnan(score)
    }
    return judgments(rows, str(file), level)


def metric(file: Path, documents: Sequence[str] = ()) -> mteval_core.OutsideScores:
    """Read the scores of a metric; see `human`."""
    name, level, _ = Name.of(file)
    items = items_of(file, documents)
    scores = scores_of(file, len(items))
    return mteval_core.OutsideScores(
        name=f"{name}.{level}",
        values={
            system: values[0] if level == "sys" else np.array(values)
            for system, values in scores.items()
        },
        level=LEVELS[level],
        ids=tuple(items) or None,
        path=str(file),
        sha256=sha256(str(file)),
    )


def items_of(file: Path, documents: Sequence[str]) -> list[str]:
    """Return the documents if the file scores documents."""
    is_of_documents = Name.of(file).level == "doc"
    items = list(dict.fromkeys(documents)) if is_of_documents else []
    if is_of_documents and not items:
        raise mteval_core.InputError(
            f"{file}: scores of documents, whose ids are in another file of the test set; read the "
            f"whole folder, --data mtme:FOLDER"
        )
    return items


def scores_of(file: Path, expected: int = 0) -> dict[str, list[float]]:
    """Read the scores of each system.

    Raises
    ------
    mteval_core.InputError
        If a line is not a system and a score, or the systems do not have as many scores as
        expected, or as the first system.
    """
    systems, cells = [], []
    for line, text in enumerate(mteval_core.read_text(file, plain=False), 1):
        parts = str(text).split()
        if len(parts) != 2:
            raise mteval_core.InputError(
                f"{file}:{line}: expected 'SYSTEM SCORE', got {str(text)[:60]!r}"
            )
        systems.append(parts[0])
        cells.append(parts[1])
    scores: dict[str, list[float]] = {}
    for system, value in zip(systems, numbers(cells, str(file)), strict=True):
        scores.setdefault(system, []).append(value)
    expected = 1 if Name.of(file).level == "sys" else expected
    for system, values in scores.items():
        first = expected or len(next(iter(scores.values())))
        if len(values) != first:
            raise mteval_core.InputError(
                f"{file}: {len(values)} scores of {system!r}; expected {first}"
            )
    return scores


def ratings(file: Path) -> mteval_core.Judgments:
    """Read the errors that people marked, weighted as in `mteval_readers.mqm`."""
    rows: dict[Key, dict[str, float]] = {}
    seen: dict[str, int] = {}
    for line, text in enumerate(mteval_core.read_text(file, plain=False), 1):
        where = f"{file}:{line}"
        system, *cells = str(text).split("\t")
        if len(cells) not in (1, 2):
            raise mteval_core.InputError(
                f"{where}: {1 + len(cells)} cells; expected SYSTEM, RATING and perhaps RATER"
            )
        segment = seen[system] = seen.get(system, -1) + 1
        if cells[0] != "None":
            key = Key(system, segment, cells[1] if len(cells) > 1 else Name.of(file).name)
            rows[key] = {"score": score_of(json_records.parsed(cells[0], where), where)}
    return judgments(rows, str(file))


def score_of(rating: dict[str, object], where: str) -> float:
    """Return minus the sum of the weights of the errors of a rating."""
    errors = rating.get("errors")
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise mteval_core.InputError(f'{where}: expected {{"errors": [{{...}}, ...]}}')
    return 0.0 - sum(
        0.0
        if error.get("is_source_error")
        else weight(str(error.get("category") or ""), str(error.get("severity") or ""), where)
        for error in errors
    )
