"""Tokenizers that do not fit a script, and normal forms."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_doctor.scripts import form_counts, form_of_counts
from mteval_doctor.tokenization import kept_share, unspaced_script, whole_share
from mteval_testing.targets import load

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def tokenized(name: str, line: str) -> list[str]:
    function = mt.default_registry().find(mt.TokenizerSpec, name).declaration.function
    tokens: list[str] = load(function)(line)
    return tokens


@pytest.mark.parametrize("script", TEXTS)
def test_scripts_without_spaces(script: str) -> None:
    lines = TEXTS[script]
    assert unspaced_script(lines) == script
    words = [word for line in lines for word in tokenized("13a", line)]
    assert whole_share(lines, words) > 0.9
    assert whole_share(lines, [token for line in lines for token in tokenized("char", line)]) == 0


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
    assert whole_share(lines, [token for line in lines for token in tokenized("zh", line)]) == 0
    assert whole_share(["東京都に"], ["東京都に"]) == 0, "a short run may be one word"
    assert whole_share(["あいうえお かきくけこ"], ["あいうえお", "かき", "くけこ"]) == 0.5


def normal_form(text: str) -> str | None:
    return form_of_counts(*form_counts(text))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("line", ["café naïve", "가나다", "ガギグ", "Tiếng Việt"])
def test_normal_forms(form: Literal["NFC", "NFD"], line: str) -> None:
    text = unicodedata.normalize(form, line)
    assert normal_form(text) == form


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_in_one_normal_form_is_found(text: str) -> None:
    assert normal_form(unicodedata.normalize("NFC", text)) in ("NFC", None)
    assert normal_form(unicodedata.normalize("NFD", text)) in ("NFD", None)
    if normal_form(unicodedata.normalize("NFD", text)) is None:
        assert unicodedata.is_normalized("NFD", unicodedata.normalize("NFC", text))


# Warnings


PLUGIN = """
import re

import mteval_core as mt

class Words:
    def segment_statistics(self, hypothesis, references):
        return [len(hypothesis)]

    def score(self, totals):
        return totals

def ascii_words(line):
    return re.findall("[a-z0-9]+", line.lower())

@mt.hookimpl
def mteval_register_metrics():
    return [mt.MetricSpec(name, factory=Words, values={"n": 1}) for name in ("words", "terms")]

@mt.hookimpl
def mteval_register_tokenizers():
    return [mt.TokenizerSpec("ascii", function=ascii_words)]
"""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> mt.Registry:
    path = tmp_path_factory.mktemp("plugin") / "words.py"
    path.write_text(PLUGIN, "utf-8")
    return mt.load_registry(files=[str(path)])


def warned(lines: Sequence[str], registry: mt.Registry, *specs: str) -> dict[str, str]:
    text = mt.TextSummary.of(mt.Text.of(lines))
    scorers = tuple(mt.metric(spec, registry=registry) for spec in specs)
    found = mt.CheckedTexts({"A": text}, (text,), None, scorers).findings(registry)
    return {code: message for code, message in found if code.endswith("script")}


@pytest.mark.parametrize("script", TEXTS)
def test_all_metrics_that_leave_a_script_whole_are_named_in_one_warning(
    script: str, registry: mt.Registry
) -> None:
    lines = TEXTS[script]
    found = warned(lines, registry, "words", "terms:tok=none", "words:tok=char")
    assert [*found] == ["unspaced-script"]
    assert found["unspaced-script"].startswith(
        f"words, terms:tok=none: the references are in {script}"
    )
    assert "13a and none do not cut it" in found["unspaced-script"]
    assert warned(lines, registry, "words:tok=char") == {}


@pytest.mark.parametrize("script", TEXTS)
def test_a_tokenizer_that_drops_a_script_is_named_with_its_metrics(
    script: str, registry: mt.Registry
) -> None:
    found = warned(TEXTS[script], registry, "words:tok=ascii", "terms:tok=ascii", "words:tok=char")
    assert [*found] == ["dropped-script"]
    message = found["dropped-script"]
    assert message.startswith("words:tok=ascii, terms:tok=ascii: ascii does not keep most letters")


def test_a_tokenizer_that_drops_a_script_with_spaces_is_named(registry: mt.Registry) -> None:
    lines = ["\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440"]
    assert [*warned(lines, registry, "words:tok=ascii")] == ["dropped-script"]
    assert warned(lines, registry, "words") == {}
    assert warned(["Stra\u00dfe, na\u00efve caf\u00e9"], registry, "words:tok=ascii") == {}
    assert warned([], registry, "words:tok=ascii") == {}


def test_the_share_of_letters_that_is_kept() -> None:
    assert kept_share(["a b, c d."], ["a", "b", ","]) == 0.5
    assert kept_share(["1, 2"], []) == 0


def test_both_sides_are_tokenized_again(registry: mt.Registry) -> None:
    cut = mt.TextSummary.of(mt.Text.of(["It is so ."] * 30))

    def codes(spec: str) -> list[str]:
        texts = mt.CheckedTexts({"A": cut}, (cut,), None, (mt.metric(spec, registry=registry),))
        return [code for code, _ in texts.findings(registry)]

    assert codes("words") == ["tokenized-text"]
    assert codes("words:tok=none") == []


def test_a_metric_that_folds_the_case_hides_its_warning(registry: mt.Registry) -> None:
    mixed, small = (
        mt.TextSummary.of(mt.Text.of([line] * 10)) for line in ("So it is.", "so it is.")
    )

    def codes(*specs: str) -> list[str]:
        scorers = tuple(mt.metric(spec, registry=registry) for spec in specs)
        texts = mt.CheckedTexts({"A": small}, (mixed,), None, scorers)
        return [code for code, _ in texts.findings(registry)]

    assert codes("words", "words:case=lc") == ["letter-case"]
    assert codes("words:case=lc") == []
