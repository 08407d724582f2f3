"""Edit distance, with and without shifts: both implementations against the obvious way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import LENGTHS, id_corpora, layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType, SimpleNamespace

Text = list[int]
Corpus = tuple[list[Text], list[list[Text]]]


def pairs(corpus: Corpus) -> list[tuple[Text, Text]]:
    return [(h, r) for h, texts in zip(*corpus, strict=True) for r in texts]


def same(one: int, other: int) -> bool:
    return one == other and one >= 0


def table_of_distances(hypothesis: Text, reference: Text) -> int:
    row = list(range(len(reference) + 1))
    for token in hypothesis:
        diagonal, row[0] = row[0], row[0] + 1
        for j, other in enumerate(reference, 1):
            step = diagonal + (not same(token, other))
            diagonal, row[j] = row[j], min(step, row[j] + 1, row[j - 1] + 1)
    return row[-1]


class TestEditDistance:
    @settings(deadline=None)
    @given(corpus=id_corpora())
    def test_is_that_of_the_table(self, kernel: Any, corpus: Corpus) -> None:
        distances = kernel.edit_distance(*layout(*corpus))
        assert distances.dtype == np.float64
        assert distances.tolist() == [table_of_distances(h, r) for h, r in pairs(corpus)]

    @pytest.mark.parametrize("length", [*LENGTHS, 192, 193, 255, 256, 257, 512, 513])
    def test_around_block_ends(self, kernel: Any, length: int) -> None:
        text = list(range(length))
        for reference, expected in [
            (text, 0),
            (text[1:], min(length, 1)),
            ([*text, 7], 1),
            (text[::-1], length - length % 2),
            ([-1] * length, length),
            ([], length),
        ]:
            found = kernel.edit_distance(*layout([text, []], [[reference], [reference]]))
            assert found.tolist() == [expected, len(reference)]

    @pytest.mark.parametrize("length", [1024, 1025, 1279, 2305])
    def test_native_is_its_twin_on_long_texts(
        self, native: ModuleType, twins: SimpleNamespace, length: int
    ) -> None:
        rng = np.random.default_rng(length)
        text, other = rng.integers(-1, 9, (2, length)).tolist()
        hypotheses = [
            [w if rng.random() < 0.7 else v for w, v in zip(text, other, strict=True)],
            text[300:700] + text[:300] + text[900:] + text[700:900],  # stretches change places
            other,
            [10 + token for token in text],  # nothing in common
            text[-length // 3 :],
            other + text + other[:500],
        ]
        corpus = layout(hypotheses, [[text]] * len(hypotheses))
        assert np.array_equal(native.edit_distance(*corpus), twins.edit_distance(*corpus))

    def test_levenshtein_of_the_textbook(self, kernel: Any) -> None:
        words = [
            [ord(letter) for letter in word] for word in ("kitten", "sitting", "saturday", "sunday")
        ]
        kitten, sitting, saturday, sunday = words
        found = kernel.edit_distance(*layout([kitten, saturday], [[sitting, kitten], [sunday]]))
        assert found.tolist() == [3, 0, 3]


class Limits(NamedTuple):
    max_size: int
    max_distance: int
    beam: int


LIMITS = Limits(10, 50, 20)._asdict()


class Alignment(NamedTuple):
    edits: int
    insertions: int
    deletions: int
    wrong: set[int]  # places in the hypothesis
    wrong_copy: set[int]  # places in the reference
    places: list[int]


def align(hypothesis: Text, reference: Text, beam: int) -> Alignment:
    """Align as documented, in a table of (edits, preference, step)."""
    h, r = len(hypothesis), len(reference)
    table: dict[tuple[int, int], tuple[int, int, str]] = {(0, 0): (0, 0, "")}
    best: float = float("inf")
    for j in range(h + 1):
        limit, best = (best + beam if j < h else float("inf")), float("inf")
        for i in range(r + 1):
            if (i, j) not in table or table[i, j][0] > limit:
                continue
            edits = table[i, j][0]
            steps = []
            if i < r:
                steps.append(((i + 1, j), (edits + 1, 2, "deletion")))
            if j < h:
                steps.append(((i, j + 1), (edits + 1, 1, "insertion")))
            if i < r and j < h:
                step = "match" if same(reference[i], hypothesis[j]) else "substitution"
                reached = edits + (step != "match")
                steps.append(((i + 1, j + 1), (reached, 0, step)))
                best = min(best, reached)
            for place, cell in steps:
                table[place] = min(cell, table.get(place, cell))
    i, j = r, h
    wrong, wrong_copy, places = set(range(h)), set(range(r)), [-1] * r
    taken: list[str] = []
    while i or j:
        step = table[i, j][2]
        taken.append(step)
        if step != "insertion":
            i -= 1
            places[i] = j - 1
        if step != "deletion":
            j -= 1
        if step == "match":
            wrong.discard(j)
            wrong_copy.discard(i)
    counts = taken.count("insertion"), taken.count("deletion")
    return Alignment(table[r, h][0], *counts, wrong, wrong_copy, places)


def moved(words: Text, start: int, end: int, place: int) -> Text:
    """Put the words ``start:end`` behind a place (counted before they are taken out)."""
    stretch, rest = words[start:end], words[:start] + words[end:]
    if place < start:
        at = place + 1
    elif place < end:
        at = start + (place - start)
    else:
        at = place + 1 - len(stretch)
    return rest[:at] + stretch + rest[at:]


def shifts(
    words: Text, reference: Text, alignment: Alignment, limits: Limits
) -> Iterator[tuple[int, Text]]:
    for size in range(limits.max_size, 0, -1):
        for start in range(len(words) - size + 1):
            stretch = set(range(start, start + size))
            for copy in range(len(reference) - size + 1):
                copied = range(copy, copy + size)
                if (
                    all(same(words[start + k], reference[copy + k]) for k in range(size))
                    and stretch & alignment.wrong
                    and alignment.wrong_copy & set(copied)
                    and alignment.places[copy] not in stretch
                    and abs(alignment.places[copy] - start) <= limits.max_distance
                ):
                    for token in (copy - 1, *copied):
                        place = alignment.places[token] if token >= 0 else -1
                        if place != start:
                            yield size, moved(words, start, start + size, place)


def search(words: Text, reference: Text, limits: Limits) -> tuple[int, int, int, int, int]:
    """Search as documented, without any other bound."""
    n_shifts = n_shifted = 0
    alignment = align(words, reference, limits.beam)
    while True:
        best = alignment.edits, alignment, words, 0
        for size, candidate in shifts(words, reference, alignment, limits):
            if alignment.edits - best[0] > 2 * size:
                break
            aligned = align(candidate, reference, limits.beam)
            if aligned.edits < best[0]:
                best = aligned.edits, aligned, candidate, size
        if not best[3]:
            break
        _, alignment, words, size = best
        n_shifts += 1
        n_shifted += size
    edits, insertions, deletions, *_ = alignment
    return insertions, deletions, edits - insertions - deletions, n_shifts, n_shifted


class TestShiftEditDistance:
    @settings(deadline=None, max_examples=50)
    @given(
        corpus=id_corpora([0, 1, 2, 5, 9, 14], max_segments=2),
        limits=st.builds(
            Limits,
            max_size=st.sampled_from([0, 1, 3, 10]),
            max_distance=st.sampled_from([0, 2, 50]),
            beam=st.sampled_from([0, 1, 2, 20]),
        ),
    )
    def test_is_that_of_the_plain_search(self, kernel: Any, corpus: Corpus, limits: Limits) -> None:
        rows = kernel.shift_edit_distance(*layout(*corpus), **limits._asdict())
        assert rows.dtype == np.float64
        assert rows.shape == (len(pairs(corpus)), 5)
        assert rows.tolist() == [list(search(h, r, limits)) for h, r in pairs(corpus)]

    @settings(deadline=None, max_examples=15)
    @given(corpus=id_corpora(max_segments=1), beam=st.sampled_from([3, 20]))
    def test_native_is_its_twin_on_long_texts(
        self, native: ModuleType, twins: SimpleNamespace, corpus: Corpus, beam: int
    ) -> None:
        types = {token for text in corpus[0] for token in text}
        texts = layout(*corpus) if len(types) > 5 else layout([[1] * 70], [[[1] * 65]])
        limits = Limits(10, 50, beam)._asdict()
        rows = native.shift_edit_distance(*texts, **limits)
        assert np.array_equal(rows, twins.shift_edit_distance(*texts, **limits))

    @pytest.mark.parametrize(
        ("types", "limits"),
        [(9, Limits(10, 10, 20)), (300, Limits(10, 50, 20)), (300, Limits(3, 4, 2))],
    )
    def test_native_is_its_twin_after_many_shifts(
        self, native: ModuleType, twins: SimpleNamespace, types: int, limits: Limits
    ) -> None:
        rng = np.random.default_rng(types + limits.beam)
        reference = rng.integers(0, types, 130).tolist()
        hypothesis = [*reference[:30], *rng.integers(0, types, 9).tolist(), *reference[33:]]
        for place in (9, 40, 75, 82, 100, 110):
            stretch = [hypothesis.pop(place) for _ in range(3)]
            hypothesis[place + 7 : place + 7] = stretch
        texts = layout([hypothesis], [[reference]])
        rows = native.shift_edit_distance(*texts, **limits._asdict())
        assert rows[0, 3] > 2
        assert np.array_equal(rows, twins.shift_edit_distance(*texts, **limits._asdict()))

    def test_native_is_its_twin_where_the_beam_misses_the_cheapest_alignment(
        self, native: ModuleType, twins: SimpleNamespace
    ) -> None:
        reference = np.random.default_rng(1).integers(0, 30, 150).tolist()
        texts = layout([reference[:20] + reference[50:]], [[reference]])
        limits = Limits(2, 4, 20)._asdict()
        rows = native.shift_edit_distance(*texts, **limits)
        assert rows[0, :4].sum() > native.edit_distance(*texts)
        assert np.array_equal(rows, twins.shift_edit_distance(*texts, **limits))

    def test_a_moved_stretch_is_one_edit(self, kernel: Any) -> None:
        text = list(range(200))
        corpus = layout([text[20:23] + text[:20] + text[23:], text], [[text], [text[::-1]]])
        one, reversed_ = kernel.shift_edit_distance(*corpus, **LIMITS).tolist()
        assert one == [0, 0, 0, 1, 3]
        assert sum(reversed_[:4]) <= 199

    def test_without_shifts_it_is_the_edit_distance(self, kernel: Any) -> None:
        texts = layout([[1, 2, 3, 4]], [[[3, 4, 1, 2], [1, 9, 3], []]])
        for limit in ("max_size", "max_distance"):
            rows = kernel.shift_edit_distance(*texts, **{**LIMITS, limit: 0})
            assert rows[:, :4].sum(axis=1).tolist() == kernel.edit_distance(*texts).tolist()

    def test_a_narrow_beam_misses_the_cheapest_alignment(self, kernel: Any) -> None:
        # Deleting what precedes the hypothesis costs more than the beam allows.
        texts = layout([list(range(30))], [[[*range(100, 125), *range(30)]]])
        wide = kernel.shift_edit_distance(*texts, max_size=0, max_distance=50, beam=100)[
            :, :4
        ].sum()
        assert wide == kernel.edit_distance(*texts).item() == 25
        assert kernel.shift_edit_distance(*texts, **{**LIMITS, "max_size": 0})[:, :4].sum() == 55

    def test_limits_may_be_any_numbers(self, kernel: Any) -> None:
        texts = layout([[1, 2, 3, 4, 5]], [[[4, 5, 1, 2, 3]]])
        expected = kernel.shift_edit_distance(*texts, **LIMITS)
        unlimited = dict.fromkeys(LIMITS, 2**63 - 1)
        assert np.array_equal(kernel.shift_edit_distance(*texts, **unlimited), expected)

    @pytest.mark.parametrize("name", ["max_size", "max_distance", "beam"])
    def test_refuses_limits_below_zero(self, kernel: Any, name: str) -> None:
        limits = {"max_size": 1, "max_distance": 1, "beam": 1, name: -1}
        with pytest.raises(ValueError, match=f"{name} is -1; expected at least 0"):
            kernel.shift_edit_distance(*layout([[1]], [[[1]]]), **limits)
