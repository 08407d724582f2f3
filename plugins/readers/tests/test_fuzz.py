"""Damaged files: whatever is wrong, a reader gives a result or an `InputError`, and soon."""

from __future__ import annotations

import gzip
import json
import random
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mteval_readers import arrow, generated, json_records, tables

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD = {"doc_id": "en-de_#_n_#_a", "src_text": "s", "refs": {"refA": {"ref": "r"}}}
HUMAN = {
    "doc_id": "en-de_#_n_#_a_#_0",
    "src_text": "s",
    "tgt_text": {"refA": "r", "S": "o"},
    "scores": {"S": {"human": 1.5}},
}
SAMPLE = {"doc_id": 0, "filter": "f", "target": "t", "filtered_resps": ["o"]}
SUMMEVAL = {"id": "a", "model_id": "M", "expert_annotations": [{"fluency": 5}]}
RATING = {"errors": [{"category": "Style/Awkward", "severity": "Major"}]}
MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
SGML = (
    '<refset setid="s" srclang="de" trglang="en" refid="r">\n<doc docid="d"><seg id="1">a &amp; '
    'b</seg></doc></refset>\n<tstset setid="s" trglang="en"><DOC docid="d" sysid=t><seg id="1">'
    "a</seg></DOC></tstset>\n"
)
XML = (
    '<?xml version="1.0" encoding="utf-8"?>\n<dataset id="x"><doc id="d" origlang="de">'
    '<src lang="de"><p><seg id="1">a &lt; b</seg></p></src><ref lang="en" translator="A"><p>'
    '<seg id="1">c</seg></p></ref><hyp system="S" lang="en"><seg id="1">d</seg></hyp></doc>'
    "</dataset>"
)

DATA_SETS = {
    "x.sgm": SGML,
    "x.xml": XML,
    "wmt.jsonl": json.dumps(RECORD) + "\n",
    "humeval.jsonl": json.dumps(HUMAN) + "\n",
    "samples_x.jsonl": json.dumps(SAMPLE) + "\n" + json.dumps({**SAMPLE, "doc_id": 1}) + "\n",
    "summeval.jsonl": json.dumps(SUMMEVAL) + "\n",
    "ratings.jsonl": json.dumps({"system": "A", "segment": 0, "rater": "r", "score": 2.5}) + "\n",
    "comet.json": json.dumps({"A": [{"src": "s", "mt": "m", "ref": "r", "COMET": 0.5}]}),
    "mqm.tsv": MQM + "A\td\t1\t1\tr\ts\tt\tStyle/Awkward\tMajor\n",
    "esa.csv": 'u,S,4,TGT,eng,jpn,98,doc,False,"[{""a"":1}]",1,2\n',
    "x.seg.score": "A 0.5\nA 1\nB -1\nB 2\n",
    "x.sys.score": "A 0.5\nB -1\n",
    "x.seg.rating": f"A\t{json.dumps(RATING)}\tr\nA\tNone\n",
    "generate-x.txt": "S-0\ts\nT-0\tt\nH-0\t-0.5\th\nD-0\t-0.5\td\n",
}
"""A small file in each format of data sets."""

COLUMNS: dict[str, tuple[bytes, Callable[..., Any]]] = {
    "x.jsonl": (b'{"t": "a", "u": [1]}\n{"t": "\\u00e9"}\n', json_records.read),
    "x.json": (b'[{"t": "a"},\n {"t": null}]\n', json_records.read),
    "x.tsv": (b'id\tt\n1\t"a ""b"""\n2\tc\n', tables.read),
    "x.csv": (b'id,t\n1,"a ""b"", c"\n2,d\n', tables.read),
}

PIECES = [b"\0", b"\xff", b"\n", b"\r", b"\t", b'"', b"<", b">", b"{", b"}", b"[", b"]", b",", b":"]
PIECES += [b"&", b"]]>", b"\\ud800", b"null", b"NaN", b"1e999", b"-1", b"</seg>", b"\xef\xbb\xbf"]
PIECES += ["\u2028".encode(), b"9" * 5000, b"<!ENTITY a 'b'>", b"||| "]


def damaged(data: bytes, seed: int) -> bytes:
    """Delete, repeat, exchange or insert a few bytes, at random."""
    draw = random.Random(seed)
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(data) + 1)
        stop = min(len(data), start + draw.choice([0, 1, 1, 2, 5, 20]))
        kept = draw.choice(
            [b"", data[start:stop] * 2, draw.choice(PIECES), bytes([draw.randrange(256)])]
        )
        data = data[:start] + kept + data[stop:]
    return data


def check_reads_or_refuses(read: Callable[[], object], what: str) -> bool:
    """Whether a file is read; fail for another error than an `InputError`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mt.MtevalWarning)
        try:
            read()
        except mt.InputError:
            return False
        except Exception as error:
            raise AssertionError(f"{what}: {error!r}") from error
    return True


def everything(path: str) -> None:
    """Read a data set, and what it reads only when it is asked for."""
    data = mt.read_dataset(path)
    assert data.test_set or data.systems or data.judgments
    assert [data.judgments[name] for name in data.judgments if data.judgments[name].criteria] != [0]
    assert [scores for scores in data.scores if scores.name == 0] == []


@pytest.mark.parametrize("name", DATA_SETS)
def test_a_damaged_data_set_is_read_or_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    original = DATA_SETS[name].encode()
    path.write_bytes(original)
    assert check_reads_or_refuses(lambda: everything(str(path)), name)
    outcomes = set()
    for seed in range(250):
        path.write_bytes(damaged(original, seed))
        outcomes.add(check_reads_or_refuses(lambda: everything(str(path)), f"{name}, seed {seed}"))
    assert outcomes == {True, False}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_damaged_column_is_read_or_refused(name: str, tmp_path: Path) -> None:
    original, read = COLUMNS[name]
    path = tmp_path / name
    outcomes = set()
    for seed in range(400):
        path.write_bytes(damaged(original, seed))
        outcomes.add(check_reads_or_refuses(lambda: read(str(path), "t"), f"{name}, seed {seed}"))
    assert outcomes == {True, False}


def test_a_damaged_n_best_list_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.nbest"
    outcomes = set()
    for seed in range(300):
        path.write_bytes(damaged(b"0 ||| a b ||| F= 1 ||| 2\n1 ||| c ||| F= 1 ||| 2\n", seed))
        read = check_reads_or_refuses(lambda: generated.read_n_best(str(path)), f"seed {seed}")
        outcomes.add(read)
    assert outcomes == {True, False}


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_damaged_parquet_or_arrow_file_is_read_or_refused(tmp_path: Path, kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"t": ["a", "b", None], "u": [["x"], [], None]})
    path = tmp_path / f"x.{kind}"
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    original = path.read_bytes()
    outcomes = set()
    for seed in range(200):
        path.write_bytes(damaged(original, seed))
        read = check_reads_or_refuses(lambda: arrow.read(str(path), "t"), f"seed {seed}")
        outcomes.add(read)
    assert False in outcomes


@pytest.mark.parametrize("name", DATA_SETS)
def test_a_truncated_archive_is_refused(name: str, tmp_path: Path) -> None:
    data = gzip.compress(DATA_SETS[name].encode() * 50)
    path = tmp_path / f"{name}.gz"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(mt.InputError):
        everything(str(path))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("deep.jsonl", b'{"t": ' + b"[" * 1_000_000),
        ("deep.json", b"[" * 1_000_000),
        ("deep.xml", b"<dataset>" + b"<doc>" * 200_000),
        ("flat.xml", b"<dataset><doc id='" + b"x" * 1_000_000),
        ("open.sgm", b"<refset>" + b"<doc " * 200_000),
        ("quote.csv", b'a,t\n1,"' + b"x,\n" * 300_000),
        ("wide.tsv", b"t\t" * 500_000 + b"\n1\t2\n"),
        ("keys.jsonl", b"{" + b'"k":1,' * 200_000 + b'"t":""}'),
    ],
)
def test_a_hostile_file_is_refused_soon(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    read = {"xml": everything, "sgm": everything}.get(
        path.suffix[1:],
        lambda file: (tables if path.suffix[1:] in ("csv", "tsv") else json_records).read(
            file, "t"
        ),
    )
    start = time.process_time()
    with pytest.raises(mt.InputError, match=str(path)):
        read(str(path))
    assert time.process_time() - start < 10


def test_a_small_xml_file_does_not_become_large(tmp_path: Path) -> None:
    entities = "".join(f"<!ENTITY e{k} '{f'&e{k - 1};' * 10}'>" for k in range(1, 10))
    path = tmp_path / "bomb.xml"
    path.write_text(f"<!DOCTYPE d [<!ENTITY e0 'lol'>{entities}]><dataset>&e9;</dataset>")
    with pytest.raises(mt.InputError, match="defines or includes entities"):
        everything(str(path))
