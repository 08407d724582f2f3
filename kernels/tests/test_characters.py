"""Characters of texts: both implementations against Python's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

WHITE_SPACE = [chr(code) for code in range(0x110000) if chr(code).isspace()]
TEXTS = st.lists(
    st.text(
        st.sampled_from([*WHITE_SPACE, *"ab\u0301é中🙂\u2060\u200b\u0084"])
        | st.characters(exclude_categories=["Cs"])
    ),
    max_size=5,
)


def scan(kernel: Any, texts: Sequence[bytes], **options: bool) -> list[list[str]]:
    vocabulary = kernel.Vocabulary()
    lengths = np.array([len(text) for text in texts], np.int64)
    ends = np.cumsum(lengths)
    buffer = b"".join(texts)
    ids, offsets = kernel.scan_characters(buffer, ends - lengths, ends, vocabulary, **options)
    assert ids.dtype == np.int32
    assert offsets.dtype == np.int64
    assert [offsets[0], offsets[-1]] == [0, len(ids)]
    numbers: dict[str, int] = {}
    tokens = vocabulary.tokens(ids)
    assert ids.tolist() == [numbers.setdefault(token, len(numbers)) for token in tokens]
    return [tokens[offsets[i] : offsets[i + 1]] for i in range(len(texts))]


@given(texts=TEXTS)
def test_characters_are_code_points(kernel: Any, texts: list[str]) -> None:
    encoded = [text.encode() for text in texts]
    assert scan(kernel, encoded) == [list("".join(text.split())) for text in texts]
    assert scan(kernel, encoded, white_space=True) == [list(text) for text in texts]
    inside = [list(text.strip()) for text in texts]
    assert scan(kernel, encoded, white_space=True, strip=True) == inside
    assert scan(kernel, encoded, strip=True) == scan(kernel, encoded)


def test_strips_white_space_of_any_width(kernel: Any) -> None:
    ends = ["", *WHITE_SPACE]
    texts = [a + middle + b for a in ends for b in ends for middle in ("", "a b")]
    expected = [list(text.strip()) for text in texts]
    encoded = [text.encode() for text in texts]
    assert scan(kernel, encoded, white_space=True, strip=True) == expected


def test_every_character(kernel: Any) -> None:
    planes = [*range(0, 0x30000, 256), *range(0xE0000, 0xE1000, 256)]  # of assigned characters
    starts = [start for start in planes if not 0xD800 <= start < 0xE000]
    texts = ["".join(map(chr, range(start, start + 256))) for start in starts]
    encoded = [text.encode() for text in texts]
    assert scan(kernel, encoded) == [list("".join(text.split())) for text in texts]
    assert scan(kernel, encoded, white_space=True) == [list(text) for text in texts]


@pytest.mark.parametrize(
    "options", [{}, {"white_space": True}, {"white_space": True, "strip": True}], ids=str
)
@pytest.mark.parametrize("invalid", [b"\x80", b"a\xc3", b"\xed\xa0\x80", b"\xe2\x80 ", b"\xff"])
def test_refuses_what_is_not_utf8(kernel: Any, options: dict[str, bool], invalid: bytes) -> None:
    for text in (b"x " + invalid, invalid):
        with pytest.raises(UnicodeDecodeError):
            scan(kernel, [b"good", text], **options)


@pytest.mark.parametrize(
    ("scanner", "flag"),
    [("scan_characters", "white_space"), ("scan_characters", "strip"), ("scan_whitespace", "cut")],
)
def test_flags_are_not_numbers(kernel: Any, scanner: str, flag: str) -> None:
    with pytest.raises(TypeError, match=f"{flag}: expected True or False, got int"):
        getattr(kernel, scanner)(*kernel.encode_lines([""]), kernel.Vocabulary(), **{flag: 1})
