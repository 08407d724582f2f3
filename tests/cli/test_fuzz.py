"""Random command lines: every one ends in a documented exit code, and none in a traceback."""

from __future__ import annotations

import random
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from mteval_core.cli.main import COMMANDS, main
from mteval_core.cli.parser import CommandParser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")

N_COMMANDS = 300

FILES = {
    "ref": "a b c\nd e\n",
    "ref2": "a b\n\n",
    "sys": "a b d\nd e\n",
    "docs": "x\ny\n",
    "human": "system\tsegment\trater\tscore\nsys\t0\tr\t1\nsys\t1\tr\t2\n",
    "blank": "\n\n",
    "binary": b"\x00\xff\x1f",
    "json": '{"records": [], "inputs": {}}\n',
    "x.json": "[" * 40 + "]" * 40,
    "latin": b"\xe9\n\xe9\n",
}

SPECS = [
    "wer",
    "ter",
    "wer:over=hypothesis",
    "per:tok=char",
    "werr",
    "wer:x=1",
    "wer:over=",
    ":",
    "",
]

VALUES = [
    *FILES,
    *(
        "A=sys",
        "A=sys,ref",
        "=",
        "sys=",
        "-",
        "--",
        ".",
        "..",
        "",
        " ",
        "absent",
        "a\0b",
        "n" * 300,
    ),
    *("0", "1", "2", "20", "-1", "1.5", "95", "1e3", "1_0", "٣", "nan", "9" * 30, "99999999999"),
    *("13a", "none", "lc", "case,nocase", "json", "text", "bootstrap", "holm", "doc", "segment"),
    *("out", "out.csv", "out.json", "/dev/null", "no:bleu-nist", "-x", "--x=y", "\ud800", "é"),
    "WER|nrefs:1|case:mixed|tok:13a|over:reference|stem:none|plugin:mteval-error-rates@0|version:0",
]


def actions(command: str) -> list[argparse.Action]:
    parser = CommandParser(prog=f"mteval {command}")
    import_module(f"mteval_core.cli.{command.replace('-', '_')}").add_arguments(parser)
    return parser._actions


ACTIONS = {command: actions(command) for command in COMMANDS}


def values(action: argparse.Action, draw: random.Random) -> list[str]:
    """Values for a flag or positional: mostly what it takes, sometimes anything."""
    if action.nargs == 0:
        return []
    pool = list(action.choices or ()) if draw.random() < 0.7 else []
    if action.dest == "metrics":
        pool = SPECS
    if action.dest in ("references", "input", "docs", "human") and draw.random() < 0.7:
        pool = {"docs": ["docs"], "human": ["human"]}.get(action.dest, ["ref", "sys"])
    n = draw.randint(1, 2) if action.nargs in ("+", "*") else 1
    return [draw.choice(pool or VALUES) for _ in range(n)]


def command_line(draw: random.Random) -> list[str]:
    command = draw.choice(["score", "score", "score", "correlate", *COMMANDS])
    words = [command]
    flags = [action for action in ACTIONS[command] if action.option_strings]
    for action in ACTIONS[command]:
        if not action.option_strings and draw.random() < 0.9:
            words += values(action, draw)
    if command in ("score", "correlate"):
        words += ["-i", *draw.choice([["sys"], ["sys", "ref"], ["A=sys", "B=ref2"]])]
        words += ["-m", "wer"]
    for action in draw.sample(flags, min(len(flags), draw.choice([0, 1, 1, 2, 3, 5]))):
        if action.dest != "help":
            words += [draw.choice(action.option_strings), *values(action, draw)]
    if draw.random() < 0.1:
        words.insert(draw.randrange(len(words)), draw.choice(VALUES))
    return words


def test_random_command_lines(
    files: Callable[..., list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    draw = random.Random(20261122)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MTEVAL_TRACEBACK", raising=False)
    codes = []
    for _ in range(N_COMMANDS):
        files(**FILES)
        words = command_line(draw)
        code = main(words)
        err = capsys.readouterr().err
        assert code in range(5), (words, err)
        assert "Traceback" not in err, words
        assert bool(code) <= bool(err) or code == 1, words
        codes.append(code)
    assert {0, 2, 3} <= set(codes)
    assert codes.count(0) > N_COMMANDS / 10
