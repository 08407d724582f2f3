"""Reports of ``mteval explain``: segments, matches of two systems, and explanations."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from mteval_core import Layout, __version__
from mteval_core.report import Column, Picture, Report, Table
from mteval_explain.html import STYLE, section
from mteval_explain.scene import OMITTED, SEVERITIES, shown, strengths
from mteval_explain.segments import compare_ngrams, influence
from mteval_explain.svg import drawings
from mteval_explain.terminal import UNDERLINES, drawn, facts, number, score
from mteval_explain.written import explanations, has_method, marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mteval_core import Evaluation, Scorer
    from mteval_core.report import Layout
    from mteval_explain.segments import NgramMatches
    from mteval_explain.terminal import PictureKind
    from mteval_explain.written import WrittenExplanation

__all__ = ["Choice", "of_segments"]

NO_SCORE = "the metric has no score of this segment"

N_NGRAMS = 10
"""Number of n-grams that are listed for each of two systems."""


class Choice(NamedTuple):
    """What of an evaluation is explained.

    Parameters
    ----------
    systems : tuple of str
        The systems.
    segments : tuple of int
        Numbers of the segments, in the order of the report.
    compared : tuple of int
        Numbers of the segments in which the n-grams of two systems are compared.
    pictures : tuple of {"spans", "lines", "grid"}
        Which pictures.
    """

    systems: tuple[str, ...]
    segments: tuple[int, ...]
    compared: tuple[int, ...] = ()
    pictures: tuple[PictureKind, ...] = ("spans", "lines", "grid")


def of_segments(evaluation: Evaluation, choice: Choice) -> Report:
    """Report why systems have their scores in some segments.

    Parameters
    ----------
    evaluation : Evaluation
        The systems under the metrics that explain, with rows.
    choice : Choice
        What is explained.
    """
    made = list(_explain(evaluation, choice))
    ngrams: list[NgramMatches] = []
    if len(choice.systems) == 2:
        first, second = choice.systems
        scorers = evaluation.scorers.values()
        ngrams = compare_ngrams(evaluation, (first, second), scorers, choice.compared)
    rows = [row for spec in evaluation.scorers for row in _rows(evaluation, choice, spec)]
    return Report(
        "Explanations",
        make_parts=lambda layout: [
            *_tables(evaluation, choice, ngrams, layout),
            *(_picture(one, choice.pictures, layout) for one in made),
        ],
        make_records=lambda: [one.to_dict() for one in made],
        make_data=lambda report: {
            "mteval": __version__,
            "inputs": evaluation.to_dict()["inputs"],
            "explanations": report.records,
            "segments": [row._asdict() for row in rows],
            "ngrams": [one._asdict() for one in ngrams],
        },
        legend=_legend(choice, made),
        signatures=[
            str(evaluation.score(choice.systems[0], s).signature) for s in evaluation.scorers
        ],
    )


def _picture(
    explanation: WrittenExplanation, pictures: tuple[PictureKind, ...], layout: Layout
) -> Picture:
    """Draw an explanation; a table of its terms stands for it where there are no pictures."""
    return Picture(
        "explanation",
        explanation.title,
        text=lambda layout: _in_characters(explanation, pictures, layout),
        html=lambda layout: section(explanation, pictures, layout.decimals, layout.columns),
        svg=lambda layout: drawings(explanation, pictures, layout.columns, layout.decimals),
        style=STYLE,
        table=_terms(explanation, layout.decimals),
    )


def _terms(explanation: WrittenExplanation, decimals: int) -> Table:
    if explanation.marks is not None and not explanation.terms:
        return _marks(explanation)
    names = tuple((term.name, term.formula) for term in explanation.terms)
    values = [number(term.value, decimals) for term in explanation.terms]
    if not names:
        names, values = ((NO_SCORE, ""),), [""]
    return Table(explanation.title, ("term", "formula"), names, (Column.of("value", values),))


def _marks(explanation: WrittenExplanation) -> Table:
    found = explanation.marks or ()
    names = tuple((mark.side, f"{mark.start}-{mark.end}") for mark in found)
    heads = ("severity", "category", "note")
    rows = [[str(getattr(mark, head)) for head in heads] for mark in found]
    if not found:
        names, rows = (("no marks", ""),), [[""] * len(heads)]
    columns = map(Column.of, heads, zip(*rows, strict=True))
    return Table(explanation.title, ("text", "span"), names, tuple(columns))


def _in_characters(
    explanation: WrittenExplanation, pictures: tuple[PictureKind, ...], layout: Layout
) -> str:
    """Write the facts of an explanation, and its pictures below them."""
    lines = [
        fill(Layout.printable(line), layout.columns, subsequent_indent="  ", break_on_hyphens=False)
        for line in facts(explanation, layout.decimals)
    ]
    below = drawn(
        explanation,
        pictures,
        layout.columns,
        colour=layout.colour,
        mirrored=layout.mirrored,
    )
    return "\n".join([*lines, "", below])


def _explain(evaluation: Evaluation, choice: Choice) -> Iterator[WrittenExplanation]:
    """Explain each segment of each system under each metric; two systems are compared."""
    test_set, outputs = evaluation.scores.corpus
    texts = {system: outputs[evaluation.scores.runs[system][0]] for system in choice.systems}
    every = choice.segments == tuple(range(len(test_set)))
    segments = None if every else choice.segments

    def of_system(name: str, spec: str, scorer: Scorer) -> Iterator[WrittenExplanation]:
        text, values = texts[name], evaluation.scores.values(name, spec, "segment").tolist()
        may_miss = scorer.declaration.may_miss  # then the last value is the coverage
        missing = {i for i, known in enumerate(values) if may_miss and not known[-1]}
        if has_method(scorer, "explain"):
            found = explanations(scorer, text, test_set, segments=segments, missing=missing)
        else:
            found = marked(scorer, text, test_set, segments)
        for one in found:
            known = one.values or dict(zip(scorer.scales, values[one.segment], strict=True))
            more: Mapping[str, Any] = {}
            if one.segment in missing:
                more = {"marks": one.marks or None, "remarks": (*one.remarks, NO_SCORE)}
            yield replace(one, system=name, values=known, **more)

    made = {
        spec: [list(of_system(name, spec, scorer)) for name in texts]
        for spec, scorer in evaluation.scorers.items()
    }
    for n in range(len(choice.segments)):
        for of_systems in made.values():
            some = [one[n] for one in of_systems]
            if len(some) == 2:
                some = [_contrasted(*some), _contrasted(*some[::-1])]
            yield from some


def _contrasted(one: WrittenExplanation, other: WrittenExplanation) -> WrittenExplanation:
    """Say which words of the references only this system matches."""
    remarks = [*one.remarks]
    for k in sorted({*one.shown_references} & {*other.shown_references}):
        alone = [
            bool(mine) and not its
            for mine, its in zip(strengths(one, k), strengths(other, k), strict=True)
        ]
        if any(alone):
            listed = ", ".join(f"“{words}”" for words in _stretches(one.words(k), alone))
            remarks.append(f"matches in {one.text(k).label}, and {other.system} does not: {listed}")
    return replace(one, remarks=tuple(remarks))


def _stretches(words: Sequence[str], marks: Sequence[bool]) -> list[str]:
    """Join neighbouring words that are marked."""
    stretches: list[list[str]] = [[]]
    for word, mark in zip(words, marks, strict=True):
        if mark:
            stretches[-1].append(word)
        elif stretches[-1]:
            stretches.append([])
    return [" ".join(some) for some in stretches if some]


# Tables


class Row(NamedTuple):
    """Scores of a segment under a metric; difference and influence if there are two systems."""

    segment: int
    metric: str
    scores: dict[str, float | None]
    difference: float | None = None
    influence: float | None = None


def _rows(evaluation: Evaluation, choice: Choice, spec: str) -> list[Row]:
    """Write the scores of the segments; of two systems also their difference and its influence."""
    main = list(evaluation.scorers[spec].scales).index(evaluation.scorers[spec].main)
    values = {
        s: evaluation.scores.values(s, spec, "segment")[:, main].tolist() for s in choice.systems
    }
    found = []
    for i in choice.segments:
        scores = [None if isnan(of_all[i]) else of_all[i] for of_all in values.values()]
        found.append(Row(i, spec, dict(zip(values, scores, strict=True))))
    if len(choice.systems) != 2:
        return found
    first, second = choice.systems
    moved = influence(evaluation, (first, second), spec).tolist()
    compared = []
    for row in found:
        a, b = row.scores[first], row.scores[second]
        difference = None if a is None or b is None else a - b
        compared.append(row._replace(difference=difference, influence=moved[row.segment]))
    return compared


def _tables(
    evaluation: Evaluation, choice: Choice, ngrams: Sequence[NgramMatches], layout: Layout
) -> list[Table]:
    columns: list[Column] = []
    for spec in evaluation.scorers:
        rows = _rows(evaluation, choice, spec)
        for system in choice.systems:
            scores = (score(row.scores[system], layout.decimals) for row in rows)
            columns.append(Column.of(system, scores, spec))
        for head in ("difference", "influence") if len(choice.systems) == 2 else ():
            numbers = [getattr(row, head) for row in rows]
            texts = (score(number, layout.decimals, "+") for number in numbers)
            columns.append(Column.of(head, texts, spec))
    names = tuple((i,) for i in choice.segments)
    tables = [Table("", ("segment",), names, tuple(columns))] if names else []
    if ngrams:
        tables += [_ngram_table(choice, ngrams, k) for k in (0, 1)]
    return [table for table in tables if table.names]


def _ngram_table(choice: Choice, ngrams: Sequence[NgramMatches], k: int) -> Table:
    """List the n-grams that one system matches more often than the other."""
    sign = 1 if k == 0 else -1
    some = [one for one in ngrams if sign * (one.first - one.second) > 0][:N_NGRAMS]
    n = len(choice.compared)
    counts = zip(*((one.first, one.second) for one in some), strict=True)
    return Table(
        f"n-grams of the references that {choice.systems[k]} matches more often in "
        f"{n} segment{'' if n == 1 else 's'}",
        ("n-gram",),
        tuple((Layout.printable(" ".join(one.ngram)),) for one in some),
        tuple(
            Column.of(system, map(str, column))
            for system, column in zip(choice.systems, counts, strict=False)
        ),
    )


def _legend(choice: Choice, made: Sequence[WrittenExplanation]) -> list[str]:
    lines = []
    if len(choice.systems) == 2:
        text = "influence: share of the segment in the corpus difference, which is the difference "
        text += "minus that without the segment"
        lines.append(text)
    drawn = {name for one in made for name in shown(one, choice.pictures)}
    if "lines" in drawn:
        text = (
            "lines: | ~ match, S substitution, D deletion, I insertion, + only in the hypothesis, "
        )
        text += "- only in the reference, numbers: out of order, or shifts"
        lines.append(text)
    if "spans" in drawn and any(one.marks is None for one in made):
        lines.append("spans: the higher the bar, or the stronger the colour, the longer the match")
    if any(one.marks for one in made):
        signs = zip(UNDERLINES[1:], SEVERITIES[1:], strict=True)
        lines.append(f"marks: {', '.join(map(' '.join, signs))}; {OMITTED} something is missing")
    return lines
