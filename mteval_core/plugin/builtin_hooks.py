"""What the host itself declares, through the same hooks as everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.plugin.declarations import (
    FormatSpec,
    NormalizerSpec,
    ReaderSpec,
    ResamplerSpec,
    TokenizerSpec,
)
from mteval_core.plugin.markers import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

TOKENIZERS = "mteval_core.text.tokenizers"
NORMALIZATION = "mteval_core.text.normalization"
KERNELS = "mteval_core.kernels"


@hookimpl
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Tokenizers of mteval-v13a and sacreBLEU."""
    return [
        TokenizerSpec(
            "none",
            f"{TOKENIZERS}:whitespace",
            "split at white space",
            batch=f"{KERNELS}:scan_whitespace",
        ),
        TokenizerSpec(
            "13a",
            f"{TOKENIZERS}:tokenize_13a",
            "mteval-v13a as sacreBLEU has it",
            batch=f"{KERNELS}:scan_13a",
        ),
        TokenizerSpec(
            "mteval-v13a",
            f"{TOKENIZERS}:mteval_v13a",
            "mteval-v13a's default",
            batch=f"{TOKENIZERS}:mteval_v13a_batch",
        ),
        TokenizerSpec(
            "mteval-intl",
            f"{TOKENIZERS}:mteval_international",
            "mteval-v13a --international-tokenization",
        ),
        TokenizerSpec(
            "mteval-intl-e",
            f"{TOKENIZERS}:mteval_international_e",
            "mteval-v13a --international-tokenization -e",
        ),
        TokenizerSpec("intl", f"{TOKENIZERS}:intl", "sacreBLEU's version of mteval-intl"),
        TokenizerSpec(
            "char",
            f"{TOKENIZERS}:char",
            "one token per character",
            batch=f"{KERNELS}:scan_characters",
        ),
        TokenizerSpec("zh", f"{TOKENIZERS}:zh", "Chinese characters apart, the rest as 13a"),
    ]


@hookimpl
def mteval_register_normalizers() -> Sequence[NormalizerSpec]:
    """Case folding and stemming."""
    return [
        NormalizerSpec(
            "lc",
            "case",
            "text",
            f"{NORMALIZATION}:unicode_lower",
            "lower-case, all of Unicode",
            across_lines=True,
        ),
        NormalizerSpec(
            "ascii",
            "case",
            "text",
            f"{NORMALIZATION}:ascii_lower",
            "lower-case, A to Z only",
            across_lines=True,
        ),
        NormalizerSpec(
            "porter",
            "stem",
            "token",
            help="Porter's stemmer of 1980",
            batch=f"{NORMALIZATION}:porter_stems",
        ),
    ]


@hookimpl
def mteval_register_resamplers() -> Sequence[ResamplerSpec]:
    """The bootstrap."""
    return [
        ResamplerSpec(
            "bootstrap",
            "mteval_core.evaluation.resampling:bootstrap",
            "segments with replacement, as sacreBLEU draws them",
        )
    ]


@hookimpl
def mteval_register_readers() -> Sequence[ReaderSpec]:
    """Plain text."""
    return [
        ReaderSpec(
            "text", ("*",), "mteval_core.text.files:read_text", "one segment per line, UTF-8"
        )
    ]


@hookimpl
def mteval_register_formats() -> Sequence[FormatSpec]:
    """Tables for people and records for machines."""
    table, machine = "mteval_core.report.table", "mteval_core.report.machine"
    heatmap = "mteval_core.report.heatmap"
    return [
        FormatSpec("text", f"{table}:text", "a table, with the signatures under it"),
        FormatSpec("markdown", f"{table}:markdown", "the table for Markdown"),
        FormatSpec("latex", "mteval_core.report.latex:latex", "the table for LaTeX (booktabs)"),
        FormatSpec("json", f"{machine}:json", "inputs and all records"),
        FormatSpec("jsonl", f"{machine}:jsonl", "one record per line"),
        FormatSpec("csv", f"{machine}:csv", "records, comma-separated"),
        FormatSpec("tsv", f"{machine}:tsv", "records, tab-separated"),
        FormatSpec("png", f"{heatmap}:png", "heat map of all pairs of systems (matplotlib)"),
        FormatSpec("svg", f"{heatmap}:svg", "the same as vector graphics"),
    ]
