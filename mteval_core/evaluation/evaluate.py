"""Scoring: from systems, references and metrics to an `Evaluation`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from mteval_core.data.dataset import Dataset
from mteval_core.data.outside import OutsideScores
from mteval_core.errors import InputError, OptionError, UnknownNameError, UsageError, near
from mteval_core.evaluation.checks import CheckedTexts, warn_of_texts
from mteval_core.evaluation.evaluation import Evaluation
from mteval_core.evaluation.scores import Human
from mteval_core.metrics import bars
from mteval_core.metrics.outside import OutsideScorer, distinct, scorer_of
from mteval_core.metrics.request import JACKKNIFE
from mteval_core.metrics.resolve import metric
from mteval_core.metrics.scorer import Job, Scorer, score_systems
from mteval_core.metrics.sums import total_of
from mteval_core.names import check_name, is_name
from mteval_core.plugin.loading import default_registry
from mteval_core.spec import Spec
from mteval_core.text.named import language_options
from mteval_core.text.summary import TextSummary
from mteval_core.text.text import TestSet, Text, as_test_set, as_text, is_sequence, kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mteval_core.plugin.registry import Registry

References: TypeAlias = "Sequence[Sequence[str | None]] | TestSet"
Specs: TypeAlias = "Iterable[str | Spec | Scorer | OutsideScores]"

__all__ = ["TEXT_SETS", "evaluate", "run_names", "text_sets"]

TEXT_SETS: Mapping[str, Mapping[str, str]] = {
    "case": {"case": "mixed", "stem": "none"},
    "nocase": {"case": "lc", "stem": "none"},
    "stem": {"case": "lc", "stem": "porter"},
}
"""Text as it is, case-folded, and case-folded and stemmed (Lin and Och 2004, section 5)."""


def evaluate(
    systems: Mapping[str, Sequence[str] | Text | Sequence[Sequence[str] | Text]] | Dataset,
    references: References | Specs | None = None,
    specs: Specs | None = None,
    *,
    documents: Sequence[str] | None = None,
    source: Sequence[str] | Text | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    humans: bool = False,
    keep_rows: bool = True,
    progress: bool = False,
) -> Evaluation:
    """Score systems under metrics.

    Parameters
    ----------
    systems : mapping of str to sequence of str, or Dataset
        Hypotheses by name of the system, one per segment. The first system is the baseline. A
        list of such sequences is several runs of one system. A data set also has the references,
        so the metrics follow it: ``evaluate(dataset, ["bleu"])``.
    references : sequence of sequence of str, or TestSet
        One sequence per reference stream; None where a segment lacks that reference.
    specs : iterable of str, Spec, Scorer or OutsideScores, optional
        The metrics. Default: those that declare themselves part of the default set.
    documents : sequence of str, optional
        Document id of each segment.
    source : sequence of str, optional
        Source of each segment, for metrics that use it.
    registry : Registry, optional
        Where to look metrics up. Default: everything that is installed.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem`` and ``loo`` for every metric that has the option and
        does not set it in its spec.
    threads : int
        Number of threads that count. It does not change the results.
    humans : bool
        Whether to score each reference against the others, next to the systems (Lin and Och 2004,
        section 5).
    keep_rows : bool
        Whether to keep the rows of all segments. Documents, segments, intervals and tests need
        them.
    progress : bool
        Whether to show a progress bar if the evaluation takes long.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        If there are no systems or no metrics, or they are not a mapping and a list; if a metric,
        tokenizer, normalizer or option does not exist; or if no metric takes one of the defaults.
    InputError
        If the numbers of segments differ or are zero, or if a segment has no reference.
    PluginError
        If a plugin that is needed is broken or ambiguous.

    Examples
    --------
    >>> evaluation = evaluate({"A": ["a b c d"], "B": ["a b x d"]}, [["a b c d"]], ["wer"])
    >>> evaluation.score("B", "wer").score
    25.0
    """
    language = ""
    if isinstance(systems, Dataset):
        if specs is not None:
            message = "a data set has its own references; expected evaluate(dataset, metrics)"
            raise UsageError(message)
        dataset, language = systems, systems.language
        specs = cast("Specs | None", references)
        systems, references = dataset.systems, dataset.test_set
    if references is None:
        message = "no references: expected one list per reference stream"
        raise UsageError(message)
    asked = resolve_all(specs, registry=registry, defaults=defaults, language=language)
    runs, texts = name_runs(systems)
    n_hypotheses = len(next(iter(texts.values())))
    streams = cast("References", references)
    test_set = as_test_set(streams, documents, source=source, n_hypotheses=n_hypotheses)
    checked = CheckedTexts(
        {name: TextSummary.of(text) for name, text in texts.items()},
        tuple(map(TextSummary.of, test_set.references)),
        None if test_set.source is None else TextSummary.of(test_set.source),
        tuple(asked),
    )
    warn_of_texts(checked, asked[0].registry)
    people = leave_each_out(test_set, list(runs)) if humans else {}

    plain = [scorer.plain() for scorer in asked]
    jobs = [
        Job(asked, texts, test_set),
        *(Job(plain, {name: p.text}, p.others) for name, p in people.items()),
    ]
    totals, rows = {}, {}
    bound: dict[str, dict[str, Scorer]] = {
        run: {str(scorer.spec): scorer for scorer in asked} for run in (*texts, *people)
    }
    with bars.shown() if progress else nullcontext():
        n_scores = sum(len(job.scorers) * len(job.systems) for job in jobs)
        counted = bars.progress(score_systems(jobs, threads), n_scores, "score")
        for run, scorer, rows_of_run in counted:
            spec = str(scorer.spec)
            bound[run][spec] = scorer
            totals[run, spec] = total_of(rows_of_run)
            if keep_rows:
                rows[run, spec] = rows_of_run
    return Evaluation(
        test_set=test_set,
        runs={**runs, **{name: (name,) for name in people}},
        texts={**texts, **{name: person.text for name, person in people.items()}},
        scorers=bound[next(iter(texts))],
        totals=totals,
        rows=rows,
        humans={name: Human(person.others, bound[name]) for name, person in people.items()},
    )


# Metrics


def resolve_all(
    specs: Specs | None,
    *,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    language: str = "",
) -> list[Scorer]:
    """Configure several metrics; see `evaluate` for the parameters.

    The language of a data set chooses the tokenizer, unless a default or a spec does.

    Raises
    ------
    UsageError
        If there is no metric, or two different ones have the same name.
    OptionError
        If no metric takes one of the defaults.
    """
    registry = default_registry() if registry is None else registry
    if specs is None:
        specs = registry.default_metrics()
    if isinstance(specs, (str, Spec, Scorer, OutsideScores)):
        specs = [specs]
    if not is_sequence(specs):
        message = f"expected a list of metrics, got {kind(specs)}"
        raise UsageError(message)
    chosen = {**language_options(language, registry), **(defaults or {})}
    scorers = distinct(resolved(spec, registry, chosen) for spec in specs)
    if not scorers:
        message = "no metric to score with: name one, or install a plugin that provides one"
        raise UsageError(message)
    refuse_unused_defaults(defaults or {}, scorers)
    return list(scorers.values())


def resolved(
    spec: str | Spec | Scorer | OutsideScores,
    registry: Registry,
    defaults: Mapping[str, str] | None,
) -> Scorer:
    """Configure a metric, unless it is configured already."""
    if isinstance(spec, Scorer):
        return spec
    if isinstance(spec, OutsideScores):
        return scorer_of(spec, registry)
    return metric(spec, registry=registry, defaults=defaults)


def refuse_unused_defaults(defaults: Mapping[str, str], scorers: Mapping[str, Scorer]) -> None:
    """Raise an `OptionError` for an option for all metrics that none of them takes."""
    for key, value in defaults.items():
        reasons = {
            spec: "its spec sets it" if key in scorer.spec.options else f"no option {key!r}"
            for spec, scorer in scorers.items()
            if key not in scorer.fields or key in scorer.spec.options
        }
        if key != JACKKNIFE.key and len(reasons) == len(scorers):
            listed = ", ".join(f"{spec} ({reason})" for spec, reason in reasons.items())
            message = f"no metric takes {key}={value}: {listed}"
            raise OptionError(message)


def text_sets(
    specs: Specs,
    sets: Iterable[str],
    *,
    registry: Registry,
    defaults: Mapping[str, str] | None = None,
) -> list[Scorer]:
    """Configure every metric for several ways of preparing the text.

    Options that a spec sets itself stay the same in every set.

    Parameters
    ----------
    specs : iterable of str, Spec, Scorer or OutsideScores
        The metrics.
    sets : iterable of str
        Names of `TEXT_SETS`.
    registry : Registry
        Where to look the metrics up.
    defaults : mapping of str to str, optional
        As for `evaluate`.

    Returns
    -------
    list of Scorer
        Metric by metric, one scorer per set. A metric that a set does not change comes once.

    Raises
    ------
    UnknownNameError
        If there is no such set.

    References
    ----------
    Lin and Och 2004, section 5.
    """
    scorers: dict[str, Scorer] = {}
    for given in specs:
        plain = resolved(given, registry, defaults)
        for name in sets:
            if name not in TEXT_SETS:
                message = f"unknown set {name!r}.{near(name, TEXT_SETS)}"
                raise UnknownNameError(message)
            own = plain.spec.options
            options = {
                key: (value,)
                for key, value in TEXT_SETS[name].items()
                if key in plain.fields and key not in own
            }
            if isinstance(plain, OutsideScorer):
                scorers[str(plain.spec)] = plain
                continue
            spec = replace(plain.spec, options={**own, **options})
            scorer = metric(spec, registry=registry, defaults=defaults)
            scorers[str(spec)] = scorer
    return list(scorers.values())


# Systems and humans


def name_runs(
    systems: Mapping[str, Any],
) -> tuple[dict[str, tuple[str, ...]], dict[str, Text]]:
    """Read the outputs of all systems: names of the runs by system, texts by run.

    Raises
    ------
    UsageError
        If the systems are not a mapping, there is none, a name cannot be shown, or two outputs
        have the same name.
    """
    if not isinstance(systems, Mapping):
        message = f"expected the systems as a mapping of names to segments, got {kind(systems)}"
        raise UsageError(message)
    if not systems:
        message = "no system to score"
        raise UsageError(message)
    runs: dict[str, tuple[str, ...]] = {}
    texts: dict[str, Text] = {}
    for system, outputs in systems.items():
        outputs_by_run = runs_of(check_name(system, "system"), outputs)
        repeated = texts.keys() & outputs_by_run.keys()
        if repeated:
            message = f"{min(repeated)!r} is the name of two outputs"
            raise UsageError(message)
        runs[system] = tuple(outputs_by_run)
        texts |= outputs_by_run
    return runs, texts


def runs_of(system: str, outputs: Any) -> dict[str, Text]:
    """Read the outputs of one system, by name of the run. A single run has the system's name."""
    if isinstance(outputs, Text) or not is_sequence(outputs):
        return {system: as_text(outputs, system)}
    outputs = list(outputs)
    if not outputs or not all(map(is_output, outputs)):
        return {system: as_text(outputs, system)}
    names = run_names(system, len(outputs))
    return {name: as_text(output, name) for name, output in zip(names, outputs, strict=True)}


def run_names(system: str, n: int) -> list[str]:
    """Name the n runs of a system; a single run has the system's name."""
    return [system] if n == 1 else [f"{system} (run {k})" for k in range(1, n + 1)]


def is_output(given: Any) -> bool:
    """Tell a sequence of segments from a segment."""
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes))


class Person(NamedTuple):
    """A human whose reference is scored against the other references."""

    text: Text
    others: TestSet


def leave_each_out(test_set: TestSet, systems: list[str]) -> dict[str, Person]:
    """Turn each reference into a system with the other references, by a name of its own.

    Raises
    ------
    InputError
        If there are fewer than two references, or some segment lacks one.
    """
    streams = test_set.references
    if len(streams) < 2 or any(stream.missing.any() for stream in streams):
        message = (
            "human performance needs two complete reference streams or more: each is scored "
            "against the others"
        )
        raise InputError(message)
    people = {}
    for k, stream in enumerate(streams):
        stem = Path(stream.path).stem if stream.path else ""
        name = stem if stem and is_name(stem) else f"ref{k}"
        others = replace(test_set, references=streams[:k] + streams[k + 1 :])
        people[f"{name} (human)"] = Person(stream, others)
    if len(people) < len(streams) or people.keys() & set(systems):
        people = {f"human {k}": person for k, person in enumerate(people.values())}
    return people
