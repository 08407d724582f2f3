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

from typing import IO, TYPE_CHECKING

import mteval_core
from mteval_readers.documents import Document, dataset, note

CHUNK = 1 << 24
"""Number of bytes that are parsed at once."""

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element


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
        If the file is not well-formed or has no references.

    Warns
    -----
    MtevalWarning
        ``dropped-segments``: documents of test suites, or segments without a reference.
        ``dropped-systems``: systems that lack segments.
    """
    segments: list[Document] = []
    names: set[str] = set()
    languages: set[str] = set()
    dropped = 0
    for element in elements(path):
        if "testsuite" in element.attrib:
            dropped += len(element.findall("src//seg"))
            continue
        name = element.get("id", "")
        if not name or name in names:
            raise mteval_core.InputError(
                f"{path}: the document id {name!r} is empty or occurs twice"
            )
        names.add(name)
        languages |= {child.get("lang", "") for child in element.findall("ref")}
        segments += segments_of(element, name, f"{path}: document {name!r}")
    note("dropped-segments", path, [f"{dropped} segments of test suites"] * (dropped > 0))
    return dataset(path, segments, languages.pop() if len(languages) == 1 else "")


def segments_of(element: Element, name: str, where: str) -> Iterator[Document]:
    """Yield the segments of a document, each with its texts."""
    source = next(iter(texts(element, "src", "", where).values()), {})
    references = texts(element, "ref", "translator", where)
    systems = texts(element, "hyp", "system", where)
    for tag, named in (("ref", references), ("hyp", systems)):
        for key, found in named.items():
            if unknown := [number for number in found if number not in source]:
                raise mteval_core.InputError(
                    f"{where}: <{tag}> {key!r} has a segment {unknown[0]!r}, which <src> lacks; "
                    f"expected the ids of the source"
                )
    for number, text in source.items():
        translated = {key: [ref[number]] for key, ref in references.items() if number in ref}
        yield Document(
            name=f"{name}/{number}",
            document=name,
            where=where,
            source=[text],
            references=translated if any(any(ref) for ref in translated.values()) else {},
            systems={key: [out[number]] for key, out in systems.items() if number in out},
            domain=element.get("domain", ""),
        )


def elements(path: str) -> Iterator[Element]:
    """Yield the elements ``doc``, and forget each one afterwards."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with mteval_core.open_binary(path) as stream:
            chunks = Chunks(stream, path)
            for event, element in iterparse(chunks, ("start", "end")):
                chunks.n_events += 1
                if event == "end" and element.tag == "doc":
                    yield element
                    element.clear()
    except ParseError as error:
        raise mteval_core.InputError(
            f"{path}:{error.position[0]}: not well-formed XML: {error}"
        ) from None
    except DefusedXmlException as error:
        raise mteval_core.InputError(
            f"{path}: the file defines or includes entities, which are not read: {error}"
        ) from None
    except mteval_core.InputError:
        raise
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise mteval_core.InputError(f"{path}: not well-formed XML: {error}") from None


class Chunks:
    """Large pieces of a file: XML parsers begin a tag or text again with each piece of it.

    Parameters
    ----------
    stream : file object
        The file.
    path : str
        Its name, for messages.

    Attributes
    ----------
    n_events : int
        Number of tags that were read so far; the caller counts.
    """

    def __init__(self, stream: IO[bytes], path: str) -> None:
        self.stream: IO[bytes] = stream
        self.path: str = path
        self.n_events: int = 0
        self.n_before: int = -1

    def read(self, _size: int) -> bytes:
        """Return the next piece.

        Raises
        ------
        mteval_core.InputError
            If the piece before it had not a single tag.
        """
        if self.n_before == self.n_events:
            raise mteval_core.InputError(
                f"{self.path}: {CHUNK:,} bytes without a tag; expected segments of a test set, "
                f"and no comments or names of this length"
            )
        data = self.stream.read(CHUNK)
        self.n_before = self.n_events if len(data) == CHUNK else -1
        return data


def texts(element: Element, tag: str, attribute: str, where: str) -> dict[str, dict[str, str]]:
    """Read the texts of a document with one tag, by the name in an attribute and by segment."""
    named: dict[str, dict[str, str]] = {}
    for child in element.findall(tag):
        segments = [
            (seg.get("id", ""), " ".join("".join(seg.itertext()).split()))
            for seg in child.iter("seg")
        ]
        name = child.get(attribute) or tag
        if name in named or len(dict(segments)) < len(segments) or "" in dict(segments):
            raise mteval_core.InputError(
                f"{where}: <{tag}> {name!r} occurs twice, or has two segments "
                f"with one id, or a segment without an id"
            )
        named[name] = dict(segments)
    return named
