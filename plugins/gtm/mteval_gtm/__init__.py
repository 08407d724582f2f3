"""GTM, the General Text Matcher, as a plugin of mteval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from collections.abc import Sequence

mteval_api = 1

LARGEST_EXPONENT = 1e300
"""Lengths are divided by the longest run before they are raised, so no power overflows."""


@mteval_core.hookimpl
def mteval_register_metrics() -> Sequence[mteval_core.MetricSpec]:
    """Declare ``gtm``."""
    return [
        mteval_core.MetricSpec(
            "gtm",
            factory="mteval_gtm.gtm:Gtm",
            help="F-measure of matched words, in which long runs count more",
            label="GTM",
            counts=True,
            values={"F": 100, "P": 100, "R": 100, "MMS": 1, "hyp_len": 1, "ref_len": 1},
            options=(
                mteval_core.Option("tok", "13a"),
                mteval_core.Option(
                    "e",
                    1.0,
                    "exponent: how much more long runs count; 1 is plain word overlap",
                    minimum=1,
                    maximum=LARGEST_EXPONENT,
                ),
                mteval_core.Option(
                    "matching",
                    "greedy",
                    "greedy: longest run first, as in GTM 1.4; exact: the largest matching",
                    choices=("greedy", "exact"),
                ),
            ),
            literature="gtm.bib",
            in_default_set=True,
            bounds=(0, 100),
            exceptions={
                "a_reference_twice_changes_nothing": "all references are one text, in which the "
                "words of a reference that is given twice are there twice"
            },
            equation="F = 2 P R / (P + R), P = MMS / |C|, R = MMS / |R|\n"
            "MMS = (sum over the runs r of the matching of length(r)^e)^(1/e)\n"
            "|C|, |R| = length of the hypothesis and of the reference",
        )
    ]


@mteval_core.hookimpl
def mteval_register_tokenizers() -> Sequence[mteval_core.TokenizerSpec]:
    """Declare ``gtm``, the tokenizer of the program."""
    return [
        mteval_core.TokenizerSpec(
            "gtm",
            function="mteval_gtm.tokenization:gtm",
            help="split at ASCII white space, as in GTM 1.4",
        )
    ]


@mteval_core.hookimpl
def mteval_register_commands() -> Sequence[mteval_core.CommandSpec]:
    """Declare ``mteval matching``."""
    return [
        mteval_core.CommandSpec(
            "matching",
            arguments="mteval_gtm.command:add_arguments",
            run="mteval_gtm.command:run",
            help="compare GTM's greedy search with the largest matching",
            group="explanations",
        )
    ]
