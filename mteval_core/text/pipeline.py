"""Pipelines: from text to token ids, each step shared by all metrics that ask for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from mteval_core.errors import PluginError, attributed
from mteval_core.kernels import Vocabulary
from mteval_core.plugin.declarations import NormalizerSpec, TokenizerSpec, load
from mteval_core.text.text import Text, line_blocks
from mteval_core.text.tokens import References, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["Pipeline", "Tokenization", "gather_references"]

LINES_AT_ONCE = 10_000


@dataclass(frozen=True)
class Pipeline:
    """Text normalizers, a tokenizer, token normalizers, applied in this order.

    Parameters
    ----------
    text : tuple of NormalizerSpec
        What happens to the text before it is tokenized.
    tokenizer : TokenizerSpec
        What cuts it.
    token : tuple of NormalizerSpec
        What happens to the tokens, once per type.
    sent : {"none", "tab"}
        How the sentences of a segment are told apart, see `View`.
    """

    text: tuple[NormalizerSpec, ...]
    tokenizer: TokenizerSpec
    token: tuple[NormalizerSpec, ...]
    sent: Literal["none", "tab"] = "none"


class Tokenization:
    """Runs pipelines over texts, into one vocabulary.

    Attributes
    ----------
    vocabulary : Vocabulary
        The types of all texts seen so far.
    """

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self._types: dict[tuple[NormalizerSpec, ...], NDArray[np.int32]] = {}

    def tokenize(self, text: Text, pipelines: Iterable[Pipeline]) -> dict[Pipeline, Tokens]:
        """Run several pipelines over one text; what they have in common is done once."""
        normalized: dict[tuple[NormalizerSpec, ...], Text] = {}
        cut: dict[tuple[tuple[NormalizerSpec, ...], TokenizerSpec, str], Tokens] = {}
        result = {}
        for pipeline in pipelines:
            key = (pipeline.text, pipeline.tokenizer, pipeline.sent)
            if key not in cut:
                if pipeline.text not in normalized:
                    normalized[pipeline.text] = normalize(text, pipeline.text)
                segments = normalized[pipeline.text]
                cut[key] = (
                    self._cut(segments, pipeline.tokenizer)
                    if pipeline.sent == "none"
                    else self._cut_sentences(segments, pipeline.tokenizer)
                )
            tokens = cut[key]
            result[pipeline] = (
                replace(tokens, ids=self._map_types(tokens.ids, pipeline.token))
                if pipeline.token
                else tokens
            )
        return result

    def _cut_sentences(self, text: Text, tokenizer: TokenizerSpec) -> Tokens:
        """Tokenize what stands between tabs, then put the segments together again."""
        tabs = np.flatnonzero(np.frombuffer(text.buffer, np.uint8) == ord("\t"))
        sentence_starts = np.sort(np.concatenate([text.starts, tabs + 1]))
        sentence_ends = np.sort(np.concatenate([text.ends, tabs]))
        sentences = self._cut(Text(text.buffer, sentence_starts, sentence_ends), tokenizer)
        first = np.searchsorted(sentence_starts, text.starts)
        last = np.append(first[1:], len(sentence_starts)) - 1
        starts, ends = sentences.starts[first], sentences.ends[last]
        # Sentences without tokens begin where the next one does, or where a text does.
        breaks = np.setdiff1d(sentences.starts, np.concatenate([starts, ends]))
        return Tokens(sentences.ids, starts, ends, breaks=breaks)

    def _cut(self, text: Text, tokenizer: TokenizerSpec) -> Tokens:
        if tokenizer.batch is not None:
            ends = np.where(text.missing, text.starts, text.ends)
            with attributed(f"tokenizer {tokenizer.name!r}"):
                scan = load(tokenizer.batch)
                ids, offsets = scan(text.buffer, text.starts, ends, self.vocabulary)
            return Tokens(ids, offsets[:-1], offsets[1:])
        segments = iter(text)
        parts: list[NDArray[np.int32]] = []
        lengths: list[int] = []
        with attributed(f"tokenizer {tokenizer.name!r}"):
            function = load(tokenizer.function)
            while lines := list(islice(segments, LINES_AT_ONCE)):
                tokens = [[] if line is None else function(line) for line in lines]
                lengths += map(len, tokens)
                parts.append(self.vocabulary.intern([token for line in tokens for token in line]))
        offsets = np.cumsum([0, *lengths], dtype=np.int64)
        ids = np.concatenate(parts) if parts else np.empty(0, np.int32)
        return Tokens(ids, offsets[:-1], offsets[1:])

    def _map_types(
        self, ids: NDArray[np.int32], normalizers: tuple[NormalizerSpec, ...]
    ) -> NDArray[np.int32]:
        """Apply token normalizers to ids, evaluating each new type once."""
        known = self._types.get(normalizers, np.empty(0, np.int32))
        new = np.arange(len(known), len(self.vocabulary), dtype=np.int32)
        if len(new):
            types = self.vocabulary.tokens(new)
            for normalizer in normalizers:
                types = apply(normalizer, types)
            known = np.concatenate([known, self.vocabulary.intern(types)])
            self._types[normalizers] = known
        return known[ids]


def apply(normalizer: NormalizerSpec, strings: list[str]) -> list[str]:
    """Apply a normalizer to strings, one for one."""
    name = f"normalizer {normalizer.key}={normalizer.name}"
    with attributed(name):
        if normalizer.function is not None:
            return list(map(load(normalizer.function), strings))
        if normalizer.batch is None:
            message = f"{name} has neither function nor batch"
            raise PluginError(message)
        results: list[str] = load(normalizer.batch)(strings)
    if len(results) != len(strings):
        message = f"{name} gave {len(results)} strings for {len(strings)}; expected one for one"
        raise PluginError(message)
    return results


def normalize(text: Text, normalizers: Sequence[NormalizerSpec]) -> Text:
    """Apply text normalizers to every segment."""
    for normalizer in normalizers:
        name = f"normalizer {normalizer.key}={normalizer.name}"
        n_segments = len(text)
        if normalizer.across_lines and text.one_line_each:
            text = Text.from_lines(
                b"".join(
                    _normalized(normalizer, text.buffer[a:b]) for a, b in line_blocks(text.buffer)
                )
            )
        else:
            present = iter(apply(normalizer, [s for s in text if s is not None]))
            segments = [None if missing else next(present) for missing in text.missing]
            text = Text.of(segments, name)
        if len(text) != n_segments:
            message = f"{name} made {len(text)} lines of {n_segments}; expected it to keep them"
            raise PluginError(message)
    return text


def _normalized(normalizer: NormalizerSpec, lines: bytes) -> bytes:
    # A missing segment is no UTF-8; surrogateescape carries it through.
    (block,) = apply(normalizer, [lines.decode(errors="surrogateescape")])
    return block.encode(errors="surrogateescape")


def gather_references(streams: Sequence[Tokens], texts: Sequence[Text]) -> References:
    """Arrange the references of each segment side by side; missing ones are left out.

    Parameters
    ----------
    streams : sequence of Tokens
        One for each reference stream, with a text for every segment.
    texts : sequence of Text
        The same streams before tokenization: they know which segments are missing.
    """
    offsets = np.cumsum([0, *(len(stream.ids) for stream in streams[:-1])])
    present = ~np.stack([text.missing for text in texts], axis=1)
    starts = np.stack([s.starts + o for s, o in zip(streams, offsets, strict=True)], axis=1)
    ends = np.stack([s.ends + o for s, o in zip(streams, offsets, strict=True)], axis=1)
    index = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    ids = streams[0].ids if len(streams) == 1 else np.concatenate([s.ids for s in streams])
    breaks = np.concatenate([s.breaks + o for s, o in zip(streams, offsets, strict=True)])
    return References(ids, starts[present], ends[present], index, breaks=breaks)
