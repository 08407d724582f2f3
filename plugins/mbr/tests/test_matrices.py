"""Every pair of hypothesis and reference, against the same pairs scored one by one."""

from __future__ import annotations

import pickle
import tracemalloc
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mteval_mbr import expected_utility, matrices, matrix
from mteval_mbr.pairs import alone
from mteval_testing.strategies import segments

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TEXTS = ["a b c", "a c", "", "x", "a b c", "b b a c a b"]
SOURCE = "u v"


@dataclass(frozen=True)
class Seen:
    """What a metric gets: hypothesis, references and source as strings, and its preparation."""

    prepared: float = 0.0

    def statistics(self, texts: mt.TextCorpus, source: mt.Tokens, words: Any) -> Any:
        assert texts.sources is not None
        own = zip(texts.hypotheses, texts.references, texts.sources, strict=True)
        lengths = source.lengths * 1000 + words.hypotheses.lengths * 100 + words.references.lengths
        return [
            [len(h) * 7 + len(r) + len(s) / 9, n + self.prepared]
            for (h, (r,), s), n in zip(own, lengths.tolist(), strict=True)
        ]

    def score(self, totals: Any) -> Any:
        return np.sqrt(totals[..., :1]) / (1 + totals[..., 1:])


class Bound(Seen):
    """The same, prepared on the references and on the source."""

    def prepare(self, texts: Any, source: Any, words: Any, vocabulary: Any) -> Bound:
        assert set(vocabulary.tokens(source.ids)) == {*"uv"}
        assert len(words.ids) == words.lengths.sum()
        return Bound(words.lengths.mean() + len(texts[0][0]) / 3 + len(source.ids))


class Longest:
    """The most words of a segment: no function of sums, with rows that differ in width."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [len(hypothesis), *map(len, references[0])]

    def score_rows(self, rows: Any, weights: Any) -> Any:
        sizes = rows[:, 0] * 10 + rows[:, 1:].sum(axis=1)
        return np.where(weights > 0, sizes, 0).max(axis=-1, keepdims=True)


def declared(name: str, factory: Any, **more: Any) -> mt.MetricSpec:
    return mt.MetricSpec(name, factory=factory, help="", values={"x": 1}, **more)


VIEWS = {"texts": mt.View(raw=True), "source": mt.View(of="source"), "words": mt.View()}


@pytest.fixture(scope="module")
def toys(plugin: Callable[..., Any], matches: mt.MetricSpec) -> mt.Registry:
    metrics = [
        matches,
        declared("seen", Seen, views=VIEWS, source="required"),
        declared("bound", Bound, views=VIEWS, source="required"),
        declared("longest", Longest),
        declared("free", Longest, references="none"),
    ]
    return mt.load_registry([plugin(metrics=metrics)])


def one_by_one(scorer: mt.Scorer, hypotheses: Sequence[str], references: Sequence[str]) -> Any:
    return [
        [scorer.sentence_score(h, [r], source=SOURCE).score for r in references] for h in hypotheses
    ]


def installed() -> list[str]:
    """Names of the metrics that compare texts, without a model."""
    declarations = [entry.declaration for entry in mt.default_registry().of_kind(mt.MetricSpec)]
    return [d.name for d in declarations if d.references != "none" and not d.pooled]


@pytest.mark.parametrize("name", installed())
@settings(max_examples=5)
@given(texts=st.lists(segments(8), min_size=2, max_size=6), n=st.integers(1, 3))
def test_a_cell_of_an_installed_metric_is_its_sentence_score(
    name: str, texts: list[str], n: int
) -> None:
    scorer = mt.metric(name)
    hypotheses, references = texts[:-1], texts[-n:]
    found = matrix(scorer, hypotheses, references, source=SOURCE)
    np.testing.assert_array_equal(found, one_by_one(scorer, hypotheses, references))


@pytest.mark.parametrize("name", ["matches", "seen", "bound", "longest"])
@pytest.mark.parametrize("threads", [1, 3])
def test_tiles_change_nothing(
    toys: mt.Registry, monkeypatch: pytest.MonkeyPatch, name: str, threads: int
) -> None:
    monkeypatch.setattr(matrices, "SIDE", 2)
    scorer = mt.metric(name, registry=toys)
    found = matrix(scorer, TEXTS, source=SOURCE, threads=threads)
    np.testing.assert_array_equal(found, one_by_one(scorer, TEXTS, TEXTS))
    weights = np.array([1, 2, 3, 4, 0, 0.5])
    expected = expected_utility(scorer, TEXTS, source=SOURCE, weights=weights, threads=threads)
    np.testing.assert_allclose(expected, np.average(found, axis=1, weights=weights), rtol=1e-14)


@pytest.mark.parametrize("name", ["matches", "seen", "bound", "longest"])
@pytest.mark.parametrize("side", [2, 128])
def test_the_aggregate_is_the_score_of_a_test_set_of_all_references(
    toys: mt.Registry, monkeypatch: pytest.MonkeyPatch, name: str, side: int
) -> None:
    monkeypatch.setattr(matrices, "SIDE", side)
    scorer = mt.metric(name, registry=toys)
    found = expected_utility(scorer, TEXTS, source=SOURCE, aggregate=True)
    n = len(TEXTS)
    whole = [scorer.corpus_score([h] * n, [TEXTS], source=[SOURCE] * n).score for h in TEXTS]
    np.testing.assert_allclose(found, whole, rtol=1e-14)


def test_weights_repeat_references(toys: mt.Registry) -> None:
    for name in ("matches", "longest"):
        scorer = mt.metric(name, registry=toys)
        for aggregate in (False, True):
            weighted = expected_utility(
                scorer, TEXTS, ["a b", "c"], weights=[3, 1], aggregate=aggregate
            )
            repeated = expected_utility(
                scorer, TEXTS, ["a b", "c", "a b", "a b"], aggregate=aggregate
            )
            np.testing.assert_array_equal(weighted, repeated)


def test_only_the_wanted_cells_are_computed(toys: mt.Registry) -> None:
    scorer = mt.metric("matches", registry=toys)
    cells = np.eye(6, dtype=bool)
    cells[4, 0] = True  # equal texts share what was computed, and not what was wanted
    whole, found = matrix(scorer, TEXTS), matrix(scorer, TEXTS, cells=cells)
    np.testing.assert_array_equal(found, np.where(cells, whole, np.nan))
    assert np.isnan(matrix(scorer, ["a"], ["a", "b"], cells=[[False, False]])).all()


def test_equal_texts_are_scored_once_and_a_pooled_metric_at_once(plugin: Any) -> None:
    calls: list[int] = []

    class Model:
        def statistics(self, texts: mt.TextCorpus) -> Any:
            calls.append(len(texts))
            own = zip(texts.hypotheses, texts.references, strict=True)
            return [[len({*h} & {*r})] for h, (r,) in own]

    model = declared("model", Model, views={"texts": mt.View(raw=True)}, pooled=True)
    registry = mt.load_registry([plugin(metrics=[model])])
    scorer = mt.metric("model", registry=registry)
    references = [*map(str, range(200)), "0", "1"]
    found = matrix(scorer, ["0 1", "2", "0 1"], references, threads=3)
    assert calls == [2 * 200]
    assert found[:, [0, 2, 201]].tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("free", {}, "no matrix of the metric free: it uses no references"),
        ("matches", {"hypotheses": []}, "the hypotheses: there are none; expected one string"),
        ("matches", {"hypotheses": ["a", None]}, "the hypotheses: text 1 is missing"),
        ("matches", {"hypotheses": "a b"}, "the hypotheses: expected"),
        ("matches", {"references": []}, "the references: there are none"),
        ("matches", {"references": [3]}, "the references: .*segment 0"),
        ("matches:loo=yes", {}, "jackknifing over references: the segments have 1 references"),
        ("seen", {}, "no source for"),
    ],
)
def test_what_is_no_matrix_is_refused(
    toys: mt.Registry, name: str, given: dict[str, Any], message: str
) -> None:
    scorer = mt.metric(name, registry=toys)
    for function in (matrix, expected_utility):
        with pytest.raises(mt.MtevalError, match=message):
            function(scorer, **{"hypotheses": TEXTS, **given})


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"the weights are float64 of shape \(1,\); expected 2 numbers"),
        (["a", "b"], "the weights are <U1 of shape"),
        ([1, -1], "0 or more"),
        ([0, 0], "not all 0"),
        ([1, np.inf], "finite"),
    ],
)
def test_wrong_weights_and_cells_are_refused(toys: mt.Registry, weights: Any, message: str) -> None:
    scorer = mt.metric("matches", registry=toys)
    with pytest.raises(mt.UsageError, match=message):
        expected_utility(scorer, ["a", "b"], weights=weights)
    with pytest.raises(mt.UsageError, match="expected bool of shape"):
        matrix(scorer, ["a", "b"], cells=weights)


def test_scores_from_outside_have_no_matrix() -> None:
    given = mt.OutsideScores(name="given", values={"A": np.ones(1)})
    evaluation = mt.evaluate({"A": ["a"]}, [["a"]], [given])
    with pytest.raises(mt.UsageError, match="its scores come from a file, which has none of other"):
        matrix(evaluation.scorers["given"], ["a"])


def test_a_pair_that_is_too_long_is_named(plugin: Any) -> None:
    class Short:
        def statistics(self, words: mt.TokenizedCorpus) -> Any:
            sizes = words.sizes
            if (sizes > 3).any():
                raise mt.SegmentError(int(np.argmax(sizes > 3)), "more than 3 tokens")
            return sizes[:, None]

    registry = mt.load_registry([plugin(metrics=[declared("short", Short)])])
    message = "hypothesis 2 with reference 1: short cannot score them: more than 3 tokens; leave"
    with pytest.raises(mt.InputError, match=message):
        matrix(mt.metric("short", registry=registry), ["a", "a", "b c"], ["a", "a b"])


def test_a_third_party_metric_has_everything() -> None:
    pytest.importorskip("mteval_sample", reason="the sample plugin is not installed")
    p1 = mt.metric("p1")
    found = expected_utility(p1, ["a b", "a c"], ["a b", "a"], aggregate=True)
    assert found.tolist() == [75.0, 50.0]
    assert expected_utility(p1, ["a b", "a c"], weights=[1, 3]).tolist() == [62.5, 87.5]


def test_a_matrix_of_hypotheses_alone_compares_them_with_each_other(toys: mt.Registry) -> None:
    scorer = replace(mt.metric("matches", registry=toys))
    np.testing.assert_array_equal(matrix(scorer, TEXTS), matrix(scorer, TEXTS, TEXTS))
    assert matrix(scorer, ["a b", "a"]).tolist() == [[100, 50], [100, 100]]


VARIANTS = {
    "bleu": ("bleu:smooth=floor[0.1],eff=yes", "bleu:order=2,bp=shortest,smooth=none"),
    "chrf": ("chrf:nw=2", "chrf:eff=no,space=yes,beta=1", "chrf:case=lc,value=chrP"),
    "gtm": ("gtm:e=2", "gtm:stem=porter"),
    "nist": ("nist:case=lc",),
    "rouge-lsum": ("rouge-lsum", "rouge-lsum:variant=1.5.5"),
    "ter": ("ter:case=lc", "ter:tok=none"),
}
"""Specs by the metric that has to be installed."""

ODD = ["a b.\tc d. e", "c d. e\ta b.", "\t", "A\u00a0b  c", "1,000.5 a-b", "東京 🙂", "b\n"]


@pytest.mark.parametrize("spec", [spec for specs in VARIANTS.values() for spec in specs])
def test_variants_and_odd_texts_have_their_sentence_scores(spec: str) -> None:
    if spec.partition(":")[0] not in installed():
        pytest.skip("the metric is not installed")
    scorer = mt.metric(spec)
    expected = one_by_one(scorer, ODD, [*ODD[::-1], "a b. c"])
    np.testing.assert_array_equal(matrix(scorer, ODD, [*ODD[::-1], "a b. c"]), expected)


def test_a_symmetric_metric_has_a_symmetric_matrix() -> None:
    if "f1" not in installed():
        pytest.skip("the metric is not installed")
    found = matrix(mt.metric("f1"), TEXTS)
    np.testing.assert_array_equal(found, found.T)
    assert found[0, :2].round(4).tolist() == [100.0, 80.0]  # P = 1, R = 2/3 of "a c" in "a b c"


def test_a_metric_is_prepared_on_copies_of_its_texts() -> None:
    """So that a metric which looks at all ids, or at all breaks, sees those of its references."""
    ids, breaks = np.arange(10, 19, dtype=np.int32), np.array([2, 6])
    texts = mt.Tokens(ids, np.array([0, 4, 5]), np.array([4, 5, 9]), breaks=breaks)
    own = alone(texts, np.array([2, 0, 2]))
    assert own.ids.tolist() == [15, 16, 17, 18, 10, 11, 12, 13, 15, 16, 17, 18]
    assert own.starts.tolist() == [0, 4, 8]
    assert own.ends.tolist() == [4, 8, 12]
    assert own.breaks.tolist() == [1, 6, 9]
    assert own.sentences().index.tolist() == [0, 2, 4, 6]
    assert len(alone(texts, np.array([], np.int64)).ids) == 0


def test_memory_is_that_of_the_matrix_and_a_tile(plugin: Any) -> None:
    class Sizes:
        def statistics(self, words: mt.TokenizedCorpus) -> Any:
            return np.stack([words.hypotheses.lengths, words.references.lengths], axis=1)

        def score(self, totals: Any) -> Any:
            return totals[..., :1] * totals[..., 1:]

    declaration = declared("sizes", Sizes)
    scorer = mt.metric("sizes", registry=mt.load_registry([plugin(metrics=[declaration])]))
    texts = ["a " * (i % 7) + str(i) for i in range(1000)]
    tracemalloc.start()
    try:
        found = expected_utility(scorer, texts)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    lengths = np.arange(1000) % 7 + 1.0
    np.testing.assert_allclose(found, lengths * lengths.mean())
    assert most < 1000 * 1000 * 8 / 2  # the scores alone would take twice as much


def test_an_error_in_a_thread_names_the_metric(
    plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def statistics(self, words: mt.TokenizedCorpus) -> Any:
            if words.vocabulary.find("wrong") in words.hypotheses.ids[words.hypotheses.starts]:
                raise KeyError("wrong")
            return np.ones((len(words), 1))

    monkeypatch.setattr(matrices, "SIDE", 1)
    scorer = mt.metric(
        "broken", registry=mt.load_registry([plugin(metrics=[declared("broken", Broken)])])
    )
    assert matrix(scorer, ["a", "b"], threads=2).tolist() == [[1, 1], [1, 1]]
    with pytest.raises(mt.PluginError, match="the statistics of metric 'broken' of mteval-toy"):
        matrix(scorer, ["a", "wrong"], threads=2)


def test_a_scorer_that_was_pickled_has_the_same_matrix() -> None:
    for name in installed()[:3]:
        scorer = mt.metric(name)
        again = pickle.loads(pickle.dumps(scorer.setup.implementation))
        pickled = replace(scorer, setup=replace(scorer.setup, implementation=again))
        found = matrix(pickled, TEXTS, source=SOURCE)
        np.testing.assert_array_equal(found, matrix(scorer, TEXTS, source=SOURCE))
