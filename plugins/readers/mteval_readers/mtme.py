"""The folders of mt-metrics-eval, ``mtme:FOLDER`` or ``mtme:FOLDER/PAIR``.

::

    sources/en-de.txt                   documents/en-de.docs           (lines DOMAIN DOCUMENT)
    references/en-de.refA.txt           system-outputs/en-de/NAME.txt
    human-scores/en-de.mqm.seg.score    human-scores/en-de.mqm.merged.seg.rating
    metric-scores/en-de/BLEU-refA.sys.score

Sources, references and outputs may also be JSON lines with the fields ``source``, ``target`` and
``hypothesis``. Scores of domains are not read.

Outputs that have the name of a reference stream are not systems of the data set: a reference scored
against itself is perfect.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

import mteval_core
from mteval_readers import json_records
from mteval_readers.folders import regular_files
from mteval_readers.lazy import Lazy, LazyValues
from mteval_readers.mtme_scores import LEVELS, human, metric, ratings

if TYPE_CHECKING:
    from collections.abc import Callable


def read(path: str) -> mteval_core.Dataset:
    """Read a language pair of a folder.

    Parameters
    ----------
    path : str
        The folder of a test set, with ``/PAIR`` if it holds several language pairs.

    Returns
    -------
    Dataset
        Human scores have names such as ``mqm.seg``; those of a rating file end in ``.rating``.

    Raises
    ------
    mteval_core.InputError
        If there is no such pair, or a file does not have one line per segment.
    """
    folder, pair = chosen(Path(path))
    references = {
        name.removeprefix(f"{pair}."): segments(file, "target")
        for name, file in texts(folder / "references", f"{escape(pair)}.*").items()
    }
    systems = {
        name: segments(file, "hypothesis")
        for name, file in texts(folder / "system-outputs" / pair, "*").items()
        if name not in references
    }
    regular_files(folder / "documents", f"{escape(pair)}.docs", ".docs")
    domains, documents = domains_and_documents(folder / "documents" / f"{pair}.docs")
    return mteval_core.Dataset(
        test_set=mteval_core.TestSet(
            tuple(references.values()),
            documents=documents,
            domains=domains,
            source=segments(texts(folder / "sources", f"{escape(pair)}.*")[pair], "source"),
        ),
        systems=systems,
        reference_names=tuple(references),
        judgments=Lazy(judgment_files(folder, pair, documents)),
        scores=LazyValues(Lazy(metric_files(folder, pair, documents))),
        language=pair.partition("-")[2],
    )


def chosen(path: Path) -> tuple[Path, str]:
    """Return the folder of the test set, and the language pair."""
    folder = path if (path / "sources").is_dir() else path.parent
    pairs = pairs_of(folder)
    if folder != path and path.name in pairs:
        return folder, path.name
    if folder == path and len(pairs) == 1:
        return folder, pairs[0]
    if pairs:
        listed = ", ".join(pairs)
        message = f"{path}: expected a language pair, one of {listed}: type {folder}/{pairs[0]}"
    else:
        message = f"{path}: expected a folder of mt-metrics-eval, with a file sources/PAIR.txt"
    raise mteval_core.InputError(message)


def parts(path: str) -> list[str]:
    """List the language pairs of a folder, each with the folder; see `read`."""
    folder = Path(path)
    if not (folder / "sources").is_dir():
        return [path]  # of one pair, or an error that `read` describes
    return [f"{path}/{pair}" for pair in pairs_of(folder)]


def pairs_of(folder: Path) -> list[str]:
    """List the language pairs of a folder."""
    return sorted(texts(folder / "sources", "*"))


def texts(folder: Path, pattern: str) -> dict[str, Path]:
    """List the texts of a folder by name."""
    return regular_files(folder, pattern, ".txt", ".jsonl")


def segments(file: Path, field: str) -> mteval_core.Text:
    """Read a text; of JSON lines, a field."""
    if file.suffix == ".txt":
        return mteval_core.read_text(file)
    address = f"{file}::{field}"
    rows = json_records.rows(str(file))
    segments = [json_records.string(record, field, f"{file}:{line}") for line, record in rows]
    return replace(mteval_core.Text.of(segments, address), path=address)


def domains_and_documents(file: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read the domain and the document of each segment."""
    rows = []
    for line, text in enumerate(mteval_core.read_text(file, plain=False), 1):
        cells = str(text).split()
        if len(cells) != 2:
            raise mteval_core.InputError(
                f"{file}:{line}: expected 'DOMAIN DOCUMENT', got {str(text)[:60]!r}"
            )
        rows.append(cells)
    domains, documents = zip(*rows, strict=True) if rows else ((), ())
    return domains, documents


def judgment_files(
    folder: Path, pair: str, documents: tuple[str, ...]
) -> dict[str, Callable[[], mteval_core.Judgments]]:
    """Return how to read each file of human scores, by its name."""
    readers: dict[str, Callable[[], mteval_core.Judgments]] = {}
    files = folder / "human-scores", f"{escape(pair)}.*"
    for name, file in regular_files(*files, ".rating").items():
        if name.endswith(".seg"):
            shown = name.removeprefix(f"{pair}.").removesuffix(".seg")
            readers[f"{shown}.rating"] = partial(ratings, file)
    for name, file in regular_files(*files, ".score").items():
        if name.split(".")[-1] in LEVELS:
            readers[name.removeprefix(f"{pair}.")] = partial(human, file, documents)
    return readers


def metric_files(
    folder: Path, pair: str, documents: tuple[str, ...]
) -> dict[str, Callable[[], mteval_core.OutsideScores]]:
    """Return how to read each file of metric scores, by its name."""
    return {
        name: partial(metric, file, documents)
        for name, file in regular_files(folder / "metric-scores" / pair, "*", ".score").items()
        if "." in name and name.split(".")[-1] in LEVELS
    }
