"""The file that ``comet-score --to_json FILE`` writes.

It has a list for each file of translations, with the texts and the score of each segment::

    {"systems/A.txt": [{"src": ..., "mt": ..., "ref": ..., "COMET": 0.84}, ...], ...}

So it is a data set: source, reference, outputs, and the scores ``COMET``.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import numpy as np

import mteval_core
from mteval_readers import json_records
from mteval_readers.ratings import sha256


def looks_like(path: str) -> bool:
    """Whether a file begins with an object of lists, and has scores of COMET."""
    with mteval_core.open_binary(path) as stream:
        start = stream.read(1 << 20)
    return start.lstrip().startswith(b"{") and b'"COMET":' in start


def read(path: str) -> mteval_core.Dataset:
    """Read a file.

    Raises
    ------
    mteval_core.InputError
        If the file does not have this form, or the systems do not have the same references.
    """
    text = mteval_core.read_text(path, plain=False).buffer.decode()
    systems = {PurePath(key).name.removesuffix(".txt"): value for key, value in items(text, path)}
    texts = {
        system: {field: column(rows, field, where(path, system)) for field in ("src", "mt", "ref")}
        for system, rows in systems.items()
    }
    first = next(iter(texts.values()))
    for system, columns in texts.items():
        if columns["ref"] != first["ref"] or columns["src"] != first["src"]:
            raise mteval_core.InputError(
                f"{where(path, system)} has other sources or references than the first system"
            )
    source, reference = (None in first[key] for key in ("src", "ref"))
    scores = mteval_core.OutsideScores(
        name="COMET",
        values={system: numbers(rows, where(path, system)) for system, rows in systems.items()},
        path=path,
        sha256=sha256(path),
    )
    return mteval_core.Dataset(
        test_set=None
        if reference
        else mteval_core.TestSet(
            (mteval_core.Text.of(first["ref"]),),
            source=None if source else mteval_core.Text.of(first["src"]),
        ),
        systems={system: mteval_core.Text.of(columns["mt"]) for system, columns in texts.items()},
        scores=(scores,),
    )


def where(path: str, system: str) -> str:
    """Name a system of the file in messages."""
    return f"{path}: {system}:"


def items(text: str, path: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the rows of each file of translations."""
    document = json_records.document(text, path)
    valid = isinstance(document, dict) and all(
        isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
        for rows in document.values()
    )
    if not (valid and document):
        raise mteval_core.InputError(
            f"{path}: expected what comet-score --to_json writes, an object of lists"
        )
    return list(document.items())


def column(rows: list[dict[str, Any]], field: str, where: str) -> list[str | None]:
    """Return the texts of a field; None where it is missing."""
    texts = [row.get(field) for row in rows]
    for segment, text in enumerate(texts):
        if not isinstance(text, str | None):
            raise mteval_core.InputError(
                f"{where} segment {segment}: {field!r} is {text!r}; expected a string"
            )
    return texts


def numbers(rows: list[dict[str, Any]], where: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the scores of the segments."""
    scores = [row.get("COMET") for row in rows]
    for segment, score in enumerate(scores):
        if not isinstance(score, int | float):
            raise mteval_core.InputError(
                f"{where} segment {segment}: the score {score!r}; expected a number"
            )
    return np.array(scores, np.float64)
