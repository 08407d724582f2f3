"""Algorithms on sequences, for whole corpora at once: from texts to ids, and from ids to counts.

A kernel is named after the problem that it solves. There are two implementations with the same
functions and the same results, to the last bit: a C++ extension, and plain Python for machines
without a compiler. Set the environment variable ``MTEVAL_KERNELS`` to
``native`` or ``python`` to choose one; by default the extension is used if it was built.
`implementation` says which one is in use.

Kernels do not change their arguments; they return new arrays and start no threads. The extension
releases the interpreter lock while it computes: a thread pool may run one kernel on several ranges
of segments at once, and the rows do not depend on the ranges.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from mteval_kernels._version import __version__ as __version__
from mteval_kernels.errors import TooLongError as TooLongError
from mteval_kernels.sources import SOURCES, stamp
from mteval_kernels.table import KERNELS, twin
from mteval_kernels.twins.texts import ReferenceTexts as ReferenceTexts
from mteval_kernels.twins.texts import Texts as Texts

if TYPE_CHECKING:
    from types import ModuleType

_SETTING = "MTEVAL_KERNELS"
_ADVICE = (
    "install mteval-kernels again with a C++17 compiler (in a clone: pip install -e kernels), "
    f"or set {_SETTING}=python"
)


def _extension() -> ModuleType | None:
    """Import the extension if the environment asks for it, or if it was built."""
    choice = os.environ.get(_SETTING, "")
    if choice not in ("", "native", "python"):
        raise ImportError(f"{_SETTING} is {choice!r}; expected 'native' or 'python'", name=__name__)
    if choice == "python":
        return None
    try:
        extension = import_module(f"{__name__}._native")
    except ImportError as error:
        files = SOURCES.parent.glob("_native.*")
        built = sorted(path.name for path in files if path.suffix in (".so", ".pyd"))
        if choice == "native" or built:
            what = f"the compiled kernels {', '.join(built)}".rstrip()
            raise ImportError(
                f"{what} cannot be imported ({error}); {_ADVICE}", name=__name__
            ) from error
        return None
    built_from, expected = getattr(extension, "_stamp", "an unknown version"), stamp(__version__)
    if not built_from.startswith(expected):
        raise ImportError(
            f"the compiled kernels {extension.__file__} were built from other sources "
            f"({built_from}; expected {expected}); {_ADVICE}",
            name=__name__,
        )
    return extension


_EXTENSION = _extension()
implementation: Literal["native", "python"] = "native" if _EXTENSION else "python"
"""The implementation in use."""

if TYPE_CHECKING:
    from mteval_kernels._native import *  # noqa: F403 - the kernels of the table
else:
    __all__ = ["TooLongError", "implementation", *KERNELS]
    globals().update(
        (name, getattr(_EXTENSION, name) if _EXTENSION else twin(name)) for name in KERNELS
    )
