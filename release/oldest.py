"""Print the oldest versions that the distributions admit, as constraints for pip.

``python release/oldest.py > tests/oldest.txt`` writes those with which ``tox -e oldest`` tests.
"""

from __future__ import annotations

from pathlib import Path

import tomllib
from packaging.requirements import Requirement

from projects import lowest, read

__all__ = ["constraints"]

ROOT = Path(__file__).parents[1]


def constraints(root: Path) -> list[str]:
    """Return ``NAME==VERSION`` for what the distributions and their builds require.

    Parameters
    ----------
    root : Path
        The repository.

    Returns
    -------
    list of str
        Sorted. What builds the distributions comes before what only an extra names.
    """
    distributions = read(root)
    ours = {own.name for own in distributions}
    files = [own.folder / "pyproject.toml" for own in distributions]
    systems = [tomllib.loads(file.read_text("utf-8"))["build-system"] for file in files]
    required = [Requirement(each) for system in systems for each in system["requires"]]
    required += [each for own in distributions for each in own.requirements]
    versions: dict[str, str | None] = {}
    for each in required:
        versions.setdefault(each.name, lowest(each))
    return sorted(f"{name}=={version}" for name, version in versions.items() if name not in ours)


if __name__ == "__main__":
    print(*constraints(ROOT), sep="\n")
