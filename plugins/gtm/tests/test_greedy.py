"""The papers' claim about the greedy matching, measured on real data with the exact matching.

It should be optimal in about 99% of cases and never below 80% of the optimum. README.md has the
whole measurement; this part of it is enough to detect an error in one of the matchings.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from mteval_testing.originals import read_lines

import mteval_core as mt

REPOSITORY = Path(__file__).parents[3]
MINI = REPOSITORY / "examples" / "mini"
DATA = REPOSITORY.parent / "shared" / "data"


def shares_of_the_optimum(
    folder: Path, n_references: int, e: float, n_segments: int | None = None
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Greedy over exact match sizes, for all systems' segments or a sample of them."""
    streams = [read_lines(folder / f"ref{k}.txt") for k in range(n_references)]
    systems = sorted((folder / "systems").iterdir())
    segments = [
        (hypothesis, *references)
        for path in systems
        for hypothesis, *references in zip(read_lines(path), *streams, strict=True)
    ]
    if n_segments is not None:
        segments = random.Random(12345).sample(segments, n_segments)
    hypotheses, *references = zip(*segments, strict=True)
    specs = [f"gtm:e={e}", f"gtm:e={e},matching=exact"]
    evaluation = mt.evaluate({"": hypotheses}, references, specs)
    greedy, exact = (evaluation.scores.rows["", spec][:, 0] for spec in specs)
    return np.divide(greedy, exact, out=np.ones(len(exact)), where=exact > 0)


@pytest.mark.skipif(not MINI.is_dir(), reason="examples/mini is absent")
@pytest.mark.parametrize("n_references", [1, 4])
def test_on_the_example(n_references: int) -> None:
    """Of 720 segments, four are not optimal, with one reference and with four."""
    shares = shares_of_the_optimum(MINI, n_references, 1.2)
    is_optimal = shares > 1 - 1e-9
    assert (is_optimal.sum(), len(shares)) == (716, 720)
    assert shares.max() < 1 + 1e-12
    assert shares.min() > 0.98


@pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data, real test sets, is absent")
@pytest.mark.parametrize("e", [1.5, 2, 3])
@pytest.mark.parametrize("n_references", [1, 2])
def test_on_talks(n_references: int, e: float) -> None:
    shares = shares_of_the_optimum(DATA / "ted21-zh-en", n_references, e, 1500)
    assert 0.99 <= (shares > 1 - 1e-9).mean() < 1
    assert 0.93 < shares.min() < shares.max() < 1 + 1e-12


@pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data, real test sets, is absent")
def test_on_summaries_with_eleven_references() -> None:
    """Fewer matchings are optimal where much text repeats, but none is far from it."""
    shares = shares_of_the_optimum(DATA / "summeval", 11, 2, 60)
    assert 0.9 <= (shares > 1 - 1e-9).mean() < 0.99
    assert shares.min() > 0.93
