"""Write the golden numbers beside this script anew, from ``../shared/golden``.

    python copy_from_shared.py PATH/TO/shared/golden

Only hand-made texts are copied, and only the runs of chrF. What the numbers are, and which program
printed them, is told in the files.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

FILES = (
    "edge/edge-1ref.json",
    "edge/edge-5ref.json",
    "edge/fuzz-1ref.json",
    "edge/fuzz-3ref.json",
)
ABOUT = {
    "tools": "sacrebleu 2.6.0",
    "tolerance": "half of the last decimal: corpora have 12, their segments 8, single ones 10",
}


def copied(contents: dict[str, Any]) -> dict[str, Any]:
    """Reduce a file to the runs of chrF."""
    reduced = {key: value for key, value in contents.items() if key != "as_one_corpus"}
    if "items" in contents:
        reduced["items"] = [
            {**item, "scores": {key: run for key, run in item["scores"].items() if is_ours(key)}}
            for item in contents["items"]
        ]
    else:
        reduced["runs"] = [
            run for run in contents["runs"] if is_ours(f"{run['oracle']} {run['command']}")
        ]
    return {**ABOUT, **reduced}


def is_ours(program: str) -> bool:
    return bool(re.match(r"(?i)sacrebleu.*chrf", program))


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
        source = Path(sys.argv[1], name)
        contents = json.loads(source.read_text(encoding="utf-8"))
        target = Path(__file__).with_name(source.name)
        target.write_text(written(copied(contents)), encoding="utf-8")
