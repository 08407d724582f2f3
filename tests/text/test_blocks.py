"""Files read in blocks give the texts, the errors and the warnings of whole files."""

from __future__ import annotations

import gzip
import io
import lzma
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mteval_core import InputError, Text, TextDigest, read_text
from mteval_core.text import files
from mteval_core.text.file_types import BinaryCheck, refuse_markup, warn_of_tabs
from mteval_core.text.files import Cleaner, pieces, read_blocks
from mteval_core.text.text import concatenate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Outcome = tuple[list[str | None], str, list[str]]


def outcome(texts: Iterable[Text]) -> Outcome:
    """The lines, the error and the warnings of texts that are being read."""
    lines: list[str | None] = []
    error = ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            for text in texts:
                lines += text
        except InputError as refused:
            lines, error = [], str(refused)
    return lines, error, [str(each.message) for each in caught]


PARTS = [
    *(b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\t", b" ", b"a", b"a b\tc\n", "\u00e9".encode()),
    *(b"\xef\xbb\xbf", b"\xff", b"\xff\xfe", b"\0", b"\0\0\0\n", b"BZh", b"\x01", b"\xe2\x82"),
    *(b"{", b"}", b"[", b"]", b'"a"', b":", b",", b"1", b'{"a": 1}\n', b'["a"]\n', b'[["a"],\n'),
    *(b"<s>", b"</s>", b"<seg>a</seg>\n", b"<?xml\n", b"<mteval", b"<!doctype", b">", b"<s>\n"),
]
contents = st.lists(st.sampled_from(PARTS) | st.binary(max_size=2), max_size=9).map(b"".join)


@given(contents, st.integers(1, 9), st.integers(1, 4))
@example(b"\xff\n\0\0\0\0\0\0\n", 2, 1)
@example(b"BZh\n\xef\xbb\xbf\n\xef\xbb\xbf\n\x01\n", 1, 1)
@example(b"a\n\xef\xbb\xbf\n\xff\n", 1, 1)
@example(b'[["a"],\n["b"]]\n', 1, 1)
@example(b"\n\n[\n1, {}\n]\n", 1, 3)
@example(b"\n<s>\n\n</s>\n\n", 1, 1)
@example(b"<mteval\n>\n", 1, 1)
@example(b"a\tb c\na\td e\n", 1, 1)
@example(b"\n \n\n", 1, 2)
def test_blocks_of_any_size_are_the_whole(data: bytes, size: int, n_lines: int) -> None:
    for plain in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "PIECE", size)
            blocks = outcome(read_blocks("f", n_lines, plain=plain, opened=io.BytesIO(data)))
        assert blocks == outcome(pieces("f", plain=plain, opened=io.BytesIO(data)))


@given(contents.filter(bytes.isascii))
def test_a_file_is_refused_for_what_the_whole_of_it_is(data: bytes) -> None:
    """The beginning decides only whether to look at the whole."""
    whole = data.replace(b"\r\n", b"\n")
    whole += b"\n" * (not whole.endswith(b"\n"))

    def check() -> Iterator[Text]:
        binary = BinaryCheck("f")
        binary.see(data)
        binary.refuse()
        Cleaner("f").clean(data)
        refuse_markup(whole, "f")
        warn_of_tabs(whole, "f")
        yield Text.from_lines(whole)

    lines, error, found = outcome(pieces("f", opened=io.BytesIO(data)))
    found = [message for message in found if "[empty-file]" not in message]
    assert (lines, error, found) == outcome(check())


@pytest.mark.parametrize("n_lines", [1, 3, 4, 7, 100])
def test_blocks_have_the_number_of_lines_asked_for(tmp_path: Path, n_lines: int) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"".join(b"line %d\n" % i for i in range(8)))
    blocks = list(read_blocks(path, n_lines))
    assert [len(block) for block in blocks[:-1]] == [n_lines] * (len(blocks) - 1)
    assert len(blocks) == -(-8 // n_lines)
    assert {block.path for block in blocks} == {str(path)}


def test_an_error_comes_after_the_blocks_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "PIECE", 4)
    blocks = read_blocks("file", 1, opened=io.BytesIO(b"one\ntwo\nth\xfcr\nmore\n"))
    assert [list(next(blocks)), list(next(blocks))] == [["one"], ["two"]]
    with pytest.raises(InputError, match=r"^file:3: byte 3 of the line, 0xFC"):
        next(blocks)


def test_no_more_is_read_than_the_next_block_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIECE", 50)
    stream = io.BytesIO(b"word word\n" * 1000)
    blocks = read_blocks("file", 20, opened=stream)
    positions = [(len(next(blocks)), stream.tell()) for _ in range(4)]
    assert positions == [(20, 200), (20, 400), (20, 600), (20, 800)]


def test_a_file_that_may_be_json_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PIECE", 50)
    stream = io.BytesIO(b'["word"]\n' * 1000 + b"no more\n")
    blocks = read_blocks("file", 20, opened=stream)
    assert (len(next(blocks)), stream.tell()) == (20, 9008)
    assert sum(map(len, blocks)) == 981


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("xz", lzma.compress)])
def test_compressed_files_are_read_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(files, "PIECE", 300)
    data = b"".join(b"line %d\n" % i for i in range(500))
    path = tmp_path / f"text.{ending}"
    path.write_bytes(pack(data))
    blocks = list(read_blocks(path, 70))
    assert b"".join(block.buffer for block in blocks) == data
    path.write_bytes(pack(data)[:-12])
    with pytest.raises(InputError) as whole:
        read_text(path)
    with pytest.raises(InputError) as refused:
        list(read_blocks(path, 70))
    assert str(refused.value) == str(whole.value)


def test_the_digests_of_blocks_add_up_to_that_of_the_file() -> None:
    data = b"".join(b"line %d\n" % i for i in range(50))
    blocks = list(read_blocks("file", 7, opened=io.BytesIO(data)))
    starts = range(0, 50, 7)
    parts = [
        block.part_digest(np.arange(start, start + len(block)))
        for start, block in zip(starts, blocks, strict=True)
    ]
    assert sum(reversed(parts), TextDigest()) == Text.from_lines(data).digest


@pytest.mark.parametrize(("start", "stop"), [(0, 4), (1, 3), (3, 4), (2, 2), (4, 4)])
def test_a_slice_has_the_segments_of_the_text(start: int, stop: int) -> None:
    segments = ["a b", "", "c\nd", None]
    text = Text.of(segments)
    assert list(text[start:stop]) == segments[start:stop]
    assert list(concatenate([text[:start], text[start:4]])) == segments


# In step
