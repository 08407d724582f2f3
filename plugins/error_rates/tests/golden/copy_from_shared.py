"""Write the golden numbers beside this script anew, from ``../shared/golden``.

    python copy_from_shared.py PATH/TO/shared/golden

Only hand-made texts and the paper's example are copied, and only the runs of programs that compute
error rates. What the numbers are, and which program printed them, is told in the files.
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
    "literature.json",
)
ABOUT = {
    "tools": "tercom 0.8.0, WER.pl 1.0, PER.pl 1.0 (U. Alacant), jiwer 4.0.0, sacrebleu 2.6.0",
    "tolerance": "half of the last decimal: 10 for segments, 12 for corpora",
}


def copied(contents: Any) -> Any:
    """Reduce a file to the runs of error rates."""
    if isinstance(contents, list):
        named = ("id", "source", "hyp", "refs", "published")
        return [
            {key: value for key, value in item.items() if key in named or is_ours(key)}
            for item in contents
            if any(map(is_ours, item))
        ]
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
    return bool(re.match(r"tercom|WER|PER|jiwer|sacrebleu.*TER", program))


def written(value: Any) -> str:
    """Write JSON with one line for each member of the two upper levels."""

    def compact(member: Any) -> str:
        return json.dumps(member, ensure_ascii=False)

    def lines(member: Any) -> str:
        if isinstance(member, list) and member and not isinstance(member[0], list):
            return "[\n" + ",\n".join(map(compact, member)) + "\n]"
        return compact(member)

    if isinstance(value, list):
        return lines(value) + "\n"
    return "{\n" + ",\n".join(f"{compact(k)}: {lines(v)}" for k, v in value.items()) + "\n}\n"


if __name__ == "__main__":
    for name in FILES:
        source = Path(sys.argv[1], name)
        contents = json.loads(source.read_text(encoding="utf-8"))
        target = Path(__file__).with_name(source.name)
        target.write_text(written(copied(contents)), encoding="utf-8")
