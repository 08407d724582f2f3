"""An outsider's metric of annotations of the test set, from files with columns and data sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Mapping

PLUGIN = Path(__file__).parent / "gender" / "mteval_gender.py"

AMICA, SOLA = {"right": "amica", "wrong": "amico"}, {"right": "sola", "wrong": "solo"}
REFERENCES = ["la mia amica è sola", "un' amica", "niente"]
GENDER = [[AMICA, SOLA], [AMICA], []]
OUTPUTS = {
    # amica right, solo wrong; amica right: 2 of 3 found are right, 3 of 3 found.
    "X": ["la mia amica è solo", "una amica", "niente"],
    # amico wrong, sola missing; amica missing: 0 of 1 found, 1 of 3 found.
    "Y": ["il mio amico", "una persona", "amica"],
}
EXPECTED = {
    "X": {"accuracy": 200 / 3, "terms": 100.0},
    "Y": {"accuracy": 0.0, "terms": 100 / 3},
}


@pytest.fixture
def run(mteval: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command with the plugin, in a folder with the texts."""
    monkeypatch.chdir(tmp_path)
    write_data(GENDER)
    for name, lines in OUTPUTS.items():
        Path(f"{name}.txt").write_text("\n".join([*lines, ""]), "utf-8")
    return lambda *words: mteval("-p", str(PLUGIN), *words)


def write_data(gender: list[Any]) -> None:
    rows = zip(REFERENCES, gender, strict=True)
    lines = [
        json.dumps({"id": f"s{i}", "ref": r, "gender": g, "hyp": OUTPUTS["X"][i]})
        for i, (r, g) in enumerate(rows)
    ]
    Path("data.jsonl").write_text("\n".join([*lines, ""]), "utf-8")
    system_rows = [
        {"id": f"s{i}", "sys": name, "hyp": text, "ref": REFERENCES[i], "gender": gender[i]}
        for name, texts in OUTPUTS.items()
        for i, text in reversed([*enumerate(texts)])
    ]
    text = "\n".join([*map(json.dumps, system_rows), ""])
    Path("rows.jsonl").write_text(text, "utf-8")


def values(report: Mapping[str, Any]) -> dict[str, Any]:
    return {record["system"]: record["values"] for record in report["records"]}


FROM_FILE = ("data.jsonl::ref", "-i", "X.txt", "Y.txt", "--fields", "gender=data.jsonl::gender")
FROM_DATA = ("--data", "data.jsonl", "--fields", "ref=ref,gender=gender", "-i", "X.txt", "Y.txt")
FROM_ROWS = ("--data", "rows.jsonl", "--fields", "hyp=hyp,ref=ref,id=id,system=sys,gender=gender")


@pytest.mark.parametrize("words", [FROM_FILE, FROM_DATA, FROM_ROWS])
def test_annotations_come_from_a_file_a_data_set_and_rows_of_systems(
    run: Any, words: tuple[str, ...]
) -> None:
    done = run("score", *words, "-m", "gender", "-f", "json", "-q", "-o", "report.json")
    assert done.code == 0, done.err
    found = values(json.loads(Path("report.json").read_text("utf-8")))
    assert found == {name: pytest.approx(expected) for name, expected in EXPECTED.items()}
    assert run("replay", "report.json").code == 0
    write_data([[AMICA], [AMICA], []])
    done = run("replay", "report.json")
    assert done.code == 1
    assert "the column 'gender' " in " ".join(done.out.split())


def test_columns_are_joined_by_ids(run: Any) -> None:
    lines = Path("data.jsonl").read_text("utf-8").splitlines()
    Path("shuffled.jsonl").write_text("\n".join([*lines[::-1], ""]), "utf-8")
    words = ("score", "data.jsonl::ref", "-i", "data.jsonl::hyp", "-m", "gender", "-f", "csv")
    done = run(*words, "--fields", "id=id,gender=shuffled.jsonl::gender", "-q")
    assert done.code == 0, done.err
    assert ",66.666666" in done.out


def test_a_merge_of_parts_refuses_a_metric_of_columns(run: Any) -> None:
    done = run("plan", "data.jsonl::ref", "-i", "X.txt", "-m", "gender", "-o", "plan.json")
    assert done.code == 2
    assert "needs the column 'gender', and parts of a test set have only texts" in done.err


def test_a_data_set_in_python_has_columns(tmp_path: Path) -> None:
    path = tmp_path / "data.tsv"
    rows = ["ref\thyp\tgender", f"la\tamica\t{json.dumps([AMICA])}", "la\tamico\t[]"]
    path.write_text("\n".join([*rows, ""]), "utf-8")
    dataset = mt.read_dataset(str(path), fields="hyp=hyp,ref=ref,gender=gender")
    assert dataset.test_set is not None
    assert [*dataset.text("column.gender")] == [json.dumps([AMICA]), "[]"]
    assert dataset.test_set.columns["gender"].path == f"{path}::gender"


def test_parquet_has_lists_and_objects(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "data.parquet"
    table = pa.table({"ref": REFERENCES, "delays": [[1, 2.5], [], [3]]})
    pq.write_table(table, path)
    dataset = mt.read_dataset(str(path), fields="ref=ref,delays=delays")
    assert dataset.test_set is not None
    assert [*dataset.test_set.columns["delays"]] == ["[1.0, 2.5]", "[]", "[3.0]"]


def test_all_metrics_are_those_that_texts_are_enough_for(run: Any) -> None:
    Path("ref.txt").write_text("\n".join([*REFERENCES, ""]), "utf-8")
    done = run("score", "ref.txt", "-i", "X.txt", "-m", "all", "-q")
    assert done.code == 0, done.err
    assert "gender" not in done.out
