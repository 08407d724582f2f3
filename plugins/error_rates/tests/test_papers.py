"""Examples of papers, and others worked by hand."""

from __future__ import annotations

import pytest
from mteval_error_rates import tercom
from mteval_testing.values import sentence_values as values

import mteval_core as mt

SPLIT = "tok=none"


def corpus(spec: str, hypotheses: list[str], *streams: list[str]) -> dict[str, float]:
    return dict(mt.metric(spec).corpus_score(hypotheses, streams).values)


class TestWer:
    def test_federico_divides_by_the_length_of_the_output(self) -> None:
        """His example has 8 errors and 18 words of output: 0.44. This is another text."""
        hypothesis = (
            "we do not yet know for sure when at all the new train will run here once again"
        )
        reference = "we do not know for certain when the new line will run"
        by_output = values(f"wer:over=hypothesis,{SPLIT}", hypothesis, reference)
        assert by_output == {"WER": pytest.approx(100 * 8 / 18), "edits": 8, "hyp_len": 18}
        assert values(f"wer:{SPLIT}", hypothesis, reference)["WER"] == pytest.approx(100 * 8 / 12)

    def test_a_corpus_is_scored_by_sums(self) -> None:
        found = corpus(f"wer:{SPLIT}", ["a b", "x"], ["a c", "a b c d e f"])
        assert found == {"WER": 100 * 7 / 8, "edits": 7, "ref_len": 8}

    def test_the_first_reference_of_the_lowest_rate(self) -> None:
        assert values(f"wer:{SPLIT}", "a b", "a c", "a b c d")["ref_len"] == 2
        assert values(f"wer:{SPLIT}", "a b", "a b c d", "a c")["ref_len"] == 4
        assert values(f"wer:{SPLIT}", "a b c", "x", "a b c d e")["WER"] == 40
        assert values(f"wer:over=hypothesis,{SPLIT}", "a b c", "a", "x b c")["edits"] == 1

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "over_reference", "over_hypothesis"),
        [("", "a b", 100, 100), ("a b", "", 100, 100), ("", "", 0, 0), ("a b c", "d", 300, 100)],
    )
    def test_without_words(
        self, hypothesis: str, reference: str, over_reference: int, over_hypothesis: int
    ) -> None:
        assert values("wer", hypothesis, reference)["WER"] == over_reference
        assert values("wer:over=hypothesis", hypothesis, reference)["WER"] == over_hypothesis


class TestPer:
    def test_words_missing(self) -> None:
        found = values("per", "the the cat", "the cat sat on")
        assert found == {"PER": 50, "matches": 2, "hyp_len": 3, "ref_len": 4}

    def test_words_too_many(self) -> None:
        assert values("per", "d x c y b z", "a b c d")["PER"] == 75

    def test_the_formula_is_applied_to_sums(self) -> None:
        """Both segments score 50: one has two words too few, the other two too many."""
        hypotheses, references = ["a b", "a b c d e f"], ["a b c d", "a b c d"]
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            assert values("per", hypothesis, reference)["PER"] == 50
        assert corpus("per", hypotheses, references)["PER"] == 25

    def test_the_lowest_rate_of_several_references(self) -> None:
        assert values("per", "a b", *("x y z", "b a c d", "b a"))["PER"] == 0
        assert values("per", "a b", "", "b a c")["ref_len"] == 3

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "expected"), [("", "a b", 100), ("a b", "", 100), ("", "", 0)]
    )
    def test_without_words(self, hypothesis: str, reference: str, expected: int) -> None:
        assert values("per", hypothesis, reference)["PER"] == expected


class TestSer:
    def test_a_segment_is_right_if_any_reference_is_equal(self) -> None:
        found = corpus(
            "ser",
            ["It is so.", "It is so", "it is so .", ""],
            ["So it is.", "It is so.", "It is so.", ""],
            ["It is so .", "It's so.", "It is so.", "x"],
        )
        assert found == {"SER": 50, "wrong": 2}


class TestTer:
    def test_the_example_of_the_paper(self) -> None:
        """Snover et al. 2006, section 3: one shift, two substitutions and a deletion, 4/13."""
        found = values(
            "ter",
            "THIS WEEK THE SAUDIS denied information published in the new york times",
            "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times",
        )
        kinds = {name: found[name] for name in ("shifts", "shifted", "sub", "del", "ins")}
        assert kinds == {"shifts": 1, "shifted": 2, "sub": 2, "del": 1, "ins": 0}
        assert (found["edits"], found["ref_len"]) == (4, 13)
        assert found["TER"] == pytest.approx(100 * 4 / 13)

    def test_fewest_edits_over_the_mean_length(self) -> None:
        found = values("ter", "b c a", *("a b c d e", "a b c", "c b a"))
        assert (found["TER"], found["edits"]) == (pytest.approx(100 * 3 / 11), 1)
        assert (found["shifts"], found["ref_len"]) == (1, pytest.approx(11 / 3))

    def test_the_first_reference_of_the_fewest_edits(self) -> None:
        assert values("ter", "a b", "a", "a b c")["ins"] == 1
        assert values("ter", "a b", "a b c", "a")["del"] == 1

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "expected"), [("", "a b", 100), ("a b", "", 100), ("", "", 0)]
    )
    def test_without_words(self, hypothesis: str, reference: str, expected: int) -> None:
        assert values("ter", hypothesis, reference)["TER"] == expected

    def test_edits_of_an_empty_reference_count_in_a_corpus(self) -> None:
        found = corpus("ter", ["a b", "c d"], ["", "c e"])
        assert (found["TER"], found["edits"], found["ref_len"]) == (150, 3, 2)


class TestTercom:
    """The options of tercom and their form in sacreBLEU."""

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("it's the dog's, isn't it?", "it 's the dog's , isn't it ?"),
            ("1,200.50 or 3.5%, no. 5-6", "1,200.50 or 3.5 % , no . 5 - 6"),
            ("&quot;&amp;lt;&quot; <skipped>-", '" < " -'),
            ("the u.s.\u00a0a/b", "the u . s . \u00a0a / b"),
        ],
    )
    def test_normalize(self, text: str, words: str) -> None:
        assert tercom.tokenize(tercom.normalize(text)) == words.split(" ")

    def test_a_line_end_in_a_word_goes_with_its_hyphen(self) -> None:
        assert tercom.normalize("well-\nknown\nfact").split() == ["wellknown", "fact"]

    def test_norm_separates_and_punct_keeps(self) -> None:
        pair = "(yes, 3.5!) 'so'", "yes , 3.5 ! 'so'"
        assert values("ter", *pair)["edits"] == 4
        assert values("ter:norm=yes", *pair)["edits"] == 2
        assert values("ter:punct=no", *pair)["edits"] == 0
        assert values("ter:punct=no", *pair)["ref_len"] == 3

    def test_asian(self) -> None:
        pair = "東京タワーは、高い。", "東京の塔は,高い."
        assert values("ter", *pair)["ref_len"] == 1
        assert values("ter:asian=yes", *pair)["ref_len"] == 1
        assert values("ter:norm=yes,asian=yes", *pair)["ref_len"] == 9
        assert values("ter:punct=no,asian=yes", "「はい」、そう。", "はいそう")["edits"] == 0
        assert values("ter:punct=no", "「はい」、そう。", "はいそう")["edits"] == 1

    def test_white_space_is_that_of_ascii(self) -> None:
        assert values("ter", "a\u00a0b\tc\fd", "a b c d")["sub"] == 1
        assert values("ter:tok=none", "a\u00a0b\tc\fd", "a b c d")["edits"] == 0

    def test_case(self) -> None:
        assert values("ter", "ÄB", "äb")["edits"] == 0
        assert values("ter:case=mixed", "ÄB", "äb")["edits"] == 1
