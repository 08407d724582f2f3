"""Random command lines, mostly of arguments that exist."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import mteval_core as mt
from fuzzing import Target, folder_of
from mteval_core.commands.main import main
from mteval_core.commands.parser import command_parsers

if TYPE_CHECKING:
    import argparse
    import random
    from collections.abc import Iterator
    from pathlib import Path

FILES = {
    "ref": "a b c\nd e\n",
    "ref2": "a b\n\n",
    "sys": "a b d\nd e\n",
    "docs": "x\ny\n",
    "human": "system\tsegment\trater\tscore\nsys\t0\tr\t1\nsys\t1\tr\t2\n",
    "t.tsv": "id\thyp\tref\tdoc\na\tx y\ta b\td\nb\tz\td e\td\n",
    "l.nbest": "0 ||| a b ||| x ||| 1\n0 ||| a c ||| x ||| 0\n1 ||| d e ||| x ||| 0\n",
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
    *("t.tsv::hyp", "t.tsv::3", "t.tsv::ref@id", "t.tsv::hyp[*]", "t.tsv::x", "::", "ref::x"),
    *("0", "1", "2", "20", "-1", "1.5", "95", "1e3", "1_0", "٣", "nan", "9" * 30, "99999999999"),
    *("13a", "none", "lc", "case,nocase", "json", "text", "bootstrap", "holm", "doc", "segment"),
    *("out", "out.csv", "out.json", "/dev/null", "no:bleu-nist", "-x", "--x=y", "\ud800", "é"),
    "WER|nrefs:1|case:mixed|tok:13a|over:reference|stem:none|plugin:mteval-error-rates@0|version:0",
]


POOLS = {
    "references": ["ref", "sys", "t.tsv::ref"],
    "input": ["ref", "sys", "t.tsv::hyp"],
    "lists": ["l.nbest", "sys", "ref", "t.tsv::hyp"],
    "metric": ["wer", "wer", "wer:tok=char"],
    "oracle": ["ref", "t.tsv::ref"],
    "source": ["ref", "t.tsv::ref@id"],
    "docs": ["docs", "t.tsv::doc"],
    "human": ["human"],
    "data": ["t.tsv", "t.tsv::hyp=hyp,ref=ref,id=id", "sgml:ref"],
    "fields": ["hyp=hyp,ref=ref", "id=id", "hyp=2,ref=3,doc=4,id=1", "hyp=hyp,ref=ref,system=doc"],
    "base": ["base.json"],
    "fail_if": ["wer > 1", "WER>0", "wer < -1", "wer > x", "ter > 1"],
    "moved": ["sys=ref", "sys=sys"],
    "scores": ["X=human", "X[lower]=human", "wer=human", "X=t.tsv"],
}
"""What arguments mostly take, by the name of the value."""


UNUSUAL = [("gate", "references")]
"""Arguments of commands that mostly have no value."""


@cache
def base() -> bytes:
    """Write a report of a system."""
    with folder_of(FILES) as folder:
        called(["score", "ref", "-i", "sys", "-m", "wer", "-o", "base.json"], folder)
        return (folder / "base.json").read_bytes()


@cache
def actions() -> dict[str, list[argparse.Action]]:
    """List the arguments of each command."""
    parsers = command_parsers(mt.default_registry())
    return {parser.command: parser._actions for parser in parsers}


def values(action: argparse.Action, draw: random.Random) -> list[str]:
    """Values for a flag or positional: mostly what it takes, sometimes anything."""
    if action.nargs == 0:
        return []
    pool = list(action.choices or ()) if draw.random() < 0.7 else []
    if action.dest == "metrics":
        pool = SPECS
    if action.dest in POOLS and draw.random() < 0.7:
        pool = POOLS[action.dest]
    n = draw.randint(1, 2) if action.nargs in ("+", "*") else 1
    return [draw.choice(pool or VALUES) for _ in range(n)]


def command_line(draw: random.Random) -> list[str]:
    """Draw the arguments of ``mteval``."""
    command = draw.choice(["score", "score", "score", "correlate", "explain", *actions()])
    words = [command]
    flags = [action for action in actions()[command] if action.option_strings]
    for action in actions()[command]:
        is_likely = draw.random() < (0.1 if (command, action.dest) in UNUSUAL else 0.9)
        if not action.option_strings and is_likely:
            words += values(action, draw)
    taking_systems = ("score", "correlate", "explain", "profile", "power", "influence", "gate")
    if command == "mbr":
        words += ["-m", "wer"]
    if command in taking_systems:
        words += ["-i", *draw.choice([["sys"], ["sys", "ref"], ["A=sys", "B=ref2"]])]
        words += ["-m", "wer"] if command != "gate" else []
    for action in draw.sample(flags, min(len(flags), draw.choice([0, 0, 1, 1, 2, 3, 5]))):
        if action.dest != "help":
            words += [draw.choice(action.option_strings), *values(action, draw)]
    if draw.random() < 0.1:
        words.insert(draw.randrange(len(words)), draw.choice(VALUES))
    return words


@contextmanager
def streams(folder: Path) -> Iterator[None]:
    """Give the process an empty standard input, and files in a folder as its other streams."""
    before = sys.stdin, sys.stdout, sys.stderr
    names = (folder / "stdout", folder / "stderr")
    written = [name.open("w", encoding="utf-8", errors="backslashreplace") for name in names]
    sys.stdin, (sys.stdout, sys.stderr) = io.TextIOWrapper(io.BytesIO()), written
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for stream in written:
            stream.close()


def called(words: list[str], folder: Path) -> tuple[int, str, str]:
    """Run a command line in this process; return its exit code, output and messages."""
    with streams(folder.parent):
        code = main(words)
    out, err = ((folder.parent / name).read_text("utf-8") for name in ("stdout", "stderr"))
    return code, out, err


def run(words: list[str]) -> int:
    """A command line ends in a documented exit code and says why, without a traceback."""
    with folder_of({**FILES, "base.json": base()}) as folder:
        code, _, err = called(words, folder)
    assert code in range(5), err
    assert "Traceback" not in err, err
    assert bool(code) <= bool(err) or code == 1, "no message"
    return code


COMMAND_LINES = Target(command_line, run)
