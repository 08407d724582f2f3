"""Write the golden numbers beside this script anew, from ``../shared/golden``.

    python copy_from_shared.py PATH/TO/shared/golden

Only hand-made texts are copied, and only the runs of programs that compute BLEU or NIST. What the
numbers are, which program printed them and how they are rounded is told in the files.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

FILES = ("edge-1ref.json", "edge-5ref.json", "fuzz-1ref.json", "fuzz-3ref.json")
ABOUT = {
    "tools": "mteval-v13a.pl, mteval-v14.pl (which score identically), multi-bleu.perl, "
    "sacrebleu 2.6.0; where no command is given the key is it",
    "tolerance": "half of the last decimal: *_1to9 have 4, multi-bleu has 2 (BLEU), 1 "
    "(precisions), 3 (BP, ratio), segments have 8 or 10, all else has 12",
}


def copied(contents: dict[str, Any]) -> dict[str, Any]:
    """Reduce a file to the runs of BLEU and NIST."""
    reduced = dict(contents)
    if "items" in contents:
        reduced["as_one_corpus"] = ours(contents["as_one_corpus"])
        reduced["items"] = [{**item, "scores": ours(item["scores"])} for item in contents["items"]]
    else:
        reduced["runs"] = [run for run in contents["runs"] if ours({run["command"]: run})]
    return {**ABOUT, **reduced}


def ours(runs: dict[str, Any]) -> dict[str, Any]:
    """Those of the runs, by program, that print BLEU or NIST."""
    program = re.compile("mteval|multi-bleu|sacrebleu.*BLEU")
    return {key: run for key, run in runs.items() if program.search(key)}


def written(value: Any) -> str:
    """Write JSON with one line for each member of the two upper levels."""

    def compact(member: Any) -> str:
        return json.dumps(member, ensure_ascii=False)

    def lines(member: Any) -> str:
        if isinstance(member, list) and member and not isinstance(member[0], list):
            return "[\n" + ",\n".join(map(compact, member)) + "\n]"
        return compact(member)

    return "{\n" + ",\n".join(f"{compact(k)}: {lines(v)}" for k, v in value.items()) + "\n}\n"


if __name__ == "__main__":
    for name in FILES:
        source = Path(sys.argv[1], "edge", name)
        contents = json.loads(source.read_text(encoding="utf-8"))
        Path(__file__).with_name(name).write_text(written(copied(contents)), encoding="utf-8")
