"""Saved reports that somebody or something has damaged."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_decide.saved import SavedReport

import mteval_core as mt
from fuzzing import Target, folder_of, refused
from fuzzing.command_lines import called

if TYPE_CHECKING:
    import random

SEGMENTS = {
    "ref": ["the cat sat on the mat"] * 4 + ["a dog barked at night"] * 4,
    "best": ["the cat sat on the mat"] * 4 + ["a dog barked at me"] * 4,
    "middle": ["the cat sat on a mat", "the cat sat"] * 2 + ["a dog barked at me"] * 4,
    "worst": ["some cat sat on the hat", "the mat"] * 2 + ["dogs bark at night"] * 4,
    "docs": ["one"] * 4 + ["two"] * 4,
}

FILES = {name: "\n".join(lines) + "\n" for name, lines in SEGMENTS.items()}
"""The files that the genuine report names."""

VALUES = (
    None, True, 0, -1, 5, 1e308, -0.5, 10**15, 10**18, "", "abc", "a\n\x1b[31m", "\ud800", "-", "|",
    "bleu", "BLEU|a:b", "/dev/zero", [], {}, [[]], {"": 0}, [None, 1, "x"],
)  # fmt: skip

TEXTS = (
    '"score": 1' + "0" * 400,
    '"score": 1e999',
    '"score": NaN',
    '"score": -Infinity',
    '"score": ' + "[" * 100_000,
    '"score": ' + '{"a":' * 5_000,
    '"score": 1, "score"',
    '"\x00": ',
    "\\",
)


@cache
def genuine() -> dict[str, Any]:
    """Make a report with documents, intervals and tests of all pairs, of small texts."""
    with folder_of(FILES):
        test_set = mt.TestSet((mt.read_text("ref"),), tuple(SEGMENTS["docs"]), "docs")
        systems = {name: mt.read_text(name) for name in ("best", "middle", "worst")}
        evaluation = mt.evaluate(systems, test_set, ["bleu", "wer"])
        drawn = evaluation.confidence(50, seed=7).compare("ar", 60, seed=7, all_pairs=True)
        report: dict[str, Any] = json.loads(json.dumps(drawn.to_dict()))
    return report


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the places of all values in a report."""
    inner: Any = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    return [here, *(place for key, item in inner for place in places(item, (*here, key)))]


def damaged(report: dict[str, Any], draw: random.Random) -> str:
    """Drop, replace, nest, duplicate or spoil something in a report."""
    changed = copy.deepcopy(report)
    for _ in range(draw.choice((1, 1, 1, 3))):
        *way, last = draw.choice(places(changed)[1:])
        holder: Any = changed
        for key in way:
            holder = holder[key]
        action = draw.randrange(6)
        if action == 0:
            del holder[last]
        elif action == 1:
            holder[last] = {"x": [holder[last]]}
        elif action == 2 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        elif action == 3 and isinstance(holder[last], str):
            text = holder[last]
            k = draw.randrange(len(text) + 1)
            holder[last] = (
                text[:k] + draw.choice("|:+=,\\/0a\x07é-") + text[k + draw.randrange(3) :]
            )
        else:
            holder[last] = draw.choice(VALUES)
    written = json.dumps(changed)
    if draw.random() < 0.15:
        k = draw.randrange(len(written))
        written = written[:k] + draw.choice(TEXTS) + written[k + draw.randrange(20) :]
    return written


ARGUMENTS = {
    "replay": ["report.json"],
    "diff": ["good.json", "report.json"],
    "gate": ["report.json", "-i", "best=middle", "middle=worst", "-n", "200"],
}
"""Arguments of the commands that read a damaged report."""


class Damaged(NamedTuple):
    """A damaged report, and what is done with it."""

    command: str | None
    written: str


def draw_damaged(draw: random.Random) -> Damaged:
    """Draw a report that is mostly only read, because a replay takes long."""
    command = draw.choice([*[None] * 40, "replay", "diff", "gate"])
    return Damaged(command, damaged(genuine(), draw))


def run(given: Damaged) -> int | None:
    """A report is refused, or commands end in a documented exit code and print no control codes."""
    with folder_of({**FILES, "report.json": given.written}) as folder:
        if given.command is None:
            with refused():
                SavedReport.read("report.json")
            return None
        (folder / "good.json").write_text(json.dumps(genuine()))
        code, out, err = called([given.command, *ARGUMENTS[given.command]], folder)
    assert code in ((0, 1, 2, 3) if given.command == "gate" else (0, 1, 3)), err
    assert all(c.isprintable() or c == "\n" for c in out + err)
    assert err.count("mteval: error") == (code > 1), err
    return code


REPORTS = Target(draw_damaged, run)
