"""Check the types: mypy, pyright, how many public names have known types, and new plugins.

``python tests/check_types.py`` runs the checks two at a time, prints what they write in a fixed
order, and exits with 1 if one of them fails. At least 99% of the public names of each package must
have types that pyright knows.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
FOLDERS = sorted(path.name for path in REPOSITORY.glob("plugins/*/mteval_*"))
# A build leaves NAME.egg-info.
PACKAGES = ["mteval_kernels", "mteval_core", *filter(str.isidentifier, FOLDERS)]
REQUIRED = 0.99
WITH_UNKNOWN_BASES = {"mteval_adapters": 0.95, "mteval_mbr": 0.95}
"""Packages with classes whose bases belong to programs that are not installed for this check."""
EXAMPLE = "examples/plugins/embedding"

MYPY_ALONE = ["mypy", "--cache-dir", "/dev/null"]
"""mypy without the cache, which two processes must not write at once."""

COMMANDS = [
    ["mypy"],
    [*MYPY_ALONE, "tests/conftest.py"],
    [*MYPY_ALONE, "plugins/metaeval/tests/conftest.py", "plugins/metaeval/mteval_metaeval"],
    ["pyright"],
    ["mypy", "--config-file", f"{EXAMPLE}/pyproject.toml", f"{EXAMPLE}/mteval_embedding"],
    ["pytest", "-q", "plugins/testing/tests/test_new_plugin.py", "-k", "clean or types"],
    *(["pyright", "--verifytypes", name, "--ignoreexternal", "--outputjson"] for name in PACKAGES),
]


def checked(command: list[str]) -> tuple[bool, str]:
    """Run a checker; return whether it is content, and what to print."""
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if "--outputjson" not in command:
        return done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    share = float(json.loads(done.stdout)["typeCompleteness"]["completenessScore"])
    required = WITH_UNKNOWN_BASES.get(command[2], REQUIRED)
    return share >= required, f"{command[2]:24} {share:.1%} of the public names have known types\n"


def main() -> int:
    """Run all checks; return 1 if one fails, and 0 otherwise."""
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(checked, COMMANDS))
    sys.stdout.write("".join(text for _, text in results))
    return int(not all(passed for passed, _ in results))


if __name__ == "__main__":
    sys.exit(main())
