"""Where the commands write: lines of a terminal's width, files, formats, progress."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_core.commands.output import terminal_width, wrapped, write_report

import mteval_core as mt
from mteval_core.commands.files import write_file
from mteval_core.commands.formats import formatted, requested_format
from mteval_core.commands.main import main
from mteval_core.metrics import bars
from mteval_core.report import Layout, Report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REPORT = Report("Scores", list, list, lambda _: {})


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def asked(form: str | None, output: str | None = None) -> Namespace:
    given = {"format"} if form else set()
    return Namespace(command="correlate", format=form, output=output, given=given, config=None)


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
    write_report(report, Namespace(output=str(path)))
    assert path.read_bytes() == "ä\n".encode()


def test_a_report_goes_to_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_report("a\ud800\n", Namespace(output=None))
    write_report(b"\x89PNG", Namespace(output=None))
    assert capsysbinary.readouterr().out == b"a\\ud800\n\x89PNG"


def test_a_binary_report_does_not_go_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    open_terminal(monkeypatch)
    with pytest.raises(mt.UsageError, match="-f png is a binary format: write it to a file"):
        write_report(b"\x89PNG", Namespace(output=None, format="png"))


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(mt.InputError, match="No such file or directory"):
        write_file(str(tmp_path / "none" / "report"), b"")


def test_a_format_is_found_for_the_commands_that_it_writes(plugin: Callable[..., Any]) -> None:
    shout = mt.FormatSpec(
        "shout", function=lambda report, _: report.title.upper(), help="loud", commands=("score",)
    )
    registry = mt.load_registry([plugin(formats=[shout])])
    form = requested_format(asked("shout"), "score", registry)
    assert form.declaration is shout
    with pytest.raises(
        mt.UsageError, match="the format shout cannot write the reports of mteval corr"
    ):
        requested_format(asked("shout"), "correlate", registry)
    with pytest.raises(mt.UnknownNameError, match="shuot"):
        requested_format(asked("shuot"), "score", registry)


def test_the_ending_of_the_file_is_the_name_of_a_format(plugin: Callable[..., Any]) -> None:
    shout = mt.FormatSpec("shout", function=lambda report, _: report.title, help="loud")
    registry = mt.load_registry([plugin(formats=[shout])])
    for form, output, name in (
        (None, None, "text"),
        (None, "x.shout", "shout"),
        (None, "x.shuot", "text"),
        (None, "shout", "text"),
        (None, "x.d/y", "text"),
        (None, "a/x.tex", "latex"),
        ("shout", "x.json", "shout"),
        ("json", "x.shout", "json"),
    ):
        assert requested_format(asked(form, output), "score", registry).declaration.name == name


def test_a_format_writes_the_report(plugin: Callable[..., Any]) -> None:
    shout = mt.FormatSpec(
        "shout", function=lambda report, _: report.title.upper(), help="loud", commands=("score",)
    )
    form = requested_format(asked("shout"), "score", mt.load_registry([plugin(formats=[shout])]))
    assert formatted(REPORT, Layout(), form, asked(None)) == "SCORES"


def test_a_format_that_fails_is_named(plugin: Callable[..., Any]) -> None:
    def fail(*_: object) -> str:
        message = "no ink"
        raise RuntimeError(message)

    broken = mt.FormatSpec("broken", function=fail, help="fails", commands=("score",))
    form = requested_format(asked("broken"), "score", mt.load_registry([plugin(formats=[broken])]))
    with pytest.raises(mt.PluginError, match=r"format .*broken.*no ink"):
        formatted(REPORT, Layout(), form, asked(None))
