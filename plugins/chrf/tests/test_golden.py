"""chrF equals the golden runs, to the last digit.

The runs are those of sacreBLEU in ``../shared/golden``, and the two corpus scores of the original
program in ``../shared/reference-behaviour.md``. Every number of a run is compared;
`test_every_run_is_accounted_for` checks that no run is forgotten. The runs on hand-made texts are
copied to ``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mteval_testing.originals import Golden, GoldenTests, Run, assert_printed

import mteval_core as mt

is_chrf = re.compile("(?i).*chrf").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_chrf,
    counts={
        "CHRF()": 14,
        "CHRF(word_order=2)": 8,
        "CHRF(beta=1)": 6,
        "CHRF(char_order=6, beta=3)": 6,
        "chrF2": 64,
        "chrF++": 64,
    },
)


class TestGolden(GoldenTests):
    golden = GOLDEN

    def kind(self, run: Run) -> str:
        return re.sub(r"^sacrebleu (sacrebleu )?(2.6.0 )?", "", run.program)

    def spec(self, run: Run) -> str:
        order = re.search(r"word_order=(\d)", run.program)
        beta = re.search(r"beta=(\d)", run.program)
        nw = order[1] if order else "2" if "chrF++" in run.program else "0"
        return f"chrf:nw={nw},beta={beta[1] if beta else 2}"

    def named(self, run: Run, values: dict[str, Any]) -> dict[str, Any]:
        return {"score": 100 * values["chrF"]}

    def decimals(self, run: Run, level: str, name: str) -> int:
        if level == "corpus":
            return 12 if isinstance(run.printed["corpus"], dict) else 10
        return 8 if "fuzz" in run.where else 10


@GOLDEN.needs_all_runs
@pytest.mark.parametrize(
    ("spec", "printed"), [("chrf:eff=no", 65.5132), ("chrf:nw=2,eff=no", 64.0431)]
)
def test_equals_the_original_program(spec: str, printed: float) -> None:
    """The original averages F; with sacreBLEU's default chrF++ is 64.0440."""
    run = next(run for run in GOLDEN.all_runs if run.where == "ted21-zh-en.NiuTrans.raw")
    assert len(run.references) == 2
    score = mt.metric(spec).corpus_score(run.hypotheses, run.references).score
    assert_printed(score, printed, 4)
