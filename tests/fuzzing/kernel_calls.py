"""Calls of the kernels, with arguments that are mostly valid: the native ones against the twins."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fuzzing import Target, mixed
from fuzzing.texts import NASTY
from mteval_kernels.table import twin

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Arguments = dict[str, Any]

ODD: list[Any] = [
    None, True, -1, 0, 1, 7, 2**31, 2**63, 10**30, 0.5, -1.5, 1e300, float("nan"), "2", "", b"ab",
    [], [1.5], ["a"], (1, 2), np.zeros(0), np.zeros(3), np.zeros((2, 2)), np.arange(3),
    np.arange(3, dtype=np.int32), np.array([0, 9]), np.array([1, 0]), np.array(["a"]),
    np.array([0, 1, 2], ">i8"), np.array([np.nan, 1.0]), np.array([None]),
]  # fmt: skip
"""Values that an argument may have by mistake."""


def relations(draw: random.Random) -> list[Any]:
    """Draw relations of tokens: equality, or keys that tokens share."""
    some: list[Any] = [None]
    for _ in range(draw.randrange(3)):
        lengths = [draw.randrange(3) for _ in range(12)]
        keys = [draw.randrange(5) for _ in range(sum(lengths))]
        some.append((np.cumsum([0, *lengths]), np.array(keys, np.int32)))
    return draw.sample(some, draw.randint(1, len(some)))


def weights_of(draw: random.Random, n: int) -> Any:
    """Draw decimal numbers, some of them equal."""
    return np.array([draw.choice([0.0, 0.5, 1.0, draw.random()]) for _ in range(n)])


def aligned(draw: random.Random) -> Arguments:
    """Draw the arguments of a beam alignment."""
    given = relations(draw)
    weights = [draw.choice([0, 1, 5, 65_535]) for _ in given]
    return {"relations": given, "weights": weights, "beam": draw.choice([1, 2, 40])}


def staged(draw: random.Random) -> Arguments:
    """Draw the arguments of a staged alignment."""
    minimize = draw.choice(["crossings", "chunks"])
    return {"relations": relations(draw), "minimize": minimize, "limit": draw.choice([1, 5, 50])}


def matched(draw: random.Random) -> Arguments:
    """Draw the arguments of a matching of runs, apart from the budgets of the texts."""
    return {"exponent": draw.choice([1, 1.0, 1.5, 2, 3])}


PARAMETERS: dict[str, Callable[[random.Random], Arguments]] = {
    "beam_alignment": aligned,
    "clipped_matches": lambda draw: {"order": draw.choice([1, 2, 4, 9])},
    "edit_distance": lambda _: {},
    "lcs": lambda _: {},
    "lcs_marks": lambda _: {},
    "matched_ngrams": lambda draw: {"order": draw.choice([1, 2, 4, 9])},
    "maximum_run_matching": lambda draw: {**matched(draw), "limit": draw.choice([1, 10, 50])},
    "run_matching": lambda draw: {**matched(draw), "ties": draw.choice(["first", "last"])},
    "shift_edit_distance": lambda draw: {
        "max_size": draw.choice([0, 1, 3, 10]),
        "max_distance": draw.choice([0, 2, 50]),
        "beam": draw.choice([0, 1, 20]),
    },
    "skip_bigrams": lambda draw: {"skip": draw.choice([None, 0, 1, 4])},
    "staged_alignment": staged,
    "weighted_lcs": lambda draw: {"values": np.arange(60) ** draw.choice([1.0, 1.2, 2.0])},
    "weighted_lcs_marks": lambda draw: {"values": np.arange(60) ** draw.choice([1.0, 1.2])},
}
"""Draws the arguments of every kernel on texts that are not texts."""


class Call(NamedTuple):
    """The name of a kernel, its texts and its other arguments."""

    name: str
    texts: tuple[Arguments, Arguments]
    arguments: Arguments


def texts(draw: random.Random, n_groups: int, most: int) -> list[list[list[int]]]:
    """Draw groups of texts of few types, with parts in common."""
    n_types = draw.choice([1, 2, 4, 11])
    base = [draw.randrange(n_types) for _ in range(40)]

    def text() -> list[int]:
        length, start = draw.choice([0, 1, 2, 5, 9, 20]), draw.randrange(20)
        tokens = base[start : start + length]
        for _ in range(draw.randrange(3) if tokens else 0):
            tokens[draw.randrange(len(tokens))] = draw.randrange(-1, n_types)
        return tokens

    return [[text() for _ in range(draw.randint(1, most))] for _ in range(n_groups)]


def arrays(draw: random.Random, groups: list[list[list[int]]]) -> Arguments:
    """Lay out texts in any order, with ids between them that belong to no text."""
    flat = [text for group in groups for text in group]
    ids: list[int] = []
    starts, ends = np.zeros((2, len(flat)), np.int64)
    for i in draw.sample(range(len(flat)), len(flat)):
        ids += range(draw.randrange(3))
        starts[i] = len(ids)
        ids += flat[i]
        ends[i] = len(ids)
    index = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    return {"ids": np.array(ids, np.int32), "starts": starts, "ends": ends, "index": index}


def spoil(draw: random.Random, given: Arguments, share: float) -> None:
    """Replace an argument by an odd value, with some probability."""
    if given and draw.random() < share:
        given[draw.choice(list(given))] = draw.choice(ODD)


def draw_call(draw: random.Random) -> Call:
    """Draw a call; three of ten have an argument that may be wrong."""
    name = draw.choice(list(PARAMETERS))
    n = draw.randrange(4)
    hypotheses, references = arrays(draw, texts(draw, n, 1)), arrays(draw, texts(draw, n, 3))
    arguments = PARAMETERS[name](draw)
    if "run_matching" in name:
        arguments["budgets"] = weights_of(draw, n) * draw.choice([1, 5])
    spoil(draw, arguments, 0.2)
    spoil(draw, draw.choice([hypotheses, references]), 0.1)
    return Call(name, (hypotheses, references), arguments)


def result(implementation: Any, call: Call) -> Any:
    """Return the type and the bits of the results, or the type and the message of the error."""
    sides = [SimpleNamespace(**side) for side in call.texts]
    try:
        results = getattr(implementation, call.name)(*sides, **call.arguments)
    except (ValueError, TypeError) as error:
        return type(error).__name__, str(error)
    results = results if isinstance(results, tuple) else (results,)
    return [(array.dtype.str, array.shape, array.tobytes()) for array in results]


class Twins:
    """The kernels in plain Python."""

    def __getattr__(self, name: str) -> object:
        return twin(name)


def run_call(call: Call) -> None:
    """Both implementations give the same bits, or the same error."""
    native = import_module("mteval_kernels._native")
    one, other = result(native, call), result(Twins(), call)
    assert one == other, f"native {one}, twin {other}"


class Scan(NamedTuple):
    """The name of a scanner, and its arguments."""

    name: str
    arguments: Arguments


def draw_scan(draw: random.Random) -> Scan:
    """Draw lines for a scanner."""
    lines = [mixed(draw, NASTY).encode() for _ in range(draw.randrange(4))]
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    starts = ends - np.array([len(line) for line in lines], np.int64)
    given: Arguments = {"buffer": b"".join(lines), "starts": starts, "ends": ends}
    name = draw.choice(["scan_13a", "scan_whitespace", "scan_characters"])
    if name == "scan_characters":
        given["white_space"] = draw.choice([False, True])
    spoil(draw, given, 0.15)
    return Scan(name, given)


def scanned(implementation: Any, scan: Scan) -> Any:
    """Return the tokens of a scan, or the type and the message of the error."""
    vocabulary, given = implementation.Vocabulary(), dict(scan.arguments)
    try:
        three = [given.pop(key) for key in ("buffer", "starts", "ends")]
        ids, offsets = getattr(implementation, scan.name)(*three, vocabulary, **given)
        return vocabulary.tokens(ids), offsets.tolist()
    except (ValueError, TypeError) as error:
        return type(error).__name__, str(error)


def run_scan(scan: Scan) -> None:
    """Both implementations cut the same tokens, or raise the same error."""
    native = import_module("mteval_kernels._native")
    one, other = scanned(native, scan), scanned(Twins(), scan)
    assert one == other, f"native {one}, twin {other}"


KERNELS = Target(draw_call, run_call)
SCANNERS = Target(draw_scan, run_scan)
