"""Making studies: scoring the systems that were judged."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core import (
    InputError,
    MtevalWarning,
    TestSet,
    UnknownNameError,
    UsageError,
    default_registry,
    evaluate,
)
from mteval_metaeval.correlation import outliers, pearson
from mteval_metaeval.criteria import criteria_of, units_of
from mteval_metaeval.measures import Measure, level_of, requests
from mteval_metaeval.notes import (
    FewSystems,
    LeftOutSystems,
    MissingJudgments,
    OneDomain,
    UnjudgedSystems,
    UnscoredSystems,
    UnusedCriteria,
    WrongDirection,
)
from mteval_metaeval.raters import mean_scores, number_segments
from mteval_metaeval.study import Study

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from mteval_core import (
        Evaluation,
        Judgments,
        OutsideScores,
        Registry,
        Scorer,
        Spec,
        Text,
    )
    from mteval_metaeval.criteria import Unit, Units
    from mteval_metaeval.measures import Request
    from mteval_metaeval.notes import Note

__all__ = ["study_metrics"]

ENOUGH = 5
"""With fewer systems, coefficients over systems are not reliable."""


def study_metrics(
    systems: Mapping[str, Sequence[str] | Text],
    references: Sequence[Sequence[str | None]] | TestSet,
    judgments: Judgments,
    specs: Iterable[str | Spec | Scorer | OutsideScores] | None = None,
    *,
    unit: Unit | None = None,
    documents: Sequence[str] | None = None,
    minimum: int = 1,
    judged_only: bool = False,
    domain: str | None = None,
    leave_out: Collection[str] = (),
    without_outliers: bool = False,
    sets: Iterable[str] | None = None,
    names: Mapping[str, str] | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    progress: bool = False,
) -> Study:
    """Score the systems that were judged.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        Hypotheses by name of the system, one per segment.
    references : sequence of sequence of str, or TestSet
        One sequence per reference stream; None where a segment lacks that reference.
    judgments : Judgments
        Human scores.
    specs : iterable of str, Spec, Scorer or OutsideScores, optional
        The metrics. Default: those that declare themselves part of the default set.
    unit : {"segment", "doc", "domain"}, optional
        What is resampled and what an item is. Default: documents if documents were judged,
        otherwise segments.
    documents : sequence of str, optional
        Document id of each segment.
    minimum : int
        An output that fewer raters judged counts as not judged.
    judged_only : bool
        Whether units of which no output was judged are left out, also for the metrics.
    domain : str, optional
        Only the segments (or documents) of this domain count.
    leave_out : collection of str
        Systems to leave out.
    without_outliers : bool
        Whether systems are left out that are outliers by a criterion, see `outliers`.
    sets : iterable of {"case", "nocase", "stem"}, optional
        Text treatments; every metric is computed under each of them. See
        `mteval_metaeval.measures.TREATMENTS`. Options that a spec gives apply in every set.
    names : mapping of str to str, optional
        Names of metrics for tables, by spec. Default: label and options.
    registry : Registry, optional
        Where to look for metrics. Default: everything that is installed.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem``, ``loo`` and ``missing`` for metrics with these
        options.
    threads : int
        Number of threads.
    progress : bool
        Whether to show a progress bar on a terminal when it takes long.

    Returns
    -------
    Study

    Raises
    ------
    UsageError
        If there is no system or metric, a metric, set, domain or system that is named is unknown,
        or documents or domains are not known.
    InputError
        If texts and judgments do not belong together.
    """
    registry = default_registry() if registry is None else registry
    specs = registry.default_metrics() if specs is None else specs
    wanted = requests(specs, sets, registry, defaults, names=names)
    systems = _without(systems, leave_out)
    judged = _judged(list(systems), judgments, minimum)
    test_set = TestSet.of(references, documents, n_hypotheses=len(systems[judged[0]]))
    judgments = number_segments(judgments, test_set.ids)
    units = units_of(test_set, unit or ("doc" if judgments.level == "doc" else "segment"))
    criteria = criteria_of(judgments, judged, units, minimum)
    evaluation = evaluate(
        {name: systems[name] for name in judged},
        test_set,
        [request.scorer for request in wanted],
        registry=registry,
        threads=threads,
        progress=progress,
    )
    measures = tuple(_measure(request, evaluation, judged, units) for request in wanted)
    study = Study(
        systems=tuple(judged),
        units=units.names,
        unit=units.kind,
        measures=measures,
        criteria=criteria,
        judgments=judgments,
        inputs=evaluation.to_dict()["inputs"],
    )
    study = study if domain is None else _of_domain(study, domain, units, test_set)
    study = study.of_judged_units() if judged_only else study
    study = _without_outliers(study) if without_outliers else study
    notes: list[Note] = [LeftOutSystems(tuple(leave_out))] if leave_out else []
    unscored = tuple(name for name in judgments.systems if name not in (*systems, *leave_out))
    notes += [UnscoredSystems(unscored)] if unscored else []
    notes += [*_notes(study, list(systems), judged), *_wrong_directions(study)]
    return replace(study, notes=(*study.notes, *notes))


def _without(
    systems: Mapping[str, Sequence[str] | Text], names: Collection[str]
) -> dict[str, Sequence[str] | Text]:
    """Leave out the systems of these names."""
    for name in names:
        if name not in systems:
            raise UsageError(
                f"no system {name!r} to leave out.{UnknownNameError.near(name, systems)}"
            )
    return {name: output for name, output in systems.items() if name not in names}


def _of_domain(study: Study, domain: str, units: Units, test_set: TestSet) -> Study:
    """Keep the units of a domain."""
    if units.kind == "domain":
        raise UsageError(f"the domains are compared with each other: choose no domain ({domain!r})")
    study.need_scores_of_units(f"the domain {domain}")
    domains = units_of(test_set, "domain")
    if domain not in domains.names:
        raise UsageError(
            f"no domain {domain!r}.{UnknownNameError.near(domain, map(str, domains.names))}"
        )
    of_domain = domains.unit_of_segment == domains.names.index(domain)
    inside = np.bincount(units.unit_of_segment, of_domain, len(units))
    cut = np.flatnonzero((inside > 0) & (inside < np.bincount(units.unit_of_segment)))
    if len(cut):
        raise InputError(
            f"document {units.names[cut[0]]!r} is only in part of the domain {domain!r}"
        )
    kept = study.of_units(np.flatnonzero(inside))
    return replace(kept, notes=(*kept.notes, OneDomain(domain)))


def _without_outliers(study: Study) -> Study:
    """Leave out systems that are outliers by a criterion."""
    _, humans = study.totals
    out = np.any([outliers(human) for human in humans], axis=0)
    if not out.any():
        return study
    names = tuple(name for name, far in zip(study.systems, out, strict=True) if far)
    note = LeftOutSystems(names, are_outliers=True)
    return replace(study.of_systems(np.flatnonzero(~out)), notes=(*study.notes, note))


def _wrong_directions(study: Study) -> Iterator[Note]:
    """Find scores from outside that correlate negatively with every criterion."""
    metrics, humans = study.totals
    if len(study.systems) < 3:  # two points always lie on a line
        return
    for measure, scores in zip(study.measures, metrics, strict=True):
        if level_of(measure.scorer) and np.all(pearson(scores, humans) < 0):
            yield WrongDirection(measure.name, measure.scorer.declaration.better)


def _judged(systems: list[str], judgments: Judgments, minimum: int) -> list[str]:
    """Choose the systems that have a human score."""
    missing = np.isnan(mean_scores(judgments, systems, minimum=minimum))
    judged = [name for k, name in enumerate(systems) if not missing[:, k].all()]
    if not judged:
        by = f" by {minimum} raters or more" if minimum > 1 else ""
        raise InputError(
            f"none of the systems was judged{by}: scored are {', '.join(systems) or 'none'}; "
            f"judged are {', '.join(judgments.systems)}"
        )
    unscored = [name for name in judgments.systems if name not in systems]
    for name in systems:
        same = [other for other in unscored if name not in judged and are_alike(name, other)]
        if same:
            message = (
                f"system {name!r} was not judged, but {same[0]!r} was: if they are the same, type "
                f"-i {same[0]}=PATH"
            )
            warnings.warn(MtevalWarning("similar-names", message), stacklevel=3)
    return judged


def are_alike(name: str, other: str) -> bool:
    """Whether two names differ only in case, or one has a suffix after a mark of punctuation."""
    short, long = sorted((name.casefold(), other.casefold()), key=len)
    return long.startswith(short) and not long[len(short) : len(short) + 1].isalnum()


def _measure(request: Request, evaluation: Evaluation, systems: list[str], units: Units) -> Measure:
    """Collect the rows of a metric from an evaluation."""
    spec = str(request.scorer.spec)
    of_units = level_of(request.scorer) != "system"

    def rows(system: str) -> Any:
        if not of_units:
            total: Any = evaluation.scores.totals[system, spec]
            return np.tile(total, (len(units), 1))
        # The sums of the parts of a test set are rows.
        if units.kind != "domain":
            return evaluation.scores.sums(system, spec, units.kind)
        evaluation.scores.sums(system, spec, "segment")  # refuses scores of documents
        test_set = evaluation.scores.corpus.test_set
        domains_as_documents = replace(test_set, documents=test_set.domains)
        return replace(evaluation.scores, test_set=domains_as_documents).sums(system, spec, "doc")

    return Measure(
        name=request.name,
        set=request.set,
        scorer=evaluation.scorers[spec],
        signature=str(evaluation.score(systems[0], spec).signature),
        rows=tuple(map(rows, systems)),
        of_units=of_units,
    )


def _notes(study: Study, systems: list[str], judged: list[str]) -> Iterator[Note]:
    unjudged = tuple(name for name in systems if name not in judged)
    if unjudged:
        yield UnjudgedSystems(unjudged)
    if study.judgments.unchosen:
        yield UnusedCriteria(study.judgments.unchosen)
    if len(study.systems) < ENOUGH:
        yield FewSystems(len(study.systems))
    for criterion in study.criteria if study.has_item_judgments else ():
        n = criterion.rows[..., 1]
        missing = int(np.sum(n == 0))
        if missing:
            yield MissingJudgments(criterion.name, missing, n.size)
