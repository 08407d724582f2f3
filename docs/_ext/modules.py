"""Lists for the page on architecture: the modules of the host, and who calls which kernel.

Both come from the imports and docstrings of the code, so that nothing is missing.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from reference import code, markdown, table

from mteval_kernels.table import KERNELS, twin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

REPOSITORY = Path(__file__).parents[2]
HOST = REPOSITORY / "mteval_core"
GROUND, ROOF = "The ground", "The roof"
"""Headings of the modules that are in no folder; those of the roof import from every floor."""


def parsed(path: Path) -> ast.Module:
    """Parse a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Yield the names that a module takes from packages, with the package in front."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


@cache
def files() -> dict[str, Path]:
    """Return the modules of the host by their names, the packages among them."""
    found = {}
    for path in sorted(HOST.rglob("*.py")):
        parts = path.relative_to(REPOSITORY).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def graph() -> dict[str, set[str]]:
    """Return which modules of the host each of them imports."""
    modules = files()
    arrows = {}
    for module, path in modules.items():
        targets = {name if name in modules else name.rpartition(".")[0] for name in imported(path)}
        arrows[module] = targets & modules.keys() - {module, HOST.name}
    return arrows


def floor(module: str) -> str:
    """Return the heading under which a module is listed: that of its folder."""
    path = files()[module].relative_to(HOST)
    if len(path.parts) > 1:
        return code(path.parts[0])
    return ROOF if path.stem.startswith("__") else GROUND


def sorted_by_imports(arrows: dict[str, set[str]]) -> list[str]:
    """Sort names so that each follows what it imports."""
    return [*TopologicalSorter(arrows).static_order()]


def module_list() -> str:
    """Write all modules of the host from the ground up, each after those that it imports."""
    arrows = graph()
    floors: dict[str, set[str]] = {}
    for module, targets in arrows.items():
        floors.setdefault(floor(module), set()).update(map(floor, targets))
    order = sorted_by_imports(arrows)
    parts = []
    for name in sorted_by_imports({name: below - {name} for name, below in floors.items()}):
        parts.append(f"\n### {name}\n\n")
        modules = [module for module in order if floor(module) == name]
        package = f"{HOST.name}.{name.strip('`')}"
        if package in modules:
            parts.append(f"{summary(package)}\n\n")
            modules.remove(package)
        parts += [f"- {code(shown(module))}: {summary(module)}\n" for module in modules]
    return "".join(parts)


def shown(module: str) -> str:
    """Return the path of a module in the folder of the host."""
    return files()[module].relative_to(HOST).as_posix()


def summary(module: str) -> str:
    """Return the first paragraph of the docstring of a module on one line."""
    return markdown((ast.get_docstring(parsed(files()[module])) or "").partition("\n\n")[0])


def kernel_list() -> str:
    """Write all kernels with the packages that import them."""
    packages = [HOST, *sorted(REPOSITORY.glob("plugins/*/mteval_*"))]
    users = {package.name: names(package.rglob("*.py")) for package in packages}
    rows = [
        [
            code(kernel),
            markdown((twin(kernel).__doc__ or "").partition("\n")[0]),
            code(*(name for name, used in users.items() if f"mteval_kernels.{kernel}" in used)),
        ]
        for kernel in KERNELS
    ]
    return table(["kernel", "what it does", "imported by"], rows)


def names(paths: Iterable[Path]) -> set[str]:
    """Return all names that modules import."""
    return {name for path in paths for name in imported(path)}
