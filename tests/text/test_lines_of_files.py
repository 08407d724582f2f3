"""What the reader of files is made of: pieces of bytes, their lines, and what was dropped."""

from __future__ import annotations

import gzip
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mteval_core import InputError, Text, read_text
from mteval_core.text import files, text
from mteval_core.text.files import (
    BOM,
    Cleaner,
    clean_pieces,
    file_name,
    first_invalid,
    open_stream,
    pieces,
    read_blocks,
    whole_lines,
)

if TYPE_CHECKING:
    pass

LINES = st.lists(
    st.sampled_from([b"", b"a", b"a b\t", "é\u2028".encode(), b"\r", b"x\ry", b"\0"]),
    max_size=8,
)
ENDS = st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=8, max_size=8)


@given(
    st.lists(st.sampled_from([b"\n", b"a", b"bcd"]), max_size=12).map(b"".join), st.integers(1, 7)
)
def test_pieces_end_with_lines(data: bytes, size: int) -> None:
    found = [*whole_lines(io.BytesIO(data), size, "x")]
    assert b"".join(found) == data
    assert found
    assert all(piece.endswith(b"\n") for piece in found[:-1])
    assert [*whole_lines(io.BytesIO(data), -1, "x")] == [data]
    # A piece ends with the last line feed among the bytes that were read at once.
    stops = {data.rfind(b"\n", i, i + size) + 1 for i in range(0, len(data), size)} | {len(data)}
    assert {sum(map(len, found[: k + 1])) for k in range(len(found))} == stops - {0} or not data


@given(LINES, ENDS, st.booleans(), st.integers(1, 9))
@example([b"a", b"b"], [b"\n", b"\r\n"] * 4, True, 1)  # noqa: FBT003
def test_the_cleaner_knows_what_it_dropped(
    lines: list[bytes],
    ends: list[bytes],
    has_mark: bool,  # noqa: FBT001
    size: int,
) -> None:
    body = [line + end for line, end in zip(lines, ends, strict=False)]
    data = BOM * has_mark + b"".join(body)
    cleaner = Cleaner("f")
    if not body:
        with pytest.raises(InputError, match=r"^f: the file is empty"):
            list(pieces("f", size, opened=io.BytesIO(data), cleaner=cleaner, plain=False))
        return
    read = list(pieces("f", size, opened=io.BytesIO(data), cleaner=cleaner, plain=False))
    windows = [i for i, line in enumerate(body, 1) if line.endswith(b"\r\n")]
    assert [segment for each in read for segment in each] == [
        re.sub(rb"\r?\n\Z", b"", line).decode() for line in body
    ]
    assert cleaner.n_windows == len(windows)
    assert cleaner.first_windows == (windows[0] if windows else None)
    assert (cleaner.has_mark, cleaner.n_lines) == (has_mark, len(body))


@given(
    st.lists(
        st.sampled_from([b"a", b"\n", "é".encode(), "名".encode(), b"\xff", b"\xe5"]), max_size=9
    ),
    st.integers(1, 5),
)
@example([b"a", b"\n", b"\xff"], 1)
def test_the_first_invalid_byte_is_that_of_python(parts: list[bytes], size: int) -> None:
    data, expected = b"".join(parts), None
    try:
        data.decode()
    except UnicodeDecodeError as error:
        expected = error.start
    blocks = text.line_blocks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "line_blocks", lambda data: blocks(data, size))
        assert first_invalid(data) == expected


def test_the_place_of_a_fault_counts_lines_and_bytes_of_the_whole_file() -> None:
    for data, message in (
        (b"one\n\xc3\xa9 \xe9\n", r"^f:2: byte 4 of the line, 0xE9, .* another encoding: convert"),
        (b"\xff\xfea\0\n\0", "^f:1: byte 1 of the line, 0xFF, .* looks like UTF-16: convert"),
        (b"a\nb\xff\xfe\n", "^f:2: byte 2 of the line, 0xFF, .* another encoding"),
        (BOM + b"a\n\nb" + BOM + b"\n", r"^f:3: a byte-order mark \(U\+FEFF\) inside the file"),
        (b"a\n" + BOM + b"\xff\n", "^f:2: a byte-order mark"),
        (b"a\n\xff" + BOM + b"\n", "^f:2: byte 1 of the line, 0xFF"),
        (BOM, "^f: the file is empty"),
    ):
        for size in (-1, 1, 2, 100):
            stream = io.BytesIO(data)
            with pytest.raises(InputError, match=message):
                list(clean_pieces(stream, size, Cleaner("f"), plain=False))


@given(
    st.lists(st.lists(st.text("aé名 ", max_size=3) | st.none(), max_size=3), min_size=1, max_size=4)
)
def test_joined_texts_have_all_segments(parts: list[list[str | None]]) -> None:
    texts = [Text.of(part, f"text {k}") for k, part in enumerate(parts)]
    whole = text.concatenate(texts)
    segments = [segment for part in parts for segment in part]
    assert [*whole] == segments
    assert len(whole) == len(segments)
    assert whole.path == texts[0].path
    assert whole.digest == Text.of(segments).digest


def test_an_open_file_stays_open_and_a_path_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = io.BytesIO(b"a\nb\n")
    assert [len(block) for block in read_blocks("f", opened=opened)] == [2]
    assert not opened.closed
    path, streams = tmp_path / "f", []
    path.write_bytes(b"a\n" * 9)

    def remembered(name: str) -> Any:
        streams.append(open_stream(name))
        return streams[-1]

    monkeypatch.setattr(files, "open_stream", remembered)
    monkeypatch.setattr(files, "PIECE", 2)
    blocks: Any = read_blocks(str(path), 1)
    assert (len(next(blocks)), streams[0].closed) == (1, False)
    blocks.close()
    assert streams[0].closed
    assert len(list(read_blocks(str(path), 4))) == 3
    assert streams[1].closed


def test_names_of_files_that_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"^'a\\x00b': embedded null byte$"):
        read_text("a\0b")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    for read in (open_stream, read_text, lambda path: next(read_blocks(path))):
        with pytest.raises(InputError, match=r"x\.zst: needs zstandard: pip "):
            read(tmp_path / "x.zst")
    assert [file_name("-"), file_name("é/-"), file_name(Path("a"))] == [
        "standard input",
        "é/-",
        "a",
    ]


def test_zstandard_is_read_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here gzip stands for it, whose `open` is the same."""
    monkeypatch.setitem(sys.modules, "zstandard", SimpleNamespace(open=gzip.open))
    monkeypatch.setattr(files, "PIECE", 10)
    path = tmp_path / "x.zst"
    path.write_bytes(gzip.compress("zwölf\n".encode() * 50))
    assert [*read_text(path)] == ["zwölf"] * 50
    assert [len(block) for block in read_blocks(path, 20)] == [20, 20, 10]
