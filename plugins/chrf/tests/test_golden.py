"""chrF equals the golden runs, to the last digit.

The runs are those of sacreBLEU in ``../shared/golden``, and the two corpus scores of the original
program in ``../shared/reference-behaviour.md``. Every number of a run is compared;
`test_every_run_is_accounted_for` checks that no run is forgotten. The runs on hand-made texts are
copied to ``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from mteval_testing.originals import Golden, Run, assert_printed, by_name

import mteval_core as mt

is_chrf = re.compile("(?i).*chrf").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_chrf,
)


def spec_of(program: str) -> str:
    """Spec that corresponds to the program with its options."""
    order = re.search(r"word_order=(\d)", program)
    beta = re.search(r"beta=(\d)", program)
    nw = order[1] if order else "2" if "chrF++" in program else "0"
    return f"chrf:nw={nw},beta={beta[1] if beta else 2}"


@pytest.mark.parametrize("run", GOLDEN.runs, ids=str)
def test_equals_sacrebleu(run: Run) -> None:
    spec = spec_of(run.program)
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
    corpus, segments = by_name(evaluation, spec), by_name(evaluation, spec, "segment")
    if not isinstance(run.printed["corpus"], dict):
        assert_printed(100 * corpus["chrF"], run.printed["corpus"], 10)
        return
    assert run.printed["corpus"].keys() == {"score"}
    assert_printed(100 * corpus["chrF"], run.printed["corpus"]["score"], 12)
    if "segments" in run.printed:
        decimals = 8 if "fuzz" in run.where else 10
        assert_printed(100 * segments["chrF"], run.printed["segments"]["score"], decimals)


@GOLDEN.needs_all_runs
def test_every_run_is_accounted_for() -> None:
    programs = Counter(
        re.sub(r"^sacrebleu (sacrebleu )?(2.6.0 )?", "", r.program) for r in GOLDEN.all_runs
    )
    assert programs == {
        "CHRF()": 14,
        "CHRF(word_order=2)": 8,
        "CHRF(beta=1)": 6,
        "CHRF(char_order=6, beta=3)": 6,
        "chrF2": 64,
        "chrF++": 64,
    }


@GOLDEN.needs_all_runs
def test_hand_made_texts_are_true_copies() -> None:
    assert GOLDEN.altered_copies() == []


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
