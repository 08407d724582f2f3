"""Segments that make a difference: leave-one-out scores, and n-grams that systems match."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mteval_core import State, TokenizedCorpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core import Evaluation, Scorer

__all__ = ["NgramMatches", "compare_ngrams", "influence"]

LONGEST = 4
"""Largest order of the n-grams that are compared."""

WORDS = "words"
"""Name of the view whose tokens are words."""


def influence(evaluation: Evaluation, pair: tuple[str, str], spec: str) -> NDArray[np.float64]:
    """Compute how much each segment moves the difference of two corpus scores.

    Parameters
    ----------
    evaluation : Evaluation
        Systems under metrics, with their rows.
    pair : (str, str)
        Two systems.
    spec : str
        The metric.

    Returns
    -------
    ndarray of float64, shape (n_segments,)
        The difference, first minus second, minus the same without the segment; in the scale of the
        score. Both are computed from the rows, without approximation.
    """
    scores = evaluation.scores
    runs = [run for system in pair for run in scores.runs[system]]
    totals = {(run, spec): scores.totals[run, spec] - scores.rows[run, spec] for run in runs}
    scorer = scores.scorer(pair[0], spec)
    whole, without = [], []
    for system in pair:
        its = scores.runs[system]
        whole.append(scores.run_scores(system, spec).mean())
        without.append(sum(scorer.scores(totals[run, spec]) for run in its) / len(its))
    moved: NDArray[np.float64] = (whole[0] - whole[1]) - (without[0] - without[1])
    return moved


class NgramMatches(NamedTuple):
    """An n-gram of the references, and how often two systems match it.

    Parameters
    ----------
    ngram : tuple of str
        The tokens.
    first, second : int
        Clipped matches of each system.
    """

    ngram: tuple[str, ...]
    first: int
    second: int


def compare_ngrams(
    evaluation: Evaluation,
    pair: tuple[str, str],
    scorers: Iterable[Scorer],
    segments: Sequence[int],
) -> list[NgramMatches]:
    """List the n-grams of up to four words that one of two systems matches more often.

    Parameters
    ----------
    evaluation : Evaluation
        The texts.
    pair : (str, str)
        Two systems.
    scorers : iterable of Scorer
        The first one with a view of words tokenizes the texts.
    segments : sequence of int
        Numbers of the segments that are compared.

    Returns
    -------
    list of NgramMatches
        Those with the largest differences first; then the longer ones first. Empty if no metric has
        words.
    """
    scorer = next((one for one in scorers if WORDS in one.setup.pipelines), None)
    if scorer is None:
        return []
    test_set, outputs = evaluation.scores.corpus
    texts = {system: outputs[evaluation.scores.runs[system][0]] for system in pair}
    counts: list[Counter[tuple[str, ...]]] = []
    state = State(scorer, test_set)
    for text in texts.values():
        words = state.views(text, test_set)[WORDS]
        assert isinstance(words, TokenizedCorpus)
        matched: Counter[tuple[str, ...]] = Counter()
        for i in segments:
            matched.update(_matches(words, i))
        counts.append(matched)
    first, second = counts
    every = [
        NgramMatches(ngram, first[ngram], second[ngram])
        for ngram in first.keys() | second.keys()
        if first[ngram] != second[ngram]
    ]
    return sorted(every, key=lambda one: (-abs(one.first - one.second), -len(one.ngram), one.ngram))


def _matches(words: TokenizedCorpus, i: int) -> Counter[tuple[str, ...]]:
    """Clipped matches of the n-grams of a segment, of all orders."""
    hypothesis, references = words.segment(i)
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= _ngrams(reference)
    return _ngrams(hypothesis) & most


def _ngrams(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(tokens[i : i + n]) for n in range(1, LONGEST + 1) for i in range(len(tokens) - n + 1)
    )
