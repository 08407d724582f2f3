"""One-to-one alignments: both implementations against the best of all alignments."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import LENGTHS, layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType, SimpleNamespace

    from numpy.typing import NDArray

    from corpora import Hypotheses, References

    Relation = tuple[NDArray[np.int64], NDArray[np.int32]] | None
    Phrases = tuple[NDArray[np.int64], NDArray[np.int32]]
    Texts = Sequence[Sequence[int]]

N_TYPES = 6
tokens = st.integers(-1, N_TYPES - 1)
short = st.lists(tokens, max_size=6)
keys = st.lists(st.lists(st.integers(0, 3), max_size=2), min_size=N_TYPES, max_size=N_TYPES)


def relation(keys_of_types: Texts) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    offsets = np.cumsum([0, *map(len, keys_of_types)])
    return offsets, np.array([key for keys in keys_of_types for key in keys], np.int32)


def one_by_one(
    hypothesis: Sequence[int],
    reference: Sequence[int],
    related: Sequence[Callable[[int, int], bool]],
    minimize: str,
) -> tuple[list[int], list[int]]:
    """Try all sets of links, stage after stage."""
    linked: list[int | None] = [None] * len(hypothesis)
    kinds: list[int] = [-1] * len(hypothesis)
    for kind, may_link in enumerate(related):
        taken = {j for j in linked if j is not None}

        def ways(i: int, used: frozenset[int]) -> Iterator[list[int | None]]:
            if i == len(hypothesis):
                yield []
                return
            if linked[i] is not None:  # noqa: B023 - used up before the next stage
                for rest in ways(i + 1, used):
                    yield [linked[i], *rest]  # noqa: B023
                return
            for j, token in enumerate(reference):
                if j not in used and may_link(hypothesis[i], token):  # noqa: B023
                    for rest in ways(i + 1, used | {j}):
                        yield [j, *rest]
            for rest in ways(i + 1, used):
                yield [None, *rest]

        def cost(way: list[int | None]) -> tuple[int, ...]:
            new = [
                (i, j)
                for i, j in enumerate(way)
                if j is not None and linked[i] is None  # noqa: B023
            ]
            crossings = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(new, 2))
            chunks = sum(
                j is not None and (i == 0 or way[i - 1] is None or way[i - 1] != j - 1)
                for i, j in enumerate(way)
            )
            order = (crossings, chunks) if minimize == "crossings" else (chunks, crossings)
            return (-len(new), *order)

        best = min(ways(0, frozenset(taken)), key=cost)
        kinds = [kind if k < 0 and j is not None else k for k, j in zip(kinds, best, strict=True)]
        linked = best
    positions = [-1] * len(reference)
    kind_of = [-1] * len(reference)
    for i, j in enumerate(linked):
        if j is not None:
            positions[j], kind_of[j] = i, kinds[i]
    return positions, kind_of


@settings(max_examples=300, deadline=None)
@given(
    hypothesis=short,
    reference=short,
    shared=keys,
    same_first=st.booleans(),
    minimize=st.sampled_from(["crossings", "chunks"]),
)
def test_stages_take_the_best_of_all_alignments(
    kernel: Any,
    hypothesis: list[int],
    reference: list[int],
    shared: list[list[int]],
    same_first: bool,  # noqa: FBT001
    minimize: str,
) -> None:
    def same(a: int, b: int) -> bool:
        return a == b >= 0

    def sharing(a: int, b: int) -> bool:
        return min(a, b) >= 0 and bool(set(shared[a]) & set(shared[b]))

    relations: list[Relation] = [None, relation(shared)] if same_first else [relation(shared)]
    related = [same, sharing] if same_first else [sharing]
    got = kernel.staged_alignment(
        *layout([hypothesis], [[reference]]), relations, minimize=minimize
    )
    assert tuple(side.tolist() for side in got) == one_by_one(
        hypothesis, reference, related, minimize
    )


def random_case(seed: int) -> tuple[Hypotheses, References, list[Relation]]:
    """Draw segments of many lengths, with different numbers of references."""
    rng = np.random.default_rng(seed)
    n_types = int(rng.choice([1, 3, 8, 40]))

    def text() -> list[int]:
        return [int(token) for token in rng.integers(-1, n_types, rng.choice(LENGTHS))]

    hypotheses = [text() for _ in range(3)]
    references = [[text() for _ in range(rng.integers(1, 4))] for _ in hypotheses]
    references[0][0] = list(hypotheses[0])
    shared = [rng.integers(0, 9, rng.integers(0, 4)).tolist() for _ in range(n_types)]
    relations = [None, relation(shared)][int(rng.integers(2)) :]
    return *layout(hypotheses, references), relations


def random_phrases(seed: int, hypotheses: Hypotheses, references: References) -> Phrases:
    """Draw as many phrases as tokens, anywhere and in any order, some of them twice."""
    rng = np.random.default_rng(seed)

    def stretch(length: int) -> list[int]:
        start = int(rng.integers(length))
        return [start, int(rng.integers(1, min(4, length - start) + 1))]

    rows: list[list[int]] = []
    offsets = [0]
    for i, hypothesis_length in enumerate(hypotheses.lengths.tolist()):
        for length in references.slice(i, i + 1).lengths.tolist():
            for _ in range(min(length, hypothesis_length)):
                row = [*stretch(length), *stretch(hypothesis_length), int(rng.integers(3))]
                rows += [row] * int(rng.integers(1, 3))
            offsets.append(len(rows))
    return np.array(offsets), np.array(rows, np.int32).reshape(-1, 5)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("beam", [1, 7, 40])
@pytest.mark.parametrize("with_phrases", [False, True])
def test_native_beam_is_the_twin(
    native: ModuleType, twins: SimpleNamespace, seed: int, beam: int, *, with_phrases: bool
) -> None:
    hypotheses, references, relations = random_case(seed)
    weights = [2, 0][: len(relations)]
    phrases = random_phrases(seed, hypotheses, references) if with_phrases else None
    links = (
        kernel.beam_alignment(
            hypotheses, references, relations, weights=weights, beam=beam, phrases=phrases
        )
        for kernel in (native, twins)
    )
    for ours, theirs in zip(*links, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("minimize", ["crossings", "chunks"])
def test_native_stages_are_the_twin(
    native: ModuleType, twins: SimpleNamespace, seed: int, minimize: str
) -> None:
    hypotheses, references, relations = random_case(seed)
    limit = 1 + seed * 3
    links = (
        kernel.staged_alignment(hypotheses, references, relations, minimize=minimize, limit=limit)
        for kernel in (native, twins)
    )
    for ours, theirs in zip(*links, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(6))
def test_one_key_for_each_id_relates_as_offsets_do(kernel: Any, seed: int) -> None:
    hypotheses, references, _ = random_case(seed)
    keys = np.random.default_rng(seed).integers(-1, 9, 40).astype(np.int32)
    with_offsets = relation([[key] if key >= 0 else [] for key in keys.tolist()])
    for align in (kernel.staged_alignment, partial(kernel.beam_alignment, weights=[1, 0], beam=5)):
        for one, other in zip(
            align(hypotheses, references, [None, keys]),
            align(hypotheses, references, [None, with_offsets]),
            strict=True,
        ):
            np.testing.assert_array_equal(one, other)


def test_links_are_counted_by_kind_and_chunk(kernel: Any) -> None:
    texts = layout([[0, 1, 2, 3, -1]], [[[0, 1, 9, 4], [2, 3, 0, 1]]])
    stems = np.array([-1, -1, -1, 5, 5, -1, -1, -1, -1, -1], np.int32)
    is_even = np.arange(10) % 2 == 0
    *_, counts = kernel.staged_alignment(*texts, [None, stems], counted=[None, is_even])
    # words of both texts, chunks, words linked in the hypothesis by kind, and in the reference
    assert counts[0].tolist() == [[5, 4, 2, 2, 1, 2, 1], [5, 4, 2, 4, 0, 4, 0]]
    assert counts[1].tolist() == [[2, 2, 2, 1, 0, 1, 1], [2, 2, 2, 2, 0, 2, 0]]


def test_words_of_linked_phrases_are_counted(kernel: Any) -> None:
    texts = layout([[0, 1, 2, 3]], [[[0, 7, 8]]])
    *links, (counts,) = kernel.beam_alignment(
        *texts, [None], weights=[1], beam=5, phrases=phrases_of_one((1, 2, 1, 3, 1)), counted=[None]
    )
    assert [side.tolist() for side in links] == [[0, 1, -1], [0, 1, -1]]
    assert counts.tolist() == [[4, 3, 1, 1, 3, 1, 2]]


@pytest.mark.parametrize("seed", range(6))
def test_native_counts_of_links_are_those_of_the_twin(
    native: ModuleType, twins: SimpleNamespace, seed: int
) -> None:
    hypotheses, references, relations = random_case(seed)
    phrases = random_phrases(seed, hypotheses, references)
    weights = [2, 0][: len(relations)]
    counted = [None, np.arange(70_000) % 3 > 0]
    ours, theirs = (
        kernel.beam_alignment(
            hypotheses,
            references,
            relations,
            weights=weights,
            beam=7,
            phrases=phrases,
            counted=counted,
        )[2]
        for kernel in (native, twins)
    )
    np.testing.assert_array_equal(ours, theirs)
    assert ours[0].dtype == theirs[0].dtype
    assert ours[0][:, 2].sum() > 0


def texts_like_language(length: int, seed: int) -> tuple[Hypotheses, References]:
    """A text with types as frequent as words are, and the same with changes and moved parts."""
    rng = np.random.default_rng(seed)
    frequencies = 1 / np.arange(2, 5002)
    draws = rng.choice(5000, (2, length), p=frequencies / frequencies.sum())
    types, changed = draws[0], np.where(rng.random(length) < 0.4, *draws[::-1])
    parts = np.array_split(changed, length // 15)
    for k in range(0, len(parts) - 1, 3):
        parts[k], parts[k + 1] = parts[k + 1], parts[k]
    return layout([np.concatenate(parts).tolist()], [[types.tolist()]])


@pytest.mark.slow
@pytest.mark.parametrize("length", [60, 150, 400, 1000])
def test_native_stages_are_the_twin_on_long_texts(
    native: ModuleType, twins: SimpleNamespace, length: int
) -> None:
    texts = texts_like_language(length, length)
    ours, theirs = (kernel.staged_alignment(*texts, [None])[0] for kernel in (native, twins))
    np.testing.assert_array_equal(ours, theirs)
    assert (ours >= 0).sum() > length / 2


def n_crossings(positions: NDArray[np.int32]) -> int:
    linked = positions[positions >= 0]
    return sum(int((linked[:k] > p).sum()) for k, p in enumerate(linked.tolist()))


def test_a_higher_limit_finds_no_more_crossings(native: ModuleType) -> None:
    for seed in range(20):
        texts = texts_like_language(150, seed)
        some, more = (
            n_crossings(native.staged_alignment(*texts, [None], limit=limit)[0])
            for limit in (1, 1000)
        )
        assert more <= some


def test_texts_of_10000_tokens_are_aligned(native: ModuleType) -> None:
    texts = texts_like_language(10_000, 1)
    positions, _ = native.staged_alignment(*texts, [None])
    hypothesis, reference = (side.ids[side.starts[0] : side.ends[0]] for side in texts)
    counts = (np.bincount(ids, minlength=5000) for ids in (hypothesis, reference))
    assert (positions >= 0).sum() == np.minimum(*counts).sum()  # as many links as possible
    linked = positions >= 0
    assert np.array_equal(hypothesis[positions[linked]], reference[linked])
    assert len(set(positions[linked].tolist())) == linked.sum()


def test_beam_prefers_few_chunks(kernel: Any) -> None:
    positions, kinds = kernel.beam_alignment(
        *layout([[0, 1, 2, 0, 3]], [[[0, 3, 0, 1, 2]]]), [None], weights=[1], beam=40
    )
    assert positions.tolist() == [3, 4, 0, 1, 2]
    assert kinds.tolist() == [0] * 5


def test_beam_keeps_links_without_weight_only_where_they_cost_no_chunk(kernel: Any) -> None:
    # 0 and 1 share a key. The links of 1 compete, so that neither is fixed.
    shared = relation([[0], [0], [], []])
    beside, apart = layout([[0, 3, 0, 2]], [[[1, 2]]]), layout([[0, 3, 0, 3, 2]], [[[1, 2]]])
    for texts, weights, expected in (
        (beside, [1, 0], [1, 0]),
        (apart, [1, 0], [-1, 0]),
        (apart, [1, 1], [1, 0]),
    ):
        _, kinds = kernel.beam_alignment(*texts, [None, shared], weights=weights, beam=40)
        assert kinds.tolist() == expected


def phrases_of_one(*rows: Sequence[int]) -> Phrases:
    """Phrases of one reference: start, length, start and length in the hypothesis, weight."""
    return np.array([0, len(rows)]), np.array(rows, np.int32).reshape(-1, 5)


def test_beam_links_phrases(kernel: Any) -> None:
    """Hypothesis 0 1 2, reference 3 2: a phrase links the tokens 0 1 to the token 3."""
    texts = layout([[0, 1, 2]], [[[3, 2]]])
    links = kernel.beam_alignment(
        *texts, [None], weights=[2], beam=40, phrases=phrases_of_one((0, 1, 0, 2, 1))
    )
    assert [side.tolist() for side in links] == [[0, 2], [1, 0]]
    # Twice the same phrase is a choice, and the first one is taken.
    phrases = phrases_of_one((0, 1, 0, 2, 1), (0, 1, 0, 2, 1))
    _, kinds = kernel.beam_alignment(*texts, [None], weights=[2], beam=40, phrases=phrases)
    assert kinds.tolist() == [1, 0]


def test_beam_takes_a_phrase_only_where_all_its_tokens_are_free(kernel: Any) -> None:
    """The tokens 1 and 2 are linked to equal tokens, or as a phrase to the 3 between them."""
    texts = layout([[1, 2]], [[[1, 3, 2]]])
    for weight, kinds_expected in ((0, [0, -1, 0]), (5, [-1, 1, -1])):
        phrases = phrases_of_one((1, 1, 0, 2, weight))
        positions, kinds = kernel.beam_alignment(
            *texts, [None], weights=[2], beam=40, phrases=phrases
        )
        assert kinds.tolist() == kinds_expected
        assert positions.tolist() == [[0, -1, 1], [-1, 0, -1]][weight > 0]


def test_beam_goes_on_behind_a_phrase(kernel: Any) -> None:
    """The phrase covers 3 4 of the reference; the link after it continues its chunk."""
    texts = layout([[0, 1, 2, 1]], [[[3, 4, 1]]])
    phrases = phrases_of_one((0, 2, 0, 1, 1))
    links = kernel.beam_alignment(*texts, [None], weights=[2], beam=40, phrases=phrases)
    assert [side.tolist() for side in links] == [[0, -1, 1], [1, -1, 0]]


def test_same_texts_are_linked_by_the_first_relation(kernel: Any) -> None:
    shared = relation([[0], [0]])
    links = kernel.beam_alignment(
        *layout([[0, 1]], [[[0, 1]]]), [None, shared], weights=[1, 1], beam=40
    )
    assert [side.tolist() for side in links] == [[0, 1], [0, 0]]
    links = kernel.beam_alignment(
        *layout([[0, 1]], [[[0, 1]]]), [shared, None], weights=[1, 1], beam=40
    )
    assert [side.tolist() for side in links] == [[1, 0], [0, 0]]


def test_faults_are_named(kernel: Any) -> None:
    texts = layout([[0, 2]], [[[1]]])
    short_offsets = relation([[0], [1]])
    wrong = (np.array([0, 3, 1, 1]), np.array([0], np.int32))
    align_in_beam = partial(kernel.beam_alignment, weights=[1], beam=1)
    for align in (align_in_beam, kernel.staged_alignment):
        with pytest.raises(ValueError, match="keys for 2 ids, but a text contains the id 2"):
            align(*texts, [short_offsets])
        with pytest.raises(ValueError, match="expected offsets that ascend within 0:1"):
            align(*texts, [wrong])
        no_reference = replace(texts[1], index=np.array([0, 0]))
        with pytest.raises(ValueError, match="expected at least one text"):
            align(texts[0], no_reference, [None])
    with pytest.raises(ValueError, match="expected at least one"):
        kernel.beam_alignment(*texts, [], weights=[], beam=1)
    with pytest.raises(ValueError, match="beam is 0; expected at least 1"):
        kernel.beam_alignment(*texts, [None], weights=[1], beam=0)
    for weight in (-1, 65_536):
        with pytest.raises(ValueError, match="expected numbers from 0 to 65535"):
            kernel.beam_alignment(*texts, [None], weights=[weight], beam=1)
    for row in ((1, 1, 0, 1, 0), (0, 0, 0, 1, 0), (0, 1, 1, 2, 0), (0, 1, -1, 1, 0)):
        with pytest.raises(ValueError, match="phrase 0 lies outside its texts"):
            kernel.beam_alignment(*texts, [None], weights=[1], beam=1, phrases=phrases_of_one(row))
    with pytest.raises(ValueError, match="a weight outside 0 to 65535"):
        kernel.beam_alignment(
            *texts, [None], weights=[1], beam=1, phrases=phrases_of_one((0, 1, 0, 1, -1))
        )
    none = phrases_of_one()
    with pytest.raises(ValueError, match="do not divide 0 phrases among 1 references"):
        kernel.beam_alignment(*texts, [None], weights=[1], beam=1, phrases=(np.array([0]), none[1]))
    with pytest.raises(ValueError, match="expected an int32 array with five columns"):
        kernel.beam_alignment(
            *texts, [None], weights=[1], beam=1, phrases=(none[0], none[1].reshape(0, 4))
        )
    with pytest.raises(ValueError, match="limit is 0; expected at least 1"):
        kernel.staged_alignment(*texts, [None], limit=0)
    with pytest.raises(ValueError, match="minimize is 'links'"):
        kernel.staged_alignment(*texts, [None], minimize="links")
