"""How often people agree with a difference of a metric: the fit, intervals, and files."""

from __future__ import annotations

import copy
import csv
import io
import itertools
import json
import math
import random
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval import Curve, calibrate, notes, quotes, read_curves
from mteval_metaeval.calibration import LIMITS, SCALES, fitted, pairs_of

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., metaeval.Study]
    Run = Callable[..., tuple[int, str, str]]

NAN = math.nan


def scores(seed: int, n_systems: int = 5, n_sets: int = 40) -> tuple[Any, Any]:
    """Scores of a metric, and human scores that it predicts."""
    rng = np.random.default_rng(seed)
    metric = rng.normal(size=(n_sets, n_systems)) + np.arange(n_systems)
    return metric, metric + rng.normal(size=metric.shape)


# The fit


def test_pairs_are_counted_by_the_size_of_their_difference() -> None:
    metric, human = scores(1)
    human[3, 1] = NAN
    human[4, 2] = human[4, 0]
    pairs = pairs_of((metric, human))
    assert pairs is not None
    agreed, disagreed, sizes = np.zeros(10), np.zeros(10), []
    for k, (i, j) in enumerate(itertools.combinations(range(5), 2)):
        for x, y in zip(metric, human, strict=True):
            sizes.append(abs(x[i] - x[j]))
            same = (x[i] > x[j]) == (y[i] > y[j])
            if not math.isnan(y[i] + y[j]) and y[i] != y[j]:
                agreed[k] += same / 40
                disagreed[k] += (not same) / 40
    assert pairs.agreed.sum(axis=1) == pytest.approx(agreed)
    assert pairs.disagreed.sum(axis=1) == pytest.approx(disagreed)
    assert agreed[0] + disagreed[0] == pytest.approx(39 / 40)
    assert pairs.largest == max(sizes)
    # Eight differences in each of 50 bins.
    assert pairs.sizes == pytest.approx(np.sort(sizes).reshape(50, 8).mean(axis=1))


def slow_fit(metric: Any, human: Any, at: list[float]) -> Any:
    """Weight all curves by their likelihood: one pair of systems and pseudo test set at a time."""
    pairs = list(itertools.combinations(range(metric.shape[1]), 2))
    n_sets, largest = len(metric), max(abs(x[i] - x[j]) for x in metric for i, j in pairs)
    weights, curves = [], []
    for limit, scale in itertools.product(LIMITS, SCALES):
        logarithm = 0.0
        for (i, j), k in itertools.product(pairs, range(n_sets)):
            rise = math.tanh(abs(metric[k, i] - metric[k, j]) / largest / scale)
            p = 0.5 + (limit - 0.5) * rise
            same = (metric[k, i] > metric[k, j]) == (human[k, i] > human[k, j])
            logarithm += math.log(p if same else 1 - p) / n_sets
        weights.append(math.exp(logarithm))
        curves.append([0.5 + (limit - 0.5) * math.tanh(x / largest / scale) for x in at])
    mean = np.average(curves, axis=0, weights=weights)
    return mean, np.average((np.array(curves) - mean) ** 2, axis=0, weights=weights)


def test_the_fit_is_the_mean_of_all_curves_weighted_by_their_likelihood() -> None:
    # 3 pairs on 3 sets: at most 9 differences, so that each has a bin of its own.
    metric, human = scores(2, n_systems=3, n_sets=3)
    pairs, at = pairs_of((metric, human)), [0.0, 0.5, 2.0]
    assert pairs is not None
    expected, variance = slow_fit(metric, human, at)
    estimate, low, high = fitted(pairs, np.array(at), 3, 68.268949213708)
    assert estimate == pytest.approx(expected)
    assert [estimate[0], low[0], high[0]] == pytest.approx([0.5] * 3)
    # Without one of three systems one pair is left.
    without = []
    for k in range(3):
        kept = [i for i in range(3) if i != k]
        one = pairs_of((metric[:, kept], human[:, kept]))
        assert one is not None
        # The curves of the grid are relative to the largest difference of all systems.
        scaled = one._replace(largest=pairs.largest)
        without.append(slow_likelihood(scaled, np.array(at) / pairs.largest))
    jackknife = 2 / 3 * np.sum((np.array(without) - np.mean(without, axis=0)) ** 2, axis=0)
    assert high - estimate == pytest.approx(np.sqrt(jackknife + variance))
    assert estimate - low == pytest.approx(np.sqrt(jackknife + variance))


def slow_likelihood(pairs: Any, at: Any) -> Any:
    """The mean curve of counted pairs."""
    weights, curves = [], []
    for limit, scale in itertools.product(LIMITS, SCALES):
        p = 0.5 + (limit - 0.5) * np.tanh(pairs.sizes / pairs.largest / scale)
        logs = pairs.agreed.sum(0) @ np.log(p) + pairs.disagreed.sum(0) @ np.log(1 - p)
        weights.append(math.exp(logs))
        curves.append(0.5 + (limit - 0.5) * np.tanh(at / scale))
    return np.average(curves, axis=0, weights=weights)


@pytest.mark.parametrize(("n_systems", "least"), [(4, 0.6), (12, 0.85), (30, 0.95)])
def test_people_who_always_agree_convince_the_more_systems_there_are(
    n_systems: int, least: float
) -> None:
    metric, _ = scores(3, n_systems)
    pairs = pairs_of((metric, metric))
    assert pairs is not None
    estimate, low, high = fitted(pairs, np.array([0.0, pairs.largest]), n_systems, 95)
    assert least < estimate[1] < 1
    assert low[1] < estimate[1] < 0.9995 < high[1] <= 1
    reverse = pairs_of((metric, -metric))
    assert reverse is not None
    mirrored = fitted(reverse, np.array([0.0, pairs.largest]), n_systems, 95)
    assert mirrored[0] == pytest.approx(1 - estimate)
    assert mirrored[1] == pytest.approx(1 - high)


def test_intervals_hold_their_level() -> None:
    """Simulate systems whose agreement at a difference of one is known to be 0.76."""
    covered = 0
    for seed in range(40):
        rng = np.random.default_rng([9, seed])
        metric = np.tile(rng.normal(size=10), (20, 1))
        # Normal errors with the standard deviation 1: P(sign) = Phi(1 / sqrt(2)) = 0.760.
        pairs = pairs_of((metric, metric + rng.normal(size=10)))
        assert pairs is not None
        _, low, high = fitted(pairs, np.array([1.0]), 10, 95)
        covered += bool(low[0] <= 0.760 <= high[0])
    assert covered >= 36


# Studies


def test_a_good_metric_and_noise(study: Make) -> None:
    rng = np.random.default_rng(4)
    human = np.linspace(0, 3, 8)[:, None] + rng.normal(size=(8, 60))
    noise = rng.normal(size=human.shape)
    (good, bad), found = calibrate(study([human, noise], human), count=100)
    assert found == []
    assert (good.metric, bad.metric, good.criterion) == ("column:k=0", "column:k=1", "score")
    assert good.at(good.differences[-1])[0] > 0.8
    low, high = bad.at(bad.differences[-1])[1:]
    assert low < 0.5 < high
    assert good.signature.startswith("column|")
    assert good.at(0) == pytest.approx((0.5, 0.5, 0.5))
    assert list(good.differences) == sorted(good.differences)
    again, _ = calibrate(study([human, noise], human), count=100)
    assert again[0].agreement.tolist() == good.agreement.tolist()
    (other, _), _ = calibrate(study([human, noise], human), count=100, seed=1)
    assert other.agreement.tolist() != good.agreement.tolist()


def test_error_rates_agree_where_less_is_better(study: Make) -> None:
    human = np.linspace(0, 3, 6)[:, None] + np.random.default_rng(5).normal(size=(6, 30))
    specs = ["column:k=0", "errors:k=1"]
    (more, less), _ = calibrate(study([human, -human], human, specs=specs), count=50)
    assert less.agreement == pytest.approx(more.agreement)


def test_the_whole_test_set_is_one_pseudo_test_set(study: Make) -> None:
    human = np.arange(4)[:, None] + np.random.default_rng(6).normal(size=(4, 10))
    (curve,), _ = calibrate(study([human], human), size=10, count=3)
    means = human.mean(axis=1)
    assert curve.differences[-1] == pytest.approx(means.max() - means.min())


def test_documents_are_drawn_whole(study: Make) -> None:
    human = np.arange(4)[:, None] + np.repeat(np.random.default_rng(7).normal(size=(4, 5)), 2, 1)
    documents = [f"d{k // 2}" for k in range(10)]
    made = study([human], human, documents=documents, unit="doc")
    (by_document,), _ = calibrate(made, size=1, count=200)
    largest = max(np.ptp(human[:, k]) for k in range(10))
    assert by_document.differences[-1] == pytest.approx(largest)


def test_a_metric_that_does_not_vary_is_noted(study: Make) -> None:
    human = np.random.default_rng(8).normal(size=(4, 10))
    curves, found = calibrate(study([human, np.ones_like(human)], human), count=20)
    assert [curve.metric for curve in curves] == ["column:k=0"]
    assert found == [notes.ConstantScores("column:k=1")]


def test_what_cannot_be_calibrated(study: Make) -> None:
    human = np.random.default_rng(9).normal(size=(3, 10))
    with pytest.raises(mt.InputError, match="three judged systems or more, got 2"):
        calibrate(study([human[:2]], human[:2]))
    with pytest.raises(mt.UsageError, match="of 11 segments"):
        calibrate(study([human], human), size=11)
    of_systems = metaeval.Judgments(
        level="system",
        systems=("s0", "s1", "s2"),
        items=(),
        raters=("",),
        criteria=("score",),
        system=np.arange(3),
        item=np.zeros(3, np.int64),
        rater=np.zeros(3, np.int64),
        scores=np.arange(3.0)[:, None],
    )
    with pytest.raises(mt.UsageError, match="calibration needs judgments of segments"):
        calibrate(study([human], of_systems))


# Curves


def curve(agreement: list[float], signature: str = "M|nrefs:1|case:lc", **fields: Any) -> Curve:
    sizes = np.arange(len(agreement), dtype=np.float64)
    values = np.array(agreement)
    named = {"metric": "M", "set": "", "criterion": "score", "level": 95.0, **fields}
    ends = {"low": values - 0.1, "high": np.minimum(values + 0.1, 1)}
    return Curve(**named, signature=signature, differences=sizes, agreement=values, **ends)


def test_agreement_between_the_points_of_a_curve() -> None:
    found = curve([0.5, 0.6, 0.8])
    assert found.at(0.5) == pytest.approx((0.55, 0.45, 0.65))
    assert found.at(-1.5) == pytest.approx((0.7, 0.6, 0.8))
    assert found.at(7) == pytest.approx((0.8, 0.7, 0.9))


@pytest.mark.parametrize(
    ("agreement", "wanted", "needed"),
    [
        ([0.5, 0.6, 0.8], 0.7, 1.5),
        ([0.5, 0.6, 0.8], 0.8, 2),
        ([0.5, 0.6, 0.8], 0.9, NAN),
        ([0.5, 0.7, 0.6], 0.6, 0.5),  # the first time
        ([0.5, 0.4, 0.3], 0.6, NAN),
    ],
)
def test_the_difference_that_an_agreement_takes(
    agreement: list[float], wanted: float, needed: float
) -> None:
    assert curve(agreement).needed(wanted) == pytest.approx(needed, nan_ok=True)


class Matches:
    """Share of segments that equal the reference; the option changes nothing."""

    def __init__(self, k: int = 1) -> None:
        self.k = k

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [float(hypothesis in references)]


@pytest.fixture(scope="module")
def evaluation(plugin: Callable[..., Any]) -> mt.Evaluation:
    options = (mt.Option("tok", "none"), mt.Option("k", 1, "a number", minimum=0))
    spec = mt.MetricSpec("m", factory=Matches, help="matches", values={"M": 100}, options=options)
    registry = mt.load_registry([plugin(metrics=[spec])])
    systems = {"a": ["x", "y", "z", "z"], "b": ["x", "z", "z", "z"], "c": ["x", "y", "w", "z"]}
    return mt.evaluate(systems, [["x", "y", "w", "v"]], ["m"], registry=registry)


def test_agreement_with_differences_of_an_evaluation(evaluation: mt.Evaluation) -> None:
    signature = str(evaluation.score("a", "m").signature)
    other = signature.replace("|refs:", "|refs:0")
    curves = [
        curve([0.5, 0.7], other)._replace(differences=np.array([0.0, 50.0])),
        curve([0.5, 0.4], other, criterion="style")._replace(differences=np.array([0.0, 10.0])),
    ]
    found = quotes(evaluation, curves)
    assert [(one.system, one.baseline, one.curve.criterion) for one in found] == [
        (system, "a", criterion) for system in "bc" for criterion in ("score", "style")
    ]
    first, second = found[:2]
    assert first.difference == second.difference == -25
    assert first.agreement == pytest.approx((0.6, 0.5, 0.7))
    assert (first.is_beyond, second.is_beyond) == (False, True)
    assert second.agreement[0] == 0.4
    pairs = quotes(evaluation, curves[:1], all_pairs=True)
    assert [(one.system, one.baseline, one.difference) for one in pairs] == [
        ("b", "a", -25),
        ("c", "a", 25),
        ("c", "b", 50),
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("k:1", "k:2"), r"k:2 \(here k:1\)"),
        (("tok:none", "tok:13a|x:1"), r"tok:13a \(here tok:none\), x:1 \(here x:not given\)"),
        (("nrefs:1", "nrefs:4"), r"nrefs:4 \(here nrefs:1\)"),
        (("m|", "N|"), "it has curves for N"),
    ],
)
def test_a_study_of_another_metric_is_refused(
    evaluation: mt.Evaluation, change: tuple[str, str], reason: str
) -> None:
    signature = str(evaluation.score("a", "m").signature)
    assert change[0] in signature
    other = curve([0.5, 0.7], signature.replace(*change))
    with pytest.raises(mt.UsageError, match=f"what a difference of m means: .*{reason}"):
        quotes(evaluation, [other])


# Commands


@pytest.fixture(scope="module")
def study_file(mini: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save the study of BLEU on the example."""
    path = tmp_path_factory.mktemp("study") / "study.json"
    assert main([*command_of(mini), "--samples", "200", "-o", str(path)]) == 0
    return path


def command_of(mini: Path) -> list[str]:
    """``mteval correlate --calibrate`` on the example."""
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    texts = [str(mini / "ref0.txt"), "-i", str(mini / "systems"), "-m", "bleu"]
    human = ["--human", str(mini / "ratings.tsv"), "--criteria", "adequacy"]
    return ["correlate", *texts, *human, "--calibrate", "-q"]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "120")

    def command(*words: str | Path) -> tuple[int, str, str]:
        code = main([*map(str, words)])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


def test_the_report_of_a_study(run: Run, mini: Path, study_file: Path) -> None:
    code, out, err = run(*command_of(mini), "--samples", "200", "-w", "1")
    assert (code, err) == (0, "")
    assert "1 reference. 200 pseudo test sets of 60 segments, seed 12345; 95% intervals" in out
    (saved,) = read_curves(str(study_file))
    lines = [line.split() for line in out.splitlines()]
    sizes = [share * saved.differences[-1] for share in (0.03, 0.1, 0.25, 0.5, 1)]
    shown = [line[1:] for line in lines if line[:1] == ["BLEU"]]
    assert shown[:5] == [
        [f"{size:.1f}", *(f"{100 * value:.0f}" for value in saved.at(round(size, 1)))]
        for size in sizes
    ]
    needed = [saved.needed(wanted / 100) for wanted in (60, 70, 80, 90)]
    assert shown[5] == ["–" if math.isnan(size) else f"{size:.1f}" for size in needed]
    assert "in which people prefer the same one" in out


@pytest.mark.parametrize("form", ["markdown", "latex", "csv", "jsonl"])
def test_every_format_has_the_curve(run: Run, mini: Path, form: str) -> None:
    if form == "latex":
        pytest.importorskip("mteval_figures", reason="the plugin figures is not installed")
    code, out, err = run(*command_of(mini), "--samples", "10", "-f", form)
    assert (code, err) == (0, "")
    if form in ("csv", "jsonl"):
        assert len(out.splitlines()) == 41 + (form == "csv")
    else:
        assert "adequacy: differences needed, by agreement" in out


def test_the_units_and_sizes_of_pseudo_test_sets(run: Run, mini: Path) -> None:
    few = [*command_of(mini), "--samples", "20", "--ci-level", "50", "--seed", "7"]
    documents = ["--by", "doc", "--docs", mini / "docs.txt"]
    _, out, _ = run(*few, *documents, "--lengths", "3")
    assert "20 pseudo test sets of 3 documents, seed 7; 50% intervals" in out
    assert "20 pseudo test sets of 1 document, seed 7" in run(*few, *documents, "--lengths", "1")[1]
    code, _, err = run(*few, "--lengths", "500")
    assert (code, "pseudo test sets of 500" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--calibrate --lengths 5,6", "--calibrate takes one length of pseudo test sets"),
        ("--calibrate --compare", "--calibrate is an experiment of its own"),
        ("--calibrate --choose-refs 1", "--calibrate is an experiment of its own"),
        ("--calibrate --plot x.png", "--calibrate is an experiment of its own"),
        ("--calibrate -n 5", "--calibrate draws pseudo test sets, and no resamples"),
        ("--calibrate --interval bca", "--calibrate draws pseudo test sets, and no resamples"),
        ("--calibrate --pool-refs", "--pool-refs applies"),
        ("--calibrate --draw document", "--draw document applies to the curve"),
        ("--calibrate --coefficient kendall", "--coefficient applies to --compare"),
        ("--calibrate --curve", "--calibrate and --curve exclude"),
        ("--lengths 5", "--lengths and --samples apply to --curve and --calibrate"),
        ("--samples 5", "--lengths and --samples apply to --curve and --calibrate"),
    ],
)
def test_flags_without_effect_on_calibration(run: Run, words: str, message: str) -> None:
    code, out, err = run("correlate", "r", "-i", "s", "--human", "h", *words.split())
    assert (code, out) == (2, "")
    assert message in err


def quoting(mini: Path, study: Path, *systems: str) -> list[str]:
    """``mteval points`` on some systems of the example."""
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    paths = [str(mini / "systems" / f"{name}.txt") for name in systems]
    return ["points", str(study), str(mini / "ref0.txt"), "-i", *paths, "-m", "bleu"]


def test_points_quotes_a_study(run: Run, mini: Path, study_file: Path) -> None:
    command = quoting(mini, study_file, "deep", "neural", "phrase")
    code, out, err = run(*command, "-f", "json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    (curve,) = read_curves(str(study_file))
    _, scored, _ = run("score", *command[2:], "-f", "json")
    scores = {record["system"]: record["score"] for record in json.loads(scored)["records"]}
    _, out, _ = run(*command)
    for quoted, system in zip(report["records"], ("neural", "phrase"), strict=True):
        difference, ends = scores[system] - scores["deep"], ("agreement", "low", "high")
        assert quoted == {
            "system": system,
            "baseline": "deep",
            "metric": "bleu",
            "criterion": "adequacy",
            "difference": difference,
            **dict(zip(ends, curve.at(difference), strict=True)),
            "level": 95.0,
            "largest": curve.differences[-1],
        }
        numbers = (f"{100 * quoted[key]:.0f}" for key in ends)
        (shown,) = [line.split() for line in out.splitlines() if f"{system}  deep" in line]
        assert shown == [system, "deep", "BLEU", f"{difference:+.2f}", *numbers]
    assert report["inputs"]["study"]["path"] == str(study_file)
    assert len(report["inputs"]["systems"]) == 3


def test_every_criterion_has_a_table_of_its_own(run: Run, mini: Path, tmp_path: Path) -> None:
    command = quoting(mini, tmp_path / "study.json", "deep", "neural")
    _, out, _ = run("score", *command[2:], "-f", "json")
    study = saved([0.0, 100.0], json.loads(out)["records"][0]["signature"])
    for record in study["records"].copy():
        record["agreement"] = 0.7
        study["records"].append({**record, "criterion": "flüssig", "agreement": 0.45})
    (tmp_path / "study.json").write_text(json.dumps(study))
    code, out, _ = run(*command)
    assert code == 0
    captions = [line for line in out.splitlines() if line.startswith("Agreement of people")]
    assert [caption.partition("(")[2] for caption in captions] == ["score)", "flüssig)"]
    rows = [line.split() for line in out.splitlines() if line.startswith("neural  deep")]
    assert [row[4:] for row in rows] == [["70", "40", "90"], ["45", "40", "90"]]


def test_a_difference_beyond_the_study_is_marked_and_explained(
    run: Run, mini: Path, tmp_path: Path
) -> None:
    command = quoting(mini, tmp_path / "small.json", "deep", "neural")
    _, out, _ = run("score", *command[2:], "-f", "json")
    deep, neural = json.loads(out)["records"]
    signature, difference = deep["signature"], f"{neural['score'] - deep['score']:+.1f}"
    for largest, is_beyond in ((1.0, True), (50.0, False)):
        study = saved([0.0, largest], signature)
        for record in study["records"]:
            record |= {"agreement": 0.6, "level": 90.0}
        (tmp_path / "small.json").write_text(json.dumps(study))
        _, out, _ = run(*command, "-w", "1")
        (line,) = [line.split() for line in out.splitlines() if line.startswith("neural  deep")]
        assert line[3:] == [f"{difference}{'>' * is_beyond}", "60", "40", "90"]
        assert ("> larger than all differences of the study" in out) == is_beyond
        assert "with a 90% interval" in " ".join(out.split())


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "csv", "jsonl"])
def test_every_format_shows_the_agreement(
    run: Run, mini: Path, study_file: Path, form: str
) -> None:
    plugin = {"latex": "mteval_figures", "html": "mteval_html_report"}.get(form)
    if plugin:
        pytest.importorskip(plugin)
    code, out, _ = run(*quoting(mini, study_file, "deep", "neural"), "-f", form)
    assert code == 0
    if form == "jsonl":
        assert 0.5 < json.loads(out)["agreement"] < 1
    elif form == "csv":
        (row,) = csv.DictReader(io.StringIO(out))
        assert float(row["agreement"]) > 0.5
    else:
        assert "Agreement of people" in out


def test_all_pairs_of_systems_have_an_agreement(run: Run, mini: Path, study_file: Path) -> None:
    command = quoting(mini, study_file, "deep", "neural", "phrase")
    code, out, _ = run(*command, "--all-pairs", "-f", "jsonl")
    found = [(row["system"], row["baseline"]) for row in map(json.loads, out.splitlines())]
    assert (code, found) == (0, [("neural", "deep"), ("phrase", "deep"), ("phrase", "neural")])


def test_runs_of_a_system_have_the_agreement_of_their_mean(
    run: Run, mini: Path, study_file: Path
) -> None:
    deep, neural, phrase = (
        mini / "systems" / f"{name}.txt" for name in ("deep", "neural", "phrase")
    )
    command = quoting(mini, study_file, "deep")
    command[4:5] = ["-i", str(deep), f"both={neural},{phrase}"][1:]
    _, out, _ = run(*quoting(mini, study_file, "deep", "neural", "phrase"), "-f", "jsonl")
    single = [json.loads(line)["difference"] for line in out.splitlines()]
    _, out, _ = run(*command, "-f", "jsonl")
    assert json.loads(out)["difference"] == pytest.approx(sum(single) / 2)


def test_what_has_no_difference_is_refused(run: Run, mini: Path, study_file: Path) -> None:
    code, out, err = run(*quoting(mini, study_file, "deep"))
    assert (code, out) == (2, "")
    assert "a difference needs two systems or more, got 1" in err
    code, _, err = run("points", study_file, "ref")
    assert (code, "expected references and systems" in err) == (2, True)


def test_another_metric_is_refused(run: Run, mini: Path, study_file: Path) -> None:
    command = quoting(mini, study_file, "deep", "neural")
    code, out, err = run(*command, "-lc")
    assert (code, out) == (2, "")
    assert "what a difference of bleu means: there it was computed with case:mixed (here ca" in err
    code, _, err = run(*command, "-r", mini / "ref1.txt")
    assert (code, "nrefs:1 (here nrefs:2)" in err) == (2, True)


# Saved studies


def saved(sizes: list[float], signature: str = "M|nrefs:1") -> dict[str, Any]:
    """What a file holds."""
    records = [
        {
            "metric": "M",
            "set": "",
            "criterion": "score",
            "signature": signature,
            "level": 95.0,
            "n_systems": 5,
            "difference": size,
            "agreement": 0.5 + size / 10,
            "low": 0.4,
            "high": 0.9,
        }
        for size in sizes
    ]
    head = {"mteval": "0.1.0", "experiment": "calibration", "inputs": {}, "settings": {}}
    return {**head, "records": records, "notes": [], "signatures": [signature]}


def read(tmp_path: Path, study: Any) -> list[Curve]:
    path = tmp_path / "study.json"
    path.write_text(study if isinstance(study, str) else json.dumps(study))
    return read_curves(str(path))


def test_a_study_that_does_not_exist_is_answered_with_the_nearest_file(tmp_path: Path) -> None:
    (tmp_path / "study.json").touch()
    with pytest.raises(mt.InputError, match=r"stdy\.json: no such file\. Did you mean 'study\."):
        read_curves(str(tmp_path / "stdy.json"))


def test_a_saved_study_can_be_read_twice_and_has_all_points(study_file: Path) -> None:
    first, second = (read_curves(str(study_file)) for _ in range(2))
    assert [curve.metric for curve in first] == ["BLEU"]
    assert first[0].differences.tolist() == second[0].differences.tolist()
    assert len(first[0].differences) == 41
    assert np.all(first[0].low <= first[0].agreement)
    assert np.all(first[0].agreement <= first[0].high)


def test_a_saved_study_is_read(tmp_path: Path) -> None:
    study = saved([0, 1, 2])
    more = [{**record, "criterion": "style"} for record in study["records"]]
    first, second = read(tmp_path, {**study, "records": [*study["records"], *more]})
    assert (first.criterion, second.criterion) == ("score", "style")
    assert first.differences.tolist() == second.differences.tolist() == [0, 1, 2]
    assert first.agreement == pytest.approx([0.5, 0.6, 0.7])
    assert (first.low.tolist(), first.high.tolist()) == ([0.4] * 3, [0.9] * 3)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("agreement", 1.5, "M, score: expected low <= agreement <= high, from 0 to 1"),
        ("high", 1.5, "M, score: expected low <= agreement <= high"),
        ("low", "0.4", r"records\[1\].low: expected a finite number, got '0.4'"),
        ("low", True, "low: expected a finite number, got True"),
        ("difference", 0, "M, score: expected differences that grow from 0"),
        ("difference", -1, "expected differences that grow from 0"),
        ("set", None, r"records\[1\].set: expected a string, got None"),
        ("signature", "M", "'M' is not a signature"),
        ("level", 100, "a number of percent between 0 and 100"),
        ("criterion", "other", "expected differences that grow from 0"),
    ],
)
def test_a_forged_study_is_refused(tmp_path: Path, key: str, value: Any, message: str) -> None:
    study = saved([0, 1])
    study["records"][1][key] = value
    with pytest.raises(mt.InputError, match=message):
        read(tmp_path, study)


@pytest.mark.parametrize(
    ("study", "message"),
    [
        ("{", "not JSON .*; expected what 'mteval correlate --calibrate -o FILE.json' writes"),
        ("[]", "not a study with calibration curves; expected what"),
        ({**saved([0, 1]), "experiment": "curve"}, "not a study with calibration curves; expected"),
        (saved([]), "calibration curves: 'records' is not a list of points"),
        ({**saved([]), "records": [1]}, r"records\[0\].metric: expected a string, got None"),
        (saved([0]), "expected differences that grow from 0"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, study: Any, message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        read(tmp_path, study)


DAMAGE = (None, True, -1, 5, 1e308, math.nan, "", "M|a:b", [], {}, [None, 1, "x"])


def damaged(study: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """Replace a value of the file or of a record, or drop it."""
    changed = copy.deepcopy(study)
    part = draw.choice([changed, *changed["records"]])
    key = draw.choice(list(part))
    part[key] = draw.choice(DAMAGE)
    if draw.random() < 0.2:
        del part[key]
    return changed


def test_a_damaged_study_is_refused_or_makes_sense(
    evaluation: mt.Evaluation, tmp_path: Path
) -> None:
    draw = random.Random(1)
    study = saved([0, 1, 2], str(evaluation.score("a", "m").signature))
    n_read = 0
    for _ in range(80):
        try:
            curves = read(tmp_path, damaged(study, draw))
            quoted = quotes(evaluation, curves)
        except mt.MtevalError:
            continue
        n_read += 1
        for one in quoted:
            agreement, low, high = one.agreement
            assert 0 <= low <= agreement <= high <= 1
            assert 0 < one.curve.level < 100
        for each in curves:
            assert each.differences[0] == 0
            assert math.isnan(each.needed(0.7)) or 0 <= each.needed(0.7) <= each.differences[-1]
    assert 2 < n_read < 78
