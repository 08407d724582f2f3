"""Copy the runs of METEOR on hand-made texts from ``../shared/golden`` to this folder.

    python plugins/meteor_fmean/tests/golden/copy_from_shared.py

Texts and numbers are the same; runs of other programs are left out. The numbers are METEOR 1.5's,
printed to 12 decimals for corpora and 10 for segments; the test says how they are compared.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GOLDEN = HERE.parents[3].parent / "shared" / "golden"

is_meteor = re.compile("meteor").match


def of_meteor(contents: Any) -> Any:
    """Leave out the runs of other programs."""
    if isinstance(contents, list):
        return [
            {key: value for key, value in item.items() if key in KEPT or is_meteor(key)}
            for item in contents
            if any(map(is_meteor, item))
        ]
    kept = {key: contents[key] for key in ("about", "hyp", "refs") if key in contents}
    if "items" in contents:
        kept["items"] = [
            {
                **{key: item[key] for key in ("id", "hyp", "refs")},
                "scores": {k: v for k, v in item["scores"].items() if is_meteor(k)},
            }
            for item in contents["items"]
        ]
    else:
        kept["runs"] = [run for run in contents["runs"] if is_meteor(run["oracle"])]
    return kept


KEPT = ("id", "source", "hyp", "refs")


def main() -> None:
    """Write the copies, one item or run per line."""
    for path in [*sorted((GOLDEN / "edge").glob("*.json")), GOLDEN / "literature.json"]:
        contents = of_meteor(json.loads(path.read_bytes()))
        text = json.dumps(contents, ensure_ascii=False)
        text = re.sub(r'(?<=[\[}]), ?(?=\{"(?:id|oracle)")|(?<=\[)(?=\{)', ",\n", text)
        text = text.replace("[,\n", "[\n")
        (HERE / path.name).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
