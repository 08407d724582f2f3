"""GTM equals the original program, to the last digit that it prints.

The runs are those of ``../shared/golden``: GTM 1.4 with the exponents 1, 1.2, 1.5, 2 and 3 and with
1 to 5 references. Every number of every run is compared. The runs on hand-made texts are copied to
``golden/`` next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mteval_testing.originals import Golden, GoldenTests, Run

is_gtm = re.compile("gtm").match
GOLDEN = Golden(
    copied=Path(__file__).parent / "golden",
    complete=Path(__file__).parents[3].parent / "shared" / "golden",
    is_wanted=is_gtm,
    counts={1: 80, 1.2: 6, 1.5: 8, 2: 83, 3: 14},
    rtol=4e-15,  # the results of the program's own tests differ by 2e-16 between machines
)


class TestGolden(GoldenTests):
    golden = GOLDEN

    def kind(self, run: Run) -> float:
        """Exponent of the run, the only option that affects the numbers."""
        (found,) = re.findall(r"-e ([\d.]+)", run.program)
        return float(found)

    def spec(self, run: Run) -> str:
        return f"gtm:tok=gtm,e={self.kind(run)!r}"

    def named(self, run: Run, values: dict[str, Any]) -> dict[str, Any]:
        return {**values, "mms": values["MMS"], "match": values["MMS"] ** self.kind(run)}

    def decimals(self, run: Run, level: str, name: str) -> int:
        if level == "corpus":
            return 10 if run.where.startswith("literature") else 12
        return 12 if run.where.endswith("as one") else 10


@GOLDEN.needs_all_runs
def test_every_number_of_the_program_is_in_a_run() -> None:
    assert GOLDEN.complete is not None
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN.complete.rglob("*.json")]
    mentions = re.findall(r'"gtm(?:"| -e|-1)', " ".join(texts))
    assert len(GOLDEN.all_runs) == len(mentions) == 191
