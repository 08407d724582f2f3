"""Tokenizer of Thai."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def words(version: str) -> Callable[[str], list[str]]:  # noqa: ARG001
    """Return the tokenizer of Thai.

    Parameters
    ----------
    version : str
        Version of PyThaiNLP, which is part of the signature.

    Returns
    -------
    callable
        ``function(text)`` returns the words of a segment by PyThaiNLP's default, ``newmm``: the
        longest words of its dictionary. White space is not a token.
    """
    from pythainlp.tokenize import word_tokenize

    tokenize = partial(word_tokenize, engine="newmm", keep_whitespace=False)
    return lambda text: " ".join(tokenize(text)).split()
