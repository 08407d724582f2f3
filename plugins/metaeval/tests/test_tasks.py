"""Ranks over several tasks: against plain loops, single tasks, and on the command line."""

from __future__ import annotations

import itertools
import json
import math
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mteval_metaeval.commands import tasks as tasks_command
from mteval_metaeval.commands.task_lines import lines_of_file
from mteval_metaeval.notes import UnitsNotComplete
from mteval_metaeval.reports.tasks import of_tasks
from mteval_metaeval.tasks import Task, rank_over_tasks

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., metaeval.Study]

FEW = metaeval.Resampling(n=200)


def made(seed: int, n_systems: int, n_items: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1)) + rng.normal(size=(n_systems, n_items))
    noise = np.array([0.3, 1.0, 2.0])[:, None, None]
    metrics = quality + noise * rng.normal(size=(3, n_systems, n_items))
    return metrics, quality + rng.normal(0, 0.5, quality.shape)


@pytest.fixture
def tasks(study: Make) -> list[Task]:
    one, other = study(*made(1, 6, 30)), study(*made(2, 9, 20))
    return [
        Task(name="one", study=one),
        Task(name="other", study=other, coefficient="spearman"),
        Task(name="segments", study=other, coefficient="kendall", grouping="item"),
    ]


def by_name(ranking: Any) -> dict[str, float]:
    return dict(zip(ranking.metrics, ranking.values, strict=True))


def test_tasks_are_ranked_as_they_are_alone(tasks: list[Task]) -> None:
    rankings = rank_over_tasks(tasks, resampling=FEW)
    for task, ranking in zip(tasks, rankings.tasks, strict=True):
        test: Any = "perm-both" if task.grouping else "perm-systems"
        (alone,), _ = metaeval.rank_metrics(
            task.study, task.coefficient, task.grouping, test, resampling=FEW, correct="none"
        )
        assert ranking.test == test
        assert ranking.criterion == task.name
        assert (ranking.metrics, ranking.values) == (alone.metrics, alone.values)
        for pair, expected in zip(ranking.comparisons, alone.comparisons, strict=True):
            assert pair.difference == pytest.approx(expected.difference)
            assert pair.p_value == pytest.approx(expected.p_value, abs=0.15)  # other exchanges


def test_values_over_all_tasks_by_hand(tasks: list[Task]) -> None:
    rankings = rank_over_tasks(tasks, resampling=FEW)
    of_tasks = [by_name(ranking) for ranking in rankings.tasks]
    average = by_name(rankings.average)
    assert average == pytest.approx({m: np.mean([t[m] for t in of_tasks]) for m in average})
    assert list(rankings.average.values) == sorted(average.values(), reverse=True)
    ranks = [dict(zip(r.metrics, r.ranks, strict=True)) for r in rankings.tasks]
    assert rankings.average_ranks == {
        m: np.mean([of_task[m] for of_task in ranks]) for m in average
    }
    assert rankings.pooled is not None
    pooled = by_name(rankings.pooled)
    for k in range(3):
        right = n = 0
        for seed, size in ((1, (6, 30)), (2, (9, 20))):
            metrics, human = made(seed, *size)
            x, y = metrics[k].mean(axis=-1), human.mean(axis=-1)
            for i, j in itertools.combinations(range(size[0]), 2):
                right += (x[i] - x[j]) * (y[i] - y[j]) > 0
                n += 1
        assert pooled[f"column:k={k}"] == pytest.approx(right / n)


@pytest.mark.slow
def test_the_test_over_all_tasks_keeps_its_size(study: Make) -> None:
    """Of two equally good metrics, one is significantly better about 5 times in 100."""
    p = []
    for trial in range(30):
        rng = np.random.default_rng(trial)
        both = []
        for t in range(2):
            quality = np.linspace(0, 1, 5)[:, None] + rng.normal(0, 1, (5, 12))
            noisy = quality + rng.normal(0, 1, (3, 5, 12))
            both.append(Task(name=str(t), study=study(noisy[:2], noisy[2])))
        (pair,) = rank_over_tasks(both, resampling=metaeval.Resampling(n=60)).average.comparisons
        p.append(pair.p_value)
    # The better one is tested: p is uniform below 1/2. Four standard errors of 10% are 22%, and of
    # the mean 0.1.
    assert np.mean(np.array(p) <= 0.05) <= 0.32
    assert 0.15 <= np.mean(p) <= 0.36


def test_a_better_metric_is_better_over_all_tasks(tasks: list[Task]) -> None:
    average = rank_over_tasks(tasks, resampling=FEW).average
    assert average.metrics[0] == "column:k=0"
    first_last = next(c for c in average.comparisons if c.worse == "column:k=2")
    assert first_last.p_value < 0.05
    assert average.ranks[0] == 1
    assert max(rank or 0 for rank in average.ranks) > 1


def test_a_metric_without_a_coefficient_has_no_average(study: Make) -> None:
    metrics, human = made(3, 5, 10)
    metrics[1] = 1.0
    rankings = rank_over_tasks([Task(name="t", study=study(metrics, human))], resampling=FEW)
    assert math.isnan(by_name(rankings.average)["column:k=1"])
    assert math.isnan(rankings.average_ranks["column:k=1"])


def test_refusals(study: Make, tasks: list[Task], judged: Callable[..., Any]) -> None:
    metrics, human = made(4, 5, 10)
    two = judged(np.stack([human, human], axis=-1), criteria=("x", "y"))
    for wrong, message in (
        ([], "no tasks"),
        ([tasks[0], tasks[0]], "two tasks are named 'one'"),
        ([Task(name="b", study=study(metrics[:1], human))], "two metrics or more"),
        ([Task(name="b", study=study(metrics, two))], "expected one human score, got x, y"),
    ):
        with pytest.raises(mt.UsageError, match=message):
            rank_over_tasks(wrong)


def test_a_metric_may_lack_a_task(study: Make) -> None:
    one, other = made(1, 6, 30), made(2, 7, 20)
    both = [
        Task(name="all", study=study(*one)),
        Task(name="two", study=study(other[0][:2], other[1])),
    ]
    rankings = rank_over_tasks(both, resampling=FEW)
    assert {len(ranking.metrics) for ranking in rankings.tasks} == {2, 3}
    of_two = rank_over_tasks(
        [
            replace(task, study=study(m[:2], human))
            for task, (m, human) in zip(both, (one, other), strict=True)
        ],
        resampling=FEW,
    )
    assert rankings.average == of_two.average  # of the metrics that both have
    assert rankings.pooled == of_two.pooled
    assert math.isnan(rankings.average_ranks["column:k=2"])
    report = of_tasks(both, rankings, FEW)
    table = report.tables()[0]
    shown = [column.cells[table.names.index(("column:k=2",))].parts for column in table.columns]
    absent = ("–",)
    assert shown[:5] == [absent] * 5  # average rank; average; pooled
    assert absent not in shown[5:7]
    assert shown[7:] == [absent, absent]


def test_soft_tasks_say_what_they_rest_on(study: Make) -> None:
    metrics, human = made(3, 5, 30)
    human[2, 4:] = np.nan
    one = [Task(name="soft", study=study(metrics, human), coefficient="soft pairwise accuracy")]
    report = of_tasks(one, rank_over_tasks(one, resampling=FEW), FEW)
    (note,) = (note for note in report.notes if "soft" in note)
    assert "the 4 of 30 segments whose outputs were all judged" in note
    assert set(report.settings) == {"n", "seed", "correction", "alpha", "tasks"}
    (record,) = (r for r in report.records if r.get("criterion") == "soft")
    assert record["differences"] == "with normal p-values"
    assert len(report.signatures) == 3


def test_the_comparison_by_soft_accuracy_says_what_it_rests_on(study: Make) -> None:
    metrics, human = made(3, 5, 30)
    human[2, 4:] = np.nan
    _, notes = metaeval.rank_metrics(
        study(metrics, human), "soft pairwise accuracy", resampling=FEW
    )
    assert UnitsNotComplete("score", 4, 30, "segment") in notes


# The command


def line(mini: Path, *more: str) -> str:
    """Write a task on the example."""
    texts = f"-r {mini}/ref0.txt -i {mini}/systems --human {mini}/ratings.tsv -m bleu chrf"
    return f"{texts} --criteria adequacy {' '.join(more)}"


def test_the_command(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    pytest.importorskip("mteval_chrf", reason="the plugin chrf is not installed")
    file = tmp_path / "tasks"
    segments = line(mini, "--level", "segment", "--coefficient", "kendall")
    file.write_text(f"# two tasks\n\nsys: {line(mini)} # Pearson\n'by segment:' {segments}\n")
    assert main(["tasks", str(file), "--trials", "50", "-f", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["experiment"] == "tasks"
    named = [(r["level"], r.get("criterion"), r.get("coefficient")) for r in report["records"]]
    assert named == [
        ("overall", "all tasks", "average correlation"),
        ("overall", "all systems", "pooled pairwise accuracy"),
        ("overall", None, None),
        ("task", "sys", "pearson"),
        ("task", "by segment", "kendall"),
    ]
    assert main(["tasks", str(file), "--trials", "50"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "Metrics over several tasks\n\n2 tasks; PERM-SYS and PERM-BOTH permutation tests"
    )
    assert "All tasks\nmetric" in out


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", 3, "no tasks; expected lines"),
        ("sys --level segment", 3, "tasks:1: expected 'NAME: ARGUMENTS', got 'sys --level"),
        ("sys:", 3, "tasks:1: expected 'NAME: ARGUMENTS'"),
        ("sys: 'a", 3, "tasks:1: No closing quotation"),
        ("\nsys: r -i s --human h -n 5", 2, "tasks:2: a task takes no -n"),
        ("sys: r -i s --human h --lin-och", 2, "tasks:1: a task takes no --lin-och"),
        ("sys: r -i s", 2, "tasks:1: the following arguments are required: --human"),
        ("sys: r -i s --human h --group item", 2, "tasks:1: --group applies"),
    ],
)
def test_files_that_are_refused(
    text: str, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tasks").write_text(f"{text}\n")
    assert main(["tasks", str(tmp_path / "tasks")]) == code
    assert message in capsys.readouterr().err


WORDS = st.sampled_from(
    [
        "a:",
        ":",
        "-m",
        "bleu",
        "--data",
        "x",
        "'",
        '"',
        "\\",
        "#",
        "--level",
        "segment",
        "\x1b",
        "=",
        "é",
    ]
)


@given(st.lists(WORDS | st.text(max_size=5), max_size=8).map(" ".join))
def test_any_line_is_a_task_or_an_error(text: str) -> None:
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks"
        path.write_bytes(text.encode("utf-8", "replace"))
        with suppress(mt.InputError):
            lines = [*lines_of_file(str(path))]
    for line in lines:
        assert line.name
        assert line.words
        assert line.where.startswith(f"{path}:")


def test_tasks_on_one_study_score_it_once(
    mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")
    pytest.importorskip("mteval_chrf", reason="the plugin chrf is not installed")
    made = []
    study_of = tasks_command.study_of

    def counted(*arguments: Any) -> Any:
        made.append(study_of(*arguments))
        return made[-1]

    monkeypatch.setattr(tasks_command, "study_of", counted)
    file = tmp_path / "tasks"
    segments = "--level", "segment", "--coefficient", "calibrated"
    soft = line(mini, "--coefficient", "soft")
    file.write_text(f"a: {line(mini)}\nb: {soft}\nc: {line(mini, *segments)}\n")
    assert main(["tasks", str(file), "--trials", "20", "-f", "json"]) == 0
    assert len(made) == 1
    records = json.loads(capsys.readouterr().out)["records"]
    pooled = next(r for r in records if r.get("criterion") == "all systems")
    # The systems of one study count once, in however many tasks.
    assert pooled["values"][0] * 15 == pytest.approx(round(pooled["values"][0] * 15))
