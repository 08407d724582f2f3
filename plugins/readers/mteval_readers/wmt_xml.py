"""The XML files of WMT 2021 to 2024.

::

    <dataset id="newstest2021">
      <collection id="general">                                   (since 2022)
        <doc id="..." origlang="en" domain="news">
          <src lang="en"><p><seg id="1">...</seg></p></src>
          <ref lang="de" translator="A"><p><seg id="1">...</seg></p></ref>
          <hyp lang="de" system="Online-B"><p><seg id="1">...</seg></p></hyp>
        </doc>

As in sacreBLEU, documents of test suites and segments without any reference are left out, and white
space is one space. The readers refuse entities that a file defines, and so what these can do.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.etree.ElementTree import Element

    Texts = dict[str, str]
    """Texts by the id of the segment."""


class Document(NamedTuple):
    """A document: its source, and its references and outputs by translator and system."""

    name: str
    source: Texts
    references: dict[str, Texts]
    systems: dict[str, Texts]
    languages: set[str]


class Segment(NamedTuple):
    """A segment: its document and id, and its texts."""

    document: Document
    id: str

    @property
    def has_reference(self) -> bool:
        """Whether at least one reference is not empty."""
        return any(texts.get(self.id) for texts in self.document.references.values())


def looks_like(path: str) -> bool:
    """Whether the first element of a file is a data set."""
    with mteval_core.open_binary(path) as stream:
        return b"<dataset" in stream.read(4096)


def read(path: str) -> mteval_core.Dataset:
    """Read a file.

    Parameters
    ----------
    path : str
        An XML file with references, and perhaps outputs of systems.

    Returns
    -------
    Dataset
        The references are named after their translators; one without a translator is ``ref``.

    Raises
    ------
    mteval_core.InputError
        If the file is not well-formed, has no references, or a system lacks a segment.

    Warns
    -----
    MtevalWarning
        ``dropped-segments``: documents of test suites, or segments without a reference.
    """
    everything = [Segment(doc, seg) for doc in documents(path) for seg in doc.source]
    segments = [segment for segment in everything if segment.has_reference]
    if not segments:
        message = f"{path}: no segment has a reference; expected <ref> beside <src> in <doc>"
        raise mteval_core.InputError(message)
    note_dropped(path, len(everything) - len(segments), "segments without a reference")
    every = {segment.document.name: segment.document for segment in segments}.values()
    translators = dict.fromkeys(name for doc in every for name in doc.references)
    systems = dict.fromkeys(name for doc in every for name in doc.systems)
    languages = {language for doc in every for language in doc.languages}
    return mteval_core.Dataset(
        test_set=mteval_core.TestSet(
            tuple(
                mteval_core.Text.of(
                    [seg.document.references.get(name, {}).get(seg.id) for seg in segments]
                )
                for name in translators
            ),
            documents=tuple(seg.document.name for seg in segments),
            source=mteval_core.Text.of([seg.document.source[seg.id] for seg in segments]),
            ids=tuple(f"{seg.document.name}/{seg.id}" for seg in segments),
        ),
        systems={name: output(name, segments, path) for name in systems},
        reference_names=tuple(translators),
        language=languages.pop() if len(languages) == 1 else "",
    )


def output(system: str, segments: Iterable[Segment], path: str) -> mteval_core.Text:
    """Return the output of a system; refuse a missing segment."""
    texts = []
    for segment in segments:
        text = segment.document.systems.get(system, {}).get(segment.id)
        if text is None:
            message = (
                f"{path}: the system {system!r} has no segment {segment.id!r} of document "
                f"{segment.document.name!r}; expected one for each segment with a reference"
            )
            raise mteval_core.InputError(message)
        texts.append(text)
    return mteval_core.Text.of(texts)


def documents(path: str) -> Iterator[Document]:
    """Yield the documents that do not belong to a test suite."""
    dropped = 0
    seen: set[str] = set()
    for element in elements(path):
        if "testsuite" in element.attrib:
            dropped += len(element.findall("src//seg"))
            continue
        name = element.get("id", "")
        if not name or name in seen:
            message = f"{path}: the document id {name!r} is empty or occurs twice"
            raise mteval_core.InputError(message)
        seen.add(name)
        where = f"{path}: document {name!r}"
        yield Document(
            name=name,
            source=next(iter(texts(element, "src", "", where).values()), {}),
            references=texts(element, "ref", "translator", where),
            systems=texts(element, "hyp", "system", where),
            languages={child.get("lang", "") for child in element.findall("ref")},
        )
    note_dropped(path, dropped, "segments of test suites")


def elements(path: str) -> Iterator[Element]:
    """Yield the elements ``doc``, and forget each one afterwards."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with mteval_core.open_binary(path) as stream:
            for _, element in iterparse(stream):
                if element.tag == "doc":
                    yield element
                    element.clear()
    except ParseError as error:
        message = f"{path}:{error.position[0]}: not well-formed XML: {error}"
        raise mteval_core.InputError(message) from None
    except DefusedXmlException as error:
        message = f"{path}: the file defines or includes entities, which are not read: {error}"
        raise mteval_core.InputError(message) from None


def texts(element: Element, tag: str, attribute: str, where: str) -> dict[str, Texts]:
    """Read the texts of a document with one tag, by the name in an attribute."""
    named: dict[str, Texts] = {}
    for child in element.findall(tag):
        segments = [
            (seg.get("id", ""), " ".join("".join(seg.itertext()).split()))
            for seg in child.iter("seg")
        ]
        name = child.get(attribute) or tag
        if name in named or len(dict(segments)) < len(segments) or "" in dict(segments):
            message = (
                f"{where}: <{tag}> {name!r} occurs twice, or has two segments "
                f"with one id, or a segment without an id"
            )
            raise mteval_core.InputError(message)
        named[name] = dict(segments)
    return named


def note_dropped(path: str, count: int, what: str) -> None:
    """Warn of segments that are left out."""
    if count:
        message = f"{path}: {count} {what} are left out"
        warnings.warn(mteval_core.MtevalWarning("dropped-segments", message), stacklevel=2)
