"""A small repository of kernels, a host, a plugin and a distribution of both, without faults."""

from __future__ import annotations

from pathlib import Path

import pytest

COMMON = """
requires-python = ">=3.10"
license = "MIT"
license-files = ["LICENSE"]
authors = [{ name = "We" }]
keywords = ["translation"]
classifiers = ["Typing :: Typed"]
"""
URLS = 'Repository = "https://code.test/mteval"\n'
PROJECT = '[project]\nname = "{}"\nversion = "{}"\ndescription = "{}"\n{}{}\n[project.urls]\n{}'
CHANGELOG = "# Changelog\n\n## {} (2026-12-01)\n\n- Text.\n"
PROJECTS = {
    "kernels": ("mteval-kernels", "0.3.0", 'dependencies = ["numpy>=1.24"]'),
    ".": ("mteval-core", "0.2.0", 'dependencies = ["mteval-kernels~=0.3.0", "numpy>=1.24"]'),
    "plugins/toy": (
        "mteval-toy",
        "0.1.0",
        'dependencies = ["mteval-core>=0.2", "numpy>=1.24"]\n'
        '[project.entry-points.mteval]\ntoy = "mteval_toy"',
    ),
    "distributions/all": (
        "mteval-all",
        "1.0.0",
        'dependencies = ["mteval-kernels~=0.3.0", "mteval-core~=0.2.0", "mteval-toy~=0.1.0"]',
    ),
}
CODE = {
    "mteval_core/_version.py": '__version__ = "0.2.0"\n\nAPI = 1\n',
    "mteval_core/__init__.py": "",
    "mteval_core/py.typed": "",
    "kernels/mteval_kernels/_version.py": '__version__ = "0.3.0"\n',
    "kernels/mteval_kernels/__init__.py": "",
    "kernels/mteval_kernels/py.typed": "",
    "kernels/mteval_kernels/cpp/a.cpp": "int a;\n",
    "tests/test_core.py": "def test_core(): assert True\n",
    "plugins/toy/mteval_toy/__init__.py": "mteval_api = 1\n",
    "plugins/toy/mteval_toy/py.typed": "",
    "plugins/toy/docs/toy.1": ".TH TOY 1\n",
    "plugins/toy/tests/test_toy.py": "def test_toy(): assert True\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Write the repository."""
    files = {**CODE, "plugins.txt": "./plugins/toy\n"}
    for where, (name, version, needs) in PROJECTS.items():
        project = PROJECT.format(name, version, f"About {name}.", COMMON, needs, URLS)
        files[f"{where}/pyproject.toml"] = project
        files[f"{where}/LICENSE"] = "Do as you like.\n"
        files[f"{where}/README.md"] = f"# {name}\n"
        files[f"{where}/CHANGELOG.md"] = CHANGELOG.format(version)
    files["./README.md"] += "\n| `plugins/toy` | a toy |\n"
    for file, text in files.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path
