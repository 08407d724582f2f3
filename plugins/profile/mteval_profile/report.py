"""Reports of ``mteval profile``: figures and parts of the test set down, systems across."""

from __future__ import annotations

from itertools import groupby, product
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core.report import Cell, Column, Meaning, Report, Table
from mteval_profile.overview import overview

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core import Evaluation, Subset
    from mteval_core.report import Picture

__all__ = ["Profile", "of_profile"]

FEW = 10
"""With fewer segments, p-values are not reliable."""

CORRECTIONS = {
    "holm": "Holm's correction",
    "bh": "Benjamini and Hochberg's correction",
    "none": "not corrected",
}
"""What corrections are called."""

PARTS = {
    "length": ("by length of the reference in words", "words"),
    "doc": ("by document", "document"),
    "domain": ("by domain", "domain"),
}
"""What tables of parts are called, and what names their rows."""

REFERENCES = "references"
"""The value of a figure that is the figure of the references, and the head of its column."""


class Profile(NamedTuple):
    """Systems under metrics and figures, as a whole and in parts.

    Parameters
    ----------
    evaluation : Evaluation
        All metrics and figures on the whole test set.
    figures : tuple of str
        Specs of the figures.
    parts : tuple of (Subset, Evaluation)
        The metrics on each part; see `mteval_core.Subset`.
    notes : tuple of str
        What was left out.
    """

    evaluation: Evaluation
    figures: tuple[str, ...]
    parts: tuple[tuple[Subset, Evaluation], ...]
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
    tables = [*_tables_of_parts(profile, decimals), *_figures(profile, decimals)]
    sizes = [count(len(whole.systems), "system"), count(len(whole.scores.test_set), "segment")]
    sizes.append(count(len(whole.scores.test_set.references), "reference"))
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
        parts=[*_overview(profile, decimals), *tables],
        records=list(_records(profile)),
        inputs=whole.to_dict()["inputs"],
        legend=_legend(profile, tables),
        notes=notes,
        settings=settings,
        signatures=(str(whole.score(whole.systems[0], spec).signature) for spec in whole.scorers),
    )


def _overview(profile: Profile, decimals: int) -> list[Picture]:
    """Draw the metrics and figures if the systems were tested."""
    whole = profile.evaluation
    if not whole.comparisons:
        return []
    names = {spec: whole.scorers[spec].label for spec in profile.metrics}
    for spec in profile.figures:
        scorer = whole.scorers[spec]
        names[spec] = (
            f"{scorer.label} {_name(whole, spec)}" if scorer.spec.options else scorer.label
        )
    return [overview(whole, names, decimals)]


# Tables


def _tables_of_parts(profile: Profile, decimals: int) -> Iterator[Table]:
    """Yield a table for each metric and kind of part: the whole test set first, then the parts."""
    whole = profile.evaluation
    for spec, (by, (title, head)) in product(profile.metrics, PARTS.items()):
        parts = [(part, own) for part, own in profile.parts if part.by == by]
        if not parts:
            continue
        sizes = [("all", len(whole.scores.test_set))]
        sizes += [(part.name, len(part.segments)) for part, _ in parts]
        rows = [whole, *(own for _, own in parts)]
        columns = tuple(
            Column((system,), tuple(_cell(own, system, spec, decimals) for own in rows))
            for system in whole.systems
        )
        label = " ".join(Column.heads_of(whole.scorers[spec]))
        yield Table(f"{label} {title}", (head, "segments"), tuple(sizes), columns)


def _figures(profile: Profile, decimals: int) -> Iterator[Table]:
    """Yield a table for the figures of each metric."""
    whole = profile.evaluation

    def declared(spec: str) -> str:
        return whole.scorers[spec].setup.entry.qualified

    for _, specs in groupby(profile.figures, declared):
        group = list(specs)
        scorer = whole.scorers[group[0]]
        columns = [
            Column((system,), tuple(_cell(whole, system, spec, decimals) for spec in group))
            for system in whole.systems
        ]
        own = [_of_references(whole, spec) for spec in group]
        if any(value is not None for value in own):
            shown = ("–" if value is None else number(value, decimals) for value in own)
            columns.append(Column((REFERENCES,), tuple(Cell((value,)) for value in shown)))
        names = tuple((_name(whole, spec),) for spec in group)
        caption = f"{scorer.label}: {scorer.declaration.help}"
        yield Table(caption, ("",), names, tuple(columns))


def _cell(evaluation: Evaluation, system: str, spec: str, decimals: int) -> Cell:
    """Write a value with its interval, marked if it differs from that of the first system."""
    value = number(evaluation.score(system, spec).score, decimals)
    interval = evaluation.intervals.get((system, spec))
    if interval is None:
        return Cell((value, "", ""))
    ends = f"[{number(interval.low, decimals)},", f"{number(interval.high, decimals)}]"
    comparison = evaluation.comparisons.get((system, evaluation.systems[0], spec))
    if comparison is None:
        return Cell((value, *ends))
    return Cell((value, *ends), "significant" if comparison.significant else "insignificant")


def number(value: float, decimals: int) -> str:
    """Write a number."""
    # Adding zero turns "-0.00" into "0.00".
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def count(n: int, what: str) -> str:
    """Write a number of things."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


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


def _legend(profile: Profile, tables: Sequence[Table]) -> list[str | list[Meaning]]:
    whole = profile.evaluation
    interval = next(iter(whole.intervals.values()), None)
    seed = "".join(whole.drawn.get("seed", ()))
    legend: list[str | list[Meaning]] = []
    if interval is not None:
        resampler = "".join(whole.drawn.get("draw", ("bootstrap",)))
        kind = "BCa" if interval.kind == "bca" else interval.kind
        legend.append(
            f"[ ] {interval.level:g}% {kind} interval from {interval.n} {resampler} resamples of "
            f"segments, seed {seed}"
        )
    if whole.comparisons:
        one = next(iter(whole.comparisons.values()))
        test = f"paired approximate randomisation, {one.n} trials"
        if one.exact:
            test = f"exact paired randomisation, all {one.n} exchanges"
        text = (
            f"against {whole.systems[0]}, row by row: p < 0.05 ({test} of segments, seed {seed}, "
            f"{CORRECTIONS[one.correction]})"
        )
        legend.append([Meaning(text, "significant")])
    if any(column.heads == (REFERENCES,) for table in tables for column in table.columns):
        legend.append(f"{REFERENCES}: the same figure of the references")
    return legend


def _records(profile: Profile) -> Iterator[dict[str, Any]]:
    """Yield the records of the whole test set, then those of its parts."""
    whole = profile.evaluation
    yield from whole.to_records()
    for part, evaluation in profile.parts:
        for record in evaluation.to_records():
            signature = str(whole.score(record["system"], record["metric"]).signature)
            yield {**record, "level": part.by, "id": part.name, "signature": signature}
