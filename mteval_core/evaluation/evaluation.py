"""Evaluations: scores, with the intervals and comparisons that were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mteval_core._version import __version__
from mteval_core.errors import UsageError
from mteval_core.evaluation import records
from mteval_core.evaluation.comparison import Draw, compare, confidence
from mteval_core.evaluation.scores import Scores
from mteval_core.metrics.contract import Score
from mteval_core.plugin.declarations import ResamplerSpec, load
from mteval_core.plugin.loading import default_registry
from mteval_core.signature import DRAWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.comparison import Comparison, Test
    from mteval_core.evaluation.resampling import Interval
    from mteval_core.evaluation.scores import By, Level
    from mteval_core.plugin.registry import Registry
    from mteval_core.signature import Signature

__all__ = ["Evaluation"]

USUAL = {"resampler": "bootstrap", "by": "segment"}
"""How resamples are drawn by default; a signature does not state it."""


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Scores):
    """Systems scored by metrics. Call `mteval_core.evaluate` to make one.

    ``print(evaluation)`` prints the table of the command line; a notebook shows it as HTML.

    Parameters
    ----------
    test_set : TestSet
        The references, and the documents if they are known.
    runs : mapping of str to tuple of str
        The systems in the order given, each with the names of its runs. A system with one run has
        its own name here.
    texts : mapping of str to Text
        The outputs by run.
    scorers : mapping of str to Scorer
        The metrics by spec, in the order given, bound to the references.
    totals : mapping of (str, str) to ndarray of float64, shape (k,)
        The sum of the rows by run and spec.
    rows : mapping of (str, str) to ndarray of float64, shape (n_segments, k)
        The rows by run and spec. Empty if they were not kept.
    humans : mapping of str to Human
        The systems that are references.
    intervals : mapping of (str, str) to Interval
        Intervals of the scores by system and spec; `confidence` computes them.
    comparisons : mapping of (str, str, str) to Comparison
        Tests by system, baseline and spec; `compare` runs them.
    drawn : mapping of str to tuple of str
        Signature fields that say how intervals and comparisons were drawn.
    """

    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)
    comparisons: Mapping[tuple[str, str, str], Comparison] = field(default_factory=dict)
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def all_pairs(self) -> bool:
        """Whether the comparisons have more than one baseline."""
        return len({baseline for _, baseline, _ in self.comparisons}) > 1

    def signature(self, system: str, spec: str) -> Signature:
        """Return the signature of a score."""
        test_set = self.humans[system].test_set if system in self.humans else self.test_set
        return self.scorer(system, spec).get_signature(test_set, drawn=self.drawn)

    def score(self, system: str, spec: str) -> Score:
        """Return the corpus score of one system under one metric, the mean over its runs.

        Raises
        ------
        UsageError
            If the evaluation has no such system or metric.
        """
        scorer = self.scorer(system, spec)
        values = scorer.named(self.values(system, spec)[0])
        return Score(
            name=scorer.label,
            score=values[scorer.main],
            values=values,
            n_segments=len(self.test_set),
            signature=self.signature(system, spec),
        )

    def confidence(
        self,
        n: int = 1000,
        level: float = 95.0,
        *,
        seed: int = 12345,
        by: By = "segment",
        resampler: str = "bootstrap",
        registry: Registry | None = None,
    ) -> Evaluation:
        """Add a percentile interval to every score.

        Parameters
        ----------
        n : int
            Number of resamples.
        level : float
            Confidence level in percent.
        seed : int
            Seed of the resampler.
        by : {"segment", "doc"}
            The unit that is drawn.
        resampler : str
            Name of the resampler.
        registry : Registry, optional
            Where to look the resampler up. Default: everything that is installed.

        Returns
        -------
        Evaluation
            A copy with `intervals`.

        Raises
        ------
        UsageError
            If the number of resamples or the level is out of range, or there is no such resampler.
        """
        registry = default_registry() if registry is None else registry
        draw = load(registry.find(ResamplerSpec, resampler).declaration.function)
        if n < 1 or not 0 < level < 100:
            message = f"{n} resamples at level {level}: expected one or more, and 0 < level < 100"
            raise UsageError(message)
        intervals = confidence(self, n, level, seed=seed, by=by, resampler=draw)
        drawn = self._drawn(bs=n, seed=seed, resampler=resampler, by=by)
        return replace(self, intervals=intervals, drawn=drawn)

    def compare(
        self,
        test: Test = "ar",
        n: int | None = None,
        *,
        seed: int = 12345,
        by: By = "segment",
        correct: str = "holm",
        all_pairs: bool = False,
        level: float = 95.0,
    ) -> Evaluation:
        """Test the difference between every system and the first, or between all pairs of systems.

        Parameters
        ----------
        test : {"ar", "bs"}
            Paired approximate randomisation, or paired bootstrap.
        n : int, optional
            Number of trials (default: 10,000) or resamples (default: 1000). If there are no more
            possible exchanges than trials, the test enumerates them all.
        seed : int
            Seed of ``numpy.random.default_rng``.
        by : {"segment", "doc"}
            The unit that is drawn or exchanged.
        correct : {"holm", "bh", "none"}
            Correction for the number of comparisons under one metric.
        all_pairs : bool
            Whether to compare every system with every other.
        level : float
            Confidence level of the intervals of the differences, in percent.

        Returns
        -------
        Evaluation
            A copy with `comparisons`.

        Raises
        ------
        UsageError
            If there are fewer than two systems.
        """
        draw = Draw(test, n, seed=seed, by=by, level=level)
        comparisons = compare(self, draw, correct, all_pairs=all_pairs)
        comparison = next(iter(comparisons.values()))
        trials = {"bs": comparison.interval.n, test: comparison.n}
        drawn = self._drawn(**trials, seed=seed, by=by)
        return replace(self, comparisons=comparisons, drawn=drawn)

    def _drawn(self, **settings: str | int) -> dict[str, tuple[str, ...]]:
        """Merge signature fields of a draw with those that are signed already."""
        given = {k: (str(value),) for k, value in settings.items() if USUAL.get(k) != value}
        fields = {**self.drawn, **given}
        return {key: fields[key] for key in DRAWN if key in fields}

    # Results

    def to_records(self, level: Level = "corpus") -> list[dict[str, Any]]:
        """Return one tidy record per system and metric, and per document or segment.

        See `mteval_core.evaluation.records` for the keys.
        """
        return [
            record
            for spec in self.scorers
            for system in self.runs
            for record in self._records(system, spec, level)
        ]

    def _records(self, system: str, spec: str, level: Level) -> Iterator[dict[str, Any]]:
        """Write the records of one system under one metric, part by part."""
        scorer = self.scorer(system, spec)
        signature = str(self.signature(system, spec))
        findings = self._findings(system, spec) if level == "corpus" else records.findings()
        ids, sizes = self.groups(level)
        parts = zip(ids, sizes.tolist(), self.values(system, spec, level), strict=True)
        for part, n_segments, row in parts:
            values = scorer.named(row)
            yield {
                "system": system,
                "metric": spec,
                "level": level,
                "id": part,
                "score": values[scorer.main],
                "values": values,
                "n_segments": n_segments,
                "signature": signature,
                **findings,
            }

    def _findings(self, system: str, spec: str) -> dict[str, Any]:
        """Write what intervals, comparisons and spreads say of a corpus score."""
        baseline = self.systems[0]
        return records.findings(
            self.intervals.get((system, spec)),
            self.comparisons.get((system, baseline, spec)),
            baseline=baseline,
            all_pairs=self.all_pairs,
            runs=self.run_scores(system, spec) if len(self.runs[system]) > 1 else None,
            jackknife=self.jackknife_scores(system, spec),
        )

    def inputs(self) -> dict[str, Any]:
        """List the texts: paths, for those read from files, and SHA-256 of the cleaned lines."""
        return records.inputs(self)

    def to_dict(self, level: Level = "corpus") -> dict[str, Any]:
        """Return version, inputs and records, as the JSON format writes them."""
        return {
            "mteval": __version__,
            "inputs": self.inputs(),
            "records": self.to_records(level),
        }

    def to_dataframe(self, level: Level = "corpus") -> Any:
        """Return the records as a pandas ``DataFrame`` with one column per value.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd  # pyright: ignore[reportMissingImports] - optional

        return pd.json_normalize(self.to_records(level))

    def __repr__(self) -> str:
        counts = f"{len(self.runs)} systems, {len(self.scorers)} metrics"
        return f"<Evaluation: {counts}, {len(self.test_set)} segments>"

    def __str__(self) -> str:
        return self._displayed("text")

    def _repr_html_(self) -> str:
        return self._displayed("html")

    def _repr_latex_(self) -> str:
        return self._displayed("latex")

    def _displayed(self, form: str) -> str:
        # Named, not imported: reports are built on top of evaluations.
        return str(load(f"mteval_core.report.display:{form}")(self))
