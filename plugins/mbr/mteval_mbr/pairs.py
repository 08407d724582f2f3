"""Pairs of a hypothesis and a reference, for every one of both: texts, views, rows and scores.

Each distinct text is tokenized once. A pair is two places among the texts, so the segments that a
metric gets repeat places and not texts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import (
    InputError,
    References,
    SegmentError,
    State,
    TestSet,
    Text,
    TextCorpus,
    TokenizedCorpus,
    Tokens,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Scorer

    Places = NDArray[np.int64]
    View = TokenizedCorpus | TextCorpus | Tokens

__all__ = ["Pairs", "Side"]


class Side(NamedTuple):
    """The hypotheses, or the references.

    Parameters
    ----------
    places : ndarray of int64, shape (n_distinct,)
        Place of each distinct text among the texts of both sides.
    distinct : ndarray of int64, shape (n_texts,)
        Which of the distinct texts each text is.
    """

    places: Places
    distinct: Places

    def first(self, k: int) -> int:
        """Return the number of the first text that is the k-th distinct one."""
        return int(np.argmax(self.distinct == k))


class Pairs:
    """The distinct texts of both sides, and the rows and scores of pairs of them.

    Parameters
    ----------
    scorer : Scorer
        The metric.
    hypotheses, references : sequence of str
        The texts of both sides; None stands for the hypotheses.
    source : str or None
        The source of all segments.

    Attributes
    ----------
    hypotheses, references : Side
        The distinct texts of both sides.
    is_prepared : bool
        Whether the metric is prepared on references.

    Raises
    ------
    UsageError
        If the metric uses no references, or has only scores from outside.
    InputError
        If there is no hypothesis or no reference, one of them is not a string, or the metric needs
        a source that is not there.
    """

    def __init__(
        self,
        scorer: Scorer,
        hypotheses: Sequence[str],
        references: Sequence[str] | None,
        source: str | None,
    ) -> None:
        refuse_without_pairs(scorer)
        one = checked(hypotheses, "the hypotheses")
        other = one if references is None else checked(references, "the references")
        places: dict[str | None, int] = {}
        for text in (*one, *other):
            places.setdefault(text, len(places))
        self.hypotheses: Side = side_of(one, places)
        self.references: Side = side_of(other, places)
        self.scorer = scorer
        texts = Text.of(list(places))
        sources = None if source is None else checked([source] * len(texts), "the source")
        self._state = State(scorer, TestSet((texts,), source=sources))
        # The references are not used: those of a pair are among the hypotheses of all texts.
        unused = [[""] * len(texts)]
        self._texts: Mapping[str, Any] = self._state.views(texts, unused, source=sources)
        self.is_prepared: bool = self.bound(np.zeros(1, np.int64)) is not self._state

    def bound(self, references: Places) -> State:
        """Prepare the metric on some references, if it has a ``prepare`` method."""
        places = self.references.places[references]
        every = self._texts.items()
        return self._state.prepared({name: copied(view, places) for name, view in every})

    def rows(self, bound: State, h: Places, r: Places) -> Any:
        """Compute the rows of the pairs of hypotheses h and references r, as `State.rows`."""
        places = self.hypotheses.places[h], self.references.places[r]
        try:
            return bound.rows({name: paired(view, *places) for name, view in self._texts.items()})
        except SegmentError as error:
            one = self.hypotheses.first(h[error.segment])
            other = self.references.first(r[error.segment])
            raise InputError(
                f"hypothesis {one} with reference {other}: {self.scorer.label} cannot score them: "
                f"{error.reason}; leave them out, or take another metric"
            ) from error

    def scores(self, h: Places, r: Places) -> NDArray[np.float64]:
        """Score pairs as `sentence_score` does, shape (n_pairs,).

        If the metric is prepared, the pairs have one reference in common.
        """
        bound = self.bound(r[:1]) if self.is_prepared else self._state
        return bound.scorer.scores(self.rows(bound, h, r))


def refuse_without_pairs(scorer: Scorer) -> None:
    """Raise a `UsageError` if a metric does not compare hypotheses with references."""
    refuse_scores_from_outside(scorer)
    if scorer.declaration.references == "none":
        raise UsageError(
            f"no matrix of the metric {scorer.spec}: it uses no references, so all columns would "
            "be equal: score each hypothesis on its own, with mteval score --level segment"
        )


def refuse_scores_from_outside(scorer: Scorer) -> None:
    """Raise a `UsageError` if another program computed the scores of a metric."""
    if scorer.setup.outside:
        raise UsageError(
            f"no scores of n-best lists by the metric {scorer.spec}: its scores come from a file, "
            f"which has none of other texts"
        )


def checked(texts: Sequence[str], what: str) -> Text:
    """Return strings as a text; refuse none, or a missing one."""
    text = Text.of(texts, what)
    missing = np.flatnonzero(text.missing)
    if not len(text) or len(missing):
        seen = f"text {missing[0]} is missing" if len(missing) else "there are none"
        raise InputError(f"{what}: {seen}; expected one string or more, even if empty")
    return text


def paired(view: View, hypotheses: Places, references: Places) -> View:
    """Return segments with a hypothesis and a reference each, over the same ids."""
    if isinstance(view, Tokens):  # of the source, which is the same everywhere
        return shared(view, np.zeros_like(references))
    if isinstance(view, TextCorpus):
        texts = [view.hypotheses[i] for i in hypotheses.tolist()]
        sources = None if view.sources is None else view.sources[:1] * len(texts)
        own = type(view.references)([view.hypotheses[i]] for i in references.tolist())
        return TextCorpus(texts, own, sources)
    one, other = (shared(view.hypotheses, each) for each in (hypotheses, references))
    return corpus(one, other, view)


def copied(view: View, places: Places) -> View:
    """Return segments with texts as references, over their own ids: a metric is prepared on them.

    The hypotheses are the same texts.
    """
    if isinstance(view, TextCorpus):
        return paired(view, places, places)
    if isinstance(view, Tokens):
        return alone(view, np.zeros_like(places))
    texts = alone(view.hypotheses, places)
    return corpus(texts, texts, view)


def corpus(hypotheses: Tokens, references: Tokens, view: TokenizedCorpus) -> TokenizedCorpus:
    """Make a corpus of texts with one reference each, with the vocabulary of a view."""
    ids, starts, ends, breaks = (
        references.ids,
        references.starts,
        references.ends,
        references.breaks,
    )
    one_each = References(ids, starts, ends, np.arange(len(starts) + 1), breaks=breaks)
    return TokenizedCorpus(hypotheses, one_each, view.vocabulary)


def shared(tokens: Tokens, places: Places) -> Tokens:
    """Return the texts at some places, over the same ids."""
    return replace(tokens, starts=tokens.starts[places], ends=tokens.ends[places])


def alone(tokens: Tokens, places: Places) -> Tokens:
    """Return the texts at some places, over their own ids."""
    lengths = tokens.lengths[places]
    ends = np.cumsum(lengths)
    kept = np.arange(lengths.sum()) + np.repeat(tokens.ends[places] - ends, lengths)
    breaks = np.flatnonzero(np.isin(kept, tokens.breaks))
    return Tokens(tokens.ids[kept], ends - lengths, ends, breaks=breaks)


def side_of(texts: Text, places: Mapping[str | None, int]) -> Side:
    """List the places of texts, each once, and which of them each text has."""
    return Side(*np.unique([places[text] for text in texts], return_inverse=True))
