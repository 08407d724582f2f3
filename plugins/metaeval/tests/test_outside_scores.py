"""Scores that another program computed correlate as those of any metric."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")

N = 12
SYSTEMS = ("A", "B", "C")
RNG = np.random.default_rng(7)
COMET = {name: np.round(RNG.random(N), 3) for name in SYSTEMS}
WORDS = ["a b c", "d e", "f g h", "i", "j k l m", "n o"] * 2


def table(scores: dict[str, Any]) -> str:
    """Write scores of segments as a table."""
    rows = [f"{s}\t{i}\t{v}\n" for s, values in scores.items() for i, v in enumerate(values)]
    return "system\tsegment\tscore\n" + "".join(rows)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Correlate WER and other scores; the human ones are those of COMET plus 0.1."""
    monkeypatch.chdir(tmp_path)
    texts = "".join(f"{line}\n" for line in WORDS)
    contents = {name: texts.replace("d e", name) for name in SYSTEMS}
    contents |= {"ref": texts, "comet": table(COMET)}
    contents["human"] = table({name: values + 0.1 for name, values in COMET.items()})
    contents["whole"] = "system\tscore\n" + "".join(f"{s}\t{COMET[s].mean()}\n" for s in SYSTEMS)
    for name, content in contents.items():
        Path(name).write_text(content, encoding="utf-8")

    def command(*words: str, n: int = 0) -> tuple[int, str, str]:
        common = ["ref", "-i", *SYSTEMS, "-m", "wer", "--human", "human", "-n", str(n)]
        code = main(["correlate", *common, *words])
        return code, *capsys.readouterr()

    return command


@pytest.mark.parametrize("scores", [["WER=comet"], ["wer=comet"], ["COMET=comet", "COMET=whole"]])
def test_no_two_metrics_have_one_name(run: Run, scores: list[str]) -> None:
    code, out, err = run("--scores", *scores)
    assert (code, out) == (2, "")
    assert "the metric wer too" in err or "two different metrics" in err


@pytest.mark.parametrize("level", [["--level", "system"], ["--level", "segment"], ["--lin-och"]])
def test_human_scores_that_are_those_of_the_metric_correlate_perfectly(
    run: Run, level: list[str]
) -> None:
    code, out, err = run(*level, "--scores", "COMET=comet", "-f", "json")
    assert code == 0, err
    found = [r["value"] for r in json.loads(out)["records"] if "COMET" in str(r["metric"])]
    values = [value for value in found if value is not None]
    assert values
    assert values == pytest.approx([1] * len(values))


def test_they_are_ranked_with_the_metrics(run: Run) -> None:
    code, out, err = run("--compare", "--scores", "COMET=comet", "-f", "json", n=50)
    assert code == 0, err
    assert "COMET" in out


def test_the_wrong_direction_is_noted(run: Run) -> None:
    code, out, _ = run("--scores", "COMET[lower]=comet")
    assert code == 0
    assert "COMET" in out.partition("negative")[0].splitlines()[-1] + out.partition("negative")[2]


def test_a_study_takes_them_in_python() -> None:
    scores = mt.OutsideScores(name="COMET", values={"A": np.array([0.5, 1.0])})
    judgments = mt.Judgments.of([("A", 0, "", {"h": 1}), ("A", 1, "", {"h": 2})])
    study = metaeval.study_metrics({"A": ["x", "y"]}, [["x", "z"]], judgments, [scores])
    assert study.item_scores.tolist() == [[[0.5, 1.0]]]


def test_scores_of_systems_have_intervals_over_systems_only(run: Run) -> None:
    whole = ("--scores", "WHOLE=whole", "-f", "json")
    code, _, err = run(*whole, n=50)
    assert code == 2
    assert "WHOLE has a score per system" in err
    code, out, err = run(*whole, "--resample", "systems", n=50)
    assert code == 0, err
    found = {(r["metric"], r["quantity"]): r for r in json.loads(out)["records"]}
    assert found["WHOLE", "pearson"]["value"] == pytest.approx(1)
    # Soft accuracy needs scores of segments.
    assert ("WER", "soft pairwise accuracy") in found
    assert ("WHOLE", "soft pairwise accuracy") not in found


@pytest.mark.parametrize(
    "words",
    [
        ["--level", "segment"],
        ["--compare", "--test", "perm-both"],
        ["--compare", "--coefficient", "soft"],
    ],
)
def test_scores_of_systems_do_for_no_segments(run: Run, words: list[str]) -> None:
    code, _, err = run("--scores", "WHOLE=whole", *words, n=50)
    assert code == 2
    assert "WHOLE has a score per system" in err
