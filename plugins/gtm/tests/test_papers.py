"""The figures of the papers, on other texts with the same numbers, and more worked by hand.

Sources: Melamed, Green and Turian (2003), Precision and Recall of Machine Translation; Turian, Shen
and Melamed (2003), Evaluation of Machine Translation and its Evaluation.
"""

from __future__ import annotations

import re
from functools import partial
from math import sqrt

import pytest
from mteval_testing.values import sentence_values

import mteval_core as mt

# Runs of 4, 2 and 1 words: "kept the old maps", "a drawer", "in". The second "the" does not
# match: the reference has only one.
REFERENCE = "she kept the old maps and in a drawer"
HYPOTHESIS = "a drawer the clerk in kept the old maps"


values = partial(sentence_values, tok="gtm")


def close(*expected: float) -> object:
    """Equal up to floating-point rounding."""
    return pytest.approx(list(expected) if len(expected) > 1 else expected[0], rel=1e-14)


@pytest.mark.parametrize("matching", ["greedy", "exact"])
class TestFigures:
    def test_unigrams(self, matching: str) -> None:
        found = values(f"gtm:matching={matching}", HYPOTHESIS, REFERENCE)
        assert found["MMS"] == 7
        assert (found["hyp_len"], found["ref_len"]) == (9, 9)
        assert found["P"] == found["R"] == close(700 / 9)

    def test_runs_of_4_2_and_1(self, matching: str) -> None:
        found = values(f"gtm:e=2,matching={matching}", HYPOTHESIS, REFERENCE)
        assert found["MMS"] == close(sqrt(4**2 + 2**2 + 1**2)) == close(sqrt(21))
        assert found["F"] == close(100 * sqrt(21) / 9)

    def test_several_references_are_capped_at_their_mean_length(self, matching: str) -> None:
        """All six words occur in one of the references, whose mean length is 5."""
        references = ["we met on a Monday", "on Monday we two met", "Monday was when we met"]
        hypothesis = "on Monday when we two met"
        found = values(f"gtm:matching={matching}", hypothesis, *references)
        assert found["ref_len"] == found["MMS"] == 5
        assert (found["P"], found["R"]) == (close(500 / 6), 100)

    def test_the_cap_may_cut_a_word(self, matching: str) -> None:
        """Seven words against references of 5, 9, 3, 11 and 5 words: 6.6 on average."""
        hypothesis = "one two three four five six seven"
        references = [
            "one two three four five",
            "one two three four five six seven eight nine",
            "one two three",
            "zero one two three four five six seven eight nine ten",
            "three four five six seven",
        ]
        for e in (1, 2):
            found = values(f"gtm:e={e},matching={matching}", hypothesis, *references)
            assert found["MMS"] == close(6.6)
            assert (found["P"], found["R"]) == (close(660 / 7), close(100))

    def test_no_run_goes_from_one_reference_into_the_next(self, matching: str) -> None:
        spec = f"gtm:e=2,matching={matching}"
        assert values(spec, "a b c d", "x a b", "c d y")["MMS"] == close(sqrt(4 + 1))
        assert values(spec, "a b c d", "x a b c d y")["MMS"] == 4

    def test_a_hypothesis_collects_runs_from_several_references(self, matching: str) -> None:
        spec = f"gtm:e=2,matching={matching}"
        references = ["a b c x x x x x", "y y y y y d e f"]
        assert values(spec, "a b c d e f", *references)["MMS"] == close(sqrt(9 + 9))

    def test_the_clip_is_the_total_over_all_references(self, matching: str) -> None:
        """Unlike in BLEU, where it is the largest count in any one reference."""
        references = ["the cat is here", "there is the cat"]
        found = values(f"gtm:matching={matching}", "the the the", *references)
        assert found["MMS"] == 2

    def test_empty_texts_score_0(self, matching: str) -> None:
        for hypothesis, reference in [("", "a b"), ("a b", ""), ("", "")]:
            found = values(f"gtm:e=2,matching={matching}", hypothesis, reference)
            assert (found["F"], found["P"], found["R"], found["MMS"]) == (0, 0, 0, 0)


def test_a_corpus_is_scored_from_sums() -> None:
    """Match sizes 7 and 1, lengths 9 and 9, 1 and 3: not the mean of two segment scores."""
    score = mt.metric("gtm", tok="gtm").corpus_score([HYPOTHESIS, "on"], [[REFERENCE, "on and on"]])
    assert [score.values[key] for key in ("P", "R", "F")] == close(80, 800 / 12, 100 * 2 * 8 / 22)


def test_of_equal_runs_the_last_of_the_hypothesis_is_taken() -> None:
    """The last one, "b c", takes one word from each of "c e" and "a b"."""
    hypothesis, reference = "c e a b c", "a b x b c e"
    assert values("gtm:e=2", hypothesis, reference)["MMS"] == close(sqrt(4 + 1 + 1))
    assert values("gtm:e=2,matching=exact", hypothesis, reference)["MMS"] == close(sqrt(4 + 4))


def test_then_the_last_of_the_references() -> None:
    """The second "a b" takes a word from "b c"."""
    hypothesis, reference = "b c y a b", "a b x a b c"
    assert values("gtm:e=2", hypothesis, reference)["MMS"] == close(sqrt(4 + 1 + 1))
    assert values("gtm:e=2,matching=exact", hypothesis, reference)["MMS"] == close(sqrt(4 + 4))


def test_greedy_may_miss_the_largest_matching() -> None:
    """The longest run, "b c d e", takes two words from each of "a b c" and "d e f"."""
    hypothesis, reference = "a b c d e f", "a b c y b c d e y d e f"
    assert values("gtm:e=2", hypothesis, reference)["MMS"] == close(sqrt(4**2 + 1 + 1))
    assert values("gtm:e=2,matching=exact", hypothesis, reference)["MMS"] == close(sqrt(9 + 9))
    hypothesis, reference = "a b c d e f g h", "a b c d y c d e f g y e f g h"
    assert values("gtm:e=2", hypothesis, reference)["MMS"] == close(sqrt(5**2 + 2**2 + 1))
    assert values("gtm:e=2,matching=exact", hypothesis, reference)["MMS"] == close(sqrt(16 + 16))


def test_greedy_may_fall_below_80_percent() -> None:
    """A run of 16 words takes half of each of four runs of 15: two in rows, two in columns."""
    half = 8

    def words(letter: str, n: int) -> list[str]:
        return [f"{letter}{i}" for i in range(n)]

    x, y = words("x", half), words("y", half)
    p, q, s, t = (words(letter, half - 1) for letter in "pqst")
    hypothesis = " ".join([*p, *x, *y, *s, "|", *q, *x, "|", *y, *t])
    reference = " ".join([*q, *x, *y, *t, "/", *p, *x, "/", *y, *s])
    greedy = values("gtm:e=3", hypothesis, reference)["MMS"]
    exact = values("gtm:e=3,matching=exact", hypothesis, reference)["MMS"]
    assert greedy == close((16**3 + 2 * 8**3 + 4 * 7**3) ** (1 / 3))
    assert exact == close((4 * 15**3) ** (1 / 3))
    assert greedy < 0.8 * exact


def test_an_exact_matching_that_takes_too_long_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mteval_gtm.gtm.CASES", 10)
    hypothesis, reference = "a b a b b a a b b a b a", "b a a b a b a a b b a b"
    message = (
        "the hypotheses: segment 0: GTM cannot score it: the exact matching "
        "takes more than 10 cases; use matching=greedy"
    )
    with pytest.raises(mt.InputError, match=re.escape(message)):
        values("gtm:e=2,matching=exact", hypothesis, reference)
