"""Reports of ``mteval profile``: figures and parts of the test set down, systems across."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from mteval_core.evaluation.parts import (
    Part,
    by_document,
    by_domain,
    by_length,
    of_part,
    reference_words,
)
from mteval_core.evaluation.resampling import SIGNIFICANT
from mteval_core.frozen import Frozen
from mteval_core.report.comparisons import meaning_of_significance, metric_heads
from mteval_core.report.grid import Cell, Column, Table, cells
from mteval_core.report.numbers import count, ends, number
from mteval_core.report.report import Meaning, Report
from mteval_core.report.scores import FEW
from mteval_core.report.symbols import DASH, KINDS
from mteval_core.text.named import find_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.parts import Grouping
    from mteval_core.report.grid import Mark
    from mteval_core.report.report import Legend

__all__ = ["Profile", "by_parts", "of_profile"]

REFERENCES = "references"
"""The value of a figure that is the figure of the references, and the head of its column."""

TITLES: Mapping[Grouping, tuple[str, str]] = {
    "length": ("by length of the reference in words", "words"),
    "doc": ("by document", "document"),
    "domain": ("by domain", "domain"),
}


class Profile(Frozen, eq=False):
    """Systems under metrics and figures, as a whole and in parts.

    Parameters
    ----------
    evaluation : Evaluation
        All metrics and figures on the whole test set.
    figures : tuple of str
        Specs of the figures.
    parts : tuple of (Part, Evaluation)
        The metrics on each part; see `mteval_core.evaluation.parts`.
    notes : tuple of str
        What was left out.
    """

    evaluation: Evaluation
    figures: tuple[str, ...]
    parts: tuple[tuple[Part, Evaluation], ...]
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """Specs of the metrics."""
        return tuple(spec for spec in self.evaluation.scorers if spec not in self.figures)


def of_profile(profile: Profile, settings: Mapping[str, object], decimals: int = 1) -> Report:
    """Report a profile.

    Parameters
    ----------
    profile : Profile
        The numbers.
    settings : mapping
        How they were made, for machines.
    decimals : int
        Digits after the decimal point.
    """
    whole = profile.evaluation
    used = {part.by for part, _ in profile.parts}
    tables = [
        _by_part(profile, by, spec, decimals)
        for spec in profile.metrics
        for by in TITLES
        if by in used
    ]
    tables += _figures(profile, decimals)
    sizes = [count(len(whole.systems), "system"), count(len(whole.test_set), "segment")]
    sizes.append(count(len(whole.test_set.references), "reference"))
    notes = list(profile.notes)
    if any(len(part.segments) < FEW for part, _ in profile.parts):
        notes.append(
            f"Parts with fewer than {FEW} segments are not tested, and their intervals are not "
            f"reliable; a part of one segment has none."
        )
    return Report.of(
        experiment="profile",
        title="Profile",
        summary=", ".join(sizes),
        parts=tables,
        records=list(_records(profile)),
        inputs=whole.inputs(),
        legend=_legend(profile, tables),
        notes=notes,
        settings=settings,
        signatures=(str(whole.signature(whole.systems[0], spec)) for spec in whole.scorers),
    )


# Tables


def by_parts(evaluation: Evaluation, specs: Sequence[str], decimals: int = 2) -> list[Table]:
    """Make tables of the scores by length of the references, by document and by domain.

    Parameters
    ----------
    evaluation : Evaluation
        With its rows.
    specs : sequence of str
        The metrics, which must have scores of segments.
    decimals : int
        Digits after the decimal point.

    Returns
    -------
    list of Table
        One per metric and kind of part: systems across, the parts down, the whole test set first.
        A length is a number of words as the tokenizer ``13a`` cuts them. Nothing for a test set
        without references, documents and domains.
    """
    test_set, parts = evaluation.corpus.test_set, list[Part]()
    if specs and test_set.references:
        registry = evaluation.scorers[specs[0]].setup.registry
        tokenizer, _ = find_tokenizer("13a", registry)
        parts += by_length(reference_words(test_set, tokenizer.declaration))
    if specs and test_set.documents:
        parts += by_document(test_set)
    if specs and test_set.domains:
        parts += by_domain(test_set)
    profile = Profile(evaluation, (), tuple((p, of_part(evaluation, p, specs)) for p in parts))
    used = {part.by for part in parts}
    return [_by_part(profile, by, spec, decimals) for spec in specs for by in TITLES if by in used]


def _figures(profile: Profile, decimals: int) -> Iterator[Table]:
    """Yield a table for the figures of each metric."""
    whole = profile.evaluation

    def declared(spec: str) -> str:
        return whole.scorers[spec].setup.entry.qualified

    for _, specs in groupby(profile.figures, declared):
        group = list(specs)
        scorer = whole.scorers[group[0]]
        columns = _systems(whole, [(whole, spec) for spec in group], decimals)
        own = [_of_references(whole, spec) for spec in group]
        if any(value is not None for value in own):
            shown = (DASH if value is None else number(value, decimals) for value in own)
            columns.append(Column((REFERENCES,), cells(shown)))
        names = tuple((_name(whole, spec),) for spec in group)
        caption = f"{scorer.label}: {scorer.declaration.help}"
        yield Table(caption, ("",), names, tuple(columns))


def _by_part(profile: Profile, by: Grouping, spec: str, decimals: int) -> Table:
    """Scores under one metric, the whole test set first."""
    parts = [(part, evaluation) for part, evaluation in profile.parts if part.by == by]
    title, head = TITLES[by]
    names = [("all", len(profile.evaluation.test_set))]
    names += [(part.name, len(part.segments)) for part, _ in parts]
    rows = [(profile.evaluation, spec), *((evaluation, spec) for _, evaluation in parts)]
    label = " ".join(metric_heads(profile.evaluation, spec))
    columns = _systems(profile.evaluation, rows, decimals)
    return Table(f"{label} {title}", (head, "segments"), tuple(names), tuple(columns))


def _systems(
    whole: Evaluation, rows: Sequence[tuple[Evaluation, str]], decimals: int
) -> list[Column]:
    """Make a column for each system, with a cell for each evaluation and spec."""
    return [
        Column((system,), tuple(_cell(each, system, spec, decimals) for each, spec in rows))
        for system in whole.systems
    ]


def _cell(evaluation: Evaluation, system: str, spec: str, decimals: int) -> Cell:
    """Write a score with its interval, marked if it differs from that of the first system."""
    score = number(evaluation.score(system, spec).score, decimals)
    interval = evaluation.intervals.get((system, spec))
    if interval is None:
        return Cell((score, "", ""))
    low, high = ends(interval, decimals)
    return Cell((score, f"[{low},", f"{high}]"), _mark(evaluation, system, spec))


def _mark(evaluation: Evaluation, system: str, spec: str) -> Mark | None:
    comparison = evaluation.comparisons.get((system, evaluation.systems[0], spec))
    if comparison is None:
        return None
    return "significant" if comparison.p_value < SIGNIFICANT else "insignificant"


def _of_references(evaluation: Evaluation, spec: str) -> float | None:
    """Value of the figure for the references, which is the same for all systems."""
    return evaluation.score(evaluation.systems[0], spec).values.get(REFERENCES)


def _name(evaluation: Evaluation, spec: str) -> str:
    """Name a figure among those of its metric: by its options, or by its value."""
    scorer = evaluation.scorers[spec]
    options = {key: "+".join(items) for key, items in scorer.spec.options.items()}
    value = [options.pop("value")] if "value" in options else []
    return ",".join([*value, *(f"{key}={item}" for key, item in options.items())]) or scorer.main


# Legend and records


def _legend(profile: Profile, tables: Sequence[Table]) -> Legend:
    whole = profile.evaluation
    interval = next(iter(whole.intervals.values()), None)
    legend: list[str | list[Meaning]] = []
    if interval is not None:
        resampler = "".join(whole.drawn.get("draw", ("bootstrap",)))
        text = f"[ ] {interval.level:g}% {KINDS[interval.kind]} interval from {interval.n} "
        seed = "".join(whole.drawn.get("seed", ()))
        legend.append(f"{text}{resampler} resamples of segments, seed {seed}")
    if whole.comparisons:
        against = f"against {whole.systems[0]}, row by row: "
        meaning = meaning_of_significance(whole)
        legend.append([Meaning(f"{against}{meaning.text}", meaning.mark)])
    if any(column.heads == (REFERENCES,) for table in tables for column in table.columns):
        legend.append(f"{REFERENCES}: the same figure of the references")
    return legend


def _records(profile: Profile) -> Iterator[dict[str, Any]]:
    """Yield the records of the whole test set, then those of its parts."""
    whole = profile.evaluation
    yield from whole.to_records()
    for part, evaluation in profile.parts:
        for record in evaluation.to_records():
            signature = str(whole.signature(record["system"], record["metric"]))
            yield {**record, "level": part.by, "id": part.name, "signature": signature}
