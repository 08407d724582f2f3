"""Subsets of a test set: segments by the length of their references, by document and by domain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from mteval_core.errors import InputError
from mteval_core.evaluation.evaluation import Evaluation
from mteval_core.evaluation.scores import need_parts
from mteval_core.metrics.sums import total_of
from mteval_core.text.lookup import find_step
from mteval_core.text.pipeline import Pipeline, Tokenization

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mteval_core.plugin.declarations import TokenizerSpec
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.text import TestSet

Grouping = Literal["length", "doc", "domain"]

LENGTHS = (10, 20, 30, 40, 50, 60)
"""Lengths in words at which the bands of `by_length` begin, the first one apart."""


class Subset(NamedTuple):
    """Some segments of a test set.

    Parameters
    ----------
    by : {"length", "doc", "domain"}
        What the segments have in common.
    name : str
        Its value: a range of lengths, a document id, or the name of a domain.
    segments : ndarray of int64, shape (n,)
        Numbers of the segments.
    """

    by: Grouping
    name: str
    segments: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        test_set: TestSet,
        by: Grouping,
        registry: Registry,
        *,
        lengths: Iterable[int] = LENGTHS,
        tok: str = "13a",
    ) -> list[Subset]:
        """Divide a test set.

        Parameters
        ----------
        test_set : TestSet
            The test set.
        by : {"length", "doc", "domain"}
            By the length of the references in words, by document or by domain.
        registry : Registry
            Where to look the tokenizer up.
        lengths : iterable of int
            Lengths at which a new band begins, in ascending order.
        tok : str
            The tokenizer that cuts words.

        Raises
        ------
        InputError
            If there are no references, documents or domains to divide by.
        """
        if by != "length":
            return (by_document if by == "doc" else by_domain)(test_set)
        (tokenizer,), _ = find_step("tok", tok, registry)
        return by_length(reference_words(test_set, tokenizer.declaration), lengths)

    def evaluation(self, whole: Evaluation, specs: Sequence[str]) -> Evaluation:
        """Restrict an evaluation to these segments, without computing rows again.

        What metrics prepared on all references, such as frequencies of words, stays as it is.

        Parameters
        ----------
        whole : Evaluation
            With its rows.
        specs : sequence of str
            The metrics that are kept.

        Returns
        -------
        Evaluation
            Without intervals and comparisons.

        Raises
        ------
        UsageError
            If a metric comes from outside, and has no scores of segments.
        """
        scores, chosen = whole.scores, self.segments
        for spec in specs:
            need_parts(scores.scorers[spec], "segment")
        test_set, texts = scores.corpus
        rows = {key: rows[chosen] for key, rows in scores.rows.items() if key[1] in specs}
        return Evaluation(
            replace(
                scores,
                test_set=test_set.take(chosen.tolist()),
                texts={run: text.take(chosen.tolist()) for run, text in texts.items()},
                scorers={spec: scores.scorers[spec] for spec in specs},
                rows=rows,
                totals={key: total_of(rows_of_run) for key, rows_of_run in rows.items()},
            )
        )


def reference_words(test_set: TestSet, tokenizer: TokenizerSpec) -> NDArray[np.float64]:
    """Compute the mean number of words in the references of each segment.

    Parameters
    ----------
    test_set : TestSet
        The references.
    tokenizer : TokenizerSpec
        Splits them into words.

    Returns
    -------
    ndarray of float64, shape (n_segments,)

    Raises
    ------
    InputError
        If there are no references.
    """
    if not test_set.references:
        raise InputError("no references, so no lengths of references: add REF..., or --by doc")
    pipeline, tokenization = Pipeline((), tokenizer, ()), Tokenization()
    lengths = [
        tokenization.tokenize(stream, [pipeline])[pipeline].lengths
        for stream in test_set.references
    ]
    there = [~stream.missing for stream in test_set.references]
    mean: NDArray[np.float64] = np.average(lengths, axis=0, weights=there)
    return mean


def by_length(lengths: NDArray[np.float64], bounds: Iterable[int] = LENGTHS) -> list[Subset]:
    """Divide segments into bands of length.

    Parameters
    ----------
    lengths : ndarray of float64, shape (n_segments,)
        Length of the references of each segment in words.
    bounds : iterable of int
        Lengths at which a new band begins, in ascending order.

    Returns
    -------
    list of Subset
        The bands that have segments. A mean length between two bands belongs to the lower one.

    Examples
    --------
    >>> parts = by_length(np.array([4, 30, 9.5]), [10, 20])
    >>> [(part.name, part.segments.tolist()) for part in parts]
    [('0-9', [0, 2]), ('20-', [1])]
    """
    starts = [0, *bounds]
    band = np.searchsorted(starts, lengths, side="right") - 1
    ends = [*(str(start - 1) for start in starts[1:]), ""]
    bands = enumerate(zip(starts, ends, strict=True))
    parts = (
        Subset("length", f"{low}-{high}", np.flatnonzero(band == k)) for k, (low, high) in bands
    )
    return [part for part in parts if len(part.segments)]


def by_document(test_set: TestSet) -> list[Subset]:
    """Divide segments by their documents, in the order of these.

    Raises
    ------
    InputError
        If the documents are not known.
    """
    return [Subset("doc", name, np.array(own)) for name, own in test_set.places.items()]


def by_domain(test_set: TestSet) -> list[Subset]:
    """Divide segments by their domains, in the order of these.

    Raises
    ------
    InputError
        If the domains are not known.
    """
    if test_set.domains is None:
        raise InputError("the domains are not known: pass the domain of each segment")
    of_segments, names = np.array(test_set.domains, object), dict.fromkeys(test_set.domains)
    return [Subset("domain", name, np.flatnonzero(of_segments == name)) for name in names]
