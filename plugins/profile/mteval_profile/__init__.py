"""The command ``mteval profile`` and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1

MOST = 10**9
"""Largest frequency of a word."""


def frequencies(text: str) -> str:
    """Read a range of frequencies: ``3``, ``3-10`` or ``3-``.

    Raises
    ------
    ValueError
        If it is none.
    """
    low, dash, high = text.partition("-")
    ends = [low, high] if high else [low]
    if not all(end.isascii() and end.isdigit() and 0 < int(end) <= MOST for end in ends):
        raise ValueError(f"expected a frequency or a range of them, N, N-M or N-, got {text!r}")
    if high and int(high) < int(low):
        raise ValueError(f"expected N-M with N up to M, got {text!r}")
    return "-".join(str(int(end)) for end in ends) + (dash if not high else "")


def word_recall() -> mteval_core.MetricSpec:
    """Declare ``word-recall``."""
    return mteval_core.MetricSpec(
        "word-recall",
        factory="mteval_profile.recall:WordRecall",
        help="words of the references that the hypotheses have",
        equation="recall = matched / total\n"
        "total = words of the references that the options choose\n"
        "matched = clipped matches of these words in the hypotheses",
        values={"recall": 100, "matched": 1, "total": 1},
        options=(
            mteval_core.Option("tok", "13a"),
            mteval_core.Option(
                "words",
                "all",
                "which words: numbers have a digit; names begin with an upper-case letter and no "
                "sentence; listed and unlisted by the file",
                choices=("all", "numbers", "names", "listed", "unlisted"),
            ),
            mteval_core.Option(
                "file", "", "file with a list of words, one per line", type=str, file=True
            ),
            mteval_core.Option(
                "freq",
                "1-",
                "only words that occur so often in all references: N, N-M or N-",
                type=frequencies,
            ),
            mteval_core.Option(
                "quarter",
                0,
                "only words in this quarter of their reference, 1 to 4; 0 for all words",
                minimum=0,
                maximum=4,
            ),
        ),
        bounds=(0, 100),
        figures=(
            "word-recall",
            "word-recall:words=numbers",
            "word-recall:words=names",
            "word-recall:freq=1",
            "word-recall:freq=2-10",
            "word-recall:freq=11-100",
            "word-recall:freq=101-",
            *(f"word-recall:quarter={quarter}" for quarter in (1, 2, 3, 4)),
        ),
    )


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare the figures."""
    return [
        word_recall(),
        mteval_core.MetricSpec(
            "length-ratio",
            factory="mteval_profile.lengths:LengthRatio",
            help="length of the hypotheses in percent of that of the references",
            equation="ratio = h / r\nh, r = words of the hypothesis, mean words of its references",
            values={"ratio": 100, "hyp_len": 1, "ref_len": 1},
            options=(mteval_core.Option("tok", "13a"),),
            exceptions={"identity_is_best": "100 is best, neither more nor less"},
            figures=("length-ratio",),
        ),
        mteval_core.MetricSpec(
            "length-outliers",
            factory="mteval_profile.lengths:LengthOutliers",
            help="segments that are far too short or too long",
            equation="short = share of segments with h < low r\n"
            "long = share of segments with h > high r\n"
            "empty = share of segments with h = 0 < r\n"
            "h, r = words of the hypothesis, mean words of its references",
            values={"short": 100, "long": 100, "empty": 100},
            options=(
                mteval_core.Option("tok", "13a"),
                mteval_core.Option(
                    "low",
                    0.5,
                    "a segment is short below this multiple of the length of its references",
                    minimum=0,
                    maximum=1,
                ),
                mteval_core.Option(
                    "high",
                    2.0,
                    "a segment is long above this multiple of the length of its references",
                    minimum=1,
                    maximum=1e6,
                ),
            ),
            better="lower",
            bounds=(0, 100),
            figures=(
                "length-outliers.short",
                "length-outliers.long",
                "length-outliers.empty",
            ),
        ),
        mteval_core.MetricSpec(
            "repetition",
            factory="mteval_profile.repetition:Repetition",
            help="n-grams that repeat an earlier one of their segment",
            equation="rate = sum of (t - d) / sum of t, over the segments\n"
            "t, d = n-grams, distinct n-grams of a hypothesis\n"
            "references = the same for the references",
            values={"rate": 100, "references": 100},
            options=(
                mteval_core.Option("tok", "13a"),
                mteval_core.Option("order", 2, "length of the n-grams", minimum=1, maximum=20),
            ),
            better="lower",
            bounds=(0, 100),
            figures=("repetition:order=1", "repetition:order=2", "repetition:order=4"),
        ),
        mteval_core.MetricSpec(
            "untranslated",
            factory="mteval_profile.untranslated:Untranslated",
            help="words copied from the source that no reference has",
            equation="words = copied words / words of the hypotheses\n"
            "segments = share of segments with mostly copied words\n"
            "copied = in the source of the segment and in no reference",
            values={"words": 100, "segments": 100},
            options=(mteval_core.Option("tok", "13a"),),
            views={
                "words": mteval_core.View(),
                "source": mteval_core.View(of="source"),
            },
            source="required",
            better="lower",
            bounds=(0, 100),
            exceptions={"every_word_counts": "numbers and emoji need no translation"},
            figures=("untranslated.words", "untranslated.segments"),
        ),
    ]


@mteval_core.hookimpl
def mteval_register_commands() -> Sequence[mteval_core.CommandSpec]:
    """Declare ``mteval profile``."""
    return [
        mteval_core.CommandSpec(
            "profile",
            arguments="mteval_profile.command:add_arguments",
            run="mteval_profile.command:run",
            help="show what systems do well and badly",
            group="explanations",
        )
    ]
