"""Build the compiled kernels, if there is a compiler. All other settings are in pyproject.toml."""

import sys
from pathlib import Path

from pybind11.setup_helpers import ParallelCompile, Pybind11Extension
from setuptools import setup

ParallelCompile().install()

cpp = Path("mteval_core/kernels/cpp")

setup(
    ext_modules=[
        Pybind11Extension(
            "mteval_core.kernels._native",
            sorted(map(str, cpp.glob("*.cpp"))),
            depends=sorted(map(str, cpp.glob("*.hpp"))),
            cxx_std=17,
            extra_compile_args=[] if sys.platform == "win32" else ["-O3"],
            optional=True,  # without a compiler the kernels run in plain Python
        )
    ]
)
