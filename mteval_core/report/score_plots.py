"""Pictures of the scores of systems: intervals, all pairs, and differences of segments.

What is drawn is what the report has: scores of the corpus with their intervals, systems down; the
differences of all pairs, if they were compared; or the differences of documents or segments to the
first system. Needs matplotlib.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from mteval_core.errors import UsageError
from mteval_core.evaluation.resampling import SIGNIFICANT
from mteval_core.report.comparisons import difference, meaning_of_significance, metric_heads
from mteval_core.report.notes import UNITS
from mteval_core.report.plots import COLOURS, as_label, new_figure, picture
from mteval_core.report.symbols import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mteval_core.evaluation.evaluation import Evaluation
    from mteval_core.report.report import Layout, Report

__all__ = ["draw_scores", "png", "svg"]

PANELS_ACROSS = 3

BETTER, WORSE = COLOURS[:2]


def png(report: Report, layout: Layout) -> bytes:
    """Draw the picture as PNG."""
    return draw_scores(_evaluation_of(report), layout, "png")


def svg(report: Report, layout: Layout) -> bytes:
    """Draw the picture as SVG."""
    return draw_scores(_evaluation_of(report), layout, "svg")


def _evaluation_of(report: Report) -> Evaluation:
    """Return the evaluation behind a report; raise a `UsageError` if there is none."""
    if report.evaluation is None:
        message = "pictures of scores need a report of mteval score"
        raise UsageError(message)
    return report.evaluation


def draw_scores(evaluation: Evaluation, layout: Layout, kind: str) -> bytes:
    """Draw scores.

    Parameters
    ----------
    evaluation : Evaluation
        The scores, with intervals and comparisons if there are any.
    layout : Layout
        With the level ``corpus``, the scores and the pairs are drawn; with ``doc`` or ``segment``,
        the differences to the first system. Also the number of decimals.
    kind : {"png", "svg", "pdf"}
        The format.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or if there is only one system to draw differences of.
    """
    if layout.level != "corpus":
        return _draw_differences(evaluation, layout, kind)
    if not evaluation.all_pairs:
        figure = new_figure(figsize=_size_of_scores(evaluation))
        _draw_scores(figure, evaluation)
        return picture(figure, kind)
    if not evaluation.intervals:
        figure = new_figure(figsize=_size_of_pairs(evaluation))
        _draw_pairs(figure, evaluation, layout)
        return picture(figure, kind)
    sizes = _size_of_scores(evaluation), _size_of_pairs(evaluation)
    (width, height), (other_width, other_height) = sizes
    figure = new_figure(figsize=(max(width, other_width), height + other_height))
    above, below = figure.subfigures(2, 1, height_ratios=(height, other_height))
    _draw_scores(above, evaluation)
    _draw_pairs(below, evaluation, layout)
    return picture(figure, kind)


def _panels(figure: Any, n: int, **options: Any) -> list[Any]:
    """Make n panels in rows of at most `PANELS_ACROSS`."""
    across = min(PANELS_ACROSS, n)
    panels = figure.subplots(ceil(n / across), across, squeeze=False, **options).ravel()
    for panel in panels[n:]:
        panel.set_axis_off()
    return list(panels[:n])


def _title(evaluation: Evaluation, spec: str) -> str:
    return as_label("\n".join(metric_heads(evaluation, spec)))


def _caption(figure: Any, text: str) -> None:
    figure.supxlabel(as_label(text), fontsize=7, x=0.01, ha="left", wrap=True)


def _sign(evaluation: Evaluation, spec: str) -> int:
    return 1 if evaluation.scorers[spec].declaration.better == "higher" else -1


def _ordered(evaluation: Evaluation, spec: str, systems: Sequence[str]) -> list[str]:
    """Order systems by their score, the best first."""
    sign = _sign(evaluation, spec)
    return sorted(systems, key=lambda system: -sign * evaluation.score(system, spec).score)


# Scores with intervals


def _size_of_scores(evaluation: Evaluation) -> tuple[float, float]:
    across = min(PANELS_ACROSS, len(evaluation.scorers))
    down = ceil(len(evaluation.scorers) / across)
    return 2.6 * across + 1.4, down * (0.24 * len(evaluation.systems) + 0.7) + 0.3


def _draw_scores(figure: Any, evaluation: Evaluation) -> None:
    """Draw a panel for each metric, all with the systems in the order of the first metric."""
    specs = list(evaluation.scorers)
    systems = _ordered(evaluation, specs[0], evaluation.systems)
    places = range(len(systems))
    for k, (panel, spec) in enumerate(zip(_panels(figure, len(specs)), specs, strict=True)):
        for place, system in zip(places, systems, strict=True):
            _draw_score(panel, place, evaluation, (system, spec))
        labels = [as_label(system) for system in systems] if k % PANELS_ACROSS == 0 else []
        panel.set_yticks(places, labels or [""] * len(systems), fontsize=8)
        panel.set_ylim(len(systems) - 0.5, -0.5)
        panel.tick_params(axis="y", length=0)
        panel.tick_params(axis="x", labelsize=8)
        panel.locator_params(axis="x", nbins=6, prune="both")
        panel.grid(axis="both", linewidth=0.4, alpha=0.4)
        panel.spines[["top", "right", "left"]].set_visible(False)
        panel.set_title(_title(evaluation, spec), fontsize=9)
    _caption(figure, ". ".join(_meaning_of_scores(evaluation)))


def _draw_score(panel: Any, place: int, evaluation: Evaluation, key: tuple[str, str]) -> None:
    """Draw a score: a bar for its interval, hollow if it is not significantly different."""
    score = evaluation.score(*key).score
    interval = evaluation.intervals.get(key)
    if interval is not None:
        panel.plot([interval.low, interval.high], [place, place], color=BETTER, linewidth=1.4)
    comparison = evaluation.comparisons.get((key[0], evaluation.systems[0], key[1]))
    same = comparison is not None and comparison.p_value >= SIGNIFICANT
    face = "white" if same and not evaluation.all_pairs else BETTER
    shape = "D" if _is_baseline(evaluation, key[0]) else "o"
    panel.plot([score], [place], shape, color=BETTER, markerfacecolor=face, markersize=4.5)


def _is_baseline(evaluation: Evaluation, system: str) -> bool:
    """Whether all other systems were compared with this one."""
    one = evaluation.comparisons and not evaluation.all_pairs
    return bool(one) and system == evaluation.systems[0]


def _meaning_of_scores(evaluation: Evaluation) -> list[str]:
    meanings = []
    if evaluation.intervals:
        interval = next(iter(evaluation.intervals.values()))
        meanings.append(f"Bars: {interval.level:g}% {KINDS[interval.kind]} intervals")
    if evaluation.comparisons and not evaluation.all_pairs:
        significant = meaning_of_significance(evaluation).text
        meanings.append(f"Filled: different from {evaluation.systems[0]} (diamond), {significant}")
    return meanings


# All pairs


def _compared(evaluation: Evaluation) -> list[str]:
    return [system for system in evaluation.systems if system not in evaluation.humans]


def _size_of_pairs(evaluation: Evaluation) -> tuple[float, float]:
    size = 1.3 + 0.62 * len(_compared(evaluation))
    across = min(PANELS_ACROSS, len(evaluation.scorers))
    return across * size + 0.4, ceil(len(evaluation.scorers) / across) * size + 0.9


def _draw_pairs(figure: Any, evaluation: Evaluation, layout: Layout) -> None:
    """Draw row minus column: blue where the row is better, bold where it is significant."""
    specs = list(evaluation.scorers)
    for panel, spec in zip(_panels(figure, len(specs)), specs, strict=True):
        _draw_matrix(panel, evaluation, layout, spec)
    bold = meaning_of_significance(evaluation).text
    _caption(figure, f"Row minus column. Blue: the row is better; bold: {bold}")


def _draw_matrix(panel: Any, evaluation: Evaluation, layout: Layout, spec: str) -> None:
    systems = _ordered(evaluation, spec, _compared(evaluation))
    n = len(systems)
    differences, significant = np.full((n, n), np.nan), np.zeros((n, n), bool)
    for i, row in enumerate(systems):
        for j, column in enumerate(systems):
            compared = difference(evaluation, row, column, spec)
            if compared is not None:
                differences[i, j], p = compared
                significant[i, j] = p < SIGNIFICANT
    limit = np.nanmax(np.abs(differences), initial=0.0) or 1.0
    shades = _sign(evaluation, spec) * differences
    panel.imshow(shades, cmap="RdBu", vmin=-1.4 * limit, vmax=1.4 * limit)
    for i, j in np.argwhere(~np.isnan(differences)).tolist():
        weight = "bold" if significant[i, j] else "normal"
        label = f"{differences[i, j]:+.{min(layout.decimals, 2)}f}"
        panel.text(j, i, label, ha="center", va="center", fontsize=7, fontweight=weight)
    labels = [as_label(system) for system in systems]
    panel.set_xticks(range(n), labels, rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(n), labels, fontsize=8)
    panel.set_title(_title(evaluation, spec), fontsize=9)


# Differences of segments or documents


def _draw_differences(evaluation: Evaluation, layout: Layout, kind: str) -> bytes:
    """Draw a panel for each system but the first and each metric: systems down, metrics across."""
    first, *others = evaluation.systems
    if not others:
        message = f"a picture of {layout.level}s shows differences of systems: add a second one"
        raise UsageError(message)
    specs = list(evaluation.scorers)
    figure = new_figure(figsize=(2.7 * len(specs) + 0.4, 1.7 * len(others) + 0.6))
    panels = figure.subplots(len(others), len(specs), squeeze=False, sharex=True, sharey="col")
    for system, row in zip(others, panels, strict=True):
        for spec, panel in zip(specs, row, strict=True):
            main = list(evaluation.scorers[spec].scales).index(evaluation.scorers[spec].main)
            ours, theirs = (
                evaluation.values(name, spec, layout.level)[:, main] for name in (system, first)
            )
            _draw_sorted(panel, ours - theirs, _sign(evaluation, spec))
        row[0].set_ylabel(as_label(system), fontsize=8)
    for spec, panel in zip(specs, panels[0], strict=True):
        panel.set_title(f"{_title(evaluation, spec)}\n{panel.get_title()}", fontsize=8)
    _caption(
        figure,
        f"Scores of {UNITS[layout.level]}s minus those of {first}, in descending order. Blue: "
        f"better than {first}; orange: worse",
    )
    return picture(figure, kind)


def _draw_sorted(panel: Any, differences: NDArray[np.float64], sign: int) -> None:
    """Draw differences in descending order, and write how many are better, equal and worse."""
    ordered = np.sort(differences)[::-1]
    places = np.arange(len(ordered) + 1)
    for colour, kept in ((BETTER, sign * ordered > 0), (WORSE, sign * ordered < 0)):
        panel.stairs(np.where(kept, ordered, 0), places, fill=True, color=colour)
    better, worse = int(np.sum(sign * ordered > 0)), int(np.sum(sign * ordered < 0))
    equal = len(ordered) - better - worse
    panel.set_title(f"{better} better, {equal} equal, {worse} worse", fontsize=8)
    panel.axhline(0, color="black", linewidth=0.6)
    panel.set_xlim(0, len(ordered))
    panel.tick_params(labelsize=7)
    panel.spines[["top", "right", "bottom"]].set_visible(False)
