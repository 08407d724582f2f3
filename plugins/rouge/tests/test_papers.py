"""The examples of the papers, and others worked by hand.

Sources: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest
Common Subsequence and Skip-Bigram Statistics; Lin (2004), ROUGE: A Package for Automatic Evaluation
of Summaries.
"""

from __future__ import annotations

from typing import Any

import pytest

import mteval_core as mt

GUNMAN = "police killed the gunman"


def values(spec: str, hypothesis: str, *references: str) -> dict[str, float]:
    """All values of one segment, as fractions."""
    scorer = mt.metric(spec)
    score = scorer.sentence_score(hypothesis, references)
    return {name: value / scorer.scales[name] for name, value in score.values.items()}


def close(expected: Any) -> Any:
    """Equal up to floating-point rounding."""
    return pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("variant", ["paper", "1.5.5,round=no"])
@pytest.mark.parametrize(
    ("hypothesis", "rouge_l", "rouge_s", "bigrams"),
    [
        ("police kill the gunman", 3 / 4, 3 / 6, 1 / 3),
        ("the gunman kill police", 2 / 4, 1 / 6, 1 / 3),
        ("the gunman police killed", 2 / 4, 2 / 6, 2 / 3),
    ],
)
def test_the_gunman(
    variant: str, hypothesis: str, rouge_l: float, rouge_s: float, bigrams: float
) -> None:
    """Lin and Och, sections 3 and 4: ROUGE-L 0.75, 0.5, 0.5; ROUGE-S 0.5, 0.167, 0.333."""
    for spec, expected in {
        f"rouge-l:variant={variant}": rouge_l,
        f"rouge-s:variant={variant}": rouge_s,
        f"rouge-n:variant={variant},n=2": bigrams,
        f"rouge-s:variant={variant},skip=0": bigrams,
    }.items():
        found = values(spec, hypothesis, GUNMAN)
        assert found == close(dict.fromkeys("FPR", expected)), spec


class TestRunsOfWords:
    """Lin and Och, section 3.2: two hypotheses with equal LCS, one of them a single run."""

    X = "A B C D E F G"
    IN_ONE_PIECE, SCATTERED = "A B C D H I K", "A H B K C I D"

    @pytest.mark.parametrize("hypothesis", [IN_ONE_PIECE, SCATTERED])
    def test_rouge_l_is_the_same(self, hypothesis: str) -> None:
        assert values("rouge-l", hypothesis, self.X)["F"] == close(4 / 7)

    def test_rouge_w_of_the_paper(self) -> None:
        """(4^2 / 7^2)^(1/2) = 0.571 and ((1 + 1 + 1 + 1) / 7^2)^(1/2) = 0.286."""
        assert values("rouge-w:weight=2", self.IN_ONE_PIECE, self.X)["R"] == close(4 / 7)
        assert values("rouge-w:weight=2", self.SCATTERED, self.X)["R"] == close(2 / 7)

    def test_rouge_w_of_the_program_sees_the_reference_only(self) -> None:
        """Both have 4^2 hits of (7^2)^2: R = (16 / 2401)^(1/2), P = (16 / 49)^(1/2)."""
        for hypothesis in (self.IN_ONE_PIECE, self.SCATTERED):
            found = values("rouge-w:variant=1.5.5,weight=2,round=no", hypothesis, self.X)
            assert (found["R"], found["P"]) == close((4 / 49, 4 / 7))
        # The other way round, the hits of the scattered text are four blocks of one word.
        found = values("rouge-w:variant=1.5.5,weight=2,round=no", self.X, self.SCATTERED)
        assert (found["R"], found["P"]) == close((2 / 49, 2 / 7))

    @pytest.mark.parametrize("n", [1, 2, 7, 30])
    def test_identical_texts_in_the_program(self, n: int) -> None:
        """P = 1, but R = n^(1 - w), as the reference total is weighted twice."""
        text = " ".join(f"w{i}" for i in range(n))
        found = values("rouge-w:variant=1.5.5,round=no", text, text)
        assert (found["P"], found["R"]) == close((1, n**-0.2))


def test_union_of_sentences() -> None:
    """Lin, section 3.2: w1 w2 and w1 w3 w5 cover 4 of the 5 words."""
    hypothesis = "w1 w2 w6 w7 w8\tw1 w3 w8 w9 w5"
    for variant in ("paper", "1.5.5,round=no"):
        found = values(f"rouge-lsum:variant={variant}", hypothesis, "w1 w2 w3 w4 w5")
        assert (found["R"], found["P"]) == close((4 / 5, 4 / 10))
    # In the other order the sentences cover the same words, but one long sentence does not.
    other = "\t".join(hypothesis.split("\t")[::-1])
    assert values("rouge-lsum", other, "w1 w2 w3 w4 w5")["R"] == close(4 / 5)
    assert values("rouge-l", other, "w1 w2 w3 w4 w5")["R"] == close(3 / 5)


class TestSeveralReferences:
    HYPOTHESIS = "a b c d"
    SHORT, LONG = "a b", "a x b c y z"  # LCS 2 of 2; 3 of 6

    def found(self, multi: str) -> dict[str, float]:
        return values(f"rouge-l:multi={multi}", self.HYPOTHESIS, self.SHORT, self.LONG)

    def test_maxima(self) -> None:
        """Equations 7 to 9: R of the short reference, P of the long one."""
        R, P = max(2 / 2, 3 / 6), max(2 / 4, 3 / 4)
        assert self.found("maxima") == close({"R": R, "P": P, "F": 2 * R * P / (R + P)})

    def test_pooled(self) -> None:
        R, P = (2 + 3) / (2 + 6), (2 + 3) / (4 + 4)
        assert self.found("pooled") == close({"R": R, "P": P, "F": 2 * R * P / (R + P)})

    def test_best(self) -> None:
        """The short one: F = 2/3 against 3/5."""
        assert self.found("best") == close({"R": 1, "P": 1 / 2, "F": 2 / 3})

    def test_best_of_the_program_is_by_recall(self) -> None:
        texts = "a b c d e f g h", "a b c d e f g h x y", "a"  # F 8/9 and 2/9, R 8/10 and 1/1
        assert values("rouge-l:multi=best", *texts)["R"] == close(0.8)
        found = values("rouge-l:variant=1.5.5,multi=best", *texts)
        assert (found["R"], found["P"]) == (1, 0.125)


class TestFMeasure:
    HYPOTHESIS, REFERENCE = "a b c d", "a b"  # P = 1/2, R = 1

    @pytest.mark.parametrize(
        ("option", "expected"),
        [
            ("alpha=0.5", 2 / 3),
            ("beta=1", 2 / 3),
            ("alpha=0", 1),  # recall
            ("alpha=1", 1 / 2),  # precision
            ("beta=0", 1 / 2),
            ("beta=2", (1 + 4) * 0.5 / (1 + 4 * 0.5)),  # equation 6
            ("alpha=0.2", (1 + 4) * 0.5 / (1 + 4 * 0.5)),
        ],
    )
    def test_weights(self, option: str, expected: float) -> None:
        found = values(f"rouge-l:{option}", self.HYPOTHESIS, self.REFERENCE)
        assert found["F"] == close(expected)

    def test_one_weight_at_a_time(self) -> None:
        with pytest.raises(mt.OptionError, match="set only one of the two"):
            mt.metric("rouge-l:alpha=0.2,beta=2")


def test_totals() -> None:
    """With ``mean=totals``, long segments count more."""
    hypotheses, references = ["a", "b c d"], ["a", "x y z"]
    by_segment = mt.metric("rouge-n").corpus_score(hypotheses, [references])
    in_all = mt.metric("rouge-n:mean=totals,multi=pooled").corpus_score(hypotheses, [references])
    assert by_segment.score == close(50)
    assert in_all.values == close(
        {"F": 25, "P": 25, "R": 25, "hits": 1, "hyp_total": 4, "ref_total": 4}
    )


def test_single_words_of_rouge_su() -> None:
    """Pairs and words: all words in the paper, all but the last in the program."""
    counts = "mean=totals,multi=pooled,round=no"
    paper = values(f"rouge-su:{counts}", "police kill the gunman", GUNMAN)
    program = values(f"rouge-su:variant=1.5.5,{counts}", "police kill the gunman", GUNMAN)
    assert (paper["hits"], paper["ref_total"]) == (3 + 3, 6 + 4)
    assert (program["hits"], program["ref_total"]) == (3 + 2, 6 + 3)


@pytest.mark.parametrize(("skip", "total"), [(0, 4), (1, 7), (2, 9), (3, 10), (4, 10), ("*", 10)])
def test_totals_of_pairs(skip: str, total: int) -> None:
    """Of five words: 4 pairs of neighbours, 3 with one word between, and so on."""
    text = "a b c d e"
    found = values(f"rouge-s:skip={skip},mean=totals,multi=pooled", text, text)
    assert found["hits"] == found["ref_total"] == total
