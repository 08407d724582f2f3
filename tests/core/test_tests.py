"""Every test asserts something, and a run of tests names what it tests."""

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
