"""Which kernels are in use; vocabularies, pairs and n-grams against the obvious way."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mteval_kernels as kernels
from corpora import Hypotheses, References, id_corpora, layout
from mteval_kernels.sources import stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType, SimpleNamespace

    from numpy.typing import NDArray


def frozen(values: Iterable[Any], dtype: type[Any]) -> NDArray[Any]:
    """Make a read-only array."""
    array = np.array(list(values), dtype=dtype)
    array.flags.writeable = False
    return array


def ngrams(text: Sequence[int], order: int) -> Counter[tuple[int, ...]]:
    grams = (tuple(text[i : i + order]) for i in range(len(text) - order + 1))
    return Counter(gram for gram in grams if min(gram) >= 0)


def clip(texts: Sequence[Sequence[int]], order: int) -> Counter[tuple[int, ...]]:
    return reduce(or_, (ngrams(text, order) for text in texts))


class TestChoice:
    def run(self, setting: str, code: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(kernels.__file__).parents[1],
            env={**os.environ, "MTEVAL_KERNELS": setting},
            capture_output=True,
            text=True,
            check=False,
        )

    def test_python_can_be_forced(self) -> None:
        code = "import mteval_kernels as k; print(k.implementation, k.Vocabulary.__module__)"
        assert self.run("python", code).stdout == "python mteval_kernels.twins.vocabulary\n"

    def test_native_forced_but_missing_says_what_to_do(self) -> None:
        code = "import sys; sys.modules['mteval_kernels._native'] = None\nimport mteval_kernels"
        message = self.run("native", code).stderr
        assert "cannot be imported" in message
        assert "install mteval-kernels again with a C++17 compiler" in message

    def test_missing_native_falls_back(self) -> None:
        code = (
            "import sys, pathlib; sys.modules['mteval_kernels._native'] = None\n"
            "pathlib.Path.glob = lambda *_: []\n"
            "import mteval_kernels; print(mteval_kernels.implementation)"
        )
        assert self.run("", code).stdout == "python\n"

    def test_an_extension_that_cannot_be_imported_is_named(self) -> None:
        code = "import sys; sys.modules['mteval_kernels._native'] = None\n"
        message = self.run("", code + "import mteval_kernels").stderr
        if kernels.implementation == "native":
            assert "ImportError: the compiled kernels _native." in message
        assert ("cannot be imported" in message) == (kernels.implementation == "native")

    @pytest.mark.parametrize("built", ["", "0.0.1 0123456789ab"])
    def test_an_extension_of_another_version_is_named(self, built: str) -> None:
        code = (
            "import sys, types; m = sys.modules['mteval_kernels._native'] = "
            f"types.ModuleType('_native'); m.__file__ = 'old.so'; m._stamp = {built!r}\n"
            "import mteval_kernels"
        )
        message = self.run("", code).stderr
        assert f"old.so were built from other sources ({built}; expected" in message
        assert message.endswith("or set MTEVAL_KERNELS=python\n")

    def test_a_stamp_changes_with_names_and_contents_of_sources(self, tmp_path: Path) -> None:
        cpp = tmp_path / "cpp"
        stamps = [stamp("1.2", cpp)]
        cpp.mkdir()
        for name, content in (("a.cpp", b"1"), ("a.cpp", b"2"), ("b.hpp", b"2"), ("notes", b"")):
            (cpp / name).write_bytes(content)
            stamps.append(stamp("1.2", cpp))
        assert stamps[0] == "1.2 "
        assert len({*stamps}) == 4
        assert stamps[-1] == stamps[-2]

    def test_unknown_setting_is_refused(self) -> None:
        error = self.run("rust", "import mteval_kernels").stderr
        assert error.endswith("MTEVAL_KERNELS is 'rust'; expected 'native' or 'python'\n")


TOKENS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


class TestVocabulary:
    @given(batches=st.lists(st.lists(TOKENS, max_size=10), max_size=5))
    def test_numbers_tokens_in_order_of_first_occurrence(
        self, kernel: Any, batches: list[list[str]]
    ) -> None:
        vocabulary = kernel.Vocabulary()
        numbers: dict[str, int] = {}
        for batch in batches:
            expected = [numbers.setdefault(token, len(numbers)) for token in batch]
            ids = vocabulary.intern(batch)
            assert ids.dtype == np.int32
            assert ids.tolist() == expected
        assert len(vocabulary) == len(numbers)
        assert vocabulary.tokens(np.arange(len(numbers), dtype=np.int32)) == list(numbers)
        assert [vocabulary.find(token) for token in numbers] == list(numbers.values())

    def test_grows(self, kernel: Any) -> None:
        tokens = [f"{i}" * length for i in range(20000) for length in (1, 2, 5)]
        distinct = list(dict.fromkeys(tokens))
        vocabulary = kernel.Vocabulary()
        vocabulary.intern(tokens)
        assert vocabulary.tokens(vocabulary.intern(tokens)) == tokens
        assert vocabulary.intern(distinct).tolist() == list(range(len(distinct)))

    def test_tells_similar_tokens_apart(self, kernel: Any) -> None:
        tokens = [
            letter * length + tail
            for letter in "a\0é"
            for length in range(40)
            for tail in ("", "b", "\0")
        ]
        vocabulary = kernel.Vocabulary()
        assert vocabulary.tokens(vocabulary.intern(tokens)) == tokens

    def test_finds_without_adding(self, kernel: Any) -> None:
        vocabulary = kernel.Vocabulary()
        vocabulary.intern("abc")
        assert [vocabulary.find(token) for token in ("c", "d", "", "ab")] == [2, -1, -1, -1]
        assert len(vocabulary) == 3

    @given(
        numbers=st.lists(st.integers(-3, 3), min_size=1, max_size=99),
        places=st.lists(st.integers(0, 98), max_size=40),
    )
    def test_ids_without_a_number_are_found_once(
        self, kernel: Any, numbers: list[int], places: list[int]
    ) -> None:
        ids = [place % len(numbers) for place in places]
        found = kernel.Vocabulary().unmapped(frozen(ids, np.int32), frozen(numbers, np.int32))
        assert found.dtype == np.int32
        assert found.tolist() == sorted({i for i in ids if numbers[i] < 0})

    def test_can_be_pickled(self, kernel: Any) -> None:
        vocabulary = kernel.Vocabulary()
        vocabulary.intern(["b", "", "a\0é", "longer than eight bytes"])
        again = pickle.loads(pickle.dumps(vocabulary))
        assert again.intern(["new", "a\0é", "b"]).tolist() == [4, 2, 0]
        assert (len(again), len(vocabulary)) == (5, 4)

    def test_takes_any_sequence(self, kernel: Any) -> None:
        vocabulary = kernel.Vocabulary()
        assert vocabulary.intern(("b", "a")).tolist() == [0, 1]
        assert vocabulary.intern("aba").tolist() == [1, 0, 1]
        assert vocabulary.intern([]).shape == (0,)

    @pytest.mark.parametrize("token", ["\ud800", "abc\udfffdef"])
    def test_refuses_lone_surrogates(self, kernel: Any, token: str) -> None:
        vocabulary = kernel.Vocabulary()
        for look_up in (vocabulary.find, lambda token: vocabulary.intern([token])):
            with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
                look_up(token)
        assert len(vocabulary) == 0

    def test_refuses_what_is_not_a_str(self, kernel: Any) -> None:
        vocabulary = kernel.Vocabulary()
        for look_up in (vocabulary.find, lambda token: vocabulary.intern([token])):
            with pytest.raises(TypeError, match="a token must be a str, got bytes"):
                look_up(b"a")
        with pytest.raises(TypeError):
            vocabulary.intern(3)

    @pytest.mark.parametrize("wrong", [-1, 2, 2**31 - 1])
    def test_refuses_unknown_ids(self, kernel: Any, wrong: int) -> None:
        vocabulary = kernel.Vocabulary()
        vocabulary.intern("ab")
        message = f"unknown id {wrong}; the vocabulary has 2 tokens"
        with pytest.raises(ValueError, match=message):
            vocabulary.tokens(frozen([0, wrong], np.int32))


INT32 = st.integers(-(2**31), 2**31 - 1) | st.integers(-1, 3)


class TestPairIndex:
    @given(batches=st.lists(st.lists(st.tuples(INT32, INT32), max_size=20), max_size=5))
    def test_numbers_pairs_in_order_of_first_occurrence(
        self, kernel: Any, batches: list[list[tuple[int, int]]]
    ) -> None:
        index = kernel.PairIndex()
        numbers: dict[tuple[int, int], int] = {}
        for batch in batches:
            left, right = frozen(np.array(batch).reshape(-1, 2).T, np.int32)
            known = [numbers.get(pair, -1) for pair in batch]
            assert index.find(left, right).tolist() == known
            for pair in batch:
                if min(pair) >= 0:
                    numbers.setdefault(pair, len(numbers))
            ids = index.add(left, right)
            assert ids.dtype == np.int32
            assert ids.tolist() == [numbers.get(pair, -1) for pair in batch]
        assert len(index) == len(numbers)

    def test_grows(self, kernel: Any) -> None:
        left, right = np.divmod(np.arange(100_000, dtype=np.int32), np.int32(400))
        index = kernel.PairIndex()
        assert np.array_equal(index.add(left, right), np.arange(100_000))
        assert np.array_equal(index.find(left, right), np.arange(100_000))
        assert index.find(right, left)[:3].tolist() == [0, 400, 800]

    def test_can_be_pickled(self, kernel: Any) -> None:
        left, right = frozen([7, -1, 0, 2**31 - 1], np.int32), frozen([0, 3, 5, 1], np.int32)
        index = kernel.PairIndex()
        ids = index.add(left, right)
        again = pickle.loads(pickle.dumps(index))
        assert again.find(left, right).tolist() == ids.tolist() == [0, -1, 1, 2]
        assert again.add(right, left).tolist() == [3, -1, 4, 5]
        assert (len(again), len(index)) == (6, 3)

    def test_refuses_uneven_pairs(self, kernel: Any) -> None:
        one, two = frozen([1], np.int32), frozen([1, 2], np.int32)
        for number in (kernel.PairIndex().add, kernel.PairIndex().find):
            with pytest.raises(ValueError, match="left has 1 numbers, right has 2"):
                number(one, two)


TEXTS_OF_WORDS = st.lists(st.lists(st.integers(0, 4), max_size=7), max_size=6)


class TestRepeatedNgrams:
    @given(
        texts=TEXTS_OF_WORDS, order=st.integers(1, 5), low=st.integers(0, 5), n=st.integers(0, 6)
    )
    def test_are_those_that_a_counter_has_more_than_once(
        self, kernel: Any, texts: list[list[int]], order: int, low: int, n: int
    ) -> None:
        words = frozen([id for text in texts for id in [*text, -1]], np.int32)
        found = kernel.repeated_ngrams(words, order, low, low + n)
        prefixes = [(word,) for word in range(low, low + n)]
        for length, arrays in enumerate(found, 2):
            counter = sum((ngrams(text, length) for text in texts), Counter())
            assert [each.dtype for each in arrays] == [np.int32] * 3
            first, last, counts = (each.tolist() for each in arrays)
            assert (first[0], first[-1], len(first)) == (0, len(last), len(prefixes) + 1)
            listed = [
                (*prefix, last[i])
                for prefix, start, end in zip(prefixes, first, first[1:], strict=False)
                for i in range(start, end)
            ]
            assert listed == sorted(listed)
            assert dict(zip(listed, counts, strict=True)) == {
                ngram: count
                for ngram, count in counter.items()
                if count > 1 and low <= ngram[0] < low + n
            }
            wanted = [(i, word) for i in range(-1, len(prefixes) + 1) for word in range(-1, 6)]
            places = [
                listed.index(ngram)
                if 0 <= i < len(prefixes) and (ngram := (*prefixes[i], word)) in listed
                else -1
                for i, word in wanted
            ]
            queries = frozen(np.array(wanted).T, np.int32)
            assert kernel.find_ngrams(*arrays[:2], *queries).tolist() == places
            prefixes = listed
        assert len(found) == order - 1

    def test_of_one_word_many_times(self, kernel: Any) -> None:
        """Sorted by digits: 5,000 places of a word, before words with ids of up to 31 bits."""
        after = np.random.default_rng(1).permutation(np.repeat([0, 5, 1 << 13, 1 << 30], 1250))
        words = np.stack([np.full(5000, 7), after], axis=1).ravel().astype(np.int32)
        ((first, last, counts),) = kernel.repeated_ngrams(words, 2, 7, 8)
        assert first.tolist() == [0, 4]
        assert last.tolist() == [0, 5, 1 << 13, 1 << 30]
        assert counts.tolist() == [1250] * 4

    def test_refuses_bounds_outside(self, kernel: Any) -> None:
        one = frozen([0], np.int32)
        for first in ([0, 2], [1, 0], [-1, 1]):
            message = f"prefix 0 are {first[0]}:{first[1]}; expected bounds within 0:1"
            with pytest.raises(ValueError, match=message):
                kernel.find_ngrams(frozen(first, np.int32), one, one, one)
        with pytest.raises(ValueError, match="0 prefixes, but 1 words"):
            kernel.find_ngrams(one, one, one[:0], one)


class TestMatches:
    @settings(deadline=None)
    @given(corpus=id_corpora(), order=st.integers(1, 18), seed=st.integers(0, 9))
    def test_clipped_matches_are_those_of_counted_ngrams(
        self, kernel: Any, corpus: tuple[Any, Any], order: int, seed: int
    ) -> None:
        rows = kernel.clipped_matches(*layout(*corpus, seed), order)
        assert rows.dtype == np.float64
        assert rows.shape == (len(corpus[0]), order)
        for row, hypothesis, texts in zip(rows, *corpus, strict=True):
            for n in range(1, order + 1):
                assert row[n - 1] == (ngrams(hypothesis, n) & clip(texts, n)).total()

    @pytest.mark.parametrize("order", [1, 4, 16, 17])
    def test_references_of_any_length_are_matched(
        self, native: ModuleType, twins: SimpleNamespace, order: int
    ) -> None:
        rng = np.random.default_rng(order)
        lengths = [*range(46, 66), 112, 124, 125, 128, 129, 1024, 1025]
        references = [[rng.integers(0, 7, length).tolist()] for length in lengths]
        hypotheses = [[*own[0][20:], *own[0][:44]] for own in references]
        corpus = layout(hypotheses, references, 0)
        rows = native.clipped_matches(*corpus, order)
        assert (rows == twins.clipped_matches(*corpus, order)).all()
        assert rows.any(axis=0).all()

    @settings(deadline=None)
    @given(corpus=id_corpora(), seed=st.integers(0, 9), order=st.integers(1, 6))
    def test_matched_ngrams_are_the_first_occurrences(
        self, kernel: Any, corpus: tuple[Any, Any], seed: int, order: int
    ) -> None:
        texts = layout(*corpus, seed)
        marks = kernel.matched_ngrams(*texts, order)
        assert marks.dtype == np.bool_
        expected: list[list[bool]] = [[] for _ in range(order)]
        for hypothesis, references in zip(*corpus, strict=True):
            for n in range(1, order + 1):
                free = clip(references, n)
                for end in range(1, len(hypothesis) + 1):
                    ngram = (*hypothesis[max(end - n, 0) : end],)
                    expected[n - 1].append(free[ngram] > 0)
                    free[ngram] -= 1
        assert marks.tolist() == expected
        ends = np.cumsum([0, *map(len, corpus[0])])
        totals = [marks[:, a:b].sum(axis=1).tolist() for a, b in pairwise(ends)]
        assert totals == kernel.clipped_matches(*texts, order).tolist()

    def test_the_example_of_papineni_roukos_ward_and_zhu(self, kernel: Any) -> None:
        # Section 2.1: the clipped counts of seven "the" are 2; of candidate 1, 17 of 18.
        the = [0] * 7
        vocabulary = kernel.Vocabulary()
        candidate, *references = (
            vocabulary.intern(text.lower().split()).tolist()
            for text in (
                "It is a guide to action which ensures that the military always obeys the "
                "commands of the party",
                "It is a guide to action that ensures that the military will forever heed Party "
                "commands",
                "It is the guiding principle which guarantees the military forces always being "
                "under the command of the Party",
                "It is the practical guide for the army always to heed the directions of the party",
            )
        )
        cat = [[0, 1, 2, 3, 0, 4], [5, 2, 6, 1, 3, 0, 4]]
        rows = kernel.clipped_matches(*layout([the, candidate], [cat, references]), 2)
        assert rows[:, 0].tolist() == [2, 17]
        assert rows[1, 1] == 10

    def test_takes_strided_and_narrow_arrays(self, kernel: Any) -> None:
        hypotheses, references = layout([[1, 2, 3, 4]], [[[1, 2, 3, 3]]])
        strided = np.repeat(hypotheses.ids, 2)[::2]
        narrow = References(
            ids=references.ids.astype(np.int8),
            starts=references.starts.astype(np.int16),
            ends=references.ends.astype(np.uint32),
            index=references.index.astype(np.int32),
        )
        rows = kernel.clipped_matches(replace(hypotheses, ids=strided), narrow, 4)
        assert rows.tolist() == [[3, 2, 1, 0]]

    def test_threads_do_not_disturb_each_other(self, kernel: Any) -> None:
        rng = np.random.default_rng(6)
        texts = rng.integers(0, 50, (400, 30)).tolist()
        corpus = layout(texts[:200], [[text] for text in texts[200:]])
        with ThreadPoolExecutor(4) as pool:
            rows = list(pool.map(lambda _: kernel.clipped_matches(*corpus, 4), range(8)))
        assert all(np.array_equal(row, rows[0]) for row in rows)


HYPOTHESES = Hypotheses(
    ids=frozen([0, 1, 2], np.int32), starts=frozen([0, 2], np.int64), ends=frozen([2, 3], np.int64)
)
REFERENCES = References(
    ids=frozen([0, 1, 2, 3], np.int32),
    starts=frozen([0, 2, 3], np.int64),
    ends=frozen([2, 3, 4], np.int64),
    index=frozen([0, 1, 3], np.int64),
)
WRONG_HYPOTHESES = [
    ({"ends": [2, 99]}, ValueError, "hypotheses: text 1 is 2:99; expected bounds within 0:3"),
    ({"starts": [-1, 2]}, ValueError, "hypotheses: text 0 is -1:2; expected bounds within 0:3"),
    ({"starts": [3, 2]}, ValueError, "hypotheses: text 0 is 3:2; expected bounds within 0:3"),
    ({"ends": [1]}, ValueError, "hypotheses: 2 starts but 1 ends; expected equal numbers"),
    ({"starts": [0], "ends": [1]}, ValueError, "1 hypotheses, but references for 2 segments"),
    ({"starts": [[0, 1]]}, ValueError, "starts: expected one dimension, got 2"),
    ({"starts": 0}, ValueError, "starts: expected one dimension, got 0"),
    ({"starts": [0.0, 1.0]}, TypeError, "starts: expected an array of int64, got float64"),
    ({"ids": [2**40]}, TypeError, "ids: expected an array of int32, got int64"),
    ({"ids": ["a"]}, TypeError, "ids: expected an array of int32, got <U1"),
]
WRONG_REFERENCES = [
    ({"ends": [1, 99, 4]}, ValueError, "references: text 1 is 2:99; expected bounds within 0:4"),
    ({"index": [0, 3]}, ValueError, "2 hypotheses, but references for 1 segments"),
    ({"index": [0, 0, 3]}, ValueError, "the references of segment 0 are 0:0; expected at least"),
    ({"index": [-1, 1, 3]}, ValueError, "the references of segment 0 are -1:1; expected at least"),
    ({"index": [0, 1, 4]}, ValueError, "the references of segment 1 are 1:4; .* within 0:3"),
    ({"index": [0, 3, 2]}, ValueError, "the references of segment 1 are 3:2; expected at least"),
    ({"index": [0, 1, 2]}, ValueError, "the segments have the references 0:2; expected all, 0:3"),
    ({"index": [1, 2, 3]}, ValueError, "the segments have the references 1:3; expected all, 0:3"),
    ({"index": [0.0, 1, 3]}, TypeError, "index: expected an array of int64, got float64"),
]


class TestChecks:
    @pytest.mark.parametrize(("change", "error", "message"), WRONG_HYPOTHESES)
    def test_hypotheses(
        self, kernel: Any, change: dict[str, Any], error: type[Exception], message: str
    ) -> None:
        arrays: dict[str, Any] = {name: np.array(values) for name, values in change.items()}
        hypotheses = replace(HYPOTHESES, **arrays)
        with pytest.raises(error, match=message):
            kernel.clipped_matches(hypotheses, REFERENCES, 2)
        with pytest.raises(error, match=message):
            kernel.matched_ngrams(hypotheses, REFERENCES, 2)

    @pytest.mark.parametrize(("change", "error", "message"), WRONG_REFERENCES)
    def test_references(
        self, kernel: Any, change: dict[str, Any], error: type[Exception], message: str
    ) -> None:
        arrays: dict[str, Any] = {name: np.array(values) for name, values in change.items()}
        references = replace(REFERENCES, **arrays)
        with pytest.raises(error, match=message):
            kernel.clipped_matches(HYPOTHESES, references, 2)
        with pytest.raises(error, match=message):
            kernel.matched_ngrams(HYPOTHESES, references, 2)

    @pytest.mark.parametrize("order", [0, -3])
    def test_order(self, kernel: Any, order: int) -> None:
        with pytest.raises(ValueError, match=f"order is {order}; expected at least 1"):
            kernel.clipped_matches(HYPOTHESES, REFERENCES, order)
        with pytest.raises(ValueError, match=f"order is {order}; expected at least 1"):
            kernel.matched_ngrams(HYPOTHESES, REFERENCES, order)
