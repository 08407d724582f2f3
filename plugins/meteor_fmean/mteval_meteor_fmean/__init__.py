"""Unigram precision, recall and F-means, and METEOR, as a plugin of mteval."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mteval_core import MetricSpec, NormalizerSpec, Option, TokenizerSpec, View, hookimpl
from mteval_meteor_fmean.languages import LANGUAGES, NORMALIZED, STEMMED
from mteval_meteor_fmean.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

mteval_api = 1

LOWER_CASE = Option("case", "lc")
PROGRAM = "program"

LARGEST = 1000.0
"""Bound of weights, factors and exponents: far above any that is useful, and nothing overflows."""

FIRST = {"reference_order_is_irrelevant": "of equally good references the first counts"}


def meteor_views(options: Mapping[str, Any]) -> dict[str, View]:
    """Views of the words and, for module ``stem``, of their stems."""
    words = View(stem="none")
    if "stem" not in options["modules"] or options["lang"] not in STEMMED:
        return {"words": words}
    porter = options["variant"] == "2005" and options["lang"] == "en"
    return {
        "words": words,
        "stems": View(stem="porter" if porter else f"snowball-{options['lang']}"),
    }


def literature(options: Mapping[str, Any]) -> str:
    """Return the paper of 2005, and for the program METEOR 1.5 its own paper, too."""
    return "meteor.bib" if options["variant"] == "1.5" else "meteor.bib:banerjee-lavie-2005-meteor"


COUNTS = {"matches": 1.0, "hyp_len": 1.0, "ref_len": 1.0}
PARTS = {"P": 100.0, "R": 100.0, **COUNTS}

PRECISION = MetricSpec(
    "precision",
    factory="mteval_meteor_fmean.fmean:Precision",
    help="unigram precision: share of the hypothesis words that match the reference",
    counts=True,
    values={"P": 100.0, **COUNTS},
    equation="P = matches / hypothesis words",
    options=(LOWER_CASE,),
    literature="unigrams.bib",
    bounds=(0, 100),
    exceptions=FIRST,
)

RECALL = MetricSpec(
    "recall",
    factory="mteval_meteor_fmean.fmean:Recall",
    help="unigram recall: share of the reference words that match the hypothesis",
    counts=True,
    values={"R": 100.0, **COUNTS},
    equation="R = matches / reference words",
    options=(LOWER_CASE,),
    literature="unigrams.bib",
    bounds=(0, 100),
    exceptions=FIRST,
)

F1 = MetricSpec(
    "f1",
    factory="mteval_meteor_fmean.fmean:F1",
    help="harmonic mean of unigram precision and recall",
    label="F1",
    counts=True,
    values={"F1": 100.0, **PARTS},
    equation="F1 = 2 P R / (P + R)\nP, R = matches / words of hypothesis, reference",
    options=(LOWER_CASE,),
    literature="unigrams.bib",
    bounds=(0, 100),
    exceptions=FIRST,
)

FMEAN = MetricSpec(
    "fmean",
    factory="mteval_meteor_fmean.fmean:Fmean",
    help="harmonic mean of unigram precision and recall, with a weight of 9 on recall",
    label="Fmean",
    counts=True,
    values={"Fmean": 100.0, **PARTS},
    equation="Fmean = (1 + w) P R / (w P + R), w = weight\n"
    "P, R = matches / words of hypothesis, reference",
    options=(
        LOWER_CASE,
        Option("tok", "13a"),
        Option(
            "weight",
            9.0,
            "weight of recall relative to precision",
            minimum=0.0,
            maximum=LARGEST,
        ),
    ),
    literature="unigrams.bib",
    bounds=(0, 100),
    exceptions=FIRST,
)

METEOR = MetricSpec(
    "meteor",
    factory="mteval_meteor_fmean.meteor:Meteor",
    help="unigram matches by word, stem or synonym, with a penalty for disorder",
    label="METEOR",
    counts=True,
    values={
        "METEOR": 100.0,
        "P": 100.0,
        "R": 100.0,
        "Fmean": 100.0,
        "penalty": 1.0,
        "chunks": 1.0,
        **COUNTS,
    },
    options=(
        LOWER_CASE,
        Option("tok", "13a"),
        Option(
            "variant",
            "2005",
            "2005: Banerjee and Lavie; 1.5: the program METEOR 1.5",
            choices=("2005", "1.5"),
        ),
        Option("lang", "en", "language, by METEOR 1.5's code", choices=(*LANGUAGES,)),
        Option(
            "modules",
            ("exact", "stem"),
            "modules that link words, in order",
            choices=("exact", "stem", "synonym", "paraphrase"),
        ),
        Option(
            "align",
            "crossings",
            "how links are chosen: crossings or chunks (as few as possible), or beam[n]",
            type="mteval_meteor_fmean.align:Align.parse",
        ),
        *(
            Option(name, value, what, choices=(PROGRAM,), minimum=0.0, maximum=maximum)
            for name, value, what, maximum in (
                ("alpha", 0.9, "weight of recall in the F-mean", 1.0),
                ("beta", 3.0, "exponent of the penalty", LARGEST),
                ("gamma", 0.5, "factor of the penalty", LARGEST),
                (
                    "delta",
                    0.5,
                    "weight of content words; function words weigh 1 - delta",
                    1.0,
                ),
            )
        ),
        Option("weights", ("1",), f"weights of the modules, one for all, or {PROGRAM}"),
        Option(
            "functions",
            "en",
            "language of the function words; METEOR 1.5 always uses English",
            choices=(*LANGUAGES,),
        ),
    ),
    views=meteor_views,
    equation="METEOR = Fmean (1 - penalty)\n"
    "penalty = gamma (chunks / matches)^beta\n"
    "Fmean = P R / (alpha P + (1 - alpha) R)\n"
    "P, R = weighted matches / weighted words of hypothesis, reference",
    literature=literature,
    in_default_set=True,
    aliases={
        "meteor-2005": "meteor:variant=2005",
        "meteor-1.5": (
            "meteor:variant=1.5",
            "meteor:variant=1.5,modules=exact+stem+synonym+paraphrase",
        ),
    },
    bounds=(0, 100),
    exceptions=FIRST,
    variants={
        "1.5": {
            "case": "mixed",
            "tok": "meteor-norm",
            "modules": ("exact", "stem", "synonym"),
            "align": "beam[40]",
            "alpha": PROGRAM,
            "beta": PROGRAM,
            "gamma": PROGRAM,
            "delta": PROGRAM,
            "weights": (PROGRAM,),
        }
    },
)


@hookimpl
def mteval_register_metrics() -> Sequence[MetricSpec]:
    """Declare ``precision``, ``recall``, ``f1``, ``fmean`` and ``meteor``."""
    return [PRECISION, RECALL, F1, FMEAN, METEOR]


@hookimpl
def mteval_register_tokenizers() -> Sequence[TokenizerSpec]:
    """Declare the tokenizers of METEOR 1.5."""
    module = "mteval_meteor_fmean.tokenizers"
    return [
        TokenizerSpec(
            "meteor", function=f"{module}:plain", help="METEOR 1.5: split at ASCII white space"
        ),
        *(
            TokenizerSpec(
                "meteor-norm" if language == "en" else f"meteor-norm-{language}",
                function=f"{module}:normalize_{language}",
                help=f"METEOR 1.5 -norm -l {language}: separate punctuation, lower case",
            )
            for language in NORMALIZED
        ),
    ]


@hookimpl
def mteval_register_normalizers() -> Sequence[NormalizerSpec]:
    """Declare the stemmers of METEOR 1.5."""
    return [
        NormalizerSpec(
            f"snowball-{code}",
            key="stem",
            stage="token",
            help=f"Snowball's {_stemmer(code)} of 2013, as in METEOR 1.5",
            batch=partial(stem, code),
        )
        for code in STEMMED
    ]


def _stemmer(code: str) -> str:
    """Name the algorithm of a language. Snowball's for English is Porter's second."""
    name = f"{LANGUAGES[code].capitalize()} stemmer"
    return f"{name} (Porter2)" if code == "en" else name
