"""Test each plugin alone with the host, as users of a single plugin have it, two at a time.

``python tests/alone.py`` tests all of them, ``python tests/alone.py chrf`` only those named.
Two cases of each test run, and no comparisons with other programs or properties of random texts:
everything runs with all plugins anyway. `tox` runs this on the kernels in plain Python, which users
without a compiler have.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]

PROJECTS: dict[str, list[Path]] = {
    **{path.parent.name: [path.parent] for path in ROOT.glob("plugins/*/pyproject.toml")},
    "sample_plugin": [ROOT / "tests" / "sample_plugin"],
    "examples": [path.parent for path in ROOT.glob("examples/plugins/*/pyproject.toml")],
}
"""Folders of the plugins that are installed for each run."""

CONTRACT = "tests/contract/test_contract.py"

TESTS = {
    "sample_plugin": ["tests/contract"],
    "examples": ["examples/plugins"],
}
"""What is run. Default: the contract kit and the tests of the plugin."""


def main() -> int:
    """Install and test the plugins; return the number of runs that failed."""
    with ThreadPoolExecutor(2) as pool:
        by_time = sorted(PROJECTS, key=lambda name: name != "testing")  # the longest run first
        done = list(pool.map(run, sys.argv[1:] or by_time))
    return sum(code != 0 for code in done)


def run(name: str) -> int:
    """Test a plugin that is installed in a folder of its own; return the exit code of pytest."""
    with TemporaryDirectory() as folder:
        pip = ["pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", folder]
        installed = call(*pip, *map(str, PROJECTS[name]))
        tests = TESTS.get(name, [CONTRACT, f"plugins/{name}"])
        options = ["-q", "-m", "fast", "-k", "not (golden or sacrebleu or properties)"]
        tested = call("pytest", "-p", "no:cacheprovider", *options, *tests, path=folder)
    sys.stdout.write(f"\n{name}, alone with the host\n{installed.stdout}{tested.stdout}")
    sys.stdout.flush()
    return installed.returncode or tested.returncode


def call(module: str, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run a module of Python with a folder on its path; keep what it writes."""
    command = [sys.executable, "-m", module, *arguments]
    environment = {**os.environ, "PYTHONPATH": path}
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False, **output)


if __name__ == "__main__":
    sys.exit(main())
