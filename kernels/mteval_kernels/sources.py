"""The sources of the compiled kernels, by which a stale extension is recognized.

``setup.py`` compiles the `stamp` into the extension. It runs this file by its path, because the
package cannot be imported before its requirements are installed.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["SOURCES", "stamp"]

SOURCES = Path(__file__).parent / "cpp"
"""Folder of the C++ sources. Wheels do not have it."""


def stamp(version: str, sources: Path = SOURCES) -> str:
    """Return the version and a digest of the sources: ``"0.1.0 8f3c1f0a6f2d"``.

    Parameters
    ----------
    version : str
        Version of the kernels.
    sources : Path
        A folder with ``.cpp`` and ``.hpp`` files.

    Returns
    -------
    str
        The version alone, and a space, if the folder is missing.
    """
    if not sources.is_dir():
        return f"{version} "
    from hashlib import sha256

    digest = sha256()
    for path in sorted(sources.glob("*.?pp")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{version} {digest.hexdigest()[:12]}"
