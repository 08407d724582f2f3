"""Requirements of tokenizers: libraries, and SentencePiece models in sacreBLEU's cache.

The hooks import this module, so it imports no tokenizer.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mteval_core import PluginError

if TYPE_CHECKING:
    from collections.abc import Iterator

MODELS = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
"""Files of the models in sacreBLEU's cache, by the name of the tokenizer."""


def model_path(name: str, path: str) -> str:
    """Return the path of a model: the one given, or the one that sacreBLEU keeps for a tokenizer.

    Parameters
    ----------
    name : str
        The tokenizer. ``spm`` is ``flores101`` if there is no path, as in sacreBLEU.
    path : str
        What users write in brackets; may be empty, or the name of the file in the cache.

    Raises
    ------
    PluginError
        If sacreBLEU's cache does not have the model.
    """
    name = name if name in MODELS else "flores101"
    if path not in ("", MODELS[name]) or Path(path).is_file():
        return path
    cache = Path(os.environ.get("SACREBLEU", Path.home() / ".sacrebleu"))
    model = cache / "models" / MODELS[name]
    if not model.is_file():
        raise PluginError(
            f"{model}: no such file. {name} needs this model, which sacreBLEU fetches "
            f"with: python -c \"import sacrebleu; sacrebleu.BLEU(tokenize='{name}')\"; or name the "
            f"file, tok={name}[FILE]"
        )
    return str(model)


def thai_version(given: str) -> str:
    """Return the version of PyThaiNLP, whose dictionary decides what a word is.

    Raises
    ------
    PluginError
        If it is not installed.
    ValueError
        If it has another version than the one given.
    """
    from importlib import metadata

    with required("th", "PyThaiNLP"):
        installed = metadata.version("pythainlp")
    if given not in ("", installed):
        raise ValueError(f"{installed}, the version of PyThaiNLP that is installed")
    return installed


@contextmanager
def required(extra: str, what: str) -> Iterator[None]:
    """Import a library; if it is not installed, raise a `PluginError` that says what to type."""
    try:
        yield
    except ImportError:
        raise PluginError(
            f"{what} is not installed: type pip install 'mteval-tokenizers[{extra}]'"
        ) from None
