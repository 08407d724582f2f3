"""An interrupt ends a kernel, and a command in the middle of one, within a second."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mteval_core.metrics.threads import in_threads

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a process cannot send SIGINT")


def write_texts(folder: Path, n_lines: int) -> list[str]:
    """Write texts with long lines, which keep TER busy for many seconds; return the arguments."""
    draw = random.Random(1)
    files = []
    for name in ("reference", "system"):
        long = [" ".join(f"w{draw.randrange(20)}" for _ in range(1000)) for _ in range(40)]
        lines = ["a"] * n_lines
        lines[n_lines // 2 : n_lines // 2 + 20], lines[-20:] = long[:20], long[20:]
        files.append(folder / f"{name}.txt")
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["-r", str(files[0]), "-i", str(files[1])]


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("kernels", ["native", "python"])
@pytest.mark.parametrize("n_lines", [40, 60_000], ids=["one thread", "several threads"])
def test_an_interrupt_ends_a_command_in_the_middle_of_ter(
    tmp_path: Path, kernels: str, n_lines: int
) -> None:
    arguments = write_texts(tmp_path, n_lines)
    command = [sys.executable, "-m", "mteval_core", "score", *arguments, "-m", "ter", "-q"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,  # the installed package, not the one of the repository, has the extension
        env={**os.environ, "MTEVAL_KERNELS": kernels},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for_work(process)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
        seconds = time.monotonic() - start
    assert (process.returncode, out, err) == (130, "", "")
    assert seconds < 1


def wait_for_work(process: subprocess.Popen[str]) -> None:
    """Wait until a process has used more CPU time than reading the texts takes."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
        if cpu_seconds(process.pid) >= 1:
            return
    process.kill()
    out, err = process.communicate()
    pytest.fail(f"the process does not work: {process.returncode} {out} {err}")


def cpu_seconds(pid: int) -> float:
    run = subprocess.run(
        ["ps", "-o", "cputimes=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return float(run.stdout)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_one_thread_ends_the_others(threads: int) -> None:
    started, ended = threading.Event(), threading.Event()

    def rows(start: int, _stop: int) -> NDArray[np.float64]:
        if start == 0:
            started.wait(timeout=threads - 1)
            raise ValueError("the first range")
        started.set()
        try:
            while True:
                time.sleep(0.01)
        except KeyboardInterrupt:
            ended.set()
            raise

    with pytest.raises(ValueError, match="the first range"):
        in_threads(rows, [(0, 1), (1, 2)], threads)
    assert ended.is_set() == (threads == 2)
