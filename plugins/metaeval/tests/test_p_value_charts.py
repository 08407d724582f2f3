"""P-values of pairs of metrics as a heat map."""

from __future__ import annotations

from mteval_metaeval.ranking import Ranking
from mteval_metaeval.reports.p_value_charts import p_value_panels
from mteval_metaeval.reports.ranking import ranking_table


class Pair:
    """A comparison of two metrics."""

    def __init__(self, better: str, worse: str, p_value: float) -> None:
        self.better, self.worse, self.p_value = better, worse, p_value


PAIRS = (
    Pair("$a$", "b", 0.2),
    Pair("$a$", "c", 0.001),
    Pair("b", "c", 0.05),
    Pair("c", "d", float("nan")),
)
RANKING = Ranking(
    criterion="adequacy",
    coefficient="pearson",
    grouping="",
    test="williams",
    alternative="greater",
    correction="holm",
    metrics=("$a$", "b", "c", "d"),
    values=(0.875, 0.5, -0.25, float("nan")),
    ranks=(1, 1, 2, None),
    comparisons=PAIRS,  # type: ignore[arg-type] # only these fields are drawn
)


def test_the_matrix() -> None:
    ((panel, other),) = p_value_panels([RANKING, RANKING], ["one", "two"], 0.05, 2)
    assert (panel.title, other.title) == ("one", "two")
    assert panel.rows == ["$a$  0.88", "b  0.50", "c  -0.25", "d  –"]
    assert panel.columns == ("$a$", "b", "c", "d")
    shown = {
        (i, j): (cell.parts[0], cell.mark)
        for i, row in enumerate(panel.cells)
        for j, cell in enumerate(row)
        if cell.parts[0]
    }
    assert shown == {
        (0, 1): ("0.200", "insignificant"),
        (0, 2): ("0.001", "significant"),
        (1, 2): ("0.050", "insignificant"),
        (2, 3): ("–", "insignificant"),
    }
    shaded = [(i, j) for i, row in enumerate(panel.shades) for j, x in enumerate(row) if x > 0]
    assert shaded == [(0, 2)]


def test_the_table_marks_what_is_below_the_threshold() -> None:
    table = ranking_table(RANKING, "r", 2, 0.05)
    columns = table.columns[2:]
    marks = [[cell.mark for cell in column.cells if cell.parts[0]] for column in columns]
    assert marks == [["insignificant"], ["significant", "insignificant"], ["insignificant"]]
