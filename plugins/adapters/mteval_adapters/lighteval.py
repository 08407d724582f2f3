"""Metrics for the package ``lighteval``.

::

    from mteval_adapters.lighteval import metric

    LightevalTaskConfig(..., metrics=[metric("chrf:nw=2")])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lighteval.metrics.metrics_corpus import CorpusLevelComputation  # pyright: ignore[reportMissingImports]
from lighteval.metrics.sample_preparator import GenerativePreparator  # pyright: ignore[reportMissingImports]
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric  # pyright: ignore[reportMissingImports]
from lighteval.tasks.requests import SamplingMethod  # pyright: ignore[reportMissingImports]

import mteval_core
from mteval_adapters.references import streams

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CorpusScore", "metric"]


def metric(spec: str) -> CorpusLevelMetric:
    """Make a metric of generated texts, scored over the whole task.

    Parameters
    ----------
    spec : str
        A metric with options, which is the name of the score.
    """
    score = CorpusScore(spec)
    return CorpusLevelMetric(
        metric_name=spec,
        sample_level_fn=GenerativePreparator(),
        category=SamplingMethod.GENERATIVE,
        corpus_level_fn=score,
        higher_is_better=score.scorer.declaration.better == "higher",
    )


class CorpusScore(CorpusLevelComputation):  # type: ignore[misc]
    """The score of all documents of a task.

    Parameters
    ----------
    spec : str
        A metric with options.
    """

    def __init__(self, spec: str) -> None:
        self.scorer: mteval_core.Scorer = mteval_core.metric(spec)

    def compute_corpus(self, items: Sequence[Any]) -> float:
        """Score documents, each of which has references (``golds``) and one prediction.

        Raises
        ------
        InputError
            If a document has several predictions.
        """
        predictions = [[i.preds] if isinstance(i.preds, str) else [*i.preds] for i in items]
        for k, own in enumerate(predictions):
            if len(own) != 1:
                raise mteval_core.InputError(
                    f"document {k} has {len(own)} predictions; expected one"
                )
        references = streams([item.golds for item in items])
        return self.scorer.corpus_score([own[0] for own in predictions], references).score
