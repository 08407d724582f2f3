"""Correlation by the number of references, and over systems and references together."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

N_SYSTEMS, N_REFERENCES, N = 4, 3, 30


class Nearest:
    """How near a number is to the nearest reference; only so many references count."""

    def segment_statistics(self, hypothesis: list[str], references: list[list[str]]) -> list[float]:
        return [-min(abs(float(hypothesis[0]) - float(each[0])) for each in references)]


@pytest.fixture(scope="module")
def registry(plugin: Any) -> mt.Registry:
    return mt.load_registry(
        [
            plugin(
                metrics=[
                    mt.MetricSpec(
                        name,
                        factory=Nearest,
                        help="nearness",
                        values={"nearness": 1},
                        options=(mt.Option("tok", "none"),),
                        bounds=(-9e9, 9e9),
                    )
                    for name in ("near", "same")
                ]
            )
        ]
    )


def texts() -> tuple[Any, Any, Any]:
    """Outputs, references and human scores, as numbers."""
    rng = np.random.default_rng(1)
    outputs = rng.normal(size=(N_SYSTEMS, N)) * np.linspace(0.5, 2, N_SYSTEMS)[:, None]
    references = rng.normal(size=(N_REFERENCES, N)) * 0.7
    human = -np.abs(outputs) + rng.normal(size=outputs.shape)
    return outputs, references, human


def words(numbers: Any) -> list[str]:
    return [repr(number) for number in numbers.tolist()]


@pytest.fixture
def studies(registry: mt.Registry, judged: Callable[..., Any]) -> list[tuple[int, metaeval.Study]]:
    outputs, references, human = texts()
    systems = {f"s{k}": words(row) for k, row in enumerate(outputs)}
    return [
        (
            len(choice),
            metaeval.study_metrics(
                systems,
                [words(references[k]) for k in choice],
                judged(human),
                ["near", "same"],
                registry=registry,
            ),
        )
        for choice in metaeval.choices_of_references(N_REFERENCES, (1, 2, 3))
    ]


def scores(choice: Any) -> Any:
    outputs, references, _ = texts()
    return -np.min(np.abs(outputs[None] - references[list(choice), None]), axis=0)


def choices(size: int) -> list[Any]:
    return list(itertools.combinations(range(N_REFERENCES), size))


def test_means_over_choices_by_plain_loops(studies: Any) -> None:
    human = texts()[2].mean(axis=1)
    records = metaeval.by_reference_count(studies, resampling=metaeval.Resampling(n=0))
    assert [(r.n_references, r.n_choices) for r in records] == [
        *[(1, 3)] * 2,
        *[(2, 3)] * 2,
        *[(3, 1)] * 2,
    ]
    for record in records:
        of_choices = [
            np.corrcoef(scores(choice).mean(axis=1), human)[0, 1]
            for choice in choices(record.n_references)
        ]
        assert record.value == pytest.approx(np.mean(of_choices))
        assert (record.interval, record.mark) == (None, "best")


def test_all_references_are_the_experiment_itself(studies: Any) -> None:
    size, study = studies[-1]
    resampling = metaeval.Resampling(n=100)
    (record, _) = metaeval.by_reference_count([(size, study)], resampling=resampling)
    correlations, _ = metaeval.system_level(study, resampling)
    expected = next(c for c in correlations if c.quantity == "pearson")
    assert (record.value, record.interval) == (expected.value, expected.interval)


@pytest.mark.parametrize("kind", ["percentile", "bca"])
def test_the_interval_is_that_of_the_mean(studies: Any, kind: Any) -> None:
    """Averages over choices vary less than the coefficient of one choice does on average."""
    resampling = metaeval.Resampling(n=300, interval=kind)
    of_size = [study for size, study in studies if size == 1]
    (mean, _) = metaeval.by_reference_count([(1, s) for s in of_size], resampling=resampling)
    alone = [
        metaeval.by_reference_count([(1, study)], resampling=resampling)[0] for study in of_size
    ]
    assert mean.value == pytest.approx(np.mean([record.value for record in alone]))
    assert mean.interval is not None
    widths = [r.interval.high - r.interval.low for r in alone if r.interval]
    assert 0 < mean.interval.high - mean.interval.low <= np.mean(widths)
    resampled = [r.interval.mean for r in alone if r.interval]
    assert mean.interval.mean == pytest.approx(np.mean(resampled))


def test_segments_have_the_mean_of_their_groups(studies: Any) -> None:
    human = texts()[2]
    records = metaeval.by_reference_count(
        studies, "kendall", "item", resampling=metaeval.Resampling(n=50)
    )
    for record in records[::2]:
        of_choices = [
            np.mean([float(metaeval.kendall(x, y)) for x, y in zip(s.T, human.T, strict=True)])
            for s in map(scores, choices(record.n_references))
        ]
        assert record.value == pytest.approx(np.mean(of_choices))
        assert record.interval is not None
    calibrated = metaeval.by_reference_count(studies, "calibrated accuracy", "item")
    assert all(record.interval is None for record in calibrated)


def test_a_curve_over_systems_and_references_together(studies: Any) -> None:
    """On the whole text there is one document: 4 systems times 3 references, 12 points."""
    human = texts()[2].mean(axis=1)
    points, _ = metaeval.length_curve(studies, [N], 3, coefficient="pearson", pool_references=True)
    for point in points:
        pooled = [scores(choice).mean(axis=1) for choice in choices(point.n_references)]
        expected = np.corrcoef(np.concatenate(pooled), np.tile(human, len(pooled)))[0, 1]
        assert point.correlations == pytest.approx([expected] * 3)


def test_two_systems_and_four_references_have_a_ceiling(
    registry: mt.Registry, judged: Callable[..., Any]
) -> None:
    """Spearman's coefficient of 8 scores in order with 2 human scores, 4 times each: 32/sqrt(1344).

    Melamed et al. 2003, section 3: the ceiling of figure 3.
    """
    rng = np.random.default_rng(2)
    systems = {"good": words(rng.normal(0, 0.1, 40)), "bad": words(rng.normal(9, 0.1, 40))}
    human = np.stack([np.full(40, 5.0), np.full(40, 1.0)])
    alone = [
        (
            1,
            metaeval.study_metrics(
                systems,
                [words(rng.normal(0, 0.1, 40))],
                judged(human, systems=("good", "bad")),
                ["near"],
                registry=registry,
            ),
        )
        for _ in range(4)
    ]
    (point,), _ = metaeval.length_curve(alone, [10], 20, pool_references=True)
    assert point.correlations == pytest.approx([32 / np.sqrt(1344)] * 20)


def test_the_command(mini: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")
    common = [
        *("correlate", *(str(mini / f"ref{k}.txt") for k in range(3)), "-i", str(mini / "systems")),
        *("--human", str(mini / "ratings.tsv"), "--criteria", "adequacy", "-m", "bleu", "ter"),
        *("--choose-refs", "1,3", "-n", "20"),
    ]
    assert main(common) == 0
    out = capsys.readouterr().out
    assert (
        "Pearson on systems: mean over all choices of that many references; 95% symmetric"
        in " ".join(out.split())
    )
    assert "3 choices" in out
    assert main([*common, "--coefficient", "soft", "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["settings"]["coefficient"] == "soft pairwise accuracy"
    assert [r["n_choices"] for r in report["records"]] == [3, 3, 1, 1]
    assert len(report["inputs"]["references"]) == 3
    assert main([*common, "--level", "segment", "--coefficient", "calibrated"]) == 0
    assert "no intervals" in capsys.readouterr().out
    assert main([*common[:-4], "--choose-refs", "4"]) == 2
