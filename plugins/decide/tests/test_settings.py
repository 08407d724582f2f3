"""``--set``: options that are not signed, in a replay and in a gate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

JUDGE = '''
import mteval_core as mt

class Judge:
    """A judge that asks only if it has no cache; there is nobody to ask."""

    def __init__(self, strict, cache):
        self.strict, self.cache = strict, cache

    def segment_statistics(self, hypothesis, references):
        if not self.cache:
            raise OSError("nobody answers")
        return [float(len(hypothesis))]

@mt.hookimpl
def mteval_register_metrics():
    options = (mt.Option("strict", default=False), mt.Option("cache", "", signed=False))
    return mt.MetricSpec("judge", factory=Judge, values={"judge": 1}, options=options)
'''


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    for name, text in {"judge.py": JUDGE, "ref": "a b\nc\n", "sys": "a b\nd\n"}.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert mt.main(["-p", "judge.py", "score", "ref", "-i", "sys", *judge("-o", "b.json")]) == 0
    return "b.json"


def judge(*arguments: str) -> list[str]:
    return ["-m", "judge:cache=answers", "-q", *arguments]


@pytest.mark.parametrize("command", [["replay", "b.json"], ["gate", "b.json", "-i", "sys", "-q"]])
def test_a_report_is_computed_with_the_given_settings(
    base: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert base
    assert mt.main(["-p", "judge.py", *command]) == 4
    assert "nobody answers" in capsys.readouterr().err
    assert mt.main(["-p", "judge.py", *command, "--set", "judge:cache=answers"]) == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("judge:strict=yes", "'strict' is no option that can be set; expected .*: cache"),
        ("judge", "--set judge: expected METRIC:KEY=VALUE"),
        ("jugde:cache=x", "no metric 'jugde' is computed. Did you mean 'judge'"),
    ],
)
def test_what_cannot_be_set_is_refused(
    base: str, settings: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mt.main(["-p", "judge.py", "replay", base, "--set", settings]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_signature_has_its_settings_itself(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    signature = "Judge|nrefs:1|version:1"
    assert base
    assert mt.main(["replay", signature, "ref", "-i", "sys", "--set", "judge:cache=x"]) == 2
    assert "--set applies to a report" in capsys.readouterr().err
