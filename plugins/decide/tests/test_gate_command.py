"""``mteval gate``: exit codes, reports, JUnit XML, summaries, and what is refused."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core import Options

    Run = Callable[..., Any]

N = 60
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
REFERENCE = [" ".join(WORDS[k % 5 : k % 5 + 5]) for k in range(N)]


def with_errors(*counts: int) -> str:
    """Write the references with so many wrong words in each segment, in turn."""
    lines = []
    for k, line in enumerate(REFERENCE):
        n = counts[k % len(counts)]
        lines.append(" ".join(["x"] * n + line.split()[n:]))
    return "".join(f"{line}\n" for line in lines)


BASE = with_errors(1, 2, 1, 2)
SYSTEMS = {
    "better": with_errors(1, 1, 1, 1),
    "equal": with_errors(2, 1, 1, 2),
    "worse": with_errors(2, 3, 2, 2),
    "slightly": with_errors(1, 2, 1, 2, 2),
    "noisy": with_errors(5, 0, 0, 5, 1, 0, 0, 2, 0, 2),
}
"""Systems with 10, 0, 15, 2 and 0 more errors in 100 words than the base, the latter two unsure."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mteval: Run) -> Path:
    """Make a folder with references, a base and new outputs, and work in it."""
    monkeypatch.chdir(tmp_path)
    files = {"ref": "".join(f"{line}\n" for line in REFERENCE), "main": BASE, **SYSTEMS}
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "docs.txt").write_text("".join(f"{k // 6}\n" for k in range(N)), encoding="utf-8")
    assert (
        mteval(*["score", "ref.txt", "-i", "main.txt", "-m", "wer", "per", "-o", "base.json"]).code
        == 0
    )
    return tmp_path


@pytest.fixture
def gate(folder: Path, mteval: Run) -> Run:
    """Run the command in this process: exit code, output, errors."""
    assert (folder / "base.json").exists()
    return lambda system, *words: mteval("gate", "base.json", "-i", f"{system}.txt", *words)


@pytest.mark.parametrize(
    ("arguments", "failing"),
    [
        ([], {"worse"}),
        (["--fail-if", "wer > 5"], {"worse"}),
        (["--fail-if", "wer > 20", "per > 20"], set()),
        (["--margin", "5"], {"worse", "noisy"}),
        (["--fail-if", "wer > 20", "--margin", "20"], set()),
        (["--by", "doc", "--docs", "docs.txt", "--alpha", "0.01"], {"worse", "slightly"}),
    ],
)
def test_exit_codes(gate: Run, arguments: list[str], failing: set[str]) -> None:
    for system in SYSTEMS:
        code, out, err = gate(system, *arguments)
        assert (code, err) == (int(system in failing), ""), system
        assert out.startswith("Gate: failed\n" if code else "Gate: passed\n")


def test_the_report(gate: Run) -> None:
    # WER of the base: 6 errors in 4 segments of 5 words, 30%; of the new output: 9, 45%.
    code, out, _ = gate("worse", "--fail-if", "wer > 5", "--top", "2")
    lines = out.splitlines()
    assert code == 1
    assert lines[2] == "60 segments, 1 reference; p < 0.05, one-sided"
    assert (
        " ".join(lines[4].split()) == "system metric base now change 90% interval worse: p verdict"
    )
    assert lines[6].split()[:6] == ["worse", "WER", "↓", "30.00", "45.00", "+15.00"]
    assert lines[6].split()[-2:] == ["<0.001", "fail"]
    assert len(lines[4]) == len(lines[6]) == len(lines[7])
    assert lines[7].split()[-2:] == ["–", "–"]
    # Segments 0, 1 and 2 of each four have one more error. Without one, 44 in 59 segments remain.
    assert lines[9] == "worse, WER ↓: the segments that lost most"
    assert " ".join(lines[13].split()) == "0 base x two three four five 20.00"
    assert " ".join(lines[14].split()) == "0 now x x three four five 40.00 +14.92"
    assert lines[15].split()[0] == "1"
    assert lines[17] == ""
    assert "! worse, WER ↓: 15.00 points worse, more than 5 (p < 0.001)." in lines
    assert lines[-2].startswith("WER|nrefs:1|")


def test_long_outputs_are_shown_where_they_differ(gate: Run, folder: Path, mteval: Run) -> None:
    start = "x two " * 20
    for name, n_more in (("main", 0), ("long", 30)):
        lines = [f"{start}{k} " + "x y z " * (k % 2 * n_more) for k in range(N)]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert mteval(*["score", "ref.txt", "-i", "main.txt", "-m", "wer", "-o", "base.json"]).code == 0
    out = gate("long", "--top", "1")[1]
    before = next(line.split() for line in out.splitlines() if " base  …" in line)
    after = next(line.split() for line in out.splitlines() if " now   …" in line)
    # 15 characters before the difference, from the beginning of a word.
    assert before[2:8] == ["…two", "x", "two", "x", "two", "1"]
    assert after[2:9] == ["…two", "x", "two", "x", "two", "1", "x"]
    assert any(word.endswith("…") for word in after[9:])


def test_a_loss_that_may_be_chance_passes_with_a_note(gate: Run) -> None:
    code, out, _ = gate("slightly", "--alpha", "0.01", "--fail-if", "wer > 1")
    assert code == 0
    assert "! slightly, WER ↓: 2.00 points worse, perhaps by chance (p = " in out
    assert "segments that lost" not in out
    assert "output is that of" not in out


def test_an_output_that_has_not_changed_is_named(gate: Run, folder: Path) -> None:
    (folder / "same.txt").write_text(BASE, encoding="utf-8")
    code, out, err = gate("same", "--strict")
    assert (code, err) == (0, "")
    assert "! same: the output is that of the base." in out


def test_records_have_everything(gate: Run, folder: Path) -> None:
    code, out, _ = gate("worse", "-f", "json", "--margin", "3", "--top", "1")
    written = json.loads(out)
    assert (code, written["experiment"]) == (1, "gate")
    assert written["settings"] == {
        "fail_if": [],
        "alpha": 0.05,
        "margin": 3.0,
        "by": "segment",
        "resamples": 1000,
        "seed": 12345,
        "passed": False,
    }
    wer, per = written["records"]
    assert (wer["metric"], per["metric"]) == ("wer", "per")
    assert (wer["before"], wer["after"]) == (30, 45)
    assert wer["loss"] == wer["difference"] == 15
    assert 10 < wer["low"] < 15 < wer["high"] < 20
    assert (wer["allowed"], wer["p_loss"], wer["verdict"]) == (None, None, "fail")
    assert wer["p_not_worse"] == 1
    (segment,) = wer["segments"]
    assert segment["segment"] == 0
    assert (segment["old"], segment["new"]) == ("x two three four five", "x x three four five")
    assert segment["without"] == pytest.approx(100 * 44 / 59 / 5)
    assert written["inputs"]["systems"]["worse"][0]["path"] == "worse.txt"
    assert written["inputs"]["base"] == json.loads((folder / "base.json").read_text())["inputs"]
    assert len(written["signatures"]) == 2


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "csv", "tsv", "jsonl"])
def test_every_format_writes_it(gate: Run, form: str) -> None:
    if form in ("latex", "html"):
        pytest.importorskip("mteval_figures" if form == "latex" else "mteval_html_report")
    code, out, err = gate("worse", "-f", form, "--fail-if", "wer > 5")
    assert (code, err) == (1, "")
    assert "fail" in out


def test_several_outputs_have_a_verdict_each(gate: Run) -> None:
    pair = ["--fail-if", "wer > 0", "-f", "json", "-i", "worse.txt"]
    code, out, _ = gate("better", *pair)
    records = [one for one in json.loads(out)["records"] if one["verdict"]]
    assert code == 1
    assert [(one["system"], one["verdict"]) for one in records] == [
        ("better", "pass"),
        ("worse", "fail"),
    ]


# JUnit and summaries


def test_junit(gate: Run, folder: Path) -> None:
    code, out, _ = gate("worse", "--fail-if", "wer > 5", "--junit", "junit.xml", "--top", "1")
    assert (code, out.startswith("Gate: failed")) == (1, True)
    root = ET.parse(folder / "junit.xml").getroot()
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "2", "failures": "1", "errors": "0", "skipped": "1"}
    wer, per = suite
    assert (wer.get("classname"), wer.get("name"), per.get("name")) == ("worse", "wer", "per")
    (failure,), (skipped,) = wer, per
    assert failure.get("message") == "WER ↓: 15.00 points worse, more than 5 (p < 0.001)"
    assert (failure.text or "").splitlines() == [
        "segment 0: 20.00, now 40.00",
        "  base: x two three four five",
        "  now:  x x three four five",
    ]
    assert skipped.get("message") == "PER ↓: only reported, no condition"


@pytest.mark.parametrize(
    ("system", "arguments", "results"),
    [
        ("worse", [], ["Failure", "Failure"]),
        ("better", [], [None, None]),
        ("noisy", ["--margin", "5", "--fail-if", "wer > 0"], ["Failure", "Skipped"]),
    ],
)
def test_a_reader_of_junit_accepts_it(
    gate: Run, folder: Path, system: str, arguments: list[str], results: list[str | None]
) -> None:
    junitparser = pytest.importorskip("junitparser")
    gate(system, "--junit", "junit.xml", *arguments)
    (suite,) = junitparser.JUnitXml.fromfile(str(folder / "junit.xml"))
    before = (suite.tests, suite.failures, suite.skipped, suite.errors)
    suite.update_statistics()
    assert (suite.tests, suite.failures, suite.skipped, suite.errors) == before
    assert suite.name == "mteval gate"
    cases = list(suite)
    assert [(case.classname, case.name) for case in cases] == [(system, "wer"), (system, "per")]
    kinds = [[type(result).__name__ for result in case.result] for case in cases]
    assert kinds == [[kind] if kind else [] for kind in results]


def test_what_xml_cannot_hold_is_replaced(gate: Run, folder: Path) -> None:
    odd = "a\ufffe \x0b \x1b[0m ]]> <b> & \"'\n"
    (folder / "odd.txt").write_text(odd * N, encoding="utf-8")
    code, _, err = gate("odd", "--junit", "junit.xml", "--top", "1")
    assert code == 1, err
    text = ET.parse(folder / "junit.xml").getroot()[0][0][0].text or ""
    assert text.endswith("\n  now:  a\ufffd \\x0b \\x1b[0m ]]> <b> & \"'")


def test_a_summary_is_appended(gate: Run, folder: Path) -> None:
    summary = folder / "summary.md"
    summary.write_text("# Build\n", encoding="utf-8")
    assert gate("better", "--summary", "summary.md")[0] == 0
    assert gate("worse", "--summary", "summary.md", "--top", "1")[0] == 1
    start, first, second = summary.read_text(encoding="utf-8").split("## Gate: ")
    assert start == "# Build\n"
    assert first.startswith("passed\n\n60 segments")
    assert second.startswith("failed\n\n60 segments")
    assert "segments that lost" in second
    assert gate("worse", "-f", "markdown", "--top", "1")[1] == f"## Gate: {second}"


def test_the_example_of_a_workflow_calls_the_command(
    monkeypatch: pytest.MonkeyPatch, mteval: Run
) -> None:
    seen: list[Options] = []
    monkeypatch.setattr(
        "mteval_decide.commands.gate.run", lambda session: seen.append(session.options)
    )
    text = (Path(__file__).parents[3] / "examples" / "gate.yml").read_text(encoding="utf-8")
    command = " ".join(text.partition("- run: >\n")[2].partition("- uses")[0].split())
    words = shlex.split(command)
    assert words[:2] == ["mteval", "gate"]
    assert mteval(*words[1:]).code == 0
    (options,) = seen
    assert options.fail_if == ["bleu < -0.5", "chrf < -0.5"]
    assert (options.junit, options.summary) == ("gate.xml", "$GITHUB_STEP_SUMMARY")


# What is refused


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--fail-if", "wer < -0.5"], 2, "is not a loss: wer is better if it is lower; expected"),
        (
            ["--fail-if", "bleu < -0.5"],
            2,
            "the base has no metric 'bleu' of mteval. Known: per, wer.",
        ),
        (["--fail-if", "wer"], 2, "'wer': expected METRIC"),
        (["--alpha", "0.5"], 2, "expected a p-value from 1e-9 to 0.5, got '0.5'"),
        (["--margin", "0"], 2, "expected a difference above 0, got '0'"),
        (["--top", "-1"], 2, "expected a number of segments, from 0 to 1000, got '-1'"),
        (["-n", "10"], 2, "10 resamples: no p-value"),
        (["--docs", "docs.txt"], 2, "--docs applies to documents: add --by doc"),
        (["--summary", "-"], 2, "--summary -: expected the name of a file"),
        (["--junit", "-"], 2, "--junit -: expected the name of a file"),
        (["--by", "doc"], 3, "documents are not known"),
        (["--base", "other=ref.txt"], 2, "no system 'other'"),
        (["-r", "main.txt"], 3, "the references differ"),
        (["--base", "main=ref.txt"], 3, "the output of main is not"),
        (["-f", "json", "-w", "3"], 2, "-w changes tables, and the format json has none"),
        (["--junit", "base.json"], 2, "--junit base.json would overwrite"),
        (["--summary", "worse.txt"], 2, "--summary worse.txt would overwrite"),
        (["--junit", "absent/x.xml"], 3, "--junit absent/x.xml: expected the name of a file, in a"),
        (["--summary", "."], 3, "--summary .: expected the name of a file"),
    ],
)
def test_what_makes_no_sense_is_refused(
    gate: Run, arguments: list[str], code: int, message: str
) -> None:
    found, out, err = gate("worse", *arguments)
    assert (found, out) == (code, "")
    assert message in err


def test_what_is_no_base_is_refused(folder: Path, mteval: Run) -> None:
    for arguments, code, message in [
        (["ref.txt", "-i", "worse.txt"], 3, "ref.txt: not JSON"),
        (["base.json"], 2, "no new output: add -i SYS"),
        (["base.json", "-i", "absent.txt"], 3, "absent.txt: no such file"),
    ]:
        done = mteval("gate", *arguments)
        assert done.code == code
        assert message in done.err
    (folder / "main.txt").rename(folder / "old.txt")
    better = ("gate", "base.json", "-i", "better.txt")
    done = mteval(*better)
    assert done.code == 3
    assert "main.txt: no such file" in done.err
    assert mteval(*better, "--base", "main=old.txt").code == 0


def test_a_base_of_any_level_will_do(folder: Path, mteval: Run) -> None:
    levels = {"doc": ["--docs", "docs.txt"], "segment": []}
    reports = []
    for level, more in levels.items():
        command = ["score", "ref.txt", "-i", "main.txt", "-m", "wer", "--level", level, *more]
        assert mteval(*command, "-o", "level.json").code == 0
        done = mteval("gate", "level.json", "-i", "worse.txt")
        assert done.code == 1
        reports.append(done.out)
    assert reports[0] == reports[1]
    assert (folder / "level.json").exists()


def test_the_seed_decides_and_is_repeatable(gate: Run) -> None:
    def p(*arguments: str) -> Any:
        written = json.loads(gate("slightly", "-f", "json", *arguments)[1])
        return [one["p_loss"] for one in written["records"]]

    assert p() == p() == p("--seed", "12345")
    assert np.allclose(p("--seed", "1"), p(), atol=0.05)
    assert p("--seed", "1") != p()
    assert p("-n", "3000") != p()


def test_a_base_whose_score_is_not_that_of_its_texts_is_refused(gate: Run, folder: Path) -> None:
    report = json.loads((folder / "base.json").read_text("utf-8"))
    assert gate("equal").code == 0
    report["records"][0]["score"] += 0.01
    (folder / "base.json").write_text(json.dumps(report), "utf-8")
    code, _, error = gate("equal")
    assert (code, "the base says that main has " in error, "replay" in error) == (3, True, True)


@pytest.mark.parametrize(
    ("what", "said"), [("references", "the references differ"), ("main", "the output of main is")]
)
def test_a_text_of_the_same_digest_and_another_sha256_is_refused(
    gate: Run, folder: Path, what: str, said: str
) -> None:
    report = json.loads((folder / "base.json").read_text("utf-8"))
    inputs = report["inputs"]
    (source,) = inputs[what] if what in inputs else inputs["systems"][what]
    source["sha256"] = "0" * 64
    (folder / "base.json").write_text(json.dumps(report), "utf-8")
    code, _, error = gate("equal")
    assert (code, said in error) == (3, True)


def test_a_configuration_that_is_found_decides_nothing(gate: Run, folder: Path) -> None:
    (folder / "mteval.toml").write_text("resamples = 1\nseed = 3\n")
    assert gate("worse").code == 1
    (folder / "mteval.toml").write_text("[gate]\nfail-if = ['wer > 99']\n")
    code, _, error = gate("worse")
    assert (code, "fail-if decides a verdict" in error) == (2, True)
