"""The command line as a process: exit codes, and one line for every error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands import main as cli
from mteval_core.commands import plugins

if TYPE_CHECKING:
    from collections.abc import Callable

WAYS = pytest.mark.parametrize("script", [False, True], ids=["-m", "script"])


@WAYS
def test_version(mteval: Callable[..., Any], *, script: bool) -> None:
    done = mteval("--version", script=script)
    assert (done.code, done.out, done.err) == (0, f"mteval {mt.__version__}\n", "")


@WAYS
def test_help(mteval: Callable[..., Any], *, script: bool) -> None:
    done = mteval("--help", script=script)
    assert (done.code, done.err) == (0, "")
    assert "\n  mteval score REF" in done.out


@pytest.mark.parametrize(
    "command", [entry.declaration.name for entry in mt.default_registry().of_kind(mt.CommandSpec)]
)
def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main([command, "--help"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: mteval {command} ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scor"], "unknown command 'scor'. Did you mean 'score'"),
        (
            ["--max-bytes", "0", "list"],
            "argument --max-bytes: expected a number of bytes, 1 or more, got '0'",
        ),
        (["score"], "no references: write mteval score REF... -i SYS... -m METRIC..."),
        (["score", "ref", "--lvel", "doc"], "unknown flag --lvel. Did you mean --level or"),
        (["score", "ref", "--level", "doc", "-i", "x"], "documents need --docs FILE, with the"),
        (["score", "ref", "--level", "word"], "argument --level: invalid choice: 'word'"),
        (
            ["score", "ref", "-w", "-1"],
            "argument -w/--width/--digits: expected a number of decimals, from 0 to 20, got '-1'. "
            "See 'mteval score --help'.",
        ),
        (
            ["replay", "B|a:b", "ref", "-w", "two"],
            "argument -w/--width/--digits: expected a number of decimals, from 0 to 20, got 'two'. "
            "See 'mteval replay --help'.",
        ),
        (["score", "-", "-i", "-"], "standard input (-) can be only one of the files"),
        (["score", "-"], "standard input (-) can be only one of the files"),
        (["replay", "B|a:b", "-"], "standard input (-) can be only one of the files"),
        (["replay", "B|a:b"], "a signature needs reference files and one system"),
        (["score", "r", "-i", "A=x", "A=y"], "two systems are called 'A': name them, NAME=PATH"),
        (["score", "r", "-i", "x", "x"], "two systems are called 'x': name them, NAME=PATH"),
        (["-p", "bleu", "list"], "-p bleu: expected no:NAME"),
        (["-p", "no:host", "list"], "-p no:host: unknown plugin 'host'."),
        (["list", "metric"], "no kind or name 'metric'. Did you mean 'metrics'"),
        (["score", "r", "-f", "jsn"], "unknown format 'jsn'. Did you mean 'json' or 'jsonl'?"),
    ],
)
def test_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"mteval: error: {message}")
    assert err.count("\n") == 1


def test_a_usage_error_as_a_process(mteval: Callable[..., Any]) -> None:
    done = mteval("scor")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mteval: error: unknown command 'scor'. Did you mean 'score'")


def test_a_file_in_the_place_of_the_command_is_answered_with_a_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "ref.txt"
    path.touch()
    assert cli.main([str(path), "-i", "sys"]) == 2
    err = capsys.readouterr().err
    assert err == f"mteval: error: {path} is a file, not a command: mteval score REF... -i SYS...\n"


# Unexpected errors


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(_: Any) -> int:
        raise error

    monkeypatch.setattr(plugins, "run", fail)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (
            ZeroDivisionError("division by zero"),
            5,
            "mteval: internal error: ZeroDivisionError: division by zero "
            "(MTEVAL_TRACEBACK=1 shows where)\n",
        ),
        (
            RuntimeError("two\nlines"),
            5,
            "mteval: internal error: RuntimeError: two lines (MTEVAL_TRACEBACK=1 shows where)\n",
        ),
        (mt.MtevalError("odd"), 5, "mteval: error: odd\n"),
        (mt.UsageError("odd"), 2, "mteval: error: odd\n"),
        (mt.InputError("odd"), 3, "mteval: error: odd\n"),
        (mt.PluginError("odd"), 4, "mteval: error: odd\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_are_one_line_and_an_exit_code(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    message: str,
) -> None:
    failing(monkeypatch, error)
    monkeypatch.delenv("MTEVAL_TRACEBACK", raising=False)
    assert cli.main(["plugins"]) == code
    assert capsys.readouterr() == ("", message)


@pytest.mark.parametrize("error", [ZeroDivisionError("x"), mt.PluginError("x")])
def test_a_traceback_is_shown_on_request(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    failing(monkeypatch, error)
    monkeypatch.setenv("MTEVAL_TRACEBACK", "1")
    with pytest.raises(type(error)):
        cli.main(["plugins"])


def test_an_internal_error_as_a_process() -> None:
    code = """if True:
        import sys
        from mteval_core.commands import main, plugins
        plugins.run = lambda arguments: 1 / 0
        sys.exit(main.main(["plugins"]))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == (
        "mteval: internal error: ZeroDivisionError: division by zero "
        "(MTEVAL_TRACEBACK=1 shows where)\n"
    )


# Output that cannot be written


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mteval_core", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "mteval: error: cannot write: No space left on device\n"


def with_streams(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = f'exec {sys.executable} -m mteval_core "$@" {redirection}'
    return subprocess.run(
        ["/bin/sh", "-c", command, "sh", *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"], ["--version"], ["list"]])
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")],
)
def test_output_that_cannot_be_written(arguments: list[str], redirection: str, reason: str) -> None:
    done = with_streams(redirection, *arguments)
    assert (done.returncode, done.stderr) == (3, f"mteval: error: cannot write: {reason}\n")


def test_a_closed_standard_error_does_not_move_messages_to_the_output() -> None:
    done = with_streams("2>&-", "scor")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_with_a_closed_output_files_can_still_be_written(
    files: Callable[..., list[str]], tmp_path: Path
) -> None:
    pytest.importorskip("mteval_error_rates")
    reference, system = files(ref="a b\n", sys="a c\n")
    out = str(tmp_path / "x.txt")
    done = with_streams(">&-", "score", reference, "-i", system, "-m", "wer", "-b", "-o", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(out).read_text() == "50.00\n"


def test_an_unknown_choice_of_kernels(mteval: Callable[..., Any], mini: Path) -> None:
    pytest.importorskip("mteval_error_rates")
    command = ["score", mini / "ref0.txt", "-i", mini / "ref1.txt", "-m", "wer"]
    done = mteval(*command, env={"MTEVAL_KERNELS": "x"})
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("mteval: error: MTEVAL_KERNELS is 'x'; expected ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("command", [["list"], ["check", "wer", "--all"]])
def test_a_reader_that_goes_away(command: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "mteval_core", *command],
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_plugins_are_not_looked_for_in_the_working_folder(tmp_path: Path) -> None:
    info = tmp_path / "x-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: x\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[mteval]\nx = x_of_a_stranger\n")
    (tmp_path / "x_of_a_stranger.py").write_text("print('CODE OF A STRANGER', flush=True)\n")
    command = [sys.executable, "-m", "mteval_core", "plugins"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "mteval-core" in done.stdout
    assert "STRANGER" not in done.stdout + done.stderr


def test_a_bound_ends_with_its_command(
    mini: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MTEVAL_MAX_LINE", "1000000")
    score = ["score", str(mini / "ref0.txt"), "-i", str(mini / "systems" / "deep.txt"), "-q"]
    assert cli.main(["--max-bytes", "10", *score]) == 3
    assert "ref0.txt: a line with more than 10 bytes" in capsys.readouterr().err
    assert os.environ["MTEVAL_MAX_LINE"] == "1000000"
    assert "MTEVAL_MAX_BYTES" not in os.environ
    assert cli.main(score) == 0
