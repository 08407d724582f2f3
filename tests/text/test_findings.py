"""What a text looks like, and the warnings that follow from it."""

from __future__ import annotations

import random
import unicodedata
import warnings
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt
from mteval_core.evaluation.checks import CheckedTexts, warn_of_texts
from mteval_core.text.findings import (
    has_marks,
    normal_form,
    tokenized_share,
    unspaced_script,
    whole_share,
)
from mteval_core.text.summary import TextSummary
from mteval_core.text.tokenizers import char, tokenize_13a, whitespace, zh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DATA = Path(__file__).parents[3] / "shared" / "data"

TEXTS = {
    "Han": [
        "中华人民共和国，简称中国，是一个位于东亚的社会主义国家。",
        "他在2024年说：“我不知道。”",
    ],
    "Kana": ["吾輩は猫である。名前はまだ無い。", "どこで生れたかとんと見当がつかぬ。"],
    "Thai": ["ประเทศไทย มีชื่ออย่างเป็นทางการว่า ราชอาณาจักรไทย"],
    "Lao": ["ປະເທດລາວ ມີຊື່ທາງການວ່າ ສາທາລະນະລັດ ປະຊາທິປະໄຕ ປະຊາຊົນລາວ"],
    "Khmer": ["ប្រទេសកម្ពុជា គឺជាប្រទេសមួយនៅអាស៊ីអាគ្នេយ៍"],
    "Myanmar": ["မြန်မာနိုင်ငံသည် အရှေ့တောင်အာရှတွင် တည်ရှိသည်"],
}


@pytest.mark.parametrize("script", TEXTS)
def test_scripts_without_spaces(script: str) -> None:
    lines = TEXTS[script]
    assert unspaced_script(lines) == script
    words = [word for line in lines for word in tokenize_13a(line)]
    assert whole_share(lines, words) > 0.9
    assert whole_share(lines, [token for line in lines for token in char(line)]) == 0


@pytest.mark.parametrize(
    "line",
    [
        "plain English",
        "Привет, мир, как дела?",
        "이것은 한국어 문장입니다. 띄어쓰기가 있다.",
        "यह हिन्दी का एक वाक्य है।",
        "They said 你好, and that was all of it.",
        "",
        "。、！？",
    ],
)
def test_scripts_with_spaces(line: str) -> None:
    assert unspaced_script([line]) is None


def test_a_tokenizer_that_cuts_leaves_little_whole() -> None:
    lines = TEXTS["Han"]
    assert whole_share(lines, [token for line in lines for token in zh(line)]) == 0
    assert whole_share(["東京都に"], ["東京都に"]) == 0, "a short run may be one word"
    assert whole_share(["あいうえお かきくけこ"], ["あいうえお", "かき", "くけこ"]) == 0.5


def test_full_stops_after_a_space() -> None:
    assert tokenized_share(["a .", "b.", "c .", "d"]) == 0.5
    assert tokenized_share([]) == 0


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("line", ["café naïve", "가나다", "ガギグ", "Tiếng Việt"])
def test_normal_forms(form: str, line: str) -> None:
    text = unicodedata.normalize(form, line)
    assert normal_form([text]) == form
    assert has_marks([text]) == (form == "NFD")


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_in_one_normal_form_is_found(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert normal_form([unicodedata.normalize(form, text)]) in (form, None)  # type: ignore[arg-type]
    if normal_form([unicodedata.normalize("NFD", text)]) is None:
        assert unicodedata.is_normalized("NFD", unicodedata.normalize("NFC", text))


# Warnings


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
    st.lists(st.sampled_from(["a", "", " ", " .", "b\tc", "\u00e9" * 9000, None])),
    st.integers(1, 5),
)
def test_a_summary_adds_up_over_blocks(segments: list[str | None], size: int) -> None:
    text = mt.Text.of(segments)
    summary = in_blocks(text, size)
    assert summary.digest == summary.digest == text.digest
    assert (summary.n_segments, summary.n_bytes) == (len(text), len(text.buffer))
    assert summary.n_empty == text.empty.sum()
    assert summary.sample == {i: line for i, line in enumerate(segments) if line is not None}


@pytest.mark.parametrize("size", [1, 7, 256, 1000, 5000])
def test_the_sample_of_a_long_text_depends_on_the_numbers_alone(size: int) -> None:
    text = mt.Text.of([f"line {i}" for i in range(5000)])
    sample = in_blocks(text, size).sample
    runs = ((0, 384), (512, 640), (1024, 1152), (2048, 2176), (4096, 4224))
    assert [*sample] == [i for start, stop in runs for i in range(start, stop)]
    assert all(sample[i] == f"line {i}" for i in sample)


@pytest.mark.parametrize("script", TEXTS)
def test_a_script_without_spaces_is_warned_of_once(script: str, registry: mt.Registry) -> None:
    systems, lines = {"A": ["x"] * len(TEXTS[script])}, TEXTS[script]
    assert codes(systems, lines, registry, "matches", "matches:tok=none") == ["unspaced-script"]
    assert codes(systems, lines, registry, "matches:tok=char", "matches") == ["unspaced-script"]
    assert codes(systems, lines, registry, "matches:tok=char") == []


def test_two_sides_tokenized_alike_are_no_problem(registry: mt.Registry) -> None:
    plain, cut = ["It is so."] * 100, ["It is so ."] * 100
    assert codes({"A": cut}, plain, registry) == ["tokenized-text"]
    assert codes({"A": plain}, cut, registry) == ["tokenized-text"]
    assert codes({"A": cut}, cut, registry) == []
    assert codes({"A": plain}, plain, registry) == []
    assert codes({"A": cut}, plain, registry, "matches:tok=none") == []
    assert codes({"A": cut[:99]}, plain[:99], registry) == []
    rarely = [cut[0], *plain[:10]] * 100
    assert codes({"A": rarely}, plain * 11, registry) == []


def test_equal_texts_are_files_of_some_length(registry: mt.Registry) -> None:
    lines = [f"line {i}" for i in range(10)]
    same, short = (replace(mt.Text.of(some), path="sys") for some in (lines, lines[:9]))
    other = replace(mt.Text.of([*lines[1:], "x"]), path="sys")
    assert codes({"A": same}, lines, registry) == ["identical-reference"]
    assert codes({"A": other, "B": other}, lines, registry) == ["identical-systems"]
    assert codes({"A": short, "B": short}, lines[:9], registry) == []
    assert codes({"A": lines, "B": lines}, lines, registry) == []


def test_normal_forms_of_two_sides(registry: mt.Registry) -> None:
    composed, plain = ["é à"], ["e a"]
    decomposed = [unicodedata.normalize("NFD", line) for line in composed]
    assert codes({"A": decomposed}, composed, registry) == ["normal-forms"]
    assert codes({"A": composed, "B": plain}, decomposed, registry) == ["normal-forms"]
    assert codes({"A": decomposed}, decomposed, registry) == []
    assert codes({"A": decomposed}, plain, registry) == []


def test_many_segments_without_any_reference(registry: mt.Registry) -> None:
    assert codes({"A": ["a"] * 10}, ["", *"abcdefghi"], registry) == ["many-empty-references"]
    assert codes({"A": ["a"] * 11}, ["", *"abcdefghij"], registry) == []
    assert codes({"A": ["a"] * 2}, ["", " "], registry) == ["empty-references"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mini", []),
        ("news23-en-de", []),
        ("ted21-en-de", []),
        ("ted21-zh-en", []),
        ("summeval", []),
        ("news24-en-ja", ["unspaced-script"]),
    ],
)
def test_real_sets(name: str, expected: list[str], registry: mt.Registry) -> None:
    if not (DATA / name).is_dir():
        pytest.skip(f"the test set ../shared/data/{name} is absent")
    systems = {path.stem: mt.read_text(path) for path in (DATA / name / "systems").glob("*.txt")}
    references = [line or "" for line in mt.read_text(DATA / name / "ref0.txt")]
    assert codes(systems, references, registry) == expected
    assert codes(systems, references, registry, "matches:tok=char") == []


def test_the_warnings_cost_little(registry: mt.Registry) -> None:
    rng = random.Random(1)
    words = [f"wörd{i}" if i % 9 == 0 else f"word{i}" for i in range(5000)]
    lines = [" ".join(rng.choices(words, k=25)) + "." for _ in range(20_000)]
    text, reference = mt.Text.of(lines), mt.Text.of(lines[::-1])
    scorer = mt.metric("matches", registry=registry)

    def seconds() -> float:
        start = process_time()
        summaries = {"A": TextSummary.of(text)}, (TextSummary.of(reference),)
        warn_of_texts(CheckedTexts(*summaries, None, (scorer,)), registry)
        return process_time() - start

    start = process_time()
    assert whitespace(text.buffer.decode())
    one_split = process_time() - start
    assert min(seconds() for _ in range(5)) < one_split / 5
