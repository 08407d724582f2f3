"""Who imports whom, and when: layers, plugins apart, a start that waits for nothing heavy."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[2]
HOST = REPOSITORY / "mteval_core"
PLUGINS = sorted((REPOSITORY / "plugins").glob("*/mteval_*"))

LAYERS = (
    "_version",
    "errors",
    "spec",
    "signature",
    "kernels",
    "plugin",
    "text",
    "metrics",
    "evaluation",
    "metaeval",
    "report",
    "testing",
    "compat",
    "cli",
)
"""Rooms of the host from the bottom up: each imports only those before it."""

FOR_TYPES_ONLY = set()


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Modules that a file imports, anywhere in it, and whether for type checkers only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            yield name, id(node) in typing


def modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


# Layers


def room(module: str) -> str | None:
    """Room of the host that a module stands in; None for the public names and other packages."""
    parts = module.split(".")
    if parts[0] != "mteval_core" or len(parts) == 1:
        return None
    is_room = (HOST / parts[1]).is_dir() or (HOST / f"{parts[1]}.py").is_file()
    return parts[1] if is_room else None


def test_every_room_has_its_place() -> None:
    rooms = {path.stem for path in HOST.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert rooms - {"__init__", "__main__", "__pycache__"} == set(LAYERS)


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_down(layer: str) -> None:
    paths = modules(HOST / layer) or [HOST / f"{layer}.py"]
    below = LAYERS[: LAYERS.index(layer) + 1]
    for path in paths:
        for name, for_types in imports(path):
            target = room(name)
            if target is None or (for_types and (layer, target) in FOR_TYPES_ONLY):
                continue
            assert target in below, f"{path.relative_to(REPOSITORY)} imports {name}"


def test_the_layers_mean_something() -> None:
    assert room("mteval_core.text.text.Text") == "text"
    assert room("mteval_core.Text") is None
    declarations, rows = HOST / "plugin" / "declarations.py", HOST / "metrics" / "rows.py"
    assert ("mteval_core.errors.near", False) in set(imports(declarations))
    assert ("mteval_core.text.tokens.References", True) in set(imports(rows))


# Plugins

PUBLIC = ("mteval_core.kernels", "mteval_core.testing")


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda path: str(path.name))
def test_a_plugin_imports_only_what_is_public_and_no_other_plugin(plugin: Path) -> None:
    for path in modules(plugin):
        for name, _ in imports(path):
            package, _, rest = name.partition(".")
            if package == "mteval_core":
                public = name.startswith(PUBLIC) or rest in ("", *mt.__all__, "__version__")
                assert public, f"{path.relative_to(REPOSITORY)} imports {name}"
                assert not any(part.startswith("_") for part in rest.split(".")[:-1])
            else:
                assert package == plugin.name or not package.startswith("mteval_"), (
                    f"{path.relative_to(REPOSITORY)} imports {name}"
                )


def test_the_host_imports_no_plugin() -> None:
    for path in modules(HOST):
        for name, _ in imports(path):
            package = name.partition(".")[0]
            assert package == "mteval_core" or not package.startswith("mteval"), f"{path}: {name}"


# The host names no metric

FAMILIES = {"bleu", "nist", "gtm", "rouge", "meteor", "chrf", "ter", "wer", "ser", "fmean"}
"""Names of metrics that are no words of other meaning, as ``per`` and ``precision`` are."""


def code_words(path: Path) -> Iterator[tuple[int, str]]:
    """Words of the identifiers and strings of a file, comments and docstrings left out."""
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
        for path in modules(HOST)
        if path.relative_to(HOST).parts[0] != "compat"  # its classes have the names of sacreBLEU's
        for line, word in code_words(path)
        if word.lower() in FAMILIES
    }
    assert found == set()


def test_metrics_names_would_be_found(tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text(
        '"""BLEU in a docstring."""\n'
        "def bleu_values(spec, *, wer=1):\n"
        '    """Of BLEU."""\n'
        "    return spec == 'mteval-gtm/gtm' or RougeScore.nist\n"
    )
    found = {word.lower() for _, word in code_words(path)} & FAMILIES
    assert found == {"bleu", "wer", "gtm", "rouge", "nist"}


# The public names

PINNED = [
    "TestSet",
    "Evaluation",
    "FormatSpec",
    "InputError",
    "Metric",
    "MetricSpec",
    "MtevalError",
    "NormalizerSpec",
    "Option",
    "OptionError",
    "PluginError",
    "ReaderSpec",
    "References",
    "Registry",
    "ResamplerSpec",
    "Score",
    "Scorer",
    "Signature",
    "Spec",
    "Text",
    "TokenizedCorpus",
    "TokenizerSpec",
    "Tokens",
    "UnknownNameError",
    "UsageError",
    "View",
    "default_registry",
    "evaluate",
    "hookimpl",
    "load_registry",
    "metric",
    "ratio",
    "read_text",
]


def test_the_public_names_are_these() -> None:
    """Who adds or removes one, adds or removes it here and in the changelog."""
    assert sorted(mt.__all__) == sorted(PINNED)
    assert mt.__all__ == list(mt._HOME)
    assert mt.__all__ == sorted(mt.__all__)
    assert dir(mt) == sorted([*mt.__all__, "__version__"])


def test_type_checkers_see_the_same_names() -> None:
    declared = {
        name.rpartition(".")[2]: name.rpartition(".")[0]
        for name, for_types in imports(HOST / "__init__.py")
        if for_types and name.startswith("mteval_core.")
    }
    assert declared == {name: f"mteval_core.{home}" for name, home in mt._HOME.items()}


@pytest.mark.parametrize("name", mt.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(mt, name) is not None


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="module 'mteval_core' has no attribute 'Bleu'"):
        mt.Bleu  # noqa: B018


# What is imported when

HEAVY = ("numpy", "pluggy", "importlib.metadata", "regex", "Stemmer", "tabulate", "tqdm", "scipy")


def imported(code: str) -> set[str]:
    """Names of the modules that a new interpreter has after running code."""
    code = f"import sys\n{code}\nprint('\\n--\\n' + ' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=REPOSITORY
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("\n--\n")[2].split())


def test_importing_the_package_imports_nothing_else() -> None:
    before = imported("import __future__, importlib, typing")
    after = imported("import mteval_core")
    assert after - before == {"mteval_core", "mteval_core._version"}


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_help_and_version_wait_for_nothing(argument: str) -> None:
    code = f"""if True:
        from mteval_core.cli.main import main
        try:
            main([{argument!r}])
        except SystemExit as done:
            assert done.code == 0
    """
    # dataclasses brings inspect, and that the parser of Python.
    assert imported(code) & {*HEAVY, "dataclasses", "inspect"} == set()


@pytest.mark.parametrize("command", ["list", "plugins"])
def test_listing_what_is_installed_needs_no_numpy(command: str) -> None:
    code = f"from mteval_core.cli.main import main; assert main([{command!r}]) == 0"
    assert "numpy" not in imported(code)


def test_hook_modules_import_no_numpy() -> None:
    points = {point.module for point in metadata.entry_points(group="mteval")}
    assert "numpy" not in imported("\n".join(f"import {module}" for module in sorted(points)))


def test_the_script_is_the_module() -> None:
    (point,) = metadata.entry_points(group="console_scripts", name="mteval")
    assert point.value == "mteval_core.cli.main:main"
