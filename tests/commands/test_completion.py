"""``mteval completion``: names that complete the values of flags, and real shells that ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.completion import completer, completions
from mteval_core.commands.main import main
from mteval_core.commands.parser import command_parsers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("names", "prefix", "expected"),
    [
        ("metrics", "m", ["matches"]),
        ("metrics", "a", ["all"]),
        ("metrics", "matches:", ["matches:bonus=", "matches:tok=", "matches:form="]),
        ("metrics", "matches:form=a,b", ["matches:form=a,bonus="]),
        ("metrics", "matches:form=lo", ["matches:form=long"]),
        ("metrics", "matches:tok=13", ["matches:tok=13a"]),
        ("metrics", "nothing:", []),
        ("tokenizers", "13", ["13a"]),
        ("tokenizers", "com", ["commas["]),
        ("languages", "x", ["xx"]),
        ("case", "", ["mixed", "ascii", "lc"]),
        ("stem", "p", ["porter"]),
        ("formats", "ma", ["markdown"]),
        ("resamplers", "p", ["poisson"]),
        ("names", "tokenizer", ["tokenizers"]),
        ("names", "case=l", ["case=lc"]),
    ],
)
def test_names_complete_values(
    names: str,
    prefix: str,
    expected: list[str],
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
) -> None:
    options = (
        *matches.options,
        mt.Option("tok", "13a"),
        mt.Option("form", "a", choices=("a", "long")),
    )
    split = mt.TokenizerSpec(
        "commas", function=str.split, option=mt.Option("by", ","), languages=("xx",)
    )
    declared = mt.MetricSpec("matches", factory=matches.factory, values={"P": 1}, options=options)
    registry = mt.load_registry([plugin(metrics=[declared], tokenizers=[split])])
    assert completer(names, registry)(prefix) == expected


def test_every_completed_argument_has_names() -> None:
    registry = mt.default_registry()
    parsers = command_parsers(registry)
    completed = {
        (parser.command, name): declared.names
        for parser in parsers
        for name, declared in parser.declared.items()
        if declared.names
    }
    assert completed["score", "tok"] == completed["tokenize", "tok"] == "tokenizers"
    assert completed["mbr", "metric"] == completed["score", "metrics"] == "metrics"
    for place, names in completed.items():
        assert len(list(completions(names, registry))) > 1, place


def test_without_argcomplete_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    assert main(["completion", "zsh"]) == 2
    assert "pip install 'mteval-core[completion]'" in capsys.readouterr().err


SHELLS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}

TYPED = "mteval score re\t-m bleu:smoo\t\x01echo \x05> typed; exit\n"
"""With the tab key, and those for the start and the end of the line, which is written to a file."""


@pytest.fixture
def folder(
    shell: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> Path:
    """A folder with the script for a shell, a reference and the command."""
    pytest.importorskip("argcomplete")
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert main(["completion", shell]) == 0
    (tmp_path / "script").write_bytes(capsysbinary.readouterr().out)
    (tmp_path / "ref.txt").touch()
    command = tmp_path / "mteval"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mteval_core "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VISUAL", "emacs")  # zsh takes the keys of this editor
    return tmp_path


@pytest.mark.parametrize("shell", SHELLS)
def test_the_tab_key_completes_files_and_names(shell: str, folder: Path) -> None:
    pty = pytest.importorskip("pty")
    keyboard, terminal = pty.openpty()
    with subprocess.Popen(
        SHELLS[shell], cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal
    ) as process:
        os.write(keyboard, f". ./script\n{TYPED}".encode())
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
            screen = os.read(keyboard, 100_000)
            os.close(keyboard)
            os.close(terminal)
    typed = (folder / "typed").read_text()
    assert typed.split() == ["mteval", "score", "ref.txt", "-m", "bleu:smooth="], screen


@pytest.mark.parametrize("shell", ["fish"])
def test_fish_completes_files_and_names(shell: str, folder: Path) -> None:
    lines = "complete -C 'mteval score re'; complete -C 'mteval score ref.txt -m bleu:smoo'"
    done = subprocess.run(
        [shell, "--no-config", "-c", f". ./script; {lines}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["ref.txt", "bleu:smooth="], done.stderr
