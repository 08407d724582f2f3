"""Every engine gives what one machine gives, to the last bit.

The engines ``ray`` and ``spark`` are tested where their libraries are: ``tox -e ray,spark``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mteval_scale.plan import plan_of
from mteval_scale.tables import parquet_files
from mteval_testing.targets import load

import mteval_core as mt
from mteval_core import Kept, main

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
]

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

MINI = Path(__file__).parents[3] / "examples" / "mini"


def is_planned(metric: str) -> bool:
    """Whether parts of texts can be counted under a metric."""
    try:
        plan_of([metric], ["A"], ["ref"], source=True)
    except mt.UsageError:
        return False
    return True


DECLARED = [entry.declaration for entry in mt.default_registry().of_kind(mt.MetricSpec)]
METRICS = [each.name for each in DECLARED if not each.pooled and is_planned(each.name)]
METRICS += ["bleu:loo=yes", "chrf:nw=2", "gtm:e=2"]


def lines(name: str) -> list[str]:
    return (MINI / name).read_text().split("\n")[:-1]


TEXTS = {name: lines(f"systems/{name}.txt") for name in ("deep", "rule", "short")}
REFERENCES = [lines(f"ref{k}.txt") for k in range(2)]
SOURCE = lines("src.de.txt")
DOCUMENTS = lines("docs.txt")
N = len(DOCUMENTS)

ROLES: dict[str, Any] = {
    "id": "i",
    "hyp": list(TEXTS),
    "ref": ["ref0", "ref1"],
    "src": "source",
    "doc": "document",
}


def table(ids: Any) -> Any:
    columns = {**TEXTS, "ref0": REFERENCES[0], "ref1": REFERENCES[1]}
    columns |= {"source": SOURCE, "document": DOCUMENTS}
    texts = {name: pa.array([text[i] for i in ids], pa.string()) for name, text in columns.items()}
    return pa.table({"i": pa.array(ids, pa.int64()), **texts})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven files of shuffled segments, one of them with several row groups, and an empty one."""
    folder = tmp_path_factory.mktemp("parts")
    order = np.random.default_rng(1).permutation(N).tolist()
    for k, ids in enumerate([*np.array_split(order, 7), np.empty(0, np.int64)]):
        pq.write_table(table(ids.tolist()), folder / f"{k}.parquet", row_group_size=50 if k else 6)
    return folder


@pytest.fixture(scope="module", params=["local", "ray", "spark"])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    name: str = request.param
    if name == "ray":
        ray = pytest.importorskip("ray")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
        yield name
        ray.shutdown()
    elif name == "spark":
        pytest.importorskip("pyspark")
        from mteval_scale.spark import session

        yield name
        session().stop()
    else:
        yield name


@pytest.fixture(scope="module")
def whole() -> mt.Evaluation:
    return mt.evaluate(TEXTS, REFERENCES, METRICS, documents=DOCUMENTS, source=SOURCE)


def scored(engine: str, folder: Path, metrics: Any = METRICS, **settings: Any) -> mt.Evaluation:
    """Score a data set of Ray, a data frame of Spark, or files."""
    if engine == "ray":
        import ray
        from mteval_scale.ray import score

        dataset = ray.data.read_parquet(str(folder))
        return score(dataset, metrics, **ROLES, **settings)
    if engine == "spark":
        from mteval_scale.spark import score, session

        frame = session().read.parquet(str(folder))
        return score(frame, metrics, **ROLES, **settings)
    kept = Kept(**settings)
    run = load(mt.default_registry().find(mt.EngineSpec, engine).declaration.function)
    source = parquet_files(f"{folder}/*.parquet", run, **ROLES, level=kept.level)
    return mt.evaluate(source, metrics, kept=kept)


@pytest.mark.slow
def test_scores_intervals_and_tests(engine: str, folder: Path, whole: mt.Evaluation) -> None:
    drawn: dict[str, Any] = {"resampler": "poisson", "seed": 7}
    found, expected = (
        each.confidence(200, **drawn).compare("bs", **drawn)
        for each in (scored(engine, folder, resamples=200, seed=7), whole)
    )
    assert found.to_records() == expected.to_records()
    assert found.to_dict()["comparisons"] == expected.to_dict()["comparisons"]


@pytest.mark.parametrize("level", ["doc", "segment"])
def test_parts_of_the_test_set(engine: str, folder: Path, whole: mt.Evaluation, level: Any) -> None:
    found = scored(engine, folder, ["chrf", "rouge-w", "nist"], level=level)
    expected = [one for one in whole.to_records(level) if one["metric"] in found.scorers]
    order = [(one["metric"], one["system"], one["id"]) for one in expected]
    records = {(one["metric"], one["system"], one["id"]): one for one in found.to_records(level)}
    assert [records[key] for key in order] == expected


def test_the_command(engine: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = "id=i,hyp=deep,hyp=rule,ref=ref0"
    data = ["--data", f"{folder}/*.parquet", "--fields", fields, "--engine", engine]
    drawn = ["-m", "bleu", "-ci", "-pbs", "--resampler", "poisson", "-n", "50", "-f", "json"]
    assert main(["score", *data, *drawn, "-q"]) == 0
    expected = mt.evaluate({n: TEXTS[n] for n in ("deep", "rule")}, REFERENCES[:1], ["bleu"])
    poisson: dict[str, Any] = {"resampler": "poisson"}
    found_records = json.loads(capsys.readouterr().out)["records"]
    assert found_records == expected.confidence(50, **poisson).compare("bs", **poisson).to_records()


ENGINE = """
import mteval_core

def losing(call, parts):
    return [call(part) for part in parts[1:]]

def ending(call, parts):
    raise SystemExit(0)

def nothing(call, parts):
    return None

@mteval_core.hookimpl
def mteval_register_engines():
    return [
        mteval_core.EngineSpec(function.__name__, help="wrong", function=function)
        for function in (losing, ending, nothing)
    ]
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [("losing", "lost 1 of 9 parts"), ("ending", "SystemExit"), ("nothing", "TypeError")],
)
def test_an_engine_that_loses_a_part_is_an_error(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    path = tmp_path / f"{name}_engine.py"  # the name of a module, which is loaded once
    path.write_text(ENGINE)
    data = ["--data", f"{folder}/[0-6].parquet", "--fields", "id=i,hyp=deep,ref=ref0"]
    command = ["-p", str(path), "score", *data, "--engine", name, "-m", "bleu", "-b"]
    assert main(command) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert f"engine '{name}' in {path}" in err
    assert message in err


def test_a_lost_worker_is_replaced(engine: str, tmp_path: Path) -> None:
    if engine != "ray":
        pytest.skip("the workers are threads, or Spark on one machine, which cannot lose any")
    from mteval_scale.ray import run

    path = tmp_path / "died"

    def dying_once(part: int) -> int:
        """Double a number; the first call ends its process. Ray sends it as it is."""
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            os._exit(1)
        return 2 * part

    assert sorted(run(dying_once, range(5))) == [0, 2, 4, 6, 8]
    assert path.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fields", "hyp=deep,ref=ref0"], "and --fields id=FIELD"),
        (["--fields", "id=i,hyp=deep,ref=ref0,domain=d"], "--engine has no use"),
        (["--fields", "id=i,hyp=nobody,ref=ref0"], "no field 'nobody'; it has i, deep"),
        (["--fields", "id=i,hyp=deep,ref=ref0", "-i", "x.txt"], "reads all texts"),
        (["--fields", "id=deep,hyp=deep,ref=ref0"], "expected int64"),
        (["--fields", "id=i,hyp=deep,ref=ref0", "--level", "doc"], "and --fields doc=FIELD"),
    ],
)
def test_wrong_requests_are_refused(
    folder: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["score", "--engine", "local", "--data", f"{folder}/*.parquet", "-m", "wer"]
    assert main([*command, *arguments]) in (2, 3)
    assert message in capsys.readouterr().err


def test_files_that_are_not_there_or_not_parquet_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.parquet").write_text("no")
    command = ["score", "--engine", "local", "--fields", "id=i,hyp=a,ref=b", "-m", "wer", "--data"]
    assert main([*command, f"{tmp_path}/*.parquet"]) == 3
    assert "x.parquet: not a Parquet file" in capsys.readouterr().err
    assert main([*command, f"{tmp_path}/*.none"]) == 3
    assert "no such files; expected Parquet files" in capsys.readouterr().err
    assert main(["score", "--engine", "none", "--data", "x", "--fields", "id=i,hyp=a"]) == 2
    assert "unknown engine 'none'. Known: local, ray, spark." in capsys.readouterr().err
