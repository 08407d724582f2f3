"""Scores that another program computed, as a metric: a row is a score and the number of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core._version import __version__
from mteval_core.data.joining import refuse_unequal, rows_by_id
from mteval_core.errors import InputError, UsageError
from mteval_core.metrics.scorer import Scorer
from mteval_core.metrics.segment_mean import Mean
from mteval_core.plugin.declarations import MetricSpec
from mteval_core.plugin.registry import HOST, Entry, Plugin
from mteval_core.signature import Signature
from mteval_core.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.data.outside import OutsideScores
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.pipeline import Pipeline
    from mteval_core.text.text import TestSet
    from mteval_core.text.tokens import CorpusView

__all__ = ["OutsideScorer", "distinct", "scorer_of"]

HOST_PLUGIN = Plugin("host", HOST, __version__)

DIGITS = 12
"""Number of hexadecimal digits of the hash in a signature."""

PARTS = ("segment", "doc", "system")
"""What may be scored, from small to large."""


def scorer_of(scores: OutsideScores, registry: Registry) -> OutsideScorer:
    """Make a metric of scores that another program computed."""
    declaration = MetricSpec(
        scores.name,
        factory=Mean,
        values={"score": 1},
        better=scores.better,
        bounds=(-np.inf, np.inf),
    )
    return OutsideScorer(
        spec=Spec(scores.name),
        entry=Entry(declaration, HOST_PLUGIN),
        plugins=(),
        fields={"file": (scores.sha256[:DIGITS],), "better": (scores.better,)},
        options={},
        pipelines={},
        implementation=Mean(),
        registry=registry,
        scales={"score": 1.0},
        given=scores,
    )


class OutsideScorer(Scorer, eq=False):
    """A metric whose scores come from a file.

    Parameters
    ----------
    given : OutsideScores
        The scores.
    """

    given: OutsideScores

    def rows(
        self,
        corpora: Mapping[Pipeline, CorpusView],  # noqa: ARG002 - of metrics that are computed
        of: tuple[str, TestSet],
        threads: int = 1,  # noqa: ARG002
    ) -> NDArray[np.float64]:
        """Return the scores of a system on a test set as rows, shape (n_segments, 2).

        Raises
        ------
        InputError
            If the system has no scores, or not one for each part of the test set.
        """
        scores, (system, test_set) = self.given, of
        if system not in scores.values:
            known = ", ".join(scores.values)
            message = f"{self.where}: no scores of the system {system!r}; it has those of {known}"
            raise InputError(message)
        values = np.atleast_1d(np.asarray(scores.values[system], np.float64))
        places, names = places_of(scores.level, test_set)
        if scores.ids is not None and names is not None:
            rows = rows_by_id(scores.ids, self.where)
            refuse_unequal(rows, names, self.where)
            values = values[[rows[name] for name in names]]
        if len(values) != len(places):
            message = (
                f"{self.where}: {len(values)} scores of the system {system!r}; the test set has "
                f"{len(places)}; expected one per {scores.level}"
            )
            raise InputError(message)
        table = np.zeros((len(test_set), 2))
        table[places] = np.stack([values, np.ones(len(values))], axis=1)
        return table

    @property
    def where(self) -> str:
        """The metric and its file, for messages."""
        return f"{self.given.path}: {self.given.name}" if self.given.path else self.given.name

    def need_parts(self, level: Literal["segment", "doc"]) -> None:
        """Raise a `UsageError` if only larger parts of the test set have a score."""
        if PARTS.index(self.given.level) > PARTS.index(level):
            message = (
                f"{self.where} has a score per {self.given.level}, not per {level}: no scores, "
                f"intervals or tests of {level}s; leave out the metric, or these"
            )
            raise UsageError(message)

    def get_signature(
        self,
        references: Any = None,  # noqa: ARG002 - the scores do not depend on them
        drawn: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Signature:
        """Return the signature: the hash of the file, and how intervals were drawn."""
        return Signature(self.label, {**(drawn or {}), **self.fields, "version": (__version__,)})


def distinct(scorers: Iterable[Scorer]) -> dict[str, Scorer]:
    """Return metrics by their specs, each of them once.

    Raises
    ------
    UsageError
        If scores from outside have the name of a metric, or two different metrics the same spec.
    """
    found: dict[str, Scorer] = {}
    given = list(scorers)
    own = [scorer for scorer in given if not isinstance(scorer, OutsideScorer)]
    metrics = {name: scorer.spec for scorer in own for name in (scorer.label, str(scorer.spec))}
    for scorer in given:
        if isinstance(scorer, OutsideScorer) and scorer.label in metrics:
            message = (
                f"{scorer.where}: {scorer.label} is the name of the metric {metrics[scorer.label]} "
                f"too: give the scores another name"
            )
            raise UsageError(message)
        spec = str(scorer.spec)
        if found.setdefault(spec, scorer).fields != scorer.fields:
            message = f"two different metrics have the spec {spec!r}"
            raise UsageError(message)
    return found


def places_of(level: str, test_set: TestSet) -> tuple[Sequence[int], tuple[str, ...] | None]:
    """Return the segments whose rows hold the scores, and the names of what is scored."""
    if level == "system":
        return [0], None
    if level == "segment":
        return range(len(test_set)), test_set.ids
    if test_set.documents is None:
        message = "scores of documents need the documents of the test set: add --docs or --data"
        raise UsageError(message)
    first: dict[str, int] = {}
    for place, name in enumerate(test_set.documents):
        first.setdefault(name, place)
    return list(first.values()), tuple(first)
