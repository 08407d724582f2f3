"""``mteval completion``: names that complete the values of flags, and a real shell that asks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.cli.completion import NAMES, completer
from mteval_core.cli.main import main
from mteval_core.cli.parser import command_parsers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    ("argument", "prefix", "expected"),
    [
        ("metrics", "m", ["matches"]),
        ("metrics", "a", ["all"]),
        ("metrics", "matches:", ["matches:bonus=", "matches:tok=", "matches:form="]),
        ("metrics", "matches:form=a,b", ["matches:form=a,bonus="]),
        ("metrics", "matches:form=lo", ["matches:form=long"]),
        ("metrics", "matches:tok=13", ["matches:tok=13a"]),
        ("metrics", "nothing:", []),
        ("tok", "13", ["13a"]),
        ("tok", "com", ["commas["]),
        ("lang", "x", ["xx"]),
        ("case", "", ["mixed", "ascii", "lc"]),
        ("stem", "p", ["porter"]),
        ("format", "la", ["latex"]),
        ("resampler", "p", ["poisson"]),
        ("what", "tok", ["tokenizers"]),
        ("what", "case=l", ["case=lc"]),
    ],
)
def test_names_complete_values(
    argument: str,
    prefix: str,
    expected: list[str],
    plugin: Callable[..., Any],
    matches: mt.MetricSpec,
    monkeypatch: pytest.MonkeyPatch,
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
    monkeypatch.setattr("mteval_core.plugin.loading.default_registry", lambda: registry)
    assert completer(NAMES[argument])(prefix) == expected


def test_all_completed_arguments_exist() -> None:
    actions = [action for parser in command_parsers() for action in parser._actions]
    assert NAMES.keys() <= {action.dest for action in actions}


def test_without_argcomplete_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    assert main(["completion", "zsh"]) == 2
    assert "pip install 'mteval-core[completion]'" in capsys.readouterr().err


def test_bash_completes_a_line(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    pytest.importorskip("argcomplete")
    if not shutil.which("bash"):
        pytest.skip("there is no bash")
    assert main(["completion", "fish"]) == 0
    assert b"complete " in capsysbinary.readouterr().out
    assert main(["completion", "bash"]) == 0
    script = capsysbinary.readouterr().out.decode()
    command = tmp_path / "mteval"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mteval_core "$@"\n')
    command.chmod(0o755)
    line = "mteval score ref.txt -i sys.txt --tok 13"
    ask = f'COMP_LINE="{line}" COMP_POINT={len(line)}; _python_argcomplete mteval'
    done = subprocess.run(
        ["bash", "-c", f'{script}\n{ask}\ncompgen -W "${{COMPREPLY[*]}}"'],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.stdout.split() == ["13a"], done.stderr
