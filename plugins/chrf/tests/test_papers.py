"""Scores worked by hand from the formulas of the papers."""

from __future__ import annotations

import pytest
from mteval_chrf.tokenization import words
from mteval_testing.values import sentence_values as values


def test_characters_of_both_orders() -> None:
    """Hypothesis ``ab cd``, reference ``abd``: 3 of 4 and 3; 1 of 3 and 2 n-grams in common."""
    p, r = (3 / 4 + 1 / 3) / 2, (3 / 3 + 1 / 2) / 2
    found = values("chrf:nc=2", "ab cd", "abd")
    assert found["chrP"] == pytest.approx(100 * p)
    assert found["chrR"] == pytest.approx(100 * r)
    assert found["chrF"] == pytest.approx(100 * 5 * p * r / (4 * p + r))
    assert values("chrf:nc=2,beta=0", "ab cd", "abd")["chrF"] == pytest.approx(100 * p)


def test_the_papers_take_the_mean_of_f() -> None:
    """Eq. 1 of 2015 for each n, and the arithmetic mean of them."""
    unigrams, bigrams = (5 * 3 / 4 / (4 * 3 / 4 + 1)), (5 * 1 / 6 / (4 / 3 + 1 / 2))
    found = values("chrf:nc=2,eff=no", "ab cd", "abd")
    assert found["chrF"] == pytest.approx(100 * (unigrams + bigrams) / 2)


def test_chrf_plus_plus_has_words_too() -> None:
    """Characters: 3 of 5 and 4 in common; words ``ab cd .`` and ``ab e .``: 2 of 3 and 3."""
    found = values("chrf:nc=1,nw=1,beta=1", "ab cd.", "ab e.")
    p, r = (3 / 5 + 2 / 3) / 2, (3 / 4 + 2 / 3) / 2
    assert found["chrF"] == pytest.approx(100 * 2 * p * r / (p + r))


def test_orders_that_a_text_lacks_are_left_out() -> None:
    assert values("chrf", "ab", "ab")["chrF"] == 100
    assert values("chrf:eff=no", "ab", "ab")["chrF"] == pytest.approx(100 * 2 / 6)


def test_white_space() -> None:
    assert values("chrf", "a b", "ab")["chrF"] == 100
    spaced = values("chrf:space=yes,nc=1,beta=1", "a b", "ab")
    assert (spaced["chrP"], spaced["chrR"]) == (pytest.approx(100 * 2 / 3), 100)


def test_the_first_of_equally_good_references() -> None:
    """Both references give F = 1/2: 1 of 2 and 2 n-grams in common, 2 of 2 and 6."""
    one, two = "ax", "aabcde"
    for references in ((one, two), (two, one)):
        found = values("chrf:nc=1,beta=1", "aa", *references)
        assert found == values("chrf:nc=1,beta=1", "aa", references[0])
        assert found["chrF"] == pytest.approx(50)
    assert values("chrf:nc=1", "ab", *("cd", "abx", "ab")) == values("chrf:nc=1", "ab", "ab")


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", "ab"), ("ab", ""), ("", ""), ("a", "b")]
)
def test_nothing_in_common(hypothesis: str, reference: str) -> None:
    for spec in ("chrf", "chrf:nw=2", "chrf:eff=no", "chrf:space=yes,beta=0"):
        assert values(spec, hypothesis, reference) == {"chrF": 0, "chrP": 0, "chrR": 0}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, world!", "Hello , world !"),
        ("(hi) -hi ... - a.", "(hi ) - hi .. . - a ."),
        ("„hi“ hi… don't", "„hi“ hi… don't"),
        (" \u00a0", ""),
    ],
)
def test_words(text: str, tokens: str) -> None:
    assert words(text) == tokens.split()
