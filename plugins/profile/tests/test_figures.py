"""The figures, counted by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mteval_profile import frequencies

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

REFERENCES = [
    "In 2003 Anna Bauer paid 1,200 euros . Then she left Rome .",
    "the boat that the crew painted : Nobody asked O'Neil or I",
]
HYPOTHESES = [
    "Anna Bauer paid 1200 euros in 2003 . Then she left .",
    "the boat the the crew had painted",
]


def recall(options: str) -> tuple[float, float]:
    """Matched words and words of a kind."""
    spec = f"word-recall:tok=none{options and ','}{options}"
    values = mt.metric(spec).corpus_score(HYPOTHESES, [REFERENCES]).values
    assert values["recall"] == pytest.approx(100 * values["matched"] / max(1, values["total"]))
    return values["matched"], values["total"]


@pytest.mark.parametrize(
    ("options", "matched", "total"),
    [
        # Lost: In 1,200 Rome; that : Nobody asked O'Neil or I
        ("", 10 + 5, 13 + 12),
        ("words=numbers", 1, 2),  # 2003, and not 1,200
        ("words=names", 2, 3),  # Anna, Bauer, and not Rome; In, Then and Nobody begin a sentence
        ("freq=1", 8 + 3, 11 + 10),  # all words but two full stops and two "the"
        ("freq=2-10", 2 + 2, 2 + 2),
        ("freq=2", 2 + 2, 2 + 2),
        ("freq=3-", 0, 0),
        # Of 13 words the places 0 to 3, 4 to 6, 7 to 9 and 10 to 12; of 12 three each
        ("quarter=1", 3 + 2, 4 + 3),
        ("quarter=2", 2 + 3, 3 + 3),
        ("quarter=3", 3 + 0, 3 + 3),
        ("quarter=4", 2 + 0, 3 + 3),
        ("words=names,quarter=1", 2, 2),
    ],
)
def test_recall(options: str, matched: int, total: int) -> None:
    assert recall(options) == (matched, total)


def test_recall_of_a_list(tmp_path: Path) -> None:
    words = tmp_path / "function.txt"
    words.write_text("# articles and the like\nthe\nin\nthat\n\nor\nshe\n")
    assert recall(f"words=listed,file={words}") == (3, 6)  # she the the, and not In that or
    assert recall(f"words=unlisted,file={words}") == (12, 19)


@pytest.mark.parametrize(
    ("content", "problem"),
    [("of the\n", "function.txt:1: expected one word per line"), ("# none\n", "has no words")],
)
def test_a_list_that_is_none(tmp_path: Path, content: str, problem: str) -> None:
    words = tmp_path / "function.txt"
    words.write_text(content)
    with pytest.raises(mt.InputError, match=problem):
        recall(f"words=listed,file={words}")


def test_a_list_without_use_and_no_list(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("a\n")
    for options in ("words=listed", f"file={tmp_path / 'words'}"):
        with pytest.raises(mt.InputError, match="need file=PATH"):
            recall(options)


def test_words_of_all_references_count() -> None:
    score = mt.metric("word-recall").corpus_score(["a b"], [["a c"], ["a b d"]])
    assert (score.values["matched"], score.values["total"]) == (1 + 2, 2 + 3)


def test_frequencies_are_those_of_the_whole_test_set() -> None:
    recall_of_rare = mt.metric("word-recall:freq=1")
    score = recall_of_rare.corpus_score(["a b", "a"], [["a b", "a"]])
    assert score.values["total"] == 1  # b
    evaluation = mt.evaluate({"A": ["a b", "a"]}, [["a b", "a"]], [recall_of_rare])
    assert [r["values"]["total"] for r in evaluation.to_records("segment")] == [1, 0]


@pytest.mark.parametrize(("text", "read"), [("3", "3"), ("03-10", "3-10"), ("3-", "3-")])
def test_ranges_of_frequencies(text: str, read: str) -> None:
    assert frequencies(text) == read
    assert frequencies(read) == read


@pytest.mark.parametrize("text", ["", "-", "0", "-3", "3-2", "a", "1-b", "²", "1-2-3", "1" * 20])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        frequencies(text)


def test_lengths() -> None:
    hypotheses = ["a b c d e f g", "a", "a b", "", ""]
    references = [["a b c", "a b c", "a b c", "a", ""], ["a b c", "a b", "a", "a", ""]]
    values = mt.metric("length-ratio").corpus_score(hypotheses, references).values
    assert values == {"ratio": pytest.approx(100 * 10 / 8.5), "hyp_len": 10, "ref_len": 8.5}
    # The mean lengths of the references are 3, 2.5, 2, 1 and 0.
    values = mt.metric("length-outliers").corpus_score(hypotheses, references).values
    assert values == {"short": 40, "long": 20, "empty": 20}
    values = mt.metric("length-outliers:low=0.4,high=3").corpus_score(hypotheses, references).values
    assert values == {"short": 20, "long": 0, "empty": 20}


@pytest.mark.parametrize(("order", "rate"), [(1, 4 / 8), (2, 2 / 6), (4, 0)])
def test_repetition(order: int, rate: float) -> None:
    hypotheses, references = ["the the the a a a", "a b"], [["x", "y"]]
    score = mt.metric(f"repetition:order={order}").corpus_score(hypotheses, references)
    assert score.values == {"rate": pytest.approx(100 * rate), "references": 0}


def test_repetition_of_references() -> None:
    # a b a c a repeats a twice; a b c a b repeats a and b, and the bigram a b.
    streams = [["a b a c a", "x"], ["a b c a b", "x"]]
    for order, rate in {1: 4 / 12, 2: 1 / 8, 3: 0 / 6, 9: 0}.items():
        score = mt.metric(f"repetition:order={order}").corpus_score(["a b", "x"], streams)
        assert score.values == {"rate": 0, "references": pytest.approx(100 * rate)}


def test_copied_words() -> None:
    source = ["Das Haus in Rom !", "zwei Katzen", "Ja"]
    references = [["The house in Rome !", "two cats", "Ja"], ["The home in Rom !", "2 cats", "Yes"]]
    hypotheses = ["Das house in Rom !", "zwei Katzen 2", "Ja"]
    score = mt.metric("untranslated").corpus_score(hypotheses, references, source=source)
    # Copied are Das, zwei and Katzen, of 4 + 2 + 1 words; the second segment is untranslated.
    assert score.values == {"words": pytest.approx(300 / 7), "segments": pytest.approx(100 / 3)}
    half = mt.metric("untranslated").corpus_score(
        ["Das house"], [["The house"]], source=["Das Haus"]
    )
    assert half.values == {"words": 50, "segments": 0}
