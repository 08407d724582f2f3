"""Checks that take too long are reported and end, whatever they do."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress

import pytest
from mteval_testing.findings import finding
from mteval_testing.watch import tried, watched

HAS_LOCK = getattr(sys, "_is_gil_enabled", lambda: True)()

PROGRAM = """
import ctypes, re, sys, time
from mteval_testing import watch
from mteval_testing.findings import finding

watch.SLOW, watch.GRACE = 0.2, 1.0

def loops(_):
    watch.tried("one word\\nrepeated")
    while True:
        pass

def waits(_):
    time.sleep(3)

def backtracks(_):
    watch.tried("many letters")
    re.match(r"(a+)+b", 40 * "a")

if __name__ == "__main__":
    found = finding(globals()[sys.argv[1]], None, limit=0.5)
    sys.stdout.write(f"{found.passed} {found.message}")
    watch.leave(7)
"""


@pytest.mark.parametrize(
    ("check", "message", "report", "code"),
    [
        (
            "loops",
            "False it has not ended after 0.5 s, on the sample: one word repeated",
            r"mteval: loops \(sample: one word repeated\) has been running for 0\.2 s\n",
            0,
        ),
        (
            "waits",
            "False it has not ended after 0.5 s",
            r"mteval: waits has been running for 0\.2 s\n",
            7,  # the process leaves it running
        ),
    ],
)
def test_a_check_that_does_not_end_is_reported_and_fails(
    check: str, message: str, report: str, code: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, check], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (code, message)
    assert re.fullmatch(report, done.stderr)


@pytest.mark.slow
@pytest.mark.skipif(not HAS_LOCK, reason="this Python has no interpreter lock")
def test_code_that_holds_the_interpreter_lock_ends_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "backtracks"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Timeout (0:00:01.500000)!")
    assert "in backtracks" in done.stderr


@pytest.mark.slow
def test_a_check_that_was_left_alone_ends_nothing() -> None:
    """The check goes on for longer than the limit and the grace together."""
    program = PROGRAM + "time.sleep(2)\nsys.stdout.write(' and on')\n"
    program = program.replace("    watch.leave(7)\n", "")
    done = subprocess.run(
        [sys.executable, "-c", program, "waits"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "False it has not ended after 0.5 s and on"


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send SIGINT")
def test_ctrl_c_ends_a_check() -> None:
    command = [sys.executable, "-c", PROGRAM.replace("limit=0.5", "limit=9"), "loops"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "has been running" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().endswith("KeyboardInterrupt\n")
    assert process.returncode == -signal.SIGINT


def test_notes_and_errors_come_back() -> None:
    assert watched(lambda subject: f"a note on {subject}", "it") == "a note on it"
    with pytest.raises(ZeroDivisionError):
        watched(lambda _: str(1 / 0), None)
    with pytest.raises(SystemExit):
        watched(lambda _: sys.exit(3), None)


def test_a_metric_cannot_catch_the_end() -> None:
    ended = threading.Event()

    def stubborn(_: object) -> None:
        try:
            while True:
                with suppress(Exception):  # as some metrics do
                    tried("text")
        finally:
            ended.set()

    found = finding(stubborn, None, limit=0.1)
    assert found.message == "it has not ended after 0.1 s, on the sample: text"
    assert ended.wait(1)
