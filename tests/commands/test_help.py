"""What the program says of itself: the first screen, help in two lengths, answers to mistakes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands import main as cli
from mteval_core.commands.parser import CommandParser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENTRIES = mt.default_registry().of_kind(mt.CommandSpec)
each_command = pytest.mark.parametrize(
    "entry", ENTRIES, ids=[entry.declaration.name for entry in ENTRIES]
)


@pytest.fixture
def told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run the command line on 80 columns; return the exit code and both outputs."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words: str | Path) -> tuple[int, str, str]:
        try:
            code = cli.main(list(map(str, words)))
        except SystemExit as done:
            code = int(done.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.mark.parametrize("words", [(), ("-h",), ("--help",)])
def test_the_first_screen_has_25_lines_and_every_command(
    told: Callable[..., Any], words: tuple[str, ...]
) -> None:
    code, out, err = told(*words)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 25
    assert max(map(len, out.splitlines())) <= 80
    assert {entry.declaration.name for entry in ENTRIES} <= {*out.split()}
    assert out.index("mteval score REF") < out.index("explain") < out.index("mteval COMMAND -h")


def test_flags_before_the_command_are_on_the_first_screen(told: Callable[..., Any]) -> None:
    actions = cli.preceding_parser(commands=False)._actions
    flags = [action.option_strings[-1] for action in actions]
    shown = {*re.findall(r"--?[a-z][a-z-]*", told()[1])}
    assert {*flags} <= {*shown, "--help"}


@each_command
def test_short_help_has_30_lines(told: Callable[..., Any], entry: Any) -> None:
    name = entry.declaration.name
    code, short, err = told(name, "-h")
    assert (code, err) == (0, "")
    assert short.startswith(f"usage: mteval {name}")
    assert len(short.splitlines()) <= 32
    assert max(map(len, short.splitlines())) <= 80


@each_command
def test_short_help_is_a_part_of_the_whole(told: Callable[..., Any], entry: Any) -> None:
    name = entry.declaration.name
    _, short, _ = told(name, "-h")
    code, whole, _ = told(name, "--help")
    flags = {*re.findall(r"^(--?[a-z][a-z-]*)", short, re.MULTILINE)}
    assert code == 0
    assert flags <= {*re.findall(r"(?<![\w-])--?[a-z][a-z-]*", whole)}
    parser = CommandParser(entry)
    spelled = {flag for action in parser._actions for flag in action.option_strings}
    assert spelled <= {*re.findall(r"(?<![\w-])--?[A-Za-z][A-Za-z-]*", whole)}


def test_score_explains_what_most_people_need(told: Callable[..., Any]) -> None:
    _, short, _ = told("score", "-h")
    for flag in ("-i", "-m", "-ci", "-pbs", "--lang", "-o"):
        assert f"\n{flag} " in short
    assert "--resampler" not in short
    assert short.endswith("All flags: mteval score --help\n")
    assert len(short.splitlines()) <= 30


def test_a_command_of_an_outsider_chooses_its_basic_arguments(
    plugin: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    def add_arguments(arguments: Any) -> None:
        arguments.add("text", metavar="FILE", help="the text; more of it")
        arguments.add("--often", metavar="N", help="how often (default: 1)")
        arguments.add("--rare", help="seldom needed")
        arguments.basic("text --often")

    command = mt.CommandSpec("own", arguments=add_arguments, run=print, help="do it", group="own")
    registry = mt.load_registry([plugin(commands=[command])])
    with pytest.raises(SystemExit):
        cli.main(["own", "-h"], registry)
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if line] == [
        "usage: mteval own FILE [flags]",
        "Do it.",
        "FILE the text",
        "--often N how often",
        "All flags: mteval own --help",
    ]
    with pytest.raises(SystemExit):
        cli.main(["own", "--help"], registry)
    assert "seldom needed" in capsys.readouterr().out


def test_arguments_that_cannot_be_declared_are_an_error_of_the_plugin(
    plugin: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    command = mt.CommandSpec(
        "own", arguments=lambda arguments: arguments.basic("--absent"), run=print, help="do it"
    )
    assert cli.main(["own", "-h"], mt.load_registry([plugin(commands=[command])])) == 4
    assert "command 'own' of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["scor"], "unknown command 'scor'. Did you mean 'score'"),
        (["score", "ref.txt", "--metrcs", "bleu"], "Did you mean --metrics"),
        (["score", "ref.txt", "-i", "ref.txt", "-m", "blue"], "Did you mean 'bleu'"),
        (["score", "ref.tx", "-i", "ref.txt"], "ref.tx: no such file. Did you mean 'ref.txt'?"),
        (["score", "ref.txt", "-i", "nowhere/x"], "nowhere/x: no such file\n"),
        (["score", "bleu", "-i", "ref.txt"], "bleu: no such file; metrics follow -m: type -m bleu"),
        (["score", "chrf++", "-i", "ref.txt"], "type -m chrf++"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(
    told: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    answer: str,
) -> None:
    (tmp_path / "ref.txt").write_text("the cat sat on the mat\n")
    monkeypatch.chdir(tmp_path)
    code, out, err = told(*words)
    assert (code in (2, 3), out) == (True, "")
    assert answer in err
