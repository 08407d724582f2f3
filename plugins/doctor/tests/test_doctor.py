"""``mteval doctor`` examines texts, and its exit code says whether something is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import run_command

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = "".join(f"This is line {'x' * (37 * i * i % 101)}.\n" for i in range(60))


RATINGS = """
import mteval_core

@mteval_core.hookimpl
def mteval_register_datasets():
    return mteval_core.DatasetSpec(
        "ratings", function=lambda path: mteval_core.Dataset(path=path), patterns=("*.ratings",)
    )
"""

SEES = """
import mteval_core

@mteval_core.hookimpl
def mteval_register_checks():
    def seeing(texts):
        for name, text in texts.systems.items():
            if any("c" in segment for segment in text.sample.values()):
                yield f"system {name}: it sees"

    return mteval_core.CheckSpec("see", function=seeing, help="a system sees")
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)
    lost = GOOD.splitlines(keepends=True)
    del lost[22]
    texts = {
        "ref": GOOD,
        "same": GOOD,
        "other": GOOD.replace("This", "Here"),
        "lost": "".join(lost),
        "windows": GOOD.replace("This", "Here").replace("\n", "\r\n"),
    }
    for name, text in texts.items():
        Path(name).write_bytes(text.encode())
    return lambda *words: run_command("doctor", *words)


def test_good_texts_have_no_problems(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = run("ref", "other")
    assert (code, err) == (0, "")
    assert "2 texts, 0 problems." in out
    assert "!" not in out


def test_what_is_harmless_is_only_said(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("ref", "windows")
    assert code == 0
    assert "windows:1: 60 lines with the end of Windows, which mteval drops [crlf]" in out


def test_a_lost_line_is_named(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("ref", "other", "lost")
    assert code == 1
    assert "! lost: 59 lines, but ref has 60 [line-count]" in out
    found = "! lost:23: from line 23, its lines look 1 line early, compared with ref [shifted]"
    assert found in " ".join(out.split())
    assert "3 texts, 2 problems." in out


def test_json_has_everything(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("ref", "same", "windows", "-f", "json")
    data: Any = json.loads(out)
    assert (code, data["experiment"]) == (1, "doctor")
    _, same, windows = data["records"]
    assert [problem["code"] for problem in same["problems"]] == ["identical"]
    assert windows["problems"] == [
        {
            "text": "windows",
            "code": "crlf",
            "message": "60 lines with the end of Windows, which mteval drops",
            "line": 1,
            "wrong": False,
        }
    ]
    assert (same["lines"], same["empty"], same["script"]) == (60, 0, "Latin")


@pytest.mark.parametrize("form", ["markdown", "csv", "tsv", "jsonl"])
def test_every_format_writes_the_report(
    run: Callable[..., tuple[int, str, str]], form: str
) -> None:
    code, out, err = run("ref", "lost", "-f", form)
    assert (code, err) == (1, "")
    assert "lost" in out


def test_columns_and_data_sets_are_examined(run: Callable[..., tuple[int, str, str]]) -> None:
    pytest.importorskip("mteval_readers", reason="the plugin readers is not installed")
    rows = [json.dumps({"a": f"x{i}", "b": f"y\x01{i}"}) for i in range(3)]
    Path("t.jsonl").write_text("\n".join(rows))
    code, out, _ = run("t.jsonl::a", "t.jsonl::b")
    assert code == 1
    assert "t.jsonl::b:1: control characters" in out
    code, _, err = run("t.jsonl")
    assert (code, "choose one of a, b" in err) == (3, True)
    Path("t.xml").write_text(
        "<dataset><doc id='d'><src lang='de'><seg id='1'>a</seg></src><ref lang='en'>"
        "<seg id='1'>c&lt;b></seg></ref><hyp lang='en' system='S'><seg id='1'>c</seg></hyp>"
        "</doc></dataset>"
    )
    code, out, _ = run("t.xml")
    assert code == 1
    assert "3 texts, 1 problem." in out
    assert re.findall(r"^t.xml::(\S+) ", out, re.MULTILINE) == ["ref.ref", "source", "system.S"]


def test_a_data_set_is_checked_with_its_references_and_its_source(
    run: Callable[..., tuple[int, str, str]],
) -> None:
    pytest.importorskip("mteval_readers", reason="the plugin readers is not installed")

    def segments(tag: str, line: str) -> str:
        lines = [f"<seg id='{i}'>{line} w{i}</seg>" for i in range(40)]
        return f"<{tag}>{''.join(lines)}</{tag[:3]}>"

    source, reference, output = (
        segments("src lang='de'", "so"),
        segments("ref lang='en'", "it is"),
        segments("hyp lang='en' system='S'", "so"),
    )
    Path("t.xml").write_text(
        f"<dataset><doc id='d' domain='news'>{source}{reference}{output}</doc></dataset>"
    )
    _, out, _ = run("t.xml")
    assert "3 texts" in out
    assert "t.xml::system.S: 100% of its lines are those of the source [copied-source]" in out
    assert "t.xml::source:" not in out


@pytest.mark.usefixtures("run")
def test_a_data_set_without_texts_is_refused() -> None:
    Path("ratings.py").write_text(RATINGS)
    Path("x.ratings").write_text("A 1 3")
    for texts in (["x.ratings"], ["ref", "x.ratings"]):
        code, out, err = run_command("-p", "ratings.py", "doctor", *texts)
        assert (code, out) == (3, "")
        assert "x.ratings: a data set without texts; expected texts to examine" in err


@pytest.mark.usefixtures("run")
def test_registered_checks_run() -> None:
    for name, text in (
        ("see.py", SEES),
        ("a", "a b\n" * 5),
        ("b", "a b\nd\n" * 2 + "c\n"),
    ):
        Path(name).write_text(text)
    code, out, _ = run_command("-p", "see.py", "doctor", "a", "b", "-f", "json")
    reference, system = json.loads(out)["records"]
    assert (code, reference["problems"]) == (1, [])
    assert [(each["code"], each["message"]) for each in system["problems"]][-1:] == [
        ("see", "it sees")
    ]


@pytest.mark.usefixtures("run")
def test_what_an_examination_says_no_check_says_again() -> None:
    lines = GOOD.splitlines()
    Path("tags").write_text("".join(f"<b>{line}</b>\n" for line in lines))
    code, out, _ = run_command("doctor", "ref", "tags", "-f", "json")
    _, tags = json.loads(out)["records"]
    assert code == 1
    assert [problem["code"] for problem in tags["problems"]] == ["markup"]


@pytest.mark.parametrize("texts", [("ref", "cut"), ("cut", "ref")])
def test_a_tokenized_side_is_named_once(
    run: Callable[..., tuple[int, str, str]], texts: tuple[str, str]
) -> None:
    Path("cut").write_text(GOOD.replace(".", " ."))
    _, out, _ = run(*texts)
    assert re.findall(r"\[(tokenized.*)\]", out) == ["tokenized-text"]
    _, out, _ = run("cut")
    assert re.findall(r"\[(tokenized.*)\]", out) == ["tokenized"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "FILE"),
        (["a\x1bb"], 2, "a name cannot contain"),
        (["\ud800"], 2, "a name cannot contain"),
        (["absent"], 3, "absent: no such file"),
        (["ref", "-o", "ref"], 2, "would overwrite"),
        (["ref", "-w", "3"], 2, "unknown flag -w"),
        (["-", "-"], 2, "standard input (-)"),
    ],
)
def test_refusals(
    run: Callable[..., tuple[int, str, str]], arguments: list[str], code: int, message: str
) -> None:
    seen, out, err = run(*arguments)
    assert (seen, out) == (code, "")
    assert message in err
