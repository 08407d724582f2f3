"""GTM equals the original program, to the last digit that it prints.

The runs are those of ``../shared/golden``: GTM 1.4 with the exponents 1, 1.2, 1.5, 2 and 3 and with
1 to 5 references. Every number of every run is compared. The runs on hand-made texts are copied to
``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from mteval_testing.originals import Golden, Run, assert_printed, by_name

import mteval_core as mt

is_gtm = re.compile("gtm").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_gtm,
)


def exponent(run: Run) -> float:
    """Exponent of the run, the only option that affects the numbers."""
    (found,) = re.findall(r"-e ([\d.]+)", run.program)
    return float(found)


@pytest.mark.parametrize("run", GOLDEN.runs, ids=str)
def test_equals_the_program(run: Run) -> None:
    e = exponent(run)
    spec = f"gtm:tok=gtm,e={e!r}"
    evaluation = mt.evaluate({"": run.hypotheses}, run.references, [spec])
    corpus, segments = by_name(evaluation, spec), by_name(evaluation, spec, "segment")
    for ours in (corpus, segments):
        ours |= {"mms": ours["MMS"], "match": ours["MMS"] ** e}
    # The results of the program's own tests differ by 2e-16 between machines.
    decimals = 10 if run.where.startswith("literature") else 12
    for name, printed in run.printed["corpus"].items():
        assert_printed(corpus[name], printed, decimals, name, rtol=4e-15)
    decimals = 12 if run.where.endswith("as one") else 10
    for name, printed in run.printed.get("segments", {}).items():
        assert_printed(segments[name], printed, decimals, f"segments {name}", rtol=4e-15)


@GOLDEN.needs_all_runs
def test_every_run_is_accounted_for() -> None:
    """Every number that GTM printed is compared."""
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN.complete.rglob("*.json")]
    mentions = re.findall(r'"gtm(?:"| -e|-1)', " ".join(texts))
    assert len(GOLDEN.all_runs) == len(mentions) == 191
    assert Counter(map(exponent, GOLDEN.all_runs)) == {1: 80, 1.2: 6, 1.5: 8, 2: 83, 3: 14}


@GOLDEN.needs_all_runs
def test_hand_made_texts_are_true_copies() -> None:
    assert GOLDEN.altered_copies() == []
