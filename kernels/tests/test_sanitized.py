"""The tests of the kernels, run again with the sanitizers of the compiler.

Set ``MTEVAL_SANITIZE=1`` to run this: it compiles twice, which takes minutes. It builds
and changes nothing outside a temporary directory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest

from mteval_kernels import __version__
from mteval_kernels.sources import stamp

KERNELS = Path(__file__).parents[1]
STAMP = f'-DMTEVAL_STAMP="{stamp(__version__, KERNELS / "mteval_kernels" / "cpp")}"'
# Without NDEBUG, pybind11 checks that references are counted with the interpreter lock.
FLAGS = [STAMP, "-std=c++17", "-O1", "-g", "-fno-omit-frame-pointer", "-fPIC", "-shared"]


class Run(NamedTuple):
    sanitizers: str
    runtimes: list[str]
    options: dict[str, str]
    chosen: str
    prefix: tuple[str, ...] = ()


ADDRESS = Run(
    "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
    ["libasan.so", "libubsan.so"],
    {"ASAN_OPTIONS": "detect_leaks=0"},  # the interpreter keeps what it allocates
    "test",
)

# Only the kernels are instrumented. What the interpreter and numpy do is not seen, but the
# interpreter lock and other mutexes are, so that they order what the kernels do.
THREAD = Run(
    "-fsanitize=thread",
    ["libtsan.so"],
    {"TSAN_OPTIONS": "halt_on_error=1 exitcode=66"},
    "thread",
    ("setarch", "--addr-no-randomize"),  # it maps its memory to fixed addresses
)


@pytest.mark.skipif(os.environ.get("MTEVAL_SANITIZE") != "1", reason="MTEVAL_SANITIZE is not 1")
@pytest.mark.parametrize("run", [ADDRESS, THREAD], ids=["address", "thread"])
def test_kernels_are_clean_under_sanitizers(tmp_path: Path, run: Run) -> None:
    pybind11 = pytest.importorskip("pybind11")
    compiler = shutil.which("g++")
    if not compiler:
        pytest.skip("no g++")

    copy = tmp_path / "kernels"
    shutil.copytree(KERNELS, copy, ignore=shutil.ignore_patterns("*.so", Path(__file__).name))
    package = copy / "mteval_kernels"
    extension = package / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    includes = [f"-I{sysconfig.get_path('include')}", f"-I{pybind11.get_include()}"]
    sources = sorted(map(str, (package / "cpp").glob("*.cpp")))
    build = [compiler, *FLAGS, *run.sanitizers.split(), *includes, *sources, "-o", str(extension)]
    subprocess.run(build, check=True)

    def runtime(name: str) -> str:
        query = [compiler, f"-print-file-name={name}"]
        return subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip()

    pytest_options = ["-q", "-p", "no:faulthandler", "-p", "no:cacheprovider", "-s"]
    done = subprocess.run(
        [*run.prefix, sys.executable, "-m", "pytest", *pytest_options, "-k", run.chosen],
        cwd=copy,
        env={
            **os.environ,
            **run.options,
            "MTEVAL_KERNELS": "native",
            "PYTHONPATH": os.pathsep.join([str(copy), os.environ.get("PYTHONPATH", "")]),
            "LD_PRELOAD": " ".join(map(runtime, [*run.runtimes, "libstdc++.so"])),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-10000:]
    assert "passed" in done.stdout
