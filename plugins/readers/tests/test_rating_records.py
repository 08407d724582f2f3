"""Ratings in JSON lines.

The records are written by hand. Those of SummEval have the keys of its file
``model_annotations.aligned.jsonl``, which was not at hand to compare with;
``line_id``, ``annotator`` and ``esa_score`` are those of ``humeval/merge_to_jsonl.py`` in
wmt-conference/wmt24-news-systems.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mteval_readers import rating_records

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

RATINGS: list[dict[str, Any]] = [
    {"system": system, "segment": k, "adequacy": 4 + k, "fluency": value, "doc_id": 9, "note": "x"}
    for system, value in (("A", 1), ("B", 2.5))
    for k in range(2)
]

SUMMEVAL: list[dict[str, Any]] = [
    {
        "id": name,
        "model_id": model,
        "decoded": "a summary",
        "filepath": "x",
        "expert_annotations": [
            {"coherence": 1 + k, "consistency": 5, "fluency": 5, "relevance": 2} for k in range(3)
        ],
        "turker_annotations": [{"coherence": 3, "consistency": 3, "fluency": 3, "relevance": 3}],
    }
    for model in ("M1", "M0")
    for name in ("cnn-b", "cnn-a")
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[list[dict[str, Any]]], str]:
    def write(records: list[dict[str, Any]]) -> str:
        path = tmp_path / "x.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        return str(path)

    return write


def test_numbers_are_judgments_and_scores(write: Callable[[list[dict[str, Any]]], str]) -> None:
    data = mt.read_dataset(write(RATINGS))
    found = data.judgments["ratings"]
    assert (found.systems, found.items, found.raters) == (("A", "B"), (0, 1), ("",))
    assert found.criteria == ("adequacy", "fluency")
    assert found.scores.tolist() == [[4, 1], [5, 1], [4, 2.5], [5, 2.5]]
    adequacy, fluency = data.scores
    assert (adequacy.name, fluency.name, adequacy.level) == ("adequacy", "fluency", "segment")
    assert np.asarray(adequacy.values["A"]).tolist() == [4, 5]
    assert np.asarray(fluency.values["B"]).tolist() == [2.5, 2.5]


def test_the_names_of_wmt24_are_known(write: Callable[[list[dict[str, Any]]], str]) -> None:
    record = {
        "system": "A",
        "line_id": 731,
        "annotator": "en1",
        "esa_score": 80.5,
        "langs": "en-es",
    }
    data = mt.read_dataset(write([record, {**record, "annotator": "en2", "esa_score": None}]))
    found = data.judgments["ratings"]
    assert (found.items, found.raters, found.criteria) == ((731,), ("en1", "en2"), ("esa_score",))
    assert np.isnan(found.scores).tolist() == [[False], [True]]
    assert data.scores == ()


def test_scores_of_some_segments_only_are_not_those_of_a_metric(
    write: Callable[[list[dict[str, Any]]], str],
) -> None:
    assert mt.read_dataset(write(RATINGS[:3])).scores == ()


def test_summeval_has_experts_and_turkers(
    write: Callable[[list[dict[str, Any]]], str],
) -> None:
    data = mt.read_dataset(write(SUMMEVAL))
    expert, turker = data.judgments["expert"], data.judgments["turker"]
    assert expert.criteria == ("coherence", "consistency", "fluency", "relevance")
    assert (expert.systems, expert.items) == (("M1", "M0"), (0, 1))
    assert expert.raters == ("expert0", "expert1", "expert2")
    assert expert.scores[:3, 0].tolist() == [1, 2, 3]
    assert (len(expert), len(turker)) == (12, 4)


def test_records_of_another_kind_do_not_look_like_it(
    write: Callable[[list[dict[str, Any]]], str],
) -> None:
    assert rating_records.looks_like(write(RATINGS))
    assert not rating_records.looks_like_summeval(write(RATINGS))
    assert rating_records.looks_like_summeval(write(SUMMEVAL))
    assert not rating_records.looks_like(write(SUMMEVAL))
    assert not rating_records.looks_like(write([{"system": "A", "text": "b"}]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"system": None}, r"x.jsonl:1: the system None and the segment 0"),
        ({"segment": "0"}, r"x.jsonl:1: .* the segment '0'; expected a name, and a number"),
        ({"segment": -1}, r"x.jsonl:1: .* the segment -1"),
        ({"segment": True}, r"x.jsonl:1: .* the segment True"),
        ({"segment": 1}, r"x.jsonl:2: a second rating of segment 1 of 'A'"),
    ],
)
def test_a_wrong_rating_is_named(
    write: Callable[[list[dict[str, Any]]], str], change: dict[str, Any], message: str
) -> None:
    with pytest.raises(mt.InputError, match=message):
        rating_records.read(write([{**RATINGS[0], **change}, *RATINGS[1:]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": ""}, r"x.jsonl:1: '' of 'M1'; expected ids"),
        ({"id": "cnn-a"}, r"x.jsonl:2: 'cnn-a' of 'M1'; .*each output once"),
        ({"expert_annotations": {}}, None),
        ({"expert_annotations": [3]}, r"x.jsonl:1: 'expert_annotations': expected a list"),
    ],
)
def test_a_wrong_record_of_summeval_is_named(
    write: Callable[[list[dict[str, Any]]], str], change: dict[str, Any], message: str | None
) -> None:
    path = write([{**SUMMEVAL[0], **change}, *SUMMEVAL[1:]])
    if message is None:
        assert len(rating_records.read_summeval(path).judgments["expert"]) == 9
    else:
        with pytest.raises(mt.InputError, match=message):
            rating_records.read_summeval(path)
