"""Metaevaluation: how well metrics agree with human judgments.

.. code-block:: python

    import mteval_metaeval as metaeval

    judgments = metaeval.read_judgments(["ratings.tsv"])
    study = metaeval.study_metrics(systems, references, judgments, ["bleu", "nist"])
    correlations, notes = metaeval.system_level(study)

A `Study` holds rows of statistics of metrics and of human scores. Every experiment computes
weighted sums of these rows.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mteval_core import Judgments
    from mteval_metaeval.agreement import Agreement, krippendorff_alpha, rater_agreement
    from mteval_metaeval.calibration import calibrate
    from mteval_metaeval.contests import Comparison
    from mteval_metaeval.correlation import (
        differentials,
        kendall,
        outliers,
        pairwise_accuracy,
        pearson,
        ranks,
        spearman,
    )
    from mteval_metaeval.curves import Point, choices_of_references, inter_judge, length_curve
    from mteval_metaeval.experiments import lin_och_table, system_level
    from mteval_metaeval.measuring import study_metrics
    from mteval_metaeval.n_best_ranks import Orange, orange
    from mteval_metaeval.notes import Note
    from mteval_metaeval.ranking import Ranking, rank_metrics
    from mteval_metaeval.raters import choose_criteria, mean_scores
    from mteval_metaeval.reference_counts import ReferenceCount, by_reference_count
    from mteval_metaeval.resampling import Resampling
    from mteval_metaeval.results import Correlation
    from mteval_metaeval.saved_curves import Curve, Quote, quotes, read_curves
    from mteval_metaeval.segments import segment_level, tie_calibration
    from mteval_metaeval.significance import (
        clusters,
        perm_both,
        wilcoxon,
        williams,
    )
    from mteval_metaeval.soft_accuracy import soft_pairwise_accuracy
    from mteval_metaeval.study import Study
    from mteval_metaeval.tables import read_judgments
    from mteval_metaeval.tasks import Task, TaskRankings, rank_over_tasks

_HOME = {
    "Agreement": "mteval_metaeval.agreement",
    "Comparison": "mteval_metaeval.contests",
    "Correlation": "mteval_metaeval.results",
    "Curve": "mteval_metaeval.saved_curves",
    "Judgments": "mteval_core",
    "Note": "mteval_metaeval.notes",
    "Orange": "mteval_metaeval.n_best_ranks",
    "Point": "mteval_metaeval.curves",
    "Quote": "mteval_metaeval.saved_curves",
    "Ranking": "mteval_metaeval.ranking",
    "ReferenceCount": "mteval_metaeval.reference_counts",
    "Resampling": "mteval_metaeval.resampling",
    "Study": "mteval_metaeval.study",
    "Task": "mteval_metaeval.tasks",
    "TaskRankings": "mteval_metaeval.tasks",
    "by_reference_count": "mteval_metaeval.reference_counts",
    "calibrate": "mteval_metaeval.calibration",
    "choices_of_references": "mteval_metaeval.curves",
    "choose_criteria": "mteval_metaeval.raters",
    "clusters": "mteval_metaeval.significance",
    "differentials": "mteval_metaeval.correlation",
    "inter_judge": "mteval_metaeval.curves",
    "kendall": "mteval_metaeval.correlation",
    "krippendorff_alpha": "mteval_metaeval.agreement",
    "length_curve": "mteval_metaeval.curves",
    "lin_och_table": "mteval_metaeval.experiments",
    "mean_scores": "mteval_metaeval.raters",
    "orange": "mteval_metaeval.n_best_ranks",
    "outliers": "mteval_metaeval.correlation",
    "pairwise_accuracy": "mteval_metaeval.correlation",
    "pearson": "mteval_metaeval.correlation",
    "perm_both": "mteval_metaeval.significance",
    "quotes": "mteval_metaeval.saved_curves",
    "rank_metrics": "mteval_metaeval.ranking",
    "rank_over_tasks": "mteval_metaeval.tasks",
    "ranks": "mteval_metaeval.correlation",
    "rater_agreement": "mteval_metaeval.agreement",
    "read_curves": "mteval_metaeval.saved_curves",
    "read_judgments": "mteval_metaeval.tables",
    "segment_level": "mteval_metaeval.segments",
    "soft_pairwise_accuracy": "mteval_metaeval.soft_accuracy",
    "spearman": "mteval_metaeval.correlation",
    "study_metrics": "mteval_metaeval.measuring",
    "system_level": "mteval_metaeval.experiments",
    "tie_calibration": "mteval_metaeval.segments",
    "wilcoxon": "mteval_metaeval.significance",
    "williams": "mteval_metaeval.significance",
}

__all__ = [
    "Agreement",
    "Comparison",
    "Correlation",
    "Curve",
    "Judgments",
    "Note",
    "Orange",
    "Point",
    "Quote",
    "Ranking",
    "ReferenceCount",
    "Resampling",
    "Study",
    "Task",
    "TaskRankings",
    "by_reference_count",
    "calibrate",
    "choices_of_references",
    "choose_criteria",
    "clusters",
    "differentials",
    "inter_judge",
    "kendall",
    "krippendorff_alpha",
    "length_curve",
    "lin_och_table",
    "mean_scores",
    "orange",
    "outliers",
    "pairwise_accuracy",
    "pearson",
    "perm_both",
    "quotes",
    "rank_metrics",
    "rank_over_tasks",
    "ranks",
    "rater_agreement",
    "read_curves",
    "read_judgments",
    "segment_level",
    "soft_pairwise_accuracy",
    "spearman",
    "study_metrics",
    "system_level",
    "tie_calibration",
    "wilcoxon",
    "williams",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
