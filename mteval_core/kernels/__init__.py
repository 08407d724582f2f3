"""Compiled work on whole corpora: from texts to ids, and from ids to counts.

A kernel is named after the problem that it solves, not after a metric. There are two
implementations with the same functions and the same results, to the last bit: a C++ extension, and
plain Python for machines without a compiler. Set the environment variable ``MTEVAL_KERNELS`` to
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

from mteval_core.errors import UsageError
from mteval_core.kernels.table import KERNELS, twin
from mteval_core.kernels.twins.texts import ReferenceTexts as ReferenceTexts
from mteval_core.kernels.twins.texts import Texts as Texts

if TYPE_CHECKING:
    from types import ModuleType

_SETTING = "MTEVAL_KERNELS"


def _extension() -> ModuleType | None:
    """Import the extension if the environment asks for it, or if it was built."""
    choice = os.environ.get(_SETTING, "")
    if choice not in ("", "native", "python"):
        message = f"{_SETTING} is {choice!r}; expected 'native' or 'python'"
        raise UsageError(message)
    if choice == "python":
        return None
    try:
        return import_module("mteval_core.kernels._native")
    except ImportError as error:
        if choice == "native":
            message = (
                f"{_SETTING} is 'native', but the compiled kernels cannot be imported ({error}); "
                f"install mteval-core again with a C++17 compiler, or unset {_SETTING}"
            )
            raise UsageError(message) from error
        return None


def _kernels(extension: ModuleType | None) -> dict[str, object]:
    """Look up the kernels of the table."""
    if extension is None:
        return {name: twin(name) for name in KERNELS}
    try:
        return {name: getattr(extension, name) for name in KERNELS}
    except AttributeError as error:
        message = (
            f"the compiled kernels are of another version ({error}); install mteval-core again, "
            f"or set {_SETTING}=python"
        )
        raise ImportError(message) from error


_EXTENSION = _extension()
implementation: Literal["native", "python"] = "native" if _EXTENSION else "python"
"""The implementation in use."""

if TYPE_CHECKING:
    from mteval_core.kernels._native import *  # noqa: F403 - the kernels of the table
else:
    __all__ = ["ReferenceTexts", "Texts", "implementation", *KERNELS]
    globals().update(_kernels(_EXTENSION))
