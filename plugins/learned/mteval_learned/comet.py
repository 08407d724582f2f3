"""COMET: quality that a model estimates from source, hypothesis and reference.

R. Rei, C. Stewart, A. C. Farinha and A. Lavie, "COMET: a neural framework for MT evaluation",
EMNLP 2020, and the models of its successors (CometKiwi, XCOMET). The method ``predict`` of the
package ``unbabel-comet`` computes the scores. What it leaves open:

- ``comet`` takes models that use references, ``comet-qe`` takes models that can do without.
- The models read one reference. Of several, the score is the mean of the scores against each.
- The score of a corpus is the mean over its segments, as in the package.

The package cuts long texts in silence. They are counted here with the tokenizer of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from mteval_core import PluginError, UsageError, progress
from mteval_learned.devices import chosen_device, quiet
from mteval_learned.models import checkpoint_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import TextCorpus

__all__ = ["Comet", "CometQE", "Model", "load", "reads"]

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

    def cut(self, samples: Sequence[dict[str, str]]) -> list[set[str]]:
        """Return the keys of the texts of each sample that the model does not read to the end."""
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
        """Score, the mean over the references, and number of cut texts; shape (n_segments, 2)."""
        assert texts.sources is not None  # the declaration requires the source
        pairs = list(zip(texts.sources, texts.hypotheses, strict=True))
        references = texts.references if self.with_references else [[""]] * len(pairs)
        samples = [
            {"src": source, "mt": hypothesis, **({"ref": r} if self.with_references else {})}
            for (source, hypothesis), own in zip(pairs, references, strict=True)
            for r in own
        ]
        found, cut = self.estimate(samples)
        counts = [len(own) for own in references]
        ends = np.cumsum([0, *counts])
        means = np.add.reduceat(found, ends[:-1]) / counts
        return np.column_stack([means, [n_cut(cut[a:b]) for a, b in pairwise(ends)]])

    def estimate(self, samples: list[dict[str, str]]) -> tuple[NDArray[np.float64], list[set[str]]]:
        """Return the score of each sample, and which of its texts are cut."""
        estimator = load(self.model, self.precision, self.device)
        # Samples of similar length share batches.
        order = sorted(range(len(samples)), key=lambda i: len(samples[i]["src"]))
        starts = range(0, len(order), BATCHES * self.batch_size)
        found, cut = np.empty(len(samples)), [set[str]()] * len(samples)
        for start in progress(starts, len(starts), "chunk"):
            chunk = order[start : start + BATCHES * self.batch_size]
            some = [samples[i] for i in chunk]
            found[chunk] = estimator(some, self.batch_size)
            for i, names in zip(chunk, estimator.cut(some), strict=True):
                cut[i] = names
        return found, cut


@dataclass(frozen=True)
class CometQE(Comet):
    """A COMET model that reads the source, and no reference."""

    with_references: ClassVar[bool] = False


def n_cut(samples: Sequence[set[str]]) -> int:
    """Count the texts of a segment that are cut: its samples differ in the reference only."""
    return sum("ref" in cut for cut in samples) + len(set().union(*samples) - {"ref"})


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

    return Model(model, where)


@dataclass(frozen=True, eq=False)
class Model:
    """A model of the package.

    Parameters
    ----------
    model : object
        The model.
    device : str
        Where it runs.
    """

    model: Any
    device: str

    def __call__(self, samples: Sequence[dict[str, str]], batch_size: int) -> list[float]:
        """Return the score of each sample."""
        with quiet():
            prediction = self.model.predict(
                samples=list(samples),
                batch_size=batch_size,
                gpus=0 if self.device == "cpu" else 1,
                accelerator=self.device,
                num_workers=0,
                progress_bar=False,
            )
        found: list[float] = prediction.scores
        return found

    def cut(self, samples: Sequence[dict[str, str]]) -> list[set[str]]:
        """Return the keys of the texts of each sample that the model does not read to the end."""
        texts = sorted({text for sample in samples for text in sample.values()})
        tokenizer = self.model.encoder.tokenizer
        ids = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
        n_tokens = dict(zip(texts, map(len, ids), strict=True))
        return [self.cut_in({key: n_tokens[t] for key, t in one.items()}) for one in samples]

    def cut_in(self, n_tokens: Mapping[str, int]) -> set[str]:
        """Return the keys of the texts that are cut, from the number of tokens of each text.

        The package cuts each text alone. Unified models read texts joined to the hypothesis, and
        cut that again.
        """
        encoder = self.model.encoder
        most = encoder.max_positions - 2 - encoder.tokenizer.num_special_tokens_to_add()
        cut = {key for key, n in n_tokens.items() if n > most}
        for keys in self.joined(n_tokens):
            end = 1  # behind the first token
            for key in keys:
                end += min(n_tokens[key], most)
                cut |= {key} if end > encoder.max_positions else set()
                end += encoder.size_separator
        return cut

    def joined(self, keys: Iterable[str]) -> list[tuple[str, ...]]:
        """List the texts that the model reads as one; none if it reads each text alone."""
        if not hasattr(self.model, "concat_inputs"):
            return []
        read = {*keys} & {*self.model.hparams.input_segments}
        others: list[tuple[str, ...]] = [("mt", key) for key in ("src", "ref") if key in read]
        return [*others, ("mt", "src", "ref")] if len(others) > 1 else others
