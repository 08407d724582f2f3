"""The JSON lines of WMT 2025 and 2026.

The test set, ``wmt25-genmt.jsonl``, has a document per line::

    {"doc_id": ..., "src_lang": "en", "tgt_lang": "cs_CZ", "src_text": ...,
     "refs": {"refA": {"ref": ...}}}

Outputs are in ``systems/NAME.jsonl`` beside it: ``{"doc_id": ..., "hypothesis": ...}``. Blank lines
separate the paragraphs of a text, which are the segments.

The human evaluation, ``wmt25-genmt-humeval.jsonl``, has a segment per line, with the texts of all
systems and references in ``tgt_text``, and with ``scores`` by system: ``human``, or ``human1`` of
``annotator1`` and so on. In another form of it, the scores of a system are a list of ratings::

    {"NAME": [{"score": 87, "annotator": "r1", "errors": [...]}, ...]}

The parts of an id are joined by ``_#_``, or by ``_###_``: pair, domain and name in 2025; set,
domain, both languages and name in 2026.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_core
from mteval_readers import json_records
from mteval_readers.documents import Document, dataset
from mteval_readers.fields import Field
from mteval_readers.folders import regular_files
from mteval_readers.ratings import Key, judgments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Records = list[tuple[int, dict[str, Any]]]

SCORE = re.compile(r"human(\d*)")
JOINED = re.compile("_#+_")


def looks_like(path: str) -> bool:
    """Whether the first record has a document and a source."""
    with mteval_core.open_binary(path) as stream:
        start = stream.read(1 << 20).partition(b"\n")[0]
    return b'"doc_id":' in start and b'"src_text":' in start and b'"filtered_resps"' not in start


def read(path: str) -> mteval_core.Dataset:
    """Read a language pair.

    Parameters
    ----------
    path : str
        The file of the test set or of the human evaluation, with ``/PAIR`` if it has several pairs.

    Raises
    ------
    mteval_core.InputError
        If there is no such pair, or a text does not have as many paragraphs as its source.

    Warns
    -----
    MtevalWarning
        ``dropped-segments``: segments without a reference. ``dropped-systems``: systems that lack
        segments.
    """
    file, pair, records = chosen(path)
    documents = [document(record, f"{file}:{line}") for line, record in records]
    for system in regular_files(Path(file).parent / "systems", "*", ".jsonl").values():
        add_outputs(system, {each.name: each for each in documents})
    language = re.split("[-_]", pair.partition("-")[2])[0]
    data = dataset(file, documents, language)
    kept = [each for each in zip(documents, records, strict=True) if each[0].references]
    scores = {
        key: {"score": score}
        for segment, (_, (line, record)) in enumerate(kept)
        for key, score in scores_of(record, segment, f"{file}:{line}").items()
    }
    human = {"human": judgments(scores, file)} if scores else {}
    return replace(data, judgments=human)


def chosen(path: str) -> tuple[str, str, Records]:
    """Return the file, the language pair, and its records."""
    file, pair = (path, "") if Path(path).exists() else path.rpartition("/")[::2]
    by_pair: dict[str, Records] = {}
    for line, record in json_records.rows(file or path):
        by_pair.setdefault(pair_of(record, f"{file}:{line}"), []).append((line, record))
    if not pair and len(by_pair) == 1:
        pair = next(iter(by_pair))
    if pair not in by_pair:
        raise mteval_core.InputError(
            f"{path}: expected one of the language pairs {', '.join(by_pair)}: type "
            f"wmt-json:{file}/{next(iter(by_pair), 'PAIR')}"
        )
    return file, pair, by_pair[pair]


def pair_of(record: Mapping[str, Any], where: str) -> str:
    """Return the language pair of a record."""
    if {"src_lang", "tgt_lang"} <= record.keys():
        return f"{record['src_lang']}-{record['tgt_lang']}"
    first, *rest = JOINED.split(text(record, "doc_id", where))
    return first if "-" in first or len(rest) < 4 else f"{rest[1]}-{rest[2]}"


def text(record: Mapping[str, Any], field: str, where: str) -> str:
    """Return a text of a record."""
    value = Field.parse(field).text(record, where)
    if not isinstance(value, str):
        raise mteval_core.InputError(f"{where}: {field!r} is null; expected a string")
    return value


def document(record: Mapping[str, Any], where: str) -> Document:
    """Read a document of the test set, or a segment of the human evaluation."""
    name, source = text(record, "doc_id", where), text(record, "src_text", where)
    texts = record.get("tgt_text")
    if isinstance(texts, dict):
        named = {key: [text(texts, key, where)] for key in texts}
        references = {key: named.pop(key) for key in texts if key.startswith("ref")}
        *_, last = [None, *JOINED.finditer(name)]
        group = name[: last.start()] if last else ""
        return Document(
            name,
            group,
            where,
            source=[source],
            references=references,
            systems=named,
            domain=domain_of(name),
        )
    given = record.get("refs")
    if not isinstance(given, dict):
        raise mteval_core.InputError(
            f"{where}: expected 'refs', an object with the references by name"
        )
    paragraphs = source.split("\n\n")
    return Document(
        name,
        name,
        where,
        source=paragraphs,
        references={
            key: parts(text(given, f"{key}.ref", where), paragraphs, f"{where}: {key}")
            for key in given
        },
        systems={},
        domain=domain_of(name),
    )


def domain_of(name: str) -> str:
    """Return the domain in the id of a document, where it is the second part; or nothing."""
    _, *rest = JOINED.split(name)
    return rest[0] if len(rest) > 1 else ""


def parts(text: str, source: Sequence[str], where: str) -> list[str]:
    """Split a text into as many paragraphs as its source has."""
    paragraphs = text.split("\n\n")
    if len(paragraphs) != len(source):
        raise mteval_core.InputError(
            f"{where}: {len(paragraphs)} paragraphs; the source has {len(source)}"
        )
    return paragraphs


def add_outputs(file: Path, documents: Mapping[str, Document]) -> None:
    """Add the outputs of a system to the documents."""
    for line, record in json_records.rows(str(file)):
        where = f"{file}:{line}"
        each = documents.get(text(record, "doc_id", where))
        if each is None:
            continue
        if file.stem in each.systems:
            raise mteval_core.InputError(f"{where}: the document {each.name!r} occurs twice")
        each.systems[file.stem] = parts(text(record, "hypothesis", where), each.source, where)


def scores_of(record: Mapping[str, Any], segment: int, where: str) -> dict[Key, float]:
    """Read the human scores of a segment.

    Raises
    ------
    mteval_core.InputError
        If they have another form, or a rater has two scores of one output.
    """
    scores: dict[Key, float] = {}
    given = record.get("scores") or {}
    if not isinstance(given, dict):
        raise mteval_core.InputError(
            f"{where}: 'scores' is {shown(given)}; expected an object, scores by system"
        )
    for system, values in given.items():
        for rater, value in ratings_of(values, f"{where}: the scores of {system!r}"):
            if value is None:
                continue
            key = Key(system, segment, rater)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise mteval_core.InputError(
                    f"{where}: the score {shown(value)} of {system!r}; expected a number"
                )
            if key in scores:
                raise mteval_core.InputError(
                    f"{where}: a second score of {system!r} by {rater!r}; expected one"
                )
            scores[key] = float(value)
    return scores


def ratings_of(values: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Yield the raters of an output and their scores, in one of both forms."""
    if isinstance(values, dict) and (named := [*filter(None, map(SCORE.fullmatch, values))]):
        for match in named:
            yield str(values.get(f"annotator{match[1]}") or match[0]), values[match[0]]
    elif isinstance(values, list) and all(isinstance(v, dict) and "score" in v for v in values):
        for k, rating in enumerate(values, 1):
            yield str(rating.get("annotator") or f"human{k}"), rating["score"]
    elif values:
        raise mteval_core.InputError(
            f"{where} are {shown(values)}; expected {{'human': NUMBER}}, or a list of ratings, "
            f"[{{'score': NUMBER, 'annotator': NAME}}, ...]"
        )


def shown(value: Any) -> str:
    """Write the beginning of a value."""
    written = repr(value)
    return written if len(written) <= 60 else f"{written[:60]}..."
