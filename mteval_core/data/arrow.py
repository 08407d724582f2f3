"""Import of pyarrow, which the extra ``mteval-core[arrow]`` installs."""

from __future__ import annotations

from typing import Any

from mteval_core.errors import UsageError


def pyarrow() -> Any:
    """Import pyarrow.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    try:
        import pyarrow as module  # pyright: ignore[reportMissingImports] - optional
    except ImportError:
        message = "this needs pyarrow: pip install 'mteval-core[arrow]'"
        raise UsageError(message) from None
    return module
