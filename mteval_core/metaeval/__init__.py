"""Metaevaluation: how well metrics agree with human judgments.

.. code-block:: python

    from mteval_core import metaeval

    judgments = metaeval.read_judgments(["ratings.tsv"])
    study = metaeval.study_metrics(systems, references, judgments, ["bleu", "nist"])
    correlations, notes = metaeval.system_level(study)

A `Study` holds rows of statistics of metrics and of human scores. Every experiment computes
weighted sums of these rows.
"""

from mteval_core.data.judgment_files import read_judgments
from mteval_core.data.judgments import Judgments
from mteval_core.metaeval.agreement import Agreement, krippendorff_alpha, rater_agreement
from mteval_core.metaeval.calibration import calibrate
from mteval_core.metaeval.contests import Comparison
from mteval_core.metaeval.correlation import (
    differentials,
    kendall,
    outliers,
    pairwise_accuracy,
    pearson,
    ranks,
    spearman,
)
from mteval_core.metaeval.curves import Point, choices_of_references, inter_judge, length_curve
from mteval_core.metaeval.experiments import lin_och_table, system_level
from mteval_core.metaeval.measuring import study_metrics
from mteval_core.metaeval.notes import Note
from mteval_core.metaeval.orange import Orange, orange
from mteval_core.metaeval.ranking import Ranking, rank_metrics
from mteval_core.metaeval.reference_counts import ReferenceCount, by_reference_count
from mteval_core.metaeval.resampling import Resampling
from mteval_core.metaeval.results import Correlation
from mteval_core.metaeval.segments import segment_level, tie_calibration
from mteval_core.metaeval.significance import (
    clusters,
    perm_both,
    wilcoxon,
    williams,
)
from mteval_core.metaeval.soft_accuracy import soft_pairwise_accuracy
from mteval_core.metaeval.study import Study
from mteval_core.metaeval.tasks import Task, TaskRankings, rank_over_tasks

__all__ = [
    "Agreement",
    "Comparison",
    "Correlation",
    "Judgments",
    "Note",
    "Orange",
    "Point",
    "Ranking",
    "ReferenceCount",
    "Resampling",
    "Study",
    "Task",
    "TaskRankings",
    "by_reference_count",
    "calibrate",
    "choices_of_references",
    "clusters",
    "differentials",
    "inter_judge",
    "kendall",
    "krippendorff_alpha",
    "length_curve",
    "lin_och_table",
    "orange",
    "outliers",
    "pairwise_accuracy",
    "pearson",
    "perm_both",
    "rank_metrics",
    "rank_over_tasks",
    "ranks",
    "rater_agreement",
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
