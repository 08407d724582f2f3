"""The engine on a Ray that runs its tasks in this process, and sends everything in pickles."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from mteval_scale.ray import run, score
from mteval_testing import check_engine

from mteval_core import InputError, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HYPOTHESES, REFERENCES = ["a b", "c", "ü x"], ["a b", "d", "ü"]


class TaskError(Exception):
    """An error of a task, as Ray wraps it."""

    def __init__(self, cause: Exception) -> None:
        super().__init__("a long trace")
        self.cause = cause


class Ray(ModuleType):
    """Tasks run when they are waited for, the last one first."""

    exceptions = SimpleNamespace(RayTaskError=TaskError)

    def __init__(self) -> None:
        super().__init__("ray")
        self.started: list[dict[str, Any]] = []
        self.kept: dict[int, Any] = {}
        self.cores: dict[str, float] = {"CPU": 2.0}
        self.most_waiting = 0

    def is_initialized(self) -> bool:
        return bool(self.started)

    def init(self, **settings: Any) -> None:
        self.started.append(settings)

    def cluster_resources(self) -> dict[str, float]:
        return self.cores

    def put(self, value: Any) -> int:
        self.kept[len(self.kept)] = pickle.dumps(value)
        return len(self.kept) - 1

    def remote(self, function: Callable[..., Any]) -> Any:
        def submit(shared: int, part: Any) -> tuple[Any, ...]:
            return function, self.kept[shared], pickle.dumps(part)

        return SimpleNamespace(remote=submit)

    def wait(self, waiting: list[Any]) -> tuple[list[Any], list[Any]]:
        self.most_waiting = max(self.most_waiting, len(waiting))
        return waiting[-1:], waiting[:-1]

    def get(self, task: Any) -> Any:
        function, *pickled = task
        try:
            result = function(*map(pickle.loads, pickled))
        except Exception as error:
            raise TaskError(error) from error
        return pickle.loads(pickle.dumps(result))


class Dataset:
    """A data set in batches, which notes what is asked of it."""

    def __init__(self, table: Any, batches: int) -> None:
        self.table, self.batches, self.settings = table, batches, {}

    def select_columns(self, names: list[str]) -> Dataset:
        assert len(set(names)) == len(names)
        return Dataset(self.table.select(names), self.batches)

    def map_batches(self, function: Callable[[Any], Any], **settings: Any) -> Any:
        assert settings == {"batch_format": "pyarrow", "batch_size": 20_000, "num_gpus": 0.5}
        done = [function(self.table.slice(k, 1)) for k in range(self.batches)]
        return SimpleNamespace(iter_rows=lambda: (row for t in done for row in t.to_pylist()))


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ray]:
    module = Ray()
    monkeypatch.setitem(sys.modules, "ray", module)
    return module  # type: ignore[return-value]


def test_it_passes_the_kit(ray: Ray) -> None:
    assert [finding.message for finding in check_engine("ray")] == ["", ""]
    assert ray.started == [
        {"include_dashboard": False, "log_to_driver": False, "logging_level": "error"}
    ]


@pytest.mark.parametrize(("cores", "most"), [({"CPU": 2.0}, 8), ({"CPU": 0.5}, 4), ({}, 4)])
def test_few_tasks_wait_at_once(ray: Ray, cores: dict[str, float], most: int) -> None:
    ray.cores = cores
    assert sorted(run(str, range(30))) == sorted(map(str, range(30)))
    assert ray.most_waiting == most
    assert len(ray.kept) == 1  # the function is sent once


def refuse(part: int) -> int:
    raise InputError(f"part {part} is odd")


def test_an_error_of_a_task_comes_as_itself(ray: Ray) -> None:
    assert not ray.is_initialized()
    with pytest.raises(InputError, match=r"^part 7 is odd$") as caught:
        list(run(refuse, [7]))
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("metric", ["wer", "nist"])
def test_data_sets_are_scored_as_on_one_machine(ray: Ray, metric: str) -> None:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("mteval_error_rates")
    pytest.importorskip("mteval_bleu_nist")
    ids = pa.array([5, 0, 9], pa.int64())
    table = pa.table({"id": ids, "hyp": HYPOTHESES, "ref": REFERENCES, "other": [1, 2, 3]})
    roles: Any = {"hyp": {"A": "hyp", "B": "ref"}, "ref": ["ref"], "num_gpus": 0.5}
    found = score(Dataset(table, 4), [metric], **roles)
    whole = evaluate({"A": HYPOTHESES, "B": REFERENCES}, [REFERENCES], [metric])
    values = [each["values"] for each in found.to_records()]
    assert values == [each["values"] for each in whole.to_records()]
    assert len(ray.started) == 1
