"""Names of systems and tables, and options of all metrics, as the arguments state them."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.commands.inputs import (
    check_stdin,
    check_text_sets,
    named_inputs,
    named_tables,
    read,
    requested_metrics,
    system_names,
    text_options,
)
from mteval_core.commands.main import build_parser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def arguments(**values: Any) -> Namespace:
    absent = dict.fromkeys(
        ("tok", "case", "stem", "jackknife", "sets", "docs", "metrics", "empty_refs")
    )
    return Namespace(**{**absent, "from_file": frozenset(), **values})


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("systems/best.txt", "best"),
        ("best.txt.gz", "best"),
        ("best.en.xz", "best.en"),
        ("best", "best"),
        ("-", "stdin"),
        ("systems/best.jsonl.zst::hyp", "best,hyp"),
        ("wmt.xml::system.A", "wmt,A"),
    ],
)
def test_a_file_names_its_system(path: str, name: str) -> None:
    assert ",".join(system_names(path)) == name


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "inner/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a\n", encoding="utf-8")
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    given = build_parser().parse_args(["score", str(tmp_path), "-i", str(tmp_path), "d.txt"])
    assert given.references == files
    assert given.input == [*files, "d.txt"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(mt.UsageError, match="empty: the folder has no files"):
        build_parser().parse_args(["score", "ref", "-i", str(tmp_path / "empty")])


def test_a_system_may_be_named_and_have_several_runs() -> None:
    inputs = ["A=one.txt", "B=two.txt,three.txt", "four.txt"]
    assert named_inputs(inputs) == {
        "A": ["one.txt"],
        "B": ["two.txt", "three.txt"],
        "four": ["four.txt"],
    }


def test_files_of_one_name_keep_their_directories() -> None:
    inputs = ["x/out.txt", "y/out.txt", "z/best.txt"]
    assert list(named_inputs(inputs)) == ["x/out.txt", "y/out.txt", "best"]


def test_columns_of_one_file_are_named_after_their_fields() -> None:
    assert list(named_inputs(["x.tsv::A", "x.tsv::B", "y.tsv::B"])) == ["A", "x.tsv::B", "y"]


def test_an_unnamed_system_gives_way_to_a_named_one() -> None:
    assert list(named_inputs(["A=x.txt", "A.txt"])) == ["A", "A.txt"]


@pytest.mark.parametrize("inputs", [["A=x.txt", "A=y.txt"], ["A", "A"]])
def test_systems_of_one_name_are_refused(inputs: list[str]) -> None:
    with pytest.raises(mt.UsageError, match="two systems are called 'A': name them, NAME=PATH"):
        named_inputs(inputs)


def test_a_file_that_exists_keeps_its_equals_sign_and_commas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.txt", "c,d.txt"):
        (tmp_path / name).write_text("x\n")
    assert named_inputs(["a=b.txt"]) == {"a=b": ["a=b.txt"]}
    assert named_inputs(["S=c,d.txt"]) == {"S": ["c,d.txt"]}
    assert named_tables(["a=b.txt", "DA=ratings.tsv", "plain.tsv", "=x"]) == [
        ("", "a=b.txt"),
        ("DA", "ratings.tsv"),
        ("", "plain.tsv"),
        ("", "=x"),
    ]


def test_standard_input_is_read_once() -> None:
    check_stdin(["-", "ref.txt", None])
    with pytest.raises(mt.UsageError, match=r"standard input \(-\) can be only one of the files"):
        check_stdin(["-", "ref.txt", "-"])


def test_a_closed_standard_input_is_not_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = io.StringIO()
    stream.close()
    for stdin in (None, stream):
        monkeypatch.setattr(sys, "stdin", stdin)
        check_stdin(["-"])
    assert capsys.readouterr().err == ""


def test_texts_remember_their_paths(files: Callable[..., list[str]]) -> None:
    (path,) = files(ref="a\nb\n")
    text = read(path, mt.default_registry())
    assert (list(text), text.path) == (["a", "b"], path)


def test_a_reader_of_a_plugin_may_return_strings(
    plugin: Callable[..., Any], files: Callable[..., list[str]]
) -> None:
    reader = mt.ReaderSpec(
        "shout", patterns=("*.shout",), function=lambda path: [path[-5:], "B"], help="loud lines"
    )
    registry = mt.load_registry([plugin(readers=[reader])])
    (path,) = files(**{"a.shout": ""})
    text = read(path, registry)
    assert (list(text), text.path) == (["shout", "B"], path)


def test_options_for_all_metrics_are_those_that_are_set() -> None:
    assert text_options(arguments()) == {}
    assert text_options(arguments(tok="none", jackknife=True)) == {"tok": "none", "loo": "yes"}
    assert text_options(arguments(case="lc", stem="porter", jackknife=False)) == {
        "case": "lc",
        "stem": "porter",
    }


def test_metrics_take_the_options_for_all_that_their_specs_do_not_set(
    registry: mt.Registry,
) -> None:
    asked = arguments(metrics=["matches", "matches:tok=13a"], tok="none")
    scorers = requested_metrics(asked, registry, text_options(asked))
    assert [scorer.setup.fields["tok"] for scorer in scorers] == [("none",), ("13a",)]


@pytest.mark.parametrize("option", [{"case": "lc"}, {"stem": "porter"}])
def test_sets_of_texts_choose_case_and_stemmer(option: dict[str, str]) -> None:
    check_text_sets(arguments(**option))
    check_text_sets(arguments(sets="case,nocase"))
    with pytest.raises(mt.UsageError, match="leave out --case and --stem"):
        check_text_sets(arguments(sets="case,nocase", **option))
