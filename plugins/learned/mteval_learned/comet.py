"""COMET: quality that a model estimates from source, hypothesis and reference.

R. Rei, C. Stewart, A. C. Farinha and A. Lavie, "COMET: a neural framework for MT evaluation",
EMNLP 2020, and the models of its successors (CometKiwi, XCOMET). The method ``predict`` of the
package ``unbabel-comet`` computes the scores. What it leaves open:

- ``comet`` takes models that use references, ``comet-qe`` takes models that can do without.
- The models read one reference. Of several, the score is the mean of the scores against each.
- The score of a corpus is the mean over its segments, as in the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from mteval_core import PluginError, UsageError, progress
from mteval_learned.devices import chosen_device, quiet
from mteval_learned.models import checkpoint_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core import TextCorpus

__all__ = ["Comet", "CometQE", "load", "reads"]

BATCHES = 64
"""Batches that the package computes in one call, between two steps of the progress bar."""

TEXTS = {
    "regression_metric": {"src", "ref"},
    "ranking_metric": {"src", "ref"},
    "referenceless_regression_metric": {"src"},
    "xcomet_metric": {"src", "ref"},
}
"""What a model reads besides the hypothesis, by its class."""


class Estimator(Protocol):
    """What the metrics need of a model."""

    def __call__(self, samples: Sequence[dict[str, str]], batch_size: int) -> list[float]:
        """Return the score of each sample, with the keys ``src``, ``mt`` and perhaps ``ref``."""
        ...


@dataclass(frozen=True)
class Comet:
    """A COMET model that reads source and reference.

    Parameters
    ----------
    model : str
        Folder of the model.
    precision : {"fp32", "fp16"}
        Precision of the numbers with which it computes.
    batch_size : int
        Segments that it reads at once.
    device : {"auto", "cpu", "cuda", "mps"}
        Where it runs.

    Raises
    ------
    UsageError
        If the model reads other texts.
    """

    model: str
    precision: str
    batch_size: int
    device: str

    with_references: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check what the model reads."""
        readings = reads(self.model)
        if not any(("ref" in texts) == self.with_references for texts in readings):
            uses, other = ("no", "comet-qe") if self.with_references else ("the", "comet")
            raise UsageError(
                f"{self.model}: this model uses {uses} references: take {other}:model=..."
            )

    def statistics(self, texts: TextCorpus) -> NDArray[np.float64]:
        """Score of every segment, the mean over its references; shape (n_segments, 1)."""
        assert texts.sources is not None  # the declaration requires the source
        pairs = list(zip(texts.sources, texts.hypotheses, strict=True))
        references = texts.references if self.with_references else [[""]] * len(pairs)
        samples = [
            {"src": source, "mt": hypothesis, **({"ref": r} if self.with_references else {})}
            for (source, hypothesis), own in zip(pairs, references, strict=True)
            for r in own
        ]
        found = self.estimate(samples)
        counts = [len(own) for own in references]
        first = np.cumsum([0, *counts[:-1]])
        means: NDArray[np.float64] = np.add.reduceat(found, first) / counts
        return means[:, None]

    def estimate(self, samples: list[dict[str, str]]) -> NDArray[np.float64]:
        """Return the score of each sample."""
        estimator = load(self.model, self.precision, self.device)
        # Samples of similar length share batches.
        order = sorted(range(len(samples)), key=lambda i: len(samples[i]["src"]))
        starts = range(0, len(order), BATCHES * self.batch_size)
        found = np.empty(len(samples))
        for start in progress(starts, len(starts), "chunk"):
            chunk = order[start : start + BATCHES * self.batch_size]
            found[chunk] = estimator([samples[i] for i in chunk], self.batch_size)
        return found


@dataclass(frozen=True)
class CometQE(Comet):
    """A COMET model that reads the source, and no reference."""

    with_references: ClassVar[bool] = False


def reads(model: str) -> list[set[str]]:
    """Say which texts besides the hypothesis a model can score with.

    Raises
    ------
    PluginError
        If its settings do not say so.
    """
    import yaml

    path = Path(model) / "hparams.yaml"
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
        kind = settings["class_identifier"]
        texts = {*settings["input_segments"]} - {"mt"} if kind == "unified_metric" else TEXTS[kind]
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        raise PluginError(
            f"{path}: these are not the settings of a COMET model ({error!r})"
        ) from None
    both = kind in ("unified_metric", "xcomet_metric") and texts == {"src", "ref"}
    return [texts, {"src"}] if both else [texts]


@lru_cache(maxsize=2)
def load(folder: str, precision: str, device: str) -> Estimator:
    """Load a model.

    Raises
    ------
    PluginError
        If it cannot be loaded.
    """
    with quiet():
        from comet import load_from_checkpoint  # pyright: ignore[reportMissingImports]

        where = chosen_device(device)
        try:
            model: Any = load_from_checkpoint(checkpoint_in(folder), local_files_only=True)
        except Exception as error:
            raise PluginError(
                f"{folder}: the model cannot be loaded; the encoder that its hparams.yaml names as "
                f"pretrained_model must have been downloaded, too ({error})"
            ) from error
        model.eval()
        if precision == "fp16":
            model.half()
        model.set_embedding_cache()

    def estimate(samples: Sequence[dict[str, str]], batch_size: int) -> list[float]:
        with quiet():
            prediction = model.predict(
                samples=list(samples),
                batch_size=batch_size,
                gpus=0 if where == "cpu" else 1,
                accelerator=where,
                num_workers=0,
                progress_bar=False,
            )
        found: list[float] = prediction.scores
        return found

    return estimate
