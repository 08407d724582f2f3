"""The shifts that sacreBLEU makes, one by one, for explanations."""

from __future__ import annotations

import numpy as np

from mteval_error_rates import sacrebleu_search
from mteval_error_rates.explain import Shifted

Words = tuple[str, ...]

__all__ = ["search"]


def search(hypothesis: Words, reference: Words) -> Shifted:
    """Search as `mteval_error_rates.sacrebleu_search` does, and follow each word."""
    number = {word: i for i, word in enumerate(dict.fromkeys((*hypothesis, *reference)))}
    ids = [np.array([number[word] for word in text], np.int64) for text in (hypothesis, reference)]
    alignment, moves = sacrebleu_search.search(*ids)
    order = np.arange(len(hypothesis))
    shifts = []
    for move in moves:
        start, size, _ = move
        moved = order[start : start + size].tolist()
        order = sacrebleu_search.shifted_words(order, move)
        first = order.tolist().index(moved[0])
        shifts.append((moved, int(order[first - 1]) if first else -1))
    return Shifted(shifts, order.tolist(), alignment.pairs)
