"""Reports as Parquet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mteval_core import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

pq = pytest.importorskip("pyarrow.parquet")
for needed in ("mteval_bleu_nist", "mteval_error_rates"):
    pytest.importorskip(needed)


@pytest.fixture
def written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Any, list[dict[str, Any]]]]:
    """Score two systems: the table of the Parquet file, and the objects of JSON lines."""
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
        assert main([*command, "-o", str(out)]) == main([*command, "-f", "jsonl"]) == 0
        return pq.read_table(out), [*map(json.loads, capsys.readouterr().out.splitlines())]

    return run


def without_nulls(row: Mapping[str, object]) -> dict[str, Any]:
    """Leave out what is null, in nested values too: a column has every field in every row."""
    return {
        key: without_nulls(value) if isinstance(value, dict) else value
        for key, value in row.items()
        if value is not None
    }


@pytest.mark.slow
@pytest.mark.parametrize("flags", [[], ["-sl"], ["--level", "doc"], ["-ci"], ["-par"]])
def test_the_rows_are_those_of_json_lines(
    written: Callable[..., tuple[Any, list[dict[str, Any]]]], flags: list[str]
) -> None:
    table, lines = written(*flags)
    expected = [without_nulls(row) for row in lines if "level" in row and "values" in row]
    for row in expected:
        if "difference" in row:
            row["difference"] = row["difference"]["value"]
    found = [without_nulls(row) for row in table.to_pylist()]
    assert [row for row in found if row["level"] != "comparison"] == expected
    assert len(found) == len(expected) + (2 if "-par" in flags else 0)


def test_columns_have_types(written: Callable[..., tuple[Any, list[dict[str, Any]]]]) -> None:
    types = {field.name: str(field.type) for field in written("-sl")[0].schema}
    assert (types["system"], types["id"], types["score"]) == ("string", "int64", "double")
    assert types["values"].startswith("struct<BLEU: double, ")


def test_values_without_a_common_type_are_json() -> None:
    from mteval_scale.parquet import _column

    assert _column([1, "a", None]).to_pylist() == ["1", '"a"', None]
    assert _column([1, 2.5, None]).to_pylist() == [1.0, 2.5, None]
