"""Scoring: count the parts of a source of texts and merge them into an `Evaluation`."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from mteval_core.data.dataset import Dataset
from mteval_core.errors import InputError, UsageError, warn
from mteval_core.evaluation.counting import Kept, check_ids, empty_test_set
from mteval_core.evaluation.evaluation import Evaluation
from mteval_core.evaluation.scores import Human, InParts, Scores
from mteval_core.evaluation.sources import InMemory, Source
from mteval_core.metrics import bars
from mteval_core.metrics.coverage import check_coverage, warn_of_cuts
from mteval_core.metrics.scorer import Scorer, tokenize_systems
from mteval_core.metrics.several import scorers_of
from mteval_core.metrics.sums import KeptRows
from mteval_core.text.digest import SeenTestSet, SeenText
from mteval_core.text.text import TestSet, Text, columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.evaluation.partial import Partial
    from mteval_core.metrics.several import Specs
    from mteval_core.metrics.sums import Rows, Sums
    from mteval_core.plugin.registry import Registry
    from mteval_core.text.text import DataFrame

    Key = tuple[str, str]

ReferenceTexts: TypeAlias = "Sequence[Sequence[str | None]] | DataFrame | TestSet"

ALL_ROWS = Kept("segment")


def evaluate(
    systems: Mapping[str, Sequence[str] | Text | Sequence[Sequence[str] | Text]]
    | DataFrame
    | Dataset
    | Source,
    references: ReferenceTexts | Specs | None = None,
    specs: Specs | None = None,
    *,
    documents: Sequence[str] | None = None,
    source: Sequence[str] | Text | None = None,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
    threads: int = 1,
    humans: bool = False,
    kept: Kept = ALL_ROWS,
    progress: bool = False,
) -> Evaluation:
    """Score systems under metrics.

    Parameters
    ----------
    systems : mapping of str to sequence of str, data frame, Dataset or Source
        Hypotheses by name of the system, one per segment. The first system is the baseline. A
        list of such sequences is several runs of one system. A data frame has a column per
        system. A data set and a source also have the references, so the metrics follow them:
        ``evaluate(dataset, ["bleu"])``.
    references : sequence of sequence of str, data frame or TestSet
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
        Values of ``case``, ``tok``, ``stem``, ``loo`` and ``missing`` for every metric that has the
        option and does not set it in its spec.
    threads : int
        Number of threads that count. It does not change the results.
    humans : bool
        Whether to score each reference against the others, next to the systems (Lin and Och 2004,
        section 5).
    kept : Kept
        What is kept of the rows of segments (default: all). Documents, segments, intervals and
        tests need what they draw from. Results do not depend on how a source is cut.
    progress : bool
        Whether to show a progress bar if the evaluation takes long.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        If there are no systems or no metrics, or they are not a mapping and a list; if a metric,
        tokenizer, normalizer or option does not exist; if no metric takes one of the defaults; or
        if a metric cannot be counted in the parts of the source.
    InputError
        If texts are refused: if the numbers of segments differ or are zero, for example, or if a
        segment has no reference.
    PluginError
        If a plugin that is needed is broken or ambiguous.

    Examples
    --------
    >>> evaluation = evaluate({"A": ["a b c d"], "B": ["a b x d"]}, [["a b c d"]], ["wer"])
    >>> evaluation.score("B", "wer").score
    25.0
    """
    if not isinstance(kept, Kept):
        raise UsageError(f"kept is {kept!r:.100}: expected Kept('corpus'), 'doc' or 'segment'")
    kept.check()
    language = ""
    if isinstance(systems, (Dataset, Source)):
        if specs is not None:
            raise UsageError("a data set has references; expected evaluate(dataset, metrics)")
        specs, references = cast("Specs | None", references), None
    if isinstance(systems, Dataset):
        language, references, systems = systems.language, systems.test_set, systems.systems
    scorers: Sequence[Scorer] = scorers_of(
        specs, registry=registry, defaults=defaults, language=language
    )
    if isinstance(systems, Source):
        texts = systems
        if documents or source or humans:
            raise UsageError("a source has all texts: expected no documents, source or humans")
    elif references is None:
        raise UsageError("no references: expected one list per reference stream")
    else:
        outputs, given = columns_of(systems), columns_of(references)
        streams: Any = references if given is references else [*given.values()]
        texts = InMemory.of(outputs, streams, documents=documents, source=source, humans=humans)
    with bars.show_bars() if progress else nullcontext():
        if texts.is_whole:
            check_texts(texts, scorers)
        scorers = kept.with_references(scorers, texts, threads)
        whole = kept.count_source(texts, scorers, threads)
        if not texts.is_whole:
            check_texts(texts, scorers, whole)
        return to_evaluation(whole, texts.runs, scorers, kept, paths=texts.paths)


def check_texts(source: Source, scorers: Sequence[Scorer], whole: Partial | None = None) -> None:
    """Warn of what is probably wrong with the texts of a source."""
    texts = source.summaries(whole.digests if whole else {})
    if texts is not None:
        checked = replace(texts, metrics=tuple(scorers))
        for code, message in checked.findings(scorers[0].setup.registry):
            warn(code, message)


def to_evaluation(
    whole: Partial,
    runs: Mapping[str, tuple[str, ...]],
    scorers: Sequence[Scorer],
    kept: Kept,
    *,
    paths: Mapping[Key, str] | None = None,
) -> Evaluation:
    """Make an evaluation of everything that was counted.

    Parameters
    ----------
    whole : Partial
        All parts, merged.
    runs : mapping of str to tuple of str
        The systems in their order, each with the names of its runs.
    scorers : sequence of Scorer
        The metrics.
    kept : Kept
        What was kept.
    paths : mapping of (str, str) to str, optional
        The files of texts that were not kept, by role and name.

    Raises
    ------
    InputError
        If nothing was counted, or two segments have the same id.
    """
    texts = texts_of_whole(whole, scorers) if whole.whole else texts_of_parts(whole, scorers, paths)
    rows = rows_in_order(whole)
    totals: dict[Key, Sums] = {key: each.total.total() for key, each in whole.counted.items()}
    totals |= {key: each.sum() for key, each in rows.items() if isinstance(each, KeptRows)}
    scores = Scores(
        **texts,
        runs=runs,
        totals=totals,
        rows=rows if kept.level == "segment" else {},
        in_parts=in_parts(whole, kept.seed) if whole.documents or kept.resamples else None,
    )
    for spec, scorer in scores.scorers.items():
        if scorer.declaration.may_miss:
            coverages = {one: float(scores.values(one, spec)[0, -1]) for one in runs}
            (treatment,) = scorer.setup.fields["missing"]
            check_coverage(spec, treatment, coverages)
        warn_of_cuts(spec, {one: scores.cut(one, spec) for one in runs})
    return Evaluation(scores)


def rows_in_order(whole: Partial) -> dict[Key, Rows]:
    """Join the rows that were kept, in the order of the ids; those in a file stay in pieces."""
    ids = whole.all_ids if whole.ids else None
    order = slice(None) if ids is None or (np.diff(ids) > 0).all() else np.argsort(ids)
    rows: dict[Key, Rows] = {}
    for key, pieces in whole.rows.items():
        in_pieces = isinstance(order, slice) and not isinstance(pieces[0], np.ndarray)
        rows[key] = pieces if in_pieces else whole.all_rows(key)[order]
    return {key: each if key in whole.counted else KeptRows(each) for key, each in rows.items()}


def in_parts(whole: Partial, seed: int) -> InParts:
    """Return what was kept in place of all rows."""
    documents = dict(sorted(whole.documents.items(), key=lambda item: item[1].first))
    counted = whole.counted
    return InParts(
        document_sizes={name: each.n_segments for name, each in documents.items()},
        document_rows={
            key: np.array([each.totals[key].total() for each in documents.values()])
            for key in (counted if documents else ())
        },
        resampled={key: each.resampled.total() for key, each in counted.items() if each.resampled},
        alike={key: each.row is not None for key, each in counted.items()},
        seed=seed,
    )


def texts_of_whole(whole: Partial, scorers: Sequence[Scorer]) -> dict[str, Any]:
    """Return texts that were kept, and the metrics, bound to their references."""
    part = whole.whole
    assert part is not None

    def bound(run: str) -> dict[str, Scorer]:
        return {spec: whole.scorers[run, spec] for spec in (str(one.spec) for one in scorers)}

    people = {name: human for human in part.humans for name in human.systems}
    return {
        "test_set": part.test_set,
        "texts": {**part.systems, **{name: one.systems[name] for name, one in people.items()}},
        "scorers": bound(next(iter(part.systems))),
        "humans": {name: Human(one.test_set, bound(name)) for name, one in people.items()},
    }


def texts_of_parts(
    whole: Partial, scorers: Sequence[Scorer], paths: Mapping[Key, str] | None
) -> dict[str, Any]:
    """Return stand-ins for texts that were not kept, and the metrics.

    Raises
    ------
    InputError
        If nothing was counted, or two segments have the same id.
    """
    check_complete(whole)
    seen = {key: SeenText(digest, (paths or {}).get(key)) for key, digest in whole.digests.items()}
    references = tuple(text for (role, _), text in seen.items() if role == "ref")
    empty = empty_test_set(len(references), source=("src", "") in seen)
    _, bound, _ = next(tokenize_systems(scorers, {"": Text.of([""])}, empty))
    return {
        "test_set": SeenTestSet(
            references=references,
            source=seen.get(("src", "")),
            documents_text=seen.get(("doc", "")),
            size=whole.n_segments,
            n_references=whole.least if whole.least == whole.most else None,
        ),
        "texts": {name: text for (role, name), text in seen.items() if role == "hyp"},
        "scorers": {str(scorer.spec): scorer for scorer in bound},
    }


def check_complete(whole: Partial) -> None:
    """Raise an `InputError` if there is no segment, or if ids must have been repeated."""
    n = whole.n_segments
    if not n:
        raise InputError("the test set is empty: expected at least one segment")
    is_full = whole.last == n - 1
    if whole.last < n - 1 or (is_full and whole.id_sum != n * (n - 1) // 2):
        raise InputError(
            f"{n} segments with ids up to {whole.last}: some ids come twice; expected an id of "
            f"its own for each segment"
        )
    if whole.ids:
        check_ids(whole.all_ids)
