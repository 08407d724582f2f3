"""The engine on a Spark that runs its tasks in this process, and sends everything in pickles."""

from __future__ import annotations

import os
import pickle
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_scale.spark import run, score, session
from mteval_testing import check_engine

from mteval_core import InputError, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HYPOTHESES, REFERENCES = ["a b", "c", "ü x"], ["a b", "d", "ü"]


class Tasks:
    """Parts, and what is done with them when they are asked for."""

    def __init__(self, parts: list[Any], n_tasks: int) -> None:
        assert n_tasks == max(1, len(parts))
        self.parts, self.call = parts, b""

    def map(self, call: Callable[[Any], Any]) -> Tasks:
        self.call = pickle.dumps(call)
        return self

    def toLocalIterator(self, *, prefetchPartitions: bool) -> Iterator[Any]:
        assert prefetchPartitions
        return (pickle.loads(self.call)(pickle.loads(pickle.dumps(part))) for part in self.parts)


class Builder:
    """Makes a session, and notes its settings."""

    def __init__(self) -> None:
        self.settings: dict[str, str] = {}
        self.levels: list[str] = []
        self.active: Any = None

    def appName(self, name: str) -> Builder:
        return self.config("name", name)

    def master(self, address: str) -> Builder:
        return self.config("master", address)

    def config(self, key: str, value: str) -> Builder:
        self.settings[key] = value
        return self

    def getOrCreate(self) -> Any:
        context = SimpleNamespace(parallelize=Tasks, setLogLevel=self.levels.append)
        self.active = SimpleNamespace(sparkContext=context)
        return self.active


@pytest.fixture
def spark(monkeypatch: pytest.MonkeyPatch) -> Builder:
    for name in ("SPARK_REMOTE", "MASTER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYSPARK_PYTHON", "")
    monkeypatch.delenv("PYSPARK_PYTHON")
    builder, sql = Builder(), ModuleType("pyspark.sql")
    active = SimpleNamespace(builder=builder, getActiveSession=lambda: builder.active)
    sql.SparkSession = active  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", sql)
    return builder


def test_it_passes_the_kit(spark: Builder) -> None:
    assert [finding.message for finding in check_engine("spark")] == ["", ""]
    assert spark.levels == ["ERROR"]  # one session for all runs


def test_a_session_starts_on_all_cores_without_a_web_page(spark: Builder) -> None:
    started = session()
    assert spark.settings == {"name": "mteval", "spark.ui.enabled": "false", "master": "local[*]"}
    assert session() is started
    assert os.environ["PYSPARK_PYTHON"] == sys.executable


@pytest.mark.parametrize("name", ["SPARK_REMOTE", "MASTER"])
def test_settings_of_the_user_are_kept(
    spark: Builder, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "elsewhere")
    monkeypatch.setenv("PYSPARK_PYTHON", "python9")
    session()
    assert "master" not in spark.settings
    assert os.environ["PYSPARK_PYTHON"] == "python9"


def refuse(part: int) -> int:
    raise InputError(f"part {part} is odd")


def test_results_come_in_order_and_errors_come_through(spark: Builder) -> None:
    assert list(run(str, [3, 1, 2])) == ["3", "1", "2"]
    with pytest.raises(InputError, match="part 7 is odd"):
        list(run(refuse, [7]))
    assert spark.active is not None


class DataFrame:
    """A data frame whose partitions have one batch per row, and one of them none."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def select(self, *names: str) -> DataFrame:
        assert len(set(names)) == len(names)
        return DataFrame(self.table.select(names))

    def mapInArrow(self, batches: Callable[..., Iterator[Any]], schema: str) -> Any:
        assert schema == "result binary"
        rows = self.table.to_batches(max_chunksize=1)
        partitions = [iter(rows[:2]), iter([]), iter(rows[2:])]
        results = [row for part in partitions for done in batches(part) for row in done[0]]
        done = [SimpleNamespace(result=bytearray(row.as_py())) for row in results]
        return SimpleNamespace(toLocalIterator=lambda: iter(done))


@pytest.mark.parametrize("metric", ["wer", "nist"])
def test_data_frames_are_scored_as_on_one_machine(metric: str) -> None:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("mteval_error_rates")
    pytest.importorskip("mteval_bleu_nist")
    ids = pa.array([5, 0, 9], pa.int64())
    table = pa.table({"id": ids, "hyp": HYPOTHESES, "ref": REFERENCES, "other": [1, 2, 3]})
    found = score(DataFrame(table), [metric], hyp={"A": "hyp", "B": "ref"}, ref=["ref"])
    whole = evaluate({"A": HYPOTHESES, "B": REFERENCES}, [REFERENCES], [metric])
    values = [each["values"] for each in found.to_records()]
    assert values == [each["values"] for each in whole.to_records()]
