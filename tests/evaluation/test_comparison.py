"""Intervals and paired tests, against plain implementations, enumeration and closed forms."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import chain, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core.evaluation.resampling import assignments, swaps

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


SPEC = "mean:tok=none"


def test_the_bootstrap_error_of_a_mean(evaluate: Callable[..., mt.Evaluation]) -> None:
    # The standard error of a mean is s / sqrt(n); 1000 resamples know theirs to 1 in sqrt(2000).
    values = np.random.default_rng(1).normal(3, 2, 300)
    interval = evaluate({"A": values}).confidence(level=68.27).intervals["A", SPEC]
    error = values.std() / np.sqrt(300)
    assert (interval.high - interval.low) / 2 == pytest.approx(error, rel=5 / np.sqrt(2000))
    assert interval.mean == pytest.approx(values.mean(), abs=5 * error / np.sqrt(1000))


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_numbers_of_numpy_count_trials(evaluate: Callable[..., mt.Evaluation], test: Any) -> None:
    values = np.random.default_rng(1).normal(size=(2, 30))
    compared = evaluate({"A": values[0], "B": values[1]}).compare(test, np.int64(100))
    assert json.loads(json.dumps(compared.to_dict()))["comparisons"][0]["trials"] == 100


def test_three_segments_need_no_chance(evaluate: Callable[..., mt.Evaluation]) -> None:
    # Differences 1, 1 and 0: of the eight exchanges the four with equal signs are as extreme.
    # Counting only what is more extreme, as sacreBLEU 2.6 does, gives 1 / 10001.
    with pytest.warns(mt.MtevalWarning, match=r"with 8 exchanges .* below 0\.25"):
        compared = evaluate({"A": [1, 1, 1], "B": [0, 0, 1]}).compare("ar", correct="none")
    found = compared.comparisons["B", "A", SPEC]
    assert (found.exact, found.n, found.p_value) == (True, 8, 0.5)


def test_exact_randomisation_is_enumeration(evaluate: Callable[..., mt.Evaluation]) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 100_000, (2, 10))
    # Numbers of five decimals, as ROUGE prints them, whose ties are ties only in exact arithmetic.
    numbers = {"A": a / 100_000, "B": (a + (b - a) // 50_000 * 30_001) / 100_000}
    exact = [[Fraction(f"{x:.5f}") for x in values] for values in numbers.values()]
    gaps = [x - y for x, y in zip(*exact, strict=True)]
    observed = abs(sum(gaps))
    extreme = sum(
        abs(sum(gap * sign for gap, sign in zip(gaps, signs, strict=True))) >= observed
        for signs in product((1, -1), repeat=10)
    )
    found = evaluate(numbers).compare("ar", correct="none").comparisons["B", "A", SPEC]
    assert found.p_value == extreme / 2**10


def test_drawn_randomisation(evaluate: Callable[..., mt.Evaluation]) -> None:
    rng = np.random.default_rng(3)
    a = rng.random(60).round(3)
    b = (a + rng.normal(0.03, 0.1, 60)).round(3)
    found = evaluate({"A": a, "B": b}).compare("ar", 500, seed=7).comparisons["B", "A", SPEC]
    extreme = 0
    for mask in chain.from_iterable(each for one in swaps(60, 500, 7) for each in one.masks()):
        left = [y if swap else x for x, y, swap in zip(a, b, mask, strict=True)]
        right = [x if swap else y for x, y, swap in zip(a, b, mask, strict=True)]
        extreme += abs(sum(left) - sum(right)) >= abs(a.sum() - b.sum()) - 1e-9
    assert (found.exact, found.n) == (False, 500)
    assert found.p_value == (extreme + 1) / 501
    assert 0.001 < found.p_value < 0.5


def test_paired_bootstrap(evaluate: Callable[..., mt.Evaluation]) -> None:
    rng = np.random.default_rng(4)
    a = rng.random(60).round(3)
    b = (a + rng.normal(0.03, 0.1, 60)).round(3)
    found = evaluate({"A": a, "B": b}).compare("bs", 400, seed=7).comparisons["B", "A", SPEC]
    differences = [
        b[drawn].mean() - a[drawn].mean()
        for drawn in np.random.default_rng(7).choice(60, (400, 60))
    ]
    centred = np.abs(np.array(differences) - np.mean(differences))
    extreme = (centred >= abs(b.mean() - a.mean())).sum()
    assert found.p_value == pytest.approx((extreme + 1) / 401)
    ordered = sorted(differences)
    assert found.interval.low == pytest.approx(ordered[10])
    assert found.interval.high == pytest.approx(ordered[389])
    assert found.difference == pytest.approx(b.mean() - a.mean())


def test_documents_are_drawn_whole(evaluate: Callable[..., mt.Evaluation]) -> None:
    # Two segments a document that cancel out: nothing varies between documents.
    values = [5, -5] * 20
    documents = [str(i // 2) for i in range(40)]
    evaluation = evaluate({"A": values, "B": values[::-1]}, documents)
    by_document = evaluation.confidence(by="doc").intervals["A", SPEC]
    assert (by_document.low, by_document.high) == (0.0, 0.0)
    by_segment = evaluation.confidence().intervals["A", SPEC]
    assert by_segment.low < -1 < 1 < by_segment.high
    compared = evaluation.compare("ar", by="doc")
    assert compared.comparisons["B", "A", SPEC].p_value == 1.0
    assert "by:doc" in str(compared.score("A", SPEC).signature)


def test_scores_of_documents(evaluate: Callable[..., mt.Evaluation]) -> None:
    evaluation = evaluate({"A": [1, 2, 3, 6]}, ["x", "y", "x", "y"])
    assert evaluation.scores.values("A", SPEC, "doc")[:, 0].tolist() == [2.0, 4.0]


def test_all_pairs_are_corrected_together(evaluate: Callable[..., mt.Evaluation]) -> None:
    systems = {"A": [1, 2, 3, 4], "B": [2, 3, 4, 5], "C": [1, 3, 3, 5]}
    evaluation = evaluate(systems)
    with pytest.warns(mt.MtevalWarning, match="unreachable-p"):
        raw = evaluation.compare(correct="none", all_pairs=True).comparisons
    assert set(raw) == {("B", "A", SPEC), ("C", "A", SPEC), ("C", "B", SPEC)}
    # B is above A everywhere: 2 of 16 exchanges. C is above A, and below B, twice: 8 of 16.
    assert [found.p_value for found in raw.values()] == [2 / 16, 8 / 16, 8 / 16]
    with pytest.warns(mt.MtevalWarning, match="unreachable-p"):
        holm = evaluation.compare(all_pairs=True).comparisons
    assert [found.p_value for found in holm.values()] == [6 / 16, 1.0, 1.0]


def test_max_t_corrects_all_pairs_together(evaluate: Callable[..., mt.Evaluation]) -> None:
    rng = np.random.default_rng(8)
    ease = rng.normal(0, 1, 80)
    systems = {f"S{k}": (ease + rng.normal(0.07 * k, 0.3, 80)).round(3) for k in range(6)}
    evaluation = evaluate(systems)
    found, raw, holm = (
        evaluation.compare("bs", 999, correct=correct, all_pairs=True).comparisons
        for correct in ("maxt", "none", "holm")
    )
    drawn = np.random.default_rng(12345).choice(80, (999, 80))
    resampled = {name: values[drawn].mean(axis=1) for name, values in systems.items()}
    differences = {(b, a): resampled[b] - resampled[a] for b, a, _ in found}
    t_star = {pair: abs(d - d.mean()) / d.std() for pair, d in differences.items()}
    t = {
        pair: abs(systems[pair[0]].mean() - systems[pair[1]].mean()) / d.std()
        for pair, d in differences.items()
    }
    left, before = sorted(t, key=t.__getitem__, reverse=True), 0.0
    for k, pair in enumerate(list(left)):
        extreme = np.max([t_star[other] for other in left[k:]], axis=0) >= t[pair] - 1e-9
        before = max(before, (extreme.sum() + 1) / 1000)
        comparison = found[(*pair, SPEC)]
        assert comparison.p_value == pytest.approx(before)
        assert comparison.raw_p_value == raw[(*pair, SPEC)].p_value <= comparison.p_value
    # More pairs than by Holm, and a smallest p-value that the number of pairs does not raise.
    significant = [sum(c.significant for c in by.values()) for by in (found, holm)]
    assert significant[0] > significant[1] > 0
    assert {c.smallest_p for c in found.values()} == {0.001}


@pytest.mark.parametrize(
    ("systems", "test", "correct", "message"),
    [
        (3, "ar", "maxt", "maxt needs resamples that all pairs .* test with 'bs', or correct with"),
        (2, "bs", "maxt", "maxt needs two comparisons or more; there is one"),
        (2, "bs", "tukey", "unknown correction 'tukey': expected holm, bh, maxt, none"),
    ],
)
def test_corrections_that_do_not_apply(
    evaluate: Callable[..., mt.Evaluation], systems: int, test: Any, correct: str, message: str
) -> None:
    evaluation = evaluate({f"S{k}": [1, 2, 3 + k] for k in range(systems)})
    with pytest.raises(mt.UsageError, match=message):
        evaluation.compare(test, correct=correct, all_pairs=True)


def test_max_t_of_systems_without_spread(evaluate: Callable[..., mt.Evaluation]) -> None:
    # All units alike: as without correction, nothing can be said of their difference.
    constant = {"A": [1] * 30, "B": [2] * 30, "C": [*range(30)]}
    found = evaluate(constant).compare("bs", correct="maxt", all_pairs=True).comparisons
    assert [c.p_value for c in found.values()] == [1.0, 1 / 1001, 1 / 1001]


def test_several_runs(evaluate: Callable[..., mt.Evaluation]) -> None:
    evaluation = evaluate({"A": [[1, 2, 3], [3, 4, 5]], "B": [[9, 9, 9]]})
    assert evaluation.scores.runs == {"A": ("A (run 1)", "A (run 2)"), "B": ("B",)}
    assert evaluation.score("A", SPEC).score == 3.0
    record = evaluation.to_records()[0]
    assert record["runs"] == {"scores": [2.0, 4.0], "sd": pytest.approx(np.sqrt(2))}
    interval = evaluation.confidence().intervals["A", SPEC]
    assert 2.0 <= interval.low < 3.0 < interval.high <= 4.0


def test_randomisation_deals_the_runs_anew(evaluate: Callable[..., mt.Evaluation]) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random((2, 15)).round(3), rng.random((1, 15)).round(3) + 0.2
    compared = evaluate({"A": list(a), "B": list(b)}).compare("ar", 200, seed=9, correct="none")
    pool = np.concatenate([b, a])
    observed = b.mean() - a.mean()
    extreme = 0
    for dealt in np.concatenate(list(assignments(15, 3, 200, 9))):
        slots = np.take_along_axis(pool, dealt, axis=0).mean(axis=1)
        extreme += abs(slots[0] - slots[1:].mean()) >= abs(observed) - 1e-12
    found = compared.comparisons["B", "A", SPEC]
    assert not found.exact
    assert found.p_value == (extreme + 1) / 201


def test_one_system_has_nothing_to_compare_with(evaluate: Callable[..., mt.Evaluation]) -> None:
    with pytest.raises(mt.UsageError, match="two systems or more"):
        evaluate({"A": [1]}).compare()


def test_dropped_rows_are_missed(mean_registry: mt.Registry) -> None:
    evaluation = mt.evaluate(
        {"A": ["1"], "B": ["2"]}, [["x"]], ["mean"], registry=mean_registry, kept=mt.Kept()
    )
    with pytest.raises(mt.UsageError, match="the rows were not kept"):
        evaluation.confidence()


@pytest.mark.slow
def test_p_values_are_uniform_where_nothing_differs(
    evaluate: Callable[..., mt.Evaluation],
) -> None:
    # A small version of benchmarks/significance.py: halves of one population.
    rng = np.random.default_rng(6)
    p = {"ar": [], "bs": []}  # type: dict[str, list[float]]
    covered = 0
    for _ in range(80):
        halves = rng.normal(0, 1, (2, 50)).round(4)
        evaluation = evaluate({"A": halves[0], "B": halves[1]})
        for test, found in p.items():
            compared = evaluation.compare(test, 200)  # type: ignore[arg-type]
            found.append(compared.comparisons["B", "A", SPEC].p_value)
        interval = evaluation.confidence(200).intervals["A", SPEC]
        covered += interval.low <= 0 <= interval.high
    for found in p.values():
        # Kolmogorov-Smirnov at the 0.1% level: 1.95 / sqrt(n).
        steps = np.arange(1, 81) / 80
        assert abs(np.sort(found) - steps).max() < 1.95 / np.sqrt(80)
    # Coverage of 95%, less what 50 segments and 200 resamples cost, within 4 standard errors.
    assert covered / 80 > 0.94 - 4 * np.sqrt(0.95 * 0.05 / 80)


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.parametrize(
    ("spec", "name", "options"),
    [
        ("bleu", "BLEU", {}),
        ("bleu:case=lc", "BLEU", {"lowercase": True}),
        ("chrf", "CHRF", {}),
        ("ter", "TER", {}),
    ],
)
def test_intervals_are_those_of_sacrebleu(
    mini: Path, spec: str, name: str, options: dict[str, Any]
) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    try:
        scorer = mt.metric(spec)
    except mt.UnknownNameError:
        pytest.skip(f"no plugin that has {spec} is installed")
    references = [read(mini / f"ref{k}.txt") for k in range(4)]
    hypotheses = read(mini / "systems" / "neural.txt")
    theirs = getattr(sacrebleu, name)(**options).corpus_score(
        hypotheses, references, n_bootstrap=1000
    )
    ours = mt.evaluate({"neural": hypotheses}, references, [scorer]).confidence()
    interval = ours.intervals["neural", spec]
    assert (interval.high - interval.low) / 2 == pytest.approx(theirs._ci, abs=1e-2)
    assert interval.mean == pytest.approx(theirs._mean, abs=1e-2)


@pytest.mark.parametrize(
    "spec",
    ["matches", "bleu", "nist", "gtm", "rouge-l", "rouge-su", "fmean", "meteor", "ter", "chrf"],
)
def test_jackknifing_is_the_mean_over_sets_that_leave_one_out(
    mini: Path, registry: mt.Registry, spec: str
) -> None:
    found = registry if spec == "matches" else mt.default_registry()
    try:
        plain, jackknifed = (mt.metric(f"{spec}:{o}", registry=found) for o in ("", "loo=yes"))
    except mt.UnknownNameError:
        pytest.skip(f"no plugin that has {spec} is installed")
    references = [read(mini / f"ref{k}.txt") for k in range(4)]
    hypotheses = read(mini / "systems" / "rule.txt")
    left_out = [
        plain.corpus_score(hypotheses, references[:k] + references[k + 1 :]).score for k in range(4)
    ]
    score = jackknifed.corpus_score(hypotheses, references)
    assert score.score == pytest.approx(np.mean(left_out), rel=1e-13)
    assert "|loo:yes|" in str(score.signature)
    evaluation = mt.evaluate({"rule": hypotheses}, references, [jackknifed])
    (record,) = evaluation.to_records()
    assert record["jackknife"] == pytest.approx(
        {"low": min(left_out), "high": max(left_out), "sd": np.std(left_out, ddof=1), "n": 4}
    )


@pytest.mark.parametrize("references", [[["a", "b"]], [["a", "b"], ["c", None]]])
def test_jackknifing_needs_the_same_number_everywhere(
    references: list[list[str | None]], registry: mt.Registry
) -> None:
    scorer = mt.metric("matches:loo=yes", registry=registry)
    with pytest.raises(mt.InputError, match="the same number for every segment, at least two"):
        scorer.corpus_score(["x", "y"], references)


def test_people_are_scored_against_the_others(mini: Path, registry: mt.Registry) -> None:
    references = [read(mini / f"ref{k}.txt") for k in range(3)]
    evaluation = mt.evaluate(
        {"A": references[0]}, references, ["matches:loo=yes"], registry=registry, humans=True
    )
    people = ["ref0 (human)", "ref1 (human)", "ref2 (human)"]
    assert evaluation.systems == ["A", *people]
    plain = mt.metric("matches", registry=registry)
    for k, person in enumerate(people):
        others = references[:k] + references[k + 1 :]
        expected = plain.corpus_score(references[k], others)
        found = evaluation.score(person, "matches:loo=yes")
        assert (found.score, str(found.signature)) == (expected.score, str(expected.signature))


# What cannot be resampled, and how draws are signed


@pytest.mark.parametrize("by", ["segment", "doc"])
def test_one_unit_cannot_be_resampled(evaluate: Callable[..., mt.Evaluation], by: Any) -> None:
    numbers = [1] if by == "segment" else [1, 2]
    evaluation = evaluate({"A": numbers, "B": [n + 1 for n in numbers]}, ["d"] * len(numbers))
    unit = {"segment": "segment", "doc": "document"}[by]
    for draw in (evaluation.confidence, evaluation.compare):
        with pytest.raises(mt.InputError, match=f"only one {unit}, which cannot be resampled"):
            draw(by=by)


def test_units_that_are_all_alike_show_nothing(evaluate: Callable[..., mt.Evaluation]) -> None:
    # Every resample is the test set itself, so the bootstrap knows nothing about chance.
    evaluation = evaluate({"A": [1] * 20, "B": [2] * 20})
    assert evaluation.compare("bs").comparisons["B", "A", SPEC].p_value == 1.0
    # Of the 2^20 exchanges drawn at random, hardly any moves all units.
    assert evaluation.compare("ar").comparisons["B", "A", SPEC].p_value < 0.001
    # A constant difference between segments that are not alike is not the same thing.
    spread = evaluate({"A": list(range(20)), "B": [n + 1 for n in range(20)]})
    assert spread.compare("bs").comparisons["B", "A", SPEC].p_value == 1 / 1001


def test_trials_grow_with_the_number_of_comparisons(evaluate: Callable[..., mt.Evaluation]) -> None:
    rng = np.random.default_rng(4)
    systems = {f"S{k:02}": rng.normal(3 * k, 1, 40).tolist() for k in range(11)}
    evaluation = evaluate(systems).compare("bs", all_pairs=True)
    assert evaluation.drawn["bs"] == ("6000",)  # 55 pairs: 55 / 6001 < 0.01
    assert {c.p_value < 0.05 for c in evaluation.comparisons.values()} == {True}
    best = evaluation.comparisons["S10", "S00", SPEC]
    assert (best.raw_p_value, best.p_value) == (1 / 6001, pytest.approx(55 / 6001))
    with pytest.warns(mt.MtevalWarning, match="55 comparisons no p-value can fall below 0.055"):
        evaluate(systems).compare("bs", 999, all_pairs=True)


def halves(n: int, count: int, seed: int) -> Any:
    """Draw every second segment."""
    del seed
    yield np.tile(np.arange(n) % 2 * 2.0, (count, 1))


def test_comparisons_use_the_resampler_that_is_signed(
    plugin: Callable[..., Any], mean: mt.MetricSpec
) -> None:
    resampler = mt.ResamplerSpec("halves", function=halves)
    registry = mt.load_registry([plugin(metrics=[mean], resamplers=[resampler])])
    evaluation = mt.evaluate(
        {"A": ["1", "2"], "B": ["3", "6"]}, [["x", "x"]], ["mean:tok=none"], registry=registry
    ).compare("bs", 20, resampler="halves", registry=registry)
    interval = evaluation.comparisons["B", "A", SPEC].interval
    assert (interval.low, interval.high) == (4.0, 4.0)
    assert evaluation.drawn == {"bs": ("20",), "seed": ("12345",), "draw": ("halves",)}


def test_a_signature_states_one_way_of_drawing(evaluate: Callable[..., mt.Evaluation]) -> None:
    numbers = {"A": list(range(20)), "B": list(range(1, 21))}
    evaluation = evaluate(numbers, list("abcdefghij") * 2).confidence(200)
    compared = evaluation.compare("ar")
    assert compared.drawn == {"bs": ("200",), "ar": ("10000",), "seed": ("12345",)}
    assert compared.comparisons["B", "A", SPEC].interval.n == 200
    assert evaluation.compare("bs").comparisons["B", "A", SPEC].n == 200
    for settings, reason in (
        ({"seed": 1}, "seed:12345, and now seed:1"),
        ({"by": "doc"}, "by:segment, and now by:doc"),
    ):
        with pytest.raises(mt.UsageError, match=reason):
            evaluate(
                {"A": list(range(20)), "B": list(range(20))}, list("abcdefghij") * 2
            ).confidence(200).compare("ar", **settings)
    with pytest.raises(mt.UsageError, match="bs:200, and now bs:300"):
        evaluation.compare("bs", 300)
    assert evaluation.confidence(300, seed=1).drawn == {"bs": ("300",), "seed": ("1",)}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"seed": True}, "seed True: expected a whole number of at least 0"),
        ({"seed": None}, "seed None"),
        ({"seed": -1}, "seed -1"),
        ({"n": 0}, "0 trials: expected a whole number from 1 to 1000000"),
        ({"n": -1}, "-1 trials"),
        ({"n": 10**23}, "100000000000000000000000 trials"),
        ({"n": 1.5}, "1.5 trials"),
        ({"level": 0}, "confidence level 0"),
        ({"level": "95"}, "confidence level '95'"),
        ({"by": "word"}, "cannot resample by 'word'"),
        ({"test": "zz"}, "unknown test 'zz': expected 'ar' or 'bs'"),
        ({"correct": "zz"}, "unknown correction 'zz'"),
    ],
)
def test_draws_that_are_not_valid(
    evaluate: Callable[..., mt.Evaluation], settings: dict[str, Any], reason: str
) -> None:
    evaluation = evaluate({"A": list(range(20)), "B": list(range(1, 21))})
    with pytest.raises(mt.UsageError, match=reason):
        evaluation.compare(**settings)
    if settings.keys() <= {"seed", "n", "level", "by"}:
        with pytest.raises(mt.UsageError, match=reason.replace("trials", "resamples")):
            evaluation.confidence(**settings)
