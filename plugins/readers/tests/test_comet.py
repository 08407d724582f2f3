"""The JSON of comet-score, in the form that ``comet/cli/score.py`` of Unbabel/COMET writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_readers import comet

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable


def row(mt_text: str, score: object, **more: object) -> dict[str, object]:
    return {"src": "eins", "mt": mt_text, "ref": "one", "COMET": score, **more}


SCORED: dict[str, Any] = {
    "systems/A.txt": [row("one", 0.9), row("a one", 0.75, ref="the one")],
    "B.out": [row("uno", 0.5, variance=0.1), row("two", 1, ref="the one")],
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[object], str]:
    def write(content: object) -> str:
        path = tmp_path / "comet.json"
        path.write_text(json.dumps(content, ensure_ascii=False, indent=4), "utf-8")
        return str(path)

    return write


def test_a_file_of_comet_is_a_data_set(write: Callable[[object], str]) -> None:
    data = mt.read_dataset(write(SCORED))
    assert data.test_set is not None
    assert data.test_set.source is not None
    assert list(data.test_set.source) == ["eins", "eins"]
    assert list(data.test_set.references[0]) == ["one", "the one"]
    assert {name: list(data.text(f"system.{name}")) for name in data.systems} == {
        "A": ["one", "a one"],
        "B.out": ["uno", "two"],
    }
    (scores,) = data.scores
    assert (scores.name, scores.level, scores.better) == ("COMET", "segment", "higher")
    assert np.asarray(scores.values["A"]).tolist() == [0.9, 0.75]
    assert np.asarray(scores.values["B.out"]).tolist() == [0.5, 1.0]
    assert len(scores.sha256) == 64


def test_scores_without_a_reference_have_no_test_set(write: Callable[[object], str]) -> None:
    rows = [{"src": "eins", "mt": "one", "COMET": 0.5}]
    data = comet.read(write({"A": rows}))
    assert data.test_set is None
    assert list(data.text("system.A")) == ["one"]


def test_other_json_does_not_look_like_it(write: Callable[[object], str]) -> None:
    assert comet.looks_like(write(SCORED))
    assert not comet.looks_like(write({"A": [{"src": "COMET"}]}))
    assert not comet.looks_like(write([row("a", 1)]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "comet.json: expected what comet-score --to_json writes"),
        ({}, "expected what comet-score"),
        ({"A": []}, "expected what comet-score"),
        ({"A": [1]}, "expected what comet-score"),
        ({"A": [row("a", None)]}, "comet.json: A: segment 0: the score None; expected a number"),
        ({"A": [row("a", "1")]}, "A: segment 0: the score '1'"),
        ({"A": [row("a", float("nan"))]}, "A: the score of segment 0 is not a finite number"),
        ({"A": [row("a", 1, ref=3)]}, "A: segment 0: 'ref' is 3; expected a string"),
        ({**SCORED, "C": [row("a", 1)]}, "C: has other sources or references than the first"),
    ],
)
def test_what_is_wrong_is_said(
    write: Callable[[object], str], content: object, message: str
) -> None:
    with pytest.raises(mt.InputError, match=message):
        comet.read(write(content))
