"""Scatter plots: which points they hold, and when they are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval.reports.scatter_charts import (
    judge_panels,
    output_panels,
    pair_panels,
    system_panels,
)

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable

OUTPUTS = {
    "A": ["a b c d", "a b c x"],
    "B": ["a b x d", "a y c x"],
    "C": ["z b x d", "z y c x"],
}
RATINGS = {"A": (5, 4), "B": (4, 2), "C": (1, 2)}


def rows(raters: str = "r") -> list[tuple[str, int, str, dict[str, float]]]:
    return [
        (system, k, rater, {"adequacy": float(score) - (rater == "s")})
        for system, scores in RATINGS.items()
        for k, score in enumerate(scores)
        for rater in raters
    ]


@pytest.fixture
def study() -> metaeval.Study:
    pytest.importorskip("mteval_error_rates")
    judgments = mt.Judgments.of(rows())
    return metaeval.study_metrics(OUTPUTS, [["a b c d"] * 2], judgments, ["per", "wer"])


def test_systems(study: metaeval.Study) -> None:
    ((per, wer),) = system_panels(study)
    assert per.names == ("A", "B", "C")
    assert per.x == [-12.5, -37.5, -62.5]  # by hand: 1, 3 and 5 of 8 words are wrong
    assert per.y == [4.5, 3.0, 1.5]
    assert per.title == "PER, r = 1.00"
    assert (per.across, per.up, per.guide) == ("PER, negated", "adequacy", "none")
    assert wer.title.startswith("WER, r = ")


def test_pairs(study: metaeval.Study) -> None:
    ((per, _),) = pair_panels(study)
    assert per.x == [25.0, 50.0, 25.0]
    assert per.y == [1.5, 3.0, 1.5]
    assert (per.across, per.up) == ("difference of PER, negated", "difference of adequacy")
    assert per.guide == "signs"
    assert per.names == ()


def test_outputs(study: metaeval.Study) -> None:
    ((per, _),) = output_panels(study)
    assert per.x == [0.0, -25.0, -25.0, -50.0, -50.0, -75.0]
    assert per.y == [5, 4, 4, 2, 1, 2]
    assert per.title == f"PER, r = {np.corrcoef(per.x, per.y)[0, 1]:.2f}"


def shared(n: int, *, raters: int = 2) -> mt.Judgments:
    rng = np.random.default_rng(1)
    table = [
        ("A", k, f"r{r}", {"score": float(k % 7 + r * rng.normal())})
        for k in range(n)
        for r in range(raters)
    ]
    return mt.Judgments.of(table)


def test_judges() -> None:
    ((panel,),) = judge_panels(shared(12))
    assert (panel.across, panel.up, panel.guide) == ("r0", "r1", "diagonal")
    assert panel.x == [float(k % 7) for k in range(12)]
    rho = float(metaeval.spearman(np.array(panel.x), np.array(panel.y)))
    assert panel.title == f"score: rho = {rho:.2f}, 12 outputs"


def test_judges_who_share_little_have_no_panel() -> None:
    with pytest.raises(mt.UsageError, match="no two judges"):
        judge_panels(shared(9))


def test_of_many_pairs_of_judges_the_extremes_are_shown() -> None:
    judgments = shared(40, raters=4)
    (agreement,) = metaeval.rater_agreement(judgments)
    coefficients = sorted(pair.spearman for pair in agreement.pairs)
    ((lowest, highest),) = judge_panels(judgments)
    assert lowest.title == f"score: rho = {coefficients[0]:.2f}, 40 outputs"
    assert highest.title == f"score: rho = {coefficients[-1]:.2f}, 40 outputs"
    assert len(judge_panels(shared(40, raters=3))[0]) == 3


def test_several_judgments_of_an_output_by_one_judge_are_one_point() -> None:
    table = [("A", k, r, {"score": float(k)}) for k in range(10) for r in "ab"]
    table += [("A", 0, "a", {"score": 8.0})]
    ((panel,),) = judge_panels(mt.Judgments.of(table))
    assert panel.x == [4.0, *range(1, 10)]
    assert panel.y == [*map(float, range(10))]


# The command


@pytest.fixture
def run(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    pytest.importorskip("mteval_error_rates")
    human = ["--human", str(mini / "ratings.tsv"), "--criteria", "adequacy"]
    texts = [str(mini / "ref0.txt"), "-i", str(mini / "systems"), "-m", "per", "-n", "0"]

    def call(*words: str, agreement: bool = False) -> tuple[int, str]:
        common = human if agreement else [*texts, *human]
        code = main(["correlate", *common, *words, "-q"])
        return code, capsys.readouterr().err

    call.folder = tmp_path  # type: ignore[attr-defined]
    return call


@pytest.mark.slow
def test_every_plot_is_written(run: Any) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    one, two = run.folder / "one.svg", run.folder / "two.svg"
    assert run("--plot", str(one), "--plot-pairs", str(two)) == (0, "")
    text = one.read_text("utf-8")
    assert all(f">{name}<" in text for name in ("deep", "neural", "PER, negated", "adequacy"))
    assert ">difference of adequacy<" in two.read_text("utf-8")
    assert run("--level", "segment", "--group", "none", "--plot", str(one)) == (0, "")
    assert ">deep<" not in one.read_text("utf-8")
    assert run("--agreement", "--plot", str(two), agreement=True) == (0, "")
    assert ">judge1<" in two.read_text("utf-8")


def test_refusals(run: Any) -> None:
    for words, message in (
        (("--plot", "x.gif"), "expected .pdf, .png, .svg"),
        (("--plot", "x.csv"), "the format csv cannot write a chart; expected pdf, png, svg"),
        (
            ("--plot", "x.svg", "--lin-och"),
            "--plot takes --level, --curve, --compare or --agreement",
        ),
        (("--plot-pairs", "x.svg", "--level", "segment"), "--plot-pairs compares systems"),
        (("--plot-pairs", "x.svg", "--plot", "./x.svg"), "x.svg is the file of --plot too"),
    ):
        code, err = run(*words)
        assert code == 2
        assert message in err
    assert not Path("x.svg").exists()


def test_judges_without_shared_outputs_cannot_be_plotted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    table = "".join(f"A\t{k}\tr{k % 2}\t{k}\n" for k in range(20))
    (tmp_path / "h.tsv").write_text(f"system\tsegment\trater\tscore\n{table}")
    words = ["--agreement", "--human", str(tmp_path / "h.tsv"), "--plot", str(tmp_path / "p.svg")]
    assert main(["correlate", *words]) == 2
    assert "no two judges share ten outputs or more" in capsys.readouterr().err
    assert not (tmp_path / "p.svg").exists()
