"""Build the compiled kernels, if there is a compiler. All other settings are in pyproject.toml."""

import os
import sys
from pathlib import Path
from runpy import run_path

from pybind11.setup_helpers import ParallelCompile, Pybind11Extension
from setuptools import setup

ParallelCompile().install()

package = Path("mteval_kernels")
cpp = package / "cpp"
version = run_path(str(package / "_version.py"))["__version__"]
stamp = run_path(str(package / "sources.py"))["stamp"](version)

required = os.environ.get("MTEVAL_REQUIRE_NATIVE", "0")
if required not in ("0", "1"):
    sys.exit(f"MTEVAL_REQUIRE_NATIVE is {required!r}; expected '1' or '0'")

setup(
    ext_modules=[
        Pybind11Extension(
            "mteval_kernels._native",
            sorted(map(str, cpp.glob("*.cpp"))),
            depends=[str(package / "_version.py"), *sorted(map(str, cpp.glob("*.hpp")))],
            define_macros=[("MTEVAL_STAMP", f'"{stamp}"')],
            cxx_std=17,
            extra_compile_args=[] if sys.platform == "win32" else ["-O3"],
            optional=required == "0",  # without a compiler the kernels run in plain Python
        )
    ]
)
