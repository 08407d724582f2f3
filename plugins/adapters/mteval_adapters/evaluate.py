"""Metrics with the interface of the package ``evaluate``, which is not needed.

::

    from mteval_adapters.evaluate import load

    load("bleu").compute(predictions=["a b c d e"], references=[["a b c d f"]])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_adapters.references import as_list, streams
from mteval_core import InputError, metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Scorer

__all__ = ["EvaluationModule", "load"]


def load(spec: str, **options: Any) -> EvaluationModule:
    """Configure a metric, as ``evaluate.load`` does.

    Parameters
    ----------
    spec : str
        A metric with options, such as ``"chrf:nw=2"``.
    **options
        Further options as keywords; see `mteval_core.metric`.

    Examples
    --------
    >>> wer = load("wer")
    >>> wer.compute(predictions=["a b"], references=[["a c", "x b"]])["score"]
    50.0
    >>> wer.add_batch(predictions=["a"], references=["a"])
    >>> wer.add(prediction="b", reference="c")
    >>> wer.compute()["score"]
    50.0
    """
    return EvaluationModule(metric(spec, **options))


class EvaluationModule:
    """A metric with the methods of ``evaluate.EvaluationModule``.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self._predictions: list[str] = []
        self._references: list[str | Sequence[str]] = []
        self._sources: list[str] = []

    @property
    def name(self) -> str:
        """The spec of the metric."""
        return str(self.scorer.spec)

    def add_batch(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]],
        sources: Sequence[str] = (),
    ) -> None:
        """Add segments, each with one reference or a list of them."""
        segments = as_list(predictions, "predictions")
        given = {"references": as_list(references, "references")}
        if sources:
            given["sources"] = as_list(sources, "sources")
        for what, texts in given.items():
            if len(texts) != len(segments):
                raise InputError(
                    f"{len(segments)} predictions, but {len(texts)} {what}; expected the {what} "
                    f"of each prediction"
                )
        self._predictions += segments
        self._references += given["references"]
        self._sources += given.get("sources", [])

    def add(
        self, *, prediction: str, reference: str | Sequence[str], source: str | None = None
    ) -> None:
        """Add a segment."""
        sources = [] if source is None else [source]
        self.add_batch(predictions=[prediction], references=[reference], sources=sources)

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        references: Sequence[str | Sequence[str]] | None = None,
        sources: Sequence[str] = (),
    ) -> dict[str, float | str]:
        """Score the segments, and those that were added; then forget them.

        Parameters
        ----------
        predictions : sequence of str, optional
            The hypotheses.
        references : sequence of str, or of sequence of str, optional
            The reference or the references of each prediction.
        sources : sequence of str, optional
            The source of each prediction, for metrics that use it.

        Returns
        -------
        dict
            ``score``, all values of the metric by name, and ``signature``.

        Raises
        ------
        InputError
            If there is nothing to score, or not one reference or list of references for each
            prediction.
        """
        if predictions is not None or references is not None or sources:
            self.add_batch(
                predictions=[] if predictions is None else predictions,
                references=[] if references is None else references,
                sources=sources,
            )
        segments, texts, source = self._predictions, self._references, self._sources or None
        self._predictions, self._references, self._sources = [], [], []
        if not segments:
            raise InputError("there is nothing to score: pass predictions and references")
        score = self.scorer.corpus_score(segments, streams(texts), source=source)
        return {"score": score.score, **score.values, "signature": str(score.signature)}
