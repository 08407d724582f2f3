"""Summaries of texts for checks, and the checks of the host."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.evaluation.checks import CheckedTexts, warn_of_texts
from mteval_core.text.summary import TextSummary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def codes(
    systems: Mapping[str, Sequence[str] | mt.Text],
    references: Sequence[str],
    registry: mt.Registry,
    *specs: str,
) -> list[str]:
    texts = {n: s if isinstance(s, mt.Text) else mt.Text.of(s) for n, s in systems.items()}
    stream = replace(mt.Text.of(references), path="ref")
    scorers = [mt.metric(spec, registry=registry) for spec in specs or ("matches",)]
    whole, *others = (warned(texts, stream, scorers, size=size) for size in (len(stream), 7, 1000))
    assert [[str(warning) for warning in other] for other in others] == [list(map(str, whole))] * 2
    return [warning.code for warning in whole]


def warned(
    outputs: Mapping[str, mt.Text], stream: mt.Text, scorers: Sequence[mt.Scorer], *, size: int
) -> list[mt.MtevalWarning]:
    """Warnings about texts that are read in blocks of a size."""
    summaries = {name: in_blocks(text, size) for name, text in outputs.items()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        texts = CheckedTexts(summaries, (in_blocks(stream, size),), None, tuple(scorers))
        warn_of_texts(texts, scorers[0].setup.registry)
    return [each.message for each in caught if isinstance(each.message, mt.MtevalWarning)]


def in_blocks(text: mt.Text, size: int) -> TextSummary:
    summary = TextSummary(text.path)
    for start in range(0, len(text), size):
        summary.add(text.slice(start, start + size))
    return summary


@given(
    st.lists(st.sampled_from(["a", "", " ", " .", "b\tc", "\u00e9" * 33_000, None])),
    st.integers(1, 5),
)
def test_a_summary_adds_up_over_blocks(segments: list[str | None], size: int) -> None:
    text = mt.Text.of(segments)
    summary = in_blocks(text, size)
    assert summary.digest == summary.digest == text.digest
    assert (summary.n_segments, summary.n_bytes) == (len(text), len(text.buffer))
    assert summary.n_empty == text.empty.sum()
    assert summary.sample == {i: line for i, line in enumerate(segments) if line is not None}
    assert summary.lengths.tolist() == np.minimum(text.ends - text.starts, 65_535).tolist()


@pytest.mark.parametrize("size", [1, 7, 256, 1000, 5000])
def test_the_sample_of_a_long_text_depends_on_the_numbers_alone(size: int) -> None:
    text = mt.Text.of([f"line {i}" for i in range(5000)])
    sample = in_blocks(text, size).sample
    runs = ((0, 384), (512, 640), (1024, 1152), (2048, 2176), (4096, 4224))
    assert [*sample] == [i for start, stop in runs for i in range(start, stop)]
    assert all(sample[i] == f"line {i}" for i in sample)


def test_equal_texts_are_files_of_some_length(registry: mt.Registry) -> None:
    lines = [f"line {i}" for i in range(10)]
    same, short = (replace(mt.Text.of(some), path="sys") for some in (lines, lines[:9]))
    other = replace(mt.Text.of([*lines[1:], "x"]), path="sys")
    assert codes({"A": same}, lines, registry) == ["identical-reference"]
    assert codes({"A": other, "B": other}, lines, registry) == ["identical-systems"]
    assert codes({"A": short, "B": short}, lines[:9], registry) == []
    assert codes({"A": lines, "B": lines}, lines, registry) == []


def test_many_segments_without_any_reference(registry: mt.Registry) -> None:
    assert codes({"A": ["a"] * 10}, ["", *"abcdefghi"], registry) == ["many-empty-references"]
    assert codes({"A": ["a"] * 11}, ["", *"abcdefghij"], registry) == []
    assert codes({"A": ["a"] * 2}, ["", " "], registry) == ["empty-references"]
