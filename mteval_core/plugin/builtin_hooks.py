"""The declarations of the host itself, through the same hooks as a plugin's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.plugin.declarations import (
    CommandSpec,
    FormatSpec,
    NormalizerSpec,
    ReaderSpec,
    ResamplerSpec,
    TokenizerSpec,
)
from mteval_core.plugin.hookspecs import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.plugin.declarations import PartKind

TOKENIZERS = "mteval_core.text.tokenizers"
NORMALIZATION = "mteval_core.text.normalization"
KERNELS = "mteval_kernels"

SPLITTERS = (
    ("none", "whitespace", "split at white space"),
    ("13a", "tokenize_13a", "sacreBLEU's version of mteval-v13a"),
    ("mteval-v13a", "mteval_v13a", "mteval-v13a"),
    ("mteval-intl", "mteval_international", "mteval-v13a --international-tokenization"),
    ("mteval-intl-e", "mteval_international_e", "mteval-v13a --international-tokenization -e"),
    ("intl", "intl", "sacreBLEU's version of mteval-intl"),
    ("char", "char", "one token per character"),
    ("zh", "zh", "Chinese characters one by one, other text as 13a"),
)
"""Name, function and help of the tokenizers."""

BATCHES = {
    "none": f"{KERNELS}:scan_whitespace",
    "13a": f"{KERNELS}:scan_13a",
    "mteval-v13a": f"{TOKENIZERS}:mteval_v13a_batch",
    "char": f"{KERNELS}:scan_characters",
}
"""Functions of whole texts, of the tokenizers that have one."""

CODES = {
    "char": ("ja", "jpn", "ko", "kor", "th", "tha", "lo", "lao", "km", "khm", "my", "mya"),
    "zh": ("zh", "zho", "chi", "cmn", "yue"),
}
"""Languages of tokenizers; those of ``char`` if no plugin knows their words."""


@hookimpl
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Tokenizers of mteval-v13a and sacreBLEU."""
    return [
        TokenizerSpec(
            name,
            function=f"{TOKENIZERS}:{function}",
            help=help_,
            batch=BATCHES.get(name),
            languages=CODES.get(name, ()),
        )
        for name, function, help_ in SPLITTERS
    ]


@hookimpl
def mteval_register_normalizers() -> Sequence[NormalizerSpec]:
    """Case folding and stemming."""
    return [
        NormalizerSpec(
            "lc",
            key="case",
            stage="text",
            function=f"{NORMALIZATION}:unicode_lower",
            lines=f"{NORMALIZATION}:unicode_lower_lines",
            help="lower case, all of Unicode",
        ),
        NormalizerSpec(
            "ascii",
            key="case",
            stage="text",
            function=f"{NORMALIZATION}:ascii_lower",
            lines=f"{NORMALIZATION}:ascii_lower_lines",
            help="lower case, only A to Z",
        ),
        NormalizerSpec(
            "porter",
            key="stem",
            stage="token",
            help="Porter's algorithm as published in 1980",
            batch=f"{NORMALIZATION}:porter_stems",
        ),
    ]


@hookimpl
def mteval_register_resamplers() -> Sequence[ResamplerSpec]:
    """The bootstrap, with a fixed and with a random number of segments."""
    return [
        ResamplerSpec(
            "bootstrap",
            function="mteval_core.evaluation.resampling:bootstrap",
            help="segments with replacement, drawn as in sacreBLEU",
        ),
        ResamplerSpec(
            "poisson",
            function="mteval_core.evaluation.poisson:poisson",
            help="each segment Poisson(1) times, drawn by its number alone",
        ),
    ]


@hookimpl
def mteval_register_readers() -> Sequence[ReaderSpec]:
    """Plain text."""
    return [
        ReaderSpec(
            "text",
            patterns=("*",),
            function="mteval_core.text.files:read_text",
            help="one segment per line, UTF-8",
        )
    ]


FORMATS: tuple[tuple[str, str, str, tuple[PartKind, ...]], ...] = (
    ("text", "text", "tables and pictures in plain text", ("table", "picture", "passage")),
    ("scores", "scores", "only scores and their intervals, one per line", ("score",)),
    ("markdown", "markdown", "tables for Markdown", ("table", "passage")),
    ("json", "json", "inputs and all records", ("record",)),
    ("jsonl", "json", "one record per line", ("record",)),
    ("csv", "csv", "records, comma-separated", ("record", "row")),
    ("tsv", "csv", "records, tab-separated", ("record", "row")),
)
"""Name, module, help and parts of the formats, each a function of its name."""

FILE_ENDINGS = {"text": ("", "txt"), "scores": (), "markdown": ("md", "markdown")}
"""Endings of the files of formats, where these are not their names."""


@hookimpl
def mteval_register_formats() -> Sequence[FormatSpec]:
    """Tables for readers, and records for machines."""
    return [
        FormatSpec(
            name,
            function=f"mteval_core.report.writers.{module}:{name}",
            help=help_,
            parts=parts,
            endings=FILE_ENDINGS.get(name, (name,)),
            terminal=name in ("text", "scores"),
        )
        for name, module, help_, parts in FORMATS
    ]


COMMANDS = (
    ("score", "scores", "score systems against references"),
    ("tokenize", "texts and plugins", "show the tokens of a text"),
    ("list", "texts and plugins", "list everything that can be named, by kind"),
    ("plugins", "texts and plugins", "list plugins, what they register, and their errors"),
    ("completion", "texts and plugins", "make a shell complete commands, flags and names"),
)
"""Name, group and help of the commands, each in a module of its name."""

SHOW = {"score": "mteval_core.report.scores:show_evaluation"}
"""How results of commands show themselves in Python."""


@hookimpl
def mteval_register_commands() -> Sequence[CommandSpec]:
    """The commands of the command line."""
    return [
        CommandSpec(
            name,
            arguments=f"mteval_core.commands.{name}:add_arguments",
            run=f"mteval_core.commands.{name}:run",
            help=help_,
            group=group,
            show=SHOW.get(name),
        )
        for name, group, help_ in COMMANDS
    ]
