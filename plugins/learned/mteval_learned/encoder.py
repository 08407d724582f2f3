"""Encoders of ``transformers``: tokens of texts and their contextual embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mteval_core import PluginError
from mteval_learned.devices import chosen_device, quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Embedded", "Encoder", "load"]


@dataclass(frozen=True, eq=False)
class Embedded:
    """A text as an encoder sees it.

    Parameters
    ----------
    ids : sequence of int
        Its tokens, with those that begin and end it.
    vectors : ndarray, shape (n_tokens, d)
        The embedding of each token, of length 1.
    is_empty : bool
        Whether it has no tokens of its own.
    is_cut : bool
        Whether it is longer than the encoder reads.
    """

    ids: Sequence[int]
    vectors: NDArray[Any]
    is_empty: bool
    is_cut: bool = False


class Encoder(Protocol):
    """What BERTScore needs of an encoder."""

    @property
    def special(self) -> frozenset[int]:
        """The tokens that begin and end a text."""
        ...

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        ...

    def embed(self, texts: Sequence[str], batch_size: int) -> dict[str, Embedded]:
        """Compute the embeddings of texts."""
        ...


@dataclass(frozen=True, eq=False)
class Transformer:
    """An encoder of ``transformers``, up to a layer.

    Parameters
    ----------
    tokenizer, model : object
        Its two halves.
    device : str
        Where the model is.
    limit : int
        Longest text in tokens; longer ones are cut, as in the package ``bert-score``.
    """

    tokenizer: Any
    model: Any
    device: str
    limit: int

    @property
    def special(self) -> frozenset[int]:
        """The tokens that begin and end a text."""
        return frozenset({self.tokenizer.cls_token_id, self.tokenizer.sep_token_id})

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text, as far as the encoder reads it."""
        ids, _ = self.tokens(text)
        return ids

    def tokens(self, text: str) -> tuple[list[int], bool]:
        """Return the tokens, and whether there are more; GPT-2 and RoBERTa expect a space first."""
        text = text.strip()
        if text and type(self.tokenizer).__name__.startswith(("Roberta", "GPT2")):
            text = f" {text}"
        whole: list[int] = self.tokenizer.encode(text, add_special_tokens=True, verbose=False)
        if len(whole) <= self.limit:
            return whole, False
        cut: list[int] = self.tokenizer.encode(
            text, add_special_tokens=True, truncation=True, max_length=self.limit
        )
        return cut, True

    def embed(self, texts: Sequence[str], batch_size: int) -> dict[str, Embedded]:
        """Compute the embeddings of texts, in their order, a batch at a time."""
        n_special = len(self.ids(""))
        embedded = {}
        for start in range(0, len(texts), batch_size):
            batch = texts[start : start + batch_size]
            tokens = [self.tokens(text) for text in batch]
            every = self.vectors([ids for ids, _ in tokens])
            for text, (ids, is_cut), vectors in zip(batch, tokens, every, strict=True):
                embedded[text] = Embedded(ids, vectors, len(ids) <= n_special, is_cut)
        return embedded

    def vectors(self, tokens: Sequence[Sequence[int]]) -> list[NDArray[Any]]:
        """Return the embeddings of the tokens of each text, scaled to length 1."""
        import torch  # pyright: ignore[reportMissingImports]

        longest = max(map(len, tokens))
        ids = torch.full((len(tokens), longest), self.tokenizer.pad_token_id, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for i, own in enumerate(tokens):
            ids[i, : len(own)] = torch.tensor(own)
            mask[i, : len(own)] = 1
        with torch.no_grad():
            output = self.model(ids.to(self.device), attention_mask=mask.to(self.device))[0]
            output = output / output.norm(dim=-1, keepdim=True)
        return [np.asarray(v[: len(own)].cpu()) for v, own in zip(output, tokens, strict=True)]


@lru_cache(maxsize=2)
def load(folder: str, layer: int, device: str) -> Encoder:
    """Load an encoder.

    Parameters
    ----------
    folder : str
        Where it is.
    layer : int
        The last layer to compute.
    device : {"auto", "cpu", "cuda", "mps"}
        Where it runs.

    Raises
    ------
    PluginError
        If it cannot be loaded, is no encoder like BERT, or has no such layer.
    """
    with quiet():
        from transformers import (  # pyright: ignore[reportMissingImports]
            AutoModel,
            AutoTokenizer,
        )

        where = chosen_device(device)
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=False, local_files_only=True)
            model = AutoModel.from_pretrained(folder, local_files_only=True).float()
        except (OSError, ValueError, ImportError) as error:
            raise PluginError(f"{folder}: the encoder cannot be loaded: {error}") from error
    stack: Any = getattr(model, "encoder", None) or getattr(model, "transformer", None)
    layers = getattr(stack, "layer", None)
    if layers is None or hasattr(model, "decoder"):
        raise PluginError(
            f"{folder} holds a {type(model).__name__}; expected an encoder such as BERT or RoBERTa"
        )
    if not 1 <= layer <= len(layers):
        raise PluginError(f"{folder}: layer={layer}; the model has the layers 1 to {len(layers)}")
    stack.layer = layers[:layer]
    # The positions of RoBERTa begin after that of the padding.
    first = tokenizer.pad_token_id + 1 if "Roberta" in type(model).__name__ else 0
    limit = min(tokenizer.model_max_length, model.config.max_position_embeddings - first)
    return Transformer(tokenizer, model.eval().to(where), where, limit)
