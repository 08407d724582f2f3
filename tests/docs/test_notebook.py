"""The notebook runs, and shows what it has stored."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of the notebook's kernel and of its client
def test_the_notebook_shows_what_it_computes() -> None:
    """Run ``jupyter execute --inplace examples/notebook.ipynb`` after a change that it shows."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient").NotebookClient
    pytest.importorskip("ipykernel")
    stored = nbformat.read(NOTEBOOK, as_version=4)
    done = nbformat.from_dict(stored)
    client(done, timeout=60, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    for cell, shown in zip(done.cells, stored.cells, strict=True):
        assert outputs(cell) == outputs(shown)


def outputs(cell: dict) -> list[object]:
    """Return what a cell shows, without the numbers of its execution, and without warnings."""
    return [
        output.get("text") or output.get("data")
        for output in cell.get("outputs", [])
        if output.get("name") != "stderr"
    ]
