"""ROUGE as a plugin of mteval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mteval_core import (
    MetricSpec,
    NormalizerSpec,
    Option,
    ResamplerSpec,
    TokenizerSpec,
    View,
    hookimpl,
)
from mteval_rouge.lengths import NO_LIMIT, Limit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Options = Mapping[str, Any]

COMMON = (
    Option("tok", "13a"),
    Option(
        "variant",
        "paper",
        "paper: Lin and Och 2004; 1.5.5: as the program ROUGE-1.5.5 computes it",
        choices=("paper", "1.5.5"),
    ),
)
BEHIND = (
    Option("alpha", 0.5, "F leans on recall near 0, on precision near 1", minimum=0, maximum=1.0),
    Option(
        "beta",
        "none",
        "F counts recall beta times as much as precision; instead of alpha",
        choices=("none",),
        minimum=0.0,
    ),
    Option(
        "multi",
        "maxima",
        "several references: maxima of P and of R, counts pooled, or the best reference",
        choices=("maxima", "pooled", "best"),
    ),
    Option(
        "mean",
        "segments",
        "corpus score: mean of the segment scores, or from the totals of all counts",
        choices=("segments", "totals"),
    ),
    Option("round", default=False, help="round P, R and F of every segment to 5 decimals"),
    Option("stop", default=False, help="leave out the stop words of ROUGE-1.5.5"),
    Option(
        "limit",
        NO_LIMIT,
        "score only the beginning of texts: none, words[n] or bytes[n]",
        type=Limit.parse,
    ),
)
SENT = Option(
    "sent",
    "none",
    "sentences of a segment: one, or separated by tabs",
    choices=("none", "tab"),
)
VARIANTS = {"1.5.5": {"case": "ascii", "tok": "rouge", "multi": "pooled", "round": True}}


def values(options: Options) -> dict[str, float]:
    """F, precision and recall; with totals also what they are made of."""
    scores = {"F": 100.0, "P": 100.0, "R": 100.0}
    counts = {"hits": 1.0, "hyp_total": 1.0, "ref_total": 1.0}
    return {**scores, **counts} if options["mean"] == "totals" else scores


def own_normalizers(options: Options, *, each_sentence: bool) -> tuple[NormalizerSpec, ...]:
    """Cut texts to the length limit, then leave out stop words, as far as asked for."""
    found = []
    if options["limit"] != NO_LIMIT:
        cut = options["limit"].cut(tabs=options["sent"] == "tab", each_sentence=each_sentence)
        found.append(NormalizerSpec(str(options["limit"]), key="limit", stage="text", function=cut))
    if options["stop"]:
        function = "mteval_rouge.word_lists:without_stop_words"
        found.append(
            NormalizerSpec("rouge", key="stop", stage="text", function=function, across_lines=True)
        )
    return tuple(found)


def views(options: Options) -> dict[str, View]:
    """See the words; sentences matter to nothing but the length limit."""
    return {"words": View(normalizers=own_normalizers(options, each_sentence=False))}


def sentence_views(options: Options) -> dict[str, View]:
    """See the words and, where they differ, the sentences that common subsequences are taken of.

    ROUGE-1.5.5 cuts every sentence to the limit in bytes before it compares them, but counts the
    words of texts cut as a whole.
    """
    each = options["limit"].unit == "bytes"
    sent = options["sent"]
    return {
        "words": View(sent=sent, normalizers=own_normalizers(options, each_sentence=False)),
        "sentences": View(sent=sent, normalizers=own_normalizers(options, each_sentence=each)),
    }


@hookimpl
def mteval_register_metrics() -> Sequence[MetricSpec]:
    """Declare ``rouge-n``, ``rouge-l``, ``rouge-lsum``, ``rouge-w``, ``rouge-s``, ``rouge-su``."""
    skip = Option(
        "skip", "*", "how many words may stand between the two", choices=("*",), minimum=0
    )
    weight = Option("weight", 1.2, "a run of k words counts k^weight", minimum=1.0)
    n = Option("n", 1, "length of the n-grams", minimum=1)
    tabs = Option("sent", "tab", SENT.help, choices=SENT.choices)
    lcs, pairs = "mteval_rouge.subsequences", "mteval_rouge.skip_bigrams"
    return [
        MetricSpec(
            name,
            factory=factory,
            help=what,
            values=values,
            options=(*COMMON, *options, *BEHIND),
            views=seen,
            label=name.upper(),
            in_default_set=name == "rouge-l",
            bounds=(0.0, 100.0),
            variants=VARIANTS,
        )
        for name, factory, what, options, seen in (
            ("rouge-n", "mteval_rouge.ngrams:RougeN", "n-gram overlap", (n, SENT), views),
            (
                "rouge-l",
                f"{lcs}:RougeL",
                "longest common subsequence",
                (SENT,),
                sentence_views,
            ),
            (
                "rouge-lsum",
                f"{lcs}:RougeL",
                "union of the longest common subsequences of sentences",
                (tabs,),
                sentence_views,
            ),
            (
                "rouge-w",
                f"{lcs}:RougeW",
                "longest common subsequence that favours runs of words",
                (weight, SENT),
                sentence_views,
            ),
            (
                "rouge-s",
                f"{pairs}:RougeS",
                "pairs of words in order, with others between",
                (skip, SENT),
                views,
            ),
            ("rouge-su", f"{pairs}:RougeSU", "as rouge-s, and single words", (skip, SENT), views),
        )
    ]


@hookimpl
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Declare the tokenizer of ROUGE-1.5.5."""
    return [
        TokenizerSpec(
            "rouge",
            function="mteval_rouge.tokenization:tokenize",
            help="ROUGE-1.5.5: runs of ASCII letters and digits",
            batch="mteval_rouge.tokenization:scan",
        )
    ]


@hookimpl
def mteval_register_normalizers() -> Sequence[NormalizerSpec]:
    """Declare the stemmer of ROUGE-1.5.5."""
    return [
        NormalizerSpec(
            "rouge",
            key="stem",
            stage="token",
            function="mteval_rouge.stemmer:stem",
            help="ROUGE-1.5.5: WordNet's exceptions, then an altered Porter stemmer",
            batch="mteval_rouge.stemmer:stems",
        )
    ]


@hookimpl
def mteval_register_resamplers() -> Sequence[ResamplerSpec]:
    """Declare the resampling behind the averages that ROUGE-1.5.5 prints."""
    return [
        ResamplerSpec(
            "rouge",
            function="mteval_rouge.averages:resamples",
            help="bootstrap of ROUGE-1.5.5: sample i is seeded with i, whatever the seed",
        )
    ]
