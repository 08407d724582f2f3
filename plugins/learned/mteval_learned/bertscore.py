"""BERTScore: greedy matching of tokens by the cosine of their contextual embeddings.

T. Zhang, V. Kishore, F. Wu, K. Q. Weinberger and Y. Artzi, "BERTScore: evaluating text generation
with BERT", ICLR 2020. Implemented as in the package ``bert-score`` 0.3.13, whose scores it equals:

- The embeddings are the output of layer ``layer``. Tokens that begin and end a text ([CLS], [SEP])
  have no weight, but tokens may match them.
- Of several references, the highest precision, the highest recall and the highest F1 count, each
  on its own.
- A text without tokens scores 0 against any other.

Differences from the package:

- The package compares a token also with the padding of its batch, at similarity 0. This matters
  only if all similarities of the token are negative.
- Where the weights of a text sum to 0 (with idf, if all references have all of its tokens), its
  precision or recall is 0. It is not a number in the package.

The score of a corpus is the mean over its segments, as in the package.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import InputError, OptionError, progress
from mteval_learned.encoder import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import TextCorpus
    from mteval_learned.encoder import Embedded, Encoder

__all__ = ["BERTScore", "Weights", "idf_weights", "read_baseline", "scores"]

LAYERS: Mapping[str, int] = {
    "bert-base-chinese": 8,
    "bert-base-multilingual-cased": 9,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "deberta-base-mnli": 9,
    "deberta-large-mnli": 18,
    "deberta-xlarge-mnli": 40,
    "distilbert-base-uncased": 5,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
}
"""The layers that the authors chose on data of WMT16, by the name of the model."""

BLOCK = 256
"""Segments whose embeddings are in memory at once."""


@dataclass(frozen=True)
class Weights:
    """Weights of tokens by their ids.

    Parameters
    ----------
    known : mapping of int to float
        The weights.
    other : float
        The weight of all other tokens.
    """

    known: Mapping[int, float]
    other: float = 1.0

    def of(self, ids: Sequence[int]) -> NDArray[np.float64]:
        """Return the weight of each token, shape (n_tokens,)."""
        return np.array([self.known.get(i, self.other) for i in ids], np.float64)


def idf_weights(texts: Iterable[Sequence[int]]) -> Weights:
    """Compute the inverse document frequencies of tokens.

    Parameters
    ----------
    texts : iterable of sequence of int
        The tokens of each reference.

    Returns
    -------
    Weights
        log((M + 1) / (m + 1)) for a token in m of M references: section 3, with the "plus one
        smoothing" that the paper mentions.
    """
    counts: Counter[int] = Counter()
    n = 0
    for ids in texts:
        counts.update(set(ids))
        n += 1
    known = {token: float(np.log((n + 1) / (count + 1))) for token, count in counts.items()}
    return Weights(known, float(np.log(n + 1)))


def scores(hypothesis: Embedded, reference: Embedded, weights: Weights) -> NDArray[np.float64]:
    """Compute F1, precision and recall of a hypothesis against one reference.

    Parameters
    ----------
    hypothesis, reference : Embedded
        Tokens, and their embeddings of length 1.
    weights : Weights
        Weights of the tokens.

    Returns
    -------
    ndarray of float64, shape (3,)
    """
    if hypothesis.is_empty or reference.is_empty:
        return np.zeros(3)
    similarity = hypothesis.vectors @ reference.vectors.T  # section 3    x̂ᵀ x
    w_h, w_r = weights.of(hypothesis.ids), weights.of(reference.ids)
    p = mean(similarity.max(axis=1), w_h)  # P = Σ idf(x̂) max x̂ᵀx / Σ idf(x̂)
    r = mean(similarity.max(axis=0), w_r)  # R = Σ idf(x) max x̂ᵀx / Σ idf(x)
    f = 2 * p * r / (p + r) if p + r != 0 else 0.0  # F = 2 P R / (P + R)
    return np.array([f, p, r])


def mean(values: NDArray[Any], weights: NDArray[np.float64]) -> float:
    """Return the weighted mean; 0 if the weights sum to 0."""
    total = weights.sum()
    return float(values @ weights / total) if total > 0 else 0.0


@dataclass(frozen=True)
class BERTScore:
    """The metric with the options of its declaration.

    Parameters
    ----------
    model : str
        Folder of the encoder.
    layer : int or "auto"
        Layer whose output is compared, from 1.
    idf : bool
        Whether tokens are weighted by their idf in the references.
    baseline : str
        Table of baselines to rescale with; empty for none.
    batch_size : int
        Texts that the encoder reads at once.
    device : {"auto", "cpu", "cuda", "mps"}
        Where it runs.
    weights : Weights or None
        Weights from the references. `prepare` sets them.

    Raises
    ------
    OptionError
        If the layer of the model is not known.
    InputError
        If the baselines cannot be read.
    """

    model: str
    layer: int | str
    idf: bool
    baseline: str
    batch_size: int
    device: str
    weights: Weights | None = None

    def __post_init__(self) -> None:
        """Check what can be checked before the model is loaded."""
        self.read_baseline()

    @property
    def chosen_layer(self) -> int:
        """The layer as a number."""
        if isinstance(self.layer, int):
            return self.layer
        name = getattr(self.model, "name", Path(self.model).name)
        if name not in LAYERS:
            raise OptionError(
                f"layer=auto: the best layer of the model {name} is not known; expected layer=N"
            )
        return LAYERS[name]

    def read_baseline(self) -> NDArray[np.float64]:
        """Return the baselines of F1, precision and recall; zeros without a table."""
        if not self.baseline:
            self.chosen_layer  # noqa: B018 - it may be unknown
            return np.zeros(3)
        return read_baseline(self.baseline, self.chosen_layer)

    def encoder(self) -> Encoder:
        """Load the encoder."""
        return load(self.model, self.chosen_layer, self.device)

    def prepare(self, texts: Sequence[Sequence[str]], vocabulary: object) -> BERTScore:  # noqa: ARG002
        """Compute the weights from all references, if ``idf`` is set."""
        if not self.idf:
            return self
        encoder = self.encoder()
        return replace(self, weights=idf_weights(map(encoder.ids, chain.from_iterable(texts))))

    def statistics(self, texts: TextCorpus) -> NDArray[np.float64]:
        """F1, precision, recall and number of cut texts of every segment, (n_segments, 4)."""
        encoder = self.encoder()
        weights = self.weights or Weights(dict.fromkeys(encoder.special, 0.0))
        # Segments with the same references follow each other, so these are read once.
        order = sorted(range(len(texts)), key=lambda i: texts.references[i])
        starts = range(0, len(order), BLOCK)
        rows, cut = np.empty((len(texts), 3)), np.zeros(len(texts))
        for start in progress(starts, len(starts), "batch"):
            block = order[start : start + BLOCK]
            needed = {texts.hypotheses[i] for i in block}.union(
                *(texts.references[i] for i in block)
            )
            embedded = encoder.embed(
                sorted(needed, key=lambda text: (len(text), text)), self.batch_size
            )
            for i in block:
                hypothesis = embedded[texts.hypotheses[i]]
                own = [scores(hypothesis, embedded[r], weights) for r in texts.references[i]]
                rows[i] = np.max(own, axis=0)
                cut[i] = sum(
                    embedded[t].is_cut for t in (texts.hypotheses[i], *texts.references[i])
                )
        baseline = self.read_baseline()
        rescaled = (rows - baseline) / (1 - baseline)  # section 4    (R - b) / (1 - b)
        return np.column_stack([rescaled, cut])


def read_baseline(path: str, layer: int) -> NDArray[np.float64]:
    """Read the baselines of a layer from a table of ``bert-score``.

    Parameters
    ----------
    path : str
        A file with the columns LAYER, P, R and F, separated by commas.
    layer : int
        The layer.

    Returns
    -------
    ndarray of float64, shape (3,)
        The baselines of F1, precision and recall.

    Raises
    ------
    InputError
        If the file is not such a table, or lacks the layer.
    """
    try:
        with Path(path).open(encoding="utf-8", newline="") as stream:
            lines = list(csv.DictReader(stream))
        row = next(line for line in lines if line["LAYER"] == str(layer))
        baseline = np.array([float(row[key]) for key in ("F", "P", "R")])
    except StopIteration:
        raise InputError(f"{path}: no baselines of layer {layer}") from None
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as error:
        raise InputError(
            f"{path}: expected a table with the columns LAYER,P,R,F and numbers ({error!r})"
        ) from None
    if not (np.isfinite(baseline) & (baseline < 1)).all():
        raise InputError(
            f"{path}: the baselines of layer {layer} are {baseline}; expected less than 1"
        )
    return baseline
