"""Similarity of sentence embeddings as a plugin of mteval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare ``embedding``."""
    return [
        mteval_core.MetricSpec(
            "embedding",
            factory="mteval_embedding.similarity:Similarity",
            help="cosine of sentence embeddings, mean over the segments",
            values={"cosine": 100},
            options=(
                mteval_core.Option("tok", "none"),
                mteval_core.Option(
                    "model",
                    "all-minilm-l6-v2",
                    "the sentence encoder",
                    choices=("all-minilm-l6-v2", "hashed-trigrams"),
                ),
            ),
            bounds=(-100, 100),
        )
    ]
