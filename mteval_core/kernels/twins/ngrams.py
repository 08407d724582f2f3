"""The kernels in plain Python: the fallback where no compiler was, and the oracle of the tests.

The native module has the same names, signatures, results (to the last bit) and messages; its
documentation is taken from here. The sequence kernels rest on one idea: every token of the
hypothesis gets the bit mask of the reference positions that hold it, here an integer of any size.
"""

from __future__ import annotations

import re
from array import array
from itertools import chain, pairwise, repeat, zip_longest
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = [
    "PairIndex",
    "ReferenceTexts",
    "Texts",
    "Vocabulary",
    "clipped_matches",
    "scan_13a",
    "scan_characters",
    "scan_whitespace",
    "weighted_matches",
]

_Key = TypeVar("_Key")
_Scalar = TypeVar("_Scalar", bound=np.generic)


class Texts(Protocol):
    """Texts as kernels see them: text ``i`` is ``ids[starts[i]:ends[i]]``.

    Texts may share, skip or reorder ids; an id below zero matches nothing.
    """

    @property
    def ids(self) -> NDArray[np.int32]:
        """Token ids, shape (n_tokens,)."""

    @property
    def starts(self) -> NDArray[np.int64]:
        """First token of every text, shape (n_texts,)."""

    @property
    def ends(self) -> NDArray[np.int64]:
        """Token after the last of every text, shape (n_texts,)."""


class ReferenceTexts(Texts, Protocol):
    """Reference texts: those of segment ``i`` are the texts ``index[i]`` to ``index[i + 1] - 1``.

    Every segment has at least one.
    """

    @property
    def index(self) -> NDArray[np.int64]:
        """First text of every segment, then the number of texts, shape (n_segments + 1,)."""


class _Numbers(dict[_Key, int]):
    """Numbers keys in the order in which they are first asked for."""

    def __missing__(self, key: _Key) -> int:
        self[key] = number = len(self)
        return number


class _TokenNumbers(dict[str, int]):
    """Numbers tokens in the order in which they are first asked for, and keeps them by number."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens: list[str] = []

    def __missing__(self, token: str) -> int:
        _check_token(token)
        self[token] = number = len(self)
        self.tokens.append(token)
        return number


def _check_token(token: str) -> None:
    if not isinstance(token, str):
        message = f"a token is a str, got {type(token).__name__}"
        raise TypeError(message)
    token.encode()  # refuses lone surrogates


class Vocabulary:
    """The ids of tokens: 0, 1, 2, ... in order of first occurrence.

    Ids are int32. Looking up or adding a token takes constant time. Fill a vocabulary from one
    thread at a time: filled from several at once, its ids depend on which comes first.
    """

    def __init__(self) -> None:
        self._numbers = _TokenNumbers()

    def __len__(self) -> int:
        return len(self._numbers)

    def intern(self, tokens: Sequence[str]) -> NDArray[np.int32]:
        """Ids of tokens, the new ones added.

        Parameters
        ----------
        tokens : sequence of str
            Any tokens, the empty one included.

        Returns
        -------
        ndarray of int32, shape (len(tokens),)
            The ids.

        Raises
        ------
        UnicodeEncodeError
            For a token with a lone surrogate, which UTF-8 cannot write. Tokens before it may
            have been added.
        """
        numbers = self._numbers
        return np.array([numbers[token] for token in tokens], dtype=np.int32)

    def find(self, token: str) -> int:
        """Id of a token, -1 if it has none.

        Parameters
        ----------
        token : str
            Any token; it is not added.

        Returns
        -------
        int
            The id or -1.

        Raises
        ------
        UnicodeEncodeError
            For a token with a lone surrogate.
        """
        _check_token(token)
        return self._numbers.get(token, -1)

    def tokens(self, ids: NDArray[np.int32]) -> list[str]:
        """Tokens of ids.

        Parameters
        ----------
        ids : ndarray of int32, shape (n,)
            Ids from 0 to ``len(vocabulary) - 1``.

        Returns
        -------
        list of str
            One token per id.

        Raises
        ------
        ValueError
            For an id that is not in the vocabulary.
        """
        ids = _vector("ids", ids, np.int32)
        wrong = (ids < 0) | (ids >= len(self))
        if wrong.any():
            message = f"no token has the id {ids[wrong][0]}; the vocabulary has {len(self)} tokens"
            raise ValueError(message)
        return [self._numbers.tokens[number] for number in ids.tolist()]


def scan_13a(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    r"""Tokenize texts by the rules of mteval-v13a, as sacreBLEU's ``13a`` has them, into ids.

    Parameters
    ----------
    buffer : bytes
        UTF-8.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``buffer[starts[i]:ends[i]]``. Texts may overlap, and hold line breaks.
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
        For a text outside the buffer, or (UnicodeDecodeError) one that is not UTF-8. What was read
        until then stays in the vocabulary.

    Notes
    -----
    In this order: ``<skipped>`` is dropped; a hyphen before a line feed is dropped with it;
    ``&quot;``, ``&amp;``, ``&lt;``, ``&gt;`` are decoded one after the other, so that ``&amp;lt;``
    gives ``<``; ASCII symbols other than ``' , - .`` stand alone; full stop and comma stand alone
    unless between digits; a hyphen after a digit stands alone. White space is what
    ``str.isspace`` says, and separates tokens; no other rule looks across it. A pair of
    characters that one rule has looked at is not looked at again by the same rule, so that
    ``a.,5`` is ``a . ,5``.

    Linear in the length of the texts. Any split of the texts into successive calls gives the
    same ids.
    """
    return _scan(buffer, starts, ends, vocabulary, _chunks_13a, _tokens_13a)


def scan_whitespace(
    buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], vocabulary: Vocabulary
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Split texts at Unicode white space, as ``str.split`` does, into ids.

    Parameters
    ----------
    buffer : bytes
        UTF-8.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``buffer[starts[i]:ends[i]]``.
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
        For a text outside the buffer, or (UnicodeDecodeError) one that is not UTF-8.
    """
    return _scan(buffer, starts, ends, vocabulary, str.split, lambda chunk: (chunk,))


def scan_characters(
    buffer: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    vocabulary: Vocabulary,
    white_space: bool = False,  # noqa: FBT001, FBT002 - the kernel's last option
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Cut texts into characters, as code points, into ids.

    Parameters
    ----------
    buffer : bytes
        UTF-8.
    starts, ends : ndarray of int64, shape (n_texts,)
        Text ``i`` is ``buffer[starts[i]:ends[i]]``.
    vocabulary : Vocabulary
        New characters are added to it, text by text.
    white_space : bool
        Whether white space (`str.isspace`) counts; otherwise it leaves no trace.

    Returns
    -------
    ids : ndarray of int32, shape (n_tokens,)
        The ids of all characters, text after text.
    offsets : ndarray of int64, shape (n_texts + 1,)
        The characters of text ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.

    Raises
    ------
    ValueError
        For a text outside the buffer, or (UnicodeDecodeError) one that is not UTF-8.
    """
    return _scan(buffer, starts, ends, vocabulary, list if white_space else str.split, tuple)


class _ChunkIds(dict[str, tuple[int, ...]]):
    """The ids of every distinct chunk of text, each tokenized once."""

    def __init__(self, vocabulary: Vocabulary, tokenize: Callable[[str], Iterable[str]]) -> None:
        super().__init__()
        self._numbers = vocabulary._numbers
        self._tokenize = tokenize

    def __missing__(self, chunk: str) -> tuple[int, ...]:
        numbers = self._numbers
        self[chunk] = ids = tuple(numbers[token] for token in self._tokenize(chunk))
        return ids


def _scan(
    buffer: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    vocabulary: Vocabulary,
    split: Callable[[str], list[str]],
    tokenize: Callable[[str], Iterable[str]],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    if not isinstance(buffer, bytes):
        message = f"buffer: expected bytes, got {type(buffer).__name__}"
        raise TypeError(message)
    starts, ends = _bounds("buffer", starts, ends, len(buffer))
    chunk_ids = _ChunkIds(vocabulary, tokenize)
    ids = array("i")
    offsets = np.zeros(len(starts) + 1, np.int64)
    for i, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True), 1):
        chunks = split(buffer[start:end].decode())
        ids.extend(chain.from_iterable(map(chunk_ids.__getitem__, chunks)))
        offsets[i] = len(ids)
    return np.array(ids, dtype=np.int32), offsets


_PLAIN_13A = re.compile(r"[^\x20-\x26\x28-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]*").fullmatch
_RULES_13A = [
    (re.compile(r"([\x20-\x26\x28-\x2b/\x3a-\x40\x5b-\x60\x7b-\x7e])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]


def _chunks_13a(text: str) -> list[str]:
    return text.replace("<skipped>", "").replace("-\n", "").split()


def _tokens_13a(chunk: str) -> Sequence[str]:
    if _PLAIN_13A(chunk):
        return (chunk,)
    if "&" in chunk:
        for entity, character in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
            chunk = chunk.replace(f"&{entity};", character)
    chunk = f" {chunk} "
    for pattern, replacement in _RULES_13A:
        chunk = pattern.sub(replacement, chunk)
    return chunk.split()


def clipped_matches(
    hypotheses: Texts, references: ReferenceTexts, order: int
) -> NDArray[np.float64]:
    """Count n-grams of the hypotheses that the references clip, for n = 1 to ``order``.

    An n-gram counts as often as it stands in the hypothesis, at most as often as in the one
    reference of the segment that has it most often (BLEU, sec. 2.1).

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    order : int
        Longest n-gram, at least 1.

    Returns
    -------
    ndarray of float64, shape (n_segments, order)
        Clipped matches, whole numbers; column ``n - 1`` counts the n-grams.

    Raises
    ------
    ValueError
        For texts outside their ids, a segment without reference, or uneven numbers of segments.

    Notes
    -----
    With a hypothesis of h and references of r tokens in all, O(h * order * ceil(r / 64)) at
    most; orders that match nowhere cost nothing. Rows depend on their own segment only, so that
    any split into ranges of segments gives the same rows.
    """
    if order < 1:
        message = f"order is {order}; expected at least 1"
        raise ValueError(message)
    rows: list[int] = []
    for hypothesis, texts in _segments(hypotheses, references):
        matched = [_matched_ends(hypothesis, text, order) for text in texts]
        if len(matched) == 1:
            row = list(map(len, matched[0]))
        else:
            row = [len(set().union(*ends)) for ends in zip_longest(*matched, fillvalue=())]
        rows += row
        rows += repeat(0, order - len(row))
    return np.array(rows, dtype=np.float64).reshape(-1, order)


def weighted_matches(
    hypotheses: Texts, references: ReferenceTexts, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum the weights of the hypothesis tokens that the references clip.

    As `clipped_matches` of order 1, each match counting ``weights[id]``. Of a token that the
    hypothesis has more often than any reference, the first occurrences match.

    Parameters
    ----------
    hypotheses : Texts
        One text per segment.
    references : ReferenceTexts
        The references of every segment.
    weights : ndarray of float64, shape (n_types,)
        The weight of every id.

    Returns
    -------
    ndarray of float64, shape (n_segments,)
        Sums, added up from the left end of the hypothesis to the right.

    Raises
    ------
    ValueError
        For a hypothesis id without weight, texts outside their ids, a segment without
        reference, or uneven numbers of segments.

    Notes
    -----
    With a hypothesis of h and references of r tokens in all, O(h * ceil(r / 64)). Rows depend
    on their own segment only, so that any split into ranges of segments gives the same rows.
    """
    weights = _vector("weights", weights, np.float64)
    weight_of = weights.tolist()
    sums = []
    for i, (hypothesis, texts) in enumerate(_segments(hypotheses, references)):
        if max(hypothesis, default=-1) >= len(weights):
            worst = next(token for token in hypothesis if token >= len(weights))
            message = f"hypothesis {i} has the id {worst}; there are {len(weights)} weights"
            raise ValueError(message)
        total = 0.0
        ends = (next(_matched_ends(hypothesis, text, 1)) for text in texts)
        for end in sorted(set().union(*ends)):  # sum() would compensate rounding errors
            total += weight_of[hypothesis[end]]
        sums.append(total)
    return np.array(sums, dtype=np.float64)


def _matched_ends(
    hypothesis: list[int], reference: list[int], order: int
) -> Iterator[Collection[int]]:
    """For n = 1, 2, ... the ends of the n-grams that find a place of their own in a reference.

    Of equal n-grams the first ones match. Stops after `order`, or when nothing matches.
    """
    masks: dict[int, int] = {}
    bit = 1
    for token in reference:
        masks[token] = masks.get(token, 0) | bit
        bit <<= 1
    for token in [token for token in masks if token < 0]:
        del masks[token]
    places = list(map(masks.get, hypothesis, repeat(0)))
    runs = {end: mask for end, mask in enumerate(places) if mask}
    places.append(0)
    for n in range(order):
        if n:
            runs = {
                end + 1: longer
                for end, mask in runs.items()
                if (longer := mask << 1 & places[end + 1])
            }
            if not runs:
                return
        if len(set(runs.values())) == len(runs):  # no two are equal
            yield runs
        else:
            free = -1
            matched = []
            for end, mask in runs.items():
                if available := mask & free:
                    free ^= available & -available
                    matched.append(end)
            yield matched


class PairIndex:
    """The ids of pairs of int32 numbers: 0, 1, 2, ... in order of first occurrence.

    Numbers n-grams: an n-gram is the pair of its first n - 1 tokens' id and its last token's. A
    pair with a negative member has no id. Looking up or adding a pair takes constant time. Fill
    an index from one thread at a time.
    """

    def __init__(self) -> None:
        self._numbers: _Numbers[int] = _Numbers()

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int32]:
        """Ids of pairs, the new ones added.

        Parameters
        ----------
        left, right : ndarray of int32, shape (n,)
            The pairs.

        Returns
        -------
        ndarray of int32, shape (n,)
            The ids; -1 for a pair with a negative member, which is not added.
        """
        numbers = self._numbers
        keys = _pair_keys(left, right)
        return np.array([numbers[key] if key >= 0 else -1 for key in keys], dtype=np.int32)

    def find(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int32]:
        """Ids of pairs, -1 for those that have none.

        Parameters
        ----------
        left, right : ndarray of int32, shape (n,)
            The pairs; they are not added.

        Returns
        -------
        ndarray of int32, shape (n,)
            The ids.
        """
        get = self._numbers.get
        return np.array([get(key, -1) for key in _pair_keys(left, right)], dtype=np.int32)


def _pair_keys(left: NDArray[np.int32], right: NDArray[np.int32]) -> list[int]:
    """One number per pair, negative where a member is."""
    left = _vector("left", left, np.int32)
    right = _vector("right", right, np.int32)
    if len(left) != len(right):
        message = f"left has {len(left)} members, right has {len(right)}; expected pairs"
        raise ValueError(message)
    keys = left.astype(np.int64) << 32 | right
    keys[right < 0] = -1
    numbers: list[int] = keys.tolist()
    return numbers


def _segments(
    hypotheses: Texts, references: ReferenceTexts
) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Check everything, then give hypothesis and references of every segment."""
    hypothesis_texts = _texts("hypotheses", hypotheses)
    reference_texts = _texts("references", references)
    index = _vector("index", references.index, np.int64)
    n_hypotheses, n_references = len(hypotheses.starts), len(references.starts)
    if len(index) != n_hypotheses + 1:
        message = f"{n_hypotheses} hypotheses, but references of {len(index) - 1} segments"
        raise ValueError(message)
    wrong = (index[:-1] < 0) | (index[1:] > n_references) | (index[1:] <= index[:-1])
    if wrong.any():
        i = int(wrong.argmax())
        message = (
            f"index: the references of segment {i} are {index[i]}:{index[i + 1]}; "
            f"expected at least one text within 0:{n_references}"
        )
        raise ValueError(message)
    return (
        (hypothesis_texts(i), [reference_texts(j) for j in range(start, stop)])
        for i, (start, stop) in enumerate(pairwise(index.tolist()))
    )


MAX_LENGTH = 65_535
"""The longest texts of kernels with tables of tokens by tokens, which would be too large."""


def _check_lengths(hypotheses: Texts, references: ReferenceTexts) -> None:
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        longest = int(np.max(texts.ends - texts.starts, initial=0))
        if longest > MAX_LENGTH:
            message = f"{name}: a text has {longest} tokens; expected at most {MAX_LENGTH}"
            raise ValueError(message)


def _texts(name: str, texts: Texts) -> Callable[[int], list[int]]:
    """Check texts, then return the function that gives one."""
    ids = _vector("ids", texts.ids, np.int32)
    bounds = _bounds(name, texts.starts, texts.ends, len(ids))
    starts, ends = (vector.tolist() for vector in bounds)
    return lambda i: ids[starts[i] : ends[i]].tolist()


def _bounds(
    name: str, starts: NDArray[np.int64], ends: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    starts, ends = _vector("starts", starts, np.int64), _vector("ends", ends, np.int64)
    if len(starts) != len(ends):
        message = f"{name}: {len(starts)} starts, {len(ends)} ends; expected as many"
        raise ValueError(message)
    wrong = (starts < 0) | (ends < starts) | (ends > size)
    if wrong.any():
        i = int(wrong.argmax())
        message = f"{name}: text {i} is {starts[i]}:{ends[i]}; expected bounds within 0:{size}"
        raise ValueError(message)
    return starts, ends


def _vector(name: str, values: NDArray[Any], dtype: type[_Scalar]) -> NDArray[_Scalar]:
    """Return values as a vector of a dtype, refusing what would lose digits or shape."""
    vector = np.asarray(values)
    if not np.can_cast(vector.dtype, dtype, "safe"):
        message = f"{name}: expected an array of {np.dtype(dtype)}, got {vector.dtype}"
        raise TypeError(message)
    if vector.ndim != 1:
        message = f"{name}: expected one dimension, got {vector.ndim}"
        raise ValueError(message)
    return vector.astype(dtype, copy=False)
