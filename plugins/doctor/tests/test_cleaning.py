"""Normalizers that remove what language models write around a translation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_doctor import cleaning
from mteval_doctor.hooks import NORMALIZERS
from mteval_doctor.residue import RESIDUES
from mteval_doctor.samples import Sample

import mteval_core as mt


@pytest.mark.parametrize(
    ("name", "line", "cleaned"),
    [
        ("think", "<think>A pun?</think> So it is.", "So it is."),
        ("think", "A pun?</think>So it is.", "So it is."),
        ("think", "So it is. <THINKING>A pun?", "So it is."),
        ("think", "<think>a</think>b<think>c</think>d", "d"),
        ("think", "I think so.", "I think so."),
        ("fences", "```text So it is.```", "So it is."),
        ("fences", "``` So it is.", "So it is."),
        ("fences", "`x` is so.", "`x` is so."),
        ("preamble", "Here is the translation: So it is.", "So it is."),
        ("preamble", "Sure! Here's the German translation: So: it is.", "So: it is."),
        ("preamble", "Translation: So it is.", "So it is."),
        ("preamble", "\u00dcbersetzung: So ist es.", "So ist es."),
        (
            "preamble",
            "\u4ee5\u4e0b\u662f\u7ffb\u8bd1\uff1a\u662f\u7684\u3002",
            "\u662f\u7684\u3002",
        ),
        ("preamble", "He said: so it is.", "He said: so it is."),
        ("numbering", "12. So it is.", "So it is."),
        ("numbering", "(3) So it is.", "So it is."),
        ("numbering", "1.5 litres", "1.5 litres"),
        ("numbering", "2024 was so.", "2024 was so."),
        ("quotes", '"So it is."', "So it is."),
        ("quotes", "\u201eSo ist es.\u201c", "So ist es."),
        ("quotes", '"So" it "is"', '"So" it "is"'),
        ("json", '{"translation": "So \\u0069t\\n is."}', "So it\n is."),
        ("json", ' ["So it is."]\n', "So it is."),
        ("json", '{"id": 1, "text": "So it is."}', "So it is."),
        ("json", '{"thought": "A pun?", "Translation": "So it is."}', "So it is."),
        (
            "json",
            '{"de": "So ist es.", "en": "So it is."}',
            '{"de": "So ist es.", "en": "So it is."}',
        ),
        ("json", '{"translation": "So it', '{"translation": "So it'),
        ("json", '{"translation": "\\ud800"}', '{"translation": "\\ud800"}'),
        ("json", "[" * 100_000, "[" * 100_000),
        ("json", "[1, null]", "[1, null]"),
        ("json", "[sic] So it is.", "[sic] So it is."),
        ("fences", "```json ['So it is.']```", "['So it is.']"),
        ("residue", '```json\n{"translation": "So it is."}\n```', "So it is."),
        ("residue", '1. <think>Hm.</think> "So it is."', "So it is."),
    ],
)
def test_a_line_is_cleaned(name: str, line: str, cleaned: str) -> None:
    assert getattr(cleaning, f"without_{name}")(line) == cleaned


PIECES = ['"', "a", " ", "1", ".", "<think>", "</think>", "```", ":", "translation", "\n"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_nothing_is_added(line: str) -> None:
    for name in NORMALIZERS:
        letters = iter(line)
        assert all(letter in letters for letter in getattr(cleaning, f"without_{name}")(line))


def sample(line: str) -> Sample:
    return Sample(mt.TextSummary.of(mt.Text.of([line])))


def test_what_a_warning_advises_exists_and_removes_what_was_found() -> None:
    advised = {each.normalizer for each in RESIDUES if each.normalizer}
    assert advised == NORMALIZERS.keys() - {"residue"}
    lines = {
        "think": "<think>Hm.</think> So it is.",
        "fences": "```So it is.```",
        "json": '{"translation": "So it is."}',
        "preamble": "Here is the translation: So it is.",
        "numbering": "1. So it is.",
        "quotes": '"So it is."',
    }
    for residue in RESIDUES:
        if residue.normalizer:
            clean = getattr(cleaning, f"without_{residue.normalizer}")
            line = lines[residue.normalizer]
            assert residue.found(sample(line))
            assert clean(line) == "So it is."
            assert residue.found(sample(clean(line))) == []


def test_a_signature_says_what_was_removed() -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    metric = mt.metric("wer:clean=think")
    assert metric.corpus_score(["<think>a b</think> a b"], [["a b"]]).score == 0
    assert mt.metric("wer").corpus_score(["<think>a b</think> a b"], [["a b"]]).score > 0
    signature = str(metric.signature([["a b"]]))
    assert "clean:think" in signature
    assert "mteval-doctor" in signature
    again = mt.metric(signature)
    assert again.corpus_score(["<think>a b</think> a b"], [["a b"]]).score == 0
    assert "clean" not in str(mt.metric("wer").signature([["a b"]]))


def test_what_all_metrics_remove_is_no_damage(recwarn: pytest.WarningsRecorder) -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    output, references = {"A": ["<think>a b</think> a b"]}, [["a b"]]
    for specs, n in (
        (["wer:clean=think", "ter:clean=residue"], 0),
        (["wer:clean=think", "ter"], 1),
    ):
        recwarn.clear()
        mt.evaluate(output, references, specs)
        assert [getattr(each.message, "code", "") for each in recwarn] == ["thinking"] * n


def test_checks_see_what_all_metrics_leave(recwarn: pytest.WarningsRecorder) -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    output = ['{"translation": "\\u0061 b"}'] * 2
    for specs, expected in (
        (["wer:clean=json", "ter:clean=residue"], []),
        (["wer:clean=json", "ter:clean=think"], ["escapes", "json"]),
    ):
        recwarn.clear()
        mt.evaluate({"A": output}, [["a b"] * 2], specs)
        assert [getattr(each.message, "code", "") for each in recwarn] == expected


TWO_TEXTS = '{"de": "a b", "en": "a c"}'


@pytest.mark.parametrize(
    ("line", "specs", "advice"),
    [
        ('{"translation": "a b"}', ["wer"], "METRIC:clean=json removes it"),
        ('{"translation": "a b"}', ["wer:clean=json", "ter"], "METRIC:clean=json removes it"),
        (TWO_TEXTS, ["wer"], "clean=json leaves it there"),
        (TWO_TEXTS, ["wer:clean=json"], "clean=json leaves it there"),
        ("1. 2. a b", ["wer:clean=numbering"], "clean=numbering leaves it there"),
    ],
)
def test_advice_is_what_helps(line: str, specs: list[str], advice: str) -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    with pytest.warns(mt.MtevalWarning, match=f"; {advice}"):
        mt.evaluate({"A": [line] * 20}, [["a b"] * 20], specs)


def test_several_cleanings_run_in_turn_and_are_signed() -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    output, references = ["<think>a</think> 1. ```a b```"], [["a b"]]
    metric = mt.metric("wer:clean=think+numbering+fences")
    assert metric.corpus_score(output, references).score == 0
    # What begins with a thought does not begin with a number.
    assert mt.metric("wer:clean=numbering+think+fences").corpus_score(output, references).score > 0
    signature = str(metric.signature(references))
    assert "|clean:think+numbering+fences|" in signature
    assert "mteval-doctor@" in signature
    again = mt.metric(signature)
    assert str(again.signature(references)) == signature
    assert again.corpus_score(output, references).score == 0
    with pytest.raises(mt.UnknownNameError, match=r"'fnces'\. Did you mean 'fences'"):
        mt.metric("wer:clean=think+fnces")
    with pytest.raises(mt.OptionError, match=r"tok=13a\+char"):
        mt.metric("wer:tok=13a+char")
    for several in ("think+think", "think+none"):
        with pytest.raises(mt.OptionError, match="expected no none, and nothing twice"):
            mt.metric(f"wer:clean={several}")


def test_what_one_of_several_cleanings_removes_is_no_damage(
    recwarn: pytest.WarningsRecorder,
) -> None:
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    for names, n in (("fences+think", 0), ("fences+quotes", 1)):
        recwarn.clear()
        mt.evaluate({"A": ["<think>a b</think> a b"]}, [["a b"]], [f"wer:clean={names}"])
        assert [getattr(each.message, "code", "") for each in recwarn] == ["thinking"] * n
