"""Names of systems and tables, and options of all metrics, as the arguments state them."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.arguments import Options
from mteval_core.commands.files import files_of
from mteval_core.commands.main import main
from mteval_core.commands.requests import ScoreRequest
from mteval_core.commands.session import Session
from mteval_core.commands.texts import SystemInput, systems_by_name
from mteval_core.data.addresses import Address
from mteval_core.data.reading import Files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Parsed = Callable[..., Options]


def named(*inputs: str) -> dict[str, list[str]]:
    """Name systems: the addresses of their runs, as text."""
    found = systems_by_name(list(map(SystemInput.parse, inputs)))
    return {name: list(map(str, addresses)) for name, addresses in found.items()}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("systems/best.txt", ["best"]),
        ("best.txt.gz", ["best"]),
        ("best.en.xz", ["best.en"]),
        ("best", ["best"]),
        ("-", ["stdin"]),
        ("systems/best.jsonl.zst::hyp", ["best", "hyp"]),
        ("wmt.xml::system.A", ["wmt", "A"]),
    ],
)
def test_a_file_names_its_system(text: str, names: list[str]) -> None:
    assert SystemInput.parse(text).names == [*names, text]
    assert SystemInput.parse(f"X={text}").names == ["X"]


def test_pipes_and_devices_in_a_folder_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.txt")
    assert files_of(str(tmp_path)) == [str(tmp_path / "a.txt")]


def test_a_folder_stands_for_its_files(parsed: Parsed, tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "inner/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a\n", encoding="utf-8")
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    options = parsed("score", str(tmp_path), "-i", str(tmp_path), "d.txt")
    assert list(map(str, options.references)) == files
    assert list(map(str, options.input)) == [*files, "d.txt"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(mt.UsageError, match="empty: the folder has no files"):
        parsed("score", "ref", "-i", str(tmp_path / "empty"))


def test_a_system_may_be_named_and_have_several_runs() -> None:
    assert named("A=one.txt", "B=two.txt,three.txt", "four.txt") == {
        "A": ["one.txt"],
        "B": ["two.txt", "three.txt"],
        "four": ["four.txt"],
    }


def test_files_of_one_name_keep_their_directories() -> None:
    assert list(named("x/out.txt", "y/out.txt", "z/best.txt")) == ["x/out.txt", "y/out.txt", "best"]


def test_columns_of_one_file_are_named_after_their_fields() -> None:
    assert list(named("x.tsv::A", "x.tsv::B", "y.tsv::B")) == ["A", "x.tsv::B", "y"]


def test_an_unnamed_system_gives_way_to_a_named_one() -> None:
    assert list(named("A=x.txt", "A.txt")) == ["A", "A.txt"]


@pytest.mark.parametrize("inputs", [["A=x.txt", "A=y.txt"], ["A", "A"]])
def test_systems_of_one_name_are_refused(inputs: list[str]) -> None:
    with pytest.raises(mt.UsageError, match="two systems are called 'A': name them, NAME=PATH"):
        named(*inputs)


def test_a_file_that_exists_keeps_its_equals_sign_and_commas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.txt", "c,d.txt"):
        (tmp_path / name).write_text("x\n")
    assert named("a=b.txt") == {"a=b": ["a=b.txt"]}
    assert named("S=c,d.txt") == {"S": ["c,d.txt"]}


@pytest.fixture
def session() -> Session:
    return Session("score", Options({"input": []}), mt.default_registry(), {})


def test_standard_input_is_read_once(session: Session) -> None:
    session.check_stdin(["-", "ref.txt"])
    with pytest.raises(mt.UsageError, match=r"standard input \(-\)"):
        session.check_stdin(["-", "ref.txt", "-"])


def test_a_closed_standard_input_is_not_announced(
    session: Session, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = io.StringIO()
    stream.close()
    for stdin in (None, stream):
        monkeypatch.setattr(sys, "stdin", stdin)
        session.check_stdin(["-"])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "instead"),
    [(["score", "ref"], "name the systems after -i"), (["tokenize"], "name a file")],
)
def test_standard_input_that_is_empty_or_a_terminal_is_answered_with_what_else_to_type(
    files: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    instead: str,
) -> None:
    (path,) = files(ref="a\n")
    stdin = io.TextIOWrapper(io.BytesIO(b""))
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main([path if word == "ref" else word for word in words]) == 3
    reading, error = capsys.readouterr().err.splitlines()
    assert reading.endswith(f"; end it with Ctrl-D, or {instead}")
    assert error.endswith(f": the file is empty; expected one segment per line, or {instead}")


def test_texts_remember_their_paths(files: Callable[..., list[str]]) -> None:
    (path,) = files(ref="a\nb\n")
    text = Files(mt.default_registry()).text(Address(path))
    assert (list(text), text.path) == (["a", "b"], path)


def test_a_reader_of_a_plugin_may_return_strings(
    plugin: Callable[..., Any], files: Callable[..., list[str]]
) -> None:
    reader = mt.ReaderSpec(
        "shout", patterns=("*.shout",), function=lambda path: [path[-5:], "B"], help="loud lines"
    )
    registry = mt.load_registry([plugin(readers=[reader])])
    (path,) = files(**{"a.shout": ""})
    text = Files(registry).text(Address(path))
    assert (list(text), text.path) == (["shout", "B"], path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], {}),
        (["--tok", "none", "--jackknife"], {"tok": "none", "loo": "yes"}),
        (["-lc", "--stem", "porter"], {"case": "lc", "stem": "porter"}),
    ],
)
def test_options_for_all_metrics_are_those_that_are_set(
    parsed: Parsed, words: list[str], expected: dict[str, str]
) -> None:
    request = ScoreRequest("score", parsed("score", "ref", *words), Files(mt.default_registry()))
    assert request.defaults == expected


def test_metrics_take_the_options_for_all_that_their_specs_do_not_set(
    parsed: Parsed, registry: mt.Registry
) -> None:
    options = parsed("score", "ref", "-m", "matches", "matches:tok=13a", "--tok", "none")
    scorers = ScoreRequest("score", options, Files(registry)).metrics()
    assert [scorer.setup.fields["tok"] for scorer in scorers] == [("none",), ("13a",)]
