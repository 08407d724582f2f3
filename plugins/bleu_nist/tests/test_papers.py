"""Examples from the literature and others worked by hand, with their texts.

Sources: Papineni, Roukos, Ward and Zhu (2002), BLEU; Doddington (2002), NIST; Lin and Och (2004),
ORANGE; Chen and Cherry (2014), smoothing; Lavie, Sagae and Jayaraman (2004); Turian, Shen and
Melamed (2003); Federico, lectures on the evaluation of machine translation.
"""

from __future__ import annotations

from functools import partial
from math import exp, log, log2, prod

import numpy as np
import pytest
from mteval_testing.values import sentence_values

import mteval_core as mt

# Papineni et al., section 2.1. The paper's counts are those of the texts without punctuation.
GUIDE = [
    "It is a guide to action which ensures that the military always obeys the commands of the "
    "party",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
]
GUIDE_REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


values = partial(sentence_values, tok="none", case="lc")


def by_order(spec: str, hypothesis: str, *references: str) -> list[float]:
    """Precision of every order as a fraction, or the summand of every order in NIST."""
    found = values(spec, hypothesis, *references)
    scale = 100 if "BLEU" in found else 1
    return [value / scale for name, value in found.items() if name[1:].isdecimal()]


def penalty(spec: str, hypothesis_length: float, reference_length: float) -> float:
    """Length penalty, computed from the lengths alone."""
    scorer = mt.metric(spec)
    order = scorer.setup.options["order"]
    totals = np.array([hypothesis_length, reference_length, *[1.0] * (2 * order)])
    return float(scorer.values(totals)[list(scorer.scales).index("BP")])


def close(*expected: float) -> object:
    """Equal up to floating-point rounding."""
    return pytest.approx(list(expected) if len(expected) > 1 else expected[0], rel=1e-14, abs=1e-15)


class TestPapineni:
    def test_guide_to_action(self) -> None:
        found = values("bleu:smooth=none", GUIDE[0], *GUIDE_REFERENCES)
        expected = [17 / 18, 10 / 17, 7 / 16, 4 / 15]
        assert by_order("bleu:smooth=none", GUIDE[0], *GUIDE_REFERENCES) == close(*expected)
        # 18 words; the references have 16, 18 and 16.
        assert (found["hyp_len"], found["ref_len"], found["BP"]) == (18, 18, 1)
        assert found["BLEU"] == close(100 * prod(expected) ** (1 / 4))

    def test_guide_to_action_second_candidate(self) -> None:
        expected = [8 / 14, 1 / 13, 0, 0]
        assert by_order("bleu:smooth=none", GUIDE[1], *GUIDE_REFERENCES) == close(*expected)
        found = values("bleu:smooth=none", GUIDE[1], *GUIDE_REFERENCES)
        assert (found["BLEU"], found["BP"]) == (0, close(exp(1 - 16 / 14)))

    def test_a_word_matches_as_often_as_in_one_reference(self) -> None:
        references = ["The cat is on the mat", "There is a cat on the mat"]
        hypothesis = "the the the the the the the"
        assert by_order("bleu:order=1", hypothesis, *references) == [close(2 / 7)]

    def test_no_penalty_beside_one_short_reference(self) -> None:
        """Section 2.2.2: references of 12, 15 and 17 words against a candidate of 12."""
        texts = [" ".join(["word"] * length) for length in (12, 15, 17)]
        found = values("bleu", texts[0], *texts)
        assert (found["ref_len"], found["BP"]) == (12, 1)


@pytest.mark.parametrize(("bp", "expected"), [("closest", 6), ("shortest", 3), ("average", 17 / 3)])
def test_reference_length(bp: str, expected: float) -> None:
    """Seven words against 3, 6 and 8: of two equally close references the shorter one counts."""
    texts = [" ".join(["word"] * length) for length in (7, 8, 6, 3)]
    assert values(f"bleu:bp={bp}", *texts)["ref_len"] == close(expected)


class TestSmoothing:
    """The second candidate, 8/14, 1/13, 0/12, 0/11; and two words, one of which matches."""

    @pytest.mark.parametrize(
        ("smooth", "expected"),
        [
            ("none", [8 / 14, 1 / 13, 0, 0]),
            ("floor", [8 / 14, 1 / 13, 0.1 / 12, 0.1 / 11]),  # Chen and Cherry, method 1
            ("floor[0.25]", [8 / 14, 1 / 13, 0.25 / 12, 0.25 / 11]),
            ("add-k", [8 / 14, 2 / 14, 1 / 13, 1 / 12]),  # Lin and Och
            ("add-k[0.5]", [8 / 14, 1.5 / 13.5, 0.5 / 12.5, 0.5 / 11.5]),
            ("exp", [8 / 14, 1 / 13, 1 / 2 / 12, 1 / 4 / 11]),  # Chen and Cherry, method 3
            ("mteval", [8 / 14, 1 / 13, 1 / 2 / 12, 1 / 4 / 11]),
        ],
    )
    def test_orders_without_a_match(self, smooth: str, expected: list[float]) -> None:
        spec = f"bleu:smooth={smooth}"
        assert by_order(spec, GUIDE[1], *GUIDE_REFERENCES) == close(*expected)
        score = 100 * exp(1 - 16 / 14) * prod(expected) ** (1 / 4)
        assert values(spec, GUIDE[1], *GUIDE_REFERENCES)["BLEU"] == close(score)

    @pytest.mark.parametrize(
        ("options", "precisions", "score"),
        [
            ("smooth=exp", [1 / 2, 1 / 2, 0, 0], 0),
            ("smooth=exp,eff=yes", [1 / 2, 1 / 2, 0, 0], 1 / 2),
            ("smooth=none,eff=yes", [1 / 2, 0, 0, 0], 0),
            ("smooth=add-k", [1 / 2, 1 / 2, 1, 1], (1 / 4) ** (1 / 4)),
            ("smooth=mteval", [1 / 2, 1 / 2, 1, 1], (1 / 4) ** (1 / 4)),
            ("smooth=mteval,eff=yes", [1 / 2, 1 / 2, 1, 1], 1 / 2),
        ],
    )
    def test_orders_without_ngrams(
        self, options: str, precisions: list[float], score: float
    ) -> None:
        assert by_order(f"bleu:{options}", "a b", "a c") == close(*precisions)
        assert values(f"bleu:{options}", "a b", "a c")["BLEU"] == close(100 * score)


def test_arithmetic_mean() -> None:
    """Lavie et al., section 2.1: an order without a match does not make the score 0."""
    found = values("bleu:mean=arithmetic,smooth=none", GUIDE[1], *GUIDE_REFERENCES)
    assert found["BLEU"] == close(100 * exp(1 - 16 / 14) * (8 / 14 + 1 / 13) / 4)


class TestNist:
    """Two references: a, b, c, d occur 3, 2, 1, 1 times among 7 words; ab twice; all others once.

    Clipped matches: a twice, b and d once; ab, ba and bd once; aba (first reference) and abd
    (second) once; none of higher order.
    """

    TEXTS = ("a b a b d", "a b a c", "a b d")

    def test_information(self) -> None:
        expected = [
            (2 * log2(7 / 3) + log2(7 / 2) + log2(7)) / 5,
            (log2(3 / 2) + log2(2 / 1) + log2(2 / 1)) / 4,
            (log2(2 / 1) + log2(2 / 1)) / 3,
            0,
            0,
        ]
        assert by_order("nist", *self.TEXTS) == close(*expected)
        assert values("nist", *self.TEXTS)["NIST"] == close(sum(expected))

    def test_without_weights(self) -> None:
        """Turian et al., section 4: every match counts 1."""
        expected = [4 / 5, 3 / 4, 2 / 3, 0, 0]
        assert by_order("nist:weights=no", *self.TEXTS) == close(*expected)

    def test_references_are_as_long_as_their_mean(self) -> None:
        """Two words against 4 and 3; the penalty is part of the summand of every order."""
        expected = exp(-log(2) / log(2 / 3) ** 2 * log(2 / 3.5) ** 2)
        found = values("nist", "a b", *self.TEXTS[1:])
        assert (found["ref_len"], found["BP"]) == (3.5, close(expected))
        assert found["N2"] == close(expected * log2(3 / 2))

    def test_the_word_zero(self) -> None:
        """A prefix ``0`` counts as none in mteval: the information is relative to all 4 words."""
        assert by_order("nist:order=2", "0 1", "0 1 0 2")[1] / penalty("nist", 2, 4) == close(2)
        assert by_order("nist:order=2", "1 2", "1 2 1 3")[1] / penalty("nist", 2, 4) == close(1)


class TestFederico:
    """The lecture's comparison of both metrics.

    Its texts are not available, but its four numbers determine the matches. 4.2479 = log2(19): a
    reference of 19 different words, all matched. 0.1871^4 (18*17*16) = 6 = 3*2*1: of the longer
    n-grams only those of one run of four. 1.5650 = 7/19 log2(19) and 0.3083^4 (19*18*17*16) =
    7*6*5*4: in the other output seven words, in one run. The letters here are such texts.
    """

    REFERENCE = "a b c d e f g h i j k l m n o p q r s"
    ALL_WORDS = "a b c d s r q p o n m l k j i h g f e"
    ONE_RUN = "a b c d e f g" + 12 * " x"

    def test_all_words_in_bad_order(self) -> None:
        texts = (self.ALL_WORDS, self.REFERENCE)
        assert by_order("bleu", *texts) == close(1, 3 / 18, 2 / 17, 1 / 16)
        assert f"{values('bleu', *texts)['BLEU'] / 100:.4f}" == "0.1871"
        assert f"{values('nist', *texts)['NIST']:.4f}" == "4.2479"

    def test_few_words_in_good_order(self) -> None:
        texts = (self.ONE_RUN, self.REFERENCE)
        assert by_order("bleu", *texts) == close(7 / 19, 6 / 18, 5 / 17, 4 / 16)
        assert f"{values('bleu', *texts)['BLEU'] / 100:.4f}" == "0.3083"
        assert f"{values('nist', *texts)['NIST']:.4f}" == "1.5650"

    def test_brevity_penalty_of_bleu(self) -> None:
        assert f"{penalty('bleu', 1967, 3109):.2f}" == "0.56"
        assert penalty("bleu", 3109, 3109) == penalty("bleu", 4000, 3109) == 1

    def test_length_penalty_of_nist(self) -> None:
        assert penalty("nist", 2, 3) == close(0.5)
        assert penalty("nist", 3, 3) == penalty("nist", 4, 3) == 1

    def test_printed_penalties_of_nist_do_not_follow_from_the_printed_lengths(self) -> None:
        """The case study prints 0.999 and 0.29 with 3421 reference words.

        The formula yields 0.998 and 0.275: 0.29 for 1967 words would need about 3382 reference
        words. (The other output's length is not known: 0.998 is that of 3339 to 3356 words.)
        """
        assert f"{penalty('nist', 1967, 3421):.3f}" == "0.275"
        assert f"{penalty('nist', 1967, 3382):.2f}" == "0.29"
        rounded = {f"{penalty('nist', length, 3421):.3f}" for length in range(3339, 3357)}
        assert rounded == {"0.998"}
