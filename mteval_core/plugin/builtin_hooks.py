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

TOKENIZERS = "mteval_core.text.tokenizers"

UNSPACED_LANGUAGES = (
    *("ja", "jpn", "ko", "kor", "th", "tha"),
    *("lo", "lao", "km", "khm", "my", "mya"),
)
"""Languages that are tokenized by character if no plugin knows their words."""
NORMALIZATION = "mteval_core.text.normalization"
KERNELS = "mteval_kernels"


@hookimpl
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Tokenizers of mteval-v13a and sacreBLEU."""
    return [
        TokenizerSpec(
            "none",
            function=f"{TOKENIZERS}:whitespace",
            help="split at white space",
            batch=f"{KERNELS}:scan_whitespace",
        ),
        TokenizerSpec(
            "13a",
            function=f"{TOKENIZERS}:tokenize_13a",
            help="sacreBLEU's version of mteval-v13a",
            batch=f"{KERNELS}:scan_13a",
        ),
        TokenizerSpec(
            "mteval-v13a",
            function=f"{TOKENIZERS}:mteval_v13a",
            help="mteval-v13a",
            batch=f"{TOKENIZERS}:mteval_v13a_batch",
        ),
        TokenizerSpec(
            "mteval-intl",
            function=f"{TOKENIZERS}:mteval_international",
            help="mteval-v13a --international-tokenization",
        ),
        TokenizerSpec(
            "mteval-intl-e",
            function=f"{TOKENIZERS}:mteval_international_e",
            help="mteval-v13a --international-tokenization -e",
        ),
        TokenizerSpec(
            "intl", function=f"{TOKENIZERS}:intl", help="sacreBLEU's version of mteval-intl"
        ),
        TokenizerSpec(
            "char",
            function=f"{TOKENIZERS}:char",
            help="one token per character",
            batch=f"{KERNELS}:scan_characters",
            languages=UNSPACED_LANGUAGES,
        ),
        TokenizerSpec(
            "zh",
            function=f"{TOKENIZERS}:zh",
            help="Chinese characters one by one, other text as 13a",
            languages=("zh", "zho", "chi", "cmn", "yue"),
        ),
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


@hookimpl
def mteval_register_formats() -> Sequence[FormatSpec]:
    """Tables for readers, and records for machines."""
    writers = "mteval_core.report.writers"
    return [
        FormatSpec(
            "text",
            function=f"{writers}.text:text",
            help="tables and pictures in plain text",
            parts=("table", "picture", "passage"),
            endings=("", "txt"),
            terminal=True,
        ),
        FormatSpec(
            "scores",
            function=f"{writers}.scores:scores",
            help="only scores and their intervals, one per line",
            parts=("score",),
            terminal=True,
        ),
        FormatSpec(
            "markdown",
            function=f"{writers}.markdown:markdown",
            help="tables for Markdown",
            parts=("table", "passage"),
            endings=("md", "markdown"),
        ),
        FormatSpec(
            "json",
            function=f"{writers}.json:json",
            help="inputs and all records",
            parts=("record",),
            endings=("json",),
        ),
        FormatSpec(
            "jsonl",
            function=f"{writers}.json:jsonl",
            help="one record per line",
            parts=("record",),
            endings=("jsonl",),
        ),
        FormatSpec(
            "csv",
            function=f"{writers}.csv:csv",
            help="records, comma-separated",
            parts=("record",),
            endings=("csv",),
        ),
        FormatSpec(
            "tsv",
            function=f"{writers}.csv:tsv",
            help="records, tab-separated",
            parts=("record",),
            endings=("tsv",),
        ),
    ]


COMMANDS = (
    ("score", "scores", "score systems against references"),
    ("replay", "scores", "recompute a score from its signature, or a saved report"),
    ("diff", "scores", "compare two saved reports and explain the differences"),
    ("tokenize", "texts and plugins", "show the tokens of a text"),
    ("list", "texts and plugins", "list everything that can be named, by kind"),
    ("plugins", "texts and plugins", "list plugins, what they register, and their errors"),
    ("completion", "texts and plugins", "make a shell complete commands, flags and names"),
)
"""Name, group and help of the commands, each in a module of its name."""

SHOW = {"score": "mteval_core.report.display:show_evaluation"}
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
