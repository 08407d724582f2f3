"""Metrics for the package ``lm_eval``, the evaluation harness for language models.

::

    from mteval_adapters.lm_eval import register

    register("chrf:nw=2")  # a task then names "mteval chrf:nw=2" in its metric_list
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lm_eval.api.registry import register_aggregation, register_metric  # pyright: ignore[reportMissingImports]

from mteval_adapters.references import streams
from mteval_core import InputError, metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Scorer

__all__ = ["Aggregation", "pairs", "register"]


def register(*specs: str) -> list[str]:
    """Register metrics and their aggregations, for tasks that generate texts.

    Parameters
    ----------
    *specs : str
        Metrics with options.

    Returns
    -------
    list of str
        The names by which tasks find them: ``mteval`` and the spec, because the harness has
        metrics named ``bleu`` and ``chrf`` of its own.
    """
    return [register_one(spec) for spec in specs]


def register_one(spec: str) -> str:
    """Register a metric; return its name."""
    name, aggregation = f"mteval {spec}", Aggregation(spec)
    register_aggregation(name)(aggregation)
    register_metric(
        metric=name,
        higher_is_better=aggregation.scorer.declaration.better == "higher",
        output_type="generate_until",
        aggregation=name,
    )(pairs)
    return name


def pairs(references: Sequence[Any], predictions: Sequence[Any]) -> tuple[Any, Any]:
    """Return the references of a document and its prediction: the aggregation scores them."""
    (reference,), (prediction,) = references, predictions
    return reference, prediction


class Aggregation:
    """The score of all documents of a task.

    Parameters
    ----------
    spec : str
        A metric with options.
    """

    def __init__(self, spec: str) -> None:
        self.scorer: Scorer = metric(spec)
        self.__name__: str = f"mteval {spec}"

    def __call__(self, items: Sequence[tuple[str | Sequence[str], str]]) -> float:
        """Score pairs of references and predictions.

        Raises
        ------
        InputError
            If the items are no pairs. The harness reduces those of a task with several targets to
            0 or 1; such a task needs a ``process_results`` function that returns pairs.
        """
        for item in items:
            if not isinstance(item, (tuple, list)) or len(item) != 2:
                raise InputError(
                    f"{self.__name__}: expected pairs of references and a prediction, got "
                    f"{item!r}: give the task a process_results function that returns pairs"
                )
        references, predictions = zip(*items, strict=True)
        return self.scorer.corpus_score(predictions, streams(references)).score
