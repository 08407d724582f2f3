"""Files of a folder, which may come from strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mteval_core

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["regular_files"]


def regular_files(folder: Path, pattern: str, *endings: str) -> dict[str, Path]:
    """List the files of a folder by name, without the ending.

    Parameters
    ----------
    folder : Path
        The folder.
    pattern : str
        Which files, see `pathlib.Path.glob`.
    *endings : str
        Endings of the files; others are left out.

    Raises
    ------
    mteval_core.InputError
        If two files have the same name, or one is a pipe or a device, which may have no end.
    """
    found: dict[str, Path] = {}
    for file in sorted(folder.glob(pattern)):
        if file.suffix not in endings:
            continue
        if not file.is_file():
            raise mteval_core.InputError(
                f"{file}: a folder, a pipe or a device; expected a regular file"
            )
        name = file.name.removesuffix(file.suffix)
        if name in found:
            raise mteval_core.InputError(
                f"{found[name]} and {file.name} have the same name: move one of them away"
            )
        found[name] = file
    return found
