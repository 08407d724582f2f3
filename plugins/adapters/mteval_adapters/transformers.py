"""Metrics for the ``Trainer`` of the package ``transformers``.

::

    from mteval_adapters.transformers import ComputeMetrics

    Seq2SeqTrainer(..., compute_metrics=ComputeMetrics(tokenizer, "bleu", "chrf"))

The trainer must generate texts: ``Seq2SeqTrainingArguments(predict_with_generate=True)``. With
``batch_eval_metrics=True``, it calls the metrics batch by batch, and memory does not grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import InputError, State, UsageError, metric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core import Scorer

__all__ = ["ComputeMetrics"]

IGNORED = -100
"""The label that the loss ignores, with which the trainer fills labels and predictions."""


class ComputeMetrics:
    """Scores of generated texts, for ``compute_metrics`` of a trainer.

    Parameters
    ----------
    tokenizer : PreTrainedTokenizerBase
        Decodes predictions and labels.
    *specs : str
        Metrics with options, such as ``"chrf:nw=2"``. They are the names of the scores: the trainer
        reports ``eval_bleu``.

    Raises
    ------
    UsageError
        If there is no metric.
    """

    def __init__(self, tokenizer: Any, *specs: str) -> None:
        if not specs:
            raise UsageError('no metric: expected specs, ComputeMetrics(tokenizer, "bleu")')
        self.tokenizer = tokenizer
        self.scorers: dict[str, Scorer] = {spec: metric(spec) for spec in specs}
        self._states: dict[str, State] = {}

    def __call__(self, prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Score texts.

        Parameters
        ----------
        prediction : EvalPrediction
            ``predictions`` and ``label_ids``: ids of tokens, shape (n_segments, length).
        compute_result : bool, optional
            None: these are all texts. Otherwise they are a batch, and this says whether it is the
            last one.

        Returns
        -------
        dict of str to float
            Scores by the specs; nothing before the last batch.

        Raises
        ------
        InputError
            If the predictions are not ids of tokens.
        """
        hypotheses = self._texts(prediction.predictions, "predictions")
        references = [self._texts(prediction.label_ids, "labels")]
        if compute_result is None:
            return {
                spec: scorer.corpus_score(hypotheses, references).score
                for spec, scorer in self.scorers.items()
            }
        self._states = self._states or {s: State(scorer) for s, scorer in self.scorers.items()}
        for state in self._states.values():
            state.update(hypotheses, references)
        if not compute_result:
            return {}
        states, self._states = self._states, {}
        return {spec: state.compute().score for spec, state in states.items()}

    def _texts(self, ids: Any, what: str) -> list[str]:
        """Decode ids of tokens."""
        ids = ids[0] if isinstance(ids, tuple) else ids
        numbers: NDArray[Any] = np.asarray(ids.cpu() if hasattr(ids, "cpu") else ids)
        if numbers.dtype.kind not in "iu" or numbers.ndim != 2:
            raise InputError(
                f"the {what} are of type {numbers.dtype}, shape {numbers.shape}; expected ids of "
                f"tokens, shape (n_segments, length): train with predict_with_generate=True"
            )
        padded = np.where(numbers == IGNORED, self.tokenizer.pad_token_id, numbers)
        texts: list[str] = self.tokenizer.batch_decode(padded, skip_special_tokens=True)
        return texts
