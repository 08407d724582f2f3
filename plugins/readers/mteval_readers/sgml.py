"""SGML of the NIST and WMT evaluations until 2020: ``refset``, ``tstset`` and ``srcset``.

These files are not well-formed XML: an ampersand may stand for itself, a segment may contain ``<``,
and names of tags may be in capitals. The texts are those that mteval-v13a reads: white space is one
space, ``<skipped>`` is deleted, and ``&quot; &amp; &lt; &gt;`` are replaced in this order.

mteval-v13a pairs segments by document and id. So do these readers: ``sgml:REF,TST`` joins files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Iterator

    Segments = dict[tuple[str, str], str]
    """Texts by document and id of the segment, in the order of the file."""

TAG = re.compile(r"<(/?)(refset|tstset|srcset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
SPACE = re.compile(r"[^\S\x1c-\x1f]+")
"""White space as Perl defines it: unlike in Python, without U+001C to U+001F."""

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

NAMES = {
    "refset": ("refid", "trglang"),
    "tstset": ("sysid", "trglang"),
    "srcset": ("setid", "srclang"),
}
"""Attributes of the sets: the name, if its documents have none, and the language."""


class Stream(NamedTuple):
    """A source, a reference or the output of a system."""

    kind: str
    name: str
    language: str
    path: str
    segments: Segments


def looks_like(path: str) -> bool:
    """Whether one of the three sets begins in the first bytes of a file."""
    with mteval_core.open_binary(path) as stream:
        return bool(re.search(rb"<(?:refset|tstset|srcset)\b", stream.read(4096), re.IGNORECASE))


def read(path: str) -> mteval_core.Dataset:
    """Read one or more SGML files.

    Parameters
    ----------
    path : str
        A file, or several separated by commas. Together they hold at least one ``refset``.

    Raises
    ------
    mteval_core.InputError
        If a tag is not closed or lacks an attribute, or the sets do not have the same segments.
    """
    streams = [stream for file in path.split(",") for stream in read_file(file)]
    by_kind = {
        kind: {stream.name: stream for stream in streams if stream.kind == kind}
        for kind in ("srcset", "refset", "tstset")
    }
    if len(streams) > sum(map(len, by_kind.values())):
        raise mteval_core.InputError(f"{path}: two sets with the same name; expected one of each")
    first = streams[0]
    texts = {id(stream): text(stream, first) for stream in streams}
    references = by_kind["refset"]
    test_set = references and mteval_core.TestSet(
        tuple(texts[id(stream)] for stream in references.values()),
        documents=tuple(document for document, _ in first.segments),
        source=next((texts[id(stream)] for stream in by_kind["srcset"].values()), None),
        ids=tuple(f"{document}/{segment}" for document, segment in first.segments),
    )
    targets = {stream.language for stream in streams if stream.kind != "srcset"}
    return mteval_core.Dataset(
        test_set=test_set or None,
        systems={name: texts[id(stream)] for name, stream in by_kind["tstset"].items()},
        reference_names=tuple(references),
        language=targets.pop() if len(targets) == 1 else "",
    )


def text(stream: Stream, first: Stream) -> mteval_core.Text:
    """Return the segments of a stream in the order of the first one."""
    if stream.segments.keys() != first.segments.keys():
        document, segment = min(stream.segments.keys() ^ first.segments.keys())
        has, lacks = (stream, first) if (document, segment) in stream.segments else (first, stream)
        raise mteval_core.InputError(
            f"{lacks.path}: the {lacks.kind} {lacks.name!r} has no segment {segment!r} of document "
            f"{document!r}, which {has.path} has; expected the same segments in all sets"
        )
    return mteval_core.Text.of([stream.segments[key] for key in first.segments], stream.path)


def read_file(path: str) -> list[Stream]:
    """Read the sets of a file: one stream for each system or reference in them."""
    data = mteval_core.read_text(path, plain=False).buffer.decode()
    streams: dict[tuple[str, str], Stream] = {}
    for where, (outer, document, tag), span in segments(data, path):
        own, language = (outer.attributes.get(key, "") for key in NAMES[outer.name])
        name = "source" if outer.name == "srcset" else document.attributes.get("sysid") or own
        new = Stream(outer.name, name, language, path=path, segments={})
        stream = streams.setdefault((outer.name, name), new)
        key = document.attributes.get("docid", ""), tag.attributes.get("id", "")
        if not (name and all(key)) or key in stream.segments:
            raise mteval_core.InputError(
                f"{where}: the segment {key[1]!r} of document {key[0]!r} of {name!r}; expected an "
                f"id, a docid and a sysid, and each segment once"
            )
        stream.segments[key] = clean(span)
    if not streams:
        raise mteval_core.InputError(
            f"{path}: no segments; expected <refset>, <tstset> or <srcset> with <doc> and <seg>"
        )
    return list(streams.values())


class Opened(NamedTuple):
    """A tag that is not closed yet."""

    name: str
    attributes: dict[str, str]
    end: int


def segments(data: str, path: str) -> Iterator[tuple[str, list[Opened], str]]:
    """Yield where each segment ends, the tags of its set, its document and itself, and its text."""
    opened: list[Opened] = []
    line, at = 1, 0
    for tag in TAG.finditer(data):
        line, at = line + data.count("\n", at, tag.start()), tag.start()
        closing, name = bool(tag[1]), tag[2].lower()
        depth = 1 + ("set", "doc", "seg").index(name[-3:])
        if len(opened) != depth - (not closing) or (closing and opened[-1].name != name):
            before = f"<{opened[-1].name}> is open" if opened else "no set is open"
            raise mteval_core.InputError(
                f"{path}:{line}: {tag[0][:60]!r} where {before}; expected a set of documents of "
                f"segments, each tag closed"
            )
        if not closing:
            opened.append(Opened(name, attributes(tag[3]), tag.end()))
            continue
        if name == "seg":
            yield f"{path}:{line}", opened, data[opened[-1].end : tag.start()]
        opened.pop()
    if opened:
        raise mteval_core.InputError(
            f"{path}:{line}: the file ends in an open <{opened[-1].name}>; is it truncated?"
        )


def attributes(tag: str) -> dict[str, str]:
    """Read the attributes of a tag, whose names may be in capitals."""
    return {match[1].lower(): "".join(match.groups("")[1:]) for match in ATTRIBUTE.finditer(tag)}


def clean(span: str) -> str:
    """Return the text of a segment as mteval-v13a reads it."""
    span = SPACE.sub(" ", span).replace("<skipped>", "")
    for entity, character in ENTITIES:
        span = span.replace(entity, character)
    return span.strip(" ")
