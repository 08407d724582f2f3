"""Saved studies of calibration: which agreement of people a difference between systems has.

``mteval correlate --calibrate -o STUDY.json`` writes the curves, and ``mteval points`` reads them.
"""

from __future__ import annotations

import json
import math
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mteval_core import InputError, MtevalError, Signature, UsageError, open_binary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mteval_core import Evaluation

__all__ = ["Curve", "Quote", "quotes", "read_curves"]

OF_THE_TEST_SET = ("refs", "src", "libraries", "plugin", "version")
"""Fields of signatures in which a study and an evaluation may differ."""

NAMES = ("metric", "set", "criterion", "signature")
NUMBERS = ("difference", "agreement", "low", "high")


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


class Quote(NamedTuple):
    """What a study says of the difference between a system and its baseline.

    Parameters
    ----------
    system, baseline, spec : str
        The systems, and the spec of the metric.
    difference : float
        Score of the system minus score of the baseline.
    curve : Curve
        The curve of the metric and a criterion.
    """

    system: str
    baseline: str
    spec: str
    difference: float
    curve: Curve

    @property
    def agreement(self) -> tuple[float, float, float]:
        """Probability that people prefer the better of the two, and the ends of its interval."""
        return self.curve.at(self.difference)

    @property
    def is_beyond(self) -> bool:
        """Whether the difference is larger than all of the study."""
        return abs(self.difference) > float(self.curve.differences[-1])


def quotes(
    evaluation: Evaluation, curves: Sequence[Curve], *, all_pairs: bool = False
) -> list[Quote]:
    """Quote a study on the differences between the systems of an evaluation.

    Parameters
    ----------
    evaluation : Evaluation
        Two systems or more.
    curves : sequence of Curve
        From `read_curves` or `mteval_metaeval.calibrate`.
    all_pairs : bool
        Whether to compare every system with every other, not only with the first.

    Returns
    -------
    list of Quote
        For every metric, pair of systems and criterion.

    Raises
    ------
    UsageError
        If there are fewer than two systems, or the study has no curve for a metric with the same
        signature, up to the references, the source and the versions of software.
    """
    systems = evaluation.systems
    if len(systems) < 2:
        raise UsageError(f"a difference needs two systems or more, got {len(systems)}")
    pairs = [(b, a) for a, b in combinations(systems, 2) if all_pairs or a == systems[0]]
    found = []
    for spec in evaluation.scorers:
        of_metric = _curves_of(evaluation, spec, curves)
        scores = {system: evaluation.score(system, spec).score for system in systems}
        for system, baseline in pairs:
            difference = scores[system] - scores[baseline]
            names = {"system": system, "baseline": baseline, "spec": spec}
            found += [Quote(**names, difference=difference, curve=curve) for curve in of_metric]
    return found


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
    raise UsageError(f"the study does not say what a difference of {spec} means: {reason}")


def _differences(wanted: Signature, of_study: Signature) -> list[str]:
    """List the fields of a study's signature that differ from those wanted."""
    keys = dict.fromkeys([*wanted.fields, *of_study.fields])
    named = [] if wanted.name == of_study.name else [of_study.name]
    return named + [
        f"{key}:{of_study.get(key) or 'not given'} (here {key}:{wanted.get(key) or 'not given'})"
        for key in keys
        if key not in OF_THE_TEST_SET and wanted.get(key) != of_study.get(key)
    ]


# Files


def read_curves(path: str) -> list[Curve]:
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
    with open_binary(path) as stream:
        return curves_in(stream.read(), path)


def curves_in(data: bytes, path: str) -> list[Curve]:
    """Return the curves of a study from the contents of its file."""
    try:
        study = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error}); expected {EXPECTED}") from None
    if not isinstance(study, dict) or study.get("experiment") != "calibration":
        raise InputError(f"{path}: not a study with calibration curves; expected {EXPECTED}")
    try:
        return list(_curves(study.get("records")))
    except MtevalError as error:
        raise InputError(f"{path}: not a study with calibration curves: {error}") from None


EXPECTED = "what 'mteval correlate --calibrate -o FILE.json' writes"


def _curves(records: Any) -> Iterator[Curve]:
    """Make the curves of the points in a file, which are checked."""
    if not isinstance(records, list) or not records:
        raise InputError("'records' is not a list of points")
    groups: dict[tuple[Any, ...], list[Mapping[str, float]]] = {}
    for k, record in enumerate(records):
        _check_point(record, f"records[{k}]")
        key = (*(record[name] for name in NAMES), record["level"])
        groups.setdefault(key, []).append(record)
    for key, points in groups.items():
        values = {name: np.array([float(p[name]) for p in points]) for name in NUMBERS}
        differences, agreement, low, high = values.values()
        where = f"{key[0]}, {key[2]}"
        grow = all(a < b for a, b in pairwise(differences))
        if differences[0] != 0 or len(points) < 2 or not grow:
            raise InputError(f"{where}: expected differences that grow from 0")
        ordered = np.all((low >= 0) & (low <= agreement) & (agreement <= high) & (high <= 1))
        if not ordered:
            raise InputError(f"{where}: expected low <= agreement <= high, from 0 to 1")
        yield Curve(*key, *values.values())


def _check_point(point: Any, where: str) -> None:
    """Refuse a point of a curve that lacks a name or a number."""
    point = point if isinstance(point, dict) else {}
    for name in NAMES:
        if not isinstance(point.get(name), str):
            raise InputError(f"{where}.{name}: expected a string, got {point.get(name)!r:.40}")
    for name in ("level", *NUMBERS):
        value = point.get(name)
        if type(value) not in (int, float) or not math.isfinite(value):
            raise InputError(f"{where}.{name}: expected a finite number, got {value!r:.40}")
    if not 0 < point["level"] < 100:
        raise InputError(f"{where}.level: expected a number of percent between 0 and 100")
    Signature.parse(point["signature"])
