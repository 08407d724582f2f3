"""Checks of texts that plugins declare: every evaluation runs them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.evaluation.sources import LineFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REFERENCES = ["a b", "c d", "e f"]


def thinking(texts: mt.CheckedTexts) -> list[str]:
    return [
        f"system {name}: {n} segments hold <think>"
        for name, text in texts.systems.items()
        if (n := sum("<think>" in segment for segment in text.sample.values()))
    ]


THINK = mt.CheckSpec("think", function=thinking, help="a system prints what it thinks")


def warned(registry: mt.Registry, systems: Any, **more: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mt.evaluate(systems, [REFERENCES], ["matches"], registry=registry, **more)
    return [str(each.message) for each in caught]


def test_what_a_check_finds_is_a_warning(plugin: Callable[..., Any], matches: Any) -> None:
    registry = mt.load_registry([plugin(metrics=[matches], checks=[THINK])])
    systems = {"A": ["<think> a", "b", "<think>"], "B": REFERENCES}
    assert warned(registry, systems) == ["system A: 2 segments hold <think> [think]"]
    assert warned(registry, {"B": REFERENCES}) == []


def test_a_check_sees_everything_that_is_compared(plugin: Callable[..., Any], matches: Any) -> None:
    seen: list[mt.CheckedTexts] = []
    look = mt.CheckSpec("look", function=lambda texts: seen.append(texts) or ())
    registry = mt.load_registry([plugin(metrics=[matches], checks=[look])])
    warned(registry, {"A": ["x", "y", "z"], "B": [REFERENCES] * 2}, source=["1", "2", "3"])
    (texts,) = seen
    assert [*texts.systems] == ["A", "B (run 1)", "B (run 2)"]
    assert texts.systems["A"].sample == {0: "x", 1: "y", 2: "z"}
    assert [stream.n_segments for stream in texts.references] == [3]
    assert texts.source is not None
    assert texts.source.sample[2] == "3"
    assert [str(scorer.spec) for scorer in texts.metrics] == ["matches"]


def test_files_that_are_read_in_blocks_are_checked(
    plugin: Callable[..., Any], matches: Any, tmp_path: Path
) -> None:
    registry = mt.load_registry([plugin(metrics=[matches], checks=[THINK])])
    for name, line in (("ref", "a b"), ("src", "x"), ("sys", "<think>")):
        (tmp_path / name).write_text(f"{line}\n" * 20_000, encoding="utf-8")
    reference, source, system = (str(tmp_path / name) for name in ("ref", "src", "sys"))
    lines = LineFiles([reference], {"A": [system]}, source)
    scorers = [mt.metric("matches", registry=registry)]
    with pytest.warns(mt.MtevalWarning, match=r"^system A: 1152 segments hold <think> \[think\]$"):
        mt.evaluate(lines, scorers, kept=mt.Kept())


def failing(texts: mt.CheckedTexts) -> list[str]:
    raise SystemExit(str(len(texts.systems)))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (failing, "check 'odd' of mteval-toy 1.0: SystemExit: 1"),
        (lambda _: None, "check 'odd' of mteval-toy 1.0: TypeError: "),
        (lambda _: [3], "check 'odd' of mteval-toy 1.0 found 3; expected one line of text"),
        (lambda _: ["a\nb"], "check 'odd' of mteval-toy 1.0 found 'a\\nb'; expected one line of"),
        (lambda _: [""], "check 'odd' of mteval-toy 1.0 found ''; expected one line of text"),
        (lambda texts: texts.systems["B"], "check 'odd' of mteval-toy 1.0: KeyError: 'B'"),
        ("nowhere:at_all", "check 'odd' of mteval-toy 1.0: ModuleNotFoundError: "),
    ],
)
def test_a_check_that_fails_is_named_and_nothing_else_changes(
    plugin: Callable[..., Any], matches: Any, function: Any, message: str
) -> None:
    odd = mt.CheckSpec("odd", function=function)
    registry = mt.load_registry([plugin(metrics=[matches], checks=[odd, THINK])])
    first, second = warned(registry, {"A": ["<think>"] * 3})
    assert first.startswith(message)
    assert first.endswith(" [failed-check]")
    assert second == "system A: 3 segments hold <think> [think]"


def test_a_single_finding_needs_no_list(plugin: Callable[..., Any]) -> None:
    single = mt.CheckSpec("single", function=lambda _: "all of it is odd")
    texts = mt.CheckedTexts({"A": mt.TextSummary.of(mt.Text.of(["x"]))})
    registry = mt.load_registry([plugin(checks=[single])])
    assert [*texts.findings(registry)] == [("single", "all of it is odd")]


@pytest.mark.parametrize("name", ["two words", "-x", "ä"])
def test_the_name_of_a_check_is_a_code(plugin: Callable[..., Any], name: str) -> None:
    *_, toy = mt.load_registry([plugin(checks=[mt.CheckSpec(name, function=thinking)])]).plugins
    assert f"{name!r}: its name is {name!r}; expected letters, digits and hyphens" in toy.error


# On the command line

PLUGIN = """
import mteval_core

@mteval_core.hookimpl
def mteval_register_checks():
    def thinking(texts):
        for name, text in texts.systems.items():
            if any("[hm]" in segment for segment in text.sample.values()):
                yield f"system {name}: it thinks"

    return mteval_core.CheckSpec("think", function=thinking, help="a system thinks")
"""


def test_score_runs_checks(mteval: Callable[..., Any], tmp_path: Path) -> None:
    texts = {"think.py": PLUGIN, "ref": "a b\n" * 5, "sys": "a b\n" * 4 + "[hm]\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = mteval("-p", "think.py", "score", "ref", "-i", "sys", "-m", "wer", cwd=tmp_path)
    assert (done.code, done.err) == (0, "mteval: warning: system sys: it thinks [think]\n")
    listed = mteval("-p", "think.py", "list", "checks", cwd=tmp_path).out
    assert "think" in listed
    assert "identical-systems" in listed
