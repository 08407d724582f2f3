"""Folders and score files of mt-metrics-eval.

The layout is that of the section "File organization and naming convention" in the README of
google-research/mt-metrics-eval, with the rating files and JSON lines of its ``data.py``.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mteval_readers import mtme, mtme_scores
from mteval_readers.ratings import number, numbers

import mteval_core as mt
from mteval_core import main

RATING = {
    "errors": [
        {"start": 0, "end": 2, "category": "Accuracy/Omission", "severity": "Major"},
        {"start": 3, "end": 4, "category": "Fluency/Punctuation", "severity": "Minor"},
        {"start": 0, "end": 1, "category": None, "severity": "Major", "is_source_error": True},
    ]
}

FILES = {
    "sources/en-de.txt": "one\ntwo\nthree\n",
    "sources/en-ru.txt": "one\n",
    "documents/en-de.docs": "news d1\nnews d1\nsocial d2\n",
    "references/en-de.refA.txt": "eins\nzwei\ndrei\n",
    "references/en-de.refB.txt": "ein\nzwo\ndreie\n",
    "system-outputs/en-de/S1.txt": "eins\nzwo\ndrei\n",
    "system-outputs/en-de/S-2.beta.txt": "a\nb\nc\n",
    "system-outputs/en-de/refA.txt": "eins\nzwei\ndrei\n",
    "human-scores/en-de.mqm.seg.score": "S1\t-1\nS1\tNone\nS1\t0.5\nrefA 0\nrefA 0\nrefA None\n",
    "human-scores/en-de.mqm.sys.score": "S1 -0.25\nS-2.beta\t-3\n",
    "human-scores/en-de.wmt-z.doc.score": "S1 1\nS1 2\nS-2.beta None\nS-2.beta 4\n",
    "human-scores/en-de.mqm.domain.score": "news S1 1\nsocial S1 2\n",
    "human-scores/en-de.mqm.merged.seg.rating": "S1\tNone\n"
    + "".join(
        f"S1\t{json.dumps(rating)}\tr{k}\n" for k, rating in enumerate([RATING, {"errors": []}])
    ),
    "metric-scores/en-de/BLEU-refA.seg.score": "S1\t0.5\nS1\t1\nS1\t2\n" + "S-2.beta 3\n" * 3,
    "metric-scores/en-de/BLEU-refA.sys.score": "S1 30\nS-2.beta 20.5\n",
    "metric-scores/en-de/COMET-src.doc.score": "S1 1\nS1 2\n",
    "metric-scores/en-de/COMET-src.domain.score": "news S1 1\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "wmt99" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "wmt99"


def test_the_texts_are_read_and_have_their_files_as_addresses(folder: Path) -> None:
    data = mt.read_dataset(f"mtme:{folder}/en-de")
    assert data.test_set is not None
    assert data.reference_names == ("refA", "refB")
    assert [list(stream) for stream in data.test_set.references] == [
        ["eins", "zwei", "drei"],
        ["ein", "zwo", "dreie"],
    ]
    assert data.test_set.source is not None
    assert data.test_set.source.path == str(folder / "sources/en-de.txt")
    assert data.test_set.documents == ("d1", "d1", "d2")
    assert list(data.systems) == ["S-2.beta", "S1"]
    assert data.text("system.S1").path == str(folder / "system-outputs/en-de/S1.txt")
    assert data.language == "de"


def test_texts_may_be_json_lines(folder: Path) -> None:
    for name, field in (
        ("references/en-de.refB", "target"),
        ("system-outputs/en-de/S1", "hypothesis"),
    ):
        text = (folder / f"{name}.txt").read_text()
        (folder / f"{name}.txt").unlink()
        records = [json.dumps({field: f"{line}\n", "other": 1}) for line in text.splitlines()]
        (folder / f"{name}.jsonl").write_text("\n".join(records))
    data = mtme.read(f"{folder}/en-de")
    assert data.test_set is not None
    assert list(data.test_set.references[1]) == ["ein", "zwo", "dreie"]
    assert list(data.text("system.S1")) == ["eins", "zwo", "drei"]
    assert data.text("system.S1").path == f"{folder}/system-outputs/en-de/S1.jsonl::hypothesis"


def test_human_scores_are_read_by_name(folder: Path) -> None:
    judgments = mtme.read(f"{folder}/en-de").judgments
    assert list(judgments) == ["mqm.merged.rating", "mqm.seg", "mqm.sys", "wmt-z.doc"]
    assert "mqm.domain" not in judgments
    segments = judgments["mqm.seg"]
    assert (segments.level, segments.systems, segments.items) == (
        "segment",
        ("S1", "refA"),
        (0, 1, 2),
    )
    assert segments.scores[:, 0].tolist() == [-1, 0.5, 0, 0]
    assert segments.item.tolist() == [0, 2, 0, 1]
    systems = judgments["mqm.sys"]
    assert (systems.level, systems.items, systems.criteria) == ("system", (), ("score",))
    documents = judgments["wmt-z.doc"]
    assert (documents.level, documents.items) == ("doc", ("d1", "d2"))
    assert documents.scores[:, 0].tolist() == [1, 2, 4]


def test_ratings_are_weighted_as_mqm(folder: Path) -> None:
    judgments = mtme.read(f"{folder}/en-de").judgments["mqm.merged.rating"]
    assert judgments.raters == ("r0", "r1")
    assert judgments.items == (1, 2)
    assert judgments.scores[:, 0].tolist() == [-5.1, 0]


def test_metric_scores_are_read_when_asked_for(folder: Path) -> None:
    (folder / "metric-scores/en-de/BROKEN-src.seg.score").write_text("no number\n")
    scores = mtme.read(f"{folder}/en-de").scores
    assert len(scores) == 4
    segments, systems = scores[:2]
    assert (segments.name, segments.level, segments.better) == (
        "BLEU-refA.seg",
        "segment",
        "higher",
    )
    assert np.asarray(segments.values["S-2.beta"]).tolist() == [3, 3, 3]
    assert (systems.level, dict(systems.values)) == ("system", {"S1": 30.0, "S-2.beta": 20.5})
    with pytest.raises(mt.InputError, match=r"BROKEN-src.seg.score:1: the score 'number'"):
        scores[2]
    assert scores[3].ids == ("d1", "d2")


def test_one_score_file_is_human_or_of_a_metric(folder: Path) -> None:
    data = mt.read_dataset(str(folder / "human-scores/en-de.mqm.sys.score"))
    assert data.judgments["en-de.mqm"].scores[:, 0].tolist() == [-0.25, -3]
    assert dict(data.scores[0].values) == {"S1": -0.25, "S-2.beta": -3}
    rating = mt.read_dataset(str(folder / "human-scores/en-de.mqm.merged.seg.rating"))
    assert len(rating.judgments["en-de.mqm.merged"]) == 2
    documents = mt.read_dataset(str(folder / "human-scores/en-de.wmt-z.doc.score"))
    with pytest.raises(mt.InputError, match="read the whole folder, --data mtme:FOLDER"):
        documents.judgments["en-de.wmt-z"]


def test_the_language_pair_is_named_if_there_are_several(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(mt.InputError, match=f"one of en-de, en-ru: type {folder}/en-de"):
        mtme.read(str(folder))
    with pytest.raises(mt.InputError, match="expected a language pair"):
        mtme.read(f"{folder}/de-en")
    with pytest.raises(mt.InputError, match="expected a folder of mt-metrics-eval"):
        mtme.read(str(tmp_path))
    (folder / "sources/en-ru.txt").unlink()
    assert list(mtme.read(str(folder)).systems) == ["S-2.beta", "S1"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("documents/en-de.docs", "d1\n", r"en-de.docs:1: expected 'DOMAIN DOCUMENT', got 'd1'"),
        ("documents/en-de.docs", "n d1\n", r"1 document ids for 3 segments"),
        ("references/en-de.refB.txt", "a\n", r"refB.txt has 1 segments"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, name: str, text: str, message: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(mt.InputError, match=message):
        mtme.read(f"{folder}/en-de")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.seg.score", "A 1\nA 2 3\n", r"x.seg.score:2: expected 'SYSTEM SCORE'"),
        ("x.seg.score", "A 1\nA 2\nB 1\n", r"1 scores of 'B'; expected 2"),
        ("x.seg.score", "A 1,5\n", r"x.seg.score:1: .*a decimal comma\? Write a point"),
        ("x.seg.score", "A 1_0\n", r"x.seg.score:1: the score '1_0'; expected a number"),
        ("x.seg.score", "A inf\n", r"x.seg.score:1: the score 'inf'"),
        ("x.seg.score", "A None\n", r"x.seg.score: no judgments"),
        ("x.sys.score", "A 1\nA 2\n", r"2 scores of 'A'; expected 1"),
        ("x.seg.rating", "A\n", r"x.seg.rating:1: 1 cells"),
        ("x.seg.rating", "A\t{\n", r"x.seg.rating:1: not a JSON object"),
        ("x.seg.rating", "A\t{}\n", r"x.seg.rating:1: expected {\"errors\""),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(mt.InputError, match=message):
        mtme_scores.read(str(path)).judgments["x"]


# On the command line

MINI = Path(__file__).parents[3] / "examples" / "mini"


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """Write the example test set as a folder of mt-metrics-eval."""
    if not MINI.is_dir():
        pytest.skip("examples/mini is absent")
    contents = {
        "sources/de-en.txt": (MINI / "src.de.txt").read_text("utf-8"),
        "references/de-en.refA.txt": (MINI / "ref0.txt").read_text("utf-8"),
        "documents/de-en.docs": "".join(f"d {doc}\n" for doc in lines(MINI / "docs.txt")),
        **{
            f"system-outputs/de-en/{path.name}": path.read_text("utf-8")
            for path in (MINI / "systems").glob("*.txt")
        },
    }
    rated = [line.split("\t") for line in lines(MINI / "ratings.tsv")[1:]]
    sums: dict[tuple[str, int], float] = {}
    for system, segment, _, adequacy, _ in rated:
        key = system, int(segment)
        sums[key] = sums.get(key, 0) + float(adequacy)
    contents["human-scores/de-en.ade.seg.score"] = "".join(
        f"{system}\t{sums[system, segment] / 3!r}\n" for system, segment in sorted(sums)
    )
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8", newline="")
    return tmp_path


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def test_correlate_needs_the_folder_and_the_name_of_the_human_scores(
    mini: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    pytest.importorskip("mteval_chrf")
    options = ["-m", "chrf", "-n", "0", "--level", "segment", "--format", "json"]
    systems = [str(path) for path in sorted((MINI / "systems").glob("*.txt"))]
    tidy = mini / "tidy.tsv"
    scored = [line.split("\t") for line in lines(mini / "human-scores/de-en.ade.seg.score")]
    tidy.write_text(
        "system\tsegment\tscore\n"
        + "".join(f"{system}\t{k % 120}\t{score}\n" for k, (system, score) in enumerate(scored))
    )
    file = str(mini / "human-scores/de-en.ade.seg.score")
    values = []
    pytest.importorskip("mteval_metaeval")
    for inputs in (
        ["-r", str(MINI / "ref0.txt"), "-i", *systems, "--human", str(tidy)],
        ["--data", f"mtme:{mini}", "--human", "ade.seg"],
        ["--data", f"mtme:{mini}", "--human", file],
        ["--data", f"mtme:{mini}", "--human", f"mtme-scores:{file}"],
    ):
        assert main(["correlate", *inputs, *options]) == 0
        report = json.loads(capsysbinary.readouterr()[0])
        values.append(re.findall(r"'value': ([-0-9.e]+)", str(report)))
    assert len(values[0]) > 5
    assert values[1:] == values[:1] * 3


# Real data: the correlations of news23-en-de

NEWS = Path(__file__).parents[4] / "shared" / "data" / "news23-en-de"


def columns(name: str) -> list[list[str]]:
    lines = (NEWS / name).read_text("utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


def correlations(judgments: mt.Judgments) -> list[float]:
    """Return all coefficients of BLEU and chrF with human scores, of systems and of segments."""
    metaeval = pytest.importorskip("mteval_metaeval")
    systems = {path.stem: mt.read_text(path) for path in sorted((NEWS / "systems").glob("*.txt"))}
    study = metaeval.study_metrics(
        systems, [mt.read_text(NEWS / "ref0.txt")], judgments, ["bleu", "chrf"]
    )
    resampling = metaeval.Resampling(n=20)
    found = metaeval.system_level(study, resampling)[0]
    if judgments.level == "segment":
        found += metaeval.segment_level(study, resampling)[0]
    return [float(record.value) for record in found if record.value is not None]


def as_mqm(path: Path) -> None:
    """Write scores as errors: 25, 5, 1 and 0.1 points, in the layout of MQM ratings."""
    lines = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    kinds = (("Non-translation!\tMajor", 250), ("Style/Awkward\tMajor", 50))
    for system, segment, rater, score, *_ in columns("human_raters.tsv"):
        tenths = round(-10 * float(score))
        start = f"{system}\td\t1\t{int(segment) + 1}\t{rater}\ts\tt"
        lines.append(f"{start}\tNo-error\tNo-error")
        for kind, points in (
            *kinds,
            ("Style/Awkward\tMinor", 10),
            ("Fluency/Punctuation\tMinor", 1),
        ):
            count, tenths = divmod(tenths, points)
            lines += [f"{start}\t{kind}"] * count
    path.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.skipif(not NEWS.exists(), reason="the data set news23-en-de is not here")
@pytest.mark.parametrize("written", ["mqm", "seg", "sys"])
def test_news23_has_the_same_correlations_in_every_format(tmp_path: Path, written: str) -> None:
    pytest.importorskip("mteval_bleu_nist")
    pytest.importorskip("mteval_chrf")
    metaeval = pytest.importorskip("mteval_metaeval")
    if written == "mqm":
        as_mqm(tmp_path / "ratings.tsv")
        judgments = mt.read_dataset(str(tmp_path / "ratings.tsv")).judgments["mqm"]
        today = metaeval.choose_criteria(
            metaeval.read_judgments([NEWS / "human_raters.tsv"]), ["score"]
        )
    else:
        name = f"human_{written}.tsv"
        for part in ("sources", "references", "documents", "human-scores"):
            (tmp_path / part).mkdir()
        text = (NEWS / "ref0.txt").read_bytes()
        (tmp_path / "sources/en-de.txt").write_bytes(text)
        (tmp_path / "references/en-de.ref0.txt").write_bytes(text)
        documents = (NEWS / "docs.txt").read_text().split()
        (tmp_path / "documents/en-de.docs").write_text("".join(f"n {d}\n" for d in documents))
        (tmp_path / f"human-scores/en-de.mqm.{written}.score").write_text(
            "".join(f"{row[0]}\t{row[-1]}\n" for row in columns(name))
        )
        judgments = mt.read_dataset(f"mtme:{tmp_path}").judgments[f"mqm.{written}"]
        today = metaeval.read_judgments([NEWS / name])
    assert replace(judgments, criteria=()).systems == today.systems
    expected = correlations(today)
    assert len(expected) > 10
    np.testing.assert_allclose(correlations(judgments), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-0.5", "1e3"], [1.0, -0.5, 1000.0]),
        (["1", "None", "2"], [1.0, None, 2.0]),
        (["nan", "2", ""], [None, 2.0, None]),
        ([], []),
    ],
)
def test_scores_of_a_file_are_numbers_or_missing(
    cells: list[str], expected: list[float | None]
) -> None:
    values = numbers(cells, "f")
    assert [None if math.isnan(value) else value for value in values] == expected
    np.testing.assert_array_equal(values, [number(cell, "f") for cell in cells])


@pytest.mark.parametrize("cell", ["1_000", "inf", "-inf", "1,5", "x", "1 2"])
def test_what_is_no_score_is_refused_with_its_line(cell: str) -> None:
    with pytest.raises(mt.InputError, match=rf"^f:2: the score {re.escape(repr(cell))}"):
        numbers(["1", cell, "None"], "f")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"hypothesis": None}, r"S1.jsonl:2: 'hypothesis' is null; expected a string"),
        ({"hyp": "zwo"}, r"S1.jsonl:2: no field 'hypothesis'; expected a string"),
        ({"hypothesis": ["zwo"]}, r"S1.jsonl:2: 'hypothesis' is \[\"zwo\"\]; expected a string"),
        ({"hypothesis": 2}, r"S1.jsonl:2: 'hypothesis' is 2; expected a string"),
        (["zwo"], r"S1.jsonl:2: a JSON list; expected one object per line"),
    ],
)
def test_what_is_no_string_is_no_text(folder: Path, record: object, message: str) -> None:
    (folder / "system-outputs/en-de/S1.txt").unlink()
    text = json.dumps({"hypothesis": "eins"})
    path = folder / "system-outputs/en-de/S1.jsonl"
    path.write_text(f"{text}\n{json.dumps(record)}\n{text}\n")
    with pytest.raises(mt.InputError, match=message):
        mtme.read(f"{folder}/en-de")


@pytest.mark.parametrize(
    "name", ["references/en-de.refA", "system-outputs/en-de/S1", "sources/en-de"]
)
def test_two_files_of_one_name_are_refused(folder: Path, name: str) -> None:
    (folder / f"{name}.jsonl").write_text("{}\n")
    stem = name.rpartition("/")[2]
    with pytest.raises(mt.InputError, match=rf"{stem}.jsonl and {stem}.txt have the same name"):
        mtme.read(f"{folder}/en-de")


@pytest.mark.parametrize(
    "name",
    [
        "documents/en-de.docs",
        "references/en-de.refC.txt",
        "system-outputs/en-de/S3.txt",
        "human-scores/en-de.x.seg.score",
        "metric-scores/en-de/x.seg.score",
    ],
)
def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(mt.InputError, match=f"{name}: a folder, a pipe or a device"):
        mtme.read(f"{folder}/en-de")


def test_compressed_scores_have_the_name_of_the_file_before(folder: Path, tmp_path: Path) -> None:
    file = folder / "metric-scores/en-de/BLEU-refA.seg.score"
    packed = tmp_path / f"{file.name}.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    (plain,), (found,) = (mtme_scores.read(str(path)).scores for path in (file, packed))
    assert (found.name, found.level) == (plain.name, plain.level) == ("BLEU-refA.seg", "segment")
    assert list(mtme_scores.read(str(packed)).judgments) == ["BLEU-refA"]


def test_a_file_of_scores_with_another_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("S1 1\n")
    with pytest.raises(mt.InputError, match=r"expected a name such as NAME.seg.score"):
        mt.read_dataset(f"mtme-scores:{tmp_path / 'x'}")
