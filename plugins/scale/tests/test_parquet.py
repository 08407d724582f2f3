"""Reports as Parquet."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pq = pytest.importorskip("pyarrow.parquet")
for needed in ("mteval_bleu_nist", "mteval_error_rates"):
    pytest.importorskip(needed)


@pytest.fixture
def written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Any, list[dict[str, Any]]]]:
    """Score two systems: the table of the Parquet file, and the rows of CSV."""
    texts = {
        "ref": "The cat sat on the mat .\nIt was a dog , too .\n",
        "good": "The cat sat on the mat .\nIt was a dog also .\n",
        "bad": "Mat cat .\nthe dog was it , too .\n",
        "docs": "d1\nd2\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")

    def run(*flags: str) -> tuple[Any, list[dict[str, Any]]]:
        ref, good, bad, docs = (str(tmp_path / name) for name in texts)
        by_document = ["--docs", docs] if "doc" in flags else []
        command = ["score", ref, "-i", good, bad, "-m", "bleu", "ter", *by_document, *flags]
        out = tmp_path / "x.parquet"
        assert main([*command, "-o", str(out)]) == main([*command, "-f", "csv"]) == 0
        return pq.read_table(out), [*csv.DictReader(io.StringIO(capsys.readouterr().out))]

    return run


@pytest.mark.parametrize("flags", [["-sl"], ["--level", "doc"], ["-ci", "-par"], ["--wide"]])
def test_the_rows_are_those_of_csv(
    written: Callable[..., tuple[Any, list[dict[str, Any]]]], flags: list[str]
) -> None:
    table, rows = written(*flags)
    found = table.to_pylist()
    assert table.column_names == list(rows[0])
    assert len(found) == len(rows)
    for row, cells in zip(found, rows, strict=True):
        assert {key: "" if value is None else str(value) for key, value in row.items()} == cells


def test_columns_have_types(written: Callable[..., tuple[Any, list[dict[str, Any]]]]) -> None:
    types = {field.name: str(field.type) for field in written("-sl")[0].schema}
    assert (types["system"], types["id"], types["score"]) == ("string", "int64", "double")
    assert types["BLEU"] == types["P1"] == "double"


def test_values_without_a_common_type_are_json() -> None:
    records = [{"a": a, "b": b} for a, b in zip([1, "a", None], [1, 2.5, None], strict=True)]
    report = mt.Report.of("x", "X", [], records, inputs={})
    table = pq.read_table(io.BytesIO(bytes(mt.write_report(report, "parquet"))))
    assert table.to_pydict() == {"a": ["1", '"a"', None], "b": [1.0, 2.5, None]}


def test_a_file_is_written_row_group_by_row_group(monkeypatch: pytest.MonkeyPatch) -> None:
    from mteval_scale import parquet

    monkeypatch.setattr(parquet, "ROWS_OF_BATCH", 2)
    monkeypatch.setattr(parquet, "BATCHES_OF_GROUP", 3)
    records = [{"a": k or None, "b": str(k)} for k in range(13)]
    report = mt.Report.of("x", "X", [], records, inputs={})
    chunks = [*parquet.parquet(report, mt.Layout())]
    assert len(chunks) == 3 + 1  # 6, 6 and 1 rows, and the end of the file
    file = pq.ParquetFile(io.BytesIO(b"".join(chunks)))
    assert file.num_row_groups == 3
    assert file.read().to_pylist() == records
