"""MQM ratings: errors with a category and a severity, which are weighted and summed.

The file is that of google/wmt-mqm-human-evaluation: tab-separated without quoting, with one line
per error and the columns ``system doc doc_id seg_id rater source target category severity``. Since
2023 they are ``docSegId globalSegId`` instead of ``doc_id seg_id``. A segment without errors has a
line with the severity ``No-error``.

The score of a segment is minus the sum of the weights of a rater's errors, so that higher is
better. Freitag et al. 2021, "Experts, errors, and context", table 1, give the weights: Major 5,
Minor 1, Minor in Fluency/Punctuation 0.1, Non-translation 25. ``mqm:major:10:FILE`` changes them.
Segments are numbered from 0 or from 1; ``mqm:first=0:FILE`` or ``mqm:first=1:FILE`` says which.
Without it, they are numbered from 0 if there is a segment 0, otherwise from 1, and the texts in
``source`` and ``target`` are compared with the source, if it is there, and with the outputs of the
systems when the judgments are used.

Source issues, creative reinterpretation and attention checks (HOTW) count nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import mteval_core
from mteval_readers.ratings import Key, judgments, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COLUMNS = ("system", "rater", "category", "severity")

SEGMENT = ("seg_id", "globalSegId")
"""Names of the column with the number of the segment."""

WEIGHTS = {
    "major": 5.0,
    "minor": 1.0,
    "punctuation": 0.1,
    "non-translation": 25.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "hotw-test": 0.0,
}
"""Weights of the severities; ``punctuation`` is that of minor errors of punctuation."""

UNCOUNTED = ("no-error", "source issue", "accuracy/creative reinterpretation")
"""Categories that do not count, in lower case. "Source error", of 2021, does."""


OPTIONS = re.compile(r"((?:{0},)*{0}):(.+)".format(r"(?:[a-zA-Z-]+:[0-9.]+|first=[01])"))
"""Weights of severities, or the first number of a segment; and a file."""

MARK = re.compile(r"</?v>")
"""Beginning or end of an error in a text."""


def looks_like(path: str) -> bool:
    """Whether the header line of a table has the columns of MQM ratings."""
    with mteval_core.open_binary(path) as stream:
        header = stream.readline(4096).decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")
    return {*COLUMNS} <= {*header} and not {*SEGMENT}.isdisjoint(header)


def read(path: str) -> mteval_core.Dataset:
    """Read the ratings of a file as the judgments ``mqm``.

    Parameters
    ----------
    path : str
        A file, or ``OPTION,...:FILE``, where an option is ``SEVERITY:WEIGHT`` or ``first=NUMBER``.

    Raises
    ------
    mteval_core.InputError
        If a line is not as described, a severity has no weight, ``seg_id`` does not number the
        segments of the whole test set, or nothing tells where the numbers start.
    """
    weights, first, path = chosen(path)
    scores: dict[Key, float] = {}
    documents: dict[int, str] = {}
    texts: dict[tuple[str, int], str] = {}
    for line, record in records(path):
        where = f"{path}:{line}"
        segment = segment_number(record, documents, where)
        key = Key(record["system"], segment, record["rater"])
        lost = weight(record["category"], record["severity"], where, weights)
        scores[key] = scores.get(key, 0.0) - lost
        for column, name in (("target", key.system), ("source", "")):
            if first is None and column in record:
                texts[name, segment] = MARK.sub("", record[column])
    if first is None and documents and 0 not in documents and not any(name for name, _ in texts):
        raise mteval_core.InputError(
            f"{path}: no segment 0 and no column 'target', so nothing tells whether segments are "
            f"numbered from 0 or from 1: type mqm:first=0:{path} or mqm:first=1:{path}"
        )
    start = first if first is not None else int(0 not in documents)
    if 0 in documents and start:
        raise mteval_core.InputError(
            f"{path}: there is a segment 0; expected numbers from 1, as first=1 says"
        )
    rows = {key._replace(item=int(key.item) - start): {"score": scores[key]} for key in scores}
    found = judgments(rows, path)
    seen = {(system, segment - start): text for (system, segment), text in texts.items()}
    return mteval_core.Dataset(judgments={"mqm": replace(found, texts=seen)})


def chosen(path: str) -> tuple[dict[str, float], int | None, str]:
    """Split ``OPTION,...:FILE`` into the weights, the first number if it is given, and the file."""
    weights, first = dict(WEIGHTS), None
    match = OPTIONS.fullmatch(path)
    for option in match[1].split(",") if match else ():
        name, mark, value = re.split("([:=])", option)
        if mark == "=":
            first = int(value)
        else:
            weights[name.lower()] = number(value, f"the weight of {name}")
    return weights, first, match[2] if match else path


def records(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines below the header, with their numbers."""
    first, *lines = mteval_core.read_text(path, plain=False)
    header = str(first).split("\t")
    if header[-1].startswith("#"):  # a comment
        header.pop()
    header = ["seg_id" if name in SEGMENT else name for name in header]
    if not {*COLUMNS, "seg_id"} <= {*header}:
        raise mteval_core.InputError(
            f"{path}:1: the columns {', '.join(header)}; expected those of MQM ratings: "
            f"{', '.join(COLUMNS)} and {' or '.join(SEGMENT)}"
        )
    for line, text in enumerate(lines, 2):
        cells = str(text).split("\t")
        if len(cells) != len(header):
            raise mteval_core.InputError(
                f"{path}:{line}: {len(cells)} cells; the header line has {len(header)}"
            )
        yield line, dict(zip(header, cells, strict=True))


def segment_number(record: Mapping[str, str], documents: dict[int, str], where: str) -> int:
    """Return the number of a segment, which must be that of the whole test set."""
    cell, document = record["seg_id"], record.get("doc", "")
    if not (cell.isascii() and cell.isdigit() and len(cell) < 10):
        raise mteval_core.InputError(f"{where}: seg_id {cell!r}; expected the number of a segment")
    if documents.setdefault(int(cell), document) != document:
        raise mteval_core.InputError(
            f"{where}: seg_id {cell} occurs in the documents {documents[int(cell)]!r} and "
            f"{document!r}; expected numbers that go through the whole test set"
        )
    return int(cell)


def weight(
    category: str, severity: str, where: str, weights: Mapping[str, float] = WEIGHTS
) -> float:
    """Return the weight of an error."""
    category, severity = category.strip().lower(), severity.strip().lower()
    if category in UNCOUNTED:
        return 0.0
    if category.startswith("non-translation"):
        return weights["non-translation"]
    if severity == "minor" and category == "fluency/punctuation":
        return weights["punctuation"]
    if severity not in weights:
        raise mteval_core.InputError(
            f"{where}: the severity {severity!r} has no weight; known are {', '.join(weights)}. "
            f"Give it one, as in mqm:{severity or 'critical'}:10:FILE"
        )
    return weights[severity]
