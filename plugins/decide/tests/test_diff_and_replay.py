"""Saved reports: differences between two of them, and recomputing one."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("mteval_bleu_nist", reason="the plugin bleu_nist is not installed")


@pytest.fixture(scope="module")
def score(process: Callable[..., Any], mini: Path, tmp_path_factory: Any) -> Callable[..., Path]:
    """Score three systems of the example and return the path of the report."""
    references = [mini / f"ref{k}.txt" for k in range(4)]
    systems = [mini / "systems" / f"{name}.txt" for name in ("deep", "neural", "phrase")]

    def run(name: str, *options: str, systems: list[Any] = systems) -> Path:
        path: Path = tmp_path_factory.mktemp("reports") / f"{name}.json"
        done = process(
            "score", *references, "-i", *systems, "-m", "bleu", "-f", "json", "-o", path, *options
        )
        assert done.code == 0, done.err
        return path

    return run


@pytest.fixture(scope="module")
def report(score: Callable[..., Path]) -> Path:
    return score("plain", "-ci", "-par", "--trials", "1000")


def test_a_report_replays(process: Callable[..., Any], report: Path) -> None:
    done = process("replay", report)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(
        "3 of 3 records and 2 of 2 comparisons pass: scores, values, intervals, tests, signatures, "
        "inputs\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--level", "segment"),
        ("--jackknife", "--human-performance"),
        ("-pbs", "-n", "90", "--all-pairs", "--correct", "maxt", "--seed", "0"),
        ("--tok", "intl", "--case", "lc", "--stem", "porter"),
    ],
)
def test_reports_of_all_kinds_replay(
    process: Callable[..., Any], score: Callable[..., Path], options: tuple[str, ...]
) -> None:
    done = process("replay", score("kind", *options))
    assert (done.code, done.err) == (0, ""), done.out
    assert "FAIL" not in done.out


def test_documents_and_runs_replay(
    process: Callable[..., Any], score: Callable[..., Path], mini: Path
) -> None:
    runs = f"two={mini}/systems/deep.txt,{mini}/systems/neural.txt"
    options = ("--docs", str(mini / "docs.txt"), "--by", "doc", "-ci", "-n", "100", "-par")
    path = score("runs", *options, systems=[runs, mini / "systems" / "rule.txt"])
    done = process("replay", path)
    assert (done.code, done.err) == (0, ""), done.out
    assert "2 of 2 records and 1 of 1 comparisons pass" in done.out


def test_another_reference_fails_with_the_reason(
    process: Callable[..., Any], report: Path, mini: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "ref1.txt"
    lines = (mini / "ref1.txt").read_text(encoding="utf-8").split("\n")
    changed.write_text("\n".join(["Another first line.", *lines[1:]]), encoding="utf-8")
    references = [mini / "ref0.txt", changed, mini / "ref2.txt", mini / "ref3.txt"]
    done = process("replay", report, *references)
    assert done.code == 1
    assert re.search(r"the references \(hash\): [0-9a-f]{12} → [0-9a-f]{12}\b", done.out)
    assert done.out.endswith("0 of 3 records and 0 of 2 comparisons pass\n")


def test_another_output_fails_with_the_reason(
    process: Callable[..., Any], report: Path, mini: Path
) -> None:
    done = process("replay", report, "-i", f"phrase={mini}/systems/rule.txt")
    assert done.code == 1
    assert "output of the system" in done.out
    assert "2 of 3 records and 1 of 2 comparisons pass: " in done.out


def test_an_output_by_another_name_is_refused(
    process: Callable[..., Any], report: Path, mini: Path
) -> None:
    done = process("replay", report, "-i", f"other={mini}/systems/rule.txt")
    assert done.code == 2
    assert "the report has no system 'other'" in done.err


def test_diff_names_the_option(
    process: Callable[..., Any], score: Callable[..., Path], report: Path
) -> None:
    stemmed = score("stemmed", "-ci", "-par", "--trials", "1000", "--stem", "porter")
    done = process("diff", report, stemmed)
    assert done.code == 1
    assert "(1) stem: none → porter" in done.out
    assert "65.1712" in done.out
    assert "3 of 3 records and 2 of 2 comparisons differ: 3 better\n" in done.out
    assert process("diff", report, stemmed, "--tolerance", "1").code == 0


def test_diff_of_one_report(process: Callable[..., Any], report: Path) -> None:
    done = process("diff", report, report)
    assert done.code == 0
    assert done.out == "Differences\n\n0 of 3 records and 0 of 2 comparisons differ\n"


def test_diff_in_other_formats(
    score: Callable[..., Path], report: Path, tmp_path: Path, capsysbinary: Any
) -> None:
    folded = score("folded", "-lc", "-ci", "-par", "--trials", "1000")
    for command in ([], ["--all"]):
        code = main(["diff", str(report), str(folded), "-f", "json", *command])
        written = json.loads(capsysbinary.readouterr().out)
        assert (code, written["experiment"]) == (1, "diff")
        assert written["inputs"] == {"before": str(report), "after": str(folded)}
        best, *_, last = written["records"]
        assert (best["system"], best["metric"], best["where"]) == ("deep", "bleu", "")
        assert best["change"] == pytest.approx(best["after"] - best["before"])
        assert (best["verdict"], best["same"]) == ("better", False)
        assert best["reasons"] == ["case: mixed → lc", "interval"]
        assert (last["where"], last["is_comparison"]) == ("vs deep", True)
    page = tmp_path / "diff.md"
    assert main(["diff", str(report), str(folded), "-o", str(page)]) == 1
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[2] == "3 of 3 records and 2 of 2 comparisons differ: 3 better"
    assert lines[4].split("|")[6].split() == ["change"]
    assert lines[6].split("|")[7].split() == ["better"]
    assert "- (1) case: mixed → lc" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tolerance", "nan"], "expected a number of at least 0, got 'nan'"),
        (["--tolerance", "-0.1"], "expected a number of at least 0, got '-0.1'"),
        (["-f", "png"], "the format png cannot write the reports of mteval diff"),
        (["-f", "text", "-o", "x.md"], "-f chooses the format text, but"),
    ],
)
def test_diff_refuses_what_makes_no_sense(
    report: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["diff", str(report), str(report), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert main(["diff", str(report), str(report), "-o", str(report)]) == 2
    assert "would overwrite" in capsys.readouterr().err


def test_diff_says_what_is_new_and_gone(
    process: Callable[..., Any], report: Path, tmp_path: Path
) -> None:
    content = json.loads(report.read_text(encoding="utf-8"))
    content["records"] = content["records"][1:]
    shorter = tmp_path / "shorter.json"
    shorter.write_text(json.dumps(content), encoding="utf-8")
    assert "is gone" in process("diff", report, shorter).out
    assert "is new" in process("diff", shorter, report).out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a report of mteval"),
        ('{"records": [{}], "inputs": {}}', "the report: the key 'comparisons' is missing"),
        ('{"mteval": "1", "mteval": "2"}', "an object has the key 'mteval' twice"),
        ('{"mteval": NaN}', "NaN is not a number"),
        (f'{{"mteval": {"9" * 400}}}', "a number of 400 digits"),
        ("[" * 100_000, "nested too deeply"),
        (None, "no such file"),
    ],
)
def test_what_is_no_report(
    process: Callable[..., Any], tmp_path: Path, content: str | None, message: str
) -> None:
    path = tmp_path / "report.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    for command in (("diff", path, path), ("replay", path)):
        done = process(*command)
        assert done.code == 3
        assert done.err.startswith(f"mteval: error: {path}: ")
        assert message in done.err
