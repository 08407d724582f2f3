"""Words of a kind: case by case, and against an implementation that reads texts word by word."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Kind = Callable[[list[str], int], bool]


def words_of_a_kind(options: str, reference: str, tok: str = "none") -> list[str]:
    """Words of the kind that a reference has: those that hypotheses of one word match."""
    metric = mt.metric(f"word-recall:tok={tok},{options}")
    tokens = dict.fromkeys(reference.split() if tok == "none" else re.findall(r"\w+|\S", reference))
    counts = {
        token: metric.corpus_score([f"{token} " * 9], [[reference]]).values["matched"]
        for token in tokens
    }
    return [token for token, n in counts.items() for _ in range(int(n))]


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("Anna met Bert", ["Bert"]),
        ("then Anna met Bert", ["Anna", "Bert"]),
        ("he left . Anna stayed", []),
        ("he left ! Anna stayed", []),
        ("did he leave ? Anna stayed", []),
        ("he said : Anna stays", []),
        ("he left … Anna stayed", []),
        ("he left ... Anna stayed", []),
        ("he left. Anna stayed", []),
        ("他 走 了 。 Anna stayed", []),
        ("he left , Anna stayed", ["Anna"]),
        ("he left ; Anna stayed", ["Anna"]),
        ('he left . " Anna stayed', []),
        ('" Anna stayed', []),
        ("( Anna ) and ( Bert )", ["Bert"]),
        ("- Anna stayed", []),
        ("it is I , and A", []),
        ("we met O'Neil and I'm glad", []),
        ("we met McNeil and NATO", ["McNeil", "NATO"]),
        ("in Åland and Écully", ["Åland", "Écully"]),
        ("с Анной в Москве", ["Анной", "Москве"]),
        ("on eBay and iPhone", []),
        ("die Katze und der Hund", ["Katze", "Hund"]),
        ("the 3D film and B2B", []),
        ("Mr . Smith met Dr Jones", ["Dr", "Jones"]),
        ("met Anna , Anna and anna", ["Anna", "Anna"]),
        ("東京 タワー", []),
        (". . .", []),
        ("", []),
    ],
)
def test_names(reference: str, names: list[str]) -> None:
    assert words_of_a_kind("words=names", reference) == names


@pytest.mark.parametrize(
    ("reference", "numbers"),
    [
        ("in 2003 and 1,200 or 4.5%", ["2003", "1,200", "4.5%"]),
        ("B2B and 3D", ["B2B", "3D"]),
        ("two II ½", []),
        ("٣ and 三", ["٣"]),
        ("x² + y²", ["x²", "y²"]),
    ],
)
def test_numbers(reference: str, numbers: list[str]) -> None:
    assert words_of_a_kind("words=numbers", reference) == numbers


@pytest.mark.parametrize(
    ("n", "quarters"),
    [
        (0, [0, 0, 0, 0]),
        (1, [1, 0, 0, 0]),
        (2, [1, 0, 1, 0]),
        (3, [1, 1, 1, 0]),
        (4, [1, 1, 1, 1]),
        (5, [2, 1, 1, 1]),
        (6, [2, 1, 2, 1]),
        (7, [2, 2, 2, 1]),
        (8, [2, 2, 2, 2]),
        (10, [3, 2, 3, 2]),
    ],
)
def test_quarters(n: int, quarters: list[int]) -> None:
    reference = " ".join(f"w{k}" for k in range(n))
    totals = [
        mt.metric(f"word-recall:quarter={quarter}").corpus_score([reference], [[reference]]).values
        for quarter in (1, 2, 3, 4)
    ]
    assert [values["total"] for values in totals] == quarters
    assert [values["matched"] for values in totals] == quarters
    places = [int(word[1:]) for word in words_of_a_kind("quarter=1", reference)]
    assert places == list(range(quarters[0]))


@pytest.mark.parametrize(
    ("hypothesis", "matched"),
    [
        ("the the the", [1, 1, 0, 0]),  # "the" is at the places 0 and 3 of 8
        ("the", [0.5, 0.5, 0, 0]),
        ("mat", [0, 0, 1, 0]),
        ("mat sat the on", [0.5, 0.5, 2, 1]),
        ("", [0, 0, 0, 0]),
    ],
)
def test_all_places_of_a_word_are_matched_alike(hypothesis: str, matched: list[float]) -> None:
    reference = "the cat and the mat sat on it"
    found = [
        mt.metric(f"word-recall:quarter={quarter}").corpus_score([hypothesis], [[reference]])
        for quarter in (1, 2, 3, 4)
    ]
    assert [score.values["matched"] for score in found] == matched


def test_case_and_stems_apply_before_words_are_counted() -> None:
    texts = ["The Cats run"], [["the cat RUNS"]]
    assert mt.metric("word-recall").corpus_score(*texts).values["matched"] == 0
    assert mt.metric("word-recall:case=lc").corpus_score(*texts).values["matched"] == 1
    assert mt.metric("word-recall:case=lc,stem=porter").corpus_score(*texts).score == 100


def test_the_signature_has_the_hash_of_the_list(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("the\n")
    spec = f"word-recall:words=listed,file={tmp_path / 'words.txt'}"
    signature = str(mt.metric(spec).signature())
    assert "|words:listed|file:words.txt@" in signature
    (tmp_path / "words.txt").write_text("a\n")
    assert str(mt.metric(spec).signature()) != signature


# Another implementation, which reads one word after the other

LISTED = frozenset({"a", "x."})


def is_name(words: list[str], i: int) -> bool:
    """Look backwards for the word before, or for what ends a sentence."""
    if not re.match(r"[A-Z][a-z]", words[i]):
        return False
    for word in reversed(words[:i]):
        if word.endswith((".", "!")):
            return False
        if re.search("[A-Za-z0-9]", word):
            return True
    return False


def kinds(references: list[str]) -> Iterator[tuple[str, Kind]]:
    """Options of kinds of words, and tests of a word at a place of a reference."""
    counts = Counter(word for reference in references for word in reference.split())
    yield "words=all", lambda _, __: True
    yield "words=names", is_name
    yield "words=numbers", lambda words, i: "7" in words[i]
    yield "words=listed,file=FILE", lambda words, i: words[i].lower() in LISTED
    yield "words=unlisted,file=FILE", lambda words, i: words[i].lower() not in LISTED
    yield "freq=1", lambda words, i: counts[words[i]] == 1
    yield "freq=2-3", lambda words, i: 2 <= counts[words[i]] <= 3
    yield "freq=2-", lambda words, i: counts[words[i]] >= 2
    yield "quarter=1", lambda words, i: i < len(words) / 4
    yield "quarter=4", lambda words, i: i >= 3 * len(words) / 4
    yield "words=names,freq=1", lambda words, i: is_name(words, i) and counts[words[i]] == 1


def counted(hypothesis: str, reference: str, is_kind: Kind) -> tuple[float, int]:
    """Matched words and words of a kind; what the hypothesis has is divided among all places."""
    ours, words = hypothesis.split(), reference.split()
    shares = [min(1, ours.count(word) / words.count(word)) for word in words]
    chosen = [share for i, share in enumerate(shares) if is_kind(words, i)]
    return sum(chosen), len(chosen)


configured = cache(mt.metric)

TEXTS = st.lists(
    st.sampled_from(["a", "b", "Cd", "Ef", "7", ".", "x.", ",", "G", "B7"]), max_size=9
).map(" ".join)


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("lists") / "words.txt"
    path.write_text("".join(f"{word}\n" for word in sorted(LISTED)))
    return str(path)


@given(segments=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_recall_by_another_way(listed: str, segments: list[tuple[str, str, str]]) -> None:
    hypotheses, *references = map(list, zip(*segments, strict=True))
    for options, is_kind in kinds([text for stream in references for text in stream]):
        spec = f"word-recall:tok=none,{options.replace('FILE', listed)}"
        values = configured(spec).corpus_score(hypotheses, references).values
        pairs = [
            counted(hypothesis, reference, is_kind)
            for hypothesis, *own in segments
            for reference in own
        ]
        matched, total = map(sum, zip(*pairs, strict=True))
        assert (values["matched"], values["total"]) == (pytest.approx(matched), total), options
