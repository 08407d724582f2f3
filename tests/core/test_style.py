"""Rules of style that no linter checks: short calls, and names that stay private."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[2]
DISTRIBUTIONS = (
    REPOSITORY,
    REPOSITORY / "kernels",
    *REPOSITORY.glob("plugins/*"),
    *REPOSITORY.glob("examples/plugins/*"),
)
CODE = sorted(
    path
    for root in DISTRIBUTIONS
    for path in root.glob("mteval_*/**/*.py")
    if "sacrebleu" not in path.parts  # sacreBLEU defines these signatures
)
N_POSITIONAL = 4


def long_calls(tree: ast.Module) -> Iterator[str]:
    """Calls with too many positional arguments, apart from functions that take any number."""
    variadic = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.args.vararg
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > N_POSITIONAL:
            name = ast.unparse(node.func)
            if name not in variadic:
                yield f"line {node.lineno}: {name}"


def private_imports(tree: ast.Module) -> Iterator[str]:
    """Names with a leading underscore that are imported from another module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name.startswith("_") and not alias.name.endswith("__"):
                    yield f"line {node.lineno}: {alias.name}"


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_style(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [*long_calls(tree)] == []
    assert [*private_imports(tree)] == []


def test_violations_are_found() -> None:
    tree = ast.parse(
        "from a import _b, __version__\n"
        "def many(*values): pass\n"
        "many(1, 2, 3, 4, 5)\n"
        "few(1, 2, 3, 4, 5)\n"
        "few(1, 2, 3, 4, x=5)\n"
    )
    assert [*long_calls(tree)] == ["line 4: few"]
    assert [*private_imports(tree)] == ["line 1: _b"]
