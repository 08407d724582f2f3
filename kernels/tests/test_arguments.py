"""Wrong arguments of kernels: both implementations refuse them alike, or both take them."""

from __future__ import annotations

import random
import warnings
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from types import ModuleType

ODD: list[Any] = [
    None, 0, 1, 2, -1, 10**30, -(10**30), True, 1.5, float("nan"), float("inf"), "a", b"a",
    np.int64(2), np.float32(1), [], (), {}, [0], [0, 1], [0.0, 1.0], ["a"], [[0, 1]],
    np.array(3), np.array([0, 1, 2]), np.array([0, 2]), np.array([1, 1, 0]), np.array([-1, 2]),
    np.array([1.5]), np.array(["a"]), np.array([True, False]), np.array([2**40]),
    np.array([0, 1], np.uint64), np.array([0, 1], np.int32), np.array([0, 3], np.uint8),
    np.array([0, 1], ">i4"), np.array([0, 1], object), np.array([], np.int64),
    np.array([], np.int32), np.arange(10, dtype=np.int32)[::2],
]  # fmt: skip
"""Values that an argument should not have, or that it may have by chance."""

KEYS = np.arange(6), np.arange(5, dtype=np.int32)
PHRASES = np.array([0, 0, 1]), np.array([[0, 1, 0, 1, 1]], np.int32)

PARAMETERS: dict[str, dict[str, Any]] = {
    "beam_alignment": {"relations": [None], "weights": [1], "beam": 4, "phrases": PHRASES},
    "clipped_matches": {"order": 2},
    "edit_distance": {},
    "lcs": {},
    "lcs_marks": {},
    "matched_ngrams": {"order": 3},
    "maximum_run_matching": {"exponent": 2.0, "budgets": np.ones(2), "limit": 5},
    "run_matching": {"exponent": 2, "budgets": np.ones(2), "ties": "last"},
    "shift_edit_distance": {"max_size": 3, "max_distance": 5, "beam": 3},
    "skip_bigrams": {"skip": 3},
    "staged_alignment": {"relations": [None, KEYS], "minimize": "chunks", "limit": 9},
    "weighted_lcs": {"values": np.arange(9.0)},
    "weighted_lcs_marks": {"values": np.arange(9.0)},
}


def texts() -> dict[str, Any]:
    return {
        "ids": np.array([1, 2, 3, 1, -1], np.int32),
        "starts": np.array([0, 2]),
        "ends": np.array([2, 5]),
        "index": np.array([0, 1, 2]),
    }


def outcome(kernel: Any, sides: list[dict[str, Any]], parameters: dict[str, Any]) -> str:
    """What a kernel returns or raises."""
    try:
        result = kernel(*(SimpleNamespace(**side) for side in sides), **parameters)
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    arrays = result if isinstance(result, tuple) else (result,)
    return repr([(array.dtype.str, array.tolist()) for array in arrays])


@pytest.mark.parametrize("name", PARAMETERS)
def test_odd_arguments_have_the_same_outcome(
    native: ModuleType, twins: SimpleNamespace, name: str
) -> None:
    draw = random.Random(name)
    refused = 0
    for _ in range(1500):
        sides, parameters = [texts(), texts()], dict(PARAMETERS[name])
        for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
            changed = draw.choice([*sides, *([parameters] if parameters else [])])
            changed[draw.choice(list(changed))] = draw.choice(ODD)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of numpy, about comparisons of odd types
            ours = outcome(getattr(native, name), sides, parameters)
            theirs = outcome(getattr(twins, name), sides, parameters)
        assert ours == theirs
        refused += "Error: " in ours
    assert 300 < refused < 1500


@pytest.mark.parametrize("ids", [[1.5, 2.5], ["1", "2"], [1, 2]])
def test_lists_are_refused_and_not_truncated(kernel: Any, ids: list[Any]) -> None:
    """A list of whole numbers has 64 bits, and the ids have 32."""
    wrong = SimpleNamespace(**{**texts(), "ids": ids})
    with pytest.raises(TypeError, match="ids: expected an array of int32, got"):
        kernel.lcs(wrong, wrong)
    with pytest.raises(TypeError, match="values: expected an array of float64, got <U1"):
        kernel.weighted_lcs(wrong, wrong, ["1", "2"])


def test_an_index_that_does_not_cover_all_texts_is_refused(kernel: Any) -> None:
    right, wrong = (SimpleNamespace(**texts()) for _ in range(2))
    wrong.index = np.array([0, 1, 1])
    with pytest.raises(ValueError, match="expected at least one text within 0:2"):
        kernel.lcs(right, wrong)
    wrong.starts, wrong.ends, wrong.index = np.zeros(3, int), np.ones(3, int), np.array([0, 1, 2])
    with pytest.raises(ValueError, match="have the references 0:2; expected all, 0:3"):
        kernel.lcs(right, wrong)
