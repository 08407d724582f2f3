"""Evaluations: scores, with the intervals and comparisons that were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from itertools import chain
from math import isnan
from typing import TYPE_CHECKING, Any

from mteval_core._version import __version__
from mteval_core.frozen import Frozen
from mteval_core.metrics.scorer import make_score, sign, signed_coverage
from mteval_core.plugin.declarations import CommandSpec, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mteval_core.evaluation.comparison import Comparison
    from mteval_core.evaluation.intervals import Interval, IntervalKind
    from mteval_core.evaluation.p_values import Test
    from mteval_core.evaluation.scores import By, Level, Scores
    from mteval_core.metrics.contract import Score
    from mteval_core.metrics.scorer import Scorer
    from mteval_core.plugin.registry import Registry
    from mteval_core.signature import Signature


class Evaluation(Frozen, eq=False):
    """Systems scored by metrics. Call `mteval_core.evaluate` to make one.

    ``print(evaluation)`` prints the table of the command line; a notebook shows it as HTML.

    Parameters
    ----------
    scores : Scores
        The test set, the outputs, and the rows and totals from which all scores follow.
    intervals : mapping of (str, str) to Interval
        Intervals of the scores by system and spec; `confidence` computes them.
    comparisons : mapping of (str, str, str) to Comparison
        Tests by system, baseline and spec; `compare` runs them.
    drawn : mapping of str to tuple of str
        Signature fields that say how intervals and comparisons were drawn.
    """

    scores: Scores
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)
    comparisons: Mapping[tuple[str, str, str], Comparison] = field(default_factory=dict)
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def systems(self) -> list[str]:
        """Names of the systems in the order given, humans last."""
        return list(self.scores.runs)

    @property
    def scorers(self) -> Mapping[str, Scorer]:
        """The metrics by spec, in the order given, bound to the references."""
        return self.scores.scorers

    def score(self, system: str, spec: str) -> Score:
        """Return the corpus score of one system under one metric, the mean over its runs.

        Raises
        ------
        UsageError
            If the evaluation has no such system or metric.
        """
        scores = self.scores
        (values,) = scores.values(system, spec).tolist()
        signature = self.signature(system, spec)
        return make_score(scores.scorer(system, spec), values, len(scores.test_set), signature)

    def signature(self, system: str, spec: str) -> Signature:
        """Return what it takes to compute a score again: metric, references, how it was drawn."""
        human, scorer = self.scores.humans.get(system), self.scores.scorer(system, spec)
        test_set = human.test_set if human else self.scores.test_set
        may_miss, cut = scorer.declaration.may_miss, self.scores.cut(system, spec)
        values = self.scores.values(system, spec)[0].tolist() if may_miss else []
        drawn, how = {**self.drawn}, scorer.declaration.resample
        if how != "with-replacement" and (n := drawn.pop("bs", None)) and how != "none":
            drawn = {"subsamples": n, **drawn}
        return sign(scorer, test_set, {**signed_coverage(scorer, values, cut), **drawn})

    def confidence(
        self,
        n: int = 1000,
        level: float = 95.0,
        *,
        seed: int = 12345,
        by: By = "segment",
        resampler: str = "bootstrap",
        interval: IntervalKind = "percentile",
        registry: Registry | None = None,
        threads: int = 1,
    ) -> Evaluation:
        """Add a bootstrap interval to every score.

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
        interval : {"percentile", "basic", "symmetric", "bca"}
            The kind of the intervals; percentile intervals are sacreBLEU's.
        registry : Registry, optional
            Where to look the resampler up. Default: everything that is installed.
        threads : int
            Number of threads that resample. It does not change the results.

        Returns
        -------
        Evaluation
            A copy with `intervals`.

        Raises
        ------
        UsageError
            If the number of resamples, the level or the seed is out of range; if there is no such
            resampler or kind of interval; or if the comparisons were drawn in another way.
        InputError
            If there is only one unit.
        """
        from mteval_core.evaluation.comparison import confidence
        from mteval_core.evaluation.draw import Draw, find_resampler, sign_draw

        signed: dict[str, Any] = {"seed": seed, "by": by, "interval": interval}
        how = find_resampler(resampler, registry)
        draw = Draw.checked("bs", n, n, **signed, resampler=how, level=level, threads=threads)
        before = self.drawn if self.comparisons else {}
        drawn = sign_draw(before, bs=n, draw=resampler, **signed)
        return replace(self, intervals=confidence(self.scores, draw), drawn=drawn)

    def compare(
        self,
        test: Test = "ar",
        n: int | None = None,
        *,
        seed: int = 12345,
        by: By = "segment",
        correct: str = "holm",
        all_pairs: bool = False,
        margin: float | None = None,
        level: float = 95.0,
        resampler: str = "bootstrap",
        interval: IntervalKind = "percentile",
        registry: Registry | None = None,
        threads: int = 1,
    ) -> Evaluation:
        """Test the difference between every system and the first, or between all pairs of systems.

        Parameters
        ----------
        test : {"ar", "bs"}
            Paired approximate randomisation, or paired bootstrap.
        n : int, optional
            Number of trials (default: 10,000) or resamples (default: 1000, or those of the
            intervals of the scores). The default grows with the number of comparisons, so that
            corrected p-values can become significant. If there are no more possible exchanges than
            trials, the test enumerates them all.
        seed : int
            Seed of ``numpy.random.default_rng``.
        by : {"segment", "doc"}
            The unit that is drawn or exchanged.
        correct : {"holm", "bh", "maxt", "none"}
            Correction for the number of comparisons under one metric. Max-T needs a paired
            bootstrap and two comparisons or more.
        all_pairs : bool
            Whether to compare every system with every other.
        margin : float, optional
            The smallest difference that matters, above 0. Adds tests of whether systems are
            equivalent, and whether a system is not worse, up to this margin. Needs a paired
            bootstrap, and a correction other than max-T.
        level : float
            Confidence level of the intervals of the differences, in percent.
        resampler : str
            Name of the resampler of the paired bootstrap and of the intervals.
        interval : {"percentile", "basic", "symmetric", "bca"}
            The kind of the intervals of the differences.
        registry : Registry, optional
            Where to look the resampler up. Default: everything that is installed.
        threads : int
            Number of threads that resample. It does not change the results.

        Returns
        -------
        Evaluation
            A copy with `comparisons`.

        Raises
        ------
        UsageError
            If there are fewer than two systems; if the test, the correction, the margin, the number
            of trials, the level or the seed is not valid; or if the intervals of the scores were
            drawn in another way.
        InputError
            If there is only one unit.

        Warns
        -----
        MtevalWarning
            ``unreachable-p``: with this number of trials, no p-value can be significant.
        """
        from mteval_core.evaluation.comparison import compare, pairs_of
        from mteval_core.evaluation.draw import Draw, find_resampler, sign_draw
        from mteval_core.evaluation.p_values import N_RESAMPLES, PairedTest, default_trials

        pairs = pairs_of(self.scores, all_pairs=all_pairs)
        tested = PairedTest(test, correct, margin).checked(len(pairs))
        n_resamples = next((one.n for one in self.intervals.values()), None)
        if n is None:
            usual = default_trials(test, len(pairs), correct)
            n = n_resamples or usual if test == "bs" else usual
        n_drawn = n if test == "bs" else n_resamples or N_RESAMPLES
        signed: dict[str, Any] = {"seed": seed, "by": by, "interval": interval}
        how = find_resampler(resampler, registry)
        draw = Draw.checked(test, n, n_drawn, **signed, resampler=how, level=level, threads=threads)
        comparisons = compare(self.scores, draw, pairs, tested)
        before = self.drawn if self.intervals else {}
        trials = {} if test == "bs" else {"ar": next(iter(comparisons.values())).n}
        fields = sign_draw(before, bs=draw.n_resamples, draw=resampler, **trials, **signed)
        return replace(self, comparisons=comparisons, drawn=fields)

    # Results

    def to_records(self, level: Level = "corpus") -> list[dict[str, Any]]:
        """Return one tidy record per system and metric, and per document or segment.

        Systems that only a file of scores names have records of the corpus.

        Returns
        -------
        list of dict
            With the keys ``system``, ``metric`` (the spec), ``level``, ``id`` (of the document, or
            the number of the segment, from 0), ``better``, ``score`` (None if a segment has none),
            ``values``, ``n_segments``, ``signature``, ``ci``, ``p_value`` and ``baseline``; where
            they apply, also ``difference``, ``runs``, ``jackknife`` and ``from_file_only``.
        """
        return list(records_of(self, level))

    def to_dict(self, level: Level = "corpus") -> dict[str, Any]:
        """Return what the JSON format writes.

        Parameters
        ----------
        level : {"corpus", "doc", "segment"}
            That of the records.

        Returns
        -------
        dict
            ``mteval``, the version; ``inputs``, the texts, with path and digest of cleaned lines,
            and which plugins read them; ``settings``, the options that are not signed, such as a
            device, by spec; ``records``, as `to_records` returns them; and
            ``comparisons``, one record per pair of systems and metric that was tested.
        """
        from mteval_core.evaluation.records import comparison_records, inputs

        comparisons = comparison_records(self.comparisons if level == "corpus" else {})
        scorers = self.scorers.values()
        return {
            "mteval": __version__,
            "inputs": inputs(self.scores),
            "settings": {str(s.spec): s.setup.settings for s in scorers if s.setup.settings},
            "records": self.to_records(level),
            "comparisons": comparisons,
        }

    def __repr__(self) -> str:
        counts = f"{len(self.systems)} systems, {len(self.scorers)} metrics"
        return f"<Evaluation: {counts}, {len(self.scores.test_set)} segments>"

    def __str__(self) -> str:
        return self._shown("text") or repr(self)

    def _repr_html_(self) -> str | None:
        return self._shown("html")

    def _repr_latex_(self) -> str | None:
        return self._shown("latex")

    def _shown(self, form: str) -> str | None:
        registry = next(iter(self.scorers.values())).setup.registry
        show = registry.find(CommandSpec, "score").declaration.show
        return load(show)(self, form) if show else None


# Records


def records_of(evaluation: Evaluation, level: Level) -> Iterator[dict[str, Any]]:
    """Yield the records of `Evaluation.to_records`; there may be more than memory holds."""
    for spec in evaluation.scorers:
        only = evaluation.scores.from_file_only(spec, level)
        for system in [*evaluation.systems, *only]:
            yield from _records_of(evaluation, system, spec, level, only=only.get(system))


def _records_of(
    evaluation: Evaluation, system: str, spec: str, level: Level, *, only: float | None
) -> Iterator[dict[str, Any]]:
    """Yield the records of one system under one metric, part by part.

    A system that only a file of scores names has the score `only`.
    """
    from mteval_core.evaluation.records import findings

    baseline, scores = evaluation.systems[0], evaluation.scores
    signed = system if only is None else baseline
    scorer, signature = scores.scorer(signed, spec), str(evaluation.signature(signed, spec))
    found = findings()
    if only is not None:
        found["from_file_only"] = True
    elif level == "corpus":
        found = findings(
            evaluation.intervals.get((system, spec)),
            evaluation.comparisons.get((system, baseline, spec)),
            baseline=baseline,
            runs=scores.run_scores(system, spec) if len(scores.runs[system]) > 1 else None,
            jackknife=scores.jackknife_scores(system, spec),
        )
    ids, sizes = scores.groups(level)
    blocks = (block.tolist() for block in scores.blocks(system, spec, level))
    rows = chain.from_iterable(blocks) if only is None else [[only]]
    for part, n_segments, row in zip(ids, map(int, sizes), rows, strict=True):
        known = [None if isnan(value) else value for value in row]
        values = dict(zip(scorer.scales, known, strict=True))
        yield {
            "system": system,
            "metric": spec,
            "level": level,
            "id": part,
            "better": scorer.declaration.better,
            "score": values[scorer.main],
            "values": values,
            "n_segments": n_segments,
            "signature": signature,
            **found,
        }
