"""The commands in the guide "Measure a metric" print what the guide shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Iterator

PLUGIN = Path(__file__).parents[1]
REPOSITORY = PLUGIN.parents[1]
GUIDE = PLUGIN / "docs" / "measure-a-metric.md"

for _plugin in ("bleu_nist", "gtm", "rouge"):
    pytest.importorskip(f"mteval_{_plugin}", reason=f"the plugin {_plugin} is not installed")


def commands() -> Iterator[tuple[str, str]]:
    """List the commands of the guide with their output."""
    text = GUIDE.read_text(encoding="utf-8")
    yield from re.findall(r"```sh\n(.*?)\n```\n\n```text\n(.*?)\n```", text, flags=re.DOTALL)


def expanded(command: str) -> Iterator[str]:
    """Split a command into words and expand file names, as a shell does."""
    for word in shlex.split(command.replace("\\\n", "")):
        found = sorted(map(str, Path().glob(word))) if set(word) & set("*?") else []
        yield from found or [word]


@pytest.mark.parametrize(("command", "shown"), list(commands()))
def test_the_commands_print_what_the_guide_shows(
    command: str,
    shown: str,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setenv("COLUMNS", "100")
    program, *arguments = expanded(command.replace("curve.svg", str(tmp_path / "curve.svg")))
    if "--plot" in arguments:
        pytest.importorskip("matplotlib", reason="plots need matplotlib")
    assert program == "mteval"
    assert main(arguments) == 0
    out = capsysbinary.readouterr().out.decode()
    assert f"{shown}\n" in out


def test_the_guide_has_commands() -> None:
    assert len(list(commands())) == 8


def test_the_python_of_the_guide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    pearson = {c.metric: c.value for c in names["correlations"] if c.quantity == "pearson"}
    assert f"{pearson['BLEU']:.2f}" == "0.81"
    assert names["notes"] == []
