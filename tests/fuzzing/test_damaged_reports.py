"""Damaged reports: commands that read them fail or refuse them, and do nothing else."""

from __future__ import annotations

import random

import pytest

from fuzzing import reports

for plugin in ("bleu_nist", "error_rates"):
    pytest.importorskip(f"mteval_{plugin}", reason=f"the plugin {plugin} is not installed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::mteval_core.errors.MtevalWarning")
def test_damage_is_a_failure_or_an_error_and_nothing_else() -> None:
    draw = random.Random(22)
    written = [reports.damaged(reports.genuine(), draw) for _ in range(200)]
    codes = {reports.run(reports.Damaged("replay", each)) for each in written}
    assert {1, 3} <= codes <= {0, 1, 3}
    assert {reports.run(reports.Damaged("diff", each)) for each in written} <= {0, 1, 3}
    assert {reports.run(reports.Damaged("gate", each)) for each in written[:20]} <= {0, 1, 2, 3}
