"""Files that are not plain text: what is refused, and what is text although it looks odd."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.text.file_types import MARKUP, BinaryCheck, may_be_markup, refuse_markup

if TYPE_CHECKING:
    from collections.abc import Callable

LINES = "Das ist ein Satz.\nUnd noch einer: ä\n"
ROWS = [{"src": "a", "ref": "b c"}, {"src": "d", "ref": "e"}]


def archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as out:
        out.writestr("a.txt", LINES)
    return stream.getvalue()


SGML = """<refset setid="t" srclang="de" trglang="en" refid="r">
<doc docid="d"><seg id="1">One segment .</seg>
<seg id="2">Another .</seg></doc>
</refset>
"""

REFUSED = [
    (gzip.compress(LINES.encode()), "gzip data"),
    (lzma.compress(LINES.encode()), "xz data"),
    (bz2.compress(LINES.encode()), "bzip2 data"),
    (archive(), "a zip archive"),
    (b"(\xb5/\xfd\x04\x00\x11\x00\x00ab\n", "Zstandard data"),
    (b"PAR1\x15\x04\x15\x0e\x00\x00PAR1", "Parquet"),
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "PDF"),
    (LINES.encode("utf-16-le"), "UTF-16"),
    (LINES.encode("utf-16-be"), "UTF-16"),
    (LINES.encode().ljust(4096, b"\0"), "binary data: convert"),  # as tar pads files
    (json.dumps(ROWS).encode(), "JSON "),
    (json.dumps(ROWS, indent=2).encode(), "JSON "),
    (json.dumps({"references": ["a", "b"]}).encode(), "JSON "),
    (json.dumps(["a", "b"]).encode(), "JSON "),
    (b"\n".join(json.dumps(row).encode() for row in ROWS), "JSON lines"),
    (b'["a", "b"]\n["c"]\n', "JSON lines"),
    (SGML.encode(), "XML or SGML"),
    (SGML.upper().encode(), "XML or SGML"),
    (SGML.replace("\n", " ").encode(), "XML or SGML"),
    (f'<?xml version="1.0"?>\n{SGML}'.encode(), "XML or SGML"),
    (f"<!DOCTYPE mteval>\n<mteval>\n{SGML}</mteval>".encode(), "XML or SGML"),
    (b'<corpus name="x">\n<s>a</s>\n</corpus>\n', "XML or SGML"),
    (b'<seg id="1">a</seg>\n<seg id="2">b</seg>\n', "XML or SGML"),
    (b'<tmx version="1.4"><header/>\n<body/></tmx>\n', "XML or SGML"),
    (b'<xliff version="1.2"><file/>\n<b/></xliff>\n', "XML or SGML"),
    (b"1\n00:00:01,000 --> 00:00:02,000\nHello\n", "subtitles"),
    (b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n", "subtitles"),
    (b'msgid "a"\nmsgstr "b"\n', "messages of gettext"),
    (b'# A comment.\n\n#: file.c\nmsgctxt "x"\nmsgid ""\nmsgstr ""\n', "messages of gettext"),
    (b"1\tone segment\n2\tanother one\n", "a table (TSV)"),
    (b"system\tsegment\nbest\tone segment\n", "a table (TSV)"),
    (b"a b\ten\tc d\ne f\ten\t\n", "a table (TSV)"),
]

KINDS = {"JSON ", "JSON lines", "XML or SGML", "subtitles", "messages of gettext", "a table (TSV)"}


@pytest.mark.parametrize(("data", "kind"), REFUSED, ids=[str(k) for k in range(len(REFUSED))])
def test_what_is_not_plain_text_is_refused(
    files: Callable[..., list[str]], data: bytes, kind: str
) -> None:
    (path,) = files(**{"text.txt": data})
    with pytest.raises(mt.InputError) as caught:
        mt.read_text(path)
    assert str(caught.value).startswith(f"{path}: looks like {kind}")


TEXT = [
    '{"a": 1}\nA segment that is not JSON.\n',
    "{ an open brace\nand no more }\n",
    "{1} the first\n{2} the second\n",
    "{name}\n{place}\n",
    "[1]\n",
    "[1]\n[2]\n",
    "[]\n{}\n",
    "[laughs] Well.\n[applause]\n",
    "[" * 200_000 + "]" * 200_000 + "\n",
    '"a"\n"b"\n',
    "1\n2\n",
    "null\n",
    "<s> the cat </s>\n<s> a dog </s>\n",
    "<b>bold</b> words\nand a tag <br>\n",
    "<unk> <unk>\n<unk>\n",
    "< 5 %\n> 5 %\n",
    "<p>\nOne line.\n",
    "PAR1 is a word\n",
    "BZh is one too: ä\n",
    "%PDF-1.7 is what a PDF begins with.\n",
    "PK\x03 odd\n",
    "a\0b\n",
    "\0\n",
    "a\tb c\nd e f\n",
    "one\ttab in one line\n",
    "sentence one .\tsentence two .\nonly one .\n",
    "<?xml is a word that a text may begin with\nand go on\n",
]


@pytest.mark.parametrize("text", TEXT, ids=[str(k) for k in range(len(TEXT))])
def test_odd_text_is_text(files: Callable[..., list[str]], text: str) -> None:
    (path,) = files(**{"text.txt": text})
    assert list(mt.read_text(path)) == text.removesuffix("\n").split("\n")


def test_sentences_separated_by_tabs_are_text_with_a_warning(
    files: Callable[..., list[str]],
) -> None:
    (path,) = files(text="one sentence .\tand two .\na third .\tand a fourth .\n")
    with pytest.warns(mt.MtevalWarning, match=r"every line has 1 tab\..*\[tabs\]"):
        assert len(mt.read_text(path)) == 2


def test_readers_of_other_formats_read_them(files: Callable[..., list[str]]) -> None:
    for data, _ in REFUSED[-3:]:
        (path,) = files(**{"text.my": data})
        assert len(mt.read_text(path, plain=False)) == 2


sentences = st.lists(st.text(st.characters(codec="utf-8"), max_size=30), min_size=1, max_size=6)


@settings(max_examples=200)
@given(sentences)
def test_a_capital_and_a_full_stop_make_text(lines: list[str]) -> None:
    """Whatever the other lines are, two sentences of prose make a file text."""
    words = [line.replace("\n", " ").replace("\0", "") for line in lines]
    data = "".join(f"{line}\n" for line in ["A sentence .", *words, "Another one ."]).encode()
    check = BinaryCheck("name")
    check.see(data)
    check.refuse()
    assert not [kind for kind, matches, _ in MARKUP if matches(data)]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.dictionaries(st.text(max_size=4), json_values, min_size=1, max_size=3),
    st.sampled_from([None, 0, 2]),
)
def test_every_json_object_is_refused(content: dict[str, Any], indent: int | None) -> None:
    data = json.dumps(content, indent=indent).encode()
    with pytest.raises(mt.InputError, match="looks like JSON"):
        refuse_markup(data + b"\n", "name")
    with pytest.raises(mt.InputError, match="looks like JSON"):
        refuse_markup(json.dumps(content).encode() + b"\n" + data.replace(b"\n", b" "), "name")


# Beginnings


def check_beginnings(data: bytes) -> None:
    """Whatever a whole file is, all its beginnings that end with a line may be."""
    assert any(matches(data) for _, matches, _ in MARKUP)
    cuts = [i + 1 for i, byte in enumerate(data) if byte == ord("\n")]
    assert [cut for cut in cuts if not may_be_markup(data[:cut])] == []


@pytest.mark.parametrize("data", [data for data, kind in REFUSED if kind in KINDS])
def test_the_beginning_of_markup_may_be_markup(data: bytes) -> None:
    check_beginnings(data + b"\n" * (not data.endswith(b"\n")))


@given(st.lists(json_values | st.just({}), min_size=1), st.sampled_from([None, 0, 2]))
def test_the_beginning_of_json_may_be_json(content: list[Any], indent: int | None) -> None:
    check_beginnings(b"\n" + json.dumps([{}, *content], indent=indent).encode() + b"\n")


def test_the_beginning_of_text_hardly_is() -> None:
    assert not may_be_markup(b"[laughs] Well.\n[applause]\n")
    assert not may_be_markup(b"<s> the cat </s>\n")
    assert not may_be_markup(b"a\tb\nc\n")
