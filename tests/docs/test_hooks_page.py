"""The page about hooks has every method that the host may call on a metric."""

from __future__ import annotations

from pathlib import Path

from mteval_core.metrics import contract

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"


def test_the_table_of_a_metric_has_all_methods() -> None:
    protocols = [each for name, each in vars(contract).items() if name.endswith("Metric")]
    methods = {name for each in protocols for name in vars(each) if not name.startswith("_")}
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    missing = {name for name in methods if not any(f"`{name}(" in row for row in rows)}
    assert (len(methods) > 5, missing) == (True, set())
