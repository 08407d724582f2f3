"""The README shows the output of the commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

README = Path(__file__).parents[2] / "README.md"


def test_the_table(mteval: Callable[..., Any], mini: Path) -> None:
    for module in ("bleu_nist", "gtm", "rouge", "meteor_fmean", "error_rates", "chrf"):
        pytest.importorskip(f"mteval_{module}")
    shown = README.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    references = sorted(mini.glob("ref?.txt"))
    systems = sorted((mini / "systems").glob("*.txt"))
    disabled = {"MTEVAL_DISABLE_PLUGINS": "mteval-sample", "COLUMNS": "80"}
    done = mteval("score", *references, "-i", *systems, env=disabled)
    assert done.code == 0, done.err
    table, notes, signatures = done.out.split("\n\n")
    assert shown == f"{table}\n"
    assert "* best" in notes
    assert signatures.startswith("BLEU|nrefs:4|")
    assert max(map(len, table.splitlines())) <= 80
