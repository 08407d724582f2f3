"""The strict reader: what a line is, and the errors for files that it refuses."""

from __future__ import annotations

import gzip
import io
import lzma
import pickle
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core import InputError, read_text
from mteval_core.text import files, text
from mteval_core.text.file_types import RefusedFile

if TYPE_CHECKING:
    from collections.abc import Callable

WAYS = ("file", "gz", "xz", "stdin")


@pytest.fixture(params=WAYS)
def given_as(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bytes], str]:
    """Store bytes in a file or on standard input, and return the path."""

    def put(data: bytes) -> str:
        if request.param == "stdin":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            return "-"
        packed = {"file": bytes, "gz": gzip.compress, "xz": lzma.compress}[request.param](data)
        path = tmp_path / ("text.txt" if request.param == "file" else f"text.{request.param}")
        path.write_bytes(packed)
        return str(path)

    return put


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\ntwo", ["one", "two"]),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"one\n\n", ["one", ""]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"one\r\ntwo\n", ["one", "two"]),
        (b"\r\n", [""]),
        # A lone carriage return does not end a line.
        (b"o\rne\ntwo\n", ["o\rne", "two"]),
        (b"one\r\r\ntwo\r", ["one\r", "two\r"]),
        # Neither does any other character at which str.splitlines splits.
        ("o\u2028n\u2029e\ntwo\n".encode(), ["o\u2028n\u2029e", "two"]),
        ("o\x85ne\ntwo\n".encode(), ["o\x85ne", "two"]),
        (b"o\x0bn\x0ce\n\x1c\x1d\x1e\n", ["o\x0bn\x0ce", "\x1c\x1d\x1e"]),
        (b"\x00\n", ["\x00"]),
        # A byte-order mark at the beginning of a file is dropped.
        (b"\xef\xbb\xbfone\n", ["one"]),
        ("  Ünïcödé 🙂 \t\n".encode(), ["  Ünïcödé 🙂 \t"]),
    ],
)
@pytest.mark.filterwarnings("ignore:.*empty-file:mteval_core.MtevalWarning")
def test_lines(given_as: Callable[[bytes], str], data: bytes, lines: list[str]) -> None:
    path = given_as(data)
    text = read_text(path)
    assert list(text) == lines
    assert text.path == ("standard input" if path == "-" else path)


@pytest.mark.parametrize(
    ("data", "line"),
    [("\ufeff\ufeffone\n", 1), ("one\n\ufefftwo\n", 2), ("\ufeffone\n\ntw\ufeffo", 3)],
)
def test_a_byte_order_mark_inside_is_refused(
    given_as: Callable[[bytes], str], data: str, line: int
) -> None:
    path = given_as(data.encode())
    name = "standard input" if path == "-" else path
    with pytest.raises(InputError, match=f"^{re.escape(name)}:{line}: a byte-order mark"):
        read_text(path)


@pytest.mark.parametrize("data", [b"", b"a\n\xff\n", b"\0a" * 9])
def test_errors_can_be_sent_to_another_process(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    with pytest.raises(RefusedFile) as caught:
        read_text(path)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code) == (str(caught.value), caught.value.code)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_empty_files_are_refused(given_as: Callable[[bytes], str], data: bytes) -> None:
    path = given_as(data)
    name = "standard input" if path == "-" else path
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert str(caught.value) == f"{name}: the file is empty; expected one segment per line"


@pytest.mark.parametrize(
    ("data", "where", "hint"),
    [
        (b"one\ntwo\nth\xfcr\n", "3: byte 3 of the line, 0xFC", "another encoding"),
        (b"\xff", "1: byte 1 of the line, 0xFF", "another encoding"),
        (b"a\r\n\xe4", "2: byte 1 of the line, 0xE4", "another encoding"),
        ("one\n".encode("utf-16"), "1: byte 1 of the line, 0xFF", "UTF-16"),
        # Surrogates, overlong forms and code points beyond Unicode are not valid UTF-8 either.
        (b"a\n\xed\xa0\x80\n", "2: byte 1 of the line, 0xED", "another encoding"),
        (b"\xc0\xaf\n", "1: byte 1 of the line, 0xC0", "another encoding"),
        (b"\xf4\x90\x80\x80\n", "1: byte 1 of the line, 0xF4", "another encoding"),
        # A character that is cut off by the end of the line.
        (b"a\xe2\x82\nb\n", "1: byte 2 of the line, 0xE2", "another encoding"),
    ],
)
def test_invalid_utf8_is_refused_with_file_and_line(
    given_as: Callable[[bytes], str], data: bytes, where: str, hint: str
) -> None:
    path = given_as(data)
    name = "standard input" if path == "-" else path
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert str(caught.value) == (
        f"{name}:{where}, is not valid UTF-8; the file looks like {hint}: convert it to UTF-8, for "
        f"instance with iconv"
    )


def test_lines_are_counted_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "line_blocks", lambda data: text.line_blocks(data, size=3))
    for line in range(1, 9):
        data = b"".join(b"a\xffb\n" if i == line else b"ab\n" for i in range(1, 10))
        with pytest.raises(InputError, match=f"^name:{line}: byte 2 "):
            files.Cleaner("name").clean(data)


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        (
            "cut.gz",
            gzip.compress(b"text\n" * 99, mtime=0)[:-12],
            "Compressed file ended before the end-of-stream marker was reached",
        ),
        (
            "cut.xz",
            lzma.compress(b"text\n" * 99)[:-12],
            "Compressed file ended before the end-of-stream marker was reached",
        ),
        ("plain.gz", b"text\n", "Not a gzipped file"),
        ("plain.xz", b"text\n" * 9, "cannot be decompressed: Input format not supported"),
        (
            "broken.gz",
            gzip.compress(b"", mtime=0)[:10] + b"\xff" * 20,
            "cannot be decompressed: Error -3",
        ),
        ("sum.gz", gzip.compress(b"text\n", mtime=0)[:-8] + bytes(8), "CRC check failed"),
    ],
)
def test_damaged_archives_are_refused(tmp_path: Path, name: str, data: bytes, fault: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert str(caught.value).startswith(f"{path}: {fault}")


def test_several_archives_in_one_file_are_read_as_gunzip_does(tmp_path: Path) -> None:
    path = tmp_path / "two.gz"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert list(read_text(path)) == ["one", "two"]


@pytest.mark.parametrize("name", ["absent.txt", "absent.gz", "absent.xz"])
def test_missing_files_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}: no such file"


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_text(tmp_path)
    assert str(caught.value) == f"{tmp_path}: Is a directory"


@pytest.mark.parametrize("stdin", [None, SimpleNamespace(closed=True)])
def test_a_closed_standard_input_is_refused(stdin: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(InputError) as caught:
        read_text("-")
    assert str(caught.value) == "standard input is closed, or has already been read"


pieces = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"\r", b"\x85", "\u2028é".encode(), b"\xef\xbb\xbf"])
    | st.binary(max_size=3),
    max_size=8,
).map(b"".join)


@pytest.mark.filterwarnings("ignore::mteval_core.MtevalWarning")
@given(pieces)
@example(b"\xef\xbb\xbf\n")
def test_any_bytes_are_lines_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "text"
    path.write_bytes(data)
    try:
        text = read_text(path)
    except InputError as error:
        assert str(error).startswith(f"{path}:")  # noqa: PT017 - both ends are allowed
        return
    lines = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    assert list(text) == (lines[:-1] if lines[-1] == "" else lines)
    assert not text.missing.any()


# Files that are larger than they look


@pytest.mark.parametrize("ending", ["gz", "xz", "zst"])
def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    library = pytest.importorskip({"gz": "gzip", "xz": "lzma", "zst": "zstandard"}[ending])
    path = tmp_path / f"bomb.{ending}"
    path.write_bytes(library.compress(b"a b c\n" * 1_000_000))
    assert len(read_text(path)) == 1_000_000
    monkeypatch.setenv("MTEVAL_MAX_BYTES", "3000000")
    assert path.stat().st_size < 30_000
    for read in (lambda: read_text(path), lambda: list(files.read_blocks(path))):
        with pytest.raises(InputError, match=rf"bomb.{ending}: a file with more than 3,000,000"):
            read()


@pytest.mark.parametrize(
    "data",
    [
        b"xx",
        b"\x28\xb5\x2f\xfd\xe0" + (2**62).to_bytes(8, "little") + b"\1\0\0",
        b"\x28\xb5\x2f\xfd\0" + bytes([21 << 3]) + b"\1\0\0",
    ],
    ids=["no frame", "a frame of 2^62 bytes", "a window of 2^31 bytes"],
)
def test_a_damaged_frame_of_zstandard_is_refused(tmp_path: Path, data: bytes) -> None:
    pytest.importorskip("zstandard")
    (tmp_path / "x.zst").write_bytes(data)
    with pytest.raises(InputError, match=r"x.zst: cannot be decompressed: "):
        read_text(tmp_path / "x.zst")


def test_a_device_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MTEVAL_MAX_BYTES", "3000000")
    with pytest.raises(InputError, match=r"/dev/zero: a file with more than 3,000,000 bytes"):
        read_text("/dev/zero")


def test_a_line_has_a_largest_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_text("a\n" + "b " * 1_000_000 + "\n")
    assert len(read_text(path)) == 2
    monkeypatch.setenv("MTEVAL_MAX_LINE", "1000000")
    for read in (lambda: read_text(path), lambda: list(files.read_blocks(path))):
        with pytest.raises(InputError, match=r"x: a line with more than 1,000,000 bytes"):
            read()
    path.write_text('{"a": "' + "b " * 1_000_000 + '"}\n')
    assert len(read_text(path, plain=False)) == 1


@pytest.mark.parametrize("bound", ["many", "0", "-5", ""])
def test_a_bound_that_is_no_number_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    (tmp_path / "x").write_text("a\n")
    monkeypatch.setenv("MTEVAL_MAX_LINE", bound)
    with pytest.raises(mt.UsageError, match=r"MTEVAL_MAX_LINE is .*: expected a number of bytes"):
        read_text(tmp_path / "x")


def test_memory_that_is_not_there_is_an_error_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clean(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("mteval_core.text.files.Cleaner.clean", clean)
    path = tmp_path / "x"
    path.write_text("a\n")
    with pytest.raises(InputError, match=r"x: out of memory$"):
        read_text(path)
