"""Data sets from documents: each has a source, and texts by reference stream and by system."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Document(NamedTuple):
    """A part of a test set; every text has as many segments as the source.

    Parameters
    ----------
    name : str
        Unique name, used in the ids of its segments.
    document : str
        Name of the document, or of the document of which this is a part.
    where : str
        File and line, for messages.
    source : list of str
        The segments of the source.
    references, systems : dict of str to list
        Segments by the name of the reference stream or the system.
    domain : str
        Its domain, such as ``news``; empty if unknown.
    """

    name: str
    document: str
    where: str
    source: list[str]
    references: dict[str, list[str]]
    systems: dict[str, list[str]]
    domain: str = ""


def dataset(path: str, documents: Sequence[Document], language: str) -> mteval_core.Dataset:
    """Make a data set of documents.

    Documents without a reference, and systems without all other documents, are left out.

    Raises
    ------
    mteval_core.InputError
        If no document has a reference.

    Warns
    -----
    MtevalWarning
        ``dropped-segments``, ``dropped-systems``.
    """
    kept = [each for each in documents if each.references]
    if not kept:
        raise mteval_core.InputError(f"{path}: no segment has a reference")
    dropped = sum(len(each.source) for each in documents if not each.references)
    note("dropped-segments", path, [f"{dropped} segments without a reference"] * (dropped > 0))
    references = list(dict.fromkeys(name for each in kept for name in each.references))
    systems = list(dict.fromkeys(name for each in kept for name in each.systems))
    partial = [name for name in systems if not all(name in each.systems for each in kept)]
    note("dropped-systems", path, [f"{name} (lacks segments)" for name in partial])
    complete = [name for name in systems if name not in partial]
    return mteval_core.Dataset(
        test_set=test_set_of(kept, references),
        systems={name: joined(each.systems[name] for each in kept) for name in complete},
        reference_names=tuple(references),
        language=language,
    )


def test_set_of(documents: Sequence[Document], references: Sequence[str]) -> mteval_core.TestSet:
    """Make a test set of documents, with reference streams of these names."""
    streams = [
        joined(each.references.get(name) or [None] * len(each.source) for each in documents)
        for name in references
    ]
    domains = tuple(each.domain for each in documents for _ in each.source)
    return mteval_core.TestSet(
        tuple(streams),
        documents=tuple(each.document for each in documents for _ in each.source),
        source=joined(each.source for each in documents),
        ids=tuple(name for each in documents for name in segment_ids(each)),
        domains=domains if all(domains) else None,
    )


def segment_ids(part: Document) -> list[str]:
    """Name the segments of a document: numbered, unless the one segment has a name of its own."""
    if len(part.source) == 1 and part.name != part.document:
        return [part.name]
    return [f"{part.name}_#_{k}" for k in range(len(part.source))]


def joined(parts: Iterable[Sequence[str | None]]) -> mteval_core.Text:
    """Make a text of the segments of all documents."""
    return mteval_core.Text.of([segment for part in parts for segment in part])


def note(code: str, path: str, left_out: Sequence[str]) -> None:
    """Warn of what is left out."""
    if left_out:
        message = f"{path}: left out: {', '.join(left_out)}"
        warnings.warn(mteval_core.MtevalWarning(code, message), stacklevel=3)
