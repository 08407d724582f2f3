"""SentencePiece tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core import InputError
from mteval_tokenizers.installed import required

if TYPE_CHECKING:
    from collections.abc import Callable


def pieces(path: str) -> Callable[[str], list[str]]:
    """Return the tokenizer of a SentencePiece model.

    Parameters
    ----------
    path : str
        The model.

    Returns
    -------
    callable
        ``function(text)`` returns the pieces of a segment, as sacreBLEU 2.6 makes them: without
        white space at the end of the text, and with pieces split at white space that they contain.

    Raises
    ------
    PluginError
        If SentencePiece is not installed.
    InputError
        If the file is not a model.
    """
    with required("spm", "SentencePiece"):
        from sentencepiece import SentencePieceProcessor
    try:
        processor = SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError):
        raise InputError(f"{path}: expected a SentencePiece model") from None

    def tokenize(text: str) -> list[str]:
        return " ".join(processor.encode(text.rstrip(), out_type=str)).split()

    return tokenize
