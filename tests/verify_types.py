"""Check with pyright that at least 99% of the public names of each package have known types.

python tests/verify_types.py
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
FOLDERS = sorted(path.name for path in REPOSITORY.glob("plugins/*/mteval_*"))
PACKAGES = ["mteval_core", *filter(str.isidentifier, FOLDERS)]  # a build leaves NAME.egg-info
REQUIRED = 0.99


def completeness(package: str) -> float:
    """Ask pyright for the share of public names whose types are known."""
    command = ["pyright", "--verifytypes", package, "--ignoreexternal", "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(json.loads(done.stdout)["typeCompleteness"]["completenessScore"])


def main() -> int:
    """Print the share for each package; return 1 if one is too low, and 0 otherwise."""
    with ThreadPoolExecutor(2) as pool:
        shares = dict(zip(PACKAGES, pool.map(completeness, PACKAGES), strict=True))
    for package, share in shares.items():
        print(f"{package:24} {share:.1%}")
    return int(min(shares.values()) < REQUIRED)


if __name__ == "__main__":
    sys.exit(main())
