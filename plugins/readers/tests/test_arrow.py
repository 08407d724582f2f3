"""Parquet, Arrow, and saved data sets.

pyarrow writes the files. ``saved/`` was written by Hugging Face datasets 5.2.0, with
``Dataset.from_dict(...).save_to_disk("saved", num_shards=2)``.
"""

from __future__ import annotations

import json
import random
import shutil
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mteval_readers import arrow

import mteval_core as mt

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SAVED = Path(__file__).parent / "saved"

COLUMNS: dict[str, list[Any]] = {
    "id": [1, 2, 3],
    "hyp": ["a", "b\nb", ""],
    "ref": ["x", None, "z"],
    "translation": [{"de": "eins", "en": "one"}, {"de": "zwei", "en": None}, None],
    "answers": [["p", "q"], ["r"], []],
    "score": [0.5, 1.5, 2.5],
    "raw": [b"\xff", b"", b"a"],
}


def write_parquet(table: Any, path: Path) -> None:
    pq.write_table(table, path, row_group_size=2)


def write_file(table: Any, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def write_stream(table: Any, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


@pytest.fixture(params=[write_parquet, write_file, write_stream])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = tmp_path / ("x.parquet" if request.param is write_parquet else "x.arrow")
    request.param(pa.table(COLUMNS), path)
    return str(path)


@pytest.mark.slow
def test_columns_are_read(file: str) -> None:
    assert arrow.read(file, "hyp") == ["a", "b\nb", ""]
    assert arrow.read(file, "ref") == ["x", None, "z"]
    assert list(arrow.read(file, "id")) == ["1", "2", "3"]
    assert arrow.read(file, "answers[*]") == [["p", "q"], ["r"], []]
    assert arrow.read(file, "answers[1]") == ["p", "r", None]


def test_fields_are_listed_as_they_are_typed(file: str) -> None:
    fields = ["translation.de", "translation.en", "answers[*]", "score", "raw"]
    assert arrow.fields(file) == ["id", "hyp", "ref", *fields]


def test_a_value_in_a_structure_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_parquet(pa.table({"translation": COLUMNS["translation"][:2]}), path)
    assert list(arrow.read(str(path), "translation.de")) == ["eins", "zwei"]
    assert arrow.read(str(path), "translation.en") == ["one", None]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("hypo", r"no field 'hypo'. Did you mean 'hyp'"),
        ("score", "row 1: 'score': expected"),
        ("raw", r"row 1: 'raw': expected a string"),
        ("answers", r"row 1: .*write answers\[1\] or answers\[\*\]"),
        ("translation.de", r"row 3: no field 'translation.de'"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_row(file: str, field: str, message: str) -> None:
    with pytest.raises(mt.InputError, match=message):
        arrow.read(file, field)


def test_invalid_utf_8_is_an_input_error(tmp_path: Path) -> None:
    text = pa.array([b"\xff"], pa.binary()).view(pa.string())
    write_file(pa.table({"t": text}), tmp_path / "x.arrow")
    with pytest.raises(mt.InputError, match=r"x.arrow: the column 't' cannot be read"):
        arrow.read(str(tmp_path / "x.arrow"), "t")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    write_file(pa.table([pa.array(["a"]), pa.array(["b"])], ["t", "t"]), tmp_path / "x.arrow")
    with pytest.raises(mt.InputError, match="2 columns are called 't'"):
        arrow.read(str(tmp_path / "x.arrow"), "t")


def test_a_truncated_file_is_an_input_error(file: str) -> None:
    data = Path(file).read_bytes()
    for size in (0, 5, 8, len(data) // 2, len(data) - 9):
        Path(file).write_bytes(data[:size])
        with pytest.raises(mt.InputError, match="cannot be read as Parquet or Arrow"):
            arrow.read(file, "hyp")


def test_without_pyarrow_the_message_says_what_to_install(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(mt.InputError, match=r"pip install 'mteval-readers\[arrow\]'"):
        arrow.read(file, "hyp")


# Saved data sets


def test_a_saved_data_set_is_read_in_the_order_of_its_files() -> None:
    state = str(SAVED / "state.json")
    assert list(arrow.read(state, "hyp")) == ["first", "second", "third"]
    assert list(arrow.read(state, "translation.de")) == ["eins", "zwei", "drei"]
    assert arrow.fields(state) == ["hyp", "translation.de", "translation.en"]
    assert len(arrow.files(state)) == 2


def test_only_the_state_of_a_data_set_is_one(tmp_path: Path) -> None:
    other = tmp_path / "state.json"
    other.write_text('[{"hyp": "a"}]')
    assert arrow.is_state(str(SAVED / "state.json"))
    assert arrow.is_no_state(str(other))
    assert not arrow.is_no_state(str(SAVED / "state.json"))
    assert arrow.is_no_state(str(SAVED / "dataset_info.json"))


@pytest.mark.parametrize(
    "content",
    [{"_data_files": []}, {"_data_files": [{"filename": "../x.arrow"}]}, {"_data_files": 1}, []],
)
def test_a_state_names_files_of_its_folder(tmp_path: Path, content: object) -> None:
    shutil.copytree(SAVED, tmp_path / "saved")
    state = tmp_path / "saved" / "state.json"
    state.write_text(json.dumps(content))
    with pytest.raises(mt.InputError, match=r"state.json: expected the names of files"):
        arrow.read(str(state), "hyp")


@pytest.mark.parametrize("write", [write_file, write_stream])
@pytest.mark.parametrize("last", [-5, 5000, 2**30, 2**31 - 1])
def test_offsets_that_point_outside_are_refused_before_anything_is_read(
    write: Any, last: int, tmp_path: Path
) -> None:
    path = tmp_path / "x.arrow"
    write(
        pa.table({"hyp": ["the cat sat on the mat", "a dog ran off", "three birds sing here now"]}),
        path,
    )
    offsets, crafted = (struct.pack("<4i", 0, 22, 35, end) for end in (60, last))
    data = path.read_bytes()
    assert data.count(offsets) == 1
    path.write_bytes(data.replace(offsets, crafted))
    code = "import sys; from mteval_readers import arrow; arrow.read(sys.argv[1], 'hyp')"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert done.returncode == 1, "the process crashed, or read what is outside"
    assert "InputError" in done.stderr
    assert "the column 'hyp' cannot be read" in done.stderr


def test_few_bytes_that_stand_for_many_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = pa.array(["a" * 10_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 9000, pa.int32()), text)
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"hyp": column}), path, compression="zstd")
    assert path.stat().st_size < 2000
    monkeypatch.setenv("MTEVAL_MAX_BYTES", "20000000")
    with pytest.raises(mt.InputError, match=r"x.parquet: more than 20,000,000 bytes of values"):
        arrow.read(str(path), "hyp")
    monkeypatch.setenv("MTEVAL_MAX_BYTES", "200000000")
    assert len(arrow.read(str(path), "hyp")) == 9000


@pytest.mark.parametrize("write", [write_file, write_stream])
def test_a_name_that_is_no_text_is_refused(write: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.arrow"
    write(pa.table({"hyp": ["a"]}), path)
    path.write_bytes(path.read_bytes().replace(b"hyp", b"h\xffp"))
    for read in (arrow.fields, lambda name: arrow.read(name, "hyp")):
        with pytest.raises(mt.InputError, match="cannot be read as Parquet or Arrow"):
            read(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["file", "stream", "parquet"])
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    write = {"file": write_file, "stream": write_stream, "parquet": write_parquet}[name]
    path, draw = tmp_path / "x", random.Random(34)
    write(pa.table(COLUMNS), path)
    whole = path.read_bytes()
    ends = [struct.pack("<i", end) for end in (-1, 5000, 2**30, 2**31 - 1)]
    n_read = 0
    for _ in range(1000):
        data = bytearray(whole)
        for _ in range(draw.choice([1, 1, 2, 4])):
            place = draw.randrange(len(data)) & ~3
            data[place : place + 4] = draw.choice([*ends, draw.randbytes(1)])
        path.write_bytes(data)
        for field in ("hyp", "answers[*]", "translation.de"):
            with suppress(mt.InputError):
                n_read += len(arrow.read(str(path), field))
    assert n_read
