"""Where the commands write: lines of a terminal's width, files, formats, progress."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.files import write_file
from mteval_core.commands.formats import find_format, formatted
from mteval_core.commands.main import main
from mteval_core.commands.session import Output, write_to
from mteval_core.commands.terminal import terminal_width, wrapped
from mteval_core.metrics import bars
from mteval_core.report import Layout, Report
from mteval_core.testing import run_command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REPORT = Report("Scores", list, list, lambda _: {})


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, Terminal(io.BytesIO(), encoding="utf-8"))


def test_lines_are_broken_at_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    assert terminal_width() == 24
    assert wrapped("smooth  how zero-counts are smoothed", 4) == (
        "smooth  how zero-counts\n    are smoothed"
    )
    assert wrapped("a-very-long-word-of-this-line " * 2, 2).count("\n") == 1


@pytest.mark.parametrize(("arguments", "shown"), [([], True), (["-q"], False)])
def test_bars_are_shown_on_a_terminal_without_q(
    monkeypatch: pytest.MonkeyPatch, mini: Path, arguments: list[str], *, shown: bool
) -> None:
    seen = []
    monkeypatch.setattr(
        "mteval_core.commands.doctor.run", lambda _: seen.append(bars.ARE_SHOWN.get()) or 0
    )
    main(["doctor", str(mini / "ref0.txt"), *arguments])
    open_terminal(monkeypatch)
    main(["doctor", str(mini / "ref0.txt"), *arguments])
    assert seen == [False, shown]
    assert not bars.ARE_SHOWN.get()


@pytest.mark.parametrize("report", ["ä\n", "ä\n".encode()])
def test_a_report_goes_to_the_file_that_is_asked_for(tmp_path: Path, report: str | bytes) -> None:
    path = tmp_path / "report"
    write_to(Output(str(path), None), report)
    assert path.read_bytes() == "ä\n".encode()


def test_a_report_goes_to_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_to(Output(None, None), "a\ud800\n")
    write_to(Output("-", None), b"\x89PNG")
    assert capsysbinary.readouterr().out == b"a\\ud800\n\x89PNG"


def test_a_binary_report_does_not_go_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    open_terminal(monkeypatch)
    form = find_format("png", None, mt.default_registry())
    with pytest.raises(mt.UsageError, match="-f png is a binary format: write it to a file"):
        write_to(Output(None, form), b"\x89PNG")


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(mt.InputError, match="No such file or directory"):
        write_file(str(tmp_path / "none" / "report"), b"")


def test_a_format_is_found_for_the_commands_that_it_writes(
    plugin: Callable[..., Any], matches: mt.MetricSpec, files: Callable[..., list[str]]
) -> None:
    shout = mt.FormatSpec(
        "shout", function=lambda report, _: report.title.upper(), help="loud", commands=("score",)
    )
    registry = mt.load_registry([plugin(formats=[shout], metrics=[matches])])
    ref, system = files(ref="a b\n", sys="a c\n")
    words = (ref, "-i", system, "-m", "matches")
    code, out, _ = run_command("score", *words, "-f", "shout", registry=registry)
    assert (code, out.isupper()) == (0, True)
    code, _, err = run_command(
        "correlate", *words, "--human", "x", "-f", "shout", registry=registry
    )
    assert code == 2
    assert "the format shout cannot write the reports of mteval correlate; expected " in err
    code, _, err = run_command("score", *words, "-f", "shuot", registry=registry)
    assert (code, "unknown format 'shuot'. Did you mean 'shout'" in err) == (2, True)


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        (None, None, "text"),
        (None, "x.shout", "shout"),
        (None, "x.shuot", "text"),
        (None, "shout", "text"),
        (None, "x.d/y", "text"),
        (None, "a/x.tex", "latex"),
        ("shout", "x.json", "shout"),
        ("json", "x.shout", "json"),
    ],
)
def test_the_ending_of_the_file_is_the_name_of_a_format(
    plugin: Callable[..., Any], name: str | None, path: str | None, expected: str
) -> None:
    shout = mt.FormatSpec("shout", function=lambda report, _: report.title, help="loud")
    registry = mt.load_registry([plugin(formats=[shout])])
    assert find_format(name, path, registry).declaration.name == expected


def test_a_format_writes_the_report(plugin: Callable[..., Any]) -> None:
    shout = mt.FormatSpec("shout", function=lambda report, _: report.title.upper(), help="loud")
    form = find_format("shout", None, mt.load_registry([plugin(formats=[shout])]))
    assert formatted(REPORT, Layout(), form, None) == "SCORES"


def test_a_format_that_fails_is_named(plugin: Callable[..., Any]) -> None:
    def fail(*_: object) -> str:
        message = "no ink"
        raise RuntimeError(message)

    broken = mt.FormatSpec("broken", function=fail, help="fails")
    form = find_format("broken", None, mt.load_registry([plugin(formats=[broken])]))
    with pytest.raises(mt.PluginError, match=r"format .*broken.*no ink"):
        formatted(REPORT, Layout(), form, None)


def test_each_output_has_the_format_of_its_ending(
    matches: mt.MetricSpec,
    plugin: Callable[..., Any],
    files: Callable[..., list[str]],
    tmp_path: Path,
) -> None:
    registry = mt.load_registry([plugin(metrics=[matches])])
    ref, system = files(ref="a b\n", sys="a c\n")
    words = ("score", ref, "-i", system, "-m", "matches")
    both = (tmp_path / "x.csv", tmp_path / "x.json")
    outputs = [word for path in both for word in ("-o", str(path))]
    assert run_command(*words, *outputs, registry=registry) == (0, "", "")
    for path in both:
        code, out, _ = run_command(*words, "-f", path.suffix[1:], registry=registry)
        assert (code, out) == (0, path.read_text())
    code, _, err = run_command(*words, *outputs, "-f", "csv", registry=registry)
    assert (code, "-f csv is the format of one output" in err) == (2, True)
    code, _, err = run_command(*words, *outputs[:2], *outputs[:2], registry=registry)
    assert (code, "is the file of -o too" in err) == (2, True)
