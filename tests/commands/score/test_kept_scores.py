"""Scores that were written once as JSON lines, and are read with ``--scores``."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from mteval_metaeval.score_records import scores_of_records

import mteval_core as mt
from mteval_core.commands.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

RECORD = {
    "system": "A",
    "metric": "matches",
    "level": "segment",
    "id": 0,
    "score": 50.0,
    "signature": "Matches|nrefs:1|plugin:mteval-toy@1.0|version:0.1.0",
}


@pytest.fixture
def run(
    files: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run ``mteval score`` on two systems of four segments in two documents."""
    monkeypatch.chdir(tmp_path)
    files(
        ref="a b c\nd e\nf g\nh\n",
        docs="d2\nd2\nd1\nd1\n",
        A="a b x\nd e\nf f\nh\n",
        B="a\nd\ng f\nh h\n",
    )

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["score", "ref", "-i", "A", "B", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return command


def scores(run: Run, *arguments: str) -> list[dict[str, Any]]:
    code, out, err = run(*arguments, "-f", "json")
    assert (code, err) == (0, "")
    records: list[dict[str, Any]] = json.loads(out)["records"]
    return records


@pytest.mark.parametrize(
    ("level", "more"),
    [("segment", ()), ("doc", ("--docs", "docs")), ("corpus", ())],
    ids=["segment", "doc", "corpus"],
)
def test_every_metric_of_the_default_set_comes_back(
    run: Run, level: str, more: tuple[str, ...]
) -> None:
    """One command writes the scores, one reads them: they are the same at the same level."""
    assert run("--level", level, *more, "-o", "kept.jsonl")[0] == 0
    before = scores(run, "--level", level, *more)
    specs = list(dict.fromkeys(record["metric"] for record in before))
    kept = [f"K{i}=kept.jsonl::{spec}" for i, spec in enumerate(specs)]
    after = scores(run, "--level", level, *more, "-m", "wer", "--scores", *kept)
    found = {(r["system"], r["metric"], r["id"]): r["score"] for r in after}
    for record in before:
        name = f"K{specs.index(record['metric'])}"
        assert found[record["system"], name, record["id"]] == record["score"]
    assert len(before) == len(specs) * 2 * {"segment": 4, "doc": 2, "corpus": 1}[level]


def test_a_mean_over_segments_is_the_same_in_every_way(run: Run) -> None:
    """Also its intervals and tests, drawn with the same seed."""
    drawn = ("-ci", "-par", "--level", "corpus")
    assert run("-m", "rouge-l", "--level", "segment", "-o", "kept.jsonl")[0] == 0
    records = scores(run, "-m", "rouge-l", "--scores", "KEPT=kept.jsonl", *drawn, "-q")
    computed, kept = (
        [record for record in records if record["metric"] == name] for name in ("rouge-l", "KEPT")
    )
    assert len(computed) == 2
    for one, other in zip(computed, kept, strict=True):
        assert one["score"] == pytest.approx(other["score"], rel=1e-12)
        # Resamples round rows to multiples of 2^-40, and one way has fractions, the other percent.
        ends = {end: pytest.approx(one["ci"][end], rel=1e-9) for end in ("low", "high", "mean")}
        assert other["ci"] == {**one["ci"], **ends}
        assert one["p_value"] == other["p_value"]


def test_the_direction_is_that_of_the_metric(run: Run) -> None:
    run("-m", "ter", "--level", "segment", "-o", "kept.jsonl")
    assert "KEPT ↓" in run("-m", "wer", "--scores", "KEPT=kept.jsonl")[1]
    assert "KEPT ↑" in run("-m", "wer", "--scores", "KEPT[higher]=kept.jsonl")[1]
    # Kept once more, they still say which direction is better.
    run("-m", "wer", "--scores", "KEPT=kept.jsonl", "--level", "segment", "-o", "again.jsonl")
    assert "AGAIN ↓" in run("-m", "wer", "--scores", "AGAIN=again.jsonl::KEPT")[1]


def test_comparisons_are_passed_over(run: Run) -> None:
    run("-m", "wer", "-par", "-q", "-o", "kept.jsonl")
    assert run("-m", "wer", "--scores", "KEPT=kept.jsonl")[0] == 0


def test_kept_scores_are_replayed(run: Run, tmp_path: Path) -> None:
    run("-m", "rouge-l", "--level", "segment", "-o", "kept.jsonl")
    assert run("-m", "wer", "--scores", "KEPT=kept.jsonl", "-o", "report.json")[0] == 0
    assert main(["replay", "report.json"]) == 0
    kept = tmp_path / "kept.jsonl"
    kept.write_text(kept.read_text().replace('"score": ', '"score": 1', 1))
    assert main(["replay", "report.json"]) == 1


def write(path: Path, *records: dict[str, Any]) -> str:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return str(path)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{}, {"level": "doc", "id": "x"}], "x:2: the level is 'doc', and 'segment' before"),
        ([{}, {}], "x:2: a second score of the same segment"),
        ([{"id": 1}], "x: matches: the system 'A' has no score of segment 0"),
        ([{}, {"system": "B", "id": 1}], "x: matches: the system 'A' has no score of segment 1"),
        ([{"id": "0"}], "x:1: not a record of a score"),
        ([{"id": True}], "x:1: not a record of a score"),
        ([{"score": None}], "x:1: the segment has no score; expected one of every segment"),
        ([{"score": float("nan")}], "x:1: not a record of a score"),
        ([{"score": 10**400}], "x:1: not a record of a score"),
        ([{"level": ["segment"]}], "x:1: not a record of a score"),
        ([{}, {"system": "a\nb"}], "x:2: system"),
        ([{"signature": "none"}], "x:1: 'none' is not a signature"),
        ([{"signature": "Other|version:1"}], "x:1: which direction of matches is better is not"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, registry: mt.Registry, records: list[dict[str, Any]], message: str
) -> None:
    path = write(tmp_path / "x", *({**RECORD, **record} for record in records))
    with pytest.raises(mt.InputError) as caught:
        scores_of_records(path, registry)
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(message)


def test_random_lines_are_read_or_refused(tmp_path: Path, registry: mt.Registry) -> None:
    draw = random.Random(7)
    odd: list[Any] = [
        None,
        True,
        -1,
        1,
        2.5,
        10**30,
        "",
        "A",
        "segment",
        "doc",
        [],
        {},
        "x|y:1",
        "\x00",
    ]
    outcomes: set[Any] = set()
    for _ in range(300):
        records = [{**RECORD, "id": i} for i in range(3)]
        for _ in range(draw.randrange(3)):
            draw.choice(records)[draw.choice([*RECORD, "difference"])] = draw.choice(odd)
        path = write(tmp_path / "x", *records)
        if draw.random() < 0.2:
            whole = (tmp_path / "x").read_text()
            (tmp_path / "x").write_text(whole[: draw.randrange(1, len(whole))])
        try:
            outcomes.add(len(scores_of_records(path, registry)))
        except mt.InputError as error:
            outcomes.add("refused" if str(error).startswith(path) else str(error))
    assert {"refused", 1} <= outcomes
    assert {each for each in outcomes if isinstance(each, str)} == {"refused"}
