"""Scoring: systems, references and metrics in, an `Evaluation` out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core.errors import InputError, OptionError, UnknownNameError, UsageError, near
from mteval_core.evaluation.evaluation import Evaluation, Human
from mteval_core.metrics.resolve import LEAVE_ONE_OUT, metric
from mteval_core.metrics.scorer import Scorer, score_systems
from mteval_core.plugin.loading import default_registry
from mteval_core.spec import Spec
from mteval_core.text.text import TestSet, Text, as_test_set, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from mteval_core.plugin.registry import Registry

__all__ = ["TEXT_SETS", "evaluate", "text_sets"]

TEXT_SETS: Mapping[str, Mapping[str, str]] = {
    "case": {"case": "mixed", "stem": "none"},
    "nocase": {"case": "lc", "stem": "none"},
    "stem": {"case": "lc", "stem": "porter"},
}
"""How Lin and Och 2004 prepare the text: as it is, folded, folded and stemmed."""


def evaluate(
    systems: Mapping[str, Sequence[str] | Text | Sequence[Sequence[str] | Text]],
    references: Sequence[Sequence[str | None]] | TestSet,
    specs: Iterable[str | Spec | Scorer] | None = None,
    *,
    documents: Sequence[str] | None = None,
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
    systems : mapping of str to sequence of str
        Hypotheses by name of the system, one per segment. The first system is the baseline. A
        list of such sequences is several runs of one system.
    references : sequence of sequence of str
        One sequence per reference stream; None where a segment lacks that reference.
    specs : iterable of str, optional
        The metrics; those that declare themselves of the default set, unless given.
    documents : sequence of str, optional
        Document id of each segment.
    registry : Registry, optional
        Where to look for metrics; all that is installed, unless given.
    defaults : mapping of str to str, optional
        Values of ``case``, ``tok``, ``stem`` and ``loo`` for all metrics that have them.
    threads : int
        How many threads count; the results do not depend on it.
    humans : bool
        Whether to score each reference against the others, beside the systems (Lin and Och 2004,
        section 5).
    keep_rows : bool
        Whether to keep the rows of all segments, which documents, segments, intervals and tests
        need.
    progress : bool
        Whether to show a progress bar on a terminal when it takes long.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        If there is no system or metric, or no such metric, tokenizer, normalizer or option; or
        if no metric takes one of the defaults.
    InputError
        If there are not equally many segments everywhere, or none, or a segment lacks every
        reference.
    PluginError
        If a plugin asked for is broken or ambiguous.
    """
    if not systems:
        message = "no system to score"
        raise UsageError(message)
    registry = default_registry() if registry is None else registry
    if specs is None:
        specs = registry.default_metrics()
    scorers: dict[str, Scorer] = {}
    for spec in [specs] if isinstance(specs, (str, Spec, Scorer)) else specs:
        ready = (
            spec if isinstance(spec, Scorer) else metric(spec, registry=registry, defaults=defaults)
        )
        if scorers.setdefault(str(ready.spec), ready).fields != ready.fields:
            message = f"two different metrics are asked for as {str(ready.spec)!r}"
            raise UsageError(message)
    if not scorers:
        message = "no metric to score with: name one, or install a plugin that has one"
        raise UsageError(message)
    _check_defaults(defaults or {}, scorers)
    runs: dict[str, tuple[str, ...]] = {}
    texts: dict[str, Text] = {}
    for system, outputs in systems.items():
        named = _named_runs(system, outputs)
        if texts.keys() & named.keys():
            message = f"{min(texts.keys() & named.keys())!r} is the name of two outputs"
            raise UsageError(message)
        runs[system] = tuple(named)
        texts |= named
    test_set = as_test_set(references, documents, n_hypotheses=len(next(iter(texts.values()))))
    people = _people(test_set, list(runs)) if humans else {}

    def steps() -> Iterator[tuple[str, Scorer, NDArray[np.float64]]]:
        yield from score_systems(list(scorers.values()), texts, test_set, threads)
        plain = [scorer.plain() for scorer in scorers.values()]
        for human, (text, others) in people.items():
            yield from score_systems(plain, {human: text}, others, threads)

    totals, rows = {}, {}
    bound: dict[str, dict[str, Scorer]] = {human: {} for human in people}
    n_steps = (len(texts) + len(people)) * len(scorers)
    for run, scorer, found in _progress(steps(), n_steps, shown=progress):
        spec = str(scorer.spec)
        bound.get(run, scorers)[spec] = scorer
        totals[run, spec] = found.sum(axis=0)
        if keep_rows:
            rows[run, spec] = found
    return Evaluation(
        test_set,
        {**runs, **{human: (human,) for human in people}},
        {**texts, **{human: text for human, (text, _) in people.items()}},
        scorers,
        totals,
        rows,
        {human: Human(others, bound[human]) for human, (_, others) in people.items()},
    )


def _check_defaults(defaults: Mapping[str, str], scorers: Mapping[str, Scorer]) -> None:
    """Refuse an option for all metrics that none of them takes."""
    for key, value in defaults.items():
        reasons = {
            spec: "its spec says so" if key in scorer.spec.options else f"no option {key!r}"
            for spec, scorer in scorers.items()
            if key not in scorer.fields or key in scorer.spec.options
        }
        if key != LEAVE_ONE_OUT.key and len(reasons) == len(scorers):
            listed = ", ".join(f"{spec} ({reason})" for spec, reason in reasons.items())
            message = f"no metric takes {key}={value}: {listed}"
            raise OptionError(message)


def text_sets(specs: Iterable[str | Spec], sets: Iterable[str], registry: Registry) -> list[Spec]:
    """Ask for every metric under several ways of preparing the text (Lin and Och 2004, section 5).

    What a spec says of the text itself stays in every set.

    Parameters
    ----------
    specs : iterable of str
        The metrics.
    sets : iterable of str
        Any of ``case``, ``nocase`` and ``stem``, see `TEXT_SETS`.
    registry : Registry
        Where to look for the metrics.

    Returns
    -------
    list of Spec
        Metric by metric, one for each set; a metric that a set does not touch comes once.
    """
    found: dict[str, Spec] = {}
    for given in specs:
        scorer = metric(given, registry=registry)
        own = scorer.spec.options
        for name in sets:
            if name not in TEXT_SETS:
                message = f"unknown set {name!r}.{near(name, TEXT_SETS)}"
                raise UnknownNameError(message)
            wanted = {
                key: (value,)
                for key, value in TEXT_SETS[name].items()
                if key in scorer.fields and key not in own
            }
            spec = replace(scorer.spec, options={**own, **wanted})
            found[str(spec)] = spec
    return list(found.values())


def _named_runs(system: str, outputs: Any) -> dict[str, Text]:
    """Texts of the runs of a system by name: the system's own, if it is one run."""
    if isinstance(outputs, (Text, str)) or not isinstance(outputs, Iterable):
        return {system: as_text(outputs, system)}
    outputs = list(outputs)
    several = [isinstance(o, Iterable) and not isinstance(o, (str, bytes)) for o in outputs]
    if not (several and all(several)):
        return {system: as_text(outputs, system)}
    names = [f"{system} (run {k})" for k in range(1, len(outputs) + 1)]
    texts = {n: as_text(output, n) for n, output in zip(names, outputs, strict=True)}
    return texts if len(texts) > 1 else {system: next(iter(texts.values()))}


def _people(test_set: TestSet, systems: list[str]) -> dict[str, tuple[Text, TestSet]]:
    """Each reference as a system, and the other references."""
    streams = test_set.references
    if len(streams) < 2 or any(stream.missing.any() for stream in streams):
        message = (
            "human performance needs two complete reference streams or more: each is scored "
            "against the others"
        )
        raise InputError(message)
    people = {}
    for k, stream in enumerate(streams):
        name = Path(stream.path).stem if stream.path else f"ref{k}"
        others = replace(test_set, references=streams[:k] + streams[k + 1 :])
        people[f"{name} (human)"] = (stream, others)
    if len(people) < len(streams) or people.keys() & set(systems):
        people = {f"human {k}": found for k, found in enumerate(people.values())}
    return people


def _progress(steps: Iterator[Any], total: int, *, shown: bool) -> Iterable[Any]:
    if not shown:
        return steps
    from tqdm import tqdm

    bar: Iterable[Any] = tqdm(steps, total=total, unit="score", delay=1, leave=False)
    return bar
