"""Which module imports which: floors, circles, plugins, public names, and a fast start.

``python tests/core/test_imports.py`` draws the imports again in ``docs/architecture.md``.
"""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mteval_core as mt
import mteval_kernels
from mteval_core import report
from mteval_core.report import charts

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[2]
HOST = REPOSITORY / "mteval_core"
BENCHMARKS = REPOSITORY / "benchmarks"
SOURCES = (".py", ".pyi", ".hpp", ".cpp", ".md")
KERNELS = REPOSITORY / "kernels" / "mteval_kernels"
PLUGINS = sorted(path.parent for path in (REPOSITORY / "plugins").glob("*/mteval_*/__init__.py"))

GROUND = ("_version", "errors", "formulas", "frozen", "names", "spec", "signature")
"""The modules of the host that are in no folder, apart from ``__init__`` and ``__main__``."""

FLOORS = (
    "ground",
    "plugin",
    "text",
    "data",
    "metrics",
    "explain",
    "evaluation",
    "report",
    "commands",
)
"""The folders of the host, from the lowest floor to the highest. Imports point down."""

ROOF = {"mteval_core", "mteval_core.__main__"}
"""The public names and the entry of ``python -m``. No floor imports them."""

ARCHITECTURE = REPOSITORY / "docs" / "architecture.md"


def modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Names that a file imports at the top, in functions or for type checkers only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# Floors


def module_name(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph() -> dict[str, set[str]]:
    """Map each module of the host to the modules of the host that it imports."""
    files = {module_name(path): path for path in modules(HOST)}
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        for name in imports(path):
            target = name if name in files else name.rpartition(".")[0]
            if target in files.keys() - {module}:
                graph.setdefault(module, set()).add(target)
    return graph


GRAPH = import_graph()


def floor(module: str) -> str:
    folder = module.split(".")[1]
    return "ground" if folder in GROUND else folder


def test_the_floors_are_the_folders() -> None:
    names = {path.stem for path in HOST.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert names - {"__init__", "__main__", "__pycache__"} == {*GROUND, *FLOORS} - {"ground"}


@pytest.mark.parametrize("module", sorted(GRAPH.keys() - ROOF))
def test_imports_point_down(module: str) -> None:
    allowed = FLOORS[: FLOORS.index(floor(module)) + 1]
    upward = {name for name in GRAPH[module] if name in ROOF or floor(name) not in allowed}
    assert upward == set()


def test_no_imports_form_a_circle() -> None:
    try:
        graphlib.TopologicalSorter(GRAPH).prepare()
    except graphlib.CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_imports_of_every_kind_count(tmp_path: Path) -> None:
    path = tmp_path / "code.py"
    path.write_text(
        "import a\nif TYPE_CHECKING:\n    from b.c import d\ndef function():\n    import e.f\n"
    )
    assert set(imports(path)) == {"a", "b.c.d", "e.f"}
    assert "mteval_core.text.tokens" in GRAPH["mteval_core.metrics.rows"]


# The drawing of the imports in docs/architecture.md


def drawing() -> str:
    """Draw a line per floor, and a column per importing floor with a dot for each import."""
    floors = FLOORS[::-1]
    arrows = {(floor(a), floor(b)) for a in GRAPH.keys() - ROOF for b in GRAPH[a] - ROOF}
    lines = []
    for i, target in enumerate(floors):
        line = f"{target:<12}"
        for source in floors:
            rest = any((source, lower) in arrows for lower in floors[i + 1 :])
            if source == target:
                line += "┐  " if rest else ""
            elif (source, target) in arrows:
                line += "●  "
            else:
                line += "│  " if rest and source in floors[:i] else "   "
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def with_drawing(page: str) -> str:
    """Replace the drawing on the page, which is the text block that begins at the top floor."""
    before, fence, rest = page.partition(f"```text\n{FLOORS[-1]} ")
    return before + fence.partition("\n")[0] + "\n" + drawing() + "```" + rest.partition("```")[2]


def test_the_page_shows_the_imports() -> None:
    page = ARCHITECTURE.read_text(encoding="utf-8")
    assert page == with_drawing(page), "draw them again: python tests/core/test_imports.py"


# Plugins

PUBLIC = ("mteval_core.formulas",)

OF_PACKAGES = {
    f"{package.__name__}.{name}" for package in (report, charts) for name in package.__all__
}


@pytest.mark.parametrize("path", sorted(BENCHMARKS.glob("*.py")), ids=lambda path: str(path.name))
def test_a_benchmark_imports_what_there_is(path: Path) -> None:
    missing = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mteval_"):
            try:
                module = import_module(node.module or "")
            except ModuleNotFoundError as error:  # a library that a benchmark needs
                missing += [error.name] if "mteval_core" in str(error) else []
                continue
            missing += [name.name for name in node.names if not hasattr(module, name.name)]
    assert missing == []


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda path: str(path.name))
def test_a_plugin_imports_only_what_is_public_and_no_other_plugin(plugin: Path) -> None:
    private = set()
    for path in modules(plugin):
        for name in imports(path):
            package, _, rest = name.partition(".")
            if package == "mteval_core":
                names = ("", *mt.__all__, "API", "__version__")
                if not (name.startswith(PUBLIC) or rest in names or name in OF_PACKAGES):
                    private.add(rest.rpartition(".")[0])
                assert not any(part.startswith("_") for part in rest.split(".")[:-1])
            elif package == "mteval_kernels":
                assert rest in mteval_kernels.__all__, f"{path.relative_to(REPOSITORY)}: {name}"
            else:
                assert package == plugin.name or not package.startswith("mteval_"), (
                    f"{path.relative_to(REPOSITORY)} imports {name}"
                )
    assert private == set()


def test_tests_of_plugins_import_only_what_is_public() -> None:
    public = {f"mteval_core.{name}" for name in (*mt.__all__, "API", "__version__")} | OF_PACKAGES
    private = {
        name.removeprefix("mteval_core.")
        for path in (REPOSITORY / "plugins").glob("*/tests/**/*.py")
        for name in imports(path)
        if name.startswith("mteval_core.") and not name.startswith(PUBLIC) and name not in public
    }
    assert private == set()


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda path: str(path.name))
def test_a_plugin_requires_the_kernels_if_it_imports_them(plugin: Path) -> None:
    names = {name.partition(".")[0] for path in modules(plugin) for name in imports(path)}
    project = (plugin.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert ('"mteval-kernels>=' in project) == ("mteval_kernels" in names)


def test_the_host_imports_no_plugin() -> None:
    for path in modules(HOST):
        for name in imports(path):
            package = name.partition(".")[0]
            ours = package in ("mteval_core", "mteval_kernels")
            assert ours or not package.startswith("mteval"), f"{path}: {name}"


def test_the_kernels_import_neither_the_host_nor_a_plugin() -> None:
    for path in modules(KERNELS):
        for name in imports(path):
            package = name.partition(".")[0]
            assert package == "mteval_kernels" or not package.startswith("mteval"), (
                f"{path}: {name}"
            )


def test_the_kernels_speak_of_no_metric() -> None:
    entries = mt.default_registry().of_kind(mt.MetricSpec)
    labels = {(entry.declaration.label or "metric").partition("-")[0] for entry in entries}
    metric = re.compile(rf"\b(metrics?|{'|'.join(map(re.escape, sorted(labels)))})(?!\w)")
    files = [path for path in KERNELS.parent.rglob("*") if path.suffix in SOURCES]
    found = {path.name: metric.findall(path.read_text(encoding="utf-8")) for path in files}
    assert len(found) > 60
    assert {name: words for name, words in found.items() if words} == {}


# The public names

PINNED = [
    "Counted",
    "Document",
    "Estimate",
    "ExactSum",
    "InMemory",
    "Interval",
    "Kept",
    "LineFiles",
    "Part",
    "Partial",
    "Source",
    "Subset",
    "WeightedSum",
    "bootstrap",
    "correct_p_values",
    "in_threads",
    "names_by_spec",
    "scorers_of",
    "to_evaluation",
    "totals_under",
    "write_report",
    "Address",
    "Arguments",
    "Files",
    "Options",
    "Session",
    "Cleaner",
    "letter_groups",
    "Entry",
    "main",
    "CommandSample",
    "FileSample",
    "Sample",
    "CheckSpec",
    "CheckedTexts",
    "TextSummary",
    "CommandSpec",
    "EngineSpec",
    "check_name",
    "TextDigest",
    "Report",
    "Layout",
    "open_binary",
    "Dataset",
    "DatasetSpec",
    "Declaration",
    "Judgments",
    "OutsideScores",
    "read_dataset",
    "State",
    "TestSet",
    "Evaluation",
    "Edit",
    "Explanation",
    "FormatSpec",
    "Link",
    "Mark",
    "Term",
    "explanations",
    "InputError",
    "MetricSpec",
    "MtevalError",
    "MtevalWarning",
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
    "SegmentError",
    "Signature",
    "Spec",
    "Text",
    "TextCorpus",
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
    "progress",
    "read_text",
]


def test_the_public_names_are_these() -> None:
    """A name that is added or removed changes here and in the changelog."""
    assert sorted(mt.__all__) == sorted(PINNED)
    assert dir(mt) == sorted([*mt.__all__, "API", "__version__"])


def test_type_checkers_see_the_same_names() -> None:
    stub = imports(HOST / "__init__.pyi")
    declared = {name.rpartition(".")[::2] for name in stub if "_version" not in name}
    assert declared == {(home, name) for name, home in mt._HOME.items()}


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


def test_the_version_waits_for_nothing() -> None:
    code = """if True:
        from mteval_core.commands.main import main
        try:
            main(["--version"])
        except SystemExit as done:
            assert done.code == 0
    """
    # dataclasses brings inspect, and that the parser of Python.
    assert imported(code) & {*HEAVY, "dataclasses", "inspect"} == set()


def test_help_imports_only_the_thin_modules_of_plugins() -> None:
    code = "from mteval_core.commands.main import main; assert main(['--help']) == 0"
    assert imported(code) & {*HEAVY} <= {"pluggy", "importlib.metadata"}


@pytest.mark.parametrize("command", ["list", "plugins"])
def test_listing_what_is_installed_needs_no_numpy(command: str) -> None:
    code = f"from mteval_core.commands.main import main; assert main([{command!r}]) == 0"
    assert "numpy" not in imported(code)


def test_hook_modules_import_no_numpy() -> None:
    points = {point.module for point in metadata.entry_points(group="mteval")}
    assert "numpy" not in imported("\n".join(f"import {module}" for module in sorted(points)))


def test_the_script_is_the_module() -> None:
    (point,) = metadata.entry_points(group="console_scripts", name="mteval")
    assert point.value == "mteval_core.commands.main:script"


if __name__ == "__main__":
    ARCHITECTURE.write_text(with_drawing(ARCHITECTURE.read_text("utf-8")), encoding="utf-8")
