"""Scanners: from text to the ids of its tokens."""

from __future__ import annotations

import re
from array import array
from itertools import chain
from string import punctuation
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from mteval_kernels.twins.arguments import as_bytes, bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mteval_kernels.twins.vocabulary import Vocabulary

    Tokenized: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]
    Chunks: TypeAlias = Callable[[str], list[str]]
    Tokenize: TypeAlias = Callable[[str], Sequence[str]]

__all__ = ["scan_13a", "scan_characters", "scan_whitespace"]


def scan_13a(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> Tokenized:
    r"""Tokenize texts by the rules of the tokenizer 13a, into ids.

    Parameters
    ----------
    buffer : bytes
        UTF-8.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``buffer[starts[i]:ends[i]]``. Texts may overlap and contain line breaks.
    vocabulary : Vocabulary
        New tokens are added to it, text by text.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
        The ids of all tokens, text after text.
    offsets : ndarray of int64, shape (n_texts + 1,)
        The tokens of text ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.

    Raises
    ------
    ValueError
        If a text lies outside the buffer.
    UnicodeDecodeError
        If a text is not UTF-8. Tokens of the texts before it stay in the vocabulary.

    Notes
    -----
    The rules, in this order: ``<skipped>`` is removed; a hyphen before a line feed is removed with
    the line feed; ``&quot;``, ``&amp;``, ``&lt;``, ``&gt;`` are decoded in this order, so that
    ``&amp;lt;`` becomes ``<``; ASCII symbols other than ``' , - .`` become tokens; a full stop or
    comma becomes a token unless it is between digits; a hyphen after a digit becomes a token.
    White space (`str.isspace`) separates tokens, and only the first two rules look across it. A
    rule looks at each pair of characters once, so that ``a.,5`` becomes ``a . ,5``.

    The time is linear in the length of the texts. However the texts are split into successive
    calls, the ids are the same.
    """
    return _scan((buffer, starts, ends), vocabulary, _chunks_13a, _tokens_13a)


def scan_whitespace(
    buffer: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    vocabulary: Vocabulary,
    *,
    cut: bool = False,
) -> Tokenized:
    """Split texts at Unicode white space, as `str.split` does, into ids.

    Parameters
    ----------
    buffer : bytes
        UTF-8.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``buffer[starts[i]:ends[i]]``.
    vocabulary : Vocabulary
        New tokens are added to it, text by text.
    cut : bool
        Whether to cut one ASCII punctuation mark off each longer word: the last character if it is
        one, or else the first.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
        The ids of all tokens, text after text.
    offsets : ndarray of int64, shape (n_texts + 1,)
        The tokens of text ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.

    Raises
    ------
    ValueError
        If a text lies outside the buffer.
    UnicodeDecodeError
        If a text is not UTF-8.
    """
    _check_flags(cut=cut)
    tokenize = _cut if cut else lambda chunk: (chunk,)
    return _scan((buffer, starts, ends), vocabulary, str.split, tokenize)


def scan_characters(
    buffer: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    vocabulary: Vocabulary,
    *,
    white_space: bool = False,
    strip: bool = False,
) -> Tokenized:
    """Split texts into characters (code points), into ids.

    Parameters
    ----------
    buffer : bytes
        UTF-8.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``buffer[starts[i]:ends[i]]``.
    vocabulary : Vocabulary
        New characters are added to it, text by text.
    white_space : bool
        Whether to keep white space (`str.isspace`).
    strip : bool
        Whether to drop it at both ends of each text nevertheless.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
        The ids of all characters, text after text.
    offsets : ndarray of int64, shape (n_texts + 1,)
        The characters of text ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.

    Raises
    ------
    ValueError
        If a text lies outside the buffer.
    UnicodeDecodeError
        If a text is not UTF-8.
    """
    _check_flags(white_space=white_space, strip=strip)
    chunks: Chunks = str.split
    if white_space:
        chunks = _stripped if strip else list
    return _scan((buffer, starts, ends), vocabulary, chunks, tuple)


def _check_flags(**flags: object) -> None:
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise TypeError(f"{name}: expected True or False, got {type(flag).__name__}")


def _stripped(text: str) -> list[str]:
    return list(text.strip())


def _cut(word: str) -> Sequence[str]:
    if len(word) > 1 and word[-1] in punctuation:
        return word[:-1], word[-1]
    if len(word) > 1 and word[0] in punctuation:
        return word[0], word[1:]
    return (word,)


def _scan(
    texts: tuple[bytes, NDArray[np.int64], NDArray[np.int64]],
    vocabulary: Vocabulary,
    split: Chunks,
    tokenize: Tokenize,
) -> Tokenized:
    """Split texts into chunks, and tokenize every distinct chunk once."""
    buffer, starts, ends = texts
    buffer = as_bytes("buffer", buffer)
    text_bounds = zip(*bounds("buffer", starts, ends, len(buffer)), strict=True)
    ids_of = _ChunkIds(vocabulary, tokenize)
    ids = array("i")
    offsets = [0]
    for start, end in text_bounds:
        chunks = split(buffer[start:end].decode())
        ids.extend(chain.from_iterable(map(ids_of.__getitem__, chunks)))
        offsets.append(len(ids))
    return np.array(ids, dtype=np.int32), np.array(offsets, dtype=np.int64)


class _ChunkIds(dict[str, list[int]]):
    """The ids of the tokens of every chunk that has been asked for."""

    def __init__(self, vocabulary: Vocabulary, tokenize: Tokenize) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._tokenize = tokenize

    def __missing__(self, chunk: str) -> list[int]:
        ids: list[int] = self._vocabulary.intern(self._tokenize(chunk)).tolist()
        self[chunk] = ids
        return ids


_IS_WORD_13A = re.compile(r"[^\x20-\x26\x28-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]*").fullmatch
_RULES_13A = [
    (re.compile(r"([\x20-\x26\x28-\x2b/\x3a-\x40\x5b-\x60\x7b-\x7e])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]


def _chunks_13a(text: str) -> list[str]:
    return text.replace("<skipped>", "").replace("-\n", "").split()


def _tokens_13a(chunk: str) -> Sequence[str]:
    if _IS_WORD_13A(chunk):
        return (chunk,)
    if "&" in chunk:
        for entity, character in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
            chunk = chunk.replace(f"&{entity};", character)
    chunk = f" {chunk} "
    for pattern, replacement in _RULES_13A:
        chunk = pattern.sub(replacement, chunk)
    return chunk.split()
