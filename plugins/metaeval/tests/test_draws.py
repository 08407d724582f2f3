"""Pseudo-documents and exchanges: what is drawn, and how often."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from mteval_metaeval.draws import CHUNK, all_swaps, pseudo_documents, swaps


def test_pseudo_documents_have_different_segments() -> None:
    weights = np.concatenate(list(pseudo_documents(30, 120, 1, 7)))
    assert weights.shape == (120, 30)
    assert set(np.unique(weights)) == {0.0, 1.0}
    assert (weights.sum(axis=1) == 7).all()
    # 120 documents of 7 out of 30: every segment should turn up about 28 times.
    assert (abs(weights.sum(axis=0) - 28) < 5 * np.sqrt(120 * 7 / 30 * 23 / 30)).all()
    assert (np.concatenate(list(pseudo_documents(5, 3, 1, 5))) == 1).all()


@pytest.mark.parametrize("size", [0, 6])
def test_pseudo_documents_of_an_impossible_size(size: int) -> None:
    with pytest.raises(ValueError, match=f"pseudo-documents of {size} segments; expected 1 to 5"):
        next(pseudo_documents(5, 1, 1, size))


def test_swaps_are_fair_coins_in_chunks_of_the_same_draw() -> None:
    chunks = list(swaps(13, 4000, 3))
    assert [len(chunk) for chunk in chunks] == [CHUNK] * 16
    weights = np.concatenate(chunks)
    assert set(np.unique(weights)) == {0, 1}
    assert (abs(weights.mean(axis=0) - 0.5) < 5 * 0.5 / np.sqrt(4000)).all()


@pytest.mark.parametrize("n", [1, 3, 8])
def test_all_swaps_are_all(n: int) -> None:
    found = {tuple(row) for row in np.concatenate(list(all_swaps(n))).tolist()}
    assert found == set(product((0, 1), repeat=n))
