"""Notes on results: warnings that a reader needs to read a number correctly.

A note is data: a stable code and typed facts. `mteval_metaeval.reports.notes` puts it into words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from mteval_metaeval.criteria import Unit
    from mteval_metaeval.resampling import IntervalKind
    from mteval_metaeval.study import Draw

__all__ = [
    "ConstantScores",
    "DocumentsNotJudged",
    "DocumentsTooLong",
    "FewSharedOutputs",
    "FewSystems",
    "LeftOutSystems",
    "MissingJudgments",
    "NarrowIntervals",
    "NegativeCorrelations",
    "NoSharedOutputs",
    "NoSharedRaters",
    "NotExchanged",
    "Note",
    "OneDomain",
    "OutlierSystems",
    "OutsideInterval",
    "SampledCalibration",
    "SegmentMeans",
    "SignificantDifferences",
    "UndefinedDocuments",
    "UnitsNotComplete",
    "UnitsNotScored",
    "UnjudgedSystems",
    "UnscoredSystems",
    "UnusedCriteria",
    "WrongDirection",
]


@dataclass(frozen=True)
class Note:
    """Base class of all notes.

    Attributes
    ----------
    code : str
        Stable name of the kind of note.
    """

    code: ClassVar[str]


@dataclass(frozen=True)
class UnjudgedSystems(Note):
    """Systems that were scored, but not judged by enough raters; they are left out."""

    code = "unjudged-systems"
    systems: tuple[str, ...]


@dataclass(frozen=True)
class UnscoredSystems(Note):
    """Systems that were judged, but not scored; they are left out."""

    code = "unscored-systems"
    systems: tuple[str, ...]


@dataclass(frozen=True)
class LeftOutSystems(Note):
    """Systems that were left out on request: by name, or as outliers by the human scores."""

    code = "left-out-systems"
    systems: tuple[str, ...]
    are_outliers: bool = False


@dataclass(frozen=True)
class OneDomain(Note):
    """Only the segments of one domain count."""

    code = "one-domain"
    domain: str


@dataclass(frozen=True)
class UnusedCriteria(Note):
    """Human scores that the judgments have and the study does not use."""

    code = "unused-criteria"
    criteria: tuple[str, ...]


@dataclass(frozen=True)
class WrongDirection(Note):
    """Scores from outside that correlate negatively with every criterion, over systems."""

    code = "wrong-direction"
    metric: str
    better: str


@dataclass(frozen=True)
class FewSystems(Note):
    """There are too few systems for coefficients over systems."""

    code = "few-systems"
    n_systems: int


@dataclass(frozen=True)
class MissingJudgments(Note):
    """Some outputs of the judged systems have no human score."""

    code = "missing-judgments"
    criterion: str
    n_missing: int
    n_outputs: int


@dataclass(frozen=True)
class ConstantScores(Note):
    """A metric or criterion gives all systems the same score."""

    code = "constant-scores"
    name: str


@dataclass(frozen=True, kw_only=True)
class OutlierSystems(Note):
    """Systems that are outliers by the human scores, and their effect on Pearson's coefficient.

    Without these systems the coefficient changes by ``change`` or more for ``n_changed`` of
    ``n_measures`` metrics; a metric counts once for each set.
    """

    code = "outlier-systems"
    criterion: str
    systems: tuple[str, ...]
    change: float
    n_changed: int
    n_measures: int


@dataclass(frozen=True)
class OutsideInterval(Note):
    """Intervals of correlations, each a metric, a set and a quantity, were widened to them."""

    code = "outside-interval"
    criterion: str
    correlations: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class NarrowIntervals(Note):
    """Intervals over systems are of a kind that was chosen, and that is too narrow for them."""

    code = "narrow-intervals"
    kind: IntervalKind
    draw: Draw
    level: float


@dataclass(frozen=True)
class NegativeCorrelations(Note):
    """Most metrics correlate negatively with a criterion, which may count penalties."""

    code = "negative-correlations"
    criterion: str
    n_negative: int
    n_measures: int


@dataclass(frozen=True)
class SampledCalibration(Note):
    """Ties were calibrated on randomly drawn pairs, because there are too many pairs."""

    code = "sampled-calibration"
    groupings: tuple[str, ...]
    n_pairs: int


@dataclass(frozen=True)
class SegmentMeans(Note):
    """PERM-BOTH on systems tests means of segment scores, and not equal coefficients."""

    code = "segment-means"


@dataclass(frozen=True)
class UnitsNotComplete(Note):
    """Soft pairwise accuracy uses only the units whose outputs were all judged."""

    code = "units-not-complete"
    criterion: str
    n_complete: int
    n_units: int
    unit: Unit


@dataclass(frozen=True)
class UnitsNotScored(Note):
    """Soft pairwise accuracy of mean scores uses only the units that a metric scored everywhere."""

    code = "units-not-scored"
    metric: str
    n_scored: int
    n_units: int
    unit: Unit


@dataclass(frozen=True)
class NotExchanged(Note):
    """Soft pairwise accuracy exchanges segments, which these metrics do not allow."""

    code = "not-exchanged"
    metrics: tuple[str, ...]


@dataclass(frozen=True)
class DocumentsTooLong(Note):
    """The test set has fewer segments than some of the requested documents."""

    code = "documents-too-long"
    n_units: int
    unit: Unit
    lengths: tuple[int, ...]


@dataclass(frozen=True)
class UndefinedDocuments(Note):
    """Some documents of up to ``longest`` units have no coefficient."""

    code = "undefined-documents"
    unit: Unit
    longest: int


@dataclass(frozen=True)
class SignificantDifferences(Note):
    """On a curve, all differences of means of at least ``difference`` are significant."""

    code = "significant-differences"
    criterion: str
    difference: float
    alpha: float


@dataclass(frozen=True)
class DocumentsNotJudged(Note):
    """Segments were judged, so no judge can be compared with another on documents."""

    code = "documents-not-judged"


@dataclass(frozen=True)
class NoSharedRaters(Note):
    """No output was judged by two known raters, so judges cannot be compared."""

    code = "no-shared-raters"
    criterion: str


@dataclass(frozen=True)
class NoSharedOutputs(Note):
    """No two raters judged the same output."""

    code = "no-shared-outputs"
    criterion: str


@dataclass(frozen=True)
class FewSharedOutputs(Note):
    """Some pairs of raters share fewer than ``least`` outputs."""

    code = "few-shared-outputs"
    criterion: str
    n_few: int
    n_pairs: int
    least: int
