"""Measure `mteval list` and `mteval plugins` with 30 installed plugins, three of them broken.

    python benchmarks/listing.py [--rounds R]

The plugins are made by ``mteval new-plugin``, each with all kinds of declarations. The table shows
wall-clock and CPU seconds, the smallest of several processes each; `mteval --version` shows what
the interpreter alone takes.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mteval_testing.new_plugin import SCAFFOLDED, distribution

BROKEN = {
    7: "import java\n",
    11: "def mteval_register_metrics(): return []\n",
    23: "mteval_api = 99\n",
}


def install(folder: Path) -> None:
    """Install thirty plugins in a folder, as pip does."""
    for i in range(30):
        name, module = f"mteval-dummy{i:02}", f"mteval_dummy{i:02}"
        code = BROKEN.get(i)
        information = f"{module}-0.1.0.dist-info"
        files = {
            f"{information}/METADATA": f"Name: {name}\nVersion: 0.1.0\n",
            f"{information}/entry_points.txt": f"[mteval]\ndummy{i:02} = {module}\n",
            **distribution(f"dummy{i:02}", list(SCAFFOLDED)),
            **({f"{module}/__init__.py": code} if code else {}),
        }
        for path, text in files.items():
            if path.startswith(module):
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_text(text, encoding="utf-8")


def seconds(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Run a command; return wall-clock and CPU seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "mteval_core", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after, stop = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return stop - start, used


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        install(Path(folder))
        print(f"{'command':20} {'clock':>6} {'processor':>10}")
        for arguments in (["--version"], ["list"], ["plugins"]):
            runs = [seconds(arguments, Path(folder)) for _ in range(rounds + 1)][1:]
            clock, processor = (min(column) for column in zip(*runs, strict=True))
            print(f"mteval {arguments[0]:13} {clock:6.2f} {processor:10.2f}")


if __name__ == "__main__":
    main()
