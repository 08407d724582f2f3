"""Write the golden numbers beside this script anew, from ``../shared/golden``.

    python copy_from_shared.py PATH/TO/shared/golden

Only hand-made texts are copied, only the runs of ROUGE-1.5.5, and one stem in eight. What the
numbers are, which program printed them and how they are rounded is told in the files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FILES = ("edge-1ref.json", "edge-5ref.json", "fuzz-1ref.json", "fuzz-3ref.json")
ABOUT = {
    "tool": "ROUGE-1.5.5.pl (2005-05-26) with the WordNet 2.0 exception list; where no command is "
    "given: ROUGE-1.5.5.pl -e data -z SPL -n 4 -w 1.2 -2 -1 -U -c 95 -d, and -x -2 4 -U",
    "tolerance": "none for R, P, F of segments, which are printed with 5 decimals; half of the "
    "last decimal for averages (5) and weighted counts (12, in runs with a command 6)",
}


def copied(contents: dict[str, Any]) -> dict[str, Any]:
    """Reduce a file to the runs of ROUGE."""
    reduced = {**ABOUT, **contents}
    if "items" in contents:
        reduced["items"] = [{**item, "scores": ours(item["scores"])} for item in contents["items"]]
        del reduced["as_one_corpus"]
    else:
        reduced["runs"] = [run for run in contents["runs"] if run["oracle"].startswith("rouge")]
    return reduced


def ours(runs: dict[str, Any]) -> dict[str, Any]:
    """Keep the runs of ROUGE-1.5.5."""
    return {program: run for program, run in runs.items() if program.startswith("rouge-1.5.5")}


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
    shared, here = Path(sys.argv[1]), Path(__file__).parent
    for name in FILES:
        contents = json.loads((shared / "edge" / name).read_text(encoding="utf-8"))
        (here / name).write_text(written(copied(contents)), encoding="utf-8")
    literature = json.loads((shared / "literature.json").read_text(encoding="utf-8"))
    examples = [item for item in literature if "rouge-1.5.5" in item]
    text = "[\n" + ",\n".join(json.dumps(item, ensure_ascii=False) for item in examples) + "\n]\n"
    (here / "literature.json").write_text(text, encoding="utf-8")
    head, *rows = (shared / "stems" / "stems.tsv").read_text(encoding="utf-8").splitlines()
    lines = ["\t".join(line.split("\t")[:3]) for line in [head, *rows[::8]]]
    (here / "stems.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
