"""Evaluations: systems scored by metrics, and everything that can be read off the rows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mteval_core._version import __version__
from mteval_core.errors import InputError, UsageError
from mteval_core.evaluation.comparison import (
    compare,
    confidence,
    main_score,
    mean_scores,
    unit_rows,
)
from mteval_core.evaluation.resampling import pseudo_documents, weighted_totals
from mteval_core.metrics.contract import Score
from mteval_core.metrics.jackknife import Jackknife
from mteval_core.plugin.declarations import load
from mteval_core.plugin.loading import default_registry
from mteval_core.signature import DRAWN
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mteval_core.evaluation.comparison import By, Comparison, Test
    from mteval_core.evaluation.resampling import Interval
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.signature import Signature

__all__ = ["Evaluation", "Human", "Level"]

Level = Literal["corpus", "doc", "segment"]


@dataclass(frozen=True, eq=False)
class Human:
    """A reference as a system: what it is scored against, and with.

    Parameters
    ----------
    test_set : TestSet
        The other references.
    scorers : mapping of str to Scorer
        The metrics by spec, bound to them, not jackknifed.
    """

    test_set: TestSet
    scorers: Mapping[str, Scorer]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Systems by metrics. Made by `mteval_core.evaluate`.

    Parameters
    ----------
    test_set : TestSet
        The references, and the documents if they are known.
    runs : mapping of str to tuple of str
        The systems in the order given, each with the names of its runs: its own name, if there is
        only one.
    texts : mapping of str to Text
        The outputs by run.
    scorers : mapping of str to Scorer
        The metrics by spec, in the order given, bound to the references.
    totals : mapping of (str, str) to ndarray of float64, shape (k,)
        Sum of the rows of each run and spec.
    rows : mapping of (str, str) to ndarray of float64, shape (n_segments, k)
        The rows themselves; empty if they were not kept.
    humans : mapping of str to Human
        Which of the systems are references.
    intervals : mapping of (str, str) to Interval
        Of the scores by system and spec; made by `confidence`.
    comparisons : mapping of (str, str, str) to Comparison
        By system, baseline and spec; made by `compare`.
    drawn : mapping of str to tuple of str
        Signature fields that say how intervals and comparisons were drawn.
    """

    test_set: TestSet
    runs: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, Text]
    scorers: Mapping[str, Scorer]
    totals: Mapping[tuple[str, str], NDArray[np.float64]]
    rows: Mapping[tuple[str, str], NDArray[np.float64]] = field(default_factory=dict)
    humans: Mapping[str, Human] = field(default_factory=dict)
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)
    comparisons: Mapping[tuple[str, str, str], Comparison] = field(default_factory=dict)
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def systems(self) -> list[str]:
        """Names of the systems, in the order given, people last."""
        return list(self.runs)

    @property
    def single_runs(self) -> bool:
        """Whether every system has one run."""
        return all(len(runs) == 1 for runs in self.runs.values())

    @property
    def all_pairs(self) -> bool:
        """Whether the comparisons are with more than one baseline."""
        return len({baseline for _, baseline, _ in self.comparisons}) > 1

    def scorer(self, system: str, spec: str) -> Scorer:
        """Metric that a system is scored with: people are not jackknifed.

        Raises
        ------
        UsageError
            If there is no such system or metric in this evaluation.
        """
        if system not in self.runs or spec not in self.scorers:
            message = (
                f"no score of system {system!r} under {spec!r}; "
                f"systems: {', '.join(self.runs)}; metrics: {', '.join(self.scorers)}"
            )
            raise UsageError(message)
        return self.humans[system].scorers[spec] if system in self.humans else self.scorers[spec]

    def signature(self, system: str, spec: str) -> Signature:
        """Signature of a score."""
        test_set = self.humans[system].test_set if system in self.humans else self.test_set
        return self.scorer(system, spec).get_signature(test_set, drawn=self.drawn)

    def score(self, system: str, spec: str) -> Score:
        """Corpus score of one system under one metric, the mean over its runs.

        Raises
        ------
        UsageError
            If there is no such system or metric in this evaluation.
        """
        scorer = self.scorer(system, spec)
        values = self.values(system, spec)[0].tolist()
        named = dict(zip(scorer.scales, values, strict=True))
        signature = self.signature(system, spec)
        return Score(scorer.label, named[scorer.main], named, len(self.test_set), signature)

    def values(self, system: str, spec: str, level: Level = "corpus") -> NDArray[np.float64]:
        """All values of a system for every part of the corpus, shape (n_parts, v)."""
        scorer = self.scorer(system, spec)
        mean: NDArray[np.float64] = np.mean(
            [scorer.values(self.sums(run, spec, level)) for run in self.runs[system]], axis=0
        )
        return mean

    def run_scores(self, system: str, spec: str) -> NDArray[np.float64]:
        """Corpus scores of the runs of a system, shape (n_runs,)."""
        totals = np.stack([self.totals[run, spec] for run in self.runs[system]])
        return main_score(self, system, spec, totals)

    def groups(self, level: Level) -> tuple[list[Any], NDArray[np.int64]]:
        """Parts of the corpus at a level: their ids, and the number of segments in each.

        Raises
        ------
        InputError
            For documents, if they are not known.
        """
        n = len(self.test_set)
        if level == "corpus":
            return [None], np.array([n])
        if level == "segment":
            return list(range(n)), np.ones(n, np.int64)
        ids, sizes = np.unique(self._places, return_counts=True)
        names = list(dict.fromkeys(self.test_set.documents or ()))
        return [names[i] for i in ids], sizes

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """Number of each segment's document, in order of first appearance."""
        if self.test_set.documents is None:
            message = "the documents are not known: give the document id of each segment"
            raise InputError(message)
        place = {document: i for i, document in enumerate(dict.fromkeys(self.test_set.documents))}
        return np.array([place[document] for document in self.test_set.documents])

    def sums(self, run: str, spec: str, level: Level) -> NDArray[np.float64]:
        """Sums of the rows of a run over the parts of the corpus, shape (n_parts, k)."""
        if level == "corpus":
            return self.totals[run, spec][None]
        if not self.rows:
            message = "the rows were not kept: evaluate with keep_rows=True"
            raise UsageError(message)
        rows = self.rows[run, spec]
        if level == "segment":
            return rows
        _, sizes = self.groups(level)
        order = np.argsort(self._places, kind="stable")
        sums: NDArray[np.float64] = np.add.reduceat(rows[order], np.cumsum(sizes) - sizes, axis=0)
        return sums

    def confidence(
        self,
        n: int = 1000,
        level: float = 95.0,
        seed: int = 12345,
        by: By = "segment",
        resampler: str = "bootstrap",
        registry: Registry | None = None,
    ) -> Evaluation:
        """Give every score an interval: percentiles of resampled scores.

        Parameters
        ----------
        n : int
            Number of resamples.
        level : float
            Confidence level in percent.
        seed : int
            Of the resampler.
        by : {"segment", "doc"}
            What is drawn.
        resampler : str
            Name of the resampler.
        registry : Registry, optional
            Where to look for it; all that is installed, unless given.

        Returns
        -------
        Evaluation
            The same with `intervals`.
        """
        registry = default_registry() if registry is None else registry
        draw = load(registry.find("resamplers", resampler).declaration.function)
        if n < 1 or not 0 < level < 100:
            message = f"{n} resamples at level {level}: expected one or more, and 0 < level < 100"
            raise UsageError(message)
        intervals = confidence(self, n, level, seed, by, draw)
        drawn = _drawn(self.drawn, bs=n, seed=seed, resampler=resampler, by=by)
        return replace(self, intervals=intervals, drawn=drawn)

    def compare(
        self,
        test: Test = "ar",
        n: int | None = None,
        seed: int = 12345,
        by: By = "segment",
        correct: str = "holm",
        *,
        all_pairs: bool = False,
        level: float = 95.0,
    ) -> Evaluation:
        """Test the difference of every system to the first, or of all pairs of systems.

        Parameters
        ----------
        test : {"ar", "bs"}
            Paired approximate randomisation, or paired bootstrap.
        n : int, optional
            Number of trials (10,000 unless given) or resamples (1000). Where there are no more
            ways of exchanging units than trials, all of them are tried.
        seed : int
            Of ``numpy.random.default_rng``.
        by : {"segment", "doc"}
            What is drawn or exchanged.
        correct : {"holm", "bh", "none"}
            Correction for the number of comparisons under one metric.
        all_pairs : bool
            Whether to compare every system with every other.
        level : float
            Confidence level of the interval of the difference, in percent.

        Returns
        -------
        Evaluation
            The same with `comparisons`.

        Raises
        ------
        UsageError
            If there are fewer than two systems.
        """
        comparisons = compare(self, test, n, seed, by, correct, all_pairs=all_pairs, level=level)
        comparison = next(iter(comparisons.values()))
        trials = {"bs": comparison.interval.n, test: comparison.n}
        drawn = _drawn(self.drawn, **trials, seed=seed, by=by)
        return replace(self, comparisons=comparisons, drawn=drawn)

    def documents(
        self, size: int | None = None, count: int = 1000, seed: int = 12345
    ) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Scores of all documents, or of pseudo-documents.

        Parameters
        ----------
        size : int, optional
            Number of segments of a pseudo-document; the real documents, unless given.
        count, seed : int
            Number of pseudo-documents, and how they are drawn; see
            `mteval_core.evaluation.resampling.pseudo_documents`.

        Returns
        -------
        dict of (str, str) to ndarray of float64, shape (n_documents,)
            By system and spec.
        """
        if size is None:
            rows = unit_rows(self, "doc")
        else:
            chunks = pseudo_documents(len(self.test_set), count, seed, size)
            rows = weighted_totals(chunks, unit_rows(self, "segment"))
        return {
            (system, spec): scores
            for spec in self.scorers
            for system, scores in mean_scores(self, rows, spec).items()
        }

    def to_records(self, level: Level = "corpus") -> list[dict[str, Any]]:
        """One tidy record per system and metric, and per document or segment.

        Returns
        -------
        list of dict
            With the keys ``system``, ``metric`` (the spec), ``level``, ``id`` (document id, or
            number of the segment from 0), ``score``, ``values``, ``n_segments``, ``signature``,
            ``ci``, ``p_value`` and ``baseline``; unrounded, in the scales of the values. Beside a
            p-value stands ``difference``, beside several ``runs`` their scores.
        """
        ids, sizes = self.groups(level)
        records = []
        for spec in self.scorers:
            for system in self.runs:
                scorer = self.scorer(system, spec)
                signature = str(self.signature(system, spec))
                found = self._findings(system, spec) if level == "corpus" else NO_FINDINGS
                values = self.values(system, spec, level).tolist()
                for part, size, row in zip(ids, sizes.tolist(), values, strict=True):
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
                            **found,
                        }
                    )
        return records

    def _findings(self, system: str, spec: str) -> dict[str, Any]:
        """What intervals and comparisons say of a score, as fields of its record."""
        found = dict(NO_FINDINGS)
        if (system, spec) in self.intervals:
            found["ci"] = asdict(self.intervals[system, spec])
        baseline = next(iter(self.runs))
        comparison = self.comparisons.get((system, baseline, spec))
        if comparison is not None:
            found |= {"p_value": comparison.p_value, "baseline": baseline}
            found["difference"] = {
                "value": comparison.difference,
                **asdict(comparison.interval),
                "test": comparison.test,
                "trials": comparison.n,
                "exact": comparison.exact,
                "correction": comparison.correction,
                "all_pairs": self.all_pairs,
            }
        if len(self.runs[system]) > 1:
            scores = self.run_scores(system, spec)
            found["runs"] = {"scores": scores.tolist(), "sd": float(scores.std(ddof=1))}
        jackknife = self.scorer(system, spec).implementation
        if isinstance(jackknife, Jackknife):
            scores = self.left_out(system, spec)
            found["jackknife"] = {"low": float(scores.min()), "high": float(scores.max())}
            found["jackknife"] |= {"sd": float(scores.std(ddof=1)), "n": len(scores)}
        return found

    def left_out(self, system: str, spec: str) -> NDArray[np.float64]:
        """Scores against each of the leave-one-out sets of references, shape (N,).

        Their spread is what the choice of the references does to the score.
        """
        scorer = self.scorer(system, spec)
        main = list(scorer.scales).index(scorer.main)
        totals = np.stack([self.totals[run, spec] for run in self.runs[system]])
        scores: NDArray[np.float64] = scorer.implementation.scores(totals)[..., main].mean(axis=1)
        return scores * scorer.scales[scorer.main]

    def to_dataframe(self, level: Level = "corpus") -> Any:
        """Records as a pandas ``DataFrame``, the values as columns of their own.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd

        return pd.json_normalize(self.to_records(level))

    def inputs(self) -> dict[str, Any]:
        """Paths of the texts, where they came from files, and SHA-256 of their cleaned lines."""

        def source(text: Text) -> dict[str, str | None]:
            return {"path": text.path, "sha256": hashlib.sha256(text.buffer).hexdigest()}

        documents = self.test_set.documents
        joined = None if documents is None else "".join(f"{d}\n" for d in documents).encode()
        return {
            "references": [source(stream) for stream in self.test_set.references],
            "systems": {
                system: [source(self.texts[run]) for run in runs]
                for system, runs in self.runs.items()
                if system not in self.humans
            },
            "docs": None
            if joined is None
            else {
                "path": self.test_set.documents_path,
                "sha256": hashlib.sha256(joined).hexdigest(),
            },
        }

    def to_dict(self, level: Level = "corpus") -> dict[str, Any]:
        """Version, inputs and records: what the JSON format writes."""
        return {
            "mteval": __version__,
            "inputs": self.inputs(),
            "records": self.to_records(level),
        }


NO_FINDINGS: dict[str, Any] = {"ci": None, "p_value": None, "baseline": None}


def _drawn(before: Mapping[str, tuple[str, ...]], **fields: Any) -> dict[str, tuple[str, ...]]:
    """Signature fields of what was drawn, in order; the usual way of drawing goes unsaid."""
    usual = {"resampler": "bootstrap", "by": "segment"}
    given = {key: (str(value),) for key, value in fields.items() if usual.get(key) != value}
    merged = {**before, **given}
    return {key: merged[key] for key in DRAWN if key in merged}
