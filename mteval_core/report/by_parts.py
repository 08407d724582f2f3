"""Tables of scores by part of the test set, systems across, parts down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.evaluation.p_values import SIGNIFICANT
from mteval_core.evaluation.subsets import (
    Subset,
    by_document,
    by_domain,
    by_length,
    of_subset,
    reference_words,
)
from mteval_core.report.grid import Cell, Column, Table
from mteval_core.report.numbers import ends, number
from mteval_core.report.score_table import metric_heads
from mteval_core.text.named import find_tokenizer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.evaluation.subsets import Grouping
    from mteval_core.report.grid import Mark

__all__ = ["by_parts", "score_columns", "tables_of_parts"]

TITLES: Mapping[Grouping, tuple[str, str]] = {
    "length": ("by length of the reference in words", "words"),
    "doc": ("by document", "document"),
    "domain": ("by domain", "domain"),
}


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
    test_set, parts = evaluation.scores.corpus.test_set, list[Subset]()
    if specs and test_set.references:
        registry = evaluation.scorers[specs[0]].setup.registry
        tokenizer, _ = find_tokenizer("13a", registry)
        parts += by_length(reference_words(test_set, tokenizer.declaration))
    if specs and test_set.documents:
        parts += by_document(test_set)
    if specs and test_set.domains:
        parts += by_domain(test_set)
    scored = [(part, of_subset(evaluation, part, specs)) for part in parts]
    return tables_of_parts(evaluation, scored, specs, decimals)


def tables_of_parts(
    whole: Evaluation,
    parts: Sequence[tuple[Subset, Evaluation]],
    specs: Sequence[str],
    decimals: int,
) -> list[Table]:
    """Make a table of each metric and kind of part, the whole test set first."""
    used = {part.by for part, _ in parts}
    tables = []
    for spec in specs:
        for by in filter(used.__contains__, TITLES):
            chosen = [(part, evaluation) for part, evaluation in parts if part.by == by]
            title, head = TITLES[by]
            names = [("all", len(whole.scores.test_set))]
            names += [(part.name, len(part.segments)) for part, _ in chosen]
            rows = [(whole, spec), *((evaluation, spec) for _, evaluation in chosen)]
            label = " ".join(metric_heads(whole.scorers[spec]))
            columns = score_columns(whole, rows, decimals)
            tables.append(
                Table(f"{label} {title}", (head, "segments"), tuple(names), tuple(columns))
            )
    return tables


def score_columns(
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
