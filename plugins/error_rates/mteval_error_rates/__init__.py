"""Error rates as a plugin of mteval: WER, CER, PER, SER and TER."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

mteval_api = 1

TERCOM = "mteval_error_rates.tercom"
CHARACTERS = "mteval_error_rates.characters"

TEXT_OPTIONS = ("norm", "punct", "asian")
"""TER's options for the text, in the order of sacreBLEU 1.x."""

FIRST = {"reference_order_is_irrelevant": "of references with equally few errors the first counts"}


def wer_values(options: Mapping[str, Any]) -> dict[str, float]:
    """Rate, edits, and the length in tokens by which they are divided; with kinds, more."""
    return _values("WER", options)


def cer_values(options: Mapping[str, Any]) -> dict[str, float]:
    """Values of CER, which are those of WER on characters."""
    return _values("CER", options)


def _values(rate: str, options: Mapping[str, Any]) -> dict[str, float]:
    length = {"reference": "ref_len", "hypothesis": "hyp_len"}[options["over"]]
    values = {rate: 100.0, "edits": 1.0, length: 1.0}
    if options["kinds"]:
        values |= {"MER": 100.0, "WIL": 100.0, "WIP": 100.0}
        values |= dict.fromkeys(("hits", "sub", "del", "ins"), 1.0)
    return values


def ter_views(options: Mapping[str, Any]) -> dict[str, mteval_core.View]:
    """Words of the text after the normalization that the options ask for.

    sacreBLEU has its own ``norm``, and normalizes references twice, which is not the same.
    """
    steps = []
    if options["norm"]:
        is_sacrebleu = options["limits"] == "sacrebleu"
        steps.append("normalize_as_sacrebleu" if is_sacrebleu else "normalize")
        if options["asian"]:
            steps.append("separate_asian")
    if not options["punct"]:
        steps.append("remove_punctuation")
        if options["asian"]:
            steps.append("remove_asian_punctuation")
    normalizers = tuple(
        mteval_core.NormalizerSpec(step, key="tercom", stage="text", function=f"{TERCOM}:{step}")
        for step in ("squeeze", *steps)
    )
    squeeze, *once = normalizers
    views = {"words": mteval_core.View(normalizers=tuple(once))}
    if options["norm"] and options["limits"] == "sacrebleu":
        views["twice"] = mteval_core.View(normalizers=(*once, squeeze, *once))
    return views


def parse_sacrebleu(name: str, fields: Mapping[str, tuple[str, ...]]) -> str | None:
    """Translate a signature of sacreBLEU's TER, long or short, to a spec.

    sacreBLEU's tokenizer ``tercom`` splits at any white space, as ``none`` does here. sacreBLEU 1.x
    writes all options into the name of the tokenizer: ``tercom-nonorm-punct-noasian-uncased``.
    Without a name, as sacreBLEU's API and its JSON have it, ``norm`` tells that it is TER.
    """
    if name != "TER" and (name or not {"norm", "nr"} & fields.keys()):
        return None
    long_names = {"c": "case", "nr": "norm", "pn": "punct", "as": "asian"}
    given = {long_names.get(key, key): "+".join(items) for key, items in fields.items()}
    old = re.fullmatch("tercom-(no)?norm-(no)?punct-(no)?asian-(un)?cased", given.get("tok", ""))
    if old:
        *nos, uncased = old.groups()
        given |= {k: "no" if no else "yes" for k, no in zip(TEXT_OPTIONS, nos, strict=True)}
        given["case"] = "lc" if uncased else "mixed"
    known = ("case", *TEXT_OPTIONS)
    options = {"tok": "none", "limits": "sacrebleu"}
    options.update((key, given[key]) for key in known if key in given)
    return "ter:" + ",".join(f"{key}={value}" for key, value in options.items())


WER_OPTIONS = (
    mteval_core.Option(
        "over",
        "reference",
        "length by which the edits are divided",
        choices=("reference", "hypothesis"),
    ),
    mteval_core.Option(
        "empty",
        "one",
        "rate of edits if that length is 0: 1, or the number of insertions as in jiwer",
        choices=("one", "insertions"),
    ),
    mteval_core.Option(
        "kinds", default=False, help="count the kinds of edits; adds MER, WIL and WIP"
    ),
)

WER = mteval_core.MetricSpec(
    "wer",
    factory="mteval_error_rates.wer:Wer",
    help="word error rate: inserted, deleted and substituted words per reference word",
    label="WER",
    counts=True,
    values=wer_values,
    options=WER_OPTIONS,
    aliases={name: f"wer:kinds=yes,value={name.upper()}" for name in ("mer", "wil", "wip")},
    equation="WER = (insertions + deletions + substitutions) / r\n"
    "r = length of the reference in words",
    literature="wer.bib",
    better="lower",
    exceptions=FIRST,
)

CER = mteval_core.MetricSpec(
    "cer",
    factory="mteval_error_rates.wer:Wer",
    help="character error rate: WER of characters, including spaces",
    label="CER",
    counts=True,
    values=cer_values,
    options=(mteval_core.Option("tok", "characters"), *WER_OPTIONS),
    equation="CER = (insertions + deletions + substitutions) / r\n"
    "r = length of the reference in characters",
    literature="wer.bib",
    better="lower",
    exceptions=FIRST,
)

PER = mteval_core.MetricSpec(
    "per",
    factory="mteval_error_rates.per:Per",
    help="position-independent word error rate: missing and surplus words, in any order",
    label="PER",
    counts=True,
    values={"PER": 100, "matches": 1, "hyp_len": 1, "ref_len": 1},
    equation="PER = 1 - (c - max(0, h - r)) / r\n"
    "c = words in common; h, r = words of hypothesis and reference",
    literature="per.bib",
    better="lower",
    exceptions=FIRST,
)

SER = mteval_core.MetricSpec(
    "ser",
    factory="mteval_error_rates.ser:Ser",
    help="segment error rate: share of segments with any error",
    label="SER",
    counts=True,
    values={"SER": 100, "wrong": 1},
    equation="SER = segments that differ from all of their references / segments",
    literature="wer.bib",
    better="lower",
    bounds=(0, 100),
)

TER = mteval_core.MetricSpec(
    "ter",
    factory="mteval_error_rates.ter:Ter",
    help="translation edit rate: edits per reference word, a moved phrase being one edit",
    label="TER",
    counts=True,
    values={
        "TER": 100,
        "edits": 1,
        "ins": 1,
        "del": 1,
        "sub": 1,
        "shifts": 1,
        "shifted": 1,
        "ref_len": 1,
    },
    options=(
        mteval_core.Option("case", "lc"),
        mteval_core.Option("tok", "tercom"),
        mteval_core.Option("norm", default=False, help="separate punctuation (tercom -N)"),
        mteval_core.Option("punct", default=True, help="keep punctuation (no: tercom -P)"),
        mteval_core.Option(
            "asian",
            default=False,
            help="norm and punct cover Chinese and Japanese, as in sacreBLEU",
        ),
        mteval_core.Option(
            "limits",
            "tercom",
            "program whose limits the search has; sacrebleu also has its own norm",
            choices=("tercom", "sacrebleu"),
        ),
    ),
    views=ter_views,
    equation="TER = (insertions + deletions + substitutions + shifts) / r\n"
    "r = mean length of the references in words",
    literature="ter.bib",
    better="lower",
    exceptions=FIRST,
    in_default_set=True,
    parse_foreign=parse_sacrebleu,
)


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare ``wer``, ``cer``, ``per``, ``ser`` and ``ter``."""
    return [WER, CER, PER, SER, TER]


@mteval_core.hookimpl
def mteval_register_tokenizers() -> Sequence[mteval_core.TokenizerSpec]:
    """Declare ``tercom`` and ``characters``."""
    return [
        mteval_core.TokenizerSpec(
            "tercom",
            function=f"{TERCOM}:tokenize",
            help="split at ASCII white space, as tercom and WER.pl do",
            batch=f"{TERCOM}:scan",
        ),
        mteval_core.TokenizerSpec(
            "characters",
            function=f"{CHARACTERS}:characters",
            help="one token per character, spaces between words included, as jiwer",
            batch=f"{CHARACTERS}:scan",
        ),
    ]
