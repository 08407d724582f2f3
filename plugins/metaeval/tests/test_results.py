"""Notes on correlations that deserve no trust."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mteval_metaeval import Correlation
from mteval_metaeval.notes import NegativeCorrelations, OutsideInterval
from mteval_metaeval.results import doubts

from mteval_core import Estimate


def correlation(metric: str = "BLEU", value: float = 0.5, **changes: Any) -> Correlation:
    fields: dict[str, Any] = {"set": "", "criterion": "MQM", "quantity": "pearson", "n": 9}
    return Correlation(metric=metric, value=value, **{**fields, **changes})


def between(low: float, high: float) -> Any:
    return Estimate((low + high) / 2, np.linspace(low, high, 1001), []).interval(95, "percentile")


@pytest.mark.parametrize(
    ("value", "outside"),
    [(0.5, False), (0.21, True), (0.79, True), (0.3, False), (float("nan"), False)],
)
def test_a_value_outside_its_interval(value: float, outside: bool) -> None:  # noqa: FBT001 - a case
    record = correlation(value=value).within(between(0.25, 0.75))
    notes = list(doubts([record]))
    expected = OutsideInterval("MQM", (("BLEU", "", "pearson"),))
    assert notes == ([expected] if outside else [])
    assert record.interval is not None
    assert not record.interval.excludes(value)
    assert (record.interval.low, record.interval.high) == pytest.approx(
        (min(value, 0.2625), max(value, 0.7375)) if outside else (0.2625, 0.7375)
    )


def test_rounding_puts_no_value_outside() -> None:
    interval = between(0.5, 0.5)
    assert list(doubts([correlation(value=interval.high + 1e-12).within(interval)])) == []


def test_one_note_for_each_criterion() -> None:
    records = [
        correlation(metric, criterion=criterion, quantity=quantity).within(between(0.6, 0.9))
        for criterion in ("fluency", "adequacy")
        for metric in ("BLEU", "TER")
        for quantity in ("pearson", "kendall")
    ]
    names = tuple((m, "", q) for m in ("BLEU", "TER") for q in ("pearson", "kendall"))
    assert list(doubts(records)) == [
        OutsideInterval("fluency", names),
        OutsideInterval("adequacy", names),
    ]


@pytest.mark.parametrize(
    ("values", "n_negative"),
    [
        ([-0.1], 1),
        ([0.1], None),
        ([-0.1, 0.1], None),
        ([-0.1, -0.1, 0.1], 2),
        ([float("nan"), -0.1], None),
        ([], None),
    ],
)
def test_most_metrics_are_more_than_half(values: list[float], n_negative: int | None) -> None:
    notes = list(doubts(correlation(f"m{k}", value) for k, value in enumerate(values)))
    negative = [NegativeCorrelations("MQM", n_negative, len(values))] if n_negative else []
    assert notes == negative


def test_the_first_correlation_of_a_metric_counts() -> None:
    kendall = correlation(value=-0.5, quantity="kendall")
    assert list(doubts([correlation(), kendall])) == []
    assert list(doubts([kendall, correlation()])) == [NegativeCorrelations("MQM", 1, 1)]


def test_a_metric_counts_once_in_each_set() -> None:
    records = [correlation(value=-0.5, set=name) for name in ("case", "nocase", "case")]
    assert list(doubts(records)) == [NegativeCorrelations("MQM", 2, 2)]
