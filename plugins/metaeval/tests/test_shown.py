"""How a study shows itself in a Python session and in a notebook."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import mteval_metaeval as metaeval
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., metaeval.Study]

HUMAN = np.array([[1.0, 2, 3], [2, 2, 2], [4, 3, 2], [5, 5, 5], [3, 4, 5]])
METRICS = [HUMAN, -HUMAN + [[0, 0, 0], [9, 9, 9], [0, 0, 0], [0, 0, 0], [0, 0, 0]]]


def pearson(metric: np.ndarray, human: np.ndarray) -> str:
    r = np.corrcoef(metric.mean(axis=1), human.mean(axis=1))[0, 1]
    return f"{r:.2f}"


def test_a_study_is_short_in_a_session(study: Make) -> None:
    assert repr(study(METRICS, HUMAN)) == "<Study: 5 systems, 2 metrics>"


def test_a_printed_study_has_the_correlations_over_systems(study: Make) -> None:
    lines = str(study(METRICS, HUMAN)).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("metric")) + 3
    rows = lines[start : start + 2]
    first = [re.findall(r"-?\d+\.\d\d", row)[0] for row in rows]
    assert first == [pearson(metric, HUMAN) for metric in METRICS]
    assert lines[0] == "Metrics against human judgments of systems"
    assert "no intervals" in lines[2]


def test_a_notebook_shows_nothing_more_without_the_format_html(study: Make) -> None:
    assert study(METRICS, HUMAN)._repr_html_() is None


def test_a_study_of_one_system_shows_that_nothing_is_defined(study: Make) -> None:
    shown = str(study([HUMAN[:1]], HUMAN[:1]))
    assert "–" in shown
