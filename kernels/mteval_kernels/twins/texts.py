"""Texts as kernels take them: flat arrays of ids, and offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Texts(Protocol):
    """Texts over one array of token ids: text ``i`` is ``ids[starts[i]:ends[i]]``.

    Texts may share, skip or reorder ids; an id below zero matches nothing.
    """

    @property
    def ids(self) -> NDArray[np.int32]:
        """Token ids, shape (n_tokens,)."""
        ...

    @property
    def starts(self) -> NDArray[np.int64]:
        """Position of the first token of every text, shape (n_texts,)."""
        ...

    @property
    def ends(self) -> NDArray[np.int64]:
        """Position after the last token of every text, shape (n_texts,)."""
        ...


class ReferenceTexts(Texts, Protocol):
    """Reference texts: those of segment ``i`` are the texts ``index[i]`` to ``index[i + 1] - 1``.

    Every segment has at least one.
    """

    @property
    def index(self) -> NDArray[np.int64]:
        """First text of every segment, then the number of texts, shape (n_segments + 1,)."""
        ...
