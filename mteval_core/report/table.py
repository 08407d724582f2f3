"""Tables for people: systems down, metrics across, the best of each marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.evaluation import Evaluation
    from mteval_core.report import Layout
    from mteval_core.scorer import Scorer

__all__ = ["Column", "columns", "markdown", "row_names", "text"]

ARROWS = {"higher": "↑", "lower": "↓"}


@dataclass(frozen=True)
class Column:
    """One metric of the table.

    Parameters
    ----------
    label : str
        Name of the metric.
    options : tuple of str
        The options by which it was asked for, ``key=value``.
    arrow : str
        Which direction is better.
    cells : list of str
        The scores, rounded.
    best : list of bool
        Which of them is the best of its document or segment, or of the corpus.
    """

    label: str
    options: tuple[str, ...]
    arrow: str
    cells: list[str]
    best: list[bool]

    @property
    def title(self) -> str:
        """Label, direction and options on lines of their own."""
        return "\n".join([f"{self.label} {self.arrow}", *self.options])


def row_names(evaluation: Evaluation, layout: Layout) -> tuple[list[str], list[tuple[str, ...]]]:
    """Titles and names of the rows: the systems, and the part of the corpus if it has parts."""
    ids, _ = evaluation.groups(layout.level)
    systems = list(evaluation.systems)
    if layout.level == "corpus":
        return ["system"], [(system,) for system in systems]
    return [layout.level, "system"], [(str(part), system) for part in ids for system in systems]


def columns(evaluation: Evaluation, layout: Layout) -> list[Column]:
    """Scores of every metric, rounded, in the order of `row_names`."""
    return [_column(evaluation, layout, spec, s) for spec, s in evaluation.scorers.items()]


def _column(evaluation: Evaluation, layout: Layout, spec: str, scorer: Scorer) -> Column:
    main = list(scorer.scales).index(scorer.main)
    scores = np.stack(
        [
            evaluation.values(system, spec, layout.level)[:, main] for system in evaluation.systems
        ],
        axis=1,
    )
    better = np.max if scorer.declaration.better == "higher" else np.min
    rounded = [[f"{score:.{layout.decimals}f}" for score in row] for row in scores.tolist()]
    # What reads alike is alike: the mark goes to all that round to the best.
    extremes = [f"{score:.{layout.decimals}f}" for score in better(scores, axis=1).tolist()]
    several = len(evaluation.systems) > 1
    best = [several and cell == e for row, e in zip(rounded, extremes, strict=True) for cell in row]
    options = tuple(f"{key}={'+'.join(items)}" for key, items in scorer.spec.options.items())
    arrow = ARROWS[scorer.declaration.better]
    return Column(scorer.label, options, arrow, [c for row in rounded for c in row], best)


def text(evaluation: Evaluation, layout: Layout) -> str:
    """Write a table in plain text with the signatures under it.

    A table wider than the page is cut between metrics, the rows named anew in each part.
    """
    marked = columns(evaluation, layout)
    titles, names = row_names(evaluation, layout)
    blocks: list[str] = []
    start = 0
    while start < len(marked):
        stop = len(marked)
        while (
            width(block := _grid(titles, names, marked[start:stop], mark=_star)) > layout.columns
            and stop > start + 1
        ):
            stop -= 1
        blocks.append(block)
        start = stop
    arrows = {column.arrow: f"{column.arrow} {word} is better" for word, column in _by_word(marked)}
    legend = [*arrows.values(), *(["* best"] if any(any(c.best) for c in marked) else [])]
    return "\n\n".join([*blocks, ", ".join(legend), "\n".join(signatures(evaluation))]) + "\n"


def markdown(evaluation: Evaluation, layout: Layout) -> str:
    """Write a table in Markdown with the signatures under it, the best in bold."""
    titles, names = row_names(evaluation, layout)
    table = _grid(titles, names, columns(evaluation, layout), mark=_bold, style="github")
    listed = "\n".join(f"- `{signature}`" for signature in signatures(evaluation))
    return f"{table}\n\n{listed}\n"


def signatures(evaluation: Evaluation) -> list[str]:
    """Signature of each metric, in the order of the columns."""
    return [str(s.get_signature(evaluation.corpus)) for s in evaluation.scorers.values()]


def width(block: str) -> int:
    """Length of the longest line."""
    return max(map(len, block.splitlines()))


def _by_word(marked: list[Column]) -> list[tuple[str, Column]]:
    words = {arrow: word for word, arrow in ARROWS.items()}
    return [(words[column.arrow], column) for column in marked]


def _star(cell: str, *, best: bool) -> str:
    return cell + ("*" if best else " ")


def _bold(cell: str, *, best: bool) -> str:
    return f"**{cell}**" if best else cell


def _grid(
    titles: list[str],
    names: list[tuple[str, ...]],
    shown: list[Column],
    mark: Callable[..., str],
    style: str = "simple",
) -> str:
    from tabulate import tabulate

    join = "\n" if style == "simple" else " "
    heads = [column.title.replace("\n", join) for column in shown]
    if style == "simple":
        # The marks stand right of the numbers: the heads make room for them.
        heads = ["\n".join(f"{line} " for line in head.splitlines()) for head in heads]
    cells = [[mark(c, best=b) for c, b in zip(col.cells, col.best, strict=True)] for col in shown]
    rows = [[*name, *values] for name, *values in zip(names, *cells, strict=True)]
    table: str = tabulate(
        rows,
        headers=[*titles, *heads],
        tablefmt=style,
        disable_numparse=True,
        colalign=["left"] * len(titles) + ["right"] * len(shown),
        preserve_whitespace=True,
    )
    return table
