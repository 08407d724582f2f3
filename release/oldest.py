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
    """Return ``NAME==VERSION`` for what the distributions and the build of the kernels require.

    Parameters
    ----------
    root : Path
        The repository.

    Returns
    -------
    list of str
        Sorted. What builds the kernels comes before what only an extra names.
    """
    distributions = read(root)
    ours = {own.name for own in distributions}
    system = tomllib.loads((root / "kernels" / "pyproject.toml").read_text("utf-8"))["build-system"]
    required = [*map(Requirement, system["requires"])]
    required += [each for own in distributions for each in own.requirements]
    versions: dict[str, str | None] = {}
    for each in required:
        versions.setdefault(each.name, lowest(each))
    return sorted(f"{name}=={version}" for name, version in versions.items() if name not in ours)


if __name__ == "__main__":
    print(*constraints(ROOT), sep="\n")
