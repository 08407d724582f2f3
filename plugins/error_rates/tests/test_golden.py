"""Error rates equal the original programs, to the last digit that they print.

The runs are those of ``../shared/golden``: tercom 0.8.0, WER.pl, PER.pl, jiwer and sacreBLEU's TER.
Every number of a run is compared, except for the runs that `NOT_COVERED` names;
`test_every_run_is_accounted_for` checks that no run is forgotten. The runs on hand-made texts are
copied to ``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mteval_testing.originals import Golden, Run, assert_printed, by_name

import mteval_core as mt

# Many texts here are empty.

NOT_COVERED = {
    "sclite": "aligns with weights of 4 and 3, and counts more errors than necessary",
    "division by zero": "WER.pl and PER.pl fail if the reference has no words; "
    "test_papers.py has the scores of this plugin",
}

is_error_rate = re.compile(r"tercom|WER|PER|sclite|jiwer|sacrebleu.*TER").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_error_rate,
)


def why_not(run: Run) -> str | None:
    """Why a run is not compared; None if it is."""
    seen = f"{run.program} {run.printed.get('corpus')}"
    return next((reason for what, reason in NOT_COVERED.items() if what in seen), None)


@pytest.mark.parametrize("run", [r for r in GOLDEN.runs if not why_not(r)], ids=str)
def test_equals_the_original(run: Run) -> None:
    spec = spec_of(run.program)
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
    corpus = run.printed.get("corpus", {})
    if not isinstance(corpus, dict):
        corpus = {"score" if run.program.startswith("sacrebleu") else "rate": corpus}
    decimals = 10 if " " in run.where else 12
    for level, numbers, digits in (
        ("corpus", corpus, decimals),
        ("segment", run.printed.get("segments", {}), 10),
    ):
        ours = named(by_name(evaluation, spec, level))  # type: ignore[arg-type]
        for name, printed in numbers.items():
            assert_printed(ours[name], printed, digits, f"{level} {name}")


@GOLDEN.needs_all_runs
def test_every_run_is_accounted_for() -> None:
    covered = Counter(run.program.split()[0] for run in GOLDEN.all_runs if not why_not(run))
    assert covered == {
        "tercom": 156,
        "sacrebleu": 71,
        "WER": 12,
        "WER.pl": 47,
        "PER": 12,
        "PER.pl": 47,
        "jiwer": 6,
    }
    assert Counter(why_not(run) for run in GOLDEN.all_runs if why_not(run)) == {
        NOT_COVERED["sclite"]: 56,
        NOT_COVERED["division by zero"]: 4,
    }


@GOLDEN.needs_all_runs
def test_hand_made_texts_are_true_copies() -> None:
    assert GOLDEN.altered_copies() == []


def spec_of(program: str) -> str:
    """Spec that corresponds to a program with its options."""
    name = program.split()[0]
    if name in ("WER", "WER.pl", "PER", "PER.pl"):
        return f"{name[:3].lower()}:tok=tercom"
    if name == "jiwer":
        return "wer:tok=none,kinds=yes"
    if name == "sacrebleu":
        return "ter:tok=none,limits=sacrebleu"
    options = program.split()
    return (
        f"ter:norm={'yes' if '-N' in options else 'no'},case={'mixed' if '-s' in options else 'lc'}"
    )


def named(values: dict[str, Any]) -> dict[str, Any]:
    """Values by the names of the programs."""
    rate = next(name for name in values if name.endswith("ER"))
    return {
        **values,
        "rate": values[rate],
        "ter": values[rate],
        "score": 100 * values[rate],
        "num_edits": values.get("edits"),
        "words": values["ref_len"],
        "ref_length": values["ref_len"],
        "avg_ref_len": values["ref_len"],
        "shifted_words": values.get("shifted"),
    }
