"""Calibration: how often human judgments agree with a metric difference of a given size.

Studies of metrics and human judgments measure the curves. This module reads and applies them.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core.errors import InputError, UsageError
from mteval_core.evaluation.comparison import pairs_of
from mteval_core.evaluation.form import (
    CONFIG,
    NUMBER,
    PERCENT,
    PRINTABLE,
    SHARE,
    SIGNATURE,
    STRING,
    integer,
    list_of,
    object_with,
    one_of,
    optional,
)
from mteval_core.evaluation.saved import read_json
from mteval_core.signature import DRAW_FIELDS, SOFTWARE, Signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.evaluation import Evaluation

__all__ = ["Agreement", "Curve", "agreements", "read_calibration"]

OF_THE_TEST_SET = ("refs", "src", *DRAW_FIELDS, *SOFTWARE)
"""Fields of signatures in which a study and an evaluation may differ."""


class Curve(NamedTuple):
    """How often people prefer the better one of two systems, by their difference under a metric.

    Parameters
    ----------
    metric, set : str
        The metric and the text treatment.
    criterion : str
        The human score.
    signature : str
        Signature of the metric's scores in the study.
    level : float
        Confidence level of the intervals, in percent.
    differences : ndarray of float64, shape (n,)
        Differences in points of the metric, from 0 to the largest one of the study.
    agreement, low, high : ndarray of float64, shape (n,)
        Probability that people agree, from 0 to 1, and the ends of its interval.
    """

    metric: str
    set: str
    criterion: str
    signature: str
    level: float
    differences: NDArray[np.float64]
    agreement: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def at(self, difference: float) -> tuple[float, float, float]:
        """Return agreement, low and high at a difference; beyond the curve, those at its end."""
        size = abs(difference)
        agreement, low, high = (
            float(np.interp(size, self.differences, ends))
            for ends in (self.agreement, self.low, self.high)
        )
        return agreement, low, high

    def needed(self, agreement: float) -> float:
        """Return the smallest difference with at least this agreement; NaN if there is none."""
        reached = np.flatnonzero(self.agreement >= agreement)
        if not len(reached):
            return math.nan
        k = slice(max(0, reached[0] - 1), reached[0] + 1)
        return float(np.interp(agreement, self.agreement[k], self.differences[k]))


class Agreement(NamedTuple):
    """How often people agree with the difference of a system from its baseline.

    Parameters
    ----------
    system, baseline, metric : str
        The systems, and the spec.
    criterion : str
        The human score of the study.
    difference : float
        Score of the system minus score of the baseline.
    agreement, low, high : float
        Probability that people prefer the better of the two, and its interval.
    level : float
        Confidence level of the interval, in percent.
    largest : float
        The largest difference of the study; at a larger one, agreement is what it is there.
    kind : str
        How the interval is computed.
    """

    system: str
    baseline: str
    metric: str
    criterion: str
    difference: float
    agreement: float
    low: float
    high: float
    level: float
    largest: float
    kind: str = "jackknife"

    @property
    def is_beyond(self) -> bool:
        """Whether the difference is larger than all of the study."""
        return abs(self.difference) > self.largest


def agreements(
    evaluation: Evaluation, curves: Sequence[Curve], *, all_pairs: bool = False
) -> list[Agreement]:
    """Say how often people agree with the differences of an evaluation.

    Parameters
    ----------
    evaluation : Evaluation
        Two systems or more.
    curves : sequence of Curve
        From `read_calibration`, or from what measured them.
    all_pairs : bool
        Whether to compare every system with every other, not only with the first.

    Returns
    -------
    list of Agreement
        For every metric, pair of systems and criterion.

    Raises
    ------
    UsageError
        If there are fewer than two systems, or the study has no curve for a metric with the same
        signature, up to the references, the source, the draws and the versions of software.
    """
    found = []
    pairs = pairs_of(evaluation.scores, all_pairs=all_pairs)
    for spec in evaluation.scorers:
        of_metric = _curves_of(evaluation, spec, curves)
        scores = evaluation.scores.mean_scores(evaluation.scores.totals, spec)
        for system, baseline in pairs:
            difference = float(scores[system] - scores[baseline])
            found += [_quoted((system, baseline, spec), curve, difference) for curve in of_metric]
    return found


def _quoted(key: tuple[str, str, str], curve: Curve, difference: float) -> Agreement:
    agreement, low, high = curve.at(difference)
    return Agreement(
        *key,
        criterion=curve.criterion,
        difference=difference,
        agreement=agreement,
        low=low,
        high=high,
        level=curve.level,
        largest=float(curve.differences[-1]),
    )


def _curves_of(evaluation: Evaluation, spec: str, curves: Sequence[Curve]) -> list[Curve]:
    """Choose the curves of a metric, one for each criterion."""
    wanted = evaluation.score(evaluation.systems[0], spec).signature
    given = {curve.signature: Signature.parse(curve.signature) for curve in curves}
    differences = {text: _differences(wanted, of_study) for text, of_study in given.items()}
    found = [curve for curve in curves if not differences[curve.signature]]
    if found:
        return found
    alike = [d for text, d in differences.items() if given[text].name == wanted.name]
    if alike:
        nearest = min(alike, key=lambda fields: len(fields))
        reason = f"there it was computed with {', '.join(nearest)}"
    else:
        names = dict.fromkeys(each.name for each in given.values())
        reason = f"it has curves for {', '.join(names)}"
    message = f"the study does not say what a difference of {spec} means: {reason}"
    raise UsageError(message)


def _differences(wanted: Signature, of_study: Signature) -> list[str]:
    """List the fields of a study's signature that differ from those wanted."""
    keys = dict.fromkeys([*wanted.fields, *of_study.fields])
    named = [] if wanted.name == of_study.name else [of_study.name]
    return named + [
        f"{key}:{of_study.get(key) or 'not given'} (here {key}:{wanted.get(key) or 'not given'})"
        for key in keys
        if key not in OF_THE_TEST_SET and wanted.get(key) != of_study.get(key)
    ]


# Saved studies


def anything(_value: Any, _where: str) -> None:
    """What is not read."""


POINT = object_with(
    {
        "metric": STRING,
        "set": STRING,
        "criterion": PRINTABLE,
        "signature": SIGNATURE,
        "difference": NUMBER,
        "agreement": SHARE,
        "low": SHARE,
        "high": SHARE,
        "level": PERCENT,
        "n_systems": integer(3),
    }
)
STUDY = object_with(
    {
        "mteval": PRINTABLE,
        "experiment": one_of("calibration"),
        "inputs": anything,
        "settings": anything,
        "records": list_of(POINT, 2),
        "notes": list_of(STRING),
        "signatures": list_of(optional(STRING)),
    },
    {"config": CONFIG},
)


def read_calibration(path: str) -> list[Curve]:
    """Read the curves of a study, from its report in JSON.

    Parameters
    ----------
    path : str
        The file.

    Returns
    -------
    list of Curve

    Raises
    ------
    InputError
        If the file cannot be read, or does not hold such a study.
    """
    study = read_json(path, "a study of metrics and judgments")
    try:
        STUDY(study, "")
        return _curves(study["records"])
    except InputError as error:
        message = f"{path}: not a study with calibration curves: {error}"
        raise InputError(message) from None


def _curves(records: Sequence[dict[str, Any]]) -> list[Curve]:
    keys = ("metric", "set", "criterion", "signature", "level")
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        groups.setdefault(tuple(record[key] for key in keys), []).append(record)
    return [_curve(key, points) for key, points in groups.items()]


def _curve(key: tuple[Any, ...], points: list[dict[str, Any]]) -> Curve:
    sizes = [point["difference"] for point in points]
    where = f"{key[0]}, {key[2]}"
    if sizes[0] != 0 or len(sizes) < 2 or any(b <= a for a, b in pairwise(sizes)):
        message = f"{where}: expected differences that grow from 0"
        raise InputError(message)
    if any(not p["low"] <= p["agreement"] <= p["high"] for p in points):
        message = f"{where}: an agreement is outside its interval"
        raise InputError(message)
    names = ("difference", "agreement", "low", "high")
    return Curve(*key, *(np.array([float(p[each]) for p in points]) for each in names))
