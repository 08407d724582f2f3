"""The page about other programs: run both columns of its tables, and compare the numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import mteval_core as mt

ROOT = Path(__file__).parents[2]
MINI = ROOT / "examples" / "mini"
FILES = {
    "REF": MINI / "ref0.txt",
    "REF2": MINI / "ref1.txt",
    "SYS": MINI / "systems" / "phrase.txt",
    "SYS2": MINI / "systems" / "lower.txt",
}

PAGE = (ROOT / "docs" / "switching.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")
IMPORT = re.compile(r"`((?:from|import) [^`]+)`")

# The other programs emit warnings of their own.
pytestmark = pytest.mark.filterwarnings("ignore")


def rows() -> list[Any]:
    """Code of both columns, after the imports of the section, and the stated agreement."""
    found = []
    for section in PAGE.split("\n## ")[1:]:
        program = section.partition("\n")[0]
        imports = IMPORT.findall(section.partition("\n| your code")[0])
        for line in re.findall(r"^\| (`.*) \|$", section, re.MULTILINE):
            theirs, ours, promise = line.split(" | ")
            columns = [*imports, *CODE.findall(theirs)], CODE.findall(ours)
            found.append(pytest.param(*columns, promise, id=f"{program}: {theirs}"))
    return found


ROWS = rows()


def test_the_tables_are_read() -> None:
    programs = ["sacreBLEU", "rouge-score", "nltk", "jiwer", "torchmetrics"]
    assert list(dict.fromkeys(row.id.partition(":")[0] for row in ROWS)) == programs
    n_tables = PAGE.count("\n| your code | here | agreement |\n| --- | --- | --- |\n")
    assert len(ROWS) == PAGE.count("\n|") - 2 * n_tables


COMMANDS = {
    "sacrebleu": f"{sys.executable} -m sacrebleu",
    "mteval": f"{sys.executable} -m mteval_core",
}

PRINTED = (
    r'"p_value": ([\d.e-]+)',
    r'"(?:score|BLEU|chrF2|TER)": "?([\d.]+)',
    r"(?<!\S)\d+\.\d+(?=\*?(?:\s|$))",
)
"""Numbers that are compared: p-values, or the scores in JSON, or the scores in a table."""

SEGMENT = 16
"""A segment without a matching 4-gram, for which smoothing makes a difference."""


def run(codes: list[str]) -> list[float]:
    """Run pieces of code in turn and return the numbers that the last one computes."""
    *statements, last = codes
    names: dict[str, Any] = {"mt": mt, "mean": mean}
    texts = [("SYS", "hyps", "hyp"), ("REF", "refs", "ref"), ("REF2", "refs2", "ref2")]
    for file, many, one in texts:
        names[many] = FILES[file].read_text(encoding="utf-8").splitlines()
        names[one] = names[many][SEGMENT]
    for statement in statements:
        exec(statement, names)
    if last.partition(" ")[0] in COMMANDS:
        return numbers_printed(last)
    found = eval(last, names)
    return [*map(float, found)] if isinstance(found, list) else [float(found)]


def numbers_printed(command: str) -> list[float]:
    for word, meaning in {**COMMANDS, **FILES}.items():
        command = re.sub(rf"(?<!\S){word}(?!\S)", str(meaning), command)
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    records = done.stdout.partition('"comparisons"')[0]  # JSON states p-values there once more
    table = records.partition("\n\n")[0]
    found = next(found for p in PRINTED if (found := re.findall(p, table)))
    return [*map(float, dict.fromkeys(found) if "p_value" in table else found)]


@pytest.mark.parametrize(("theirs", "ours", "promise"), ROWS)
def test_a_row(theirs: list[str], ours: list[str], promise: str) -> None:
    try:
        expected, found = run(theirs), run(ours)
    except ModuleNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")
    except (LookupError, mt.PluginError) as error:
        if "wordnet" not in str(error).lower():
            raise
        pytest.skip("WordNet is not installed, or not where nltk looks for it")
    stated = re.search(r"(0\.\d{4}) against (0\.\d{4})", promise)
    if stated:
        pair = [round(found[0], 4), round(expected[0], 4)]
        assert pair == [float(stated[1]), float(stated[2])]
        return
    bound = re.search(r"within ([\d.]+)", promise)
    tolerance = float(bound[1]) if bound else 1e-9
    assert found == pytest.approx(expected, rel=0, abs=tolerance)


def test_the_stated_p_values_of_two_systems_that_hardly_differ() -> None:
    significance = pytest.importorskip("sacrebleu.significance")
    from sacrebleu.metrics import BLEU

    page = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
    stated = re.search(r"segments 20 to 39,\s+it is (0\.\d+) here and (0\.\d+) there", page)
    assert stated
    ref, rule, short = (
        path.read_text(encoding="utf-8").splitlines()[20:40]
        for path in (MINI / "ref0.txt", *(MINI / "systems" / f"{s}.txt" for s in ("rule", "short")))
    )
    compared = mt.evaluate({"rule": rule, "short": short}, [ref], ["bleu"]).compare("bs")
    (ours,) = compared.comparisons.values()
    systems = [("rule", rule), ("short", short)]
    test = significance.PairedTest(systems, {"BLEU": BLEU(references=[ref])}, None, "bs", 1000)
    theirs = test()[1]["BLEU"][1].p_value
    assert (round(ours.p_value, 4), round(theirs, 4)) == (float(stated[1]), float(stated[2]))
