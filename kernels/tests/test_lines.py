"""Strings as lines: both implementations against Python's own codec."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

SEGMENTS = st.tuples(
    st.text(st.sampled_from("ab \r\u0085é中🙂\0\x7f\x80"), max_size=20),
    st.sampled_from(["", "\n", "\r\n", "\n\r\n"]),
).map("".join)


@given(segments=st.lists(st.none() | SEGMENTS, max_size=6))
def test_each_segment_is_a_line_without_its_line_end(
    kernel: Any, segments: list[str | None]
) -> None:
    buffer, starts, ends = kernel.encode_lines(segments)
    expected = [
        b"\xff"
        if segment is None
        else segment.encode()[: -2 if segment.endswith("\r\n") else -1]
        if segment.endswith("\n")
        else segment.encode()
        for segment in segments
    ]
    assert starts.dtype == ends.dtype == np.int64
    assert [buffer[start:end] for start, end in zip(starts, ends, strict=True)] == expected
    assert buffer == b"".join(line + b"\n" for line in expected)


@pytest.mark.parametrize("wrong", ["a\ud800", "\udfff\n"])
def test_lone_surrogates_are_refused(kernel: Any, wrong: str) -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        kernel.encode_lines(["a", wrong])
