"""The JSON lines of WMT 2025 and 2026.

The layout of the test set and of the files of systems is that of the README of
wmt-conference/wmt26-general-mt and of ``data/systems`` of wmt-conference/wmt25-general-mt (9,285
documents of its systems have as many paragraphs as those of the others). The layout of the human
evaluation is what ``humeval/04-collect_humeval.py`` of the latter writes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mteval_readers import wmt_json

import mteval_core as mt

TEST_SET: list[dict[str, Any]] = [
    {
        "doc_id": "en-de_DE_#_news_#_a",
        "src_lang": "en",
        "tgt_lang": "de_DE",
        "src_text": "one\n\ntwo\nlines",
        "refs": {"refA": {"ref": "eins\n\nzwei\nZeilen"}, "refB": {"ref": "ein\n\nzwo"}},
    },
    {
        "doc_id": "en-de_DE_#_news_#_b",
        "src_lang": "en",
        "tgt_lang": "de_DE",
        "src_text": "three",
        "refs": {"refA": {"ref": "drei"}},
    },
    {
        "doc_id": "en-de_DE_#_speech_#_c",
        "src_lang": "en",
        "tgt_lang": "de_DE",
        "src_text": "not\n\ntranslated",
        "refs": {},
    },
]

OTHER = {**TEST_SET[1], "doc_id": "en-ru_RU_#_news_#_b", "tgt_lang": "ru_RU"}

OUTPUTS = {
    "S1": {"a": "eins\n\nzwei", "b": "drei", "c": "x\n\ny"},
    "S 2": {"a": "1\n\n2", "b": "3"},
    "Partial": {"b": "3"},
}

HUMAN: list[dict[str, Any]] = [
    {
        "doc_id": f"en-de_DE_#_news_#_a_#_{k}",
        "src_text": f"source {k}",
        "tgt_text": {"refA": f"reference {k}", "S1": f"output {k}", "S2": f"other {k}"},
        "scores": scores,
    }
    for k, scores in enumerate(
        [
            {"S1": {"human": 90.0, "errors": []}, "refA": {"human": 95}},
            {"S1": {"human1": 80, "annotator1": "x", "human2": 70.5, "annotator2": "y"}},
        ]
    )
]


def write(path: Path, records: list[dict[str, Any]]) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


@pytest.fixture
def file(tmp_path: Path) -> str:
    for system, texts in OUTPUTS.items():
        records: list[dict[str, Any]] = [
            {"doc_id": record["doc_id"], "hypothesis": texts[record["doc_id"][-1]]}
            for record in reversed([*TEST_SET, OTHER])
            if record["doc_id"][-1] in texts
        ]
        write(tmp_path / "systems" / f"{system}.jsonl", records)
    return write(tmp_path / "wmt25-genmt.jsonl", [*TEST_SET, OTHER])


@pytest.mark.filterwarnings("ignore:.*dropped-")
def test_paragraphs_are_segments(file: str) -> None:
    data = mt.read_dataset(f"wmt-json:{file}/en-de_DE")
    assert data.test_set is not None
    assert data.test_set.source is not None
    assert list(data.test_set.source) == ["one", "two\nlines", "three"]
    assert data.reference_names == ("refA", "refB")
    assert [list(stream) for stream in data.test_set.references] == [
        ["eins", "zwei\nZeilen", "drei"],
        ["ein", "zwo", None],
    ]
    assert data.test_set.documents == tuple(TEST_SET[k]["doc_id"] for k in (0, 0, 1))
    assert data.test_set.ids == tuple(
        f"{TEST_SET[k]['doc_id']}_#_{segment}" for k, segment in ((0, 0), (0, 1), (1, 0))
    )
    assert {name: list(data.text(f"system.{name}")) for name in data.systems} == {
        "S 2": ["1", "2", "3"],
        "S1": ["eins", "zwei", "drei"],
    }
    assert data.language == "de"


def test_what_is_left_out_is_said(file: str) -> None:
    with pytest.warns(mt.MtevalWarning) as caught:
        wmt_json.read(f"{file}/en-de_DE")
    assert [str(warning.message).partition("jsonl: ")[2] for warning in caught] == [
        "left out: 2 segments without a reference [dropped-segments]",
        "left out: Partial (lacks segments) [dropped-systems]",
    ]


def test_the_language_pair_is_named_if_there_are_several(file: str) -> None:
    for path in (file, f"{file}/de-en"):
        with pytest.raises(mt.InputError, match="en-de_DE, en-ru_RU"):
            wmt_json.read(path)
    data = wmt_json.read(f"{file}/en-ru_RU")
    assert (len(data), data.language) == (1, "ru")


def test_the_human_evaluation_has_texts_and_scores(tmp_path: Path) -> None:
    data = mt.read_dataset(write(tmp_path / "humeval.jsonl", HUMAN))
    assert data.test_set is not None
    assert list(data.test_set.references[0]) == ["reference 0", "reference 1"]
    assert data.test_set.ids == tuple(record["doc_id"] for record in HUMAN)
    assert data.test_set.documents == ("en-de_DE_#_news_#_a",) * 2
    assert list(data.systems) == ["S1", "S2"]
    human = data.judgments["human"]
    assert (human.systems, human.items) == (("S1", "refA"), (0, 1))
    assert human.raters == ("human", "x", "y")
    assert human.scores[:, 0].tolist() == [90, 95, 80, 70.5]


def test_other_records_do_not_look_like_it(tmp_path: Path) -> None:
    assert wmt_json.looks_like(write(tmp_path / "a.jsonl", TEST_SET))
    assert wmt_json.looks_like(write(tmp_path / "b.jsonl", HUMAN))
    assert not wmt_json.looks_like(write(tmp_path / "c.jsonl", [{"doc_id": 1, "hypothesis": "x"}]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"src_text": "one"}, r"x.jsonl:1: refA: 2 paragraphs; the source has 1"),
        ({"src_text": None}, r"x.jsonl:1: 'src_text' is null"),
        ({"src_text": 1.5}, r"x.jsonl:1: 'src_text': expected a string"),
        ({"refs": []}, r"x.jsonl:1: expected 'refs', an object"),
        ({"refs": {"refA": "text"}}, r"x.jsonl:1: .*'refA.ref'"),
        ({"refs": {}}, r"x.jsonl: no segment has a reference"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = write(tmp_path / "x.jsonl", [{**TEST_SET[0], **change}])
    with pytest.raises(mt.InputError, match=message):
        wmt_json.read(path)


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([("a", "x")], r"S1.jsonl:1: 1 paragraphs; the source has 2"),
        ([("a", "x\n\ny"), ("a", "x\n\ny")], r"S1.jsonl:2: the document '.*_a' occurs twice"),
    ],
)
def test_a_wrong_output_is_named(
    tmp_path: Path, outputs: list[tuple[str, str]], message: str
) -> None:
    records = [{"doc_id": f"en-de_DE_#_news_#_{d}", "hypothesis": text} for d, text in outputs]
    write(tmp_path / "systems" / "S1.jsonl", records)
    with pytest.raises(mt.InputError, match=message):
        wmt_json.read(write(tmp_path / "x.jsonl", TEST_SET[:2]))


def test_a_score_is_a_number(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", [{**HUMAN[0], "scores": {"S1": {"human": "good"}}}])
    with pytest.raises(mt.InputError, match=r"x.jsonl:1: the score 'good' of 'S1'"):
        wmt_json.read(path)


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("en-de_DE_#_news_#_a", "news"),
        ("en-de_DE_#_speech_#_a_#_3", "speech"),
        ("en-de_DE_#_a", ""),
        ("a", ""),
        ("WMT26_###_news_###_eng_Latn_###_deu_Latn_###_a", "news"),
        ("WMT26_###_speech_###_eng_Latn_###_deu_Latn_###_a_###_3", "speech"),
    ],
)
def test_the_domain_is_in_the_id_of_a_document(name: str, domain: str) -> None:
    assert wmt_json.domain_of(name) == domain


def test_domains_of_a_test_set(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in TEST_SET))
    with pytest.warns(mt.MtevalWarning, match="2 segments without"):
        data = wmt_json.read(str(path))
    assert data.test_set is not None
    assert data.test_set.domains == ("news", "news", "news")


def test_ids_of_wmt26_hold_the_set_the_domain_and_both_languages(tmp_path: Path) -> None:
    """SET_###_DOMAIN_###_SOURCE_###_TARGET_###_NAME, as its README says."""

    def of_2026(record: dict[str, Any], target: str) -> dict[str, Any]:
        _, domain, *name = record["doc_id"].split("_#_")
        return {**record, "doc_id": "_###_".join(["WMT26", domain, "eng_Latn", target, *name])}

    path = write(tmp_path / "a.jsonl", [of_2026(record, "deu_Latn") for record in TEST_SET[:2]])
    test_set = wmt_json.read(path).test_set
    assert test_set
    assert test_set.domains == ("news", "news", "news")
    judged = [of_2026(record, target) for target in ("deu_Latn", "isl_Latn") for record in HUMAN]
    path = write(tmp_path / "b.jsonl", judged)
    with pytest.raises(mt.InputError, match="pairs eng_Latn-deu_Latn, eng_Latn-isl_Latn"):
        wmt_json.read(path)
    data = wmt_json.read(f"{path}/eng_Latn-isl_Latn")
    assert data.test_set
    assert data.test_set.documents == ("WMT26_###_news_###_eng_Latn_###_isl_Latn_###_a",) * 2


def test_a_list_of_ratings_has_a_judgment_of_each_annotator(tmp_path: Path) -> None:
    errors = [{"start": 0, "end": 2, "severity": "minor"}]
    scores = {
        "S1": [
            {"score": 90, "annotator": "x", "errors": errors},
            {"score": 70.5, "annotator": "y", "errors": []},
        ],
        "S2": [{"score": 80, "annotator": "x", "errors": []}, {"score": None, "annotator": "y"}],
        "refA": [],
    }
    data = wmt_json.read(write(tmp_path / "x.jsonl", [{**HUMAN[0], "scores": scores}]))
    human = data.judgments["human"]
    outputs = [
        (human.systems[s], human.raters[r]) for s, r in zip(human.system, human.rater, strict=True)
    ]
    assert outputs == [("S1", "x"), ("S1", "y"), ("S2", "x")]
    assert human.scores[:, 0].tolist() == [90, 70.5, 80]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1, 2], r"x.jsonl:1: 'scores' is \[1, 2\]; expected an object, scores by system"),
        ({"S1": 90}, r"x.jsonl:1: the scores of 'S1' are 90; expected {'human': NUMBER}, or"),
        ({"S1": {"esa": 90}}, r"x.jsonl:1: the scores of 'S1' are {'esa': 90}; expected"),
        ({"S1": [{"mqm": 90}]}, r"x.jsonl:1: the scores of 'S1' are \[{'mqm': 90}\]; expected"),
        ({"S1": {"esa": "a" * 5000}}, r"x.jsonl:1: the scores of 'S1' are .{60}\.\.\.; expected"),
        ({"S1": {"human": True}}, "the score True of 'S1'; expected a number"),
        (
            {"S1": [{"score": 1, "annotator": "x"}, {"score": 2, "annotator": "x"}]},
            "x.jsonl:1: a second score of 'S1' by 'x'; expected one",
        ),
    ],
)
def test_scores_of_another_form_are_named_in_a_line(
    tmp_path: Path, scores: object, message: str
) -> None:
    path = write(tmp_path / "x.jsonl", [{**HUMAN[0], "scores": scores}])
    with pytest.raises(mt.InputError, match=message) as error:
        wmt_json.read(path)
    assert len(str(error.value)) < 300 + len(path)
