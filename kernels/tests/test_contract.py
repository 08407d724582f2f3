"""What all kernels on texts have in common."""

from __future__ import annotations

import inspect
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from corpora import References, id_corpora, reference_layout
from mteval_kernels import TooLongError
from mteval_kernels.table import KERNELS, twin

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType, SimpleNamespace

    Call = Callable[[Any, References, References], Any]

VALUES = np.arange(70_000) ** 1.2
LIMITS = {"max_size": 4, "max_distance": 50, "beam": 9}

CALLS: dict[str, Call] = {
    "beam_alignment": lambda k, h, r: k.beam_alignment(h, r, [None], weights=[1], beam=5),
    "clipped_matches": lambda k, h, r: k.clipped_matches(h, r, 4),
    "edit_distance": lambda k, h, r: k.edit_distance(h, r),
    "lcs": lambda k, h, r: k.lcs(h, r),
    "lcs_marks": lambda k, h, r: k.lcs_marks(h, r),
    "matched_ngrams": lambda k, h, r: k.matched_ngrams(h, r, 3).T,
    "maximum_run_matching": lambda k, h, r: k.maximum_run_matching(
        h, r, 2, h.lengths / 2, limit=10
    ),
    "run_matching": lambda k, h, r: k.run_matching(h, r, 2, h.lengths / 2),
    "shift_edit_distance": lambda k, h, r: k.shift_edit_distance(h, r, **LIMITS),
    "skip_bigrams": lambda k, h, r: k.skip_bigrams(h, r, 4),
    "staged_alignment": lambda k, h, r: k.staged_alignment(h, r, [None], limit=20),
    "weighted_lcs": lambda k, h, r: k.weighted_lcs(h, r, VALUES),
    "weighted_lcs_marks": lambda k, h, r: k.weighted_lcs_marks(h, r, VALUES),
}
"""A call of every kernel that compares hypotheses with references."""

every_kernel = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def test_every_kernel_on_texts_has_a_call() -> None:
    functions = {name: f for name in KERNELS if inspect.isfunction(f := twin(name))}
    parameters = {name: inspect.signature(f).parameters for name, f in functions.items()}
    assert [name for name in parameters if "hypotheses" in parameters[name]] == list(CALLS)


def results(call: Call, kernel: Any, hypotheses: References, references: References) -> Any:
    """Results of a call, one array after the other."""
    result = call(kernel, hypotheses, references)
    return result if isinstance(result, tuple) else (result,)


def grouped(corpus: Any) -> tuple[References, References]:
    """Lay out hypotheses of few types, one to a group, and their references."""
    hypotheses = few_types([[text] for text in corpus[0]])
    return reference_layout(hypotheses), reference_layout(few_types(corpus[1]))


def few_types(side: Any) -> list[list[list[int]]]:
    return [
        [[token % 50 if token >= 0 else token for token in text] for text in texts]
        for texts in side
    ]


@every_kernel
@settings(max_examples=15)
@given(corpus=id_corpora([0, 1, 2, 26, 63, 64, 65, 129], max_references=3))
def test_native_equals_twin_to_the_last_bit(
    native: ModuleType, twins: SimpleNamespace, call: Call, corpus: Any
) -> None:
    texts = grouped(corpus)
    for ours, theirs in zip(
        results(call, native, *texts), results(call, twins, *texts), strict=True
    ):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


RESULTS = {
    "beam_alignment": "8a8786d0",
    "clipped_matches": "f68d0b31",
    "edit_distance": "0752e04e",
    "lcs": "8c160d59",
    "lcs_marks": "1e9f9402",
    "matched_ngrams": "9ca27e11",
    "maximum_run_matching": "c202fff0",
    "run_matching": "3b1873dc",
    "shift_edit_distance": "c9a43bbd",
    "skip_bigrams": "e13729cc",
    "staged_alignment": "970d51f0",
    "weighted_lcs": "35c4bbb6",
    "weighted_lcs_marks": "b0c2ba62",
}
"""Digests of what the kernels return. One that changes raises the second number of the version."""


def drawn_groups(draw: random.Random, most: int) -> References:
    """Draw 40 groups of texts; a generator that is not numpy's is the same in all versions."""
    sizes = [draw.randint(1, most) for _ in range(40)]
    return reference_layout(
        [[draw.choices(range(-1, 9), k=draw.randrange(40)) for _ in range(n)] for n in sizes]
    )


def test_the_numbers_are_those_of_the_version(kernel: Any) -> None:
    draw = random.Random(1)
    hypotheses, references = drawn_groups(draw, 1), drawn_groups(draw, 3)
    found = {}
    for name, call in CALLS.items():
        digest = sha256()
        for array in results(call, kernel, hypotheses, references):
            digest.update(np.round(array.astype("<f8"), 6).tobytes())
        found[name] = digest.hexdigest()[:8]
    assert found == RESULTS


@every_kernel
def test_threads_get_what_one_thread_gets(native: ModuleType, call: Call) -> None:
    ids = np.random.default_rng(3).integers(0, 50, (2, 20, 30)).tolist()
    texts = (reference_layout([[text] for text in side]) for side in ids)
    hypotheses, references = texts
    alone = results(call, native, hypotheses, references)
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(results, call, native, hypotheses, references) for _ in range(8)]
    for found in calls:
        assert all(map(np.array_equal, found.result(), alone))


@every_kernel
@settings(max_examples=10)
@given(corpus=id_corpora([0, 1, 5, 26, 65], max_references=3))
def test_any_split_into_segments_gives_the_same(kernel: Any, call: Call, corpus: Any) -> None:
    hypotheses, references = grouped(corpus)
    parts = [
        results(call, kernel, hypotheses.slice(i, i + 1), references.slice(i, i + 1))
        for i in range(len(corpus[0]))
    ]
    whole = results(call, kernel, hypotheses, references)
    for k in range(len(whole) if parts else 0):
        np.testing.assert_array_equal(whole[k], np.concatenate([part[k] for part in parts]))


@every_kernel
@pytest.mark.parametrize(
    "change",
    [
        {"ends": np.array([9])},
        {"ends": np.array([6, 6])},
        {"starts": np.array([-1])},
        {"starts": np.array([[3]])},
        {"starts": np.array([3.0])},
        {"index": np.array([0, 2])},
        {"index": np.array([1, 1])},
        {"index": np.array([0, 1, 1])},
        {"ids": np.zeros((2, 2), np.int32)},
        {"ids": np.zeros(6, np.int64)},
    ],
    ids=str,
)
def test_wrong_texts_are_refused_alike(
    native: ModuleType, twins: SimpleNamespace, call: Call, change: dict[str, Any]
) -> None:
    right: dict[str, Any] = {
        "ids": np.zeros(6, np.int32),
        "starts": np.array([3]),
        "ends": np.array([6]),
        "index": np.array([0, 1]),
    }
    messages = set()
    for kernel in (native, twins):
        with pytest.raises((ValueError, TypeError)) as refused:
            call(kernel, References(**right), References(**{**right, **change}))
        messages.add(f"{refused.type.__name__}: {refused.value}")
    assert len(messages) == 1


WRONG: dict[str, Call] = {
    "clipped_matches order": lambda k, h, r: k.clipped_matches(h, r, 0),
    "matched_ngrams order": lambda k, h, r: k.matched_ngrams(h, r, 0),
    "shift_edit_distance max_size": lambda k, h, r: k.shift_edit_distance(
        h, r, **{**LIMITS, "max_size": -1}
    ),
    "shift_edit_distance beam": lambda k, h, r: k.shift_edit_distance(
        h, r, **{**LIMITS, "beam": -1}
    ),
    "weighted_lcs values": lambda k, h, r: k.weighted_lcs(h, r, np.zeros(3)),
    "weighted_lcs_marks values": lambda k, h, r: k.weighted_lcs_marks(h, r, np.zeros(3)),
    "skip_bigrams skip": lambda k, h, r: k.skip_bigrams(h, r, -1),
    "run_matching exponent": lambda k, h, r: k.run_matching(h, r, 0.5, np.ones(1)),
    "run_matching budget": lambda k, h, r: k.run_matching(h, r, 2, np.array([-1.5])),
    "run_matching budgets": lambda k, h, r: k.run_matching(h, r, 2, np.ones(2)),
    "run_matching ties": lambda k, h, r: k.run_matching(h, r, 2, np.ones(1), ties="middle"),
    "maximum limit": lambda k, h, r: k.maximum_run_matching(h, r, 2, np.ones(1), limit=0),
    "staged minimize": lambda k, h, r: k.staged_alignment(h, r, [None], minimize="links"),
    "staged limit": lambda k, h, r: k.staged_alignment(h, r, [None], limit=0),
    "staged relations": lambda k, h, r: k.staged_alignment(h, r, []),
    "staged offsets": lambda k, h, r: k.staged_alignment(h, r, [keys([0, 3, 1])]),
    "staged ids": lambda k, h, r: k.staged_alignment(h, r, [keys([0, 1])]),
    "beam": lambda k, h, r: k.beam_alignment(h, r, [None], weights=[1], beam=0),
    "beam weights": lambda k, h, r: k.beam_alignment(h, r, [None], weights=[65_536], beam=1),
    "phrases": lambda k, h, r: with_phrase(k, h, r, [9, 1, 0, 1, 0]),
    "phrase table": lambda k, h, r: with_phrase(k, h, r, [0, 1]),
    "keys": lambda k, h, r: k.staged_alignment(h, r, [np.zeros(3, np.int32)]),
    "type of keys": lambda k, h, r: k.staged_alignment(h, r, [np.zeros(4)]),
    "staged flags": lambda k, h, r: k.staged_alignment(h, r, [None], counted=[np.ones(3, bool)]),
    "type of flags": lambda k, h, r: k.staged_alignment(h, r, [None], counted=[np.ones(4)]),
    "flags": lambda k, h, r: k.staged_alignment(h, r, [None], counted=np.ones(4, bool)),
    "unmapped": lambda k, h, _r: k.Vocabulary().unmapped(h.ids, np.zeros(2, np.int32)),
    "unmapped negative": lambda k, h, _r: k.Vocabulary().unmapped(-h.ids, np.zeros(9, np.int32)),
    "vocabulary": lambda k, _h, _r: k.Vocabulary().tokens(np.array([1], np.int32)),
    "lines": lambda k, _h, _r: k.encode_lines(["a", None, 1]),
    "token": lambda k, _h, _r: k.Vocabulary().find(b"a"),
    "pairs": lambda k, h, r: k.PairIndex().add(h.ids, r.ids[:1]),
    "ngrams order": lambda k, h, _r: k.repeated_ngrams(h.ids, 0, 0, 1),
    "ngrams low": lambda k, h, _r: k.repeated_ngrams(h.ids, 2, -1, 1),
    "ngrams high": lambda k, h, _r: k.repeated_ngrams(h.ids, 2, 3, 2),
    "ngrams highest": lambda k, h, _r: k.repeated_ngrams(h.ids, 2, 0, 1 << 31),
    "ngrams words": lambda k, h, _r: k.repeated_ngrams(h.starts, 2, 0, 1),
    "prefixes": lambda k, h, r: k.find_ngrams(h.ids, h.ids, h.ids, r.ids[:1]),
    "numbers": lambda k, h, r: k.find_ngrams(h.ids[::-1], h.ids, r.ids, r.ids),
    "ids": lambda k, h, _r: k.text_digest(b"abc", h.starts, h.ends, np.zeros(2, int)),
    "ids of segments": lambda k, h, _r: k.text_digest(b"abc", h.starts, h.ends, np.zeros(1)),
    "segments": lambda k, h, _r: k.text_digest(b"ab", h.starts, h.ends, h.starts),
    "bytes": lambda k, h, _r: k.text_digest("abc", h.starts, h.ends, h.starts),
    "buffer": lambda k, h, r: k.scan_13a(b"ab", h.starts, r.ends, k.Vocabulary()),
}


def keys(offsets: list[int]) -> Any:
    return np.array(offsets), np.zeros(2, np.int32)


def with_phrase(kernel: Any, h: References, r: References, row: list[int]) -> Any:
    phrases = np.array([0, 1]), np.array([row], np.int32)
    return kernel.beam_alignment(h, r, [None], weights=[1], beam=1, phrases=phrases)


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_wrong_parameters_are_refused_alike(
    native: ModuleType, twins: SimpleNamespace, call: Call
) -> None:
    texts = References(
        np.array([1, 2, 3], np.int32), np.array([0]), np.array([3]), np.array([0, 1])
    )
    messages = set()
    for kernel in (native, twins):
        with pytest.raises((ValueError, TypeError)) as refused:
            call(kernel, texts, texts)
        messages.add(f"{refused.type.__name__}: {refused.value}")
    assert len(messages) == 1


def one_token_again_and_again(length: int) -> References:
    """One text, in a group of its own."""
    ids = np.zeros(length, np.int32)
    return References(ids, np.array([0]), np.array([length]), np.array([0, 1]))


TAKE_LONG_TEXTS = {
    "clipped_matches": lambda k, h, r: k.clipped_matches(h, r, 1),
    "matched_ngrams": lambda k, h, r: k.matched_ngrams(h, r, 1).sum(),
}


@pytest.mark.parametrize("call", TAKE_LONG_TEXTS.values(), ids=TAKE_LONG_TEXTS)
def test_long_texts(native: ModuleType, call: Call) -> None:
    assert call(native, *map(one_token_again_and_again, (100_000, 70_000))) == 70_000


REFUSE_LONG_TEXTS = {*CALLS} - {*TAKE_LONG_TEXTS}
REFUSE_MANY_PAIRS = REFUSE_LONG_TEXTS - {"edit_distance", "lcs"}


@pytest.mark.parametrize("name", sorted(REFUSE_LONG_TEXTS))
@pytest.mark.parametrize("lengths", [(65_536, 1), (1, 65_536)])
def test_a_text_of_more_than_65535_tokens_is_refused(
    kernel: Any, name: str, lengths: tuple[int, int]
) -> None:
    message = "segment 0: {} hypothesis tokens and {} reference tokens; expected at most 65535"
    with pytest.raises(TooLongError, match=message.format(*lengths)):
        CALLS[name](kernel, *map(one_token_again_and_again, lengths))


@pytest.mark.parametrize("name", sorted(REFUSE_MANY_PAIRS))
def test_too_many_pairs_of_tokens_are_refused(kernel: Any, name: str) -> None:
    """By kernels whose tables have a bit or a cell for every pair."""
    most = 2**24 if name == "shift_edit_distance" else 2**28
    texts = map(one_token_again_and_again, (40_000, most // 40_000 + 1))
    with pytest.raises(TooLongError, match=f"expected at most 65535 of each and {most} pairs"):
        CALLS[name](kernel, *texts)


def of_two_types(length: int, seed: int) -> References:
    ids = np.random.default_rng(seed).integers(0, 2, length, np.int32)
    return References(ids, np.array([0]), np.array([length]), np.array([0, 1]))


REFUSE_MANY_LINKS: dict[str, tuple[Call, int, str]] = {
    "beam": (
        lambda k, h, r: k.beam_alignment(h, r, [None], weights=[1], beam=2**15),
        100,
        "1024 possible links",
    ),
    "runs": (lambda k, h, r: k.run_matching(h, r, 2, h.lengths), 6000, "4194304 common runs"),
    "shifts": (
        lambda k, h, r: k.shift_edit_distance(h, r, **LIMITS),
        3000,
        "4194304 pairs of equal tokens",
    ),
    "links": (lambda k, h, r: k.staged_alignment(h, r, [None]), 3000, "4194304 open links"),
}


@pytest.mark.parametrize(("call", "length", "most"), REFUSE_MANY_LINKS.values())
def test_texts_with_too_many_equal_tokens_are_refused(
    native: ModuleType, call: Call, length: int, most: str
) -> None:
    texts = of_two_types(length, 1), of_two_types(length, 2)
    with pytest.raises(TooLongError, match=f"expected at most {most}"):
        call(native, *texts)


def test_an_error_has_the_segment_and_the_reason(kernel: Any) -> None:
    ids = np.zeros(70_000, np.int32)
    texts = References(ids, np.array([0, 9]), np.array([3, 70_000]), np.array([0, 1, 2]))
    with pytest.raises(TooLongError) as refused:
        kernel.lcs(texts, texts)
    assert refused.value.segment == 1
    assert refused.value.reason.startswith("69991 hypothesis tokens")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@pytest.mark.parametrize("order", [1, 2, 5])
@settings(max_examples=20)
@given(corpus=id_corpora([0, 1, 5, 26, 65], max_references=3))
def test_counting_ngrams_of_long_references_changes_nothing(
    kernel: Any, corpus: Any, order: int
) -> None:
    """A reference that other tokens make long matches as the short one does."""
    hypotheses, references = grouped(corpus)
    long = reference_layout(
        [[[*text, *range(10**6, 10**6 + 1100)] for text in texts] for texts in few_types(corpus[1])]
    )
    expected = kernel.clipped_matches(hypotheses, references, order)
    np.testing.assert_array_equal(kernel.clipped_matches(hypotheses, long, order), expected)
