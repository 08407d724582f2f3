"""Files that commands write: their format, what is never overwritten, and whole or not at all."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands import files as written
from mteval_core.commands.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")


@pytest.fixture
def small(files: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files(ref="a b\nc d\n", sys="a b\nc e\n", docs="x\ny\n", human="system\tsegment\tscore\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(*arguments: str) -> int:
    return main(["score", "ref", "-i", "sys", "-m", "wer", *arguments])


# The format


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("x.json", "{"),
        ("x.JSON", "{"),
        ("x.jsonl", '{"system"'),
        ("x.csv", "system,"),
        ("x.tsv", "system\t"),
        ("x.md", "| system"),
        ("x.html", "<!doctype html>"),
        ("x.htm", "<!doctype html>"),
        ("x.txt", "system  "),
        ("x", "system  "),
        ("json", "system  "),
    ],
)
def test_the_ending_chooses_the_format(small: Path, name: str, start: str) -> None:
    assert score("-o", name) == 0
    assert (small / name).read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize(("form", "name"), [("json", "x.txt"), ("json", "x"), ("html", "x.htm")])
def test_f_may_go_to_other_files(small: Path, form: str, name: str) -> None:
    assert score("-f", form, "-o", name) == 0
    assert (small / name).exists()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("form", "name"), [("csv", "x.json"), ("text", "x.csv"), ("json", "x.md")])
def test_f_must_not_contradict_the_ending(
    capsys: pytest.CaptureFixture[str], form: str, name: str
) -> None:
    assert score("-f", form, "-o", name) == 2
    message = f"-f chooses the format {form}, but the ending of -o {name} is that of "
    assert message in capsys.readouterr().err
    assert not Path(name).exists()


@pytest.mark.usefixtures("small")
def test_a_minus_is_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert score("-o", "-", "-f", "json") == 0
    assert json.loads(capsysbinary.readouterr().out)["records"]
    assert not Path("-").exists()


# What is not overwritten


@pytest.mark.parametrize("name", ["ref", "sys", "./ref", "link", "hard"])
def test_an_input_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], small: Path, name: str
) -> None:
    (small / "link").symlink_to("ref")
    (small / "hard").hardlink_to("ref")
    assert score("-o", name) == 2
    assert f"-o {name} would overwrite the input " in capsys.readouterr().err
    assert (small / "ref").read_text() == "a b\nc d\n"


def test_documents_and_judgments_are_inputs(
    capsys: pytest.CaptureFixture[str], small: Path
) -> None:
    assert score("--level", "doc", "--docs", "docs", "-o", "docs") == 2
    command = ["correlate", "ref", "-i", "sys", "--human", "DA=human", "-m", "wer"]
    assert main([*command, "-o", "human"]) == 2
    assert main([*command, "--curve", "--plot", "human"]) == 2
    assert main([*command, "--curve", "--plot", "ref"]) == 2
    assert capsys.readouterr().err.count(": name another file") == 4
    assert (small / "human").read_text() == "system\tsegment\tscore\n"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("absent/x", 3, "-o absent/x: expected the name of a file, in a folder that exists"),
        (".", 3, "-o .: expected the name of a file, in a folder that exists"),
        ("x.json.gz", 2, "-o x.json.gz: mteval writes no compressed files; leave out .gz"),
        ("n" * 300, 3, "File name too long"),
        ("a\0b", 3, "embedded null"),
    ],
)
def test_files_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], name: str, code: int, message: str
) -> None:
    assert score("-o", name) == code
    assert message in capsys.readouterr().err


# Whole or not at all


def test_a_file_keeps_its_permissions(small: Path) -> None:
    path = small / "x.json"
    path.write_text("old")
    path.chmod(0o640)
    assert score("-o", "x.json") == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text() != "old"


def test_a_new_file_has_the_usual_permissions(small: Path) -> None:
    assert score("-o", "x.json") == 0
    (small / "other").touch()
    assert (small / "x.json").stat().st_mode == (small / "other").stat().st_mode


def test_a_link_stays_a_link(small: Path) -> None:
    (small / "target").write_text("old")
    (small / "link").symlink_to("target")
    assert score("-o", "link", "-f", "json") == 0
    assert (small / "link").is_symlink()
    assert (small / "target").read_text().startswith("{")


def test_what_fails_leaves_the_old_file(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small / "x.json"
    path.write_text("old")

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "chmod", fail)
    with pytest.raises(mt.InputError, match="No space left on device"):
        written.write_file(str(path), [b"new"])
    assert path.read_text() == "old"
    assert not [*small.glob(".mteval-*")]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write every file")
def test_a_read_only_file_is_not_replaced(small: Path) -> None:
    path = small / "x.json"
    path.write_text("old")
    path.chmod(0o444)
    assert score("-o", "x.json") == 3
    assert path.read_text() == "old"


def command(*arguments: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "mteval_core",
        "score",
        "ref",
        "-i",
        "sys",
        "-m",
        "wer",
        *arguments,
    ]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_devices_and_pipes_are_written(small: Path) -> None:
    to_pipe = subprocess.run(
        command("-f", "json", "-o", "/dev/stdout"), capture_output=True, check=True, cwd=small
    )
    assert json.loads(to_pipe.stdout)["records"]
    with (small / "out").open("wb") as stream:
        subprocess.run(command("-b", "-o", "/dev/stdout"), stdout=stream, check=True, cwd=small)
    assert (small / "out").read_text() == "25.00\n"
    fifo = small / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
        subprocess.run(command("-b", "-o", str(fifo)), check=True, cwd=small)
        assert reader.communicate()[0] == b"25.00\n"
    assert fifo.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_device(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score("-o", "/dev/full") == 3
    assert "/dev/full: No space left on device" in capsys.readouterr().err
    assert small.exists()
