"""Metrics that are no function of sums, against direct computations on the texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import numpy as np
import pytest
from mteval_testing import METRIC_KIT

import mteval_core as mt
from mteval_core.evaluation.resampling import assignments, swaps
from mteval_core.metrics.sums import KeptRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mteval_core.text.tokens import TokenizedCorpus


class Median:
    """The median of the lengths of the segments."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert isinstance(references, list)
        return [len(hypothesis)]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        order = np.argsort(rows[:, 0])
        upto = np.cumsum(weights[..., order], axis=-1)
        half = upto[..., -1:] / 2
        ordered = rows[order]
        return (ordered[(upto >= half).argmax(-1)] + ordered[(upto > half).argmax(-1)]) / 2


class Distinct:
    """Different bigrams, as a share of all bigrams."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        assert isinstance(references, list)
        return [1 + crc32(" ".join(bigram).encode()) for bigram in pairwise(hypothesis)]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        def kinds(weight: Any) -> int:
            return len(np.unique(rows[(weight > 0)])) - (0.0 in rows[weight > 0])

        found = np.apply_along_axis(kinds, -1, weights)
        return (found / np.maximum(weights @ (rows > 0).sum(axis=1), 1))[..., None]


class DistinctWords:
    """Different words, as a share of all words; a row has a column for each word."""

    def statistics(self, words: TokenizedCorpus) -> Any:
        text = words.hypotheses
        tokens = [text.ids[a:b] for a, b in zip(text.starts, text.ends, strict=True)]
        rows = np.zeros((len(text), 1 + max(max(ids, default=0) for ids in tokens)))
        for row, ids in zip(rows, tokens, strict=True):
            np.add.at(row, ids, 1)
        return rows

    def score_rows(self, rows: Any, weights: Any) -> Any:
        counts = weights @ rows
        return (counts > 0).sum(-1, keepdims=True) / np.maximum(counts.sum(-1, keepdims=True), 1)


@dataclass(frozen=True)
class Precision:
    """Clipped matches over length: a function of sums, and the same computed from all rows."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        found = max(len({*hypothesis} & {*reference}) for reference in references)
        return [found, len(hypothesis)]

    def score(self, totals: Any) -> Any:
        share = totals[..., 0] / np.maximum(totals[..., 1], 1)
        return np.stack([share, totals[..., 1]], axis=-1)


class PrecisionOfRows:
    """The default form: the formula of the weighted sum."""

    segment_statistics = Precision.segment_statistics

    def score_rows(self, rows: Any, weights: Any) -> Any:
        return Precision.score(cast("Any", self), weights @ rows)


def declare(name: str, factory: Any, **more: Any) -> mt.MetricSpec:
    settings = {"values": {name: 100.0}, "options": (mt.Option("tok", "none"),), **more}
    return mt.MetricSpec(name, factory=factory, help=name, **settings)


REPEATS = {"a_corpus_twice_scores_the_same": "what is repeated is not distinct"}
FREE = {"references": "none", "bounds": (0, 100)}
METRICS = [
    declare("median", Median, values={"median": 1}, references="none"),
    declare("distinct", Distinct, exceptions=REPEATS, **FREE),
    declare("distinct-words", DistinctWords, exceptions=REPEATS, **FREE),
    declare("precision", Precision, values={"P": 100, "length": 1}),
    declare("precision-of-rows", PrecisionOfRows, values={"P": 100, "length": 1}),
]


@pytest.fixture(scope="module")
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    return mt.load_registry([plugin(metrics=METRICS)])


def make_text(seed: int, n: int, words: int = 12) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{k}" for k in rng.integers(0, words, rng.integers(0, 9))) for _ in range(n)]


def of_text(name: str, text: Sequence[str]) -> float:
    """Compute a metric from texts alone."""
    tokens = [segment.split() for segment in text]
    if name == "median":
        return median(map(len, tokens))
    grams = [
        gram for one in tokens for gram in (one if name == "distinct-words" else pairwise(one))
    ]
    return 100 * len({*grams}) / max(1, len(grams))


N = 14
DOCUMENTS = [f"d{(3 * i) % 5}" for i in range(N)]
SYSTEMS = {"A": make_text(1, N), "B": make_text(2, N, 15), "C": make_text(3, N, 9)}
REFERENCES = [make_text(4, N), make_text(5, N)]
DIRECT = ["median", "distinct", "distinct-words"]


@pytest.fixture(scope="module")
def evaluation(registry: mt.Registry) -> mt.Evaluation:
    specs = [metric.name for metric in METRICS]
    return mt.evaluate(SYSTEMS, REFERENCES, specs, documents=DOCUMENTS, registry=registry)


def test_rows_as_wide_as_the_vocabulary_keep_the_contract(registry: mt.Registry) -> None:
    findings = METRIC_KIT.run(registry.find(mt.MetricSpec, "distinct-words"), registry)
    assert [finding for finding in findings if not finding.ok] == []


@pytest.mark.parametrize("name", DIRECT)
def test_scores_of_texts_segments_and_documents(evaluation: mt.Evaluation, name: str) -> None:
    for system, text in SYSTEMS.items():
        assert evaluation.score(system, name).score == pytest.approx(of_text(name, text))
        each = evaluation.scores.values(system, name, "segment")[:, 0]
        assert each == pytest.approx([of_text(name, [segment]) for segment in text])
        documents = evaluation.scores.values(system, name, "doc")[:, 0]
        groups: dict[str, list[str]] = {}
        for document, segment in zip(DOCUMENTS, text, strict=True):
            groups.setdefault(document, []).append(segment)
        assert documents == pytest.approx([of_text(name, group) for group in groups.values()])


@pytest.mark.parametrize("name", DIRECT)
def test_intervals(evaluation: mt.Evaluation, name: str) -> None:
    found = evaluation.confidence(120, seed=3).intervals["B", name]
    drawn = np.random.default_rng(3).choice(N, (120, N))
    resampled = sorted(of_text(name, [SYSTEMS["B"][i] for i in segments]) for segments in drawn)
    assert (found.low, found.high) == pytest.approx((resampled[3], resampled[116]))
    assert found.mean == pytest.approx(np.mean(resampled))
    assert found.low < found.high


@pytest.mark.parametrize("name", DIRECT)
def test_intervals_of_documents(evaluation: mt.Evaluation, name: str) -> None:
    found = evaluation.confidence(80, seed=3, by="doc").intervals["A", name]
    names = list(dict.fromkeys(DOCUMENTS))
    scores = []
    for drawn in np.random.default_rng(3).choice(len(names), (80, len(names))):
        text = []
        for k in drawn:
            members = [i for i, document in enumerate(DOCUMENTS) if document == names[k]]
            text += [SYSTEMS["A"][i] for i in members]
        scores.append(of_text(name, text))
    assert (found.low, found.high) == pytest.approx((sorted(scores)[2], sorted(scores)[77]))


def swapped(a: Sequence[str], b: Sequence[str], mask: Any) -> tuple[list[str], list[str]]:
    pairs = [(y, x) if swap else (x, y) for x, y, swap in zip(a, b, mask, strict=True)]
    return [x for x, _ in pairs], [y for _, y in pairs]


@pytest.mark.parametrize("name", DIRECT)
def test_paired_tests(evaluation: mt.Evaluation, name: str) -> None:
    compared = evaluation.compare("ar", 150, seed=5, correct="none", all_pairs=True)
    for b, a in (("B", "A"), ("C", "A"), ("C", "B")):
        first, second = SYSTEMS[b], SYSTEMS[a]
        observed = of_text(name, first) - of_text(name, second)
        extreme = 0
        for mask in chain.from_iterable(each for one in swaps(N, 150, 5) for each in one.masks()):
            one, other = swapped(first, second, mask)
            extreme += abs(of_text(name, one) - of_text(name, other)) >= abs(observed) - 1e-9
        found = compared.comparisons[b, a, name]
        assert found.difference == pytest.approx(observed)
        assert found.p_value == pytest.approx((extreme + 1) / 151)


@pytest.mark.parametrize("name", DIRECT)
def test_the_paired_bootstrap(evaluation: mt.Evaluation, name: str) -> None:
    found = evaluation.compare("bs", 150, seed=5, correct="none").comparisons["C", "A", name]
    differences = np.array(
        [
            of_text(name, [SYSTEMS["C"][i] for i in drawn])
            - of_text(name, [SYSTEMS["A"][i] for i in drawn])
            for drawn in np.random.default_rng(5).choice(N, (150, N))
        ]
    )
    extreme = (np.abs(differences - differences.mean()) >= abs(found.difference) - 1e-9).sum()
    assert found.p_value == pytest.approx((extreme + 1) / 151)


@pytest.mark.parametrize("name", DIRECT)
def test_several_runs(registry: mt.Registry, name: str) -> None:
    runs = {
        "A": [SYSTEMS["A"], SYSTEMS["B"]],
        "C": [SYSTEMS["C"], make_text(6, N), make_text(7, N)],
    }
    evaluation = mt.evaluate(runs, REFERENCES, [name], registry=registry)
    texts = [*runs["C"], *runs["A"]]
    observed = [of_text(name, text) for text in texts]
    assert evaluation.scores.run_scores("C", name) == pytest.approx(observed[:3])
    found = evaluation.compare("ar", 60, seed=5, correct="none").comparisons["C", "A", name]
    extreme = 0
    for trial in np.concatenate(list(assignments(N, 5, count=60, seed=5))):
        slots = [
            of_text(name, [texts[source][i] for i, source in enumerate(slot)]) for slot in trial
        ]
        extreme += abs(np.mean(slots[:3]) - np.mean(slots[3:])) >= abs(found.difference) - 1e-9
    assert found.difference == pytest.approx(np.mean(observed[:3]) - np.mean(observed[3:]))
    assert found.p_value == pytest.approx((extreme + 1) / 61)


def test_systems_that_are_all_alike_do_not_differ(registry: mt.Registry) -> None:
    systems = {"A": ["a b", "a b"], "B": ["a", "a"]}
    with pytest.warns(mt.MtevalWarning):
        compared = mt.evaluate(systems, [["x", "x"]], ["median"], registry=registry).compare(
            "bs", 9
        )
    assert compared.comparisons["B", "A", "median"].p_value == 1
    rows = KeptRows(np.array([[1.0], [2], [2], [1], [3], [1]]), np.array([0, 0, 1, 1, 2, 2]))
    assert rows[:2].are_alike()
    assert not rows.are_alike()


# What is wrong is refused, or found by the contract kit


class IgnoresWeights(Median):
    def score_rows(self, rows: Any, weights: Any) -> Any:
        return np.full((*weights.shape[:-1], 1), np.median(rows))


class CountsOnce(Median):
    def score_rows(self, rows: Any, weights: Any) -> Any:
        return super().score_rows(rows, (weights > 0) * 1.0)


class OneVectorOnly(Median):
    def score_rows(self, rows: Any, weights: Any) -> Any:
        one = super().score_rows(rows, weights.reshape(-1, len(rows))[0])
        return np.broadcast_to(one, (*weights.shape[:-1], 1))


class SpoilsWeights(Median):
    def score_rows(self, rows: Any, weights: Any) -> Any:
        weights += 1.0
        return super().score_rows(rows, weights)


class NoWeightIsNone(Median):
    def score_rows(self, rows: Any, weights: Any) -> Any:
        return super().score_rows(rows, weights) + np.where(weights.any(-1), 0, np.nan)[..., None]


class OneShape(Median):
    def score_rows(self, rows: Any, weights: Any) -> Any:
        return super().score_rows(rows, weights)[..., 0]


class BothForms(Median):
    def score(self, totals: Any) -> Any:
        return totals


FAULTS = [
    (IgnoresWeights, "rows_are_independent"),
    (CountsOnce, "rows_are_independent"),
    (OneVectorOnly, "formula_is_vectorised"),
    (SpoilsWeights, "inputs_are_unchanged"),
    (NoWeightIsNone, "empty_sums_are_finite"),
]


@pytest.mark.parametrize(("factory", "check"), FAULTS)
def test_the_contract_kit_finds_faults(
    plugin: Callable[..., Any], factory: Any, check: str
) -> None:
    checks = {each.__name__: each for each in METRIC_KIT.checks}
    for tried, fails in ((factory, True), (Median, False)):
        declared = declare("median", tried, references="none")
        scorer = mt.metric("median", registry=mt.load_registry([plugin(metrics=[declared])]))
        assert METRIC_KIT.find(checks[check], scorer, declared).ok != fails


def test_what_cannot_be_right_is_an_error(
    registry: mt.Registry, plugin: Callable[..., Any], evaluation: mt.Evaluation
) -> None:
    wrong = [declare("both", BothForms), declare("shape", OneShape)]
    faulty = mt.load_registry([plugin(metrics=wrong)])
    with pytest.raises(mt.PluginError, match="has 'score' and 'score_rows'; expected one"):
        mt.metric("both", registry=faulty)
    with pytest.raises(mt.PluginError, match=r"shape \(\), expected \(1,\)"):
        mt.metric("shape", registry=faulty).corpus_score(["a"], [["a"]])
    with pytest.raises(mt.UsageError, match="expected WeightedRows, got ndarray"):
        mt.metric("median", registry=registry).values(np.zeros(1))
    with pytest.raises(mt.UsageError, match="expected an array of sums, got WeightedRows"):
        mt.metric("precision", registry=registry).values(evaluation.scores.totals["A", "median"])


# The default form, score(weights @ rows), says what every engine must return.


def same(one: Any, other: Any) -> None:
    """Compare the results of both forms, whatever their nesting."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one.keys() - {"metric", "signature"}:
            same(one[key], other[key])
    elif isinstance(one, (list, tuple)):
        for a, b in zip(one, other, strict=True):
            same(a, b)
    else:
        assert one == other or one == pytest.approx(other, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("options", [{}, {"humans": True}, {"defaults": {"loo": "yes"}}])
def test_evaluations_of_both_forms(registry: mt.Registry, options: Any) -> None:
    runs = {**SYSTEMS, "D": [make_text(8, N), make_text(9, N)]}
    results = []
    for spec in ("precision", "precision-of-rows"):
        evaluation = mt.evaluate(
            runs, REFERENCES, [spec], documents=DOCUMENTS, registry=registry, **options
        )
        drawn = evaluation.confidence(60, by="doc", interval="bca")
        done = drawn.compare("ar", 40, by="doc", all_pairs=True, correct="none", interval="bca")
        levels = [done.to_records(level) for level in ("doc", "segment")]
        results.append([done.to_dict(), levels])
    same(*results)
