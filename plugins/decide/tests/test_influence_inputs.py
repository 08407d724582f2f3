"""``mteval influence`` with odd inputs: one segment, other alphabets, twins, and wrong files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

FILES: dict[str, bytes] = {
    "r": b"a b\nc d\n",
    "r2": b"a b\nx d\n",
    "A": b"a b\nc x\n",
    "B": b"a x\nc x\n",
    "Ä東": b"a b\nc d\n",
    "one": b"a b\n",
    "empty": b"",
    "latin": b"caf\xe9\nc d\n",
    "docs": b"x\n",
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mteval: Run) -> Run:
    """Run ``mteval influence`` with WER in a folder with all files: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for name, content in FILES.items():
        Path(name).write_bytes(content)
    return lambda *arguments: mteval("influence", *arguments, "-m", "wer")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("one -i one", 3, "has only one segment"),
        ("r -i A one", 3, "one: 1 segments, but r has 2"),
        ("r -r one -i A", 3, "uneven length: r has 2, one has 1 segments; expected the"),
        ("empty -i empty", 3, "empty: the file is empty"),
        ("r -i latin", 3, "latin:1: byte 4 of the line, 0xE9, is not valid UTF-8"),
        ("r -i A missing", 3, "missing: no such file"),
        ("r -i A A", 2, "two systems are called 'A': name them, NAME=PATH"),
        ("r -i A B -o A", 2, "-o A would overwrite"),
        ("r -i A B -f scores", 2, "the format scores cannot write the reports of mteval influence"),
        ("r -i A B --by doc --docs docs", 3, "docs: 1 document ids for 2 segments"),
        ("r -i A B --top x", 2, "argument --top: expected a whole number, from 1 to 1000000, got"),
        ("r -i A B -n 1", 2, "-n/-cin/--resamples: expected a whole number, from 2 to 1"),
    ],
)
def test_what_cannot_be_examined_is_named(
    run: Run, arguments: str, code: int, message: str
) -> None:
    found, out, err = run(*arguments.split())
    assert (found, out) == (code, "")
    assert err.startswith("mteval: error: ")
    assert message in err
    assert err.count("\n") == 1


def test_names_of_other_alphabets_are_shown_and_aligned(run: Run) -> None:
    code, out, err = run("r", "-i", "A", "Ä東", "--top", "1")
    assert (code, err) == (0, "")
    # One error of four words, and none: without the second segment, both are right.
    assert "WER ↓: Ä東 − A = -25.000" in out
    assert "Ä東     A          WER ↓      -25.00                  1 of 2" in out
    code, out, _ = run("r", "-i", "A", "Ä東", "-f", "json")
    effects = {one["id"]: one["effect"] for one in json.loads(out)["records"] if "effect" in one}
    assert (code, effects) == (0, {0: 25.0, 1: -25.0})
    assert '"system": "Ä東"' in out


def test_the_same_reference_twice_adds_no_error(run: Run) -> None:
    code, out, err = run("r", "r", "-i", "A", "B", "-n", "20", "-f", "json")
    assert (code, err) == (0, "")
    (record,) = (one for one in json.loads(out)["records"] if one["kind"] == "references")
    assert (record["value"], record["without"]) == (25.0, [25.0, 25.0])
    assert record["of_references"] == 0.0
    reach = (record["high"] - record["value"]) / record["of_units"]
    assert reach == pytest.approx(1.959964)


def test_leaving_out_a_reference_is_scoring_without_it(run: Run) -> None:
    def records(*references: str) -> list[dict[str, Any]]:
        code, out, _ = run(*references, "-i", "A", "-n", "20", "-f", "json")
        assert code == 0
        found: list[dict[str, Any]] = json.loads(out)["records"]
        return found

    both = records("r", "r2")[-1]
    assert (both["kind"], both["baseline"]) == ("references", None)
    assert both["without"] == [records(name)[0]["value"] for name in ("r2", "r")] == [50.0, 25.0]
