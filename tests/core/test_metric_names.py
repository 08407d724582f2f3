"""The host names no metric: whatever it does for one, it does for every plugin's."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = Path(__file__).parents[2] / "mteval_core"

FAMILIES = {"bleu", "nist", "gtm", "rouge", "meteor", "chrf", "ter", "wer", "ser", "fmean"}
"""Names of metrics, without those that are also common words (``per``, ``precision``)."""


def code_words(path: Path) -> Iterator[tuple[int, str]]:
    """Words in the identifiers and strings of a file, without comments and docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in documentation:
                yield from ((line, word) for word in re.findall(r"[A-Za-z0-9]+", node.value))
            continue
        for name in ("id", "attr", "arg", "name", "asname", "module"):
            identifier = getattr(node, name, None)
            if isinstance(identifier, str):
                words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", identifier)
                yield from ((line, word) for word in words)


def test_no_metrics_name_occurs_in_the_code_of_the_host() -> None:
    found = {
        f"{path.relative_to(HOST)}:{line}: {word}"
        for path in sorted(HOST.rglob("*.py"))
        for line, word in code_words(path)
        if word.lower() in FAMILIES
    }
    assert found == set()


def test_a_metrics_name_in_code_is_found(tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text(
        '"""BLEU in a docstring."""\n'
        "def bleu_values(spec, *, wer=1):\n"
        '    """Of BLEU."""\n'
        "    return spec == 'mteval-gtm/gtm' or RougeScore.nist\n"
    )
    found = {word.lower() for _, word in code_words(path)} & FAMILIES
    assert found == {"bleu", "wer", "gtm", "rouge", "nist"}
