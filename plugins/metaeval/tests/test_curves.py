"""Curves of document length, and one judge against another."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval import notes
from mteval_metaeval.drawn_judgments import one_judge
from mteval_metaeval.significance import wilcoxon

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_metaeval import Study

    Make = Callable[..., Study]

NAN = float("nan")


def made(seed: int, n_systems: int = 6, n_items: int = 40) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 2, n_systems)[:, None]
    human = quality + rng.normal(0, 1, (n_systems, n_items))
    good = human + rng.normal(0, 0.5, human.shape)
    return np.stack([good, rng.normal(size=human.shape)]), human


def test_documents_of_the_whole_test_set_are_the_corpus(study: Make) -> None:
    metrics, human = made(1)
    points, _ = metaeval.length_curve([(1, study(metrics, human))], [40], documents=3)
    expected = metaeval.spearman(metrics[0].mean(axis=-1), human.mean(axis=-1))
    assert points[0].correlations == pytest.approx([float(expected)] * 3)
    assert points[0].standard_error == 0


def test_documents_of_one_segment_are_segments(study: Make) -> None:
    metrics, human = made(2)
    points, _ = metaeval.length_curve([(1, study(metrics, human))], [1], documents=400)
    by_segment = metaeval.spearman(metrics[0].T, human.T)
    assert set(points[0].correlations.round(9)) <= set(by_segment.round(9))
    assert points[0].mean == pytest.approx(
        by_segment.mean(), abs=4 * by_segment.std() / math.sqrt(400)
    )


def test_longer_documents_say_more(study: Make) -> None:
    points, some = metaeval.length_curve([(1, study(*made(3)))], documents=200)
    means = [p.mean for p in points if p.metric == "column:k=0"]
    assert means == sorted(means)
    assert [p.length for p in points[::2]] == [1, 2, 3, 5, 7, 10, 15, 25]
    assert some[0] == notes.DocumentsTooLong(40, "segment", (50,))
    smallest = min(a.mean - b.mean for a, b in zip(points[::2], points[1::2], strict=True))
    assert some[1:] == [
        notes.SignificantDifferences("score", cast("float", pytest.approx(smallest)), 0.05)
    ]
    assert {p.mark for p in points if p.metric == "column:k=0"} == {"best"}
    assert all(p.mark == "" for p in points if p.metric == "column:k=1")


def test_an_equal_metric_is_marked_so(study: Make) -> None:
    metrics, human = made(4)
    points, _ = metaeval.length_curve(
        [(1, study([metrics[0], metrics[0]], human))], [5], documents=50
    )
    assert [p.mark for p in points] == ["best", "equal"]
    assert [p.p_value for p in points] == [None, 1.0]


def test_choices_of_references_share_the_documents(study: Make) -> None:
    a, b = (study(*made(seed)) for seed in (5, 6))
    points, _ = metaeval.length_curve([(1, a), (1, b), (2, a)], [3], documents=100)
    assert [(p.n_references, len(p.correlations)) for p in points[::2]] == [(1, 100), (2, 100)]
    alone, _ = metaeval.length_curve([(1, a)], [3], documents=50)
    np.testing.assert_array_equal(points[0].correlations[:50], alone[0].correlations)


def test_no_choice_of_references_is_left_out(study: Make) -> None:
    metrics, human = made(5)
    last = study(np.ones_like(metrics), human)
    studies = [(1, study(metrics, human))] * 4 + [(1, last)]
    points, _ = metaeval.length_curve(studies, [3], documents=6)
    assert (len(points[0].correlations), points[0].n) == (6, 5)


def test_documents_without_a_coefficient_are_left_out(study: Make) -> None:
    metrics, human = made(7)
    human = np.where(np.arange(40) < 20, 1.0, human)
    points, some = metaeval.length_curve([(1, study(metrics, human))], [1], documents=300)
    assert points[0].n == pytest.approx(150, abs=4 * math.sqrt(75))
    assert not math.isnan(points[0].mean)
    assert notes.UndefinedDocuments("segment", 1) in some


def test_no_such_documents(study: Make) -> None:
    with pytest.raises(mt.UsageError, match="no documents of 50, 60: the test set has 40 segments"):
        metaeval.length_curve([(1, study(*made(8)))], [50, 60])


# Judges


def judgments(judged: Callable[..., Any], noise: float, n_raters: int = 3) -> Any:
    rng = np.random.default_rng(9)
    quality = np.linspace(0, 2, 6)[:, None] + rng.normal(0, 1, (6, 40))
    scores = quality + rng.normal(0, noise, (n_raters, 6, 40))
    return judged(scores, raters=[f"r{k}" for k in range(n_raters)])


def test_judges_who_agree(study: Make, judged: Callable[..., Any]) -> None:
    made_study = study(made(10)[0], judgments(judged, 0.0))
    points, some = metaeval.inter_judge(made_study, [1, 5, 40], documents=50)
    assert [p.mean for p in points] == pytest.approx([1, 1, 1])
    assert [(p.metric, p.n_references) for p in points] == [("", 0)] * 3
    assert some == []


def test_judges_never_judge_themselves(study: Make, judged: Callable[..., Any]) -> None:
    # Two judges of opposite opinion: whoever is drawn first, the other is the second.
    scores = np.linspace(0, 1, 6)[:, None] + np.zeros((6, 40))
    made_study = study(made(11)[0], judged(np.stack([scores, -scores]), raters="ab"))
    points, _ = metaeval.inter_judge(made_study, [1], documents=400)
    # A document takes each output's pair in either order: opposite signs half of the time.
    assert points[0].mean < -0.2


def test_the_curve_of_judges_rises(study: Make, judged: Callable[..., Any]) -> None:
    made_study = study(made(12)[0], judgments(judged, 1.0))
    points, _ = metaeval.inter_judge(made_study, [1, 5, 25], documents=200)
    means = [p.mean for p in points]
    assert means == sorted(means)


def test_outputs_judged_once_have_no_place(study: Make, judged: Callable[..., Any]) -> None:
    metrics, human = made(13)
    points, some = metaeval.inter_judge(study(metrics, human), [1, 2], documents=10)
    assert points == []
    assert some == [notes.NoSharedRaters("score")]
    scores = np.stack([human, human])
    scores[1, :, 20:] = NAN
    points, _ = metaeval.inter_judge(
        study(metrics, judged(scores, raters="ab")), [1], documents=300
    )
    assert points[0].n == pytest.approx(150, abs=4 * math.sqrt(75))
    assert points[0].mean == pytest.approx(1)


def test_the_same_seed_the_same_curve(study: Make, judged: Callable[..., Any]) -> None:
    made_study = study(made(14)[0], judgments(judged, 1.0))
    metrics = partial(metaeval.length_curve, [(1, made_study)], [3], 60)
    judges = partial(metaeval.inter_judge, made_study, [3], 60)
    for experiment in (metrics, judges):
        one, again, other = (experiment(seed=seed)[0][0].correlations for seed in (1, 1, 2))
        np.testing.assert_array_equal(one, again)
        assert (one != other).any()


# One random judgment


def test_one_judge_is_drawn_for_every_output_of_every_document() -> None:
    scores = np.array([1.0, 2.0, 10.0, 5.0, 6.0, 7.0])
    n = np.array([[2, 1], [0, 3]])
    weights = np.array([[1.0, 0.0], [0.0, 1.0]] * 300)
    drawn = one_judge(scores, n, weights, np.random.default_rng(1))
    first, second = drawn[::2], drawn[1::2]
    values, counts = np.unique(first[:, 0], return_counts=True)
    assert values.tolist() == [1.0, 2.0]
    assert abs(counts[0] - 150) < 4 * math.sqrt(300 / 4)
    assert np.isnan(first[:, 1]).all()
    assert set(second[:, 0]) == {10.0}
    assert set(second[:, 1]) == {5.0, 6.0, 7.0}


def test_a_single_judgment_is_always_drawn(study: Make) -> None:
    made_study = study(*made(11))
    drawn, _ = metaeval.length_curve([(1, made_study)], [3], 50, draw_judgments=True)
    means, _ = metaeval.length_curve([(1, made_study)], [3], 50)
    for one, other in zip(drawn, means, strict=True):
        np.testing.assert_allclose(one.correlations, other.correlations)


def test_drawn_judgments_are_noisier_than_means(study: Make, judged: Callable[..., Any]) -> None:
    metrics, human = made(12)
    noise = np.random.default_rng(13).normal(0, 2, (2, *human.shape))
    twice = study(metrics, judged(human + noise, raters="ab"))
    drawn, _ = metaeval.length_curve([(1, twice)], [5], 300, draw_judgments=True)
    means, _ = metaeval.length_curve([(1, twice)], [5], 300)
    assert drawn[0].mean < means[0].mean - 0.02
    documents = study(metrics, human, documents=["a", "b"] * 20, unit="doc")
    with pytest.raises(mt.UsageError, match="judgments of docs are drawn, but segments were"):
        metaeval.length_curve([(1, documents)], [1], draw_judgments=True)


def test_all_larger_differences_are_significant(study: Make) -> None:
    metrics, human = made(14)
    close = np.stack([metrics[0], metrics[0] + 0.01 * metrics[1], metrics[1]])
    points, some = metaeval.length_curve([(1, study(close, human))], [2, 5, 20], 60)
    (note,) = (note for note in some if isinstance(note, notes.SignificantDifferences))
    pairs = [
        (abs(a.mean - b.mean), wilcoxon(a.correlations, b.correlations).p_value)
        for a, b in itertools.combinations(points, 2)
        if a.length == b.length
    ]
    assert all(p <= 0.05 for difference, p in pairs if difference >= note.difference)
    assert note.difference in [difference for difference, _ in pairs]
    smaller = sorted(pair for pair in pairs if pair[0] < note.difference)
    assert smaller[-1][1] > 0.05
