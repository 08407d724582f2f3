"""Compiled work on whole corpora: from texts to ids, and from ids to counts.

Kernels are named by their problem, not by a metric. There are two implementations with the same
functions and the same results to the last bit: a C++ extension, and plain Python for machines
without a compiler. The environment variable ``MTEVAL_KERNELS`` (``native`` or ``python``) asks for
one; without it the extension is used where it was built. `implementation` tells which one it is.

Kernels read their arguments, return new arrays and start no threads. The extension releases the
interpreter lock while it computes: a thread pool may run one kernel on several ranges of segments
at once, and the rows do not depend on the ranges.
"""

from __future__ import annotations

import os
from typing import Literal

from mteval_core.kernels._reference import ReferenceTexts, Texts

__all__ = [
    "PairIndex",
    "ReferenceTexts",
    "Texts",
    "Vocabulary",
    "beam_alignment",
    "clipped_matches",
    "edit_distance",
    "implementation",
    "lcs",
    "lcs_marks",
    "matched_tokens",
    "maximum_run_matching",
    "run_matching",
    "scan_13a",
    "scan_characters",
    "scan_whitespace",
    "shift_edit_distance",
    "skip_bigrams",
    "staged_alignment",
    "weighted_lcs",
    "weighted_lcs_marks",
    "weighted_matches",
]

_SETTING = "MTEVAL_KERNELS"


def _choose() -> Literal["native", "python"]:
    choice = os.environ.get(_SETTING, "")
    if choice == "python":
        return "python"
    if choice not in ("", "native"):
        message = f"{_SETTING} is {choice!r}; expected 'native' or 'python'"
        raise ImportError(message)
    try:
        import mteval_core.kernels._native  # noqa: F401
    except ImportError as error:
        if choice == "native":
            message = (
                f"{_SETTING} asks for the native kernels, which are not there ({error}); "
                f"install mteval-core again where a C++17 compiler is, or unset {_SETTING}"
            )
            raise ImportError(message) from error
        return "python"
    return "native"


implementation: Literal["native", "python"] = _choose()
"""The implementation in use."""

if implementation == "python":
    from mteval_core.kernels._reference import (
        PairIndex,
        Vocabulary,
        clipped_matches,
        scan_13a,
        scan_characters,
        scan_whitespace,
        weighted_matches,
    )
    from mteval_core.kernels.twins.beam_alignment import beam_alignment
    from mteval_core.kernels.twins.edit_distance import edit_distance
    from mteval_core.kernels.twins.lcs import lcs, lcs_marks, weighted_lcs, weighted_lcs_marks
    from mteval_core.kernels.twins.matched_tokens import matched_tokens
    from mteval_core.kernels.twins.run_matching import maximum_run_matching, run_matching
    from mteval_core.kernels.twins.shift_edit_distance import shift_edit_distance
    from mteval_core.kernels.twins.skip_bigrams import skip_bigrams
    from mteval_core.kernels.twins.staged_alignment import staged_alignment
else:
    try:
        from mteval_core.kernels._native import (
            PairIndex,
            Vocabulary,
            beam_alignment,
            clipped_matches,
            edit_distance,
            lcs,
            lcs_marks,
            matched_tokens,
            maximum_run_matching,
            run_matching,
            scan_13a,
            scan_characters,
            scan_whitespace,
            shift_edit_distance,
            skip_bigrams,
            staged_alignment,
            weighted_lcs,
            weighted_lcs_marks,
            weighted_matches,
        )
    except ImportError as stale:
        message = (
            f"the compiled kernels are not of this version ({stale}); install mteval-core again, "
            f"or set {_SETTING}=python"
        )
        raise ImportError(message) from stale
