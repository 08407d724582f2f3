"""Subsequence kernels: both implementations against each other and against the obvious way."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from functools import cache
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mteval_core import kernels
from mteval_core.kernels.twins import lcs as lcs_twin
from mteval_core.kernels.twins import matched_tokens as matched_tokens_twin
from mteval_core.kernels.twins import skip_bigrams as skip_bigrams_twin
from mteval_core.text.tokens import References, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Text = Sequence[int]

try:
    from mteval_core.kernels import _native
except ImportError:
    _native = None  # type: ignore[assignment]

TWINS: dict[str, Any] = {
    **{name: getattr(lcs_twin, name) for name in lcs_twin.__all__},
    "matched_tokens": matched_tokens_twin.matched_tokens,
    "skip_bigrams": skip_bigrams_twin.skip_bigrams,
}
LENGTHS = [0, 1, 2, 5, 26, 63, 64, 65, 127, 128, 129, 300]
POWERS = np.array([k**1.2 for k in range(301)])

few = settings(max_examples=25, deadline=None)  # the obvious ways take their time


def both(name: str) -> pytest.MarkDecorator:
    """Run a test with both implementations of a kernel."""
    native = pytest.param(
        getattr(_native, name, None),
        id="native",
        marks=pytest.mark.skipif(_native is None, reason="the native kernels are not built"),
    )
    return pytest.mark.parametrize("kernel", [pytest.param(TWINS[name], id="python"), native])


def flat(texts: Sequence[Text], order: Sequence[int]) -> dict[str, NDArray[Any]]:
    """Texts laid out in some order, with foreign ids before each, in arrays nobody can write to."""
    ids: list[int] = []
    starts, ends = [0] * len(texts), [0] * len(texts)
    for i in order:
        ids += [0, 1, 2]
        starts[i] = len(ids)
        ids += texts[i]
        ends[i] = len(ids)
    arrays: dict[str, NDArray[Any]] = {
        "ids": np.array(ids, np.int32),
        "starts": np.array(starts, np.int64),
        "ends": np.array(ends, np.int64),
    }
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def grouped(groups: Sequence[Sequence[Text]]) -> References:
    texts = list(chain.from_iterable(groups))
    order = np.random.default_rng(len(texts)).permutation(len(texts)).tolist()
    return References(**flat(texts, order), index=np.cumsum([0, *map(len, groups)]))


def single(texts: Sequence[Text]) -> Tokens:
    return Tokens(**flat(texts, list(range(len(texts)))[::-1]))


@st.composite
def texts(draw: st.DrawFn, lengths: Sequence[int] = LENGTHS) -> list[list[int]]:
    """Texts that share runs, repeat tokens and hold negative ids."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_types = draw(st.sampled_from([1, 2, 5, 50, 2**31 - 1]))
    base = rng.integers(0, n_types, 500)
    changes = draw(st.sampled_from([0.0, 0.05, 0.4]))
    found = []
    for length in draw(st.lists(st.sampled_from(lengths), min_size=2, max_size=4)):
        start = int(rng.integers(0, 60))
        tokens = base[start : start + length].copy()
        changed = rng.random(length) < changes
        tokens[changed] = rng.integers(-2, n_types, int(changed.sum()))
        found.append(tokens.tolist())
    return found


segments = st.lists(texts(), min_size=0, max_size=3)


def same(a: int, b: int) -> bool:
    return a == b and a >= 0


# --- the obvious ways ---


def lcs_table(hypothesis: Text, reference: Text) -> list[list[int]]:
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, word in enumerate(reference, 1):
        for j, token in enumerate(hypothesis, 1):
            table[i][j] = (
                table[i - 1][j - 1] + 1
                if same(word, token)
                else max(table[i - 1][j], table[i][j - 1])
            )
    return table


def way_back(hypothesis: Text, reference: Text, table: Sequence[Sequence[float]]) -> list[bool]:
    marks = [False] * len(reference)
    i, j = len(reference), len(hypothesis)
    while i and j:
        if same(reference[i - 1], hypothesis[j - 1]):
            i, j = i - 1, j - 1
            marks[i] = True
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marks


def weighted_score(hypothesis: Text, reference: Text) -> float:
    """Lin's recursion, from the ends of the texts; run lengths counted anew at every match."""

    def run(i: int, j: int) -> int:
        length = 0
        while min(i, j) > length and same(reference[i - length - 1], hypothesis[j - length - 1]):
            length += 1
        return length

    @cache
    def score(i: int, j: int) -> float:
        if not i or not j:
            return 0.0
        if same(reference[i - 1], hypothesis[j - 1]):
            k = run(i - 1, j - 1)
            return score(i - 1, j - 1) + float(POWERS[k + 1]) - float(POWERS[k])
        return max(score(i - 1, j), score(i, j - 1))

    return score(len(reference), len(hypothesis))


def pairs(text: Text, skip: int | None) -> Counter[tuple[int, int]]:
    reach = len(text) if skip is None else skip + 1
    positions = combinations(range(len(text)), 2)
    found = ((text[i], text[j]) for i, j in positions if j - i <= reach)
    return Counter(pair for pair in found if min(pair) >= 0)


# --- the kernels ---


@both("lcs")
@few
@given(segments)
def test_lcs_is_that_of_the_table(kernel: Any, drawn: list[list[list[int]]]) -> None:
    lengths = kernel(single([t[0] for t in drawn]), grouped([t[1:] for t in drawn]))
    assert lengths.dtype == np.float64
    assert lengths.tolist() == [
        lcs_table(hypothesis, reference)[-1][-1]
        for hypothesis, *references in drawn
        for reference in references
    ]


@both("lcs_marks")
@few
@given(st.lists(st.tuples(texts(), texts()), max_size=2))
def test_lcs_marks_are_those_of_the_way_back(
    kernel: Any, drawn: list[tuple[list[list[int]], list[list[int]]]]
) -> None:
    marks = kernel(grouped([h for h, _ in drawn]), grouped([r for _, r in drawn]))
    assert marks.dtype == np.bool_
    expected: list[bool] = []
    for hypotheses, references in drawn:
        for reference in references:
            each = [way_back(h, reference, lcs_table(h, reference)) for h in hypotheses]
            expected += map(any, zip(*each, strict=True))
    assert marks.tolist() == expected


@both("lcs_marks")
@few
@given(texts())
def test_there_are_as_many_marks_as_the_lcs_is_long(kernel: Any, drawn: list[list[int]]) -> None:
    hypothesis, *references = drawn
    marks = kernel(grouped([[hypothesis]] * len(references)), grouped([[r] for r in references]))
    ends = np.cumsum([len(reference) for reference in references])
    found = [part.sum() for part in np.split(marks, ends[:-1])]
    lengths = kernels.lcs(single([hypothesis]), grouped([references]))
    assert found == lengths.tolist()


@both("weighted_lcs")
@few
@given(st.lists(texts([0, 1, 2, 5, 26, 63, 64, 65]), max_size=2))
def test_weighted_lcs_follows_the_recursion(kernel: Any, drawn: list[list[list[int]]]) -> None:
    scores = kernel(single([t[0] for t in drawn]), grouped([t[1:] for t in drawn]), POWERS)
    assert scores.tolist() == [
        weighted_score(hypothesis, reference)
        for hypothesis, *references in drawn
        for reference in references
    ]


@both("weighted_lcs")
@few
@given(texts())
def test_a_run_is_worth_its_value(kernel: Any, drawn: list[list[int]]) -> None:
    hypothesis = [token for token in drawn[0] if token >= 0]
    found = kernel(single([hypothesis]), grouped([[hypothesis]]), POWERS).item()
    assert found == pytest.approx(POWERS[len(hypothesis)], rel=1e-12)
    forward = kernel(single([hypothesis]), grouped([drawn[1:]]), POWERS)
    backward = kernel(single(drawn[1:]), grouped([[hypothesis]] * len(drawn[1:])), POWERS)
    assert forward.tolist() == backward.tolist()


@both("weighted_lcs_marks")
@few
@given(texts(), st.sampled_from([1.0, 1.2, 2.0]))
def test_weights_of_one_give_the_marks_of_the_lcs(
    kernel: Any, drawn: list[list[int]], exponent: float
) -> None:
    hypotheses, references = grouped([drawn[:1]]), grouped([drawn[1:]])
    values = np.array([k**exponent for k in range(301)])
    marks = kernel(hypotheses, references, values)
    assert marks.tolist() == TWINS["weighted_lcs_marks"](hypotheses, references, values).tolist()
    if exponent == 1:
        assert marks.tolist() == kernels.lcs_marks(hypotheses, references).tolist()


@both("skip_bigrams")
@few
@given(segments, st.sampled_from([None, 0, 1, 4, 9, 62, 63, 64, 1000]))
def test_skip_bigrams_are_clipped_pairs(
    kernel: Any, drawn: list[list[list[int]]], skip: int | None
) -> None:
    matches = kernel(single([t[0] for t in drawn]), grouped([t[1:] for t in drawn]), skip)
    assert matches.dtype == np.float64
    assert matches.tolist() == [
        (pairs(hypothesis, skip) & pairs(reference, skip)).total()
        for hypothesis, *references in drawn
        for reference in references
    ]


@both("skip_bigrams")
def test_skip_bigrams_of_long_texts_take_little_memory(kernel: Any) -> None:
    rng = np.random.default_rng(3)
    text = rng.integers(0, 700, 1_000).tolist()
    tracemalloc.start()
    matches = kernel(single([text]), grouped([[text]]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert matches.tolist() == [1_000 * 999 / 2]
    assert peak < 2e6


@both("matched_tokens")
@few
@given(segments)
def test_matched_tokens_are_the_first_occurrences(
    kernel: Any, drawn: list[list[list[int]]]
) -> None:
    hypotheses, references = single([t[0] for t in drawn]), grouped([t[1:] for t in drawn])
    marks = kernel(hypotheses, references)
    assert marks.dtype == np.bool_
    expected = []
    for hypothesis, *texts_ in drawn:
        allowed = Counter(chain.from_iterable(map(Counter, texts_)))
        for token in allowed:
            allowed[token] = max(text.count(token) for text in texts_)
        seen: Counter[int] = Counter()
        for token in hypothesis:
            seen[token] += 1
            expected.append(token >= 0 and seen[token] <= allowed[token])
    assert marks.tolist() == expected
    if drawn:
        index = np.cumsum([0, *(len(t[0]) for t in drawn)])
        totals = [marks[a:b].sum() for a, b in pairwise(index)]
        assert totals == kernels.clipped_matches(hypotheses, references, 1)[:, 0].tolist()


# --- what all have in common ---

CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "lcs": lambda kernel, h, r: kernel(h, r),
    "lcs_marks": lambda kernel, h, r: kernel(h, r),
    "weighted_lcs": lambda kernel, h, r: kernel(h, r, POWERS),
    "weighted_lcs_marks": lambda kernel, h, r: kernel(h, r, POWERS),
    "matched_tokens": lambda kernel, h, r: kernel(h, r),
    "skip_bigrams": lambda kernel, h, r: kernel(h, r, 4),
}


@pytest.mark.skipif(_native is None, reason="the native kernels are not built")
@pytest.mark.parametrize("name", CALLS)
@few
@given(segments)
def test_native_equals_twin_to_the_last_bit(name: str, drawn: list[list[list[int]]]) -> None:
    hypotheses, references = grouped([t[:1] for t in drawn]), grouped([t[1:] for t in drawn])
    call = CALLS[name]
    native, twin = getattr(_native, name), TWINS[name]
    np.testing.assert_array_equal(
        call(native, hypotheses, references), call(twin, hypotheses, references)
    )
    assert native.__doc__ == twin.__doc__


@pytest.mark.parametrize("name", CALLS)
@few
@given(segments.filter(bool))
def test_any_split_into_segments_gives_the_same(name: str, drawn: list[list[list[int]]]) -> None:
    hypotheses, references = grouped([t[:1] for t in drawn]), grouped([t[1:] for t in drawn])
    kernel = getattr(kernels, name)
    parts = [
        CALLS[name](kernel, hypotheses.slice(i, i + 1), references.slice(i, i + 1))
        for i in range(len(drawn))
    ]
    np.testing.assert_array_equal(
        np.concatenate(parts), CALLS[name](kernel, hypotheses, references)
    )


@pytest.mark.skipif(_native is None, reason="the native kernels are not built")
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "change",
    [
        {"ends": np.array([9])},
        {"index": np.array([0, 2])},
        {"index": np.array([1, 1])},
        {"index": np.array([0, 1, 1])},
        {"ids": np.zeros((2, 2), np.int32)},
        {"ids": np.zeros(6, np.int64)},
    ],
    ids=str,
)
def test_wrong_texts_are_refused_alike(name: str, change: dict[str, Any]) -> None:
    right = {"ids": np.zeros(6, np.int32), "starts": np.array([3]), "ends": np.array([6])}
    hypotheses = References(**right, index=np.array([0, 1]))
    references = References(**{**right, "index": np.array([0, 1]), **change})
    messages = set()
    for kernel in (TWINS[name], getattr(_native, name)):
        with pytest.raises((ValueError, TypeError)) as raised:
            CALLS[name](kernel, hypotheses, references)
        messages.add(f"{raised.type.__name__}: {raised.value}")
    assert len(messages) == 1


@pytest.mark.skipif(_native is None, reason="the native kernels are not built")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("weighted_lcs", (np.zeros(3),)),
        ("weighted_lcs_marks", (np.zeros(3),)),
        ("skip_bigrams", (-1,)),
    ],
)
def test_wrong_parameters_are_refused_alike(name: str, arguments: Iterable[Any]) -> None:
    texts_ = grouped([[[1, 2, 3]]])
    messages = set()
    for kernel in (TWINS[name], getattr(_native, name)):
        with pytest.raises(ValueError, match="expected") as raised:
            kernel(texts_, texts_, *arguments)
        messages.add(str(raised.value))
    assert len(messages) == 1
