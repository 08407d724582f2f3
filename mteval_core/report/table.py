"""Tables for people: systems down, metrics across, the best of each marked.

`tables` says what stands in them, once for all formats; `text` and `markdown` write them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from mteval_core.metrics.jackknife import Jackknife

if TYPE_CHECKING:
    from collections.abc import Callable

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report import Layout

__all__ = [
    "Column",
    "Table",
    "blocks",
    "difference",
    "markdown",
    "metric_heads",
    "notes",
    "padded",
    "signatures",
    "tables",
    "text",
]

ARROWS = {"higher": "↑", "lower": "↓"}
SIGNIFICANT = 0.05
DAGGER = "†"


@dataclass(frozen=True)
class Column:
    """One metric of a table, or one system of a matrix of all pairs.

    Parameters
    ----------
    heads : tuple of str
        Lines of the head: the label with the direction, then the options asked for.
    cells : list of tuple of str
        What stands in each row: the number, and whatever is said of it.
    best : list of bool
        Which of them is the best of its document or segment, or of the corpus; empty where
        nothing competes.
    """

    heads: tuple[str, ...]
    cells: list[tuple[str, ...]]
    best: list[bool] = field(default_factory=list)

    def marked(self, mark: Callable[[str], str], unmarked: str = "") -> list[tuple[str, ...]]:
        """Cells, the best numbers marked, the others followed by what is as wide as a mark."""
        if not any(self.best):
            return self.cells
        return [
            (mark(number) if best else number + unmarked, *rest)
            for (number, *rest), best in zip(self.cells, self.best, strict=True)
        ]


@dataclass(frozen=True)
class Table:
    """What stands in one table.

    Parameters
    ----------
    caption : str
        What it shows; empty for the scores themselves.
    titles : tuple of str
        Heads of the columns that name the rows.
    names : list of tuple of str
        Names of the rows.
    columns : list of Column
        The rest.
    """

    caption: str
    titles: tuple[str, ...]
    names: list[tuple[str, ...]]
    columns: list[Column]


def tables(evaluation: Evaluation, layout: Layout) -> list[Table]:
    """Scores, then differences where systems were compared."""
    found = [_scores(evaluation, layout)]
    if layout.level == "corpus" and evaluation.comparisons:
        if evaluation.all_pairs:
            found += [_matrix(evaluation, layout, spec) for spec in evaluation.scorers]
        else:
            found.append(_differences(evaluation, layout, evaluation.systems[0]))
    return found


def metric_heads(evaluation: Evaluation, spec: str) -> tuple[str, ...]:
    """Label of a metric with its direction, and the options asked for."""
    scorer = evaluation.scorers[spec]
    asked = [f"{key}={'+'.join(items)}" for key, items in scorer.spec.options.items()]
    if scorer.spec.distribution is not None:
        asked.insert(0, scorer.spec.distribution)
    return (f"{scorer.label} {ARROWS[scorer.declaration.better]}", *asked)


def _scores(evaluation: Evaluation, layout: Layout) -> Table:
    ids, _ = evaluation.groups(layout.level)
    names: list[tuple[str, ...]] = [(system,) for system in evaluation.systems]
    if layout.level != "corpus":
        names = [(str(part), *name) for part in ids for name in names]
    columns = [_score_column(evaluation, layout, spec) for spec in evaluation.scorers]
    titles = ("system",) if layout.level == "corpus" else (layout.level, "system")
    return Table("", titles, names, columns)


def _score_column(evaluation: Evaluation, layout: Layout, spec: str) -> Column:
    scorer = evaluation.scorers[spec]
    main = list(scorer.scales).index(scorer.main)
    scores = np.stack(
        [evaluation.values(system, spec, layout.level)[:, main] for system in evaluation.systems],
        axis=1,
    )
    # People are no competitors: the best is the best system.
    n_systems = len(evaluation.systems) - len(evaluation.humans)
    best_of = np.max if scorer.declaration.better == "higher" else np.min
    cells: list[tuple[str, ...]] = []
    best = []
    for row in scores.tolist():
        shown = [f"{score:.{layout.decimals}f}" for score in row]
        # What reads alike is alike: the mark goes to all that round to the best.
        winner = f"{best_of(row[:n_systems]):.{layout.decimals}f}"
        for i, (system, cell) in enumerate(zip(evaluation.systems, shown, strict=True)):
            best.append(1 < n_systems > i and cell == winner)
            spread = _spread(evaluation, layout, system, spec) if layout.level == "corpus" else ()
            cells.append((cell, *spread))
    return Column(metric_heads(evaluation, spec), cells, best)


def _spread(evaluation: Evaluation, layout: Layout, system: str, spec: str) -> tuple[str, ...]:
    """Spread over runs and over sets of references, and interval, as far as they are known."""
    shown: tuple[str, ...] = ()

    def ends(marks: str, low: float, high: float) -> tuple[str, str]:
        return f"{marks[0]}{low:.{layout.decimals}f},", f"{high:.{layout.decimals}f}{marks[1]}"

    if not evaluation.single_runs:
        several = len(evaluation.runs[system]) > 1
        sd = evaluation.run_scores(system, spec).std(ddof=1) if several else 0
        shown += (f"±{sd:.{layout.decimals}f}" if several else "",)
    if _is_jackknifed(evaluation, spec):
        scores = evaluation.jackknife_scores(system, spec)
        shown += ("", "") if scores is None else ends("{}", scores.min(), scores.max())
    interval = evaluation.intervals.get((system, spec))
    if interval is not None:
        shown += ends("[]", interval.low, interval.high)
    return shown


def _is_jackknifed(evaluation: Evaluation, spec: str) -> bool:
    return isinstance(evaluation.scorers[spec].implementation, Jackknife)


def _differences(evaluation: Evaluation, layout: Layout, baseline: str) -> Table:
    systems = list(dict.fromkeys(system for system, _, _ in evaluation.comparisons))
    columns = []
    for spec in evaluation.scorers:
        cells: list[tuple[str, ...]] = []
        for system in systems:
            found = evaluation.comparisons[system, baseline, spec]
            low, high = found.interval.low, found.interval.high
            number = f"{found.difference:+.{layout.decimals}f}{_significant(found.p_value)}"
            ends = (f"[{low:+.{layout.decimals}f},", f"{high:+.{layout.decimals}f}]")
            cells.append((number, *ends, f"{found.p_value:.4f}"))
        columns.append(Column((*metric_heads(evaluation, spec), "difference [interval] p"), cells))
    return Table(
        f"Difference to {baseline}", ("system",), [(system,) for system in systems], columns
    )


def _matrix(evaluation: Evaluation, layout: Layout, spec: str) -> Table:
    systems = [system for system in evaluation.systems if system not in evaluation.humans]

    def cell(row: str, column: str) -> str:
        found = difference(evaluation, row, column, spec)
        if found is None:
            return "·"
        return f"{found[0]:+.{layout.decimals}f}{_significant(found[1])}"

    columns = [
        Column((other,), [(cell(system, other),) for system in systems]) for other in systems
    ]
    label = " ".join(metric_heads(evaluation, spec))
    return Table(f"{label}: row less column", ("",), [(system,) for system in systems], columns)


def difference(
    evaluation: Evaluation, row: str, column: str, spec: str
) -> tuple[float, float] | None:
    """Score of one system less that of another, and p; None if they were not compared."""
    for key, sign in (((row, column, spec), 1), ((column, row, spec), -1)):
        if key in evaluation.comparisons:
            found = evaluation.comparisons[key]
            return sign * found.difference, found.p_value
    return None


def _significant(p: float) -> str:
    return DAGGER if p < SIGNIFICANT else " "


def notes(evaluation: Evaluation, layout: Layout) -> list[str]:
    """Explain the marks of the tables, in sentences."""
    directions = {scorer.declaration.better for scorer in evaluation.scorers.values()}
    found = [", ".join(f"{ARROWS[word]} {word} is better" for word in sorted(directions))]
    if layout.level != "corpus":
        return found
    units = "documents" if "by" in evaluation.drawn else "segments"
    seed = "".join(evaluation.drawn.get("seed", ()))
    if not evaluation.single_runs:
        found.append("± standard deviation over the runs of a system")
    if any(_is_jackknifed(evaluation, spec) for spec in evaluation.scorers):
        found.append(
            "{ } lowest and highest score with one reference left out; the score is the mean"
        )
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        resampler = "".join(evaluation.drawn.get("resampler", ("bootstrap",)))
        found.append(
            f"[ ] {interval.level:g}% interval from {interval.n} {resampler} resamples of "
            f"{units}, seed {seed}"
        )
    if evaluation.comparisons:
        one = next(iter(evaluation.comparisons.values()))
        test = {
            "ar": f"paired approximate randomisation, {one.n} trials",
            "bs": f"paired bootstrap, {one.n} resamples",
        }[one.test]
        if one.exact:
            test = f"exact paired randomisation, all {one.n} exchanges"
        corrections = {"holm": ", Holm's correction", "bh": ", Benjamini and Hochberg's correction"}
        found.append(
            f"{DAGGER} p < {SIGNIFICANT} ({test} of {units}, seed {seed}"
            f"{corrections.get(one.correction, ', not corrected')})"
        )
        if not evaluation.all_pairs:
            found.append(
                f"[ ] of a difference: {one.interval.level:g}% interval from {one.interval.n} "
                f"bootstrap resamples of {units}, seed {seed}"
            )
    if evaluation.humans:
        found.append("(human) a reference against the others")
    return found


def signatures(evaluation: Evaluation) -> list[str]:
    """Signatures of the columns; people have signatures of their own, in the records."""
    first = evaluation.systems[0]
    return [str(evaluation.signature(first, spec)) for spec in evaluation.scorers]


def text(evaluation: Evaluation, layout: Layout) -> str:
    """Write tables in plain text with notes and signatures under them.

    A table wider than the page is cut between columns, the rows named anew in each part.
    """
    parts = []
    legend = notes(evaluation, layout)
    for table in tables(evaluation, layout):
        if any(any(column.best) for column in table.columns):
            legend = [f"{legend[0]}, * best", *legend[1:]]
        heading = [f"{table.caption}\n"] if table.caption else []
        parts.append("\n".join([*heading, "\n\n".join(blocks(table, layout.columns))]))
    return "\n\n".join([*parts, "\n".join(legend), "\n".join(signatures(evaluation))]) + "\n"


def blocks(table: Table, width: int) -> list[str]:
    """Parts of a table that fit the page: as many columns in each as possible, at least one."""
    found: list[str] = []
    start = 0
    while start < len(table.columns):
        stop = len(table.columns)
        while _width(block := _grid(table, start, stop)) > width and stop > start + 1:
            stop -= 1
        found.append(block)
        start = stop
    return found


def _width(block: str) -> int:
    return max(map(len, block.splitlines()))


def _grid(table: Table, start: int, stop: int) -> str:
    from tabulate import tabulate

    shown = table.columns[start:stop]
    # Heads as rows: as headers they would be two characters wider than what stands below them.
    depth = max(len(column.heads) for column in shown)
    heads = [
        [f"{head} " if any(column.best) else head for head in column.heads]
        + [""] * (depth - len(column.heads))
        for column in shown
    ]
    titles = [[title] + [""] * (depth - 1) for title in table.titles]
    cells = [padded(column.marked("{}*".format, " ")) for column in shown]
    names = list(map(list, zip(*table.names, strict=True)))
    columns = [head + rest for head, rest in zip([*titles, *heads], [*names, *cells], strict=True)]
    rules = ["-" * max(map(len, column)) for column in columns]
    rows = list(map(list, zip(*columns, strict=True)))
    lines = [row for row in rows[:depth] if any(map(str.strip, row))]
    grid = tabulate(
        [*lines, rules, *rows[depth:]],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["left"] * len(titles) + ["right"] * len(shown),
        preserve_whitespace=True,
    )
    return "\n".join(line.rstrip() for line in grid.splitlines())


def padded(cells: list[tuple[str, ...]]) -> list[str]:
    """Join the parts of each cell, those of all rows below one another."""
    widths = [max(map(len, parts)) for parts in zip(*cells, strict=True)]
    return [" ".join(map(str.rjust, parts, widths)) for parts in cells]


def markdown(evaluation: Evaluation, layout: Layout) -> str:
    """Write tables in Markdown with notes and signatures under them, the best in bold."""
    from tabulate import tabulate

    parts = []
    for table in tables(evaluation, layout):
        # A bar would end the cell.
        table = replace(table, names=[tuple(map(_unbarred, name)) for name in table.names])
        heads = [_unbarred(" ".join(column.heads)) for column in table.columns]
        cells = [list(map(_joined, column.marked("**{}**".format))) for column in table.columns]
        heading = [f"**{table.caption}**", ""] if table.caption else []
        grid = tabulate(
            [[*name, *values] for name, *values in zip(table.names, *cells, strict=True)],
            headers=[*table.titles, *heads],
            tablefmt="github",
            disable_numparse=True,
            colalign=["left"] * len(table.titles) + ["right"] * len(heads),
        )
        parts.append("\n".join([*heading, grid]))
    parts.append("\n".join(f"- {note}" for note in notes(evaluation, layout)))
    parts.append("\n".join(f"- `{signature}`" for signature in signatures(evaluation)))
    return "\n\n".join(parts) + "\n"


def _unbarred(name: str) -> str:
    return name.replace("|", "\\|")


def _joined(parts: tuple[str, ...]) -> str:
    return " ".join(part.strip() for part in parts if part)
