"""Random inputs for every door of mteval, until time is up: nothing may crash, hang or grow.

    python benchmarks/fuzz.py [--minutes M] [--seed N] [--only TARGET ...] [--input NUMBER]
                              [--folder FOLDER]

It needs Linux, the native kernels, and the plugins of this repository.

Each target runs in a process of its own, for an equal share of the time. An input fails if it
raises an error or a warning that is not documented, ends the process, takes more than 10 seconds of
the processor, or needs more than 6 GB. So does a target whose process grows by more than 64 MB
after a quarter of its time. Failing inputs are saved, with what happened and the command that tries
the same input again. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing.targets import TARGETS, drawn
from mteval_core.errors import MtevalWarning

MOST_SECONDS = 10
"""Time on the processor for one input; ten times as much may pass on the clock."""

MOST_MEMORY = 6 << 30
"""Address space of a process in bytes."""

MOST_GROWTH = 64.0
"""Growth of a process in MB after a quarter of its time."""

MOST_FAILURES = 100
"""Failures of a target after which it ends."""


CACHED = type(cache(len))


def memory() -> float:
    """Memory of this process in MB: what it keeps, apart from caches that have a limit.

    What the allocator has not given back does not count, and neither do the pages of dictionaries
    that tokenizers map into memory.
    """
    for each in gc.get_objects():
        if isinstance(each, CACHED) and each.cache_parameters()["maxsize"] is not None:
            each.cache_clear()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("RssAnon:")[2].split()[0]) * 1024 / 1e6


@dataclass
class Run:
    """A target under test. The numbers are shared with the process that tries the inputs."""

    name: str
    seed: int
    folder: Path
    number: Any = field(default_factory=lambda: multiprocessing.RawValue("q", 0))
    failures: Any = field(default_factory=lambda: multiprocessing.RawValue("q", 0))
    growth: Any = field(default_factory=lambda: multiprocessing.RawValue("d", 0))
    finished: Any = field(default_factory=lambda: multiprocessing.RawValue("b", 0))

    @property
    def crash(self) -> Path:
        """Where the process writes where it was when a signal ended it."""
        return self.folder / f"{self.name}.crash"

    def until(self, end: float) -> None:
        """Try inputs in one process after the other; a process ends early if an input crashes."""
        while time.time() < end and self.failures.value < MOST_FAILURES:
            process = multiprocessing.get_context("fork").Process(target=self.work, args=(end,))
            process.start()
            while process.is_alive():
                process.join(1)
                self.show("\r")
            if process.exitcode or not self.finished.value:
                where = self.crash.read_text("utf-8")
                self.save(f"the process ended with the exit code {process.exitcode}\n{where}")
                self.number.value += 1
            self.crash.unlink()
        if self.growth.value > MOST_GROWTH:
            self.save(f"the process has grown by {self.growth.value:.0f} MB")
        self.show("\n")

    def show(self, end: str) -> None:
        """Print the line of the target: at the end, and on a terminal from time to time."""
        if end == "\n" or sys.stdout.isatty():
            numbers = f"{self.number.value:9} {self.failures.value:8} {self.growth.value:+9.1f}"
            print(f"{self.name:12} {numbers}", end=end, flush=True)

    def work(self, end: float) -> None:
        """Try inputs until time is up."""
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", MtevalWarning)
        start, warm = time.time(), 0.0
        with self.crash.open("w", encoding="utf-8") as crash:
            faulthandler.enable(crash)
            for number in (signal.SIGPROF, signal.SIGALRM):
                faulthandler.register(number, crash, chain=True)
            while (now := time.time()) < end and self.failures.value < MOST_FAILURES:
                if not warm and now - start > (end - start) / 4:
                    warm = memory()
                self.attempt()
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.growth.value = memory() - warm if warm else 0
        self.finished.value = 1

    def attempt(self) -> None:
        """Try the next input. A signal ends the process if that takes too long."""
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, 10 * MOST_SECONDS)
        try:
            TARGETS[self.name].run(drawn(self.name, self.seed, self.number.value))
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - whatever an input raises is a failure
            self.save(traceback.format_exc())
        self.number.value += 1

    def save(self, what: str) -> None:
        """Save the current input, what happened, and the command that tries it again."""
        self.failures.value += 1
        number = self.number.value
        again = f"python {__file__} --only {self.name} --seed {self.seed} --input {number}"
        shown = repr(drawn(self.name, self.seed, number))
        path = self.folder / f"{self.name}-{self.seed}-{number}.txt"
        path.write_text(f"{again}\n\n{what}\n{shown}\n", "utf-8", "backslashreplace")


def main() -> int:
    """Try inputs of all targets and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", nargs="+", choices=TARGETS, default=list(TARGETS))
    parser.add_argument("--input", type=int, help="try only this input of each target")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-failures"))
    options = parser.parse_args()
    if options.input is not None:
        for name in options.only:
            TARGETS[name].run(drawn(name, options.seed, options.input))
        return 0
    options.folder.mkdir(exist_ok=True)
    print(f"seed {options.seed}; failing inputs go to {options.folder}/")
    print(f"{'target':12} {'inputs':>9} {'failures':>8} {'MB':>9}")
    runs = [Run(name, options.seed, options.folder.resolve()) for name in options.only]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as fast:
        tempfile.tempdir = fast
        for run in runs:
            run.until(time.time() + options.minutes * 60 / len(runs))
    n, n_failures = (sum(getattr(run, key).value for run in runs) for key in ("number", "failures"))
    print(f"{'all':12} {n:9} {n_failures:8}")
    return 1 if n_failures else 0


if __name__ == "__main__":
    sys.exit(main())
