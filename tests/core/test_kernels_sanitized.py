"""The tests of the kernels, run again with the address and undefined-behaviour sanitizers.

Set ``MTEVAL_SANITIZE=1`` to run this: it compiles for half a minute. It builds and changes nothing
outside a temporary directory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from mteval_core import __version__
from mteval_core.kernels.sources import stamp

ROOT = Path(__file__).parents[2]
STAMP = f'-DMTEVAL_STAMP="{stamp(__version__, ROOT / "mteval_core/kernels/cpp")}"'
FLAGS = [STAMP, "-std=c++17", "-O1", "-g", "-fno-omit-frame-pointer", "-fPIC", "-shared"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
RUNTIMES = ["libasan.so", "libubsan.so", "libstdc++.so"]


@pytest.mark.skipif(os.environ.get("MTEVAL_SANITIZE") != "1", reason="MTEVAL_SANITIZE is not 1")
def test_kernels_are_clean_under_sanitizers(tmp_path: Path) -> None:
    pybind11 = pytest.importorskip("pybind11")
    compiler = shutil.which("g++")
    if not compiler:
        pytest.skip("no g++")

    package, core = tmp_path / "mteval_core", ROOT / "tests" / "core"
    tests = tmp_path / "tests" / "core"
    shutil.copytree(ROOT / "mteval_core", package, ignore=shutil.ignore_patterns("*.so"))
    tests.mkdir(parents=True)
    for conftest in ("conftest.py", "tests/conftest.py"):
        shutil.copy(ROOT / conftest, tmp_path / conftest)
    for test in [core / "conftest.py", *core.glob("test_kernel*.py")]:
        if test.name != Path(__file__).name:
            shutil.copy(test, tests)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)

    kernels = package / "kernels"
    extension = kernels / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    includes = [f"-I{sysconfig.get_path('include')}", f"-I{pybind11.get_include()}"]
    sources = sorted(map(str, (kernels / "cpp").glob("*.cpp")))
    build = [compiler, *FLAGS, *SANITIZERS, *includes, *sources, "-o", str(extension)]
    subprocess.run(build, check=True)

    def runtime(name: str) -> str:
        query = [compiler, f"-print-file-name={name}"]
        return subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip()

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:faulthandler", "-s", str(tests)],
        cwd=tmp_path,
        env={
            **os.environ,
            "MTEVAL_KERNELS": "native",
            "PYTHONPATH": str(tmp_path),
            "LD_PRELOAD": " ".join(map(runtime, RUNTIMES)),
            "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter keeps what it allocates
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-10000:]
    assert "passed" in run.stdout
