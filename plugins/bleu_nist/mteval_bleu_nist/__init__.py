"""BLEU and NIST as a plugin of mteval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

mteval_api = 1

ORDER = mteval_core.Option("order", 4, "largest n-gram order", minimum=1, maximum=100)
"""Each order is a column of the rows and of the results, so their number is bounded."""


def bleu_values(options: Mapping[str, int]) -> dict[str, float]:
    """Score, precision of every order, brevity penalty and lengths in tokens."""
    precisions = {f"P{n}": 100.0 for n in range(1, options["order"] + 1)}
    return {"BLEU": 100.0, **precisions, "BP": 1.0, "hyp_len": 1.0, "ref_len": 1.0}


def nist_values(options: Mapping[str, int]) -> dict[str, float]:
    """Score, summand of every order, length penalty and lengths in tokens."""
    orders = {f"N{n}": 1.0 for n in range(1, options["order"] + 1)}
    return {"NIST": 1.0, **orders, "BP": 1.0, "hyp_len": 1.0, "ref_len": 1.0}


def parse_sacrebleu(name: str, fields: Mapping[str, tuple[str, ...]]) -> str | None:
    """Translate a signature of sacreBLEU's BLEU, long or short, to a spec.

    A signature without an order means order 4. Without a name, as sacreBLEU's API and its JSON
    have it, the smoothing tells that it is BLEU; chrF's field ``s`` is its white space.
    """
    is_unnamed = not name and ("smooth" in fields or ("s" in fields and "nc" not in fields))
    if name not in ("BLEU", "sacreBLEU") and not is_unnamed:
        return None
    long_names = {"c": "case", "e": "eff", "s": "smooth"}
    given = {long_names.get(key, key): items for key, items in fields.items()}
    known = ("case", "eff", "tok", "smooth", "order")
    options = {key: given[key] for key in known if key in given}
    return str(mteval_core.Spec("bleu", options))


BLEU = mteval_core.MetricSpec(
    "bleu",
    factory="mteval_bleu_nist.bleu:Bleu",
    help="geometric mean of clipped n-gram precisions with a brevity penalty",
    label="BLEU",
    counts=True,
    values=bleu_values,
    options=(
        mteval_core.Option(
            "eff", default=False, help="average only the orders that the hypothesis has"
        ),
        mteval_core.Option("tok", "13a"),
        mteval_core.Option(
            "smooth",
            "exp",
            "smoothing of orders without a match: none, floor[x], add-k[k], exp, mteval",
            type="mteval_bleu_nist.smoothing:Smoothing.parse",
        ),
        ORDER,
        mteval_core.Option(
            "bp",
            "closest",
            "reference length of the brevity penalty",
            choices=("closest", "shortest", "average"),
        ),
        mteval_core.Option(
            "mean",
            "geometric",
            "mean of the precisions",
            choices=("geometric", "arithmetic"),
        ),
    ),
    aliases={
        "sacrebleu": "bleu",
        **{f"BLEU-{n}": f"bleu:order={n}" for n in range(1, 5)},
        "spbleu": ("bleu:tok=flores200", "bleu:tok=flores101"),
    },
    literature="bleu.bib",
    in_default_set=True,
    bounds=(0, 100),
    equation="BLEU = BP exp(sum_n log(p_n) / N), n = 1, ..., N (order)\n"
    "p_n = clipped n-gram matches / n-grams of the hypotheses\n"
    "BP = 1 if c > r, otherwise e^(1 - r/c)\n"
    "c, r = length of the hypotheses and of the references",
    exceptions={
        "a_corpus_twice_scores_the_same": "the smoothed precision of an order without a match "
        "depends on the length of the corpus"
    },
    parse_foreign=parse_sacrebleu,
)

NIST = mteval_core.MetricSpec(
    "nist",
    factory="mteval_bleu_nist.nist:Nist",
    help="information-weighted n-gram matches with a length penalty",
    label="NIST",
    counts=True,
    values=nist_values,
    options=(
        mteval_core.Option("case", "ascii"),
        mteval_core.Option("tok", "mteval-v13a"),
        replace(ORDER, default=5),
        mteval_core.Option("weights", default=True, help="weight matches by their information"),
    ),
    literature="nist.bib",
    equation="NIST = BP sum_n (information of matches / n-grams of hypotheses)\n"
    "information(w_1..n) = log2(count(w_1..n-1) / count(w_1..n))\n"
    "BP = exp(-beta log^2 min(1, c/r)), so that BP = 1/2 at c/r = 2/3\n"
    "c, r = length of the hypotheses and of the references",
)


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare ``bleu`` and ``nist``."""
    return [BLEU, NIST]


@mteval_core.hookimpl
def mteval_register_commands() -> Sequence[mteval_core.CommandSpec]:
    """Declare ``mteval brevity``."""
    return [
        mteval_core.CommandSpec(
            "brevity",
            arguments="mteval_bleu_nist.command:add_arguments",
            run="mteval_bleu_nist.command:run",
            help="show what the brevity penalties of BLEU and NIST take from systems",
            group="explanations",
        )
    ]
