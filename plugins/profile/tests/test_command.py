"""``mteval profile``: figures and parts of the test set."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import mteval_core as mt
from mteval_core import Subset, main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("mteval_error_rates")

REFERENCE = ["we saw Anna", "it is 7 now", *["a b c d e f g h i j k"] * 9, "one two three four"]
GOOD = ["we saw Anna", "it is 7 now", *["a b c d e f g h i j x"] * 9, "one two three four"]
BAD = ["we saw her", "it is", *["a b c d e a b c d e a b"] * 9, "uno two three four"]
SOURCE = ["?"] * 11 + ["uno due tre quattro"]
DOCUMENTS = [*["short"] * 2, *["long"] * 9, "last"]


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., list[str]]:
    """Write files of text, and return their paths."""

    def write(**contents: str) -> list[str]:
        for name, content in contents.items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        return [str(tmp_path / name) for name in contents]

    return write


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], files: Callable[..., list[str]]) -> Run:
    """Profile two systems in this process: exit code, output, errors."""
    texts = {"r": REFERENCE, "good": GOOD, "bad": BAD, "s": SOURCE, "d": DOCUMENTS}
    paths = files(**{name: "".join(f"{line}\n" for line in text) for name, text in texts.items()})
    reference, good, bad, source, documents = paths

    def command(*arguments: str, systems: tuple[str, ...] = (good, bad)) -> tuple[int, str, str]:
        placed = [{"SOURCE": source, "DOCS": documents}.get(word, word) for word in arguments]
        code = main(["profile", reference, "-i", *systems, *placed])
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return command


def records(run: Run, *arguments: str) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Records by metric, part and system."""
    code, out, err = run("-f", "json", "-n", "200", *arguments)
    assert code == 0, err
    written = json.loads(out)
    assert written["experiment"] == "profile"
    return {(r["metric"], r["id"] or "", r["system"]): r for r in written["records"]}


def test_figures(run: Run) -> None:
    found = records(run, "--source", "SOURCE")
    expected = {  # of bad, counted by hand
        "word-recall:words=names": 0,
        "word-recall:words=numbers": 0,
        "length-ratio": 100 * (3 + 2 + 9 * 12 + 4) / (3 + 4 + 9 * 11 + 4),
        "length-outliers.short": 0,
        "repetition:order=1": 100 * (9 * 7) / (3 + 2 + 9 * 12 + 4),
        "untranslated.words": 100 / (3 + 2 + 9 * 12 + 4),  # uno
    }
    for spec, value in expected.items():
        name = spec.replace(".", ":value=")
        assert found[name, "", "bad"]["score"] == pytest.approx(value), spec
        assert found[name, "", "good"]["score"] in (pytest.approx(100), 0), spec
    assert found["repetition:order=1", "", "bad"]["p_value"] < 0.05
    assert found["length-outliers:value=short", "", "bad"]["p_value"] == 1
    assert found["repetition:order=1", "", "bad"]["baseline"] == "good"


def test_parts_are_scored_from_their_own_segments(run: Run) -> None:
    found = records(run, "-m", "wer", "--docs", "DOCS")
    for part, segments in {
        "": range(12),
        "0-9": (0, 1, 11),
        "10-19": range(2, 11),
        "short": range(2),
        "long": range(2, 11),
        "last": (11,),
    }.items():
        texts = [BAD[i] for i in segments], [[REFERENCE[i] for i in segments]]
        record = found["wer", part, "bad"]
        assert record["score"] == pytest.approx(mt.metric("wer").corpus_score(*texts).score)
        assert record["n_segments"] == len(segments)
        assert (record["ci"] is None) == (part == "last")
        assert record["signature"] == found["wer", "", "bad"]["signature"]
    assert [found["wer", part, "bad"]["p_value"] is None for part in ("", "10-19")] == [False, True]
    assert {r["level"] for r in found.values()} == {"corpus", "length", "doc"}


def test_domains(run: Run) -> None:
    found = records(run, "-m", "wer", "--domains", "DOCS", "--split", "domain")
    assert {r["level"] for r in found.values()} == {"corpus", "domain"}
    assert found["wer", "long", "bad"]["score"] == pytest.approx(100 * 7 / 11)


def test_scores_from_outside(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("mteval_metaeval", reason="it reads tables of scores")
    table = tmp_path / "scores.tsv"
    rows = [f"{name}\t{i}\t{i + k}\n" for k, name in enumerate(("good", "bad")) for i in range(12)]
    table.write_text("system\tsegment\tX\n" + "".join(rows))
    for metrics in ([], ["-m", "none"]):
        found = records(run, *metrics, "--scores", f"X={table}", "--docs", "DOCS")
        assert found["X", "", "good"]["score"] == pytest.approx(5.5)
        assert found["X", "long", "good"]["score"] == pytest.approx(6)  # the mean of 2 to 10
        assert found["X", "last", "bad"]["score"] == pytest.approx(12)
    table.write_text("system\tX\ngood\t1\nbad\t2\n")
    code, _, err = run("--scores", f"X={table}", "--split", "length")
    assert code == 2
    assert "has a score per system, not per segment" in err


def test_intervals_of_a_part_are_those_of_its_segments_alone(run: Run) -> None:
    record = records(run, "-m", "wer", "--lengths", "4")["wer", "4-", "bad"]
    alone = mt.evaluate({"good": GOOD[1:], "bad": BAD[1:]}, [REFERENCE[1:]], ["wer"])
    alone = alone.confidence(200).compare("ar")
    (_, expected) = alone.to_records()
    assert record["n_segments"] == 11
    assert {k: record[k] for k in ("ci", "p_value")} == {k: expected[k] for k in ("ci", "p_value")}


def test_the_tables(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("-m", "wer", "--docs", "DOCS", "--source", "SOURCE")
    assert code == 0
    tables, _, signatures = out.partition("\nWER|")
    assert [line for line in tables.split("\n") if len(line) > 80] == []
    for row in (
        r"all +12 +8.2 +\[\S+ +\S+\] +60.9† \[\S+ +\S+\]",  # 9 of 110 words, 67 of 110
        r"10-19 +9 +9.1 +\[9.1, +9.1\] +63.6 +\[63.6, 63.6\]",
        r"last +1 +0.0 +25.0",
        r"order=1 +0.0 \[0.0, 0.0\] +53.8† \[\S+ +\S+\] +0.0",  # 63 of 117 words
    ):
        assert re.search(rf"^{row}$", tables, re.MULTILINE), (row, tables)
    assert "† against good, row by row: p < 0.05 (exact paired randomisation" in tables
    assert "fewer than 10 segments are not tested" in tables
    assert "word-recall|" in signatures


@pytest.mark.parametrize("columns", ["40", "400"])
def test_a_terminal_shows_whole_signatures(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setattr("mteval_core.commands.session.is_terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", columns)
    _, out, _ = run("--figures", "length-ratio", "repetition")
    *_, ratio, repetition = out.splitlines()
    assert ratio.startswith("length-ratio|nrefs:1|")
    assert repetition.startswith("repetition|nrefs:1|")


def test_one_system_has_no_marks(run: Run, files: Callable[..., list[str]]) -> None:
    (path,) = files(own="".join(f"{line}\n" for line in GOOD))
    code, out, _ = run("--figures", "length-ratio", systems=(path,))
    assert code == 0
    assert "†" not in out
    assert "100.0 [100.0, 100.0]" in out


def test_without_a_source(run: Run) -> None:
    code, out, _ = run()
    assert code == 0
    assert "! Left out, because they need --source FILE: untranslated" in out
    assert run("--figures", "untranslated")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--docs", "DOCS"], "add -m METRIC"),
        (["-m", "wer", "--split", "doc"], "--split doc needs --docs FILE"),
        (["-m", "wer", "--split", "length", "--docs", "DOCS"], "--docs applies to"),
        (
            ["-m", "wer", "--split", "doc", "--docs", "DOCS", "--lengths", "3"],
            "--lengths applies to",
        ),
        (
            ["-m", "wer", "--split", "domain", "--docs", "DOCS"],
            "--split domain needs --domains FILE",
        ),
        (
            ["-m", "wer", "--split", "doc", "--docs", "DOCS", "--domains", "DOCS"],
            "--domains applies",
        ),
        (["-m", "wer", "-f", "png"], "the format png cannot write"),
        (["-m", "nothing"], "unknown metric 'nothing'"),
    ],
)
def test_what_is_refused(run: Run, arguments: list[str], problem: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert problem in err


def test_a_part_keeps_what_was_prepared_on_the_whole() -> None:
    rare = "word-recall:freq=1"
    evaluation = mt.evaluate({"A": ["a b", "a"]}, [["a b", "a"]], [rare, "length-ratio"])
    part = Subset("doc", "x", np.array([0])).evaluation(evaluation, [rare])
    assert part.score("A", rare).values["total"] == 1  # b, and not a
    assert list(part.scorers) == [rare]
    assert part.scores.test_set.references[0][0] == part.scores.texts["A"][0] == "a b"
