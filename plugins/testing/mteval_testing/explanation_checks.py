"""The checks of a metric's explanations and marks: they have its rows, and lie in its texts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mteval_core import Mark, PluginError, Sample, State, explanations, metric
from mteval_testing.corpora import EDGE_CASES
from mteval_testing.findings import expect
from mteval_testing.subjects import close, corpus_of, counted, filled, fuzz, padded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core import Explanation, Scorer

__all__ = ["check_explanations", "explanations_are_the_rows", "marks_lie_in_their_texts"]

NORMALIZERS = {"case": "lc", "stem": "porter"}
"""A normalizer of the host for each signature key."""

LONG = 1000
"""Length in characters from which texts are not tried: explanations may take their time."""


def explanations_are_the_rows(scorer: Scorer) -> str | None:
    """An explanation has the row of its segment; otherwise it explains another score."""
    if not has_method(scorer, "explain"):
        return None

    def check(sample: Sample) -> None:
        made = explanations(scorer, sample.hypotheses, filled(scorer, sample).test_set)
        for explanation in made:  # made with the check of the rows
            lies_within_its_texts(explanation)

    for sample in (corpus_of(scorer), *EDGE_CASES.values()):
        if len(sample.hypotheses[0]) < LONG:
            check(sample)
    for other in normalized(scorer):
        corpus = corpus_of(scorer)
        explanations(other, corpus.hypotheses, filled(other, corpus).test_set)
    return fuzz(check)


def marks_lie_in_their_texts(scorer: Scorer) -> str | None:
    """Marks lie in their texts, whatever set they are in; otherwise readers see wrong errors."""
    if not has_method(scorer, "marks"):
        return None

    def check(sample: Sample) -> None:
        source = sample.source if scorer.setup.uses_source else None
        texts = sample.hypotheses, sample.references
        try:
            found = Mark.of(scorer, *texts, source=source)
            alone = Mark.of(scorer, *texts, source=source, segments=range(len(found)))
        except PluginError as error:
            raise AssertionError(
                f"{error}; pictures would underline other words, and reports of the set would stop"
            ) from None
        for i, (one, other) in enumerate(zip(found, alone, strict=True)):
            expect(
                one == other,
                f"segment {i} has the marks {one} in its set, and {other} alone: "
                "pictures of a segment would show other errors than the report of the set",
            )

    for sample in (corpus_of(scorer), *EDGE_CASES.values()):
        if len(sample.hypotheses[0]) < LONG:
            check(sample)
    for other in normalized(scorer):
        corpus = corpus_of(scorer)
        source = corpus.source if scorer.setup.uses_source else None
        try:
            Mark.of(other, corpus.hypotheses, corpus.references, source=source)
        except PluginError as error:
            raise AssertionError(
                f"{other.spec}: {error}; a mark counts the characters of the text as it was "
                "written, and normalizers change the tokens"
            ) from None
    return fuzz(check)


def normalized(scorer: Scorer) -> list[Scorer]:
    """Configure a metric with other letter case and with stems, if it has these options."""
    return [
        metric(
            replace(scorer.spec, options={**scorer.spec.options, key: (name,)}),
            registry=scorer.setup.registry,
        )
        for key, name in NORMALIZERS.items()
        if key in scorer.setup.fields
    ]


def has_method(scorer: Scorer, name: str) -> bool:
    """Tell whether the class of a metric, which the host may have wrapped, has a method."""
    implementation = scorer.setup.implementation
    return hasattr(getattr(implementation, "metric", implementation), name)


def check_explanations(
    spec: str, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
) -> list[Explanation]:
    """Compare the explanations of all segments with the rows that the metric computes at once.

    Parameters
    ----------
    spec : str
        The metric.
    hypotheses : sequence of str
        One per segment.
    references : sequence of sequence of (str or None)
        One sequence per reference stream.

    Returns
    -------
    list of Explanation
        The explanations.

    Raises
    ------
    AssertionError
        If a row differs, or a link is not within its texts.
    """
    scorer = metric(spec)
    rows = State(scorer, references).rows(hypotheses, references)
    made = explanations(scorer, hypotheses, references)
    explained = padded(np.array([one.row]) for one in made)
    expect(close(explained, counted(rows)), f"{spec}: the explanations have other rows")
    for explanation in made:
        lies_within_its_texts(explanation)
    return made


def lies_within_its_texts(explanation: Explanation) -> None:
    """Links and edits are between tokens, whose positions ascend."""
    n, segment = len(explanation.hypothesis), explanation.segment
    for item in explanation.items:
        known = item.to == -1 or 0 <= item.to < len(explanation.references)
        expect(known, f"segment {segment}: there is no reference {item.to}")
        sides = ((item.hypothesis, n), (item.reference, len(explanation.tokens(item.to))))
        for places, length in sides:
            ascends = all(a < b for a, b in pairwise((-1, *places, length)))
            expect(
                ascends, f"segment {segment}: {item} is not within its texts, in ascending order"
            )
    order = explanation.order or tuple(range(n))
    expect(sorted(order) == [*range(n)], f"segment {segment}: the order {order} loses tokens")
