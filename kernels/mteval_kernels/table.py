"""The table of kernels.

A kernel is a function or class in a module of ``twins``, with a counterpart of the same name and
signature in the extension. The plain-Python twin documents both: ``help(twin("lcs"))``.
"""

from __future__ import annotations

from importlib import import_module

__all__ = ["KERNELS", "twin"]

KERNELS = {
    "PairIndex": "pair_index",
    "Vocabulary": "vocabulary",
    "beam_alignment": "beam_alignment",
    "clipped_matches": "ngrams",
    "draw_counts": "draws",
    "edit_distance": "edit_distance",
    "encode_lines": "lines",
    "exact_sums": "exact_sums",
    "find_ngrams": "repeated_ngrams",
    "lcs": "lcs",
    "lcs_marks": "lcs",
    "line_bounds": "lines",
    "matched_ngrams": "ngrams",
    "maximum_run_matching": "run_matching",
    "ngram_totals": "ngram_totals",
    "repeated_ngrams": "repeated_ngrams",
    "run_matching": "run_matching",
    "scan_13a": "scan",
    "scan_characters": "scan",
    "scan_whitespace": "scan",
    "shift_edit_distance": "shift_edit_distance",
    "skip_bigrams": "skip_bigrams",
    "staged_alignment": "staged_alignment",
    "text_digest": "text_digest",
    "weighted_lcs": "lcs",
    "weighted_lcs_marks": "lcs",
}
"""Module of ``twins`` that defines each kernel; ``cpp/bind_MODULE.cpp`` binds its counterpart."""


def twin(name: str) -> object:
    """Import the plain-Python implementation of a kernel."""
    kernel: object = getattr(import_module(f"mteval_kernels.twins.{KERNELS[name]}"), name)
    return kernel
