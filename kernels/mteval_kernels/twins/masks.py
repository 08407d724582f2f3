"""Sets of positions in a text, as the bits of integers: bit ``p`` stands for position ``p``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def matches(hypothesis: Iterable[int], reference: Sequence[int]) -> list[int]:
    """For every token of the hypothesis, the mask of the reference positions that hold it."""
    masks: dict[int, int] = {}
    bit = 1
    for token in reference:
        masks[token] = masks.get(token, 0) | bit
        bit <<= 1
    return [masks.get(token, 0) if token >= 0 else 0 for token in hypothesis]


def positions(mask: int) -> Iterator[int]:
    """Positions in a mask, from the left end of the text."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
