"""``mteval doctor --configuration`` shows the defaults of the file, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mteval_testing import run_command

FILE = """
metrics = ["matches"]
seed = 7
paired-ar = true

[score]
digits = 3

[presets.paper]
paired-bs = true

[presets.paper.score]
digits = 1
format = "json"
"""


def test_doctor_shows_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = run_command("doctor", "--configuration").out
    assert out.startswith("no configuration file: neither this folder")
    Path("mteval.toml").write_text(FILE)
    code, out, _ = run_command("doctor", "--configuration")
    assert (code, "4 defaults, 0 problems" in out) == (0, True)
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert any(row.startswith('metrics ["matches"] mteval.toml ') for row in rows)
    assert "digits 3 mteval.toml [score] score" in rows
    out = run_command("--no-config", "doctor", "--configuration").out
    assert out == "no configuration file: --no-config reads none\n"


def test_doctor_says_what_commands_refuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mteval.toml").write_text(FILE + "[check]\ntimeout = 'long'")
    words = ("--preset", "paper", "doctor", "--configuration", "-f", "json")
    code, out, _ = run_command(*words)
    report = json.loads(out)
    assert code == 1
    (problem,) = report["notes"]
    assert "--timeout stands in mteval.toml [check]" in problem
    assert problem.endswith(" (mteval check)")
    taken = {(r["place"], r["key"]): r["taken_by"] for r in report["records"]}
    assert taken["mteval.toml [score]", "digits"] == []
    assert taken["mteval.toml [presets.paper.score]", "digits"] == ["score"]


@pytest.mark.parametrize("words", [(), ("--configuration", "ref")])
def test_texts_or_the_configuration_are_examined(words: tuple[str, ...]) -> None:
    assert run_command("doctor", *words).code == 2
