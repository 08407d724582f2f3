"""chrF and chrF++ as a plugin of mteval."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

mteval_api = 1

TOKENIZATION = "mteval_chrf.tokenization"

ORDERS = 100
"""Largest order: each is three columns of the rows."""

LARGEST_BETA = 1e6
"""With this beta, F is recall up to rounding. The square of a much larger one overflows."""


def views(options: Mapping[str, Any]) -> dict[str, mteval_core.View]:
    """Characters and, for chrF++, words. Both are chrF's own: ``tok`` does not change them."""
    chosen = {"chars": "char-space" if options["space"] else "char"}
    if options["nw"]:
        chosen["words"] = "chrf"
    return {name: mteval_core.View(tok=tok, stem="none") for name, tok in chosen.items()}


def title(options: Mapping[str, Any]) -> str:
    """Return chrF, or chrF+ and chrF++ with words and pairs of words."""
    return {1: "chrF+", 2: "chrF++"}.get(options["nw"], "chrF")


def literature(options: Mapping[str, Any]) -> str:
    """Return the paper of chrF, and with words that of chrF++."""
    return "chrf.bib" if options["nw"] else "chrf.bib:popovic-2015-chrf"


def parse_sacrebleu(name: str, fields: Mapping[str, tuple[str, ...]]) -> str | None:
    """Translate a signature of sacreBLEU's chrF, long or short, to a spec.

    The name in the signature contains beta and the word order. Without a beta there, and without a
    name, as sacreBLEU's API and its JSON have it, beta is sacreBLEU's default. sacreBLEU 1.x
    writes ``numchars`` and ``space.False``.
    """
    named = re.fullmatch(r"chrF(-?[\d.]+)?(\+*)", name or "chrF" * ("nc" in fields))
    if not named:
        return None
    long_names = {"c": "case", "e": "eff", "s": "space", "numchars": "nc", "numwords": "nw"}
    given = {long_names.get(key, key): "+".join(items) for key, items in fields.items()}
    if "space" in given:
        given["space"] = {"false": "no", "true": "yes"}.get(given["space"].lower(), given["space"])
    options: dict[str, str] = {
        **{key: given[key] for key in ("case", "eff", "nc", "space") if key in given},
        "nw": given.get("nw", str(len(named[2]))),
        "beta": named[1] or "2",
    }
    return "chrf:" + ",".join(f"{key}={value}" for key, value in options.items())


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare ``chrf``."""
    return [
        mteval_core.MetricSpec(
            "chrf",
            factory="mteval_chrf.chrf:Chrf",
            help="F-score of character n-grams (nw=2: chrF++, with word n-grams)",
            label="chrF",
            counts=True,
            values={"chrF": 100, "chrP": 100, "chrR": 100},
            options=(
                mteval_core.Option(
                    "eff",
                    default=True,
                    help="F of mean P and mean R of the orders present; no: mean F of all orders",
                ),
                mteval_core.Option(
                    "nc", 6, "largest order of character n-grams", minimum=1, maximum=ORDERS
                ),
                mteval_core.Option(
                    "nw", 0, "largest order of word n-grams", minimum=0, maximum=ORDERS
                ),
                mteval_core.Option("space", default=False, help="count white space as characters"),
                mteval_core.Option(
                    "beta",
                    2.0,
                    "importance of recall relative to precision",
                    minimum=0.0,
                    maximum=LARGEST_BETA,
                ),
            ),
            views=views,
            title=title,
            aliases={
                "chrf++": "chrf:nw=2",
                "chrf+": "chrf:nw=1",
                "chrf2": "chrf:beta=2",
                "chrf2++": "chrf:nw=2,beta=2",
                "chrf1": "chrf:beta=1",
                "chrf3": "chrf:beta=3",
            },
            literature=literature,
            in_default_set=True,
            bounds=(0, 100),
            equation="chrF = (1 + beta^2) chrP chrR / (beta^2 chrP + chrR)\n"
            "chrP, chrR = mean precision and recall of the n-grams:\n"
            "characters, n = 1, ..., nc, and words, n = 1, ..., nw",
            exceptions={
                "reference_order_is_irrelevant": "of equally good references the first counts, as "
                "in sacreBLEU"
            },
            parse_foreign=parse_sacrebleu,
        )
    ]


@mteval_core.hookimpl
def mteval_register_tokenizers() -> Sequence[mteval_core.TokenizerSpec]:
    """Declare the words of chrF++, and characters with white space."""
    return [
        mteval_core.TokenizerSpec(
            "chrf",
            function=f"{TOKENIZATION}:words",
            help="white space, and one punctuation mark cut off each word",
            batch=f"{TOKENIZATION}:scan_words",
        ),
        mteval_core.TokenizerSpec(
            "char-space",
            function=f"{TOKENIZATION}:characters",
            help="one token per character, white space included",
            batch=f"{TOKENIZATION}:scan_characters_and_space",
        ),
    ]
