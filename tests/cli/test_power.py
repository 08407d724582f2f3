"""``mteval power``: the report, its records, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mteval_core.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_error_rates")

REFERENCE = ["a b c d", "e f g h", "i j k l", "m n o p"] * 4
GOOD = ["a b c d", "e f g h", "i j k l", "m n o x"] * 4
BAD = ["a b c d", "e f x x", "i j k l", "x x x x"] * 4


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], files: Callable[..., list[str]]) -> Run:
    """Run the command in this process on two systems: exit code, output, errors."""
    texts = {"r": REFERENCE, "good": GOOD, "bad": BAD, "docs": [str(k // 4) for k in range(16)]}
    paths = files(**{name: "".join(f"{line}\n" for line in text) for name, text in texts.items()})
    reference, good, bad, documents = paths

    def command(*arguments: str) -> tuple[int, str, str]:
        placed = [{"DOCS": documents}.get(word, word) for word in arguments]
        code = main(["power", reference, "-i", good, bad, "-m", "wer", *placed])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


def record(run: Run, *arguments: str) -> dict[str, Any]:
    code, out, err = run("-f", "json", *arguments)
    assert (code, err) == (0, "")
    written = json.loads(out)
    assert written["experiment"] == "power"
    (found,) = written["records"]
    return {**found, "settings": written["settings"]}


def test_the_report(run: Run) -> None:
    # WER of segments of four words: 0 2 0 3 more errors, so a mean of 31.25, a standard deviation
    # of sqrt(1125) with n - 1, and an error of a fourth of it, 8.39. 2.80 errors are 23.49.
    code, out, err = run("--effect", "10", "-q")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[2] == "16 segments, 1 reference; p < 0.05, two-sided; power 80%"
    assert " ".join(lines[5].split()) == (
        "system baseline difference error detectable power segments"
    )
    assert lines[7].split() == ["bad", "good", "+31.25", "8.39", "23.49", "22%", "89"]


def test_records_say_the_same_as_the_table(run: Run) -> None:
    found = record(run, "--power", "90", "--alpha", "0.01")
    assert found["error"] == pytest.approx(8.3853, abs=1e-4)
    assert found["detectable"] == pytest.approx((2.57583 + 1.28155) * 8.3853, abs=1e-3)
    assert found["effect"] == found["difference"] == pytest.approx(31.25)
    assert found["needed"] == found["needed_segments"] == 18
    assert found["settings"] == {"effect": None, "power": 0.9, "alpha": 0.01, "by": "segment"}


def test_documents_that_are_alike_have_no_error(run: Run) -> None:
    found = record(run, "--by", "doc", "--docs", "DOCS")
    assert (found["n"], found["error"], found["needed"]) == (4, None, None)
    code, out, _ = run("--by", "doc", "--docs", "DOCS")
    assert code == 0
    assert "16 segments, 4 documents" in out
    assert "Only 4 documents: errors from so few documents are not reliable." in out
    assert "No error where none of the documents changes the difference: bad and good" in out
    assert "--effect plans for a difference of your choice" in " ".join(out.split())


def test_large_sizes_are_not_written_out(run: Run) -> None:
    code, out, _ = run("--effect", "0.01")
    assert code == 0
    assert ">1000000000" not in out
    assert " 882998" in out
    assert " >1000000000" in run("--effect", "0.001")[1]


def test_ratings_of_a_pilot(run: Run, files: Callable[..., list[str]]) -> None:
    # Good has 3 points everywhere, bad 2 and 3 in turn: half a point less, with a standard
    # deviation of 0.516 and an error of a fourth of it.
    lines = [f"good\t{k}\t3\nbad\t{k}\t{2 + k % 2}\n" for k in range(16)]
    (ratings,) = files(ratings="system\tsegment\tscore\n" + "".join(lines))
    code, out, err = run("--scores", f"points={ratings}", "--effect", "0.25", "-f", "json")
    assert (code, err) == (0, "")
    of_wer, of_points = json.loads(out)["records"]
    assert (of_wer["metric"], of_points["metric"]) == ("wer", "points")
    assert of_points["difference"] == -0.5
    assert of_points["error"] == pytest.approx(np.sqrt(4 / 15) / 4)
    assert of_points["needed"] == np.ceil((2.80158 / 0.25) ** 2 * 4 / 15)
    table = run("--scores", f"points={ratings}", "--effect", "0.25", "-f", "markdown")[1]
    assert " ".join(table.split()).count("| bad | good |") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", "0"], "expected a difference above 0, got '0'"),
        (["--effect", "nan"], "expected a difference above 0, got 'nan'"),
        (["--power", "50"], "expected a number of percent between 50 and 100, got '50'"),
        (["--alpha", "1"], "expected a p-value from 1e-9 to 1, got '1'"),
        (["-f", "json", "-w", "3"], "-w changes tables, and the format json has none"),
        (["--by", "doc"], "documents need --docs FILE"),
        (["--docs", "DOCS"], "--docs applies to documents: add --by doc"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
