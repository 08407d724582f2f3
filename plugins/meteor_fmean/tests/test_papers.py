"""Examples of the papers, and others worked by hand."""

from __future__ import annotations

from functools import partial

import pytest
from mteval_testing.values import sentence_values

import mteval_core as mt

values = partial(sentence_values, defaults={"tok": "none"})


def test_the_president() -> None:
    """Banerjee and Lavie 2005, section 2.2: two chunks; Fmean 60/69, penalty 0.5 (2/6)^3."""
    ours = values(
        "meteor", "the president spoke to the audience", "the president then spoke to the audience"
    )
    assert ours["chunks"] == 2
    assert ours["matches"] == 6
    assert ours["P"] == 100
    assert ours["R"] == pytest.approx(100 * 6 / 7)
    assert ours["Fmean"] == pytest.approx(100 * 60 / 69)
    assert ours["penalty"] == pytest.approx(0.5 * (2 / 6) ** 3)
    assert ours["METEOR"] == pytest.approx(85.34621578)


def test_means() -> None:
    """Lavie, Sagae and Jayaraman 2004, section 2: P = 3/4, R = 3/6."""
    texts = "a b c x", "a b c d e f"
    assert values("precision", *texts)["P"] == 75
    assert values("recall", *texts)["R"] == 50
    assert values("f1", *texts)["F1"] == pytest.approx(100 * 2 * 3 / (4 + 6))
    assert values("fmean", *texts)["Fmean"] == pytest.approx(100 * 10 * 3 / (4 + 9 * 6))
    assert values("fmean:weight=0", *texts)["Fmean"] == pytest.approx(75)
    assert values("fmean:weight=1", *texts)["Fmean"] == values("f1", *texts)["F1"]


def test_each_measure_chooses_its_reference() -> None:
    """Of "a" and "a b c d e f", the first has the higher recall, the second the higher mean."""
    texts = "a b c x", "a", "a b c d e f"
    assert values("precision", *texts)["matches"] == 3
    assert values("recall", *texts)["R"] == 100
    assert values("fmean", *texts)["ref_len"] == 1
    assert values("f1", *texts)["ref_len"] == 6


def test_a_word_matches_as_often_as_it_occurs_in_both() -> None:
    assert (
        values("precision", "the the the the the the the", "the cat is on the mat")["matches"] == 2
    )


def test_corpora_are_scored_by_sums() -> None:
    scorer = mt.metric("fmean", defaults={"tok": "none"})
    score = scorer.corpus_score(["a b", "c d e f"], [["a b", "c x"]])
    assert score.values["P"] == pytest.approx(100 * 3 / 6)
    assert score.values["R"] == pytest.approx(100 * 3 / 4)


def test_fewest_crossings_may_have_more_chunks() -> None:
    """With crossings, "c" is linked alone, in order; with chunks, to "a b c", across "d"."""
    hypothesis, reference = "c d a b c", "a b c d c"
    crossings = values("meteor:modules=exact", hypothesis, reference)
    chunks = values("meteor:modules=exact,align=chunks", hypothesis, reference)
    assert crossings["matches"] == chunks["matches"] == 5
    assert chunks["chunks"] == 3
    assert crossings["chunks"] >= chunks["chunks"]


def test_later_modules_link_what_earlier_ones_left() -> None:
    """In "walk walks" and "walks" the exact link is taken, and no word is left for the stem."""
    assert values("meteor:modules=exact", "walk walks", "walks walking")["matches"] == 1
    assert values("meteor:modules=exact+stem", "walk walks", "walks walking")["matches"] == 2
    assert values("meteor:modules=exact+stem", "walk walks", "walks")["matches"] == 1


def test_modules_have_weights() -> None:
    ours = values("meteor:weights=1+0.5", "walk home", "walks home")
    assert ours["P"] == pytest.approx(75)
    assert values("meteor:weights=0.5", "walk home", "walks home")["P"] == pytest.approx(50)


@pytest.mark.parametrize(("n", "score"), [(1, 50), (2, 100 - 50 / 8), (4, 100 - 50 / 64)])
def test_the_paper_keeps_the_penalty_of_identical_texts(n: int, score: float) -> None:
    text = " ".join("abcd"[:n])
    assert values("meteor", text, text)["METEOR"] == pytest.approx(score)


def test_the_program_does_not() -> None:
    spec = "meteor:variant=1.5,modules=exact,alpha=0.9,beta=3,gamma=0.5,delta=0.5,weights=1"
    assert values(f"{spec},tok=meteor", "a b", "a b")["METEOR"] == 100
    assert values(f"{spec},tok=meteor", "b a", "a b")["METEOR"] == 50
