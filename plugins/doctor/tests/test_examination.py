"""Examination of texts: what is found in one text, and between two."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_doctor import examination, shift
from mteval_doctor.examination import HARMLESS, Examined, compare, examine, examine_file
from mteval_doctor.scripts import main_script
from mteval_doctor.shift import FARTHEST, Shift, find_shift

import mteval_core as mt
from mteval_core import Cleaner

DATA = Path(__file__).parents[4] / "shared" / "data"


def examined(data: bytes, name: str = "f") -> Examined:
    return examine_file(name, io.BytesIO(data))


def found(data: bytes) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in examined(data).problems]


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        (b"one\ntwo\n", []),
        (b"one\ntwo", []),
        (b"", [("empty", None)]),
        (b"one\n\xff\n", [("encoding", 2)]),
        ("one\ntwo\n".encode("utf-16"), [("encoding", 1)]),
        ("one\ntwo\n".encode("utf-16-le"), [("format", None)]),
        (b'{"a": "b"}\n{"a": "c"}\n', [("format", None)]),
        (b"a b\tc d\ne f\tg h\n", [("tabs", None)]),
        (b"\xef\xbb\xbfone\n", [("bom", 1)]),
        (b"one\ntwo\r\n", [("crlf", 2)]),
        (b"one\ntw\ro\n", [("carriage-return", 2)]),
        ("a\nb\u2028c\n".encode(), [("line-separator", 2)]),
        (b"a\x0cb\n", [("line-separator", 1)]),
        (b"a\nb\x01\n", [("control", 2)]),
        ("a\nb\u202ec\n".encode(), [("bidi", 2)]),
        ("a\u200bb\n".encode(), [("zero-width", 1)]),
        ("a\nb\xa0c\n".encode(), [("odd-space", 2)]),
        ("a\ufffd\n".encode(), [("replacement", 1)]),
        (b"a < b > c\nan <b class='x'>y</b>\n", [("markup", 2)]),
        (b"R&D, AT&T;\nthis &amp; that\n", [("markup", 2)]),
        ("für\n".encode().decode("latin-1").encode(), [("encoded-twice", 1)]),
        ("it’s\n".encode().decode("cp1252").encode(), [("encoded-twice", 1)]),
        ("à la carte – “ça” Â\n".encode(), []),
        (b"a\n\nb\n", [("empty-lines", 2)]),
        (b"a\n" * 10 + b"\n", []),
        (b"It is so .\n" + b"a\n" * 9, [("tokenized", None)]),
        (b"It is so .\n" + b"a\n" * 10, []),
    ],
)
def test_problems_of_a_file(data: bytes, problems: list[tuple[str, int | None]]) -> None:
    assert found(data) == problems


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\xef\xbb\xbf", ("empty", None)),
        ("a\nb\ufeff\n".encode(), ("inner-bom", 2)),
        ('\ufeff{"a": "b"}\n'.encode(), ("format", None)),
    ],
)
def test_what_the_reader_refuses_is_wrong(data: bytes, problem: tuple[str, int | None]) -> None:
    assert found(data) == [problem]
    assert examined(data).problems[0].is_wrong
    with pytest.raises(mt.InputError) as refused:
        list(Cleaner("f").blocks("f", opened=io.BytesIO(data)))
    assert str(refused.value).endswith(examined(data).problems[0].message)


def test_a_pattern_over_two_lines_is_none() -> None:
    assert found(b"a <b\nclass='x'> c\n") == []


PARTS = ["a", "b", "\n", "\n", "\r\n", " .\n", "\t", "\x01", "\r", "\u00a0", "<b>", "<b\n", ">"]


@given(
    st.lists(st.sampled_from([*PARTS, "e\u0301", "\u00e9", "\u3042", "\ufeff"])).map("".join),
    st.integers(1, 9),
)
def test_blocks_of_any_size_are_examined_as_the_whole(text: str, size: int) -> None:
    whole = examined(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(examination, "N_LINES", size)
        blocks = examined(text.encode())
    assert blocks.problems == whole.problems
    for name in ("n_lines", "n_characters", "n_empty", "n_duplicate", "script", "form"):
        assert getattr(blocks, name) == getattr(whole, name)
    assert blocks.summary.digest == whole.summary.digest
    assert blocks.summary.sample == whole.summary.sample
    assert blocks.tokenized == whole.tokenized
    assert blocks.summary.lengths.tolist() == whole.summary.lengths.tolist()


def test_what_is_in_a_text() -> None:
    text = examine("name", mt.Text.of(["é .", "", "b\nc", "é .", None, "é ."]))
    assert (text.n_lines, text.n_characters) == (6, 12)
    assert (text.n_empty, text.n_duplicate, text.script, text.form) == (2, 2, "Latin", "NFC")
    assert text.tokenized == 0.75
    nothing = Examined("name")
    assert (nothing.script, nothing.form, nothing.tokenized) == ("", "", 0)


def test_a_message_has_place_and_code() -> None:
    (problem,) = examined(b"a\nb\x01\n", "f.txt").problems
    assert str(problem) == "f.txt:2: control characters, '\\x01' for example, in 1 line [control]"
    assert problem.is_wrong
    (harmless,) = examined("a\xa0b".encode()).problems
    assert not harmless.is_wrong
    assert harmless.code in HARMLESS


@given(st.binary())
def test_any_bytes_can_be_examined(data: bytes) -> None:
    text = examined(data)
    assert text.n_lines or text.problems
    assert list(compare(text, text)) == [] or text.n_lines
    for problem in text.problems:
        assert problem.line is None or 1 <= problem.line <= data.count(b"\n") + 1


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("plain", "Latin"),
        ("Привет", "Cyrillic"),
        ("中文 in Latin", "Latin"),
        ("中文字很多 a", "Han"),
        ("日本語の文カナ", "Kana"),
        ("한국어", "Hangul"),
        ("हिन्दी", "Devanagari"),
        ("١٢ 12 !", None),
    ],
)
def test_scripts(line: str, script: str | None) -> None:
    assert main_script(Counter(line)) == script


# Two texts


def codes(first: list[str], other: list[str]) -> list[str]:
    one, two = (examine(name, mt.Text.of(text)) for name, text in (("a", first), ("b", other)))
    problems = list(compare(one, two))
    assert {problem.text for problem in problems} <= {"b"}
    return [problem.code for problem in problems]


def test_problems_between_two_texts() -> None:
    lines = [f"é{i}{'x' * (37 * i * i % 101)}" for i in range(60)]
    assert codes(lines, lines) == ["identical"]
    assert codes(lines, [*lines[1:], "x"]) == []
    assert codes(lines, lines[1:]) == ["line-count", "shifted"]
    assert codes(["a"], ["b"]) == []
    assert codes(["a"], []) == []


LENGTHS = np.random.default_rng(5).integers(5, 200, 300)


@pytest.mark.parametrize("lines", [k for k in range(-FARTHEST, FARTHEST + 1) if k])
def test_a_shift_is_found_at_its_line(lines: int) -> None:
    if lines < 0:
        other = np.delete(LENGTHS, range(150, 150 - lines))
    else:
        other = np.insert(LENGTHS, 150, [77] * lines)
    shift = find_shift(LENGTHS, other * 2 + 3)
    assert shift is not None
    assert shift.lines == lines
    assert abs(shift.start - 150) <= 3
    assert shift.stop == 300


def test_a_shift_may_end() -> None:
    other = np.insert(np.delete(LENGTHS, 100), 199, 77)
    assert find_shift(LENGTHS, other) == Shift(100, 200, -1)


@pytest.mark.parametrize("chunk", [100, 150, 299])
def test_a_shift_is_found_in_chunks(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    other = np.delete(LENGTHS, 120)
    whole = find_shift(LENGTHS, other)
    monkeypatch.setattr(shift, "CHUNK", chunk)
    assert find_shift(LENGTHS, other) == whole == Shift(121, 300, -1)
    assert find_shift(LENGTHS, LENGTHS) is None


def test_a_shift_is_found_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shift, "N_BLOCKS", 40)
    assert find_shift(LENGTHS, np.delete(LENGTHS, 120)) == Shift(121, 300, -1)


@pytest.mark.parametrize("n", [0, 1, 5, 300])
def test_texts_that_fit_have_no_shift(n: int) -> None:
    noise = np.random.default_rng(6).integers(0, 20, n)
    for other in (LENGTHS[:n], LENGTHS[:n] + noise, LENGTHS[:n] // 2, np.full(n, 7)):
        assert find_shift(LENGTHS[:n], other) is None
    assert find_shift(LENGTHS[:n], LENGTHS[:0]) is None


@pytest.mark.parametrize("name", ["mini", "news23-en-de", "news24-en-ja", "ted21-zh-en"])
def test_lost_lines_of_real_sets_are_found(name: str) -> None:
    if not (DATA / name).is_dir():
        pytest.skip(f"the test set ../shared/data/{name} is absent")
    rng = Random(name)
    reference = mt.TextSummary.of(mt.read_text(DATA / name / "ref0.txt")).lengths
    for path in sorted((DATA / name / "systems").glob("*.txt")):
        lengths = mt.TextSummary.of(mt.read_text(path)).lengths
        assert find_shift(reference, lengths) is None
        place = rng.randrange(5, len(lengths) - 30)
        shift = find_shift(reference, np.delete(lengths, place))
        assert shift is not None
        assert (shift.lines, abs(shift.start - place) <= 10) == (-1, True)
