"""``replay --file`` says where the files are that a signature names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("mteval_error_rates", reason="the plugin error_rates is not installed")

PLUGIN = """
import mteval_core as mt

def at(path):
    with open(path) as stream:
        mark = stream.read()
    return lambda text: [token for token in text.split(mark) if token]

class Listed:
    def __init__(self, words, device):
        if device == "gpu":
            with open("gpu"):
                pass
        with open(words) as stream:
            self.words = stream.read().split()

    def segment_statistics(self, hypothesis, references):
        return [len([token for token in hypothesis if token in self.words])]

@mt.hookimpl
def mteval_register_metrics():
    words = mt.Option("words", "", file=True)
    device = mt.Option("device", "cpu", choices=("cpu", "gpu"), signed=False)
    return mt.MetricSpec("listed", factory=Listed, values={"n": 1}, options=(words, device))

def without(path):
    with open(path) as stream:
        mark = stream.read()
    return lambda text: text.replace(mark, "")

@mt.hookimpl
def mteval_register_normalizers():
    option = mt.Option("file", "", file=True)
    return [mt.NormalizerSpec("at", key="hide", stage="text", function=without, option=option)]

@mt.hookimpl
def mteval_register_tokenizers():
    return [mt.TokenizerSpec("at", function=at, option=mt.Option("file", "", file=True))]
"""


@pytest.fixture
def run(
    files: Callable[..., list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str, str]]:
    files(**{"at.py": PLUGIN, "mark+1": "-", "ref": "a-b c-d\n", "sys": "a-b c-x\n"})
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["-p", "at.py", *arguments])
        return (code, *capsys.readouterr())

    return command


@pytest.fixture
def report(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> str:
    """Save a report, move the file that it names, and return the signature."""
    command = ["score", "ref", "-i", "sys", "-m", "wer", "--tok", "at[mark+1]", "-o", "x.json"]
    assert run(*command)[0] == 0
    (record,) = json.loads((tmp_path / "x.json").read_text("utf-8"))["records"]
    assert record["score"] == pytest.approx(100 / 3)
    (tmp_path / "mark+1").rename(tmp_path / "moved")
    return str(record["signature"])


def test_a_moved_file_is_named(run: Callable[..., tuple[int, str, str]], report: str) -> None:
    for what in ([report, "ref", "-i", "sys"], ["x.json"]):
        code, _, err = run("replay", *what)
        assert code == 3
        assert "mark+1: no such file; say where the file is that is signed mark+1@" in err
        code, out, err = run("replay", *what, "--file", "mark+1=moved")
        assert (code, err) == (0, "")
        assert "33.33" in out or "1 of 1 records pass" in out


def test_a_report_knows_where_its_files_are(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    for folder, mark in (("marks", "-"), ("lists", "a-b c-x")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text(mark, "utf-8")
    for options, folder in (
        (("-m", "wer:tok=at[marks/file]"), "marks"),
        (("-m", "wer", "--tok", "at[marks/file]"), "marks"),
        (("-m", "wer:hide=at[marks/file]"), "marks"),
        (("-m", "listed:words=lists/file"), "lists"),
    ):
        assert run("score", "ref", "-i", "sys", *options, "-o", "x.json")[0] == 0
        saved = json.loads((tmp_path / "x.json").read_text("utf-8"))
        assert saved["inputs"]["files"] == {"file": f"{folder}/file"}
        assert run("replay", "x.json")[::2] == (0, "")
        (tmp_path / folder / "file").rename(tmp_path / "file")
        code, _, err = run("replay", saved["records"][0]["signature"], "ref", "-i", "sys")
        assert (code, err) == (0, "")  # the signature names a file here
        (tmp_path / "file").rename(tmp_path / "moved")
        assert "file: no such file" in run("replay", "x.json")[2]
        assert run("replay", "x.json", "--file", "file=moved")[::2] == (0, "")
        (tmp_path / "moved").rename(tmp_path / folder / "file")


def test_another_machine_may_have_neither_the_path_nor_the_device(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    for name, text in (("words", "a-b c-x"), ("gpu", "")):
        (tmp_path / name).write_text(text, "utf-8")
    spec = "listed:words=words,device=gpu"
    assert run("score", "ref", "-i", "sys", "-m", spec, "-o", "x.json")[0] == 0
    (record,) = json.loads((tmp_path / "x.json").read_text("utf-8"))["records"]
    assert record["score"] == 2
    (tmp_path / "gpu").unlink()
    (tmp_path / "words").rename(tmp_path / "moved")
    for what in ([f"{record['signature']} = 2.00", "ref", "-i", "sys"], ["x.json"]):
        assert "words: no such file; say where" in run("replay", *what)[2]
        assert run("replay", *what, "--file", "words=moved")[::2] == (0, "")
    (tmp_path / "moved").write_text("a-b", "utf-8")
    code, _, err = run("replay", "x.json", "--file", "words=moved")
    assert (code, "signature was made with" in err) == (3, True)


def test_another_file_is_refused(
    run: Callable[..., tuple[int, str, str]], report: str, tmp_path: Path
) -> None:
    (tmp_path / "moved").write_text(" ", "utf-8")
    code, _, err = run("replay", report, "ref", "-i", "sys", "--file", "mark+1=moved")
    assert (code, "signature was made with" in err) == (3, True)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("mark+1", "expected NAME=PATH"),
        ("=moved", "expected NAME=PATH"),
        ("other=moved", "the signature names no file 'other'"),
    ],
)
def test_a_file_without_effect_is_refused(
    run: Callable[..., tuple[int, str, str]], report: str, value: str, message: str
) -> None:
    code, _, err = run("replay", report, "ref", "-i", "sys", "--file", value)
    assert (code, message in err) == (2, True)
