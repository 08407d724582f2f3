"""The Poisson bootstrap: its weights, which no partition changes, and what it refuses."""

from __future__ import annotations

from math import exp, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_testing import check_resampler

import mteval_core as mt
from mteval_core.evaluation.poisson import _weight_table, poisson, poisson_weights
from mteval_core.evaluation.resampling import CHUNK, CHUNK_BYTES

N, COUNT = 3000, 2 * CHUNK + 1


def drawn(ids: object, count: int = COUNT, seed: int = 12345) -> np.ndarray:
    return np.concatenate(list(poisson_weights(np.asarray(ids, np.int64), count, seed)))


WEIGHTS = drawn(np.arange(N))


@pytest.mark.parametrize(("segment", "resample"), [(0, 0), (1023, 7), (1024, 0), (2999, 100)])
def test_a_weight_is_the_quantile_of_one_word_of_philox(segment: int, resample: int) -> None:
    words = np.random.Philox(key=12345, counter=[0, 0, 0, segment // 1024]).random_raw(256 * COUNT)
    place = 1024 * resample + segment % 1024
    word = int(words[place // 4]) >> 16 * (place % 4) & 0xFFFF
    below = [sum(exp(-1) / factorial(j) for j in range(k + 1)) for k in range(12)]
    assert WEIGHTS[resample, segment] == sum(word >= round(65536 * share) for share in below)


def test_the_mean_is_one_and_the_variance_almost() -> None:
    # Each of the 65,536 words has the same probability.
    assert (_weight_table().sum(), _weight_table().var(), _weight_table().max()) == (
        65536,
        1 - 2**-15,
        8,
    )
    # 303,000 draws: five standard errors of their mean, and of their variance, whose own is 3 / n.
    assert abs(WEIGHTS.mean() - 1) < 5 / np.sqrt(WEIGHTS.size)
    assert abs(WEIGHTS.var() - 1) < 5 * np.sqrt(3 / WEIGHTS.size)


def test_the_weights_are_those_of_a_poisson_variable() -> None:
    shares = [exp(-1) / factorial(k) for k in range(6)]
    expected = WEIGHTS.size * np.array([*shares, 1 - sum(shares)])
    seen = np.bincount(WEIGHTS.ravel().clip(0, 6), minlength=7)
    # Pearson's statistic has 6 degrees of freedom; it exceeds 38.3 once in a million seeds.
    assert ((seen - expected) ** 2 / expected).sum() < 38.3


def test_segments_blocks_and_resamples_are_independent() -> None:
    centred = WEIGHTS - 1.0
    limit = 5 / np.sqrt(COUNT * 900)
    for shift in (1, 2, 1023, 1024, 1025, 2048):
        together = (centred[:, shift:] * centred[:, :-shift])[:, :900]
        assert abs(together.mean()) < limit
    assert abs((centred[1:] * centred[:-1]).mean()) < limit
    sums = centred.sum(axis=1)  # their variance is n; that of the multinomial draw is 0
    assert 0.5 * N < sums.var() < 2 * N


@given(st.data())
def test_a_part_in_any_order_draws_the_same_weights(data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.integers(0, N - 1), max_size=40))
    assert np.array_equal(drawn(ids, 3), WEIGHTS[:3, ids])


def test_large_ids_draw_the_same_weights_alone() -> None:
    ids = [2**62, 5, 2**62 - 1024, 2**40]
    together = drawn(ids, 60)
    assert np.array_equal(together, np.hstack([drawn([each], 60) for each in ids]))
    assert len({tuple(column) for column in together.T}) == len(ids)


def test_the_first_resamples_are_the_same_for_any_number_and_width() -> None:
    assert np.array_equal(drawn(np.arange(N), 7), WEIGHTS[:7])
    scattered = np.arange(0, CHUNK_BYTES, 1024)[::-400]  # chunks of fewer resamples
    assert np.array_equal(drawn(scattered, 9), np.hstack([drawn([i], 9) for i in scattered]))


def test_the_resampler_draws_the_weights_of_consecutive_numbers() -> None:
    chunks = list(poisson(N, COUNT, 12345))
    assert {chunk.dtype for chunk in chunks} == {np.dtype(np.uint8)}
    assert np.array_equal(np.concatenate(chunks), WEIGHTS)
    assert next(poisson(CHUNK_BYTES // 3, 4, 12345)).shape == (2, CHUNK_BYTES // 3)
    assert all(finding.ok for finding in check_resampler("poisson"))


def test_seeds_differ() -> None:
    assert not np.array_equal(drawn(range(30), seed=0), drawn(range(30), seed=1))
    assert drawn(range(30), seed=2**128 - 1).shape == (COUNT, 30)


def test_what_cannot_be_drawn_is_an_error() -> None:
    with pytest.raises(mt.UsageError, match="segment id -2: expected"):
        drawn([3, -2])
    for seed in (-1, 2**128):
        with pytest.raises(mt.UsageError, match=f"seed {seed} of a Poisson bootstrap"):
            drawn([3], seed=seed)
    with pytest.raises(mt.UsageError, match=r"29 segments or documents.* at least 30"):
        next(poisson(29, 10, 1))


def test_intervals_are_signed_and_near_those_of_the_bootstrap() -> None:
    rng = np.random.default_rng(4)
    references = [" ".join(rng.choice(["a", "b", "c", "d"], 12)) for _ in range(300)]
    texts = [line[:-2] + "d d" for line in references]

    evaluation = mt.evaluate({"s": texts}, [references], ["bleu"])

    def width(resampler: str) -> float:
        interval = evaluation.confidence(2000, resampler=resampler).intervals["s", "bleu"]
        return interval.high - interval.low

    # 2000 resamples know the width of an interval to about 4%.
    assert width("poisson") == pytest.approx(width("bootstrap"), rel=0.15)
    assert width("poisson") != width("bootstrap")
    signed = evaluation.confidence(100, resampler="poisson").score("s", "bleu").signature
    assert "|draw:poisson|" in str(signed)
    assert "resampler" not in str(evaluation.confidence(100).score("s", "bleu").signature)
