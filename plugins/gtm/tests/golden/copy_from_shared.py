"""Write the golden numbers beside this script anew, from ``../shared/golden``.

    python copy_from_shared.py PATH/TO/shared/golden

Only hand-made texts are copied, and only the runs of GTM. What the numbers are, which program
printed them and how they are rounded is told in the files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FILES = ("edge-1ref.json", "edge-5ref.json", "fuzz-1ref.json", "fuzz-3ref.json")
ABOUT = {
    "tool": "GTM 1.4 (2008-01-27), built from its sources; where no command is given the key is it",
    "tolerance": "half of the last decimal: the segments of a run with a command have 10, all else "
    "has 12",
}


def copied(contents: dict[str, Any]) -> dict[str, Any]:
    """Reduce a file to the runs of GTM."""
    reduced = {**ABOUT, **contents}
    if "items" in contents:
        reduced["as_one_corpus"] = ours(contents["as_one_corpus"])
        reduced["items"] = [{**item, "scores": ours(item["scores"])} for item in contents["items"]]
    else:
        reduced["runs"] = [run for run in contents["runs"] if run["oracle"] == "gtm"]
    return reduced


def ours(runs: dict[str, Any]) -> dict[str, Any]:
    """Keep the runs of GTM."""
    return {program: run for program, run in runs.items() if program.startswith("gtm")}


def written(contents: dict[str, Any]) -> str:
    """Write JSON with one line for each member of the two upper levels."""

    def compact(member: Any) -> str:
        return json.dumps(member, ensure_ascii=False)

    def lines(member: Any) -> str:
        if isinstance(member, list) and not isinstance(member[0], list):
            return "[\n" + ",\n".join(map(compact, member)) + "\n]"
        return compact(member)

    return "{\n" + ",\n".join(f"{compact(k)}: {lines(v)}" for k, v in contents.items()) + "\n}\n"


if __name__ == "__main__":
    for name in FILES:
        source = Path(sys.argv[1], "edge", name)
        contents = json.loads(source.read_text(encoding="utf-8"))
        Path(__file__).with_name(name).write_text(written(copied(contents)), encoding="utf-8")
