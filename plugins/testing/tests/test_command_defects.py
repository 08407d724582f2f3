"""The kit finds commands that are silent, unsteady, or refuse without a message."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from mteval_testing import check_command, run_command

import mteval_core as mt
from mteval_core import CommandSample

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mteval_core import Arguments, Session

    Add = Callable[[Arguments], None]
    Run = Callable[[Session], int | None]

CALLS = count()


def add_arguments(arguments: Arguments) -> None:
    arguments.add("text", file="input", metavar="FILE", help="the text")
    arguments.add("--top", type=int, default=3, help="how many words").refuse(
        "--top {top}: expected at least 1", lambda options: options.top < 1
    )
    arguments.share("formats")


def run(session: Session) -> None:
    with open(session.options.text, encoding="utf-8") as file:  # noqa: PTH123 - as outsiders do
        words = file.read().split()
    session.write(json.dumps(sorted(words)[: session.options.top]) + "\n")


def unsteady(session: Session) -> None:
    session.write(f"{next(CALLS)}\n")


def silent(session: Session) -> None:
    session.write("")


def failing(session: Session) -> None:
    raise KeyError(session.options.text)


def printing(session: Session) -> None:
    session.show("[]")


def not_json(session: Session) -> None:
    session.write("NaN\n")


def unexplained(arguments: Arguments) -> None:
    add_arguments(arguments)
    arguments.add("--all", action="store_true")


def badly_completed(arguments: Arguments) -> None:
    add_arguments(arguments)
    arguments.add("--metric", completes="metric", help="a metric")


def untried(arguments: Arguments) -> None:
    add_arguments(arguments)
    arguments.add("--all", action="store_true", help="all").refuse(
        "--all and --top exclude each other", lambda options: options.all and options.given("top")
    )


def sample() -> CommandSample:
    return CommandSample(
        "t.txt --top 2", {"t.txt": "c a b\n"}, refused={"--top=0": "set the same value"}
    )


def good_sample() -> CommandSample:
    return CommandSample("t.txt", {"t.txt": "c a b\n"}, refused={"--top 0": "--top 0: expected at"})


def failed(plugin: Callable[..., Any], **more: Any) -> list[str]:
    """Names of the checks that a command fails."""
    fields = {
        "arguments": add_arguments,
        "run": run,
        "group": "words",
        "help": "list words",
        "sample": good_sample,
        **more,
    }
    registry = mt.load_registry([plugin(commands=[mt.CommandSpec("words", **fields)])])
    return [each.check for each in check_command("words", registry=registry) if not each.ok]


@pytest.mark.parametrize(
    ("changed", "checks"),
    [
        ({}, []),
        ({"help": ""}, ["help_explains_the_command"]),
        ({"group": ""}, ["help_explains_the_command"]),
        ({"arguments": unexplained}, ["help_explains_the_command"]),
        ({"arguments": badly_completed}, ["completions_exist"]),
        ({"arguments": untried}, ["conflicts_are_refused"]),
        ({"sample": sample}, ["conflicts_are_refused"]),
        ({"run": unsteady}, ["sample_is_answered"]),
        ({"run": silent}, ["json_is_valid", "sample_is_answered"]),
        ({"run": failing}, ["json_is_valid", "sample_is_answered"]),
        ({"run": printing}, ["json_is_valid"]),
        ({"run": not_json}, ["json_is_valid"]),
    ],
)
def test_each_defect_is_found(
    plugin: Callable[..., Any], changed: dict[str, Any], checks: list[str]
) -> None:
    assert failed(plugin, **changed) == checks


def test_without_a_sample_the_command_is_not_run(plugin: Callable[..., Any]) -> None:
    command = mt.CommandSpec("words", arguments=add_arguments, run=failing, group="g", help="h")
    registry = mt.load_registry([plugin(commands=[command])])
    findings = check_command("words", registry=registry)
    assert all(finding.ok for finding in findings)
    assert {finding.check for finding in findings if finding.message} == {
        "conflicts_are_refused",
        "json_is_valid",
        "sample_is_answered",
    }


def test_a_command_runs_within_the_process(plugin: Callable[..., Any], tmp_path: Path) -> None:
    command = mt.CommandSpec("words", arguments=add_arguments, run=run)
    registry = mt.load_registry([plugin(commands=[command])])
    path = tmp_path / "t.txt"
    path.write_text("b a\n", encoding="utf-8")
    assert run_command("words", str(path), registry=registry) == (0, '["a", "b"]\n', "")
    code, out, err = run_command("words", str(path), "--top", "0", registry=registry)
    assert (code, out, err) == (2, "", "mteval: error: --top 0: expected at least 1\n")
    assert run_command("words", "--help", registry=registry).out.startswith("usage: mteval words")
