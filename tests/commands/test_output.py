"""Where the commands write: lines of a terminal's width, files, formats, progress."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.files import write_file, write_output
from mteval_core.commands.main import main
from mteval_core.commands.terminal import terminal_size, wrap_line
from mteval_core.metrics import bars
from mteval_core.report import Passage, Report

if TYPE_CHECKING:
    from collections.abc import Callable


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal(io.BytesIO(), encoding="utf-8"))


def test_lines_are_broken_at_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    assert terminal_size().columns == 24
    assert wrap_line("smooth  how zero-counts are smoothed", 4) == (
        "smooth  how zero-counts\n    are smoothed"
    )
    assert wrap_line("a-very-long-word-of-this-line " * 2, 2).count("\n") == 1


@pytest.mark.parametrize(("arguments", "shown"), [([], True), (["-q"], False)])
def test_bars_are_shown_on_a_terminal_without_q(
    monkeypatch: pytest.MonkeyPatch, mini: Path, arguments: list[str], *, shown: bool
) -> None:
    seen = []
    monkeypatch.setattr(
        "mteval_core.commands.score.run", lambda _: seen.append(bars.ARE_SHOWN.get()) or 0
    )
    words = ["score", str(mini / "ref0.txt"), "-i", str(mini / "ref0.txt"), *arguments]
    main(words)
    open_terminal(monkeypatch)
    main(words)
    assert seen == [False, shown]
    assert not bars.ARE_SHOWN.get()


# Standard output, and files


@pytest.mark.parametrize("report", ["ä\n", "ä\n".encode()])
def test_a_report_goes_to_the_file_that_is_asked_for(tmp_path: Path, report: str | bytes) -> None:
    path = tmp_path / "report"
    write_output(str(path), [report], "text")
    assert path.read_bytes() == "ä\n".encode()


def test_a_report_goes_to_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_output(None, ["a\ud800", "\n"], "text")
    write_output("-", [b"\x89PNG"], "png")
    assert capsysbinary.readouterr().out == b"a\\ud800\n\x89PNG"


def test_a_binary_report_does_not_go_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    open_terminal(monkeypatch)
    with pytest.raises(mt.UsageError, match="-f parquet is a binary format: write it to a file"):
        write_output(None, [b"\x89PNG"], "parquet")


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(mt.InputError, match="No such file or directory"):
        write_file(str(tmp_path / "none" / "report"), b"")


# Formats

SHOUT = """
import mteval_core

def write(report, layout):
    names = ",".join(part.name for part in report.parts(layout))
    return f"{names} {layout.columns} {layout.colour} {layout.rows} {layout.signatures}\\n"

def fail(report, layout):
    raise RuntimeError("no ink")

@mteval_core.hookimpl
def mteval_register_formats():
    spec = mteval_core.FormatSpec
    return [
        spec("shout", function=write, parts=("table", "chart"), endings=("loud",)),
        spec("broken", function=fail),
        spec("on-terminals", function=write, terminal=True),
    ]
"""


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Score a system against itself with a metric of the tests, and a plugin of formats."""
    monkeypatch.chdir(tmp_path)
    for name, content in (("shout.py", SHOUT), ("metric.py", METRIC), ("a", "x y\nz\n")):
        (tmp_path / name).write_text(content)

    def call(*words: str) -> tuple[int, str, str]:
        plugins = ["-p", "shout.py", "-p", "metric.py"]
        code = main([*plugins, "score", "a", "-i", "a", "b=a", "-m", "length", *words])
        return code, *capsys.readouterr()

    return call


METRIC = """
import mteval_core

class Length:
    def segment_statistics(self, hypothesis, references):
        return len(hypothesis), len(references[0])
    def score(self, totals):
        return totals[..., :1] / totals[..., 1:]

@mteval_core.hookimpl
def mteval_register_metrics():
    return mteval_core.MetricSpec("length", factory=Length, values={"ratio": 100})
"""


def test_the_ending_or_the_name_chooses_the_format(run: Any) -> None:
    shown = "scores,scores 100 False None full\n"
    assert run("-f", "shout") == (0, shown, "")
    assert run("-o", "x.loud") == (0, "", "")
    assert Path("x.loud").read_text() == shown
    code, _, err = run("-o", "x.shout")
    assert code == 2
    assert "-o x.shout: no format" in err
    code, _, err = run("-o", "x.csv", "-f", "shout")
    assert (code, "-f chooses the format shout, but the ending" in err) == (2, True)
    code, _, err = run("-f", "shuot")
    assert (code, "unknown format 'shuot'. Did you mean 'shout'" in err) == (2, True)


def test_several_outputs_have_their_own_formats(run: Any) -> None:
    assert run("-o", "x.loud", "-o", "-", "-o", "x.json")[0] == 0
    assert Path("x.loud").read_text().startswith("scores,scores")
    assert json.loads(Path("x.json").read_text())["records"]
    code, _, err = run("-f", "shout", "-o", "x.loud", "-o", "y.loud")
    assert (code, "-f is for one output" in err) == (2, True)
    code, _, err = run("-o", "x.loud", "-o", "x.loud")
    assert (code, "is the file of -o too" in err) == (2, True)


def test_a_format_that_fails_is_named(run: Any) -> None:
    code, _, err = run("-f", "broken")
    assert code == 4
    assert "format 'broken'" in err
    assert "no ink" in err


def test_a_format_without_parts_of_the_command_is_refused_before_the_work(run: Any) -> None:
    words = ["diff", "a", "b", "-f", "png"]
    assert run()[0] == 0
    assert main(words) == 2


def test_a_format_for_terminals_knows_the_terminal(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setenv("LINES", "30")
    assert run("-f", "on-terminals")[1] == "scores 70 False None full\n"
    assert run("-f", "shout")[1].split()[1] == "100"
    open_terminal(monkeypatch)
    assert run("-f", "on-terminals")[0] == 0
    sys.stdout.flush()
    assert sys.stdout.buffer.getvalue() == b"scores 70 True 30 full\n"  # type: ignore[attr-defined]


def test_flags_that_change_nothing_are_refused(run: Any) -> None:
    for words, message in (
        (["--transpose", "-f", "json"], "--transpose changes tables, and the format json has none"),
        (["-w", "3", "-o", "x.jsonl"], "-w changes tables, and the format jsonl has none"),
        (
            ["-b", "-f", "json"],
            "-b and -f set the same value: leave one out",
        ),
        (
            ["-b", "-o", "x.csv"],
            "-b chooses the format scores, but the ending of -o x.csv is that of csv: leave out -b",
        ),
    ):
        code, _, err = run(*words)
        assert (code, message in err) == (2, True)
    assert run("-b", "-o", "x.txt") == (0, "", "")


def test_title_caption_and_notes_are_written_in_every_format_for_readers(run: Any) -> None:
    words = ["--title", "Our paper", "--caption", "Lengths", "--note", "One.", "--note", "Two."]
    text = run(*words)[1]
    assert text.startswith("Our paper\n\nLengths\nsystem")
    assert "\n! One.\n! Two.\n" in text
    markdown = run(*words, "-f", "markdown")[1]
    assert markdown.startswith("## Our paper\n\n**Lengths**\n\n|")
    assert "- One.\n- Two.\n" in markdown
    for flag in ("--title", "--caption", "--note"):
        assert f"{flag} changes tables" in run(flag, "x", "-f", "json")[2]


def test_a_caption_needs_a_table(registry: mt.Registry) -> None:
    report = replace(Report.of("x", "X", [Passage("p", "words")], [], inputs={}), caption="C")
    with pytest.raises(mt.UsageError, match="--caption is that of a table, and this report has no"):
        mt.write_report(report, "text", registry=registry)


def test_tables_are_chosen_by_names_that_spaces_or_commas_separate(run: Any) -> None:
    for names in (["scores,pairs"], ["scores", "pairs"]):
        assert "there is no table pairs, only scores" in run("--tables", *names)[2]
    assert run("--tables", "scores")[1] == run()[1]
