"""Pipelines from text to token ids. Metrics share each step that they have in common."""

from __future__ import annotations

from functools import cache, partial
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core.errors import InputError, PluginError, attributed
from mteval_core.frozen import Frozen
from mteval_core.plugin.declarations import NormalizerSpec, TokenizerSpec, load
from mteval_core.text.text import MISSING_SEGMENT, Text, kind, line_blocks
from mteval_core.text.tokens import NO_BREAKS, References, TokenizedCorpus, Tokens
from mteval_kernels import Vocabulary, scan_13a, scan_characters, scan_whitespace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    Parts = tuple[NDArray[np.int32], Places, Places, Places]
    """Ids, starts, ends and breaks, see `Tokens`: the object itself would take time to make."""

SCANNERS = (scan_13a, scan_characters, scan_whitespace)
"""Batch functions whose results need no check, also with arguments of their own."""

FIRST_STEPS = attrgetter("text", "tokenizer", "sent")
"""Returns the steps of a pipeline up to the tokens."""

NO_IDS = np.empty(0, np.int32)

LINES_AT_ONCE = 10_000
"""Number of segments that are tokenized before their tokens become ids, to bound memory."""


class Pipeline(Frozen):
    """Text normalizers, a tokenizer and token normalizers, applied in this order to some texts.

    Parameters
    ----------
    text : tuple of NormalizerSpec
        Applied to the text before tokenization.
    tokenizer : TokenizerSpec or None
        Splits the text into tokens. None: the texts stay strings.
    token : tuple of NormalizerSpec
        Applied to the tokens, once per type.
    sent : {"none", "tab"}
        How the sentences of a segment are separated, see `View`.
    of : str
        Which texts, see `View`.
    joins : tuple of int or None
        Which of their segments are joined, see `mteval_core.text.documents.join_segments`.
    column, type : str
        The column instead of texts, and what its values are, see `View`.
    """

    text: tuple[NormalizerSpec, ...]
    tokenizer: TokenizerSpec | None
    token: tuple[NormalizerSpec, ...]
    sent: Literal["none", "tab"] = "none"
    of: str = "texts"
    joins: tuple[int, ...] | None = None
    column: str = ""
    type: str = "text"


class Tokenization:
    """Run pipelines over texts, with one vocabulary for all of them.

    Attributes
    ----------
    vocabulary : Vocabulary
        The types of all texts seen so far.
    """

    def __init__(self) -> None:
        self.vocabulary: Vocabulary = Vocabulary()
        self._types: dict[tuple[NormalizerSpec, ...], NDArray[np.int32]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # The normalized types are computed again: functions of plugins may not be picklable.
        return Tokenization, (), {"vocabulary": self.vocabulary}

    def tokenize(self, text: Text, pipelines: Iterable[Pipeline]) -> dict[Pipeline, Tokens]:
        """Run several pipelines over one text; steps that they have in common run once."""
        normalized = cache(partial(normalize, text))
        split = cache(lambda steps, *tokenizer: self._split(normalized(steps), *tokenizer))
        tokens: dict[Pipeline, Tokens] = {}
        for each in pipelines:
            ids, starts, ends, breaks = split(*FIRST_STEPS(each))
            tokens[each] = Tokens(self._map_types(ids, each.token), starts, ends, breaks=breaks)
        return tokens

    def views_of_segment(
        self, texts: Text, pipelines: Mapping[str, Pipeline]
    ) -> dict[str, TokenizedCorpus]:
        """Return the views of one segment, whose hypothesis and references are one text.

        This is what `Views` does, for pipelines with a tokenizer, without its costs for many
        systems. Pipelines that follow each other run the steps once that they have in common.

        Parameters
        ----------
        texts : Text
            The hypothesis, then its references: none of them missing.
        pipelines : mapping of str to Pipeline
            The pipeline of each view.
        """
        index = _index_of_one(len(texts.starts) - 1)
        views: dict[str, TokenizedCorpus] = {}
        before: tuple[Any, ...] = ()
        split: Any = None
        for name, pipeline in pipelines.items():
            if (steps := FIRST_STEPS(pipeline)) != before:
                normalizers, *tokenizer = before = steps
                ids, starts, ends, breaks = self._split(normalize(texts, normalizers), *tokenizer)
                split = ids, (starts[:1], ends[:1]), (starts[1:], ends[1:], index), breaks
            ids, first, others, breaks = split
            ids = self._map_types(ids, pipeline.token)
            views[name] = TokenizedCorpus(
                Tokens(ids, *first, breaks=breaks),
                References(ids, *others, breaks=breaks),
                self.vocabulary,
            )
        return views

    def _split(self, text: Text, tokenizer: TokenizerSpec, sent: str) -> Parts:
        """Run the tokenizer over a text that is normalized."""
        return (self._tokens if sent == "none" else self._tokens_of_sentences)(text, tokenizer)

    def _tokens_of_sentences(self, text: Text, tokenizer: TokenizerSpec) -> Parts:
        """Tokenize the sentences between tabs, then join them to segments again."""
        tabs = np.flatnonzero(np.frombuffer(text.buffer, np.uint8) == ord("\t"))
        sentence_starts = np.sort(np.concatenate([text.starts, tabs + 1]))
        sentence_ends = np.sort(np.concatenate([text.ends, tabs]))
        sentences = Text(text.buffer, sentence_starts, sentence_ends)
        ids, token_starts, token_ends, _ = self._tokens(sentences, tokenizer)
        first = np.searchsorted(sentence_starts, text.starts)
        last = np.append(first[1:], len(sentence_starts)) - 1
        starts, ends = token_starts[first], token_ends[last]
        # A start that coincides with the start or end of a text is not a break.
        breaks = np.setdiff1d(token_starts, np.concatenate([starts, ends]))
        return ids, starts, ends, breaks

    def _tokens(self, text: Text, tokenizer: TokenizerSpec) -> Parts:
        """Tokenize every segment, with the batch function of the tokenizer if it has one."""
        if tokenizer.batch is None:
            return self._tokens_one_by_one(text, tokenizer)
        ends = text.ends
        if MISSING_SEGMENT in text.buffer:
            ends = np.where(text.missing, text.starts, ends)
        with attributed(tokenizer):
            scan = load(tokenizer.batch)
            ids, offsets = scan(text.buffer, text.starts, ends, self.vocabulary)
            if scan not in SCANNERS and getattr(scan, "func", None) not in SCANNERS:
                check_tokens(ids, offsets, len(text), len(self.vocabulary))
        return ids, offsets[:-1], offsets[1:], NO_BREAKS

    def _tokens_one_by_one(self, text: Text, tokenizer: TokenizerSpec) -> Parts:
        segments = iter(text)
        parts: list[NDArray[np.int32]] = []
        lengths: list[int] = []
        with attributed(tokenizer):
            function = load(tokenizer.function)
            while lines := list(islice(segments, LINES_AT_ONCE)):
                tokens = [[] if line is None else function(line) for line in lines]
                check_each(tokens, (list, tuple), "a list of tokens for each segment")
                lengths += map(len, tokens)
                parts.append(self.vocabulary.intern([token for line in tokens for token in line]))
        offsets = np.cumsum([0, *lengths], dtype=np.int64)
        ids = np.concatenate(parts) if parts else NO_IDS
        return ids, offsets[:-1], offsets[1:], NO_BREAKS

    def _map_types(
        self, ids: NDArray[np.int32], normalizers: tuple[NormalizerSpec, ...]
    ) -> NDArray[np.int32]:
        """Apply token normalizers to ids, once per type that occurs."""
        if not normalizers:
            return ids
        known = self._types.get(normalizers, NO_IDS)
        if len(known) < (n_types := len(self.vocabulary)):
            # Numbers for all types so far, and room for some to come.
            known = self._types[normalizers] = np.append(known, np.full(n_types, -1, np.int32))
        if len(new := self.vocabulary.unmapped(ids, known)):
            types = self.vocabulary.tokens(new)
            for normalizer in normalizers:
                types = apply(normalizer, types)
            with attributed(normalizers[-1]):
                known.put(new, self.vocabulary.intern(types))  # faster than known[new] = ...
        return known.take(ids)


@cache
def _index_of_one(n: int) -> NDArray[np.int64]:
    """Return the index of the n references of one segment."""
    return np.array([0, n])


def apply(normalizer: NormalizerSpec, strings: list[str]) -> list[str]:
    """Apply a normalizer to strings; return as many strings."""
    with attributed(normalizer):
        if normalizer.function is not None:
            results = list(map(load(normalizer.function), strings))
        elif normalizer.batch is not None:
            results = load(normalizer.batch)(strings)
        else:
            raise PluginError(f"{normalizer} has neither a function nor a batch function")
        check_each([results], list, "a list of strings")
        check_each(results, str, "a string for each string")
    if len(results) != len(strings):
        raise PluginError(
            f"{normalizer} returned {len(results)} strings for {len(strings)}; expected as many"
        )
    return results


def check_each(returned: Sequence[object], types: type | tuple[type, ...], expected: str) -> None:
    """Raise a `TypeError` if something that a plugin returned is of another type."""
    for each in returned:
        if not isinstance(each, types):
            raise TypeError(f"expected {expected}, got {kind(each)}")


def check_tokens(
    ids: NDArray[np.int32], offsets: NDArray[np.int64], n_texts: int, n_types: int
) -> None:
    """Raise an error if a batch function did not return the ids and offsets of all texts."""
    for array, dtype, what in ((ids, np.int32, "ids"), (offsets, np.int64, "offsets")):
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
            raise TypeError(
                f"expected {what}, a flat array of {np.dtype(dtype)}, got {kind(array)}"
            )
    places = offsets.tolist()
    if (
        len(places) != n_texts + 1
        or places[0]
        or places[-1] != len(ids)
        or places != sorted(places)
    ):
        raise ValueError(f"expected {n_texts + 1} offsets that ascend from 0 to {len(ids)}")
    if len(ids) and ids.view(np.uint32).max() >= n_types:  # a negative id is a large one
        raise ValueError(f"expected ids of the vocabulary, from 0 to {n_types - 1}")


def has_one_line_each(text: Text) -> bool:
    """Test whether no segment contains a line feed."""
    return text.buffer.count(b"\n") == len(text)


def normalize(text: Text, normalizers: Sequence[NormalizerSpec]) -> Text:
    """Apply text normalizers to every segment."""
    for normalizer in normalizers:
        if normalizer.lines is not None and len(text) and has_one_line_each(text):
            text = _normalize_lines(text, normalizer, normalizer.lines)
        else:
            present = iter(apply(normalizer, [s for s in text if s is not None]))
            segments = [None if missing else next(present) for missing in text.missing]
            try:
                text = Text.of(segments, f"normalizer {normalizer.shown}")
            except InputError as error:  # of the strings that the normalizer returned
                raise PluginError(str(error)) from None
    return text


def _normalize_lines(
    text: Text, normalizer: NormalizerSpec, lines: Callable[..., Any] | str
) -> Text:
    """Apply a normalizer to blocks of many lines."""
    with attributed(normalizer):
        function = load(lines)
        blocks = [function(text.buffer[start:stop]) for start, stop in line_blocks(text.buffer)]
        check_each(blocks, bytes, "bytes")
    normalized = Text.from_lines(b"".join(blocks))
    if len(normalized) != len(text):
        raise PluginError(
            f"{normalizer} returned {len(normalized)} lines for {len(text)}; expected as many"
        )
    return normalized


def gather_references(streams: Sequence[Tokens], texts: Sequence[Text]) -> References:
    """Group the references of all streams by segment, without the missing ones.

    Parameters
    ----------
    streams : sequence of Tokens
        One per reference stream, one or more, with a text for every segment.
    texts : sequence of Text
        The same streams before tokenization, which record the missing segments.
    """
    if len(streams) == 1 and not texts[0].missing.any():
        (only,) = streams
        index = np.arange(len(only) + 1)
        return References(only.ids, only.starts, only.ends, index, breaks=only.breaks)
    offsets = np.cumsum([0, *(len(stream.ids) for stream in streams[:-1])])
    present = ~np.stack([text.missing for text in texts], axis=1)
    starts = np.stack([s.starts + o for s, o in zip(streams, offsets, strict=True)], axis=1)
    ends = np.stack([s.ends + o for s, o in zip(streams, offsets, strict=True)], axis=1)
    index = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    ids = streams[0].ids if len(streams) == 1 else np.concatenate([s.ids for s in streams])
    breaks = np.concatenate([s.breaks + o for s, o in zip(streams, offsets, strict=True)])
    return References(ids, starts[present], ends[present], index, breaks=breaks)
