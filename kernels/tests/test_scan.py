"""The scanners against tokens by hand, `str.split`, and each other."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType, SimpleNamespace

scanners = pytest.mark.parametrize("scanner", ["scan_13a", "scan_whitespace"])

WHITE_SPACE = [chr(code) for code in range(0x110000) if chr(code).isspace()]
NASTY = [
    *"abcZ019012345.,.,.,---'\"&;:/()[]{}`~!?@#$%^*_+=|\\<>",
    *WHITE_SPACE,
    *("&amp;", "&lt;", "&gt;", "&quot;", "amp;", "lt;", "gt;", "quot;", "&amp;lt;", "&amp;amp;"),
    *("<skipped>", "<ski", "pped>", "-\n", "\n", " ", " ", " ", "-<skipped>\n", "&am-\np;"),
    *("é", "中", "🙂", "e\u0301", "\u200b", "\u2060", "\u200d", "\ufeff", "\u0660", "½"),
    *("\0", "\x1b", "\x7f", "\u0084", "\u00a1", "\u2027", "\u202a", "\u2060", "\u3001"),
]


def scan(
    kernel: Any, scanner: str, texts: Sequence[bytes], vocabulary: Any = None
) -> tuple[list[list[str]], Any]:
    """Tokens of texts, and the vocabulary."""
    if vocabulary is None:
        vocabulary = kernel.Vocabulary()
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = ends - np.array([len(text) for text in texts], dtype=np.int64)
    ids, offsets = getattr(kernel, scanner)(b"".join(texts), starts, ends, vocabulary)
    assert ids.dtype == np.int32
    assert offsets.dtype == np.int64
    assert offsets[0] == 0
    assert offsets[-1] == len(ids)
    tokens = vocabulary.tokens(ids)
    bounds = offsets.tolist()
    return [tokens[bounds[i] : bounds[i + 1]] for i in range(len(texts))], vocabulary


def fuzzed_lines(count: int) -> list[str]:
    rng = random.Random(13)
    alphabets = [NASTY, list("5.,- a"), ["&", "amp;", "lt;", "gt;", "quot;", ".", "1", "<", " "]]
    return [
        "".join(rng.choices(rng.choice(alphabets), k=rng.choice([0, 1, 2, 3, 5, 8, 13, 21])))
        for _ in range(count)
    ]


def test_white_space_is_that_of_split(kernel: Any) -> None:
    lines = ["a".join(map(chr, range(block, block + 256))) for block in blocks()]
    lines += fuzzed_lines(10_000)
    tokens, _ = scan(kernel, "scan_whitespace", [line.encode() for line in lines])
    assert tokens == [line.split() for line in lines]


def cut(word: str) -> list[str]:
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    if len(word) > 1 and word[-1] in marks:
        return [word[:-1], word[-1]]
    if len(word) > 1 and word[0] in marks:
        return [word[0], word[1:]]
    return [word]


def test_cuts_one_mark_off_each_word(kernel: Any) -> None:
    lines = ["\"a\" b,- (é) '' . -\U0001f642 \U0001f642! 3", *fuzzed_lines(10_000)]
    lines += [f"a{chr(code)} {chr(code)}a {chr(code)}" for code in range(0x300)]
    vocabulary = kernel.Vocabulary()
    buffer, starts, ends = kernel.encode_lines(lines)
    ids, offsets = kernel.scan_whitespace(buffer, starts, ends, vocabulary, cut=True)
    tokens, bounds = vocabulary.tokens(ids), offsets.tolist()
    expected = [[part for word in line.split() for part in cut(word)] for line in map(ended, lines)]
    assert [tokens[a:b] for a, b in pairwise(bounds)] == expected
    assert expected[0][:4] == ['"a', '"', "b,", "-"]
    numbers: dict[str, int] = {}
    assert ids.tolist() == [numbers.setdefault(token, len(numbers)) for token in tokens]


def ended(line: str) -> str:
    """Return the line without the one line end that `encode_lines` takes off."""
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def blocks() -> list[int]:
    """Where blocks of 256 characters start that UTF-8 can write."""
    return [block for block in range(0, 0x110000, 256) if not 0xD800 <= block < 0xE000]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        (" \u3000\n", ""),
        ("Hello, world.", "Hello , world ."),
        ("It's $1,234.50-60 (net).", "It's $ 1,234.50 - 60 ( net ) ."),
        ("a.,5 1.,5 .5 5. a..5", "a . ,5 1 . , 5 . 5 5 . a . .5"),
        ("well-known 5-year -3", "well-known 5 - year -3"),
        (
            "&amp;lt; &lt;b&gt; &quot;q&quot; &amp;amp; &amp;quot; AT&T",
            '< < b > " q " & amp ; & quot ; AT & T',
        ),
        (
            "a<skipped>b <ski<skipped>pped> hyphen-\nated -<skipped>\nx",
            "ab < skipped > hyphenated x",
        ),
    ],
)
def test_13a_by_hand(kernel: Any, text: str, tokens: str) -> None:
    assert scan(kernel, "scan_13a", [text.encode()])[0] == [tokens.split()]


@scanners
def test_both_give_the_same_ids(native: ModuleType, twins: SimpleNamespace, scanner: str) -> None:
    lines = ["5".join(map(chr, range(block, block + 256))) for block in blocks()]
    lines += ["".join(line) for n in range(1, 7) for line in product("5a.,-", repeat=n)]
    texts = [line.encode() for line in [*lines, *fuzzed_lines(100_000)]]
    tokens, vocabulary = scan(native, scanner, texts)
    expected, reference_vocabulary = scan(twins, scanner, texts)
    everything = np.arange(len(vocabulary), dtype=np.int32)
    assert tokens == expected
    assert vocabulary.tokens(everything) == reference_vocabulary.tokens(everything)


@scanners
def test_rules_apply_at_any_place_of_a_long_text(
    native: ModuleType, twins: SimpleNamespace, scanner: str
) -> None:
    ends = ["", ".", " 1,2.,3-4 b", "&amp;lt;\u2003\u00a0&quot;.", "..5", "-", "\u2003"]
    texts = [("a" * n + end).encode() for n in range(130) for end in ends]
    assert scan(native, scanner, texts)[0] == scan(twins, scanner, texts)[0]


@scanners
def test_texts_of_any_number_of_tokens_and_tokens_of_any_length(
    native: ModuleType, twins: SimpleNamespace, scanner: str
) -> None:
    texts = [b" ".join(b"a" * (n % 41) + b"-\n" * (i % 2) for n in range(i)) for i in range(300)]
    tokens, vocabulary = scan(native, scanner, [*texts, b"a", b"b"])
    assert tokens == scan(twins, scanner, [*texts, b"a", b"b"])[0]
    types = vocabulary.tokens(np.arange(len(vocabulary), dtype=np.int32))
    assert [vocabulary.find(each) for each in types] == list(range(len(types)))


@scanners
def test_any_split_into_calls_gives_the_same_ids(kernel: Any, scanner: str) -> None:
    texts = [line.encode() for line in fuzzed_lines(200)]
    vocabulary = scan(kernel, scanner, texts)[1]
    parts = kernel.Vocabulary()
    for at in range(0, 200, 50):
        scan(kernel, scanner, texts[at : at + 50], parts)
    everything = np.arange(len(vocabulary), dtype=np.int32)
    assert parts.tokens(everything) == vocabulary.tokens(everything)


@scanners
def test_texts_may_overlap_and_come_in_any_order(kernel: Any, scanner: str) -> None:
    vocabulary = kernel.Vocabulary()
    starts, ends = np.array([4, 0, 0, 2]), np.array([7, 7, 0, 5])
    ids, offsets = getattr(kernel, scanner)(b"ab cd ef", starts, ends, vocabulary)
    assert offsets.tolist() == [0, 2, 5, 5, 6]
    assert vocabulary.tokens(ids) == ["d", "e", "ab", "cd", "e", "cd"]


@scanners
def test_no_texts(kernel: Any, scanner: str) -> None:
    assert scan(kernel, scanner, [])[0] == []


INVALID = [
    *(b"\x80", b"a\xc3", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf0\x80\x80\xaf"),
    *(b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xe2\x80 ", b"\xf0\xe2\x80\x80"),
    *(b"\xc3<skipped>\xa9", b"\xc3-\n\xa9", b"\xc2.\xa0", b"\xe3\x80\xc2\xa0"),
]


@scanners
@pytest.mark.parametrize("invalid", INVALID)
def test_refuses_what_is_not_utf8(kernel: Any, scanner: str, invalid: bytes) -> None:
    with pytest.raises(UnicodeDecodeError) as seen:
        scan(kernel, scanner, [b"good", b"text ", b"x " + invalid, b"more"])
    with pytest.raises(UnicodeDecodeError) as expected:
        (b"x " + invalid).decode()
    assert str(seen.value) == str(expected.value)


@scanners
@pytest.mark.parametrize(
    ("starts", "ends", "message"),
    [
        ([0], [4], "buffer: text 0 is 0:4"),
        ([0, -1], [1, 1], "buffer: text 1 is -1:1"),
        ([2], [1], "buffer: text 0 is 2:1"),
        ([0, 1], [1], "buffer: 2 starts but 1 ends"),
    ],
)
def test_refuses_texts_outside_the_buffer(
    kernel: Any, scanner: str, starts: list[int], ends: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(kernel, scanner)(b"abc", np.array(starts), np.array(ends), kernel.Vocabulary())


@scanners
def test_refuses_a_buffer_of_str(kernel: Any, scanner: str) -> None:
    with pytest.raises(TypeError):
        getattr(kernel, scanner)("abc", np.array([0]), np.array([3]), kernel.Vocabulary())


def test_a_vocabulary_filled_by_several_threads_stays_whole(native: ModuleType) -> None:
    vocabulary = native.Vocabulary()
    lines = [line for line in fuzzed_lines(8_000) if line.strip()]
    texts = [line.encode() for line in lines]
    with ThreadPoolExecutor(4) as pool:
        runs = [
            pool.submit(scan, native, "scan_whitespace", texts[i::8], vocabulary) for i in range(8)
        ]
        for i, run in enumerate(runs):
            assert run.result()[0] == [line.split() for line in lines[i::8]]
    tokens = vocabulary.tokens(np.arange(len(vocabulary), dtype=np.int32))
    assert len(set(tokens)) == len(tokens)


@given(lines=st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"\r"))))
def test_lines_are_found_by_their_line_feeds(kernel: Any, lines: list[bytes]) -> None:
    buffer = b"".join(line + b"\n" for line in lines)
    starts, ends = kernel.line_bounds(buffer)
    assert starts.dtype == ends.dtype == np.int64
    assert [buffer[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)] == lines


def test_a_line_without_a_line_feed_is_refused(kernel: Any) -> None:
    with pytest.raises(ValueError, match=r"^buffer: expected a line feed at the end$"):
        kernel.line_bounds(b"one\ntwo")
    with pytest.raises(TypeError, match=r"^buffer: expected bytes, got str$"):
        kernel.line_bounds("one\n")
