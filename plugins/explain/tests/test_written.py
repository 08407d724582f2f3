"""The texts of explanations: their tokens are found where people wrote them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_explain.written import explanations, place
from mteval_testing.explanation_checks import check_explanations

pytest.importorskip("mteval_error_rates")

HYPOTHESES = ["Say &quot;No&quot;, please.", "b a a"]
REFERENCES: list[list[str | None]] = [["Say no", "a b c"], [None, "a a d"]]


def test_an_explanation_has_its_texts() -> None:
    first, second = explanations("per", HYPOTHESES, REFERENCES)
    assert [written.label for written in first.written] == ["hypothesis", "reference 0"]
    assert first.words() == ["Say", "&quot;", "No", "&quot;", ",", "please", "."]
    assert "".join(piece for piece, _ in first.pieces()) == HYPOTHESES[0]
    assert [written.text for written in second.written] == ["b a a", "a b c", "a a d"]
    assert second.shown_references == (second.best,)


def test_json_holds_all_of_it() -> None:
    (explanation,) = explanations("per", ["b a"], [["a b"]])
    data = json.loads(json.dumps(explanation.to_dict()))
    assert data["texts"][0] == {
        "label": "hypothesis",
        "text": "b a",
        "places": [[0, 1], [2, 3]],
        "tokens": ["b", "a"],
    }
    assert data["links"][0] == {
        "hypothesis": [0],
        "reference": [1],
        "to": 0,
        "kind": "word",
        "weight": 1.0,
    }
    assert (data["row"], data["columns"]) == ([2, 2, 2], ["c", "h", "r"])


# Places


@pytest.mark.parametrize(
    ("text", "tokens", "found"),
    [
        ("A-b, C.", ["a-b", ",", "c", "."], ["A-b", ",", "C", "."]),
        ("x &amp;lt; y", ["x", "&", "lt", ";", "y"], ["x", "&amp;", "lt", ";", "y"]),
        ("one<skipped>two", ["onetwo"], ["one<skipped>two"]),
        ("the cat he saw", ["he", "saw"], ["he", "saw"]),  # a stop word was removed
        ("Bärenfurt's", ["b", "renfurt", "s"], ["B", "renfurt", "s"]),
        ("ΟΔΟΣ İz", ["οδος", "i̇z"], ["ΟΔΟΣ", "İz"]),
        ("東京 tower", ["東", "京", "tower"], ["東", "京", "tower"]),
        ("walks home", ["walk", "home"], ["walk", "home"]),
        ("a b", ["b", "a"], ["b", None]),
        ("", ["a"], [None]),
    ],
)
def test_tokens_are_found_in_the_text(
    text: str, tokens: list[str], found: list[str | None]
) -> None:
    places = place(tokens, text)
    assert [None if span is None else text[slice(*span)] for span in places] == found


@given(st.text(max_size=60))
def test_common_tokenizers_can_be_undone(text: str) -> None:
    for tokenizer in ("none", "13a", "intl", "char", "zh"):
        (explanation,) = explanations(f"per:tok={tokenizer}", [text.replace("\n", " ")], [["a"]])
        places = explanation.written[0].places
        assert None not in places, tokenizer
        ends = [end for span in places for end in span or ()]
        assert ends == sorted(ends)


def test_stems_are_found_by_their_words() -> None:
    (explanation,) = explanations("per:stem=porter", ["Running dogs!"], [["A dog runs."]])
    assert explanation.hypothesis == ("Run", "dog", "!")
    assert explanation.words() == ["Running", "dogs", "!"]
    check_explanations("per:stem=porter", ["Running dogs!"], [["A dog runs."]])
