"""Samples of lm-evaluation-harness.

``lm_eval/`` was written by lm-eval 0.4.13, ``lm_eval --model dummy --tasks toy_de_en
--log_samples``, with a task of two segments and two filters.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mteval_readers import lm_eval, wmt_json

import mteval_core as mt

SAMPLES = Path(__file__).parent / "lm_eval" / "samples_toy_de_en_2026-11-22.jsonl"

RECORDS: list[dict[str, Any]] = [
    json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines()
]


def test_the_outputs_of_each_filter_are_a_system() -> None:
    data = mt.read_dataset(str(SAMPLES))
    assert data.test_set is not None
    assert list(data.test_set.references[0]) == ["one", "two é"]
    assert data.test_set.ids == ("0", "1")
    assert {name: list(data.text(f"system.{name}")) for name in data.systems} == {
        "none": ["lol", "lol"],
        "short": ["l", "l"],
    }


def test_only_samples_look_like_it(tmp_path: Path) -> None:
    assert lm_eval.looks_like(str(SAMPLES))
    path = tmp_path / "samples_x.jsonl"
    path.write_text(json.dumps({**RECORDS[0], "doc": {"src_text": "x"}}) + "\n")
    assert lm_eval.looks_like(str(path))
    assert not wmt_json.looks_like(str(path))
    path.write_text('{"doc_id": 0, "target": "x"}\n')
    assert not lm_eval.looks_like(str(path))


def write(path: Path, change: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(r) + "\n" for r in [{**RECORDS[0], **change}, *RECORDS[1:]]))
    return str(path)


def test_a_target_may_have_several_references(tmp_path: Path) -> None:
    records = [{**record, "filter": "none"} for record in RECORDS if record["filter"] == "none"]
    records[0]["target"] = ["one", "ein"]
    path = tmp_path / "samples_x.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    data = lm_eval.read(str(path))
    assert data.test_set is not None
    assert [list(stream) for stream in data.test_set.references] == [
        ["one", "two é"],
        ["ein", None],
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"filtered_resps": [[-1.5, True]]}, r":1: 'filtered_resps' is .*; expected a generated"),
        ({"filtered_resps": []}, r":1: 'filtered_resps' is \[\]"),
        ({"target": 3}, r":1: 'target' is 3; expected a text"),
        ({"target": []}, r":1: 'target' is \[\]"),
        ({"doc_id": 1}, r":\d: the document 1 occurs twice under the filter"),
        ({"doc_id": 7}, r"the filter '.*' has no document"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        lm_eval.read(write(tmp_path / "samples_x.jsonl", change))
