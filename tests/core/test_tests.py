"""Every test asserts something, and there is at least one line of tests for a line of code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mteval_kernels

REPOSITORY = Path(__file__).parents[2]
DISTRIBUTIONS = (
    REPOSITORY,
    REPOSITORY / "kernels",
    *REPOSITORY.glob("plugins/*"),
    *REPOSITORY.glob("examples/plugins/*"),
)

CODE = sorted(path for root in DISTRIBUTIONS for path in root.glob("mteval_*/**/*.py"))
TESTS = sorted(path for root in DISTRIBUTIONS for path in root.glob("tests/**/*.py"))

ASSERTIONS = {"pytest.raises", "pytest.warns", "pytest.fail"}
SHARED_CHECKS = ("check", "assert_")
"""Beginnings of the names of functions that assert for the tests that call them."""


def asserting_functions(tree: ast.Module) -> set[str]:
    """Names of the functions of a module that assert, by themselves or by calling one that does."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    asserting: set[str] = set()
    while True:
        more = {node.name for node in functions if asserts(node, asserting)} - asserting
        if not more:
            return asserting
        asserting |= more


def asserts(function: ast.FunctionDef, asserting: set[str]) -> bool:
    nodes = [*ast.walk(function)]
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    return (
        any(isinstance(node, ast.Assert) for node in nodes)
        or not called.isdisjoint(ASSERTIONS | asserting)
        or any(name.rpartition(".")[2].startswith(SHARED_CHECKS) for name in called)
    )


def without_assertion(source: str) -> set[str]:
    tree = ast.parse(source)
    tests = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    return tests - asserting_functions(tree)


def n_lines(path: Path) -> int:
    """Lines of a file without those that hold only comments, docstrings or nothing."""
    source = path.read_text(encoding="utf-8")
    lines = enumerate(map(str.strip, source.splitlines()), 1)
    code = {number for number, line in lines if line and not line.startswith("#")}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
            code.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(code)


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_every_test_asserts_something(path: Path) -> None:
    assert without_assertion(path.read_text(encoding="utf-8")) == set()


def test_a_test_that_asserts_nothing_is_found() -> None:
    source = """
def compare(a, b): assert a == b
def test_by_itself(): assert True
def test_by_a_function(): compare(1, 1)
def test_by_a_shared_check(): testing.check_metric("bleu")
def test_by_an_error():
    with pytest.raises(ValueError): int("a")
def test_nothing(): print(1)
"""
    assert without_assertion(source) == {"test_nothing"}


def test_comments_and_docstrings_are_not_code(tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text(
        '"""Text.\n\nMore.\n"""\n\n# comment\nx = (\n    1,  # one\n)\n"""About x."""\n'
    )
    assert n_lines(path) == 3


def test_there_are_as_many_lines_of_tests_as_of_code() -> None:
    n_tests, n_code = (sum(map(n_lines, paths)) for paths in (TESTS, CODE))
    assert n_tests >= n_code


def test_a_run_of_tests_names_the_kernels_and_does_not_go_without(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    conftest = pytestconfig.pluginmanager.getplugin(str(REPOSITORY / "conftest.py"))
    assert conftest is not None
    assert conftest.pytest_report_header().endswith(f"kernels: {mteval_kernels.implementation}")
    monkeypatch.setattr(mteval_kernels, "implementation", "python")
    monkeypatch.setenv("MTEVAL_KERNELS", "python")
    conftest.pytest_configure()
    monkeypatch.delenv("MTEVAL_KERNELS")
    with pytest.raises(pytest.UsageError, match="has no compiled kernels: install them"):
        conftest.pytest_configure()
