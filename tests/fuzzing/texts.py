"""Texts: bytes in files, and random Unicode for tokenizers and normalizers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mteval_testing.text_checks import NORMALIZER_KIT, TOKENIZER_KIT

import mteval_core as mt
from fuzzing import Target, folder_of, mixed, refused, spoiled
from mteval_core.text.pipeline import Pipeline, Tokenization, apply, normalize

if TYPE_CHECKING:
    import random

WHITE_SPACE = [chr(code) for code in range(0x110000) if chr(code).isspace() and code != ord("\n")]

NASTY = [
    *"abcAZz019.,.,.,---'\"&;:/()[]{}`~!?@#$%^*_+=|\\<>",
    *WHITE_SPACE,
    *("&amp;", "&lt;", "&gt;", "&quot;", "amp;", "lt;", "gt;", "quot;", "&amp;lt;", "&amp;amp;"),
    *("<skipped>", "<ski", "pped>", " ", " ", " ", "&am-", "1,200", "3-2", "don't", "U.S.", "'s "),
    *(
        "é",
        "中",
        "東",
        "の",
        "ー",
        "、",
        "Ａ",
        "한",
        "ß",
        "İ",
        "Σ",
        "🙂",
        "𠀀",
        "e\u0301",
        "½",
        "٣",
    ),
    *("\u200b", "\u2060", "\u200d", "\ufeff", "\u00ad", "\0", "\x1b", "\x7f", "\u0084", "\u2028"),
]
"""Pieces of text that are hard to tokenize."""

BYTES = [
    *(b"a b c\n", b"\n", b"\r\n", b"\r", b"\t", b" ", b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf"),
    *(b"\x1f\x8b\x08\0", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PAR1", b"%PDF-"),
    *(b'{"a": 1}\n', b"<seg id='1'>a</seg>\n", b"<?xml version='1.0'?>\n", b"\xed\xa0\x80"),
    *("é\u2028\x85\n".encode(), "東京\n".encode("utf-16"), b"[1, 2]\n", b"a\tb\n", b"\x1a"),
]


class File(NamedTuple):
    """The name and the bytes of a file."""

    name: str
    data: bytes


def draw_file(draw: random.Random) -> File:
    """Draw a file, mostly a plain one."""
    name = draw.choice(["x", "x", "x.txt", "x.gz", "x.xz", "x.zst"])
    return File(name, spoiled(draw, mixed(draw, BYTES), BYTES))


def run_file(file: File) -> None:
    """A file is refused, or its segments are its lines."""
    with folder_of({file.name: file.data}), refused():
        segments = list(mt.read_text(file.name))
        if file.name in ("x", "x.txt"):
            lines = file.data.decode("utf-8-sig").replace("\r\n", "\n").removesuffix("\n")
            assert segments == lines.split("\n")


class Strings(NamedTuple):
    """Strings for a step of a pipeline."""

    step: tuple[str, str]
    strings: list[str]


@cache
def steps() -> dict[tuple[str, str], mt.TokenizerSpec | mt.NormalizerSpec]:
    """Return the tokenizers and normalizers that can be used here, by key and name."""
    registry = mt.default_registry()
    kits = ((mt.TokenizerSpec, TOKENIZER_KIT), (mt.NormalizerSpec, NORMALIZER_KIT))
    usable = {}
    for kind, kit in kits:
        for entry in registry.of_kind(kind):
            with refused():
                step = kit.subject(entry, registry).declaration
                usable[getattr(step, "key", "tok"), entry.qualified] = step
    return usable


def draw_strings(draw: random.Random) -> Strings:
    """Draw a step and strings, of nasty pieces or of any characters."""
    strings = [mixed(draw, NASTY, 20) for _ in range(draw.randint(0, 4))]
    if draw.random() < 0.2:
        codes = [draw.choice([0x300, 0x3000, 0x20000, 0x110000]) for _ in range(10)]
        anything = "".join(chr(draw.randrange(code)) for code in codes)
        strings.append(anything.encode(errors="replace").decode().replace("\n", " "))
    return Strings(draw.choice(list(steps())), strings)


def run_strings(given: Strings) -> None:
    """Tokens are not empty, and a batch gives what its strings give one by one."""
    step = steps()[given.step]
    if isinstance(step, mt.TokenizerSpec):
        run_tokenizer(step, given.strings)
        return
    alone = [apply(step, [string])[0] for string in given.strings]
    assert apply(step, given.strings) == alone
    if step.lines is not None:
        assert [*normalize(mt.Text.of(given.strings), [step])] == alone


def run_tokenizer(tokenizer: mt.TokenizerSpec, strings: list[str]) -> None:
    """Compare a tokenizer's functions for one text and for many."""
    pipelines = [Pipeline((), spec, ()) for spec in (tokenizer, replace(tokenizer, batch=None))]
    text, tokenization = mt.Text.of(strings), Tokenization()
    tokens = list(tokenization.tokenize(text, pipelines).values())
    batch, single = tokens[0], tokens[-1]
    for side in (batch, single):
        assert "" not in tokenization.vocabulary.tokens(side.ids)
    for i, string in enumerate(strings):
        one, other = (side.ids[side.starts[i] : side.ends[i]].tolist() for side in (batch, single))
        assert one == other, string


TEXTS = Target(draw_file, run_file)
TOKENS = Target(draw_strings, run_strings)
