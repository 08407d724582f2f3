"""Evaluations: systems scored by metrics, and everything that can be read off the rows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import mteval_core
from mteval_core.contract import Score
from mteval_core.errors import InputError, UsageError
from mteval_core.plugin.registry import default_registry
from mteval_core.scorer import Scorer, as_corpus, as_text, metric, score_systems

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core.plugin.registry import Registry
    from mteval_core.spec import Spec
    from mteval_core.text.corpus import Corpus, Text

__all__ = ["Evaluation", "Level", "evaluate"]

Level = Literal["corpus", "doc", "segment"]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Systems by metrics. Made by `evaluate`.

    Parameters
    ----------
    corpus : Corpus
        The references, and the documents if they are known.
    systems : mapping of str to Text
        The outputs by name of the system, in the order given.
    scorers : mapping of str to Scorer
        The metrics by spec, in the order given, bound to the references.
    totals : mapping of (str, str) to ndarray of float64, shape (k,)
        Sum of the rows of each system and spec.
    rows : mapping of (str, str) to ndarray of float64, shape (n_segments, k)
        The rows themselves; empty if they were not kept.
    """

    corpus: Corpus
    systems: Mapping[str, Text]
    scorers: Mapping[str, Scorer]
    totals: Mapping[tuple[str, str], NDArray[np.float64]]
    rows: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)

    def score(self, system: str, spec: str) -> Score:
        """Corpus score of one system under one metric.

        Raises
        ------
        UsageError
            If there is no such system or metric in this evaluation.
        """
        if (system, spec) not in self.totals:
            message = (
                f"no score of system {system!r} under {spec!r}; "
                f"systems: {', '.join(self.systems)}; metrics: {', '.join(self.scorers)}"
            )
            raise UsageError(message)
        scorer = self.scorers[spec]
        signature = scorer.get_signature(self.corpus)
        return scorer.result(self.totals[system, spec], len(self.corpus), signature)

    def groups(self, level: Level) -> tuple[list[Any], NDArray[np.int64]]:
        """Parts of the corpus at a level: their ids, and the number of segments in each.

        Raises
        ------
        InputError
            For documents, if they are not known.
        """
        n = len(self.corpus)
        if level == "corpus":
            return [None], np.array([n])
        if level == "segment":
            return list(range(n)), np.ones(n, np.int64)
        if self.corpus.documents is None:
            message = "the documents are not known: give the document id of each segment"
            raise InputError(message)
        ids = list(dict.fromkeys(self.corpus.documents))
        place = {document: i for i, document in enumerate(ids)}
        return ids, np.bincount([place[document] for document in self.corpus.documents])

    def sums(self, system: str, spec: str, level: Level) -> NDArray[np.float64]:
        """Add up the rows of each part of the corpus, shape (n_parts, k)."""
        if level == "corpus":
            return self.totals[system, spec][None]
        if not self.rows:
            message = "the rows were not kept: evaluate with keep_rows=True"
            raise UsageError(message)
        rows = self.rows[system, spec]
        if level == "segment":
            return rows
        ids, sizes = self.groups(level)
        place = {document: i for i, document in enumerate(ids)}
        documents = self.corpus.documents or ()
        order = np.argsort([place[document] for document in documents], kind="stable")
        sums: NDArray[np.float64] = np.add.reduceat(rows[order], np.cumsum(sizes) - sizes, axis=0)
        return sums

    def records(self, level: Level = "corpus") -> list[dict[str, Any]]:
        """One tidy record per system and metric, and per document or segment.

        Returns
        -------
        list of dict
            With the keys ``system``, ``metric`` (the spec), ``level``, ``id`` (document id, or
            number of the segment from 0), ``score``, ``values``, ``n_segments``, ``signature``,
            ``ci``, ``p_value`` and ``baseline``; unrounded, in the scales of the values.
        """
        ids, sizes = self.groups(level)
        records = []
        for spec, scorer in self.scorers.items():
            signature = str(scorer.get_signature(self.corpus))
            for system in self.systems:
                values = scorer.values(self.sums(system, spec, level))
                for part, size, row in zip(ids, sizes.tolist(), values.tolist(), strict=True):
                    named = dict(zip(scorer.scales, row, strict=True))
                    records.append(
                        {
                            "system": system,
                            "metric": spec,
                            "level": level,
                            "id": part,
                            "score": named[scorer.main],
                            "values": named,
                            "n_segments": size,
                            "signature": signature,
                            "ci": None,
                            "p_value": None,
                            "baseline": None,
                        }
                    )
        return records

    def inputs(self) -> dict[str, Any]:
        """Paths of the texts, where they came from files, and SHA-256 of their cleaned lines."""

        def source(text: Text) -> dict[str, str | None]:
            return {"path": text.path, "sha256": hashlib.sha256(text.buffer).hexdigest()}

        documents = self.corpus.documents
        joined = None if documents is None else "".join(f"{d}\n" for d in documents).encode()
        return {
            "references": [source(stream) for stream in self.corpus.references],
            "systems": {name: [source(text)] for name, text in self.systems.items()},
            "docs": None if joined is None else {"sha256": hashlib.sha256(joined).hexdigest()},
        }

    def to_dict(self, level: Level = "corpus") -> dict[str, Any]:
        """Version, inputs and records: what the JSON format writes."""
        return {
            "mteval": mteval_core.__version__,
            "inputs": self.inputs(),
            "records": self.records(level),
        }


def evaluate(
    systems: Mapping[str, Sequence[str] | Text],
    references: Sequence[Sequence[str | None]] | Corpus,
    specs: Iterable[str | Spec | Scorer] | None = None,
    *,
    documents: Sequence[str] | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    keep_rows: bool = True,
    progress: bool = False,
) -> Evaluation:
    """Score systems under metrics.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        Hypotheses by name of the system, one per segment. The first system is the baseline.
    references : sequence of sequence of str
        One sequence per reference stream; None where a segment lacks that reference.
    specs : iterable of str, optional
        The metrics; those that declare themselves of the default set, unless given.
    documents : sequence of str, optional
        Document id of each segment.
    registry : Registry, optional
        Where to look for metrics; all that is installed, unless given.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok`` and ``stem`` for all metrics that have them.
    threads : int
        How many threads count; the results do not depend on it.
    keep_rows : bool
        Whether to keep the rows of all segments, which documents and segments need.
    progress : bool
        Whether to show a progress bar on a terminal when it takes long.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        If there is no system or metric, or no such metric, tokenizer, normalizer or option.
    InputError
        If there are not equally many segments everywhere, or none, or a segment lacks every
        reference.
    PluginError
        If a plugin asked for is broken or ambiguous.
    """
    if not systems:
        message = "no system to score"
        raise UsageError(message)
    registry = default_registry() if registry is None else registry
    if specs is None:
        entries = registry.of_kind("metrics")
        specs = [e.declaration.name for e in entries if e.declaration.in_default_set]
    ready = [
        spec if isinstance(spec, Scorer) else metric(spec, registry=registry, defaults=defaults)
        for spec in specs
    ]
    scorers = {str(scorer.spec): scorer for scorer in ready}
    if not scorers:
        message = "no metric to score with: name one, or install a plugin that has one"
        raise UsageError(message)
    texts = {name: as_text(segments, name) for name, segments in systems.items()}
    corpus = as_corpus(references, documents, n_hypotheses=len(next(iter(texts.values()))))

    totals, rows = {}, {}
    steps = score_systems(list(scorers.values()), texts, corpus, threads)
    if progress:
        from tqdm import tqdm

        steps = tqdm(steps, total=len(texts) * len(scorers), unit="score", delay=1, leave=False)
    for system, scorer, found in steps:
        spec = str(scorer.spec)
        scorers[spec] = scorer
        totals[system, spec] = found.sum(axis=0)
        if keep_rows:
            rows[system, spec] = found
    return Evaluation(corpus, texts, scorers, totals, rows)
