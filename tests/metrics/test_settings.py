"""Options that cannot change a score: in the settings of a report, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt
from mteval_core.report import Column

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Judge:
    """A judge that keeps its answers in a folder; the score is 0.5, and 0 if it is strict."""

    strict: bool
    cache: str

    def segment_statistics(self, *_: Any) -> list[float]:
        return [0.0 if self.strict else 0.5]


@pytest.fixture
def registry(plugin: Callable[..., Any]) -> mt.Registry:
    options = (mt.Option("strict", default=False), mt.Option("cache", "", signed=False))
    judge = mt.MetricSpec("judge", factory=Judge, values={"judge": 100}, options=options)
    return mt.load_registry([plugin(metrics=[judge])])


def test_the_metric_gets_an_option_that_its_spec_does_not_show(registry: mt.Registry) -> None:
    judge = mt.metric("judge:cache=/home/me,strict=yes", registry=registry)
    assert judge.setup.options == {"strict": True, "cache": "/home/me"}
    assert str(judge.spec) == "judge:strict=yes"
    assert Column.heads_of(judge) == ("judge ↑", "strict=yes")
    assert "/home/me" not in str(judge.signature([["a"]]))


def test_a_report_lists_the_settings_apart_from_its_records(registry: mt.Registry) -> None:
    evaluation = mt.evaluate({"A": ["a"]}, [["a"]], ["judge:cache=x"], registry=registry)
    report = evaluation.to_dict()
    assert report["settings"] == {"judge": {"cache": "x"}}
    assert [record["metric"] for record in report["records"]] == ["judge"]


@pytest.mark.parametrize(("name", "better"), [("bleu", "higher"), ("ter", "lower")])
def test_a_record_says_which_direction_is_better(name: str, better: str) -> None:
    (record,) = mt.evaluate({"A": ["a"]}, [["a"]], [name]).to_records()
    assert record["better"] == better
