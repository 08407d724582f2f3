"""Shorthands for tests of metrics, on the sample plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from mteval_testing.values import (
    assert_order_is_irrelevant,
    assert_rows_add,
    evaluate_sample,
    sentence_values,
    values_of_sums,
)

from mteval_core import Sample

if TYPE_CHECKING:
    import mteval_core as mt

SAMPLE = Sample(("a b c", "x"), (("a", "y"),))
"""One of three words matches, then none of one."""


def test_values_of_a_sentence(registry: mt.Registry) -> None:
    assert sentence_values("matches", "a b", "a", "a b", registry=registry)["P"] == 100


def test_values_of_sums(registry: mt.Registry) -> None:
    """Two segments, the corpus, both segments a thousand times, and two sums of no rows."""
    ((spec, values),) = values_of_sums(evaluate_sample(SAMPLE, ["matches"], registry=registry))
    assert spec == "matches"
    np.testing.assert_allclose(values["P"], [100 / 3, 0, 25, 100 / 3, 0, 0, 0])


def test_additive_rows_pass(registry: mt.Registry) -> None:
    assert_rows_add(SAMPLE, ["matches"], ["x", "y"], registry=registry)
    assert_order_is_irrelevant(SAMPLE, ["matches"], [1, 0], registry=registry)


def test_another_order_of_other_segments_fails(registry: mt.Registry) -> None:
    with pytest.raises(AssertionError):
        assert_order_is_irrelevant(SAMPLE, ["matches"], [0, 0], registry=registry)
