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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Options = Mapping[str, Any]

mteval_api = 1

FIRST = (
    Option("tok", "13a"),
    Option(
        "variant",
        "paper",
        "paper: Lin and Och 2004; 1.5.5: the program ROUGE-1.5.5",
        choices=("paper", "1.5.5"),
    ),
)
LAST = (
    Option(
        "alpha",
        0.5,
        "weight of precision in F; 0 is recall, 1 is precision",
        minimum=0,
        maximum=1.0,
    ),
    Option(
        "beta",
        "none",
        "importance of recall relative to precision in F; instead of alpha",
        choices=("none",),
        minimum=0.0,
        maximum=1e6,  # F is recall up to rounding; the square of a much larger beta overflows
    ),
    Option(
        "multi",
        "maxima",
        "several references: largest P and R, pooled counts, or the best reference",
        choices=("maxima", "pooled", "best"),
    ),
    Option(
        "mean",
        "segments",
        "corpus score: mean of the segment scores, or computed from summed counts",
        choices=("segments", "totals"),
    ),
    Option("round", default=False, help="round P, R and F of each segment to 5 decimals"),
    Option("stop", default=False, help="remove the stop words of ROUGE-1.5.5"),
    Option(
        "limit",
        "none",
        "score only the beginning of each text: none, words[n] or bytes[n]",
        type="mteval_rouge.lengths:Limit.parse",
    ),
)
SENT = Option(
    "sent",
    "none",
    "sentences of a segment: one, or several separated by tabs",
    choices=("none", "tab"),
)
SKIP = Option(
    "skip",
    "*",
    "largest number of words between the two",
    choices=("*",),
    minimum=0,
    maximum=1_000_000,  # longer than any text
)
WEIGHT = Option(
    "weight",
    1.2,
    "a run of k words is worth k^weight",
    minimum=1.0,
    maximum=20.0,  # sums of k^20 do not overflow for any text
)
ORDER = Option("n", 1, "order of the n-grams", minimum=1, maximum=100)
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "1.5.5": {"case": "ascii", "tok": "rouge", "multi": "pooled", "round": True}
}


ROUGE_SCORE = "tok=rouge,case=lc,multi=best"
"""Options with which scores are those of the program rouge-score."""


def values(options: Options) -> dict[str, float]:
    """F, precision and recall; with ``mean=totals`` also the counts behind them."""
    scores = {"F": 100.0, "P": 100.0, "R": 100.0}
    counts = {"hits": 1.0, "hyp_total": 1.0, "ref_total": 1.0}
    return {**scores, **counts} if options["mean"] == "totals" else scores


def own_normalizers(options: Options, *, each_sentence: bool) -> tuple[NormalizerSpec, ...]:
    """Normalizers for the length limit and then the stop words, where options ask for them."""
    normalizers = []
    if options["limit"].size:
        cut = options["limit"].cut(tabs=options["sent"] == "tab", each_sentence=each_sentence)
        limit = str(options["limit"])
        normalizers.append(NormalizerSpec(limit, key="limit", stage="text", function=cut))
    if options["stop"]:
        function = "mteval_rouge.word_lists:without_stop_words"
        normalizers.append(NormalizerSpec("rouge", key="stop", stage="text", function=function))
    return tuple(normalizers)


def word_views(options: Options) -> dict[str, View]:
    """View of the words. Sentences affect only the length limit."""
    return {"words": View(normalizers=own_normalizers(options, each_sentence=False))}


def sentence_views(options: Options) -> dict[str, View]:
    """Views of the words that are counted and of the sentences that are compared.

    They differ under a limit in bytes: ROUGE-1.5.5 truncates each sentence before it compares
    sentences, but truncates the text as a whole before it counts words.
    """
    each = options["limit"].unit == "bytes"
    sent = options["sent"]
    return {
        "words": View(sent=sent, normalizers=own_normalizers(options, each_sentence=False)),
        "sentences": View(sent=sent, normalizers=own_normalizers(options, each_sentence=each)),
    }


def declare(
    name: str,
    *,
    factory: str,
    help_: str,
    options: tuple[Option, ...],
    views: Callable[[Options], dict[str, View]],
    equation: str,
    title: Callable[[Options], str] | None = None,
    aliases: Mapping[str, str] | None = None,
) -> MetricSpec:
    """Declare a metric that has the options of all ROUGE metrics and some of its own."""
    papers = "rouge.bib:lin-2004-rouge" if name == "rouge-n" else "rouge.bib"
    return MetricSpec(
        name,
        factory=f"mteval_rouge.{factory}",
        help=help_,
        counts=True,
        values=values,
        options=(*FIRST, *options, *LAST),
        views=views,
        label=name.upper(),
        title=title,
        aliases=aliases or {},
        literature=papers,
        equation=f"F = P R / (alpha R + (1 - alpha) P), mean of the segments\n{equation}",
        in_default_set=name == "rouge-l",
        bounds=(0.0, 100.0),
        variants=VARIANTS,
    )


@hookimpl
def mteval_register_metrics() -> Sequence[MetricSpec]:
    """Declare ``rouge-n``, ``rouge-l``, ``rouge-lsum``, ``rouge-w``, ``rouge-s``, ``rouge-su``."""
    return [
        declare(
            "rouge-n",
            factory="ngrams:RougeN",
            help_="n-gram overlap",
            options=(ORDER, SENT),
            views=word_views,
            equation="P, R = common n-grams / n-grams of hypothesis, reference",
            title=lambda options: f"ROUGE-{options['n']}",
            aliases={
                **{f"rouge{n}": f"rouge-n:n={n},{ROUGE_SCORE}" for n in range(1, 5)},
                **{f"ROUGE-{n}": f"rouge-n:n={n}" for n in range(1, 5)},
            },
        ),
        declare(
            "rouge-l",
            factory="subsequences:RougeL",
            help_="longest common subsequence",
            options=(SENT,),
            views=sentence_views,
            equation="P = LCS / n, R = LCS / m\n"
            "n, m = words of the hypothesis and of the reference",
            aliases={"rougeL": f"rouge-l:{ROUGE_SCORE}"},
        ),
        declare(
            "rouge-lsum",
            factory="subsequences:RougeL",
            help_="union of the longest common subsequences of sentences",
            options=(Option("sent", "tab", SENT.help, choices=SENT.choices),),
            views=sentence_views,
            equation="P = hits / n, R = hits / m\n"
            "n, m = words of the hypothesis and of the reference\n"
            "hits = reference words on an LCS with a hypothesis sentence",
            title=lambda _: "ROUGE-Lsum",
            aliases={"rougeLsum": f"rouge-lsum:{ROUGE_SCORE}"},
        ),
        declare(
            "rouge-w",
            factory="subsequences:RougeW",
            help_="longest common subsequence in which runs of words count more",
            options=(WEIGHT, SENT),
            views=sentence_views,
            equation="P = f^-1(WLCS / f(n)), R = f^-1(WLCS / f(m)), f(k) = k^weight\n"
            "n, m = words of the hypothesis and of the reference",
        ),
        declare(
            "rouge-s",
            factory="skip_bigrams:RougeS",
            help_="pairs of words in order, with other words between",
            options=(SKIP, SENT),
            views=word_views,
            equation="P, R = common pairs of words / pairs of hypothesis, reference",
            title=lambda options: f"ROUGE-S{options['skip']}".removesuffix("*"),
        ),
        declare(
            "rouge-su",
            factory="skip_bigrams:RougeSU",
            help_="as rouge-s, with single words",
            options=(SKIP, SENT),
            views=word_views,
            equation="P, R = common pairs and words / those of hypothesis, reference",
            title=lambda options: f"ROUGE-SU{options['skip']}".removesuffix("*"),
        ),
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
            help="ROUGE-1.5.5: WordNet's exceptions, then Porter's program with another step 4",
            batch="mteval_rouge.stemmer:stems",
        )
    ]


@hookimpl
def mteval_register_resamplers() -> Sequence[ResamplerSpec]:
    """Declare the resampling from which ROUGE-1.5.5 computes its averages."""
    return [
        ResamplerSpec(
            "rouge",
            function="mteval_rouge.averages:resamples",
            help="bootstrap of ROUGE-1.5.5: sample i is seeded with i; the seed is ignored",
        )
    ]
