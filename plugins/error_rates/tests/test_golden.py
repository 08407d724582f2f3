"""Error rates equal the original programs, to the last digit that they print.

The runs are those of ``../shared/golden``: tercom 0.8.0, WER.pl, PER.pl, jiwer and sacreBLEU's TER.
Every number of a run is compared, except for the runs that `NOT_COVERED` names; the counts of
`GOLDEN` make sure that none is forgotten. The runs on hand-made texts are copied to ``golden/``
next to this file and tested everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mteval_testing.originals import Golden, GoldenTests, Run

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
    counts={
        "tercom": 156,
        "sacrebleu": 71,
        "WER": 12,
        "WER.pl": 47,
        "PER": 12,
        "PER.pl": 47,
        "jiwer": 6,
        NOT_COVERED["sclite"]: 56,
        NOT_COVERED["division by zero"]: 4,
    },
    not_covered=NOT_COVERED,
)


class TestGolden(GoldenTests):
    golden = GOLDEN

    def spec(self, run: Run) -> str:
        name, *options = run.program.split()
        if name in ("WER", "WER.pl", "PER", "PER.pl"):
            return f"{name[:3].lower()}:tok=tercom"
        if name == "jiwer":
            return "wer:tok=none,kinds=yes"
        if name == "sacrebleu":
            return "ter:tok=none,limits=sacrebleu"
        norm, case = "yes" if "-N" in options else "no", "mixed" if "-s" in options else "lc"
        return f"ter:norm={norm},case={case}"

    def named(self, run: Run, values: dict[str, Any]) -> dict[str, Any]:
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

    def only(self, run: Run) -> str:
        return "score" if run.program.startswith("sacrebleu") else "rate"

    def decimals(self, run: Run, level: str, name: str) -> int:
        return 12 if level == "corpus" and " " not in run.where else 10
