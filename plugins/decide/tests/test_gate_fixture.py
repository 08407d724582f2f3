"""The fixture ``mteval_gate``, in a sample project with a test suite of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mteval_decide.fixture import check_gate

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]

pytest_plugins = ["pytester"]

SAMPLE_TESTS = """
import pathlib

import pytest

SOURCES = pathlib.Path("source.txt").read_text().splitlines()


def translate(segment):
    return segment.upper()


def translate_badly(segment):
    return "".join(word[0] + " " for word in translate(segment).split()[:2]) + segment


def test_a_path(mteval_gate):
    decision = mteval_gate("base.json", "main.txt")
    assert decision.passed
    assert [one.metric for one in decision.verdicts] == ["wer", "cer"]


def test_segments(mteval_gate):
    mteval_gate("base.json", [translate(source) for source in SOURCES])


@pytest.mark.parametrize("rules", [{}, {"fail_if": ["wer > 20"]}, {"margin": 2}])
def test_bad_segments(mteval_gate, rules):
    mteval_gate("base.json", [translate_badly(source) for source in SOURCES], **rules)


def test_a_loss_that_is_allowed(mteval_gate):
    outputs = [translate_badly(source) for source in SOURCES]
    mteval_gate("base.json", {"main": outputs}, fail_if=["wer > 500"])
"""


def lines(path: Path, texts: list[str]) -> None:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mteval: Run, error_rates: mt.Registry
) -> Path:
    """Make a project with texts and a base, and work in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mt, "default_registry", lambda: error_rates)
    sources = [f"the {k} cats sat on mat {k % 7}" for k in range(30)]
    outputs = [source.upper() for source in sources]
    lines(tmp_path / "source.txt", sources)
    lines(tmp_path / "main.txt", outputs)
    lines(tmp_path / "ref.txt", [f"{one} NOW" if k % 3 else one for k, one in enumerate(outputs)])
    command = "score ref.txt -i main.txt -m wer cer -o base.json"
    assert mteval(*command.split()).code == 0
    return tmp_path


def test_a_project_uses_the_fixture(project: Path, pytester: pytest.Pytester) -> None:
    for name in ("source.txt", "main.txt", "ref.txt", "base.json"):
        (pytester.path / name).write_bytes((project / name).read_bytes())
    pytester.chdir()
    pytester.makepyfile(SAMPLE_TESTS)
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    done.assert_outcomes(passed=3, failed=3)
    done.stdout.fnmatch_lines(
        [
            "Gate: failed",
            "*30 segments, 1 reference; p < 0.05, one-sided",
            "new * WER * fail",
            "new, WER ↓: the segments that lost most",
            "*THE 0 CATS SAT ON MAT 0*",
            "*! new, WER ↓: * points worse, more than 20 (p < 0.001).",
            "*! new, WER ↓: not shown to be worse by less than 2 (p = 1.000).",
        ]
    )
    assert "Traceback" not in done.stdout.str()


def test_a_failure_is_one_of_pytest(project: Path) -> None:
    assert project.exists()
    worse = ["x"] * 30
    with pytest.raises(pytest.fail.Exception, match="new, CER ↓: the segments that lost most"):
        check_gate("base.json", worse)
    decision = check_gate(project / "base.json", project / "main.txt", alpha=0.2)
    assert (decision.passed, decision.rules.alpha) == (True, 0.2)


@pytest.mark.parametrize(
    ("output", "rules", "message"),
    [
        ("absent.txt", {}, "absent.txt: no such file"),
        (["x"], {}, "1 segment"),
        ({}, {}, "no output"),
        (["x"] * 30, {"fail_if": ["bleu < 0"]}, "the base has no metric 'bleu'"),
        (["x"] * 30, {"fail_if": "wer > 1"}, "expected a list of conditions"),
        (["x"] * 30, {"margin": -1}, "margin -1: expected"),
    ],
)
def test_what_makes_no_sense_is_an_error(
    project: Path, output: Any, rules: dict[str, Any], message: str
) -> None:
    assert project.exists()
    with pytest.raises(mt.MtevalError, match=message):
        check_gate("base.json", output, **rules)
