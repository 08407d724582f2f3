"""``mteval power``: the report, its records, and what is refused."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

REFERENCE = ["a b c d", "e f g h", "i j k l", "m n o p"] * 4
GOOD = ["a b c d", "e f g h", "i j k l", "m n o x"] * 4
BAD = ["a b c d", "e f x x", "i j k l", "x x x x"] * 4


@pytest.fixture
def run(files: Callable[..., list[str]], mteval: Run) -> Run:
    """Run the command in this process on two systems: exit code, output, errors."""
    texts = {"r": REFERENCE, "good": GOOD, "bad": BAD, "docs": [str(k // 4) for k in range(16)]}
    paths = files(**{name: "".join(f"{line}\n" for line in text) for name, text in texts.items()})
    reference, good, bad, documents = paths

    def command(*arguments: str) -> tuple[int, str, str]:
        placed = [{"DOCS": documents}.get(word, word) for word in arguments]
        return mteval("power", reference, "-i", good, bad, "-m", "wer", *placed)

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
    assert "--effect plans for" in " ".join(out.split())


def test_large_sizes_are_not_written_out(run: Run) -> None:
    code, out, _ = run("--effect", "0.01")
    assert code == 0
    assert ">1000000000" not in out
    assert " 882998" in out
    assert " >1000000000" in run("--effect", "0.001")[1]


def test_ratings_of_a_pilot(run: Run, files: Callable[..., list[str]]) -> None:
    pytest.importorskip("mteval_metaeval", reason="it reads tables of scores")
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


def test_looks_are_planned(run: Run) -> None:
    code, out, err = run("--sequential", "obrien-fleming", "--effect", "10", "-q")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[2] == "5 looks, bounds of O'Brien and Fleming; p < 0.05 over all looks, two-sided"
    assert lines[4] == "WER ↓: bad against good"
    heads = "look segments bound p below difference false alarm found"
    assert " ".join(lines[5].split()) == heads
    # A single test takes (2.8016 * 8.3853 / 10)^2 * 16 = 88.3 segments, and five looks 1.028 times
    # as many; the last bound is 2.040, and the first one 4.562.
    rows = [line.split() for line in lines[7:12]]
    assert [row[1] for row in rows] == ["19", "37", "55", "73", "91"]
    assert [row[2] for row in rows] == ["4.562", "3.226", "2.634", "2.281", "2.040"]
    assert rows[-1][3:] == ["0.0413", "7.17", "5.0%", "80.0%"]
    assert "! WER ↓, bad against good: 72 segments on average, 91 at most" in out


def test_looks_are_taken(run: Run) -> None:
    code, out, _ = run("--sequential", "pocock", "--looks", "8,16,24", "-f", "json")
    written = json.loads(out)
    assert (code, written["experiment"]) == (0, "sequential")
    assert written["settings"]["bounds"] == "pocock"
    first, second, third = written["records"]
    assert (first["n"], first["verdict"]) == (8, "significant")
    # The first eight segments are twice 0 2 0 3 more errors, as all sixteen are four times.
    assert first["difference"] == second["difference"] == 31.25
    assert first["z"] == pytest.approx(31.25 / 8.3853 * np.sqrt(7 / 15), abs=1e-4)
    assert second["z"] == pytest.approx(31.25 / 8.3853, abs=1e-4)
    assert (second["verdict"], third["verdict"], third["z"]) == ("", "", None)
    table = run("--sequential", "pocock", "--looks", "8,16,24")[1]
    assert "verdict" in table.split()
    assert "observed" in table.split()
    assert "if the difference is as observed." in " ".join(table.split())


def test_notes_of_looks(run: Run) -> None:
    early = "! Looks at fewer than 100 segments stop too often, most with Pocock's bounds: plan"
    effect = "! --effect plans for"
    out = run("--sequential", "pocock", "--looks", "200,400")[1]
    assert early not in " ".join(out.split())
    assert effect in out
    assert "verdict" not in out
    out = run("--sequential", "pocock", "--looks", "99,400", "--effect", "1")[1]
    assert early in " ".join(out.split())
    assert effect not in out


def test_looks_at_documents(run: Run) -> None:
    # Documents are alike, so that no number of them says more than one.
    out = run("--sequential", "pocock", "--by", "doc", "--docs", "DOCS", "--looks", "2")[1]
    lines = out.splitlines()
    assert lines[5].split()[:2] == ["look", "documents"]
    assert [line.split()[1] for line in lines[7:9]] == ["–", "–"]
    assert "! WER ↓, bad against good: no size" in out
    assert "difference: the same in points, if documents vary as here" in out


def test_looks_of_several_metrics_and_pairs(run: Run, files: Callable[..., list[str]]) -> None:
    (third,) = files(third="".join(f"{line}\n" for line in GOOD[::-1]))
    more = ["--all-pairs", "-m", "per", "-i", third, "--sequential", "obrien-fleming", "-q"]
    captions = [line for line in run(*more)[1].splitlines() if " against " in line]
    assert [caption for caption in captions if not caption.startswith("!")] == [
        f"{metric} ↓: {pair}"
        for metric in ("WER", "PER")
        for pair in ("bad against good", "third against good", "third against bad")
    ]
    installed = {"latex": find_spec("mteval_figures"), "html": find_spec("mteval_html_report")}
    for form in ("csv", "markdown", *filter(installed.get, installed)):
        code, out, err = run(*more, "-f", form)
        assert (code, err) == (0, "")
        assert "4.56" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", "0"], "expected a difference above 0, got '0'"),
        (["--effect", "nan"], "expected a difference above 0, got 'nan'"),
        (["--power", "50"], "expected a number of percent between 50 and 100, got '50'"),
        (["--alpha", "1"], "expected a p-value from 1e-9 to 1, got '1'"),
        (["-f", "json", "-w", "3"], "-w changes tables, and the format json has none"),
        (["--looks", "5"], "--looks applies to sequential tests: add --sequential pocock or"),
        (["--sequential", "wald"], "invalid choice: 'wald'"),
        (["--sequential", "pocock", "--looks", "0"], "expected a number of looks, from 1 to 50"),
        (["--sequential", "pocock", "--looks", "9,8"], "numbers that increase, got '9,8'"),
        (
            ["--sequential", "pocock", "--looks", "9,x"],
            "number of segments or documents",
        ),
        (["--sequential", "pocock", "--looks", "2,9999"], "each by at least 0.001"),
        (["--by", "doc"], "documents need --docs"),
        (["--docs", "DOCS"], "--docs applies to"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
